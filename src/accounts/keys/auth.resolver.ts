import { Arg, Ctx, Mutation, Query, Resolver } from 'type-graphql';
import { developerOf, type RequestContext } from '../../core/context.js';
import type { Environment } from '../../core/environment.js';
import { AppError } from '../../core/errors.js';
import type { DeveloperPrincipal } from '../../core/principal.js';
import type { LoadNode } from '../../core/room.js';
import { services } from '../../core/services.js';
import type { PrincipalReader } from '../principal.reader.js';
import { Account, IssueTokenInput, IssueTokenPayload } from './auth.types.js';
import type { TokenService } from './token.service.js';

interface AuthParts {
  tokens: TokenService;
  principals: PrincipalReader;
  baseUrls: Record<Environment, string>;
  /** Limit for accounts without their own rate limit. */
  rateLimitPerMinute: number;
}

@Resolver()
export class AuthResolver {
  constructor(private readonly parts: AuthParts) {}

  @Query(() => Account, {
    nullable: true,
    description: 'Account, environment and permissions of the token of this request.',
  })
  me(@Ctx() context: RequestContext): Account {
    return this.#accountOf(developerOf(context));
  }

  @Mutation(() => IssueTokenPayload, {
    nullable: true,
    description: 'Exchanges client credentials for a Bearer token.',
  })
  async issueToken(
    @Arg('input', () => IssueTokenInput, { description: 'Client credentials.' }) input: IssueTokenInput,
    @Ctx() context: RequestContext,
  ): Promise<IssueTokenPayload> {
    const { tokens, principals, baseUrls } = this.parts;
    const host = context.host as Environment; // the policy serves this field on the API hosts only
    const { token, environment, expiresAt } = await tokens.issue(input, host, context);
    const principal = await principals.ofToken(token);
    // the token was revoked after the exchange
    if (!principal) throw new AppError('INVALID_CREDENTIALS');
    return {
      token,
      tokenType: 'Bearer',
      environment,
      baseUrl: baseUrls[environment],
      expiresAt,
      account: this.#accountOf(principal),
    };
  }

  /** Node loader for accounts. A token can read only its own account in its own environment. */
  readonly nodes: Readonly<Record<'Account', LoadNode>> = {
    Account: async (key, { principal }) =>
      principal?.kind === 'developer' && key === `${principal.environment}_${principal.developerId}`
        ? this.#accountOf(principal)
        : undefined,
  };

  #accountOf(principal: DeveloperPrincipal): Account {
    const { developerId, accountNumber, name, email, environment, services: grants, rateLimitPerMinute } = principal;
    return {
      developerId,
      accountNumber,
      name,
      email,
      environment,
      roles: ['developer'],
      permissions: services.filter((service) => grants.get(service)?.enabled),
      rateLimitPerMinute: rateLimitPerMinute ?? this.parts.rateLimitPerMinute,
    };
  }
}
