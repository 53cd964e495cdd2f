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

const ENDPOINT_INPUT = { description: 'ID of the webhook endpoint.' };

/** Resolver for mutations that change existing endpoints and send messages to them, for tokens and console users. */
@Resolver()
export class WebhookResolver {
  constructor(
    private readonly endpoints: WebhookEndpointService,
    private readonly redelivery: WebhookRedeliveryService,
  ) {}

  @Mutation(() => WebhookEndpointPayload, {
    nullable: true,
    description: 'Replaces the subscribed event types of a webhook endpoint.',
  })
  async updateWebhookEndpoint(
    @Arg('input', () => UpdateWebhookEndpointInput, {
      description: 'ID of the webhook endpoint and its new event types.',
    })
    { endpointId, types }: UpdateWebhookEndpointInput,
    @Ctx() context: RequestContext,
  ): Promise<WebhookEndpointPayload> {
    return { endpoint: await this.endpoints.setTypes(keyOf(endpointId), types, callerOf(context)) };
  }

  @Mutation(() => CreateWebhookEndpointPayload, {
    nullable: true,
    description:
      'Creates a new signing secret for a webhook endpoint. Messages are also signed with the previous secret for 24 hours.',
  })
  async rotateWebhookSecret(
    @Arg('input', () => WebhookEndpointInput, ENDPOINT_INPUT) { endpointId }: WebhookEndpointInput,
    @Ctx() context: RequestContext,
  ): Promise<CreateWebhookEndpointPayload> {
    return issuedView(await this.endpoints.rotateSecret(keyOf(endpointId), callerOf(context)));
  }

  @Mutation(() => WebhookEndpointPayload, {
    nullable: true,
    description: 'Disables a webhook endpoint and cancels its pending deliveries.',
  })
  async disableWebhookEndpoint(
    @Arg('input', () => WebhookEndpointInput, ENDPOINT_INPUT) { endpointId }: WebhookEndpointInput,
    @Ctx() context: RequestContext,
  ): Promise<WebhookEndpointPayload> {
    const { owner, by } = callerOf(context);
    return { endpoint: await this.endpoints.disable(keyOf(endpointId), owner, by) };
  }

  @Mutation(() => WebhookEndpointPayload, {
    nullable: true,
    description: 'Enables a disabled webhook endpoint. Events from now on are sent; missed events are not.',
  })
  async enableWebhookEndpoint(
    @Arg('input', () => WebhookEndpointInput, ENDPOINT_INPUT) { endpointId }: WebhookEndpointInput,
    @Ctx() context: RequestContext,
  ): Promise<WebhookEndpointPayload> {
    return { endpoint: await this.endpoints.enable(keyOf(endpointId), callerOf(context)) };
  }

  @Mutation(() => DeleteWebhookEndpointPayload, {
    nullable: true,
    description: 'Deletes a webhook endpoint with its secrets and its delivery log.',
  })
  async deleteWebhookEndpoint(
    @Arg('input', () => WebhookEndpointInput, ENDPOINT_INPUT) { endpointId }: WebhookEndpointInput,
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
      'Sends a signed message of type test.sent to a webhook endpoint to test the receiver. The message does not belong to an order and is attempted at most three times.',
  })
  async sendTestEvent(
    @Arg('input', () => SendTestEventInput, ENDPOINT_INPUT) { endpointId }: SendTestEventInput,
    @Ctx() context: RequestContext,
  ): Promise<SendTestEventPayload> {
    const { owner, by } = callerOf(context);
    return { delivery: deliveryView(await this.redelivery.sendTest(keyOf(endpointId), owner, by)) };
  }

  @Mutation(() => RedeliverWebhookPayload, {
    nullable: true,
    description: 'Resends a delivery immediately, with all its retries. The message keeps its webhook-id.',
  })
  async redeliverWebhook(
    @Arg('input', () => RedeliverWebhookInput, { description: 'ID of the delivery.' })
    { deliveryId }: RedeliverWebhookInput,
    @Ctx() context: RequestContext,
  ): Promise<RedeliverWebhookPayload> {
    const { owner, by } = callerOf(context);
    return { delivery: deliveryView(await this.redelivery.redeliver(deliveryId, owner, by)) };
  }

  @Mutation(() => RedeliverWebhooksPayload, {
    nullable: true,
    description:
      'Resends the events of a time range, for example after an outage of the receiver. Messages keep their webhook-id. They may arrive in a different order; use `sequence` to sort them.',
  })
  async redeliverWebhooks(
    @Arg('input', () => RedeliverWebhooksInput, { description: 'Webhook endpoint and time range.' })
    { endpointId, ...range }: RedeliverWebhooksInput,
    @Ctx() context: RequestContext,
  ): Promise<RedeliverWebhooksPayload> {
    const { owner, by } = callerOf(context);
    return this.redelivery.redeliverRange({ endpointId: keyOf(endpointId), ...range }, owner, by);
  }
}
