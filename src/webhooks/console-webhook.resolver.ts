import { Arg, Ctx, ID, Mutation, Query, Resolver } from 'type-graphql';
import type { DevelopersReader } from '../accounts/developers/developers.reader.js';
import type { RequestContext } from '../core/context.js';
import { AppError, fieldError } from '../core/errors.js';
import type { DeveloperId } from '../core/principal.js';
import { Arguments } from '../graphql-toolkit/arguments.js';
import { developerIdOf } from '../graphql-toolkit/node.js';
import { Entries } from '../graphql-toolkit/rows.js';
import {
  ConsoleCreateWebhookEndpointInput,
  ConsoleWebhookDeliveriesArguments,
  type ConsoleWebhookDeliveryFilter,
  CreateWebhookEndpointPayload,
  DeleteWebhookEndpointPayload,
  endpointKeyOf as keyOf,
  WebhookDeliveryConnection,
  WebhookEndpoint,
  WebhookEndpointInput,
} from './webhook.types.js';
import { deliveriesView, issuedView } from './webhook.views.js';
import { callerOf } from './webhook-caller.js';
import type { WebhookEndpointService } from './webhook-endpoint.service.js';
import type { WebhookLogService } from './webhook-log.service.js';

const WHOSE_DELIVERIES =
  'Say whose deliveries you mean. Of all accounts only those that were given up are listed: filter.state is [FAILED].';
const DEVELOPER = 'Whose: developers may leave it out, it is their own.';

/** Webhooks on the console: developers see and change their own, admins everybody's. */
@Resolver()
export class ConsoleWebhookResolver {
  constructor(
    private readonly endpoints: WebhookEndpointService,
    private readonly log: WebhookLogService,
    private readonly developers: Pick<DevelopersReader, 'byId'>,
  ) {}

  @Query(() => [WebhookEndpoint], { nullable: true, description: 'The webhook endpoints of a developer.' })
  @Entries(5)
  async webhookEndpoints(
    @Arg('developerId', () => ID, { nullable: true, description: DEVELOPER }) developerId: string | undefined,
    @Ctx() context: RequestContext,
  ): Promise<WebhookEndpoint[]> {
    const owner = { developerId: developerNamed(developerId, context) };
    const endpoints = await this.endpoints.list(owner);
    // an empty list would say that an account which is not there has none
    if (endpoints.length === 0) await this.developers.byId(owner.developerId);
    return endpoints;
  }

  @Query(() => WebhookDeliveryConnection, {
    nullable: true,
    description:
      'What was posted to an endpoint, or to all of a developer, newest first; for staff what was given up also of all accounts.',
  })
  async webhookDeliveries(
    @Arguments(ConsoleWebhookDeliveriesArguments)
    { endpointId, developerId, filter, ...request }: ConsoleWebhookDeliveriesArguments,
    @Ctx() context: RequestContext,
  ): Promise<WebhookDeliveryConnection> {
    const { owner: caller } = callerOf(context);
    if (!caller && developerId === undefined && endpointId === undefined && isGivenUp(filter))
      return deliveriesView(await this.log.page(filter, request));
    const isNamed = developerId !== undefined || endpointId === undefined;
    const owner = isNamed
      ? { developerId: developerNamed(developerId, context, 'developerId', WHOSE_DELIVERIES) }
      : caller;
    const endpoint = endpointId === undefined ? undefined : await this.endpoints.find(keyOf(endpointId), owner);
    const whose = (endpoint ?? owner)!.developerId;
    const page = await this.log.page({ ...filter, developerId: whose, endpointId: endpoint?.id }, request);
    if (page.edges.length === 0) await this.developers.byId(whose);
    return deliveriesView(page);
  }

  @Mutation(() => CreateWebhookEndpointPayload, {
    nullable: true,
    description:
      'Posts final outcomes to a URL from now on; at most five per developer and environment. The secret is shown this once.',
  })
  async createWebhookEndpoint(
    @Arg('input', () => ConsoleCreateWebhookEndpointInput, { description: 'Where to, and of which environment.' })
    { environment, developerId, ...endpoint }: ConsoleCreateWebhookEndpointInput,
    @Ctx() context: RequestContext,
  ): Promise<CreateWebhookEndpointPayload> {
    const owner = { developerId: developerNamed(developerId, context, 'input.developerId'), environment };
    return issuedView(await this.endpoints.create(owner, endpoint, callerOf(context)));
  }

  @Mutation(() => DeleteWebhookEndpointPayload, {
    nullable: true,
    description: 'Removes a webhook endpoint of the account that has not started. Owners only.',
  })
  async cancelWebhookEndpoint(
    @Arg('input', () => WebhookEndpointInput, { description: 'Webhook endpoint to cancel.' })
    { endpointId }: WebhookEndpointInput,
    @Ctx() context: RequestContext,
  ): Promise<DeleteWebhookEndpointPayload> {
    const { owner, by } = callerOf(context);
    const id = keyOf(endpointId);
    await this.endpoints.cancel(id, owner, by);
    return { deletedEndpointId: `whe_${id}` };
  }
}

const isGivenUp = (filter: ConsoleWebhookDeliveryFilter | undefined): filter is ConsoleWebhookDeliveryFilter =>
  filter?.state?.length === 1 && filter.state[0] === 'failed';

/** The developer that a call is about. Errors: VALIDATION_FAILED when the operator's people name none, RECORD_NOT_FOUND. */
function developerNamed(
  given: string | undefined,
  context: RequestContext,
  path = 'developerId',
  message = 'Say whose endpoints you mean.',
): DeveloperId {
  const owner = callerOf(context).owner?.developerId;
  if (given === undefined) {
    if (owner === undefined) throw fieldError(path, 'REQUIRED', message);
    return owner;
  }
  const named = developerIdOf(given);
  if (owner !== undefined && named !== owner)
    throw new AppError('RECORD_NOT_FOUND', { message: 'There is no such developer.' });
  return named;
}
