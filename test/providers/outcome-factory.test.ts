import { describe, expect, it, test } from 'vitest';
import { judgeCall, judgeStatusCheck, OutcomeFactory } from '../../src/providers/outcome-factory.js';
import { breakerOpen, neverSent, responseOf } from './scripted-client.js';

const verdict = new OutcomeFactory({ httpStatus: 200, elapsedMs: 12 });
const notCalled = () => {
  throw new Error('The body must not be interpreted.');
};

describe('evidence', () => {
  test.each(['Success', 'ORDER_NOT_FOUND', '501', 'IR-12', 'true'])('keeps the code %s', (code) => {
    expect(verdict.declined({ status: code, code }).evidence).toMatchObject({
      providerStatus: code,
      providerCode: code,
    });
  });

  test.each([
    'ABCDE1234F',
    '9876543210',
    '3008',
    'xxxx3008',
    'Operator Down or Invalid Account',
    '',
    'x'.repeat(41),
    'a@b.c',
  ])('leaves out %j', (text) => {
    expect(verdict.declined({ status: text, code: text }).evidence).toStrictEqual({
      reason: 'provider_failure',
      httpStatus: 200,
      elapsedMs: 12,
    });
  });

  test.each([
    ['S23071219280506ABC2D', 'S23071219280506ABC2D'],
    ['BS-LEAD-987654', 'BS-LEAD-987654'],
    ['see https://example.com?token=1', undefined],
    ['x'.repeat(65), undefined],
  ])('contains the transaction ID %s as %s', (txnId, providerTxnId) => {
    expect(verdict.unknown('provider_pending', { txnId }).evidence.providerTxnId).toBe(providerTxnId);
  });
});

describe('HTTP', () => {
  test.each([
    [200, 'accepted'],
    [202, 'accepted'],
    [302, 'unknown'],
    [400, 'unknown'],
  ])('%i with a success is %s', (httpStatus, kind) => {
    expect(new OutcomeFactory({ httpStatus, elapsedMs: 1 }).accepted('value').kind).toBe(kind);
  });

  test.each([
    [200, 'unexpected_answer'],
    [403, 'http_error'],
  ])('%i with unexpected content is %s', (httpStatus, reason) => {
    expect(new OutcomeFactory({ httpStatus, elapsedMs: 1 }).unexpected().evidence.reason).toBe(reason);
  });

  test.each([500, 502, 503, 504, 599])('%i is not interpreted by its body', (httpStatus) => {
    const unknownOutcome = { kind: 'unknown', evidence: { reason: 'http_error', httpStatus, elapsedMs: 12 } };
    expect(judgeCall(responseOf({ status: 'Failure' }, httpStatus), notCalled)).toEqual(unknownOutcome);
    expect(judgeStatusCheck(responseOf({ status: 'Failure' }, httpStatus), notCalled)).toEqual(unknownOutcome);
  });
});

test.each([neverSent, breakerOpen])(
  'a call that was never sent is declined, a status check unknown: $evidence.reason',
  (response) => {
    expect(judgeCall(response, notCalled)).toEqual({ kind: 'declined', evidence: response.evidence });
    expect(judgeStatusCheck(response, notCalled)).toEqual({ kind: 'unknown', evidence: response.evidence });
  },
);

it('passes the body to the interpreter', () => {
  expect(judgeCall(responseOf({ a: 1 }), (body, found) => found.accepted(body))).toMatchObject({
    kind: 'accepted',
    value: { a: 1 },
  });
});
