import { Arg, Ctx, Mutation, Resolver } from 'type-graphql';
import { developerOf, type RequestContext } from '../core/context.js';
import type { ScenarioStore } from '../providers/sandbox/scenario.store.js';
import { SetSandboxScenarioInput, SetSandboxScenarioPayload } from './scenario.types.js';

/** Scenarios for the next calls of a caller. */
@Resolver()
export class ScenarioResolver {
  constructor(private readonly scenarios: ScenarioStore) {}

  @Mutation(() => SetSandboxScenarioPayload, {
    nullable: true,
    description:
      'Sets the simulated outcome of the next call with the given idempotency key or number. UAT only. Overrides magic numbers and applies to one call. A scenario for the idempotency key takes precedence over one for the number. A new scenario for the same target replaces the unused one.',
  })
  async setSandboxScenario(
    @Arg('input', () => SetSandboxScenarioInput, { description: 'Target and simulated outcome.' })
    { outcome, reason, clientRequestId, accountNumber }: SetSandboxScenarioInput,
    @Ctx() context: RequestContext,
  ): Promise<SetSandboxScenarioPayload> {
    const target = clientRequestId === undefined ? { account: accountNumber! } : { clientRequestId };
    const scenario = { scenario: outcome, reason: reason ?? null };
    const expiresAt = await this.scenarios.set(developerOf(context), target, scenario);
    return {
      outcome,
      reason: scenario.reason,
      clientRequestId: clientRequestId ?? null,
      accountNumber: accountNumber ?? null,
      expiresAt,
    };
  }
}
