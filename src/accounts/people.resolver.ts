import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { AuditEntry } from '../audit/audit.types.js';
import type { RequestContext } from '../core/context.js';
import { Developer } from './developer.types.js';
import type { DevelopersReader } from './developers.reader.js';
import type { PeopleReader } from './people.reader.js';
import { Actor, User } from './people.types.js';

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
  actor(@Root() { by }: AuditEntry, @Ctx() context: RequestContext): Promise<Actor> {
    return this.#people.actor(by, context);
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
  users(@Root() { id }: Developer): Promise<User[]> {
    return this.#people.ofAccount(id);
  }

  @FieldResolver(() => Actor, { nullable: true, description: 'Who approved it; null before that.' })
  async approvedBy(@Root() { approver }: Developer, @Ctx() context: RequestContext): Promise<Actor | null> {
    return approver === null ? null : this.#people.actor(approver, context);
  }
}
