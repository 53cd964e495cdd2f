import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { AuditEntry } from '../../audit/audit.types.js';
import { type RequestContext, sessionOf } from '../../core/context.js';
import { Entries, READ_TOGETHER, RowsBeside } from '../../graphql-toolkit/rows.js';
import { Proposal } from '../../proposals/proposal.types.js';
import { Developer } from '../developers/developer.types.js';
import type { DevelopersReader } from '../developers/developers.reader.js';
import type { PeopleReader } from './people.reader.js';
import { Actor, User } from './people.types.js';
import { userSubject } from './user.service.js';

/** Whose user somebody is. */
@Resolver(() => User)
export class UserResolver {
  readonly #developers: DevelopersReader;

  constructor(developers: DevelopersReader) {
    this.#developers = developers;
  }

  @FieldResolver(() => Developer, {
    nullable: true,
    description: 'The account whose user it is; null for the operator’s own people.',
  })
  @RowsBeside(READ_TOGETHER)
  async developer(@Root() { developerId }: User): Promise<Developer | null> {
    return developerId === null ? null : this.#developers.byId(developerId);
  }
}

/** Who did what an entry of the audit trail says. */
@Resolver(() => AuditEntry)
export class AuditActorResolver {
  readonly #people: PeopleReader;

  constructor(people: PeopleReader) {
    this.#people = people;
  }

  @FieldResolver(() => Actor, { description: 'Who did it.' })
  @RowsBeside(READ_TOGETHER)
  actor(@Root() { by }: AuditEntry, @Ctx() context: RequestContext): Promise<Actor> {
    return this.#people.actor(by, context);
  }
}

/** Who proposed something, and who decided about it. */
@Resolver(() => Proposal)
export class ProposalPeopleResolver {
  readonly #people: PeopleReader;

  constructor(people: PeopleReader) {
    this.#people = people;
  }

  @FieldResolver(() => Actor, { description: 'Who proposed it.' })
  @RowsBeside(READ_TOGETHER)
  author(@Root() { proposedBy }: Proposal, @Ctx() context: RequestContext): Promise<Actor> {
    return this.#people.actor(userSubject(proposedBy), context);
  }

  @FieldResolver(() => Actor, { nullable: true, description: 'Who carried it out or refused it; null for nobody.' })
  @RowsBeside(READ_TOGETHER)
  async decidedBy(@Root() { decider }: Proposal, @Ctx() context: RequestContext): Promise<Actor | null> {
    return decider === null ? null : this.#people.actor(userSubject(decider), context);
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
  readonly #people: PeopleReader;

  constructor(people: PeopleReader) {
    this.#people = people;
  }

  @FieldResolver(() => [User], { nullable: true, description: 'Who may sign in for the account; at most 200.' })
  @Entries(5)
  users(@Root() { id }: Developer): Promise<User[]> {
    return this.#people.ofAccount(id);
  }

  @FieldResolver(() => Actor, { nullable: true, description: 'Who approved it; null before that.' })
  @RowsBeside(READ_TOGETHER)
  async approvedBy(@Root() { approver }: Developer, @Ctx() context: RequestContext): Promise<Actor | null> {
    return approver === null ? null : this.#people.actor(approver, context);
  }
}
