import { describe, expect, it } from 'vitest';
import type { StatusCheckOutcome } from '../../src/providers/outcome.js';
import { concludeDays } from '../../src/providers/roundpay/roundpay.adapter.js';

const outcomes: Record<StatusCheckOutcome<string>['kind'], StatusCheckOutcome<string>> = {
  accepted: { kind: 'accepted', value: 'T1', evidence: { reason: 'provider_success' } },
  declined: { kind: 'declined', evidence: { reason: 'provider_failure' } },
  unknown: { kind: 'unknown', evidence: { reason: 'timeout' } },
  not_found: { kind: 'not_found', evidence: { reason: 'provider_not_found' } },
};
type Kind = keyof typeof outcomes;

describe('the combined result of several days', () => {
  it.each<[Kind[], Kind]>([
    [['not_found'], 'not_found'],
    [['not_found', 'not_found'], 'not_found'],
    // the order was booked on the other side of midnight
    [['not_found', 'accepted'], 'accepted'],
    [['not_found', 'declined'], 'declined'],
    // the order may be booked on the day without a response
    [['not_found', 'unknown'], 'unknown'],
    [['declined', 'unknown'], 'unknown'],
    [['accepted', 'unknown'], 'accepted'],
    // one of the responses is wrong
    [['accepted', 'declined'], 'unknown'],
  ])('of %j is %s, in either order', (kinds, expected) => {
    for (const order of [kinds, kinds.toReversed()])
      expect(
        concludeDays(
          order.map((kind) => outcomes[kind]),
          true,
        ).kind,
      ).toBe(expected);
  });

  it('is unknown if a day is missing and no other day contains the order', () => {
    expect(concludeDays([outcomes.not_found, outcomes.not_found], false).kind).toBe('unknown');
    expect(concludeDays([outcomes.not_found, outcomes.accepted], false).kind).toBe('accepted');
  });
});
