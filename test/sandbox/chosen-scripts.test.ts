import { expect, it, vi } from 'vitest';
import type { DeveloperId } from '../../src/core/principal.js';
import { callerOf } from '../../src/providers/calls.js';
import { ChosenScripts } from '../../src/providers/sandbox/chosen-scripts.js';

const DECLINED = '9876540001';

it('a call without a pending scenario makes no query and follows its magic number', async () => {
  const scenarios = { takeOutage: vi.fn(), takeForOrder: vi.fn(), takeForLookup: vi.fn(), ofOrder: vi.fn() };
  const scripts = new ChosenScripts(scenarios);
  const developerId = '019a0000-0000-7000-8000-000000000001' as DeveloperId;
  const caller = callerOf({ developerId, environment: 'uat', hasScenarios: false }, null);
  expect(await scripts.isDown(caller, DECLINED)).toBe(false);
  expect(await scripts.ofPayment(caller, DECLINED, 'a reference')).toEqual({ script: 'declined' });
  expect(await scripts.ofLookup(caller, DECLINED)).toBe('failure');
  for (const look of Object.values(scenarios)) expect(look).not.toHaveBeenCalled();

  await scripts.isDown({ ...caller, hasScenarios: true }, DECLINED);
  expect(scenarios.takeOutage).toHaveBeenCalledOnce();
});
