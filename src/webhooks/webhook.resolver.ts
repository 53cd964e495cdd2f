import { Arg, Ctx, Mutation, Resolver } from 'type-graphql';
import type { RequestContext } from '../core/context.js';
import {
  CreateWebhookEndpointPayload,
  DeleteWebhookEndpointPayload,
  endpointKeyOf as keyOf,
  RedeliverWebhookInput,
  RedeliverWebhookPayload,
  RedeliverWebhooksInput,
  RedeliverWebhooksPayload,
  SendTestEventInput,
  SendTestEventPayload,
  UpdateWebhookEndpointInput,
  WebhookEndpointInput,
  WebhookEndpointPayload,
} from './webhook.types.js';
import { deliveryView, issuedView } from './webhook.views.js';
import { callerOf } from './webhook-caller.js';
import type { WebhookEndpointService } from './webhook-endpoint.service.js';
import type { WebhookRedeliveryService } from './webhook-redelivery.service.js';

const WHICH = { description: 'Which endpoint.' };

/** What is posted to an endpoint that is there, and what is done to it, with a token and on the console alike. */
@Resolver()
export class WebhookResolver {
  constructor(
    private readonly endpoints: WebhookEndpointService,
    private readonly again: WebhookRedeliveryService,
  ) {}

  @Mutation(() => WebhookEndpointPayload, {
    nullable: true,
    description: 'Chooses which events are posted to an endpoint from now on.',
  })
  async updateWebhookEndpoint(
    @Arg('input', () => UpdateWebhookEndpointInput, { description: 'Which endpoint, and which events.' })
    { endpointId, types }: UpdateWebhookEndpointInput,
    @Ctx() context: RequestContext,
  ): Promise<WebhookEndpointPayload> {
    return { endpoint: await this.endpoints.setTypes(keyOf(endpointId), types, callerOf(context)) };
  }

  @Mutation(() => CreateWebhookEndpointPayload, {
    nullable: true,
    description: 'A new signing secret. The former one signs beside it for 24 hours.',
  })
  async rotateWebhookSecret(
    @Arg('input', () => WebhookEndpointInput, WHICH) { endpointId }: WebhookEndpointInput,
    @Ctx() context: RequestContext,
  ): Promise<CreateWebhookEndpointPayload> {
    return issuedView(await this.endpoints.rotateSecret(keyOf(endpointId), callerOf(context)));
  }

  @Mutation(() => WebhookEndpointPayload, {
    nullable: true,
    description: 'Posts nothing more; what waits is cancelled.',
  })
  async disableWebhookEndpoint(
    @Arg('input', () => WebhookEndpointInput, WHICH) { endpointId }: WebhookEndpointInput,
    @Ctx() context: RequestContext,
  ): Promise<WebhookEndpointPayload> {
    const { owner, by } = callerOf(context);
    return { endpoint: await this.endpoints.disable(keyOf(endpointId), owner, by) };
  }

  @Mutation(() => WebhookEndpointPayload, { nullable: true, description: 'Posts again, from the next outcome on.' })
  async enableWebhookEndpoint(
    @Arg('input', () => WebhookEndpointInput, WHICH) { endpointId }: WebhookEndpointInput,
    @Ctx() context: RequestContext,
  ): Promise<WebhookEndpointPayload> {
    return { endpoint: await this.endpoints.enable(keyOf(endpointId), callerOf(context)) };
  }

  @Mutation(() => DeleteWebhookEndpointPayload, {
    nullable: true,
    description: 'Removes an endpoint with its secrets and its delivery log.',
  })
  async deleteWebhookEndpoint(
    @Arg('input', () => WebhookEndpointInput, WHICH) { endpointId }: WebhookEndpointInput,
    @Ctx() context: RequestContext,
  ): Promise<DeleteWebhookEndpointPayload> {
    const { owner, by } = callerOf(context);
    const id = keyOf(endpointId);
    await this.endpoints.remove(id, owner, by);
    return { deletedEndpointId: `whe_${id}` };
  }

  @Mutation(() => SendTestEventPayload, {
    nullable: true,
    description:
      'Posts one signed message of the type test.sent to an endpoint, so that its receiver can be tried. It stands for no order, and is tried three times at most.',
  })
  async sendTestEvent(
    @Arg('input', () => SendTestEventInput, WHICH) { endpointId }: SendTestEventInput,
    @Ctx() context: RequestContext,
  ): Promise<SendTestEventPayload> {
    const { owner, by } = callerOf(context);
    return { delivery: deliveryView(await this.again.sendTest(keyOf(endpointId), owner, by)) };
  }

  @Mutation(() => RedeliverWebhookPayload, {
    nullable: true,
    description: 'Tries a delivery again, now and with all its retries. The message keeps its webhook-id.',
  })
  async redeliverWebhook(
    @Arg('input', () => RedeliverWebhookInput, { description: 'Which delivery.' })
    { deliveryId }: RedeliverWebhookInput,
    @Ctx() context: RequestContext,
  ): Promise<RedeliverWebhookPayload> {
    const { owner, by } = callerOf(context);
    return { delivery: deliveryView(await this.again.redeliver(deliveryId, owner, by)) };
  }

  @Mutation(() => RedeliverWebhooksPayload, {
    nullable: true,
    description:
      'Redelivers the events of a range, for example after an outage of the receiver. Messages keep their webhook-id. Their order is not kept: `sequence` has it.',
  })
  async redeliverWebhooks(
    @Arg('input', () => RedeliverWebhooksInput, { description: 'The endpoint and the range.' })
    { endpointId, ...range }: RedeliverWebhooksInput,
    @Ctx() context: RequestContext,
  ): Promise<RedeliverWebhooksPayload> {
    const { owner, by } = callerOf(context);
    return this.again.redeliverRange({ endpointId: keyOf(endpointId), ...range }, owner, by);
  }
}
