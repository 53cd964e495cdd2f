import { expect, it } from 'vitest';
import { type HeldDeveloper, onboardingSteps } from '../../src/accounts/developers/developer.state.js';
import { type DeveloperVerb, developerVerbs } from '../../src/accounts/developers/developer.verbs.js';
import type { AppError } from '../../src/core/errors.js';
import { onboardingStatuses } from '../../src/core/principal.js';
import { seed } from '../support/app.js';
import { useSharedApp } from '../support/use-app.js';

const test = useSharedApp();

const statusOf = async (id: string): Promise<string> =>
  (await test.db.query<{ s: string }>('select onboarding_status as s from developer where id = $1', [id]))[0]!.s;

const transitions = (Object.keys(developerVerbs) as DeveloperVerb[]).flatMap((name) => {
  const { step } = developerVerbs[name];
  return step ? onboardingStatuses.map((from) => ({ name, from, step })) : [];
});

it('the account has state transitions', () => {
  expect(new Set(transitions.map(({ name }) => name))).toEqual(
    new Set(['approveDeveloper', 'rejectDeveloper', 'requestKycChanges']),
  );
});

it.each(transitions)('$name: from $from only along an allowed transition', async ({ name, from, step }) => {
  const email = `${name}-${from}@verbs.example`;
  const developerId = await test.app.developers.register({ name: 'Steps', email }, seed);
  await test.db.query('update developer set onboarding_status = $2 where id = $1', [developerId, from]);
  const input = { developerId, reason: 'A test' };
  const failure = await test.app.developers.change(name, input, seed).then(
    () => undefined,
    (error: AppError) => error.code,
  );
  const { from: starts, to } = onboardingSteps[step];
  const allowed = (starts as readonly string[]).includes(from);
  expect([failure, await statusOf(developerId)]).toEqual(allowed ? [undefined, to] : ['CONFLICT', from]);
});

it('a function that sets a state directly does not compile', () => {
  // Fields that only the functions of developer.state.ts can change.
  const current: HeldDeveloper = { onboardingStatus: 'registered', productionUnlocked: false } as HeldDeveloper;
  // @ts-expect-error: a step
  current.onboardingStatus = 'approved';
  // @ts-expect-error: unlockProduction
  current.productionUnlocked = true;
  // @ts-expect-error: suspend
  current.suspendedAt = new Date();
  // @ts-expect-error: reinstate
  current.suspensionReason = null;
  current.duplicateGuardS = 5;
  expect(current.duplicateGuardS).toBe(5);
});
