import type { Call, Command, CorrectionKind, Person } from './commands.js';

const call = (more: Partial<Call> = {}): Command => ({
  kind: 'call',
  call: {
    operation: 'recharge',
    capability: 'direct',
    key: 0,
    body: 0,
    bill: 0,
    script: { performed: true, answers: true, noise: [], afterwards: 'truth' },
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
const correct = (action: CorrectionKind, person: Person, order = 0): Command => ({
  kind: 'correct',
  action,
  order,
  person,
});
const declined = (key: number): Command =>
  call({ key, script: { performed: false, answers: true, noise: [], afterwards: 'truth' } });
/** Of the one bill. */
const payment = (key: number, performed: boolean): Command =>
  call({
    operation: 'card_payment',
    capability: 'cautious',
    key,
    script: { performed, answers: true, noise: [], afterwards: 'truth' },
  });

/**
 * Sequences that are always run: each once broke something here, or breaks services of this kind. A sequence that a run finds is
 * added as it was printed. Together they let everything happen that a run is about, so that a short one cannot miss it by chance.
 */
export const regressions: readonly (readonly Command[])[] = [
  // performed, the answer is lost, and the provider does not see it yet: "not found" early is no proof
  [
    money,
    call({ script: { performed: true, answers: false, noise: ['not_found', 'not_found'], afterwards: 'truth' } }),
    { kind: 'callback', order: 0, says: 'failure' },
    sweep,
    { kind: 'callback', order: 0, says: 'failure' },
    sweep,
  ],
  // not found once past the delay, then silence, then not found: not twice in a row
  [
    money,
    call({
      script: {
        performed: false,
        answers: false,
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
  // "not found" proves nothing at a provider whose contract does not say so
  [
    money,
    call({
      operation: 'card_payment',
      capability: 'cautious',
      script: { performed: true, answers: false, noise: [], afterwards: 'not_found' },
    }),
    later('visibility'),
    sweep,
    later('visibility'),
    sweep,
    later('day'),
    sweep,
  ],
  // the provider takes it back before we ever heard that it was performed
  [
    money,
    call({ script: { performed: true, answers: false, noise: [], afterwards: 'truth' } }),
    { kind: 'reverse', order: 0, lateBy: 0 },
    later('visibility'),
    sweep,
    call(),
  ],
  // a success, a forged failure, a real reversal, and the key afterwards
  [
    money,
    call(),
    { kind: 'callback', order: 0, says: 'failure' },
    sweep,
    { kind: 'reverse', order: 0, lateBy: 0 },
    { kind: 'callback', order: 0, says: 'failure' },
    later('visibility'),
    sweep,
    call(),
  ],
  // the callback is faster than the provider's own status check
  [
    money,
    call(),
    { kind: 'reverse', order: 0, lateBy: 2 },
    { kind: 'callback', order: 0, says: 'failure' },
    sweep,
    later('visibility'),
    sweep,
  ],
  // the process dies before and after the send; the key is used again, then time goes by
  [money, call({ crash: 'before_send' }), call(), later('visibility'), sweep, later('visibility'), sweep, call()],
  [money, call({ crash: 'after_send' }), call({ body: 1 }), later('visibility'), sweep, call()],
  // "not found" once past the delay: the money comes back moments later, not after the next slot of the schedule
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
  // nobody can be asked: two people decide, not one twice
  [
    money,
    call({
      capability: 'silent',
      body: 1,
      script: { performed: true, answers: false, noise: [], afterwards: 'truth' },
    }),
    { kind: 'decide', order: 0, success: false, person: 0 },
    { kind: 'decide', order: 0, success: false, person: 0 },
    { kind: 'decide', order: 0, success: true, person: 1 },
    { kind: 'clock', aheadMs: -7 * HOUR_MS },
    { kind: 'decide', order: 0, success: true, person: 0 },
  ],
  // three at once, and a balance for one of two
  [
    { kind: 'top_up', amount: 60, reference: 0 },
    { kind: 'top_up', amount: 60, reference: 1 },
    call({ times: 3 }),
    call({ key: 1, times: 3 }),
  ],
  // a lookup that died gives its fee and its key back
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
  // approved, rejected, approved: one fee; and none that the wallet cannot pay
  [
    { kind: 'top_up', amount: 60, reference: 0 },
    { kind: 'lead', lead: 0, word: 'approved' },
    { kind: 'top_up', amount: 400, reference: 1 },
    { kind: 'lead', lead: 0, word: 'approved' },
    { kind: 'lead', lead: 0, word: 'rejected' },
    { kind: 'lead', lead: 0, word: 'approved' },
  ],
  // a success of a provider that cannot be asked, which says later that it failed: people decide
  [
    money,
    call({ capability: 'silent' }),
    { kind: 'callback', order: 0, says: 'failure' },
    { kind: 'decide', order: 0, success: true, person: 0 },
  ],
  // taken back by two people, charged again by two, and what the key answers in between
  [
    money,
    call(),
    correct('reverse', 0),
    correct('reverse', 1),
    call(),
    correct('refund_reversal', 2),
    call(),
    { kind: 'callback', order: 0, says: 'failure' },
    sweep,
  ],
  // charged again without money for it, and with it
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
    { kind: 'decide', order: 0, success: true, person: 0 },
  ],
  // a payment of a bill failed, and another one was made: the first is not charged again
  [money, payment(0, false), payment(1, true), correct('refund_reversal', 2, 0), payment(2, true)],
  // what was given back is performed after all: people may leave it so, or charge it
  [
    money,
    declined(0),
    { kind: 'callback', order: 0, says: 'success' },
    { kind: 'decide', order: 0, success: true, person: 0 },
    { kind: 'decide', order: 0, success: false, person: 0 },
    { kind: 'callback', order: 0, says: 'success' },
    correct('refund_reversal', 2),
  ],
  // given back by a person, and its provider says that it performed it
  [
    money,
    call({
      operation: 'card_payment',
      capability: 'cautious',
      script: { performed: true, answers: false, noise: ['unknown'], afterwards: 'truth' },
    }),
    later('day'),
    sweep,
    { kind: 'decide', order: 0, success: false, person: 1 },
    { kind: 'ask', order: 0 },
    sweep,
  ],
  // requested while it was a success, carried out when its provider had taken it back
  [
    money,
    call(),
    correct('reverse', 0),
    { kind: 'reverse', order: 0, lateBy: 0 },
    { kind: 'ask', order: 0 },
    sweep,
    correct('reverse', 1),
  ],
  // people ask about an order whose answer was lost, and about one that nobody can be asked about
  [
    money,
    call({ script: { performed: true, answers: false, noise: ['unknown'], afterwards: 'truth' } }),
    { kind: 'ask', order: 0 },
    sweep,
    call({ capability: 'silent', key: 1 }),
    { kind: 'ask', order: 1 },
  ],
  // debits: once per reference, by two, never more than there is
  [
    { kind: 'top_up', amount: 60, reference: 0 },
    { kind: 'debit', amount: 400, reference: 0, person: 2 },
    { kind: 'debit', amount: 60, reference: 0, person: 1 },
    { kind: 'debit', amount: 60, reference: 1, person: 2 },
    { kind: 'debit', amount: 60, reference: 1, person: 0 },
  ],
  // nobody can be asked: what was never claimed goes back, what was is a person's
  [
    money,
    call({ capability: 'silent', crash: 'before_claim' }),
    call({ capability: 'silent', crash: 'before_send', key: 1 }),
    sweep,
    later('visibility'),
    sweep,
    call({ capability: 'silent' }),
  ],
  // a sweeper comes before, at and after the claim of a slow process
  [
    money,
    call({ capability: 'silent', sweeper: 'before_claim' }),
    call({ capability: 'silent', sweeper: 'at_claim', key: 1 }),
    call({ capability: 'silent', sweeper: 'at_claim', key: 2 }),
    call({ capability: 'silent', sweeper: 'after_claim', key: null }),
  ],
  // the clock makes a step while a call is under way, and while one waits for a process that died
  [
    money,
    call({ stepMs: 7 * HOUR_MS }),
    call({ key: 1, crash: 'before_send' }),
    call({ key: 1, stepMs: 7 * HOUR_MS }),
    call({ key: 1, stepMs: -7 * HOUR_MS }),
  ],
  // placed a day behind; asked about by a process that is a day ahead since a moment ago, and not by one that was so before
  [
    { kind: 'clock', aheadMs: -25 * HOUR_MS },
    money,
    call({ script: { performed: true, answers: false, noise: ['not_found', 'not_found'], afterwards: 'truth' } }),
    { kind: 'clock', aheadMs: 25 * HOUR_MS },
    { kind: 'callback', order: 0, says: 'pending' },
    sweep,
    { kind: 'clock', aheadMs: 0 },
    { kind: 'sweep', stepMs: 25 * HOUR_MS },
    later('visibility'),
    { kind: 'sweep', stepMs: -25 * HOUR_MS },
  ],
];
