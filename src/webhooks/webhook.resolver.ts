import { Arg, Ctx, ID, Int, Mutation, Query, Resolver } from 'type-graphql';
import { actorOf } from '../accounts/acting-user.js';
import { type RequestContext, sessionOf } from '../core/context.js';
import { AppError, fieldError } from '../core/errors.js';
import type { DeveloperId } from '../core/principal.js';
import { Arguments } from '../graphql-toolkit/arguments.js';
import { developerIdOf } from '../graphql-toolkit/record-id.js';
import {
  CreateWebhookEndpointArguments,
  IssuedWebhookSecret,
  WebhookDelivery,
  WebhookDeliveryConnection,
  WebhookEndpoint,
} from './webhook.types.js';
import type { IssuedEndpoint, WebhookEndpointService } from './webhook-endpoint.service.js';
import type { Owner } from './webhook-endpoint.store.js';
import type { WebhookLogService } from './webhook-log.service.js';

const ENDPOINT_ID = { description: 'Id of the endpoint.' };
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
    @Arg('endpointId', () => ID, ENDPOINT_ID) endpointId: string,
    @Arg('first', () => Int, { description: 'Deliveries per page, 1 to 200.' }) first: number,
    @Arg('after', () => String, { nullable: true, description: 'endCursor of the page before.' }) after: string | null,
    @Ctx() context: RequestContext,
  ): Promise<WebhookDeliveryConnection> {
    return this.#log.page(await this.#endpoints.find(endpointId, ownerOf(context)), first, after);
  }

  @Mutation(() => IssuedWebhookSecret, {
    nullable: true,
    description:
      'Posts final outcomes to a URL from now on; at most five per developer and environment. The secret is shown this once.',
  })
  async createWebhookEndpoint(
    @Arguments(CreateWebhookEndpointArguments) { environment, url, developerId }: CreateWebhookEndpointArguments,
    @Ctx() context: RequestContext,
  ): Promise<IssuedWebhookSecret> {
    const owner = developerNamed(developerId, context);
    return issued(await this.#endpoints.create(owner, environment, url, actorOf(context)));
  }

  @Mutation(() => IssuedWebhookSecret, {
    nullable: true,
    description: 'A new signing secret. The former one signs beside it for 24 hours.',
  })
  async rotateWebhookSecret(
    @Arg('id', () => ID, ENDPOINT_ID) id: string,
    @Ctx() context: RequestContext,
  ): Promise<IssuedWebhookSecret> {
    return issued(await this.#endpoints.rotateSecret(id, ownerOf(context), actorOf(context)));
  }

  @Mutation(() => WebhookEndpoint, { nullable: true, description: 'Posts nothing more; what waits is cancelled.' })
  disableWebhookEndpoint(
    @Arg('id', () => ID, ENDPOINT_ID) id: string,
    @Ctx() context: RequestContext,
  ): Promise<WebhookEndpoint> {
    return this.#endpoints.disable(id, ownerOf(context), actorOf(context));
  }

  @Mutation(() => WebhookEndpoint, { nullable: true, description: 'Posts again, from the next outcome on.' })
  enableWebhookEndpoint(
    @Arg('id', () => ID, ENDPOINT_ID) id: string,
    @Ctx() context: RequestContext,
  ): Promise<WebhookEndpoint> {
    return this.#endpoints.enable(id, ownerOf(context), actorOf(context));
  }

  @Mutation(() => Boolean, {
    nullable: true,
    description: 'Removes an endpoint with its secrets and its delivery log.',
  })
  async deleteWebhookEndpoint(
    @Arg('id', () => ID, ENDPOINT_ID) id: string,
    @Ctx() context: RequestContext,
  ): Promise<boolean> {
    await this.#endpoints.remove(id, ownerOf(context), actorOf(context));
    return true;
  }

  @Mutation(() => WebhookDelivery, {
    nullable: true,
    description: 'Tries a delivery again, now and with all its retries. The message keeps its webhook-id.',
  })
  redeliverWebhook(
    @Arg('deliveryId', () => ID, { description: 'Id of the delivery.' }) deliveryId: string,
    @Ctx() context: RequestContext,
  ): Promise<WebhookDelivery> {
    return this.#log.redeliver(deliveryId, ownerOf(context), actorOf(context));
  }
}

const issued = ({ endpoint, secret }: IssuedEndpoint): IssuedWebhookSecret => ({
  id: endpoint.id,
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
function developerNamed(given: string | undefined, context: RequestContext): DeveloperId {
  const owner = ownerOf(context);
  if (given === undefined) {
    if (owner === undefined) throw fieldError('developerId', 'REQUIRED', 'Say whose endpoints you mean.');
    return owner;
  }
  const named = developerIdOf(given);
  if (owner !== undefined && named !== owner)
    throw new AppError('RECORD_NOT_FOUND', { message: 'There is no such developer.' });
  return named;
}
