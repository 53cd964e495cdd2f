import type { Call, Command } from './commands.js';

const call = (more: Partial<Call> = {}): Command => ({
  kind: 'call',
  call: {
    operation: 'recharge',
    capability: 'direct',
    key: 0,
    body: 0,
    script: { performed: true, answers: true, noise: [], afterwards: 'truth' },
    crash: 'no',
    times: 1,
    ...more,
  },
});
const money: Command = { kind: 'top_up', amount: 2_000, reference: 5 };
const sweep: Command = { kind: 'sweep' };
const later = (by: 'moments' | 'visibility' | 'day'): Command => ({ kind: 'advance', by });

/**
 * Sequences that are always run: each once broke something here, or breaks services of this kind. A sequence that a run finds is
 * added as it was printed.
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
  // the callback is faster than the provider's own enquiry
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
];
