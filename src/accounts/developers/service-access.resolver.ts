import { Arg, Ctx, Field, FieldResolver, ID, Mutation, Resolver, Root } from 'type-graphql';
import { ApprovalRequest, approvalRequestView } from '../../approval-requests/approval-request.types.js';
import type { RequestContext } from '../../core/context.js';
import { environments } from '../../core/environment.js';
import type { Paise } from '../../core/money.js';
import type { Service } from '../../core/services.js';
import { Output, ServiceEnum } from '../../graphql-toolkit/graphql-types.js';
import { Entries, READ_TOGETHER, RowsBeside } from '../../graphql-toolkit/rows.js';
import { Agrees, AmountUpTo, Input } from '../../graphql-toolkit/rules.js';
import { Instant, Rupees } from '../../graphql-toolkit/scalars.js';
import { actingUserOf, Reason } from '../account.changes.js';
import type { PeopleReader } from '../people/people.reader.js';
import { Actor } from '../people/people.types.js';
import type { RejectedCalls } from '../rejected-calls.js';
import type { AccountChangeService } from './account-change.service.js';
import { Developer, RejectedCall, ServiceAccess } from './developer.types.js';
import { MAX_FEE } from './developer.verbs.js';
import type { DevelopersReader } from './developers.reader.js';

const MAX_CHANGES = 200;

@Input({
  description: 'What is to be of one service of one developer: a switch, a fee or both. What is left out stays.',
})
class ServiceAccessChange {
  @Field(() => ID, { description: 'Id of the developer.' })
  developerId!: string;

  @Field(() => ServiceEnum, { description: 'The service.' })
  service!: Service;

  @Field(() => Boolean, { nullable: true, description: 'Felt on the next request.' })
  @Agrees<ServiceAccessChange>(
    ({ enabled, fee }) => enabled !== undefined || fee !== undefined,
    'Give enabled, fee or both.',
  )
  enabled?: boolean;

  @Field(() => Rupees, { nullable: true, description: 'Fee per call in rupees.' })
  @AmountUpTo(MAX_FEE)
  fee?: Paise;
}

const placeOf = (change: Partial<ServiceAccessChange> | undefined): string =>
  `${change?.developerId?.replace(/^dev_/, '')}/${change?.service}`;

@Input({ description: 'Access of many developers, in one act.' })
class SetServiceAccessManyInput {
  @Field(() => [ServiceAccessChange], {
    description: `1 to ${MAX_CHANGES} changes, each service of a developer once. One wrong one, and nothing happens.`,
  })
  @Agrees<SetServiceAccessManyInput>(
    ({ changes }) => !changes || (changes.length > 0 && changes.length <= MAX_CHANGES),
    `Must be 1 to ${MAX_CHANGES} changes.`,
    'ITEMS',
  )
  @Agrees<SetServiceAccessManyInput>(
    // what has a problem of its own is absent
    ({ changes = [] }) => changes.includes(undefined as never) || new Set(changes.map(placeOf)).size === changes.length,
    'Must name each service of a developer once.',
    'ITEMS',
  )
  changes!: ServiceAccessChange[];

  @Reason({ nullable: true })
  reason?: string;
}

@Output({ description: 'What takes a change back: an entry of `changes` that sets what was before.' })
class ServiceAccessUndo {
  @Field(() => ID, { description: 'Id of the developer.' })
  developerId!: string;

  @Field(() => ServiceEnum, { description: 'The service.' })
  service!: Service;

  @Field({ description: 'Whether it was on.' })
  enabled!: boolean;

  @Field(() => Rupees, { description: 'What a call did cost, in rupees.' })
  fee!: Paise;
}

@Output({ description: 'Access of many developers after a change.' })
class SetServiceAccessManyPayload {
  @Field(() => [ServiceAccess], { description: 'What was changed, as it is now, in the order of the changes.' })
  @Entries(MAX_CHANGES)
  access!: ServiceAccess[];

  @Field(() => [ServiceAccessUndo], { description: 'The same as it was before.' })
  @Entries(MAX_CHANGES)
  undo!: ServiceAccessUndo[];

  @Field(() => [ApprovalRequest], {
    description: 'Approval requests for the changes that need a second person; these changes are not made yet.',
  })
  @Entries(MAX_CHANGES)
  approvalRequests!: ApprovalRequest[];
}

/** Access of developers to services, one by one and in bulk. */
@Resolver(() => ServiceAccess)
export class ServiceAccessResolver {
  constructor(
    private readonly accountChanges: AccountChangeService,
    private readonly developers: DevelopersReader,
    private readonly people: PeopleReader,
    private readonly rejectedCalls: RejectedCalls,
  ) {}

  @Mutation(() => SetServiceAccessManyPayload, {
    nullable: true,
    description:
      'Switches services of many developers and sets their fees, all or nothing; each has an entry of the audit log. A fee that needs a second person waits for one, and the others count.',
  })
  async setServiceAccessMany(
    @Arg('input', () => SetServiceAccessManyInput, { description: 'Which services, and how.' })
    { changes, reason }: SetServiceAccessManyInput,
    @Ctx() context: RequestContext,
  ): Promise<SetServiceAccessManyPayload> {
    const { done, approvalRequests } = await this.accountChanges.switchServices(changes, reason, actingUserOf(context));
    const access = await Promise.all(
      done.map(
        async ({ developerId, service }) =>
          (await this.developers.services(developerId)).find((one) => one.service === service)!,
      ),
    );
    return {
      access,
      undo: done.map((before) => ({ ...before, developerId: `dev_${before.developerId}` })),
      approvalRequests: approvalRequests.map(approvalRequestView),
    };
  }

  @FieldResolver(() => Developer, { nullable: true, description: 'Whose it is.' })
  @RowsBeside(READ_TOGETHER)
  developer(@Root() { developerId }: ServiceAccess): Promise<Developer> {
    return this.developers.byId(developerId);
  }

  @FieldResolver(() => [RejectedCall], {
    nullable: true,
    description:
      'Last rejected call of this service in each environment, newest first. Recorded at most once a minute, and deleted after 90 days.',
  })
  @Entries(environments.length)
  @RowsBeside(READ_TOGETHER)
  async lastRejectedCalls(@Root() { developerId, service }: ServiceAccess): Promise<RejectedCall[]> {
    const calls = await this.rejectedCalls.ofAccount(developerId);
    return calls.filter((call) => call.service === service);
  }

  @FieldResolver(() => Instant, {
    nullable: true,
    description: 'When it was last switched or its fee was set; null where nobody ever did.',
  })
  changedAt(@Root() { changed }: ServiceAccess): Date | null {
    return changed?.at ?? null;
  }

  @FieldResolver(() => Actor, { nullable: true, description: 'By whom; null where nobody ever did.' })
  @RowsBeside(READ_TOGETHER)
  async changedBy(@Root() { changed }: ServiceAccess, @Ctx() context: RequestContext): Promise<Actor | null> {
    return changed ? this.people.actor(changed.by, context) : null;
  }
}
