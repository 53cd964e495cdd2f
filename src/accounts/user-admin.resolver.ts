import { Arg, Ctx, ID, Mutation, Query, Resolver } from 'type-graphql';
import { type RequestContext, sessionOf } from '../core/context.js';
import type { UserId } from '../core/principal.js';
import type { UserRow } from './account.entities.js';
import { actorOf, developerNumber, recordNumber } from './acting-user.js';
import { ReinstateUserInput, SuspendUserInput } from './suspension.inputs.js';
import type { UserAdminService } from './user-admin.service.js';
import { ConsoleUser, UserPayload } from './user-admin.types.js';

/** The people of the console, and who of them may sign in. */
@Resolver()
export class UserAdminResolver {
  readonly #users: UserAdminService;

  constructor(users: UserAdminService) {
    this.#users = users;
  }

  @Query(() => [ConsoleUser], {
    nullable: true,
    description: 'The users of an account; without one, the operator’s own people. At most 200.',
  })
  async users(
    @Arg('developerId', () => ID, { nullable: true, description: 'Account number.' }) developerId: string | undefined,
  ): Promise<ConsoleUser[]> {
    const users = await this.#users.list(developerId === undefined ? null : developerNumber(developerId));
    return users.map(userView);
  }

  @Mutation(() => UserPayload, {
    nullable: true,
    description:
      'Nobody signs in as this user any more, and every session ends at once. Not for oneself, nor for the last admin.',
  })
  async suspendUser(
    @Arg('input', () => SuspendUserInput, { description: 'Who, and why.' }) { userId, reason }: SuspendUserInput,
    @Ctx() context: RequestContext,
  ): Promise<UserPayload> {
    const self = sessionOf(context).userId;
    return { user: userView(await this.#users.suspend(userNumber(userId), reason, self, actorOf(context))) };
  }

  @Mutation(() => UserPayload, {
    nullable: true,
    description: 'A suspended user may sign in again, with the same password.',
  })
  async reinstateUser(
    @Arg('input', () => ReinstateUserInput, { description: 'Who.' }) { userId, reason }: ReinstateUserInput,
    @Ctx() context: RequestContext,
  ): Promise<UserPayload> {
    return { user: userView(await this.#users.reinstate(userNumber(userId), reason, actorOf(context))) };
  }
}

const userNumber = (id: string): UserId => recordNumber(id, 'user') as UserId;

const userView = ({ id, name, email, role, developerId, createdAt, disabledAt }: UserRow): ConsoleUser => ({
  id,
  name,
  email,
  role,
  developerId: developerId ?? null,
  createdAt,
  suspendedAt: disabledAt ?? null,
});
