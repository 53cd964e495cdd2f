import { Arg, Ctx, Mutation, Resolver } from 'type-graphql';
import { developerOf, type RequestContext } from '../core/context.js';
import type { ScenarioStore } from '../providers/sandbox/scenario.store.js';
import { SetSandboxScenarioInput, SetSandboxScenarioPayload } from './scenario.types.js';

/** What callers want of their next calls. */
@Resolver()
export class ScenarioResolver {
  constructor(private readonly scenarios: ScenarioStore) {}

  @Mutation(() => SetSandboxScenarioPayload, {
    nullable: true,
    description:
      'UAT alone: what the next call with a key, or about a number, comes to, whatever its magic number says. One call takes it; a call whose key fits comes before one whose number does. The same target again takes the place of what waits.',
  })
  async setSandboxScenario(
    @Arg('input', () => SetSandboxScenarioInput, { description: 'Which call, and what it comes to.' })
    { outcome, reason, clientRequestId, accountNumber }: SetSandboxScenarioInput,
    @Ctx() context: RequestContext,
  ): Promise<SetSandboxScenarioPayload> {
    const target = clientRequestId === undefined ? { account: accountNumber! } : { clientRequestId };
    const wanted = { scenario: outcome, reason: reason ?? null };
    const expiresAt = await this.scenarios.set(developerOf(context), target, wanted);
    return {
      outcome,
      reason: wanted.reason,
      clientRequestId: clientRequestId ?? null,
      accountNumber: accountNumber ?? null,
      expiresAt,
    };
  }
}
