import { FieldResolver, Query, Resolver, Root } from 'type-graphql';
import { Arguments } from '../graphql-toolkit/arguments.js';
import { recordId } from '../graphql-toolkit/node.js';
import { ExtraReads, READ_TOGETHER } from '../graphql-toolkit/rows.js';
import type { PeopleReader } from './people/people.reader.js';
import { User } from './people/people.types.js';
import type { SecurityEventStore } from './security-event.store.js';
import { SecurityEvent, SecurityEventConnection, SecurityEventsArguments } from './security-event.types.js';

/** Resolver for failed attempts, for staff. */
@Resolver(() => SecurityEvent)
export class SecurityEventResolver {
  constructor(
    private readonly events: SecurityEventStore,
    private readonly people: PeopleReader,
  ) {}

  @Query(() => SecurityEventConnection, {
    nullable: true,
    description: 'Failed attempts to sign in, get a token or use an emailed link, newest first.',
  })
  securityEvents(
    @Arguments(SecurityEventsArguments) { filter = {}, ...request }: SecurityEventsArguments,
  ): Promise<SecurityEventConnection> {
    const { kind: kinds, userId, ...others } = filter;
    const user = userId == null ? undefined : recordId(userId, 'usr', 'user');
    return this.events.page({ ...others, kinds, userId: user }, request);
  }

  @FieldResolver(() => User, {
    nullable: true,
    description:
      'User whose secret was attempted. Null if there is no such user or if the secret belongs to an API key.',
  })
  @ExtraReads(READ_TOGETHER)
  async user(@Root() { userId }: SecurityEvent): Promise<User | null> {
    return userId === null ? null : ((await this.people.find(userId)) ?? null);
  }
}
