import type { Admin, Call, Command, CorrectionKind } from './commands.js';

const call = (more: Partial<Call> = {}): Command => ({
  kind: 'call',
  call: {
    operation: 'recharge',
    capability: 'direct',
    key: 0,
    body: 0,
    bill: 0,
    script: { processed: true, responds: true, noise: [], afterwards: 'truth' },
    crash: 'no',
    sweeper: 'away',
    times: 1,
    stepMs: 0,
    ...more,
  },
});
const money: Command = { kind: 'top_up', amount: 2_000, reference: 5 };
const sweep: Command = { kind: 'sweep', stepMs: 0 };
const later = (by: 'moments' | 'visibility' | 'day'): Command => ({ kind: 'advance', by });
const HOUR_MS = 3_600_000;
const correct = (action: CorrectionKind, admin: Admin, order = 0): Command => ({
  kind: 'correct',
  action,
  order,
  admin: admin,
});
const declined = (key: number): Command =>
  call({ key, script: { processed: false, responds: true, noise: [], afterwards: 'truth' } });
/** A payment of the same bill. */
const payment = (key: number, processed: boolean): Command =>
  call({
    operation: 'card_payment',
    capability: 'cautious',
    key,
    script: { processed, responds: true, noise: [], afterwards: 'truth' },
  });

/**
 * Sequences that every run includes. Each once broke the system, or breaks systems of this kind. A sequence that a run finds is
 * added in its printed form. Together they cover all events, so that a short run cannot miss one by chance.
 */
