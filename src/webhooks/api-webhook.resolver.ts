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

const OWN = 'The endpoints of a token’s account in its environment.';

/** Webhooks for programs: a token names neither account nor environment, it has one of each. */
@Resolver()
export class ApiWebhookResolver {
  constructor(
    private readonly endpoints: WebhookEndpointService,
    private readonly log: WebhookLogService,
  ) {}

  @Query(() => [WebhookEndpoint], { nullable: true, description: OWN })
  @Entries(5)
  webhookEndpoints(@Ctx() context: RequestContext): Promise<WebhookEndpoint[]> {
    const { developerId, environment } = developerOf(context);
    return this.endpoints.list({ developerId, environment });
  }

  @Query(() => WebhookDeliveryConnection, {
    nullable: true,
    description: 'What was posted to the endpoints of a token’s account in its environment, newest first.',
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
      'Posts final outcomes of this environment to a URL from now on; at most five. The secret is shown this once.',
  })
  async createWebhookEndpoint(
    @Arg('input', () => CreateWebhookEndpointInput, { description: 'Where to.' }) input: CreateWebhookEndpointInput,
    @Ctx() context: RequestContext,
  ): Promise<CreateWebhookEndpointPayload> {
    const { developerId, environment } = developerOf(context);
    return issuedView(await this.endpoints.create({ developerId, environment }, input, callerOf(context)));
  }
}
