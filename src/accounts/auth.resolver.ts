import { Arg, Ctx, Mutation, Query, Resolver } from 'type-graphql';
import { developerOf, type RequestContext } from '../core/context.js';
import type { Environment } from '../core/environment.js';
import type { DeveloperPrincipal } from '../core/principal.js';
import { services } from '../core/services.js';
import { IssueTokenInput, Token, User } from './auth.types.js';
import type { PrincipalReader } from './principal.reader.js';
import type { TokenService } from './token.service.js';

@Resolver()
export class AuthResolver {
  readonly #tokens: TokenService;
  readonly #baseUrls: Record<Environment, string>;
  readonly #principals: PrincipalReader;

  constructor(tokens: TokenService, principals: PrincipalReader, baseUrls: Record<Environment, string>) {
    this.#tokens = tokens;
    this.#baseUrls = baseUrls;
    this.#principals = principals;
  }

  @Query(() => User, { nullable: true, description: 'Verifies the token.' })
  me(@Ctx() context: RequestContext): User {
    const { accountNumber, name, email, ...principal } = developerOf(context);
    return { id: accountNumber, name, email, roles: ['developer'], permissions: permissionsOf(principal) };
  }

  @Mutation(() => Token, { nullable: true, description: 'Exchanges client credentials for a Bearer token.' })
  async issueToken(
    @Arg('input', () => IssueTokenInput, { description: 'The credentials.' }) input: IssueTokenInput,
    @Ctx() context: RequestContext,
  ): Promise<Token> {
    const host = context.host as Environment; // the policy serves this field on the API hosts only
    const { token, environment, expiresAt, user } = await this.#tokens.issue(input, host, context);
    const principal = await this.#principals.ofToken(token);
    return {
      token,
      tokenType: 'Bearer',
      environment,
      baseUrl: this.#baseUrls[environment],
      expiresAt,
      user: { ...user, roles: ['developer'], permissions: principal ? permissionsOf(principal) : [] },
    };
  }
}

const permissionsOf = ({ services: grants }: Pick<DeveloperPrincipal, 'services'>): string[] =>
  services.filter((service) => grants.get(service)?.enabled);
