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
  ['the first "not found" that counts is confirmed soon, not an hour later', {}, { kind: 'wait', dueMs: 5_000 }],
  ['the second one refunds', { notFoundBefore: 1 }, { kind: 'refund' }],
  ['one that comes too early proves nothing', { sentAgeMs: 899_999 }, { kind: 'wait', dueMs: 3_600_000 }],
  ['nor one of which nobody knows since when', { sentAgeMs: null }, { kind: 'wait', dueMs: 3_600_000 }],
  ['nor one of a provider that does not promise it', { notFoundIsFinal: false }, { kind: 'wait', dueMs: 3_600_000 }],
])('"not found": %s', (_what, circumstances, step) => {
  expect(nextStep('not_found', { ...order, ...circumstances }, policy)).toEqual(step);
});
