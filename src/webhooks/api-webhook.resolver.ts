import { Arg, Ctx, Mutation, Query, Resolver } from 'type-graphql';
import type { Actor } from '../audit/audit.service.js';
import { developerOf, type RequestContext } from '../core/context.js';
import { AppError, fieldError } from '../core/errors.js';
import { isUuid } from '../core/ids.js';
import type { LoadNode } from '../core/room.js';
import { Arguments } from '../graphql-toolkit/arguments.js';
import { deliveryView, issued, TEST_EVENT } from './webhook.resolver.js';
import {
  CreateWebhookEndpointInput,
  CreateWebhookEndpointPayload,
  DeleteWebhookEndpointPayload,
  endpointKeyOf,
  RedeliverWebhookInput,
  RedeliverWebhookPayload,
  SendTestEventInput,
  SendTestEventPayload,
  WebhookDeliveriesArguments,
  WebhookDeliveryConnection,
  WebhookEndpoint,
  WebhookEndpointInput,
  WebhookEndpointPayload,
} from './webhook.types.js';
import type { WebhookEndpointService } from './webhook-endpoint.service.js';
import type { Endpoint } from './webhook-endpoint.store.js';
import type { WebhookLogService } from './webhook-log.service.js';

const WHICH = { description: 'Which endpoint.' };
const OWN = 'The endpoints of a token’s account in its environment.';

/** Webhooks for programs: a token reaches the endpoints of its own account and environment. */
@Resolver()
export class ApiWebhookResolver {
  readonly #endpoints: WebhookEndpointService;
  readonly #log: WebhookLogService;

  constructor(endpoints: WebhookEndpointService, log: WebhookLogService) {
    this.#endpoints = endpoints;
    this.#log = log;
  }

  @Query(() => [WebhookEndpoint], { nullable: true, description: OWN })
  async webhookEndpoints(@Ctx() context: RequestContext): Promise<WebhookEndpoint[]> {
    const { developerId, environment } = developerOf(context);
    const endpoints = await this.#endpoints.list(developerId);
    return endpoints.filter((endpoint) => endpoint.environment === environment);
  }

  @Mutation(() => CreateWebhookEndpointPayload, {
    nullable: true,
    description:
      'Posts final outcomes of this environment to a URL from now on; at most five. The secret is shown this once.',
  })
  async createWebhookEndpoint(
    @Arg('input', () => CreateWebhookEndpointInput, { description: 'Where to.' }) input: CreateWebhookEndpointInput,
    @Ctx() context: RequestContext,
  ): Promise<CreateWebhookEndpointPayload> {
    const { developerId, environment } = developerOf(context);
    if (input.environment !== undefined && input.environment !== environment)
      throw fieldError('input.environment', 'REFERENCE', 'Must be the environment of this host.');
    if (input.developerId !== undefined)
      throw fieldError('input.developerId', 'REFERENCE', 'Leave it out: the token says whose it is.');
    return issued(await this.#endpoints.create(developerId, environment, input.url, by(context)));
  }

  @Mutation(() => CreateWebhookEndpointPayload, {
    nullable: true,
    description: 'A new signing secret. The former one signs beside it for 24 hours.',
  })
  async rotateWebhookSecret(
    @Arg('input', () => WebhookEndpointInput, WHICH) { endpointId }: WebhookEndpointInput,
    @Ctx() context: RequestContext,
  ): Promise<CreateWebhookEndpointPayload> {
    const { developerId, id } = await this.#own(endpointId, context);
    return issued(await this.#endpoints.rotateSecret(id, developerId, by(context)));
  }

  @Mutation(() => WebhookEndpointPayload, {
    nullable: true,
    description: 'Posts nothing more; what waits is cancelled.',
  })
  async disableWebhookEndpoint(
    @Arg('input', () => WebhookEndpointInput, WHICH) { endpointId }: WebhookEndpointInput,
    @Ctx() context: RequestContext,
  ): Promise<WebhookEndpointPayload> {
    const { developerId, id } = await this.#own(endpointId, context);
    return { endpoint: await this.#endpoints.disable(id, developerId, by(context)) };
  }

  @Mutation(() => WebhookEndpointPayload, { nullable: true, description: 'Posts again, from the next outcome on.' })
  async enableWebhookEndpoint(
    @Arg('input', () => WebhookEndpointInput, WHICH) { endpointId }: WebhookEndpointInput,
    @Ctx() context: RequestContext,
  ): Promise<WebhookEndpointPayload> {
    const { developerId, id } = await this.#own(endpointId, context);
    return { endpoint: await this.#endpoints.enable(id, developerId, by(context)) };
  }

  @Mutation(() => DeleteWebhookEndpointPayload, {
    nullable: true,
    description: 'Removes an endpoint with its secrets and its delivery log.',
  })
  async deleteWebhookEndpoint(
    @Arg('input', () => WebhookEndpointInput, WHICH) { endpointId }: WebhookEndpointInput,
    @Ctx() context: RequestContext,
  ): Promise<DeleteWebhookEndpointPayload> {
    const { developerId, id } = await this.#own(endpointId, context);
    await this.#endpoints.remove(id, developerId, by(context));
    return { deletedEndpointId: `whe_${id}` };
  }

  @Mutation(() => SendTestEventPayload, { nullable: true, description: TEST_EVENT })
  async sendTestEvent(
    @Arg('input', () => SendTestEventInput, WHICH) { endpointId }: SendTestEventInput,
    @Ctx() context: RequestContext,
  ): Promise<SendTestEventPayload> {
    const { developerId, id } = await this.#own(endpointId, context);
    return { delivery: deliveryView(await this.#log.sendTest(id, developerId, by(context))) };
  }

  @Query(() => WebhookDeliveryConnection, {
    nullable: true,
    description: 'What was posted to an endpoint, newest first.',
  })
  async webhookDeliveries(
    @Arguments(WebhookDeliveriesArguments) { endpointId, ...request }: WebhookDeliveriesArguments,
    @Ctx() context: RequestContext,
  ): Promise<WebhookDeliveryConnection> {
    const { edges, pageInfo } = await this.#log.page(await this.#own(endpointId, context), request);
    return { pageInfo, edges: edges.map(({ cursor, node }) => ({ cursor, node: deliveryView(node) })) };
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
    const { developerId, environment } = developerOf(context);
    return { delivery: deliveryView(await this.#log.redeliver(deliveryId, developerId, by(context), environment)) };
  }

  /** An endpoint by its id. */
  readonly node: LoadNode = async (key, context) => {
    if (!isUuid(key)) return undefined;
    const { developerId, environment } = developerOf(context);
    return (await this.#endpoints.list(developerId)).find(
      (endpoint) => endpoint.id === key && endpoint.environment === environment,
    );
  };

  /** Errors: RECORD_NOT_FOUND, also for those of the other environment. */
  async #own(id: string, context: RequestContext): Promise<Endpoint> {
    const { developerId, environment } = developerOf(context);
    const endpoint = await this.#endpoints.find(endpointKeyOf(id), developerId);
    if (endpoint.environment !== environment)
      throw new AppError('RECORD_NOT_FOUND', { message: 'There is no such endpoint.' });
    return endpoint;
  }
}

/** A program that holds a token of the account. */
const by = (context: RequestContext): Actor => ({
  actor: `token:${developerOf(context).developerId}`,
  requestId: context.requestId,
});