export const regressions: readonly (readonly Command[])[] = [
  // processed, the response is lost, and the provider does not show it yet: an early "not found" is no proof
  [
    money,
    call({ script: { processed: true, responds: false, noise: ['not_found', 'not_found'], afterwards: 'truth' } }),
    { kind: 'callback', order: 0, status: 'failure' },
    sweep,
    { kind: 'callback', order: 0, status: 'failure' },
    sweep,
  ],
  // "not found" once after the delay, then silence, then "not found": these are not consecutive
  [
    money,
    call({
      script: {
        processed: false,
        responds: false,
        noise: ['not_found', 'unknown', 'not_found'],
        afterwards: 'not_found',
      },
    }),
    later('visibility'),
    sweep,
    later('visibility'),
    sweep,
    later('visibility'),
    sweep,
  ],
  // "not found" proves nothing if the contract of the provider does not define it
  [
    money,
    call({
      operation: 'card_payment',
      capability: 'cautious',
      script: { processed: true, responds: false, noise: [], afterwards: 'not_found' },
    }),
    later('visibility'),
    sweep,
    later('visibility'),
    sweep,
    later('day'),
    sweep,
  ],
  // the provider reverses a payment before the system learned of its success
  [
    money,
    call({ script: { processed: true, responds: false, noise: [], afterwards: 'truth' } }),
    { kind: 'reverse', order: 0, lateBy: 0 },
    later('visibility'),
    sweep,
    call(),
  ],
  // a success, a forged failure, a real reversal, and then a replay of the key
  [
    money,
    call(),
    { kind: 'callback', order: 0, status: 'failure' },
    sweep,
    { kind: 'reverse', order: 0, lateBy: 0 },
    { kind: 'callback', order: 0, status: 'failure' },
    later('visibility'),
    sweep,
    call(),
  ],
  // the callback arrives before the provider shows the change in status checks
  [
    money,
    call(),
    { kind: 'reverse', order: 0, lateBy: 2 },
    { kind: 'callback', order: 0, status: 'failure' },
    sweep,
    later('visibility'),
    sweep,
  ],
  // the process stops before and after sending; the key is used again, then time passes
  [money, call({ crash: 'before_send' }), call(), later('visibility'), sweep, later('visibility'), sweep, call()],
  [money, call({ crash: 'after_send' }), call({ body: 1 }), later('visibility'), sweep, call()],
  // "not found" once after the delay: the refund follows moments later, not at the next scheduled check
  [
    money,
    call({ crash: 'before_send' }),
    later('visibility'),
    sweep,
    later('moments'),
    later('moments'),
    later('moments'),
    sweep,
    call(),
  ],
  // no status check is possible: two admins resolve the order, not one of them twice
  [
    money,
    call({
      capability: 'silent',
      body: 1,
      script: { processed: true, responds: false, noise: [], afterwards: 'truth' },
    }),
    { kind: 'decide', order: 0, success: false, admin: 0 },
    { kind: 'decide', order: 0, success: false, admin: 0 },
    { kind: 'decide', order: 0, success: true, admin: 1 },
    { kind: 'clock', aheadMs: -7 * HOUR_MS },
    { kind: 'decide', order: 0, success: true, admin: 0 },
  ],
  // three concurrent calls, and a balance for one of two
  [
    { kind: 'top_up', amount: 60, reference: 0 },
    { kind: 'top_up', amount: 60, reference: 1 },
    call({ times: 3 }),
    call({ key: 1, times: 3 }),
  ],
  // a lookup that was interrupted refunds its fee and releases its key
  [
    money,
    call({ operation: 'lookup', capability: 'silent', crash: 'after_send' }),
    later('visibility'),
    sweep,
    call({ operation: 'lookup', capability: 'silent' }),
    call({ operation: 'lookup', capability: 'silent' }),
    later('visibility'),
    call({ operation: 'lookup', capability: 'silent' }),
  ],
  // approved, rejected, approved: one fee; and no fee that the wallet cannot pay
  [
    { kind: 'top_up', amount: 60, reference: 0 },
    { kind: 'lead', lead: 0, word: 'approved' },
    { kind: 'top_up', amount: 400, reference: 1 },
    { kind: 'lead', lead: 0, word: 'approved' },
    { kind: 'lead', lead: 0, word: 'rejected' },
    { kind: 'lead', lead: 0, word: 'approved' },
  ],
  // a success of a provider without a status check, which later reports a failure: admins resolve it
  [
    money,
    call({ capability: 'silent' }),
    { kind: 'callback', order: 0, status: 'failure' },
    { kind: 'decide', order: 0, success: true, admin: 0 },
  ],
  // a reversal by two admins, a refund reversal by two, and the results for the key in between
  [
    money,
    call(),
    correct('reverse', 0),
    correct('reverse', 1),
    call(),
    correct('refund_reversal', 2),
    call(),
    { kind: 'callback', order: 0, status: 'failure' },
    sweep,
  ],
  // a refund reversal without and with a sufficient balance
  [
    { kind: 'top_up', amount: 130, reference: 0 },
    declined(0),
    call({ key: 1 }),
    correct('refund_reversal', 2, 0),
    { kind: 'top_up', amount: 400, reference: 1 },
    correct('refund_reversal', 1, 0),
    { kind: 'ask', order: 0 },
    sweep,
    later('day'),
    sweep,
    { kind: 'decide', order: 0, success: true, admin: 0 },
  ],
  // the payment of a bill failed and a second one was made: the refund of the first cannot be reversed
  [money, payment(0, false), payment(1, true), correct('refund_reversal', 2, 0), payment(2, true)],
  // a refunded payment was processed after all: admins may leave it or reverse the refund
  [
    money,
    declined(0),
    { kind: 'callback', order: 0, status: 'success' },
    { kind: 'decide', order: 0, success: true, admin: 0 },
    { kind: 'decide', order: 0, success: false, admin: 0 },
    { kind: 'callback', order: 0, status: 'success' },
    correct('refund_reversal', 2),
  ],
  // refunded by an admin, and then reported as processed by the provider
  [
    money,
    call({
      operation: 'card_payment',
      capability: 'cautious',
      script: { processed: true, responds: false, noise: ['unknown'], afterwards: 'truth' },
    }),
    later('day'),
    sweep,
    { kind: 'decide', order: 0, success: false, admin: 1 },
    { kind: 'ask', order: 0 },
    sweep,
  ],
  // requested while it was a success, and approved after the provider had reversed it
  [
    money,
    call(),
    correct('reverse', 0),
    { kind: 'reverse', order: 0, lateBy: 0 },
    { kind: 'ask', order: 0 },
    sweep,
    correct('reverse', 1),
  ],
  // admins request checks of an order whose response was lost, and of one without a status check
  [
    money,
    call({ script: { processed: true, responds: false, noise: ['unknown'], afterwards: 'truth' } }),
    { kind: 'ask', order: 0 },
    sweep,
    call({ capability: 'silent', key: 1 }),
    { kind: 'ask', order: 1 },
  ],
  // debits: once per reference, by two admins, and never more than the balance
  [
    { kind: 'top_up', amount: 60, reference: 0 },
    { kind: 'debit', amount: 400, reference: 0, admin: 2 },
    { kind: 'debit', amount: 60, reference: 0, admin: 1 },
    { kind: 'debit', amount: 60, reference: 1, admin: 2 },
    { kind: 'debit', amount: 60, reference: 1, admin: 0 },
  ],
  // no status check is possible: unclaimed orders are refunded, claimed ones need review
  [
    money,
    call({ capability: 'silent', crash: 'before_claim' }),
    call({ capability: 'silent', crash: 'before_send', key: 1 }),
    sweep,
    later('visibility'),
    sweep,
    call({ capability: 'silent' }),
  ],
  // a sweeper arrives before, at and after the claim of a slow process
  [
    money,
    call({ capability: 'silent', sweeper: 'before_claim' }),
    call({ capability: 'silent', sweeper: 'at_claim', key: 1 }),
    call({ capability: 'silent', sweeper: 'at_claim', key: 2 }),
    call({ capability: 'silent', sweeper: 'after_claim', key: null }),
  ],
  // the clock jumps while a call is in progress, and while a call waits for a process that stopped
  [
    money,
    call({ stepMs: 7 * HOUR_MS }),
    call({ key: 1, crash: 'before_send' }),
    call({ key: 1, stepMs: 7 * HOUR_MS }),
    call({ key: 1, stepMs: -7 * HOUR_MS }),
  ],
  // placed a day behind; checked by a process whose clock has just moved a day ahead, and not by one that was ahead earlier
  [
    { kind: 'clock', aheadMs: -25 * HOUR_MS },
    money,
    call({ script: { processed: true, responds: false, noise: ['not_found', 'not_found'], afterwards: 'truth' } }),
    { kind: 'clock', aheadMs: 25 * HOUR_MS },
    { kind: 'callback', order: 0, status: 'pending' },
    sweep,
    { kind: 'clock', aheadMs: 0 },
    { kind: 'sweep', stepMs: 25 * HOUR_MS },
    later('visibility'),
    { kind: 'sweep', stepMs: -25 * HOUR_MS },
  ],
];
