import type { Accident } from './gate.fixture.js';
import type { Decision } from './simple-clients.js';

/** What became of an order. `none`: there never was one. `review`: a person has to decide, the money is held. */
export type End = 'none' | 'success' | 'failed' | 'reversed' | 'review';

/** Where a request goes: UAT's sandbox, production with either provider. */
export type Host = 'uat' | 'ROUNDPAY' | 'MOKSHIQ';

/** What is wrong while the first requests are made; it is over a moment later. */
export type Trouble =
  | 'token expired'
  | 'token of the other environment'
  | 'limit reached'
  | 'account suspended'
  | 'service takes nothing'
  | 'database away'
  | 'database away until after the answer'
  | 'provider out';

export interface Situation {
  what: string;
  on: readonly Host[];
  /** Plays the part of a magic number. */
  suffix?: string;
  change?: object;
  trouble?: Trouble;
  /** Of the first request of each client. */
  accident?: Accident;
  /** What the books say in the end of the orders of A, B and C. */
  end: readonly [a: End, b: End, c: End];
  /** What A, B and C do. */
  does: readonly [a: Decision, b: Decision, c: Decision];
  /** Why A gives money back for a recharge that succeeds, where nothing that the service does could prevent it. */
  misled?: string;
}

/** Magic numbers of what takes seconds on any machine: none of their orders has to be decided by a deadline. */
export const SLOW: readonly (string | undefined)[] = ['0002', '0003', '0004', '0009', '0010'];

const all = <Value>(value: Value): readonly [Value, Value, Value] => [value, value, value];
const everywhere: readonly Host[] = ['uat', 'ROUNDPAY', 'MOKSHIQ'];
const asked: readonly Host[] = ['uat', 'ROUNDPAY'];
/** Mokshiq cannot be asked: what it leaves open is for people. */
const never: readonly Host[] = ['MOKSHIQ'];
const live: readonly Host[] = ['ROUNDPAY'];

const DONE = all<Decision>('done');
/** A takes 200 for the end, also where it is pending: it never gives back what failed later. */
const REFUNDED_LATER = ['done', 'refund', 'refund'] as const;
const LEFT_OPEN = ['done', 'open', 'open'] as const;
/** Refused before there was an order: A gives back at once, B waits for its people, C repeats until it is performed. */
const REFUSED_AT_FIRST = { end: ['none', 'none', 'success'], does: ['refund', 'open', 'done'] } as const;

const lost = (why: string) =>
  ({
    end: all<End>('success'),
    does: ['refund', 'open', 'done'],
    misled: `${why}: A takes the lack of an answer for a verdict. The service cannot know what has arrived.`,
  }) as const;

export const situations: readonly Situation[] = [
  { what: 'a success', on: everywhere, end: all('success'), does: DONE },
  { what: 'declined', on: everywhere, suffix: '0001', end: all('failed'), does: all('refund') },
  { what: 'no answer, performed', on: asked, suffix: '0002', end: all('success'), does: DONE },
  { what: 'no answer, not performed', on: asked, suffix: '0003', end: all('failed'), does: REFUNDED_LATER },
  { what: 'no answer, never found', on: asked, suffix: '0004', end: all('failed'), does: REFUNDED_LATER },
  { what: 'pending, then success', on: asked, suffix: '0005', end: all('success'), does: DONE },
  { what: 'pending, then failed', on: asked, suffix: '0006', end: all('failed'), does: REFUNDED_LATER },
  { what: 'a page with status 500', on: asked, suffix: '0007', end: all('success'), does: DONE },
  { what: 'half an answer of the provider', on: asked, suffix: '0008', end: all('success'), does: DONE },
  { what: 'a slow success', on: asked, suffix: '0009', end: all('success'), does: DONE },
  { what: 'a success that is taken back', on: asked, suffix: '0010', end: all('reversed'), does: DONE },
  { what: 'an answer with another amount', on: asked, suffix: '0011', end: all('success'), does: DONE },
  { what: 'a connection that breaks at the provider', on: asked, suffix: '0012', end: all('success'), does: DONE },
  { what: 'an odd answer', on: everywhere, suffix: '0013', end: all('success'), does: DONE },
  ...['0002', '0003', '0004', '0005', '0006', '0007', '0008', '0009', '0011', '0012'].map(
    (suffix): Situation => ({
      what: 'a provider that cannot be asked',
      on: never,
      suffix,
      end: all('review'),
      does: LEFT_OPEN,
    }),
  ),
  { what: 'an amount that is none', on: live, change: { amount: -1 }, end: all('none'), does: all('refund') },
  { what: 'more than the wallet has', on: live, change: { amount: 20_000 }, end: all('none'), does: all('refund') },
  { what: 'an ended token', on: live, trouble: 'token expired', ...REFUSED_AT_FIRST },
  { what: 'a token for another host', on: live, trouble: 'token of the other environment', ...REFUSED_AT_FIRST },
  { what: 'the rate limit', on: live, trouble: 'limit reached', ...REFUSED_AT_FIRST },
  { what: 'a suspended account', on: live, trouble: 'account suspended', ...REFUSED_AT_FIRST },
  { what: 'a service that takes nothing', on: live, trouble: 'service takes nothing', ...REFUSED_AT_FIRST },
  { what: 'no database', on: live, trouble: 'database away', ...REFUSED_AT_FIRST },
  {
    what: 'a database that goes away when the money is held',
    on: live,
    suffix: '0002',
    trouble: 'database away until after the answer',
    end: all('success'),
    does: DONE,
  },
  {
    what: 'a provider that is out',
    on: live,
    trouble: 'provider out',
    end: all('failed'),
    does: REFUNDED_LATER,
  },
  { what: 'a connection that breaks before the request', on: live, accident: 'reset before', ...REFUSED_AT_FIRST },
  { what: 'half a request', on: live, accident: 'half before', ...REFUSED_AT_FIRST },
  { what: 'a proxy that cannot reach the service', on: live, accident: 'page before', ...REFUSED_AT_FIRST },
  {
    what: 'a connection that breaks before the answer',
    on: live,
    accident: 'reset after',
    ...lost('The answer is lost'),
  },
  { what: 'half an answer', on: live, accident: 'cut', ...lost('The answer is cut') },
  { what: 'a proxy that gives up', on: live, accident: 'page after', ...lost('A proxy answers for the service') },
  {
    what: 'a client that gives up',
    on: live,
    accident: 'silence',
    ...lost('The client does not wait for the answer'),
  },
];
