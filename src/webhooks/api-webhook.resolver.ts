import { Arg, Ctx, Mutation, Query, Resolver } from 'type-graphql';
import { developerOf, type RequestContext } from '../core/context.js';
import { fieldError } from '../core/errors.js';
import { CreateWebhookEndpointInput, CreateWebhookEndpointPayload, WebhookEndpoint } from './webhook.types.js';
import { issuedView } from './webhook.views.js';
import { callerOf } from './webhook-caller.js';
import type { WebhookEndpointService } from './webhook-endpoint.service.js';

const OWN = 'The endpoints of a token’s account in its environment.';

/** Webhooks for programs: a token names neither account nor environment, it has one of each. */
@Resolver()
export class ApiWebhookResolver {
  readonly #endpoints: WebhookEndpointService;

  constructor(endpoints: WebhookEndpointService) {
    this.#endpoints = endpoints;
  }

  @Query(() => [WebhookEndpoint], { nullable: true, description: OWN })
  webhookEndpoints(@Ctx() context: RequestContext): Promise<WebhookEndpoint[]> {
    const { developerId, environment } = developerOf(context);
    return this.#endpoints.list({ developerId, environment });
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
    return issuedView(await this.#endpoints.create({ developerId, environment }, input.url, callerOf(context)));
  }
}
