import { Arg, Ctx, ID, Mutation, Query, Resolver } from 'type-graphql';
import type { RequestContext } from '../core/context.js';
import { AppError, fieldError } from '../core/errors.js';
import type { DeveloperId } from '../core/principal.js';
import { developerIdOf } from '../graphql-toolkit/node.js';
import { CreateWebhookEndpointInput, CreateWebhookEndpointPayload, WebhookEndpoint } from './webhook.types.js';
import { issuedView } from './webhook.views.js';
import { callerOf } from './webhook-caller.js';
import type { WebhookEndpointService } from './webhook-endpoint.service.js';

const DEVELOPER = 'Whose: developers may leave it out, it is their own.';

/** Webhooks on the console: developers see and change their own, admins everybody's. */
@Resolver()
export class ConsoleWebhookResolver {
  readonly #endpoints: WebhookEndpointService;

  constructor(endpoints: WebhookEndpointService) {
    this.#endpoints = endpoints;
  }

  @Query(() => [WebhookEndpoint], { nullable: true, description: 'The webhook endpoints of a developer.' })
  webhookEndpoints(
    @Arg('developerId', () => ID, { nullable: true, description: DEVELOPER }) developerId: string | undefined,
    @Ctx() context: RequestContext,
  ): Promise<WebhookEndpoint[]> {
    return this.#endpoints.list({ developerId: developerNamed(developerId, context) });
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
    const owner = { developerId: developerNamed(developerId, context, 'input.developerId'), environment };
    return issuedView(await this.#endpoints.create(owner, url, callerOf(context)));
  }
}

/** The developer that a call is about. Errors: VALIDATION_FAILED when the operator's people name none, RECORD_NOT_FOUND. */
function developerNamed(given: string | undefined, context: RequestContext, path = 'developerId'): DeveloperId {
  const owner = callerOf(context).owner?.developerId;
  if (given === undefined) {
    if (owner === undefined) throw fieldError(path, 'REQUIRED', 'Say whose endpoints you mean.');
    return owner;
  }
  const named = developerIdOf(given);
  if (owner !== undefined && named !== owner)
    throw new AppError('RECORD_NOT_FOUND', { message: 'There is no such developer.' });
  return named;
}
