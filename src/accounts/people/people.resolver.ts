import { Arg, Ctx, FieldResolver, Mutation, Query, Resolver, Root } from 'type-graphql';
import { AuditEntry } from '../../audit/audit.types.js';
import { type RequestContext, sessionOf } from '../../core/context.js';
import { AppError } from '../../core/errors.js';
import { recordId } from '../../graphql-toolkit/node.js';
import { Entries, READ_TOGETHER, RowsBeside } from '../../graphql-toolkit/rows.js';
import { Proposal } from '../../proposals/proposal.types.js';
import { actorOf } from '../account.changes.js';
import { Developer } from '../developers/developer.types.js';
import type { DevelopersReader } from '../developers/developers.reader.js';
import { type PeopleReader, userView } from './people.reader.js';
import { Actor, ReinstateUserInput, SuspendUserInput, User, UserPayload } from './people.types.js';
import { type UserService, userSubject } from './user.service.js';

/** Whose user somebody is. */
@Resolver(() => User)
export class UserResolver {
  constructor(private readonly developers: DevelopersReader) {}

  @FieldResolver(() => Developer, {
    nullable: true,
    description: 'The account whose user it is; null for the operator’s own people.',
  })
  @RowsBeside(READ_TOGETHER)
  async developer(@Root() { developerId }: User): Promise<Developer | null> {
    return developerId === null ? null : this.developers.byId(developerId);
  }
}

/** Who did what an entry of the audit trail says. */
@Resolver(() => AuditEntry)
export class AuditActorResolver {
  constructor(private readonly people: PeopleReader) {}

  @FieldResolver(() => Actor, { description: 'Who did it.' })
  @RowsBeside(READ_TOGETHER)
  actor(@Root() { by }: AuditEntry, @Ctx() context: RequestContext): Promise<Actor> {
    return this.people.actor(by, context);
  }
}

/** Who proposed something, and who decided about it. */
@Resolver(() => Proposal)
export class ProposalPeopleResolver {
  constructor(private readonly people: PeopleReader) {}

  @FieldResolver(() => Actor, { description: 'Who proposed it.' })
  @RowsBeside(READ_TOGETHER)
  author(@Root() { proposedBy }: Proposal, @Ctx() context: RequestContext): Promise<Actor> {
    return this.people.actor(userSubject(proposedBy), context);
  }

  @FieldResolver(() => Actor, { nullable: true, description: 'Who carried it out or refused it; null for nobody.' })
  @RowsBeside(READ_TOGETHER)
  async decidedBy(@Root() { decider }: Proposal, @Ctx() context: RequestContext): Promise<Actor | null> {
    return decider === null ? null : this.people.actor(userSubject(decider), context);
  }

  @FieldResolver(() => Boolean, {
    description:
      'Whether the signed-in user may carry it out: it waits, and another admin who still is one proposed it.',
  })
  mayApprove(@Root() { state, proposedBy, proposerActive }: Proposal, @Ctx() context: RequestContext): boolean {
    const { role, userId } = sessionOf(context);
    return state === 'waiting' && proposerActive && role === 'admin' && proposedBy !== userId;
  }
}

/** The people of an account, and those who decided about it. */
@Resolver(() => Developer)
export class DeveloperPeopleResolver {
  constructor(private readonly people: PeopleReader) {}

  @FieldResolver(() => [User], { nullable: true, description: 'Who may sign in for the account; at most 200.' })
  @Entries(5)
  users(@Root() { id }: Developer): Promise<User[]> {
    return this.people.ofAccount(id);
  }

  @FieldResolver(() => Actor, { nullable: true, description: 'Who approved it; null before that.' })
  @RowsBeside(READ_TOGETHER)
  async approvedBy(@Root() { approver }: Developer, @Ctx() context: RequestContext): Promise<Actor | null> {
    return approver === null ? null : this.people.actor(approver, context);
  }
}

/** The people of the console, and who of them may sign in. */
@Resolver()
export class UserAdminResolver {
  readonly #users: UserService;

  constructor(
    users: UserService,
    private readonly people: PeopleReader,
  ) {
    this.#users = users;
  }

  @Query(() => [User], {
    nullable: true,
    description: 'The operator’s own people; at most 200. Those of an account are its `users`.',
  })
  @Entries(50)
  users(): Promise<User[]> {
    return this.people.staff();
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
