import { Arg, Ctx, Mutation, Query, Resolver } from 'type-graphql';
import { type RequestContext, sessionOf } from '../../core/context.js';
import { AppError } from '../../core/errors.js';
import { recordId } from '../../graphql-toolkit/node.js';
import { Entries } from '../../graphql-toolkit/rows.js';
import { actorOf } from '../account.changes.js';
import { type PeopleReader, userView } from './people.reader.js';
import { ReinstateUserInput, SuspendUserInput, User, UserPayload } from './people.types.js';
import type { UserService } from './user.service.js';

/** The people of the console, and who of them may sign in. */
@Resolver()
export class UserAdminResolver {
  readonly #users: UserService;
  readonly #people: PeopleReader;

  constructor(users: UserService, people: PeopleReader) {
    this.#users = users;
    this.#people = people;
  }

  @Query(() => [User], {
    nullable: true,
    description: 'The operator’s own people; at most 200. Those of an account are its `users`.',
  })
  @Entries(50)
  users(): Promise<User[]> {
    return this.#people.staff();
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
