import { Arg, Ctx, ID, Mutation, Query, Resolver } from 'type-graphql';
import { actorOf } from '../accounts/acting-user.js';
import { type RequestContext, sessionOf } from '../core/context.js';
import { AppError, fieldError } from '../core/errors.js';
import { isUuid } from '../core/ids.js';
import type { DeveloperId } from '../core/principal.js';
import type { LoadNode } from '../core/room.js';
import { Arguments } from '../graphql-toolkit/arguments.js';
import { developerIdOf } from '../graphql-toolkit/node.js';
import {
  CreateWebhookEndpointInput,
  CreateWebhookEndpointPayload,
  DeleteWebhookEndpointPayload,
  endpointKeyOf as keyOf,
  RedeliverWebhookInput,
  RedeliverWebhookPayload,
  SendTestEventInput,
  SendTestEventPayload,
  WebhookDeliveriesArguments,
  type WebhookDelivery,
  WebhookDeliveryConnection,
  WebhookEndpoint,
  WebhookEndpointInput,
  WebhookEndpointPayload,
} from './webhook.types.js';
import type { IssuedEndpoint, WebhookEndpointService } from './webhook-endpoint.service.js';
import type { Owner } from './webhook-endpoint.store.js';
import type { LoggedDelivery, WebhookLogService } from './webhook-log.service.js';

const WHICH = { description: 'Which endpoint.' };
export const TEST_EVENT =
  'Posts one signed message of the type test.sent to an endpoint, so that its receiver can be tried. It stands for no order, and is tried three times at most.';
const DEVELOPER = 'Whose: developers may leave it out, it is their own.';

/** Webhooks on the console: developers see and change their own, admins everybody's. */
@Resolver()
export class WebhookResolver {
  readonly #endpoints: WebhookEndpointService;
  readonly #log: WebhookLogService;

  constructor(endpoints: WebhookEndpointService, log: WebhookLogService) {
    this.#endpoints = endpoints;
    this.#log = log;
  }

  @Query(() => [WebhookEndpoint], { nullable: true, description: 'The webhook endpoints of a developer.' })
  webhookEndpoints(
    @Arg('developerId', () => ID, { nullable: true, description: DEVELOPER }) developerId: string | undefined,
    @Ctx() context: RequestContext,
  ): Promise<WebhookEndpoint[]> {
    return this.#endpoints.list(developerNamed(developerId, context));
  }

  @Query(() => WebhookDeliveryConnection, {
    nullable: true,
    description: 'What was posted to an endpoint, newest first.',
  })
  async webhookDeliveries(
    @Arguments(WebhookDeliveriesArguments) { endpointId, ...request }: WebhookDeliveriesArguments,
    @Ctx() context: RequestContext,
  ): Promise<WebhookDeliveryConnection> {
    const endpoint = await this.#endpoints.find(keyOf(endpointId), ownerOf(context));
    const { edges, pageInfo } = await this.#log.page(endpoint, request);
    return { pageInfo, edges: edges.map(({ cursor, node }) => ({ cursor, node: deliveryView(node) })) };
  }

