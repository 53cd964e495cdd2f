import { Arg, Ctx, Field, FieldResolver, ID, Mutation, Resolver, Root } from 'type-graphql';
import { ApprovalRequest, approvalRequestView } from '../../approval-requests/approval-request.types.js';
import type { RequestContext } from '../../core/context.js';
import { environments } from '../../core/environment.js';
import type { Paise } from '../../core/money.js';
import type { Service } from '../../core/services.js';
import { Output, ServiceEnum } from '../../graphql-toolkit/graphql-types.js';
import { Entries, ExtraReads, READ_TOGETHER } from '../../graphql-toolkit/rows.js';
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
  description:
    'Change of the access of one developer to one service: `enabled`, `fee` or both. Omitted fields stay unchanged.',
})
class ServiceAccessChange {
  @Field(() => ID, { description: 'ID of the developer.' })
  developerId!: string;

  @Field(() => ServiceEnum, { description: 'The service.' })
  service!: Service;

  @Field(() => Boolean, {
    nullable: true,
    description: 'Whether the developer can call the service. Takes effect on the next request.',
  })
  @Agrees<ServiceAccessChange>(
    ({ enabled, fee }) => enabled !== undefined || fee !== undefined,
    'Set `enabled`, `fee` or both.',
  )
  enabled?: boolean;

  @Field(() => Rupees, { nullable: true, description: 'Fee per call in rupees.' })
  @AmountUpTo(MAX_FEE)
  fee?: Paise;
}

const placeOf = (change: Partial<ServiceAccessChange> | undefined): string =>
  `${change?.developerId?.replace(/^dev_/, '')}/${change?.service}`;

@Input({ description: 'Changes to the service access of one or more developers.' })
class SetServiceAccessManyInput {
  @Field(() => [ServiceAccessChange], {
    description: `1 to ${MAX_CHANGES} changes, with at most one per developer and service. If any change is invalid, nothing is changed.`,
  })
  @Agrees<SetServiceAccessManyInput>(
    ({ changes }) => !changes || (changes.length > 0 && changes.length <= MAX_CHANGES),
    `Must be 1 to ${MAX_CHANGES} changes.`,
    'ITEMS',
  )
  @Agrees<SetServiceAccessManyInput>(
    // invalid changes are undefined at this point
    ({ changes = [] }) => changes.includes(undefined as never) || new Set(changes.map(placeOf)).size === changes.length,
    'Must contain each service of a developer only once.',
    'ITEMS',
  )
  changes!: ServiceAccessChange[];

  @Reason({ nullable: true })
  reason?: string;
}

@Output({
  description: 'Previous access to a service, in the form of an entry of `changes`. Submit it to undo the change.',
})
class ServiceAccessUndo {
  @Field(() => ID, { description: 'ID of the developer.' })
  developerId!: string;

  @Field(() => ServiceEnum, { description: 'The service.' })
  service!: Service;

  @Field({ description: 'Whether the service was enabled.' })
  enabled!: boolean;

  @Field(() => Rupees, { description: 'Previous fee per call, in rupees.' })
  fee!: Paise;
}

@Output({ description: 'Service access after the changes.' })
class SetServiceAccessManyPayload {
  @Field(() => [ServiceAccess], { description: 'Changed access, in the order of the changes.' })
  @Entries(MAX_CHANGES)
  access!: ServiceAccess[];

  @Field(() => [ServiceAccessUndo], { description: 'Previous access, in the order of the changes.' })
  @Entries(MAX_CHANGES)
  undo!: ServiceAccessUndo[];

  @Field(() => [ApprovalRequest], {
    description: 'Approval requests for the changes that require a second person. These changes are not made yet.',
  })
  @Entries(MAX_CHANGES)
  approvalRequests!: ApprovalRequest[];
}

/** Resolver for the access of developers to services, changed singly or in bulk. */
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
      'Changes the service access and fees of one or more developers. If any change is invalid, nothing is changed. Each change has its own audit entry. Fees that require a second person become approval requests; the other changes are made.',
  })
  async setServiceAccessMany(
    @Arg('input', () => SetServiceAccessManyInput, { description: 'Changes, and the reason.' })
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

  @FieldResolver(() => Developer, { nullable: true, description: 'Developer that the access belongs to.' })
  @ExtraReads(READ_TOGETHER)
  developer(@Root() { developerId }: ServiceAccess): Promise<Developer> {
    return this.developers.byId(developerId);
  }

  @FieldResolver(() => [RejectedCall], {
    nullable: true,
    description:
      'Last rejected call of the service in each environment, newest first. Recorded at most once a minute and deleted after 90 days.',
  })
  @Entries(environments.length)
  @ExtraReads(READ_TOGETHER)
  async lastRejectedCalls(@Root() { developerId, service }: ServiceAccess): Promise<RejectedCall[]> {
    const calls = await this.rejectedCalls.ofAccount(developerId);
    return calls.filter((call) => call.service === service);
  }

  @FieldResolver(() => Instant, {
    nullable: true,
    description: 'Time of the last change of access or fee. Null if there was none.',
  })
  changedAt(@Root() { changed }: ServiceAccess): Date | null {
    return changed?.at ?? null;
  }

  @FieldResolver(() => Actor, {
    nullable: true,
    description: 'Actor of the last change of access or fee. Null if there was none.',
  })
  @ExtraReads(READ_TOGETHER)
  async changedBy(@Root() { changed }: ServiceAccess, @Ctx() context: RequestContext): Promise<Actor | null> {
    return changed ? this.people.actor(changed.by, context) : null;
  }
}
