import { Arg, Ctx, FieldResolver, Mutation, Query, Resolver, Root } from 'type-graphql';
import { actingUserOf } from '../accounts/account.changes.js';
import type { AccountChangeService } from '../accounts/developers/account-change.service.js';
import { approvalRequestView } from '../approval-requests/approval-request.types.js';
import type { RequestContext } from '../core/context.js';
import type { ExposureLimits } from '../core/exposure-limit.js';
import { type Paise, paise } from '../core/money.js';
import type { Queryable } from '../db/pool.js';
import { Entries, ExtraReads, READ_SEPARATELY } from '../graphql-toolkit/rows.js';
import { Instant, Rupees } from '../graphql-toolkit/scalars.js';
import type { Exposure } from '../orders/exposure.js';
import { recentCalls } from '../orders/recent-calls.js';
import type { Providers } from '../providers/providers.js';
import { paidProviders } from '../providers/registry.js';
import { type Switches, switchable } from '../providers/switches.js';
import type { BreakerState } from '../providers/undici-http-client.js';
import { ProviderHealth, ProviderHealthPayload, SetProviderAvailabilityInput } from './provider-health.types.js';

export interface ProviderHealthParts {
  db: Queryable;
  accountChanges: AccountChangeService;
  switches: Switches;
  providers: Pick<Providers, 'connections' | 'absent' | 'floats'>;
  exposure: Pick<Exposure, 'figures' | 'keepFresh'>;
  exposureLimits: ExposureLimits;
}

const WORST_FIRST: readonly BreakerState[] = ['open', 'half_open'];
const paid: ReadonlySet<string> = new Set(paidProviders.map(({ name }) => name));

/** Resolver for the health of providers, and for the mutation that disables a provider. */
@Resolver(() => ProviderHealth)
export class ProviderHealthResolver {
  constructor(private readonly parts: ProviderHealthParts) {}

  @Query(() => [ProviderHealth], { nullable: true, description: 'Health of each provider.' })
  @Entries(switchable.length)
  async providers(): Promise<ProviderHealth[]> {
    const { db, exposure, switches, providers, exposureLimits } = this.parts;
    const [recent] = await Promise.all([recentCalls(db), exposure.keepFresh(), switches.refresh()]);
    const figures = new Map(exposure.figures().map(({ provider, pending }) => [provider, pending]));
    const connections = providers.connections();
    return switchable.map(({ environment, provider }) => {
      const states = connections
        .filter((one) => one.provider === provider && !one.connection.endsWith('-balance'))
        .map(({ breaker }) => breaker);
      const limit = (exposureLimits.byProvider.get(provider) ?? exposureLimits.otherwise).amountPaise;
      const calls = recent.find((one) => one.environment === environment && one.provider === provider);
      const reason = switches.reasonOf(environment, provider);
      return {
        environment,
        provider,
        available: reason === undefined,
        unavailableReason: reason ?? null,
        breaker: providers.absent.has(provider)
          ? 'open'
          : (WORST_FIRST.find((state) => states.includes(state)) ?? 'closed'),
        successRate: calls?.successRate ?? null,
        p95Ms: calls?.p95Ms ?? null,
        pendingPayments: figures.get(provider)?.payments ?? 0,
        pendingAmount: figures.get(provider)?.amountPaise ?? paise(0),
        oldestPendingAt: figures.get(provider)?.oldestAt ?? null,
        exposureLimit: paid.has(provider) && limit > 0n ? limit : null,
      };
    });
  }

  @FieldResolver(() => Rupees, {
    nullable: true,
    description:
      'Remaining deposit at the provider in rupees, at most about a minute old. Null if the provider does not report it.',
  })
  @ExtraReads(READ_SEPARATELY)
  async float(@Root() { provider }: ProviderHealth): Promise<Paise | null> {
    return (await this.parts.providers.floats.of(provider))?.paise ?? null;
  }

  @FieldResolver(() => Instant, {
    nullable: true,
    description: 'Time the provider reported the remaining deposit. Null if it does not report it.',
  })
  @ExtraReads(READ_SEPARATELY)
  async floatAt(@Root() { provider }: ProviderHealth): Promise<Date | null> {
    return (await this.parts.providers.floats.of(provider))?.at ?? null;
  }

  @Mutation(() => ProviderHealthPayload, {
    nullable: true,
    description:
      'Enables or disables a provider for new orders. While it is disabled, new requests are rejected with PROVIDER_UNAVAILABLE before money moves; status checks of existing orders continue. Takes effect in every process within seconds. Enabling requires the approval of a second administrator if TWO_PEOPLE includes `switches`.',
  })
  async setProviderAvailability(
    @Arg('input', () => SetProviderAvailabilityInput, {
      description: 'Provider, environment, availability and reason.',
    })
    input: SetProviderAvailabilityInput,
    @Ctx() context: RequestContext,
  ): Promise<ProviderHealthPayload> {
    const { approvalRequest } = await this.parts.accountChanges.switchProvider(input, actingUserOf(context));
    const health = (await this.providers()).find(
      ({ provider, environment }) => provider === input.provider && environment === input.environment,
    )!;
    return { health, approvalRequest: approvalRequest ? approvalRequestView(approvalRequest) : null };
  }
}