  @Mutation(() => CreateWebhookEndpointPayload, {
    nullable: true,
    description:
      'Posts final outcomes to a URL from now on; at most five per developer and environment. The secret is shown this once.',
  })
  async createWebhookEndpoint(
    @Arg('input', () => CreateWebhookEndpointInput, { description: 'Where to, and of which environment.' })
    { environment, url, developerId }: CreateWebhookEndpointInput,
    @Ctx() context: RequestContext,
  ): Promise<CreateWebhookEndpointPayload> {
    if (environment === undefined)
      throw fieldError('input.environment', 'REQUIRED', 'Say the environment whose orders you mean.');
    const owner = developerNamed(developerId, context, 'input.developerId');
    return issued(await this.#endpoints.create(owner, environment, url, actorOf(context)));
  }

  @Mutation(() => CreateWebhookEndpointPayload, {
    nullable: true,
    description: 'A new signing secret. The former one signs beside it for 24 hours.',
  })
  async rotateWebhookSecret(
    @Arg('input', () => WebhookEndpointInput, WHICH) { endpointId }: WebhookEndpointInput,
    @Ctx() context: RequestContext,
  ): Promise<CreateWebhookEndpointPayload> {
    return issued(await this.#endpoints.rotateSecret(keyOf(endpointId), ownerOf(context), actorOf(context)));
  }

  @Mutation(() => WebhookEndpointPayload, {
    nullable: true,
    description: 'Posts nothing more; what waits is cancelled.',
  })
  async disableWebhookEndpoint(
    @Arg('input', () => WebhookEndpointInput, WHICH) { endpointId }: WebhookEndpointInput,
    @Ctx() context: RequestContext,
  ): Promise<WebhookEndpointPayload> {
    return { endpoint: await this.#endpoints.disable(keyOf(endpointId), ownerOf(context), actorOf(context)) };
  }

  @Mutation(() => WebhookEndpointPayload, { nullable: true, description: 'Posts again, from the next outcome on.' })
  async enableWebhookEndpoint(
    @Arg('input', () => WebhookEndpointInput, WHICH) { endpointId }: WebhookEndpointInput,
    @Ctx() context: RequestContext,
  ): Promise<WebhookEndpointPayload> {
    return { endpoint: await this.#endpoints.enable(keyOf(endpointId), ownerOf(context), actorOf(context)) };
  }

  @Mutation(() => DeleteWebhookEndpointPayload, {
    nullable: true,
    description: 'Removes an endpoint with its secrets and its delivery log.',
  })
  async deleteWebhookEndpoint(
    @Arg('input', () => WebhookEndpointInput, WHICH) { endpointId }: WebhookEndpointInput,
    @Ctx() context: RequestContext,
  ): Promise<DeleteWebhookEndpointPayload> {
    const id = keyOf(endpointId);
    await this.#endpoints.remove(id, ownerOf(context), actorOf(context));
    return { deletedEndpointId: `whe_${id}` };
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
    return { delivery: deliveryView(await this.#log.redeliver(deliveryId, ownerOf(context), actorOf(context))) };
  }

  @Mutation(() => SendTestEventPayload, { nullable: true, description: TEST_EVENT })
  async sendTestEvent(
    @Arg('input', () => SendTestEventInput, WHICH) { endpointId }: SendTestEventInput,
    @Ctx() context: RequestContext,
  ): Promise<SendTestEventPayload> {
    const delivery = await this.#log.sendTest(keyOf(endpointId), ownerOf(context), actorOf(context));
    return { delivery: deliveryView(delivery) };
  }

  /** An endpoint by its id. */
  readonly node: LoadNode = async (key, context) => {
    if (!isUuid(key)) return undefined;
    return this.#endpoints.find(key, ownerOf(context)).catch((error: unknown) => {
      if (error instanceof AppError && error.code === 'RECORD_NOT_FOUND') return undefined;
      throw error;
    });
  };
}

export const deliveryView = (delivery: LoggedDelivery): WebhookDelivery => ({
  ...delivery,
  endpointId: `whe_${delivery.endpointId}`,
});

export const issued = ({ endpoint, secret }: IssuedEndpoint): CreateWebhookEndpointPayload => ({
  secret: secret.reveal(),
  endpoint,
});

/** Developers reach their own records, the operator's people everybody's. */
function ownerOf(context: RequestContext): Owner {
  const { role, developerId } = sessionOf(context);
  if (role !== 'developer') return undefined;
  if (developerId === undefined) throw new AppError('FORBIDDEN');
  return developerId;
}

/** The developer that a call is about. Errors: VALIDATION_FAILED when the operator's people name none, RECORD_NOT_FOUND. */
function developerNamed(given: string | undefined, context: RequestContext, path = 'developerId'): DeveloperId {
  const owner = ownerOf(context);
  if (given === undefined) {
    if (owner === undefined) throw fieldError(path, 'REQUIRED', 'Say whose endpoints you mean.');
    return owner;
  }
  const named = developerIdOf(given);
  if (owner !== undefined && named !== owner)
    throw new AppError('RECORD_NOT_FOUND', { message: 'There is no such developer.' });
  return named;
}
