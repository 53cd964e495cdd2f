import type { Fault } from './gate.fixture.js';
import type { Action } from './simple-clients.js';

/** Final state of an order. `none`: it was never created. `review`: it needs review and the money is held. */
export type End = 'none' | 'success' | 'failed' | 'reversed' | 'review';

/** Target of a request: the UAT sandbox, or Production with one of the providers. */
export type Host = 'uat' | 'ROUNDPAY' | 'MOKSHIQ';

/** Problem during the first requests, which ends a moment later. */
export type Trouble =
  | 'token expired'
  | 'token of the other environment'
  | 'limit reached'
  | 'account suspended'
  | 'orders paused'
  | 'database unavailable'
  | 'database unavailable until after the response'
  | 'provider unavailable';

export interface Situation {
  what: string;
  on: readonly Host[];
  /** Magic suffix of the account number. */
  suffix?: string;
  change?: object;
  trouble?: Trouble;
  /** Fault in the first request of each client. */
  fault?: Fault;
  /** Final states of the orders of A, B and C in the ledger. */
  end: readonly [a: End, b: End, c: End];
  /** Decisions of A, B and C. */
  does: readonly [a: Action, b: Action, c: Action];
  /** Reason why A refunds a recharge that succeeds, if the service cannot prevent it. */
  misled?: string;
}

/** Magic numbers of cases that always take seconds, none of which needs a final status before a timeout. */
export const SLOW: readonly (string | undefined)[] = ['0002', '0003', '0004', '0009', '0010'];

const all = <Value>(value: Value): readonly [Value, Value, Value] => [value, value, value];
const everywhere: readonly Host[] = ['uat', 'ROUNDPAY', 'MOKSHIQ'];
const withStatusChecks: readonly Host[] = ['uat', 'ROUNDPAY'];
/** Mokshiq has no status check, so open orders need review. */
const never: readonly Host[] = ['MOKSHIQ'];
const live: readonly Host[] = ['ROUNDPAY'];

const DONE = all<Action>('done');
/** A treats every 200 as done, even pending, so it does not refund a later failure. */
const REFUNDED_LATER = ['done', 'refund', 'refund'] as const;
const LEFT_OPEN = ['done', 'open', 'open'] as const;
/** Rejected before an order exists: A refunds immediately, B leaves the order to its staff, C retries until it succeeds. */
const REJECTED_AT_FIRST = { end: ['none', 'none', 'success'], does: ['refund', 'open', 'done'] } as const;

const lostRequest = (cause: string) =>
  ({
    end: all<End>('success'),
    does: ['refund', 'open', 'done'],
    misled: `${cause}: A treats a missing response as final. The service cannot know what has arrived.`,
  }) as const;

export const situations: readonly Situation[] = [
  { what: 'a success', on: everywhere, end: all('success'), does: DONE },
  { what: 'declined', on: everywhere, suffix: '0001', end: all('failed'), does: all('refund') },
  { what: 'no response, completed', on: withStatusChecks, suffix: '0002', end: all('success'), does: DONE },
  {
    what: 'no response, not completed',
    on: withStatusChecks,
    suffix: '0003',
    end: all('failed'),
    does: REFUNDED_LATER,
  },
  { what: 'no response, never found', on: withStatusChecks, suffix: '0004', end: all('failed'), does: REFUNDED_LATER },
  { what: 'pending, then success', on: withStatusChecks, suffix: '0005', end: all('success'), does: DONE },
  { what: 'pending, then failed', on: withStatusChecks, suffix: '0006', end: all('failed'), does: REFUNDED_LATER },
  { what: 'an error page with status 500', on: withStatusChecks, suffix: '0007', end: all('success'), does: DONE },
  { what: 'a truncated provider response', on: withStatusChecks, suffix: '0008', end: all('success'), does: DONE },
  { what: 'a slow success', on: withStatusChecks, suffix: '0009', end: all('success'), does: DONE },
  { what: 'a success that is reversed', on: withStatusChecks, suffix: '0010', end: all('reversed'), does: DONE },
  { what: 'a response with a different amount', on: withStatusChecks, suffix: '0011', end: all('success'), does: DONE },
  { what: 'a connection lost at the provider', on: withStatusChecks, suffix: '0012', end: all('success'), does: DONE },
  { what: 'an unusual response', on: everywhere, suffix: '0013', end: all('success'), does: DONE },
  ...['0002', '0003', '0004', '0005', '0006', '0007', '0008', '0009', '0011', '0012'].map(
    (suffix): Situation => ({
      what: 'a provider without a status check',
      on: never,
      suffix,
      end: all('review'),
      does: LEFT_OPEN,
    }),
  ),
  { what: 'an invalid amount', on: live, change: { amount: -1 }, end: all('none'), does: all('refund') },
  {
    what: 'an amount above the wallet balance',
    on: live,
    change: { amount: 20_000 },
    end: all('none'),
    does: all('refund'),
  },
  { what: 'an expired token', on: live, trouble: 'token expired', ...REJECTED_AT_FIRST },
  { what: 'a token for the other host', on: live, trouble: 'token of the other environment', ...REJECTED_AT_FIRST },
  { what: 'the rate limit', on: live, trouble: 'limit reached', ...REJECTED_AT_FIRST },
  { what: 'a suspended account', on: live, trouble: 'account suspended', ...REJECTED_AT_FIRST },
  { what: 'a service with orders paused', on: live, trouble: 'orders paused', ...REJECTED_AT_FIRST },
  { what: 'an unavailable database', on: live, trouble: 'database unavailable', ...REJECTED_AT_FIRST },
  {
    what: 'a database that becomes unavailable when the money is held',
    on: live,
    suffix: '0002',
    trouble: 'database unavailable until after the response',
    end: all('success'),
    does: DONE,
  },
  {
    what: 'an unavailable provider',
    on: live,
    trouble: 'provider unavailable',
    end: all('failed'),
    does: REFUNDED_LATER,
  },
  { what: 'a connection lost before the request', on: live, fault: 'reset before', ...REJECTED_AT_FIRST },
  { what: 'a truncated request', on: live, fault: 'half before', ...REJECTED_AT_FIRST },
  { what: 'a proxy that cannot reach the service', on: live, fault: 'page before', ...REJECTED_AT_FIRST },
  {
    what: 'a connection lost before the response',
    on: live,
    fault: 'reset after',
    ...lostRequest('The response is lost'),
  },
  { what: 'a truncated response', on: live, fault: 'cut', ...lostRequest('The response is truncated') },
  {
    what: 'a proxy that times out',
    on: live,
    fault: 'page after',
    ...lostRequest('A proxy responds in place of the service'),
  },
  {
    what: 'a client that times out',
    on: live,
    fault: 'no response',
    ...lostRequest('The client does not wait for the response'),
  },
];
