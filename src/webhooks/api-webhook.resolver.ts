import { Arg, Ctx, Mutation, Query, Resolver } from 'type-graphql';
import { developerOf, type RequestContext } from '../core/context.js';
import { Arguments } from '../graphql-toolkit/arguments.js';
import { Entries } from '../graphql-toolkit/rows.js';
import {
  CreateWebhookEndpointInput,
  CreateWebhookEndpointPayload,
  endpointKeyOf as keyOf,
  WebhookDeliveriesArguments,
  WebhookDeliveryConnection,
  WebhookEndpoint,
} from './webhook.types.js';
import { deliveriesView, issuedView } from './webhook.views.js';
import { callerOf } from './webhook-caller.js';
import type { WebhookEndpointService } from './webhook-endpoint.service.js';
import type { WebhookLogService } from './webhook-log.service.js';

const ENDPOINTS_DESCRIPTION = 'Webhook endpoints of the caller’s account in the environment of the token.';

/** Resolver for webhooks of API clients. The token determines the account and the environment. */
@Resolver()
export class ApiWebhookResolver {
  constructor(
    private readonly endpoints: WebhookEndpointService,
    private readonly log: WebhookLogService,
  ) {}

  @Query(() => [WebhookEndpoint], { nullable: true, description: ENDPOINTS_DESCRIPTION })
  @Entries(5)
  webhookEndpoints(@Ctx() context: RequestContext): Promise<WebhookEndpoint[]> {
    const { developerId, environment } = developerOf(context);
    return this.endpoints.list({ developerId, environment });
  }

  @Query(() => WebhookDeliveryConnection, {
    nullable: true,
    description:
      'Deliveries to the webhook endpoints of the caller’s account in the environment of the token, newest first.',
  })
  async webhookDeliveries(
    @Arguments(WebhookDeliveriesArguments) { endpointId, filter, ...request }: WebhookDeliveriesArguments,
    @Ctx() context: RequestContext,
  ): Promise<WebhookDeliveryConnection> {
    const { developerId, environment } = developerOf(context);
    const owner = { developerId, environment };
    const endpoint = endpointId === undefined ? undefined : await this.endpoints.find(keyOf(endpointId), owner);
    return deliveriesView(await this.log.page({ ...filter, ...owner, endpointId: endpoint?.id }, request));
  }

  @Mutation(() => CreateWebhookEndpointPayload, {
    nullable: true,
    description:
      'Creates a webhook endpoint that receives the final outcomes of orders in this environment from now on. The limit is five endpoints. The secret is shown only once.',
  })
  async createWebhookEndpoint(
    @Arg('input', () => CreateWebhookEndpointInput, { description: 'Settings of the endpoint.' })
    input: CreateWebhookEndpointInput,
    @Ctx() context: RequestContext,
  ): Promise<CreateWebhookEndpointPayload> {
    const { developerId, environment } = developerOf(context);
    return issuedView(await this.endpoints.create({ developerId, environment }, input, callerOf(context)));
  }
}
