import { Arg, Ctx, Mutation, Resolver } from 'type-graphql';
import { ownAccountOf, type RequestContext, sessionOf } from '../../core/context.js';
import { actorOf } from '../account.changes.js';
import type { TestTokenService } from './test-token.service.js';
import { CreateTestTokenInput, CreateTestTokenPayload } from './test-token.types.js';

@Resolver()
export class TestTokenResolver {
  /** @param baseUrl base URL of the UAT host */
  constructor(
    private readonly tokens: TestTokenService,
    private readonly baseUrl: string,
  ) {}

  @Mutation(() => CreateTestTokenPayload, {
    nullable: true,
    description:
      'Creates a short-lived UAT token for the account of the signed-in user, without an API key. It uses only test funds and has the permissions of an API key token, except that it cannot create client tokens. A session can have five; creating another revokes the oldest.',
  })
  async createTestToken(
    @Arg('input', () => CreateTestTokenInput, { description: 'Lifetime of the token.' })
    { expiresInSeconds }: CreateTestTokenInput,
    @Ctx() context: RequestContext,
  ): Promise<CreateTestTokenPayload> {
    const owner = { developerId: ownAccountOf(context), sessionHash: sessionOf(context).sessionHash };
    const issued = await this.tokens.issue(owner, expiresInSeconds, actorOf(context));
    return { ...issued, baseUrl: this.baseUrl };
  }
}
