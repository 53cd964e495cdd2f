import { expect, it } from 'vitest';
import { type Circumstances, nextStep } from '../../src/orders/states.js';

const policy = { scheduleMs: [5_000, 15_000, 3_600_000], visibilityDelayMs: 900_000, manualReviewAfterMs: 86_400_000 };
const order: Circumstances = {
  operation: 'recharge',
  canCheckStatus: true,
  notFoundIsFinal: true,
  notFoundBefore: 0,
  sentAgeMs: 900_000,
  ageMs: 900_000,
  statusChecks: 9,
};

it.each<[string, Partial<Circumstances>, object]>([
  ['the first valid one is confirmed soon, not an hour later', {}, { kind: 'wait', dueMs: 5_000 }],
  ['the second valid one leads to a refund', { notFoundBefore: 1 }, { kind: 'refund' }],
  ['one before the visibility delay proves nothing', { sentAgeMs: 899_999 }, { kind: 'wait', dueMs: 3_600_000 }],
  ['one without a known time of sending proves nothing', { sentAgeMs: null }, { kind: 'wait', dueMs: 3_600_000 }],
  [
    'one from a provider without that guarantee proves nothing',
    { notFoundIsFinal: false },
    { kind: 'wait', dueMs: 3_600_000 },
  ],
])('"not found": %s', (_name, circumstances, step) => {
  expect(nextStep('not_found', { ...order, ...circumstances }, policy)).toEqual(step);
});
