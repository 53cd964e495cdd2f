import { Arg, Ctx, Mutation, Resolver } from 'type-graphql';
import { ownAccountOf, type RequestContext, sessionOf } from '../../core/context.js';
import { actorOf } from '../account.changes.js';
import type { TestTokenService } from './test-token.service.js';
import { CreateTestTokenInput, CreateTestTokenPayload } from './test-token.types.js';

@Resolver()
export class TestTokenResolver {
  /** @param baseUrl of the UAT host */
  constructor(
    private readonly tokens: TestTokenService,
    private readonly baseUrl: string,
  ) {}

  @Mutation(() => CreateTestTokenPayload, {
    nullable: true,
    description:
      'A short-lived token of the signed-in developer for the UAT host, without a key: of sandbox money, never of Production. It may do what a token of a key may, but make client tokens. Five of a session live at once; one more ends the oldest.',
  })
  async createTestToken(
    @Arg('input', () => CreateTestTokenInput, { description: 'For how long.' })
    { expiresInSeconds }: CreateTestTokenInput,
    @Ctx() context: RequestContext,
  ): Promise<CreateTestTokenPayload> {
    const owner = { developerId: ownAccountOf(context), sessionHash: sessionOf(context).sessionHash };
    const issued = await this.tokens.issue(owner, expiresInSeconds, actorOf(context));
    return { ...issued, baseUrl: this.baseUrl };
  }
}
