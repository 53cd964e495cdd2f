import { Arg, Ctx, ID, Mutation, Query, Resolver } from 'type-graphql';
import { type RequestContext, sessionOf } from '../core/context.js';
import { AppError } from '../core/errors.js';
import { developerIdOf, recordId } from '../graphql-toolkit/node.js';
import type { UserRow } from './account.entities.js';
import { actorOf } from './acting-user.js';
import { ReinstateUserInput, SuspendUserInput } from './suspension.inputs.js';
import type { UserService } from './user.service.js';
import { ConsoleUser, UserPayload } from './user-admin.types.js';

/** The people of the console, and who of them may sign in. */
@Resolver()
export class UserAdminResolver {
  readonly #users: UserService;

  constructor(users: UserService) {
    this.#users = users;
  }

  @Query(() => [ConsoleUser], {
    nullable: true,
    description: 'The users of an account; without one, the staff. At most 200.',
  })
  async users(
    @Arg('developerId', () => ID, { nullable: true, description: 'Id of the developer.' }) developerId:
      | string
      | undefined,
  ): Promise<ConsoleUser[]> {
    const users = await this.#users.list(developerId === undefined ? null : developerIdOf(developerId));
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
    const id = recordId(userId, 'usr', 'user');
    // a slip that only another admin, or the command line, could mend
    if (id === sessionOf(context).userId) throw new AppError('FORBIDDEN', { message: 'You cannot suspend yourself.' });
    return { user: userView(await this.#users.disable(id, reason, actorOf(context))) };
  }

  @Mutation(() => UserPayload, {
    nullable: true,
    description: 'A suspended user may sign in again, with the same password.',
  })
  async reinstateUser(
    @Arg('input', () => ReinstateUserInput, { description: 'Who.' }) { userId, reason }: ReinstateUserInput,
    @Ctx() context: RequestContext,
  ): Promise<UserPayload> {
    return { user: userView(await this.#users.enable(recordId(userId, 'usr', 'user'), reason, actorOf(context))) };
  }
}

const userView = ({ id, name, email, role, developerId, createdAt, disabledAt }: UserRow): ConsoleUser => ({
  id: `usr_${id}`,
  name,
  email,
  role,
  developerId: developerId ? `dev_${developerId}` : null,
  createdAt,
  suspendedAt: disabledAt ?? null,
});
