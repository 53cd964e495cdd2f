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

const DEVELOPER_REQUIRED =
  'Set `developerId`. Deliveries of all accounts can be listed only with `filter.state: [FAILED]`.';
const DEVELOPER = 'ID of the developer. Optional for users of a developer account.';

/**
 * Resolver for webhooks in the console. Users of a developer account see and change those of their account; admins see and
 * change those of all accounts.
 */
@Resolver()
export class ConsoleWebhookResolver {
  constructor(
    private readonly endpoints: WebhookEndpointService,
    private readonly log: WebhookLogService,
    private readonly developers: Pick<DevelopersReader, 'byId'>,
  ) {}

  @Query(() => [WebhookEndpoint], { nullable: true, description: 'Webhook endpoints of a developer.' })
  @Entries(5)
  async webhookEndpoints(
    @Arg('developerId', () => ID, { nullable: true, description: DEVELOPER }) developerId: string | undefined,
    @Ctx() context: RequestContext,
  ): Promise<WebhookEndpoint[]> {
    const owner = { developerId: developerIdFrom(developerId, context) };
    const endpoints = await this.endpoints.list(owner);
    // without this check, an unknown account would look like one without endpoints
    if (endpoints.length === 0) await this.developers.byId(owner.developerId);
    return endpoints;
  }

  @Query(() => WebhookDeliveryConnection, {
    nullable: true,
    description:
      'Deliveries to a webhook endpoint or to all endpoints of a developer, newest first. Staff can also list the failed deliveries of all accounts.',
  })
  async webhookDeliveries(
    @Arguments(ConsoleWebhookDeliveriesArguments)
    { endpointId, developerId, filter, ...request }: ConsoleWebhookDeliveriesArguments,
    @Ctx() context: RequestContext,
  ): Promise<WebhookDeliveryConnection> {
    const { owner: caller } = callerOf(context);
    if (!caller && developerId === undefined && endpointId === undefined && hasOnlyFailed(filter))
      return deliveriesView(await this.log.page(filter, request));
    const isNamed = developerId !== undefined || endpointId === undefined;
    const owner = isNamed
      ? { developerId: developerIdFrom(developerId, context, 'developerId', DEVELOPER_REQUIRED) }
      : caller;
    const endpoint = endpointId === undefined ? undefined : await this.endpoints.find(keyOf(endpointId), owner);
    const accountId = (endpoint ?? owner)!.developerId;
    const page = await this.log.page({ ...filter, developerId: accountId, endpointId: endpoint?.id }, request);
    if (page.edges.length === 0) await this.developers.byId(accountId);
    return deliveriesView(page);
  }

  @Mutation(() => CreateWebhookEndpointPayload, {
    nullable: true,
    description:
      'Creates a webhook endpoint that receives the final outcomes of orders from now on. The limit is five endpoints per developer and environment. The secret is shown only once.',
  })
  async createWebhookEndpoint(
    @Arg('input', () => ConsoleCreateWebhookEndpointInput, { description: 'Settings of the endpoint.' })
    { environment, developerId, ...endpoint }: ConsoleCreateWebhookEndpointInput,
    @Ctx() context: RequestContext,
  ): Promise<CreateWebhookEndpointPayload> {
    const owner = { developerId: developerIdFrom(developerId, context, 'input.developerId'), environment };
    return issuedView(await this.endpoints.create(owner, endpoint, callerOf(context)));
  }

  @Mutation(() => DeleteWebhookEndpointPayload, {
    nullable: true,
    description:
      'Deletes a webhook endpoint before its start time, so that it never receives events. Only owners of the account can do this.',
  })
  async cancelWebhookEndpoint(
    @Arg('input', () => WebhookEndpointInput, { description: 'ID of the webhook endpoint to cancel.' })
    { endpointId }: WebhookEndpointInput,
    @Ctx() context: RequestContext,
  ): Promise<DeleteWebhookEndpointPayload> {
    const { owner, by } = callerOf(context);
    const id = keyOf(endpointId);
    await this.endpoints.cancel(id, owner, by);
    return { deletedEndpointId: `whe_${id}` };
  }
}

const hasOnlyFailed = (filter: ConsoleWebhookDeliveryFilter | undefined): filter is ConsoleWebhookDeliveryFilter =>
  filter?.state?.length === 1 && filter.state[0] === 'failed';

/**
 * Returns the developer account that a request refers to. Throws VALIDATION_FAILED if staff did not set it, and
 * RECORD_NOT_FOUND if it does not exist.
 */
function developerIdFrom(
  input: string | undefined,
  context: RequestContext,
  path = 'developerId',
  message = 'Set the ID of the developer.',
): DeveloperId {
  const owner = callerOf(context).owner?.developerId;
  if (input === undefined) {
    if (owner === undefined) throw fieldError(path, 'REQUIRED', message);
    return owner;
  }
  const requestedId = developerIdOf(input);
  if (owner !== undefined && requestedId !== owner)
    throw new AppError('RECORD_NOT_FOUND', { message: 'Unknown developer.' });
  return requestedId;
}
