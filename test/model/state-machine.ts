/**
 * The money state machine as data: each state of an order, each event, and the outcome. state-machine.full.ts runs every cell on
 * PostgreSQL, state-machine.test.ts one cell of each outcome, and docs/order-states.md shows the tables (`npm run generate`).
 */

/** Events by family, in the order in which the cells of a state list them. */
export const families = {
  response: ['accepted', 'declined', 'unknown'],
  check: ['accepted', 'declined_named', 'declined', 'declined_other', 'not_found', 'not_found_unproven', 'unknown'],
  callback: ['success', 'failure', 'pending', 'unexpected'],
  statement: ['succeeded', 'failed', 'reversed', 'pending'],
  staff: ['settle', 'refund', 'reverse', 'refund_reversal', 'check'],
  end: ['window', 'lease', 'closing', 'archive'],
} as const;
export type Family = keyof typeof families;

export const aboutFamilies: Readonly<Record<Family, string>> = {
  response: 'Response of the provider to the request, also after the order was resolved',
  check: 'Status check',
  callback: 'Callback, by reported status',
  statement: 'Line of the provider statement (`gateway reconcile`), by status',
  staff: 'Actions of staff (a second administrator must approve resolutions above the limits)',
  end: 'Timeout, closing of the account, archiving',
};

/** Events whose names need an explanation. */
export const aboutEvents: Readonly<Record<string, string>> = {
  declined_named: '`declined`, with the transaction ID of the order',
  declined_other: '`declined`, with another transaction ID',
  not_found: '`not_found` from a provider whose "not found" is reliable',
  not_found_unproven: '`not_found` from a provider whose "not found" proves nothing (card payments)',
  window: 'the caller of a lookup stops waiting',
  lease: 'the lease of the sending process expires, and a sweeper takes over the order',
  closing: 'the account is closed',
  archive: 'the month of the last transfer is archived',
};

/** New values of columns, by the words that outcomes use. A column that an outcome does not list keeps its value. */
export const aboutValues = {
  now: 'time of the event',
  first: 'time of the event, if the column was null',
  later: 'a time after the event',
  set: 'a new value',
  named: 'transaction ID from the provider, or the previous value',
  null: 'null',
  '+1': 'the previous value plus 1',
} as const;
export type Value = keyof typeof aboutValues | '0' | `'${string}'`;

/** When the next check is due, by the words that outcomes use. */
export const aboutDue = {
  none: 'never: the order is not in `order_due`',
  soon: 'immediately, or after the running check',
  next: 'on schedule (`STATUS_CHECK_SCHEDULE_MS`), before all routine checks',
  again: 'on schedule, among the routine checks',
  hour: 'in an hour, before all routine checks',
  recheck: 'at the routine check, if the provider has a status check; otherwise never',
} as const;

export interface Outcome {
  says: string;
  /** Columns of `orders` that the event writes. */
  columns?: Readonly<Record<string, Value>>;
  /** `order_due`, unchanged if absent. */
  due?: keyof typeof aboutDue;
  /** `order_review`, unchanged if absent. */
  review?: 'none' | 'review' | 'status_conflict';
  posting?: 'settle' | 'refund' | 'reversal' | 'refund_reversal';
  /** New events of the timeline; `own`: the kind of the event itself. */
  timeline?: readonly ('own' | 'callback' | 'status_check' | 'review' | 'status_conflict' | 'resolution')[];
  /** Result for the caller of the event, if the order does not change. */
  result?: 'rejected' | 'requested' | 'closed' | 'held' | 'in_review' | 'conflicting' | 'rechecks' | 'wallet';
  /** The order leaves the database. */
  archived?: true;
}

const CHECKED = { status_checks: '+1', asked: '+1', quiet_until: 'later' } as const;
const UNKNOWN = { ...CHECKED, unknown_since: 'first', provider_txn_id: 'named' } as const;
const RESOLVED = { settled_at: 'now', asked: '0', quiet_until: 'null' } as const;
const UNDONE = { quiet_until: 'null', doubted_since: 'null', status_conflict_at: 'null' } as const;

export const outcomes = {
  // resolved by the provider
  settled: {
    says: 'The order succeeds.',
    columns: { state: "'success'", ...RESOLVED, answer: 'set', provider_txn_id: 'named' },
    due: 'recheck',
    review: 'none',
    posting: 'settle',
    timeline: ['own'],
  },
  refunded: {
    says: 'The order fails, and the wallet is refunded.',
    columns: { state: "'failed'", ...RESOLVED, answer: 'set', provider_txn_id: 'named', decline_reason: 'set' },
    due: 'none',
    review: 'none',
    posting: 'refund',
    timeline: ['own'],
  },
  never_sent: {
    says: 'No process sent the order. A sweeper claims it, so that no process sends it later, and refunds it.',
    columns: { state: "'failed'", ...RESOLVED, answer: 'set', decline_reason: 'set', send_claimed_at: "'-infinity'" },
    due: 'none',
    posting: 'refund',
    timeline: ['own'],
  },
  charged: {
    says: 'The lookup succeeds; its response is kept for ten minutes.',
    columns: { state: "'success'", ...RESOLVED, provider_txn_id: 'named' },
    due: 'none',
    posting: 'settle',
    timeline: ['own'],
  },
  fee_refunded: {
    says: 'The lookup fails, and its fee is refunded.',
    columns: { state: "'failed'", ...RESOLVED, provider_txn_id: 'named' },
    due: 'none',
    posting: 'refund',
    timeline: ['own'],
  },
  // not resolved
  unknown: {
    says: 'The outcome is unknown: the status is checked on schedule.',
    columns: { unknown_since: 'now', not_found: '0', provider_txn_id: 'named' },
    due: 'next',
    timeline: ['own'],
  },
  retried: {
    says: 'The outcome is still unknown: the next check follows on schedule.',
    columns: { ...UNKNOWN, not_found: '0' },
    due: 'next',
    timeline: ['own'],
  },
  missing: {
    says: 'First "not found" that counts as evidence: the second check follows soon.',
    columns: { ...UNKNOWN, not_found: '+1' },
    due: 'soon',
    timeline: ['own'],
  },
  counted: {
    says: 'The response "not found" does not prove a failure in this state: the next check follows on schedule.',
    columns: { ...UNKNOWN, not_found: '+1' },
    due: 'next',
    timeline: ['own'],
  },
  // manual review
  reviewed: {
    says: 'The outcome was unknown for a day: manual review. Checks continue every hour.',
    columns: { ...UNKNOWN, state: "'review'", not_found: '0' },
    due: 'hour',
    review: 'review',
    timeline: ['own', 'review'],
  },
  reviewed_missing: {
    says: 'The outcome was unknown for a day, and "not found" counts as evidence: manual review. Checks continue every hour.',
    columns: { ...UNKNOWN, state: "'review'", not_found: '+1' },
    due: 'hour',
    review: 'review',
    timeline: ['own', 'review'],
  },
  hourly: {
    says: 'Manual review and the hourly checks continue.',
    columns: { ...UNKNOWN, not_found: '0' },
    due: 'hour',
    timeline: ['own'],
  },
  hourly_missing: {
    says: '"Not found" that counts as evidence: manual review and the hourly checks continue.',
    columns: { ...UNKNOWN, not_found: '+1' },
    due: 'hour',
    timeline: ['own'],
  },
  noted_in_review: {
    says: 'A late response without an outcome is recorded. The visibility delay for staff starts again.',
    columns: { unknown_since: 'now', not_found: '0', provider_txn_id: 'named' },
    due: 'none',
    timeline: ['own'],
  },
  unknown_in_review: {
    says: 'The outcome is unknown, and the provider has no status check: manual review.',
    columns: { state: "'review'", unknown_since: 'now', not_found: '0', provider_txn_id: 'named' },
    due: 'none',
    review: 'review',
    timeline: ['own', 'review'],
  },
  lost: {
    says: 'The process crashed after its claim, so the order may have been sent: manual review.',
    columns: { state: "'review'", unknown_since: 'now', not_found: '0', asked: '+1', quiet_until: 'later' },
    due: 'none',
    review: 'review',
    timeline: ['own', 'review'],
  },
  due_now: {
    says: 'The status is checked as soon as no other check is running.',
    columns: { asked: '0' },
    due: 'soon',
    timeline: ['own'],
  },
  check_requested: {
    says: 'Staff request a status check: it starts as soon as no other check is running.',
    columns: { asked: '0' },
    due: 'soon',
  },
  // a success in doubt
  doubted: {
    says: 'A callback reports a status that conflicts with the success: the status is checked soon.',
    columns: { doubted_since: 'now', asked: '0' },
    due: 'soon',
    timeline: ['own'],
  },
  doubted_quietly: {
    says: 'A statement conflicts with the success, or staff request a check of a resolved order: the status is checked soon.',
    columns: { doubted_since: 'now', asked: '0' },
    due: 'soon',
  },
  doubt_continues: {
    says: 'The success is neither confirmed nor reversed: the next check follows on schedule.',
    columns: CHECKED,
    due: 'next',
    timeline: ['own'],
  },
  rechecked: {
    says: 'The routine check had no result: the next check follows on schedule, after those of orders in doubt.',
    columns: CHECKED,
    due: 'again',
    timeline: ['own'],
  },
  doubt_ended: {
    says: 'The success is no longer in doubt, and the routine check is due as before.',
    columns: { ...CHECKED, doubted_since: 'null' },
    due: 'recheck',
    timeline: ['own'],
  },
  check_ended: {
    says: 'The check ends, and the outcome of the order stays the same.',
    columns: { ...CHECKED, doubted_since: 'null' },
    due: 'none',
    timeline: ['own'],
  },
  reversed: {
    says: 'The provider has proven a reversal: the wallet is credited.',
    columns: {
      status_checks: '+1',
      asked: '+1',
      reversed_at: 'now',
      reversed_by: "'provider'",
      ...UNDONE,
    },
    due: 'none',
    review: 'none',
    posting: 'reversal',
    timeline: ['own'],
  },
  // a conflicting provider status
  conflict: {
    says: 'Conflicting provider status: manual review. No money moves.',
    columns: { status_conflict_at: 'now' },
    review: 'status_conflict',
    timeline: ['status_conflict'],
  },
  conflict_callback: {
    says: 'A callback reports a conflicting provider status: manual review. No money moves.',
    columns: { status_conflict_at: 'now' },
    review: 'status_conflict',
    timeline: ['callback', 'status_conflict'],
  },
  conflict_checked: {
    says: 'The last check reports a conflicting provider status: manual review. No money moves.',
    columns: { ...CHECKED, doubted_since: 'null', status_conflict_at: 'now' },
    due: 'none',
    review: 'status_conflict',
    timeline: ['own', 'status_conflict'],
  },
  conflict_in_doubt: {
    says: 'A check reports a conflicting provider status: manual review. The routine check stays due.',
    columns: { ...CHECKED, doubted_since: 'null', status_conflict_at: 'now' },
    due: 'recheck',
    review: 'status_conflict',
    timeline: ['own', 'status_conflict'],
  },
  // by staff
  settled_by_staff: {
    says: 'Staff resolve the order: it succeeds.',
    columns: { state: "'success'", ...RESOLVED, answer: 'set' },
    due: 'recheck',
    review: 'none',
    posting: 'settle',
    timeline: ['own'],
  },
  refunded_by_staff: {
    says: 'Staff resolve the order: it fails, and the wallet is refunded.',
    columns: { state: "'failed'", ...RESOLVED, answer: 'set' },
    due: 'none',
    review: 'none',
    posting: 'refund',
    timeline: ['own'],
  },
  confirmed_by_staff: {
    says: 'Staff confirm the resolution against the conflicting provider status.',
    columns: { status_conflict_at: 'null' },
    review: 'none',
    timeline: ['own'],
  },
  reversed_by_staff: {
    says: 'Two administrators reverse the success: the wallet is credited.',
    columns: { reversed_at: 'now', reversed_by: "'support'", ...UNDONE },
    due: 'none',
    review: 'none',
    posting: 'reversal',
    timeline: ['own'],
  },
  refund_reversed: {
    says: 'Two administrators reverse the refund of a failed order: it succeeds.',
    columns: { state: "'success'", answer: 'set', ...UNDONE },
    due: 'none',
    review: 'none',
    posting: 'refund_reversal',
    timeline: ['own'],
  },
  reversal_reversed: {
    says: 'Two administrators undo the reversal: the order succeeds.',
    columns: { reversed_at: 'null', reversed_by: 'null', ...UNDONE },
    due: 'none',
    review: 'none',
    posting: 'refund_reversal',
    timeline: ['own'],
  },
  requested: {
    says: 'The statement shows the outcome of the order: an approval request is created.',
    result: 'requested',
  },
  // nothing moves
  noted: { says: 'The timeline shows the callback; nothing else changes.', timeline: ['own'] },
  nothing: { says: 'Nothing changes.' },
  rejected: { says: 'Rejected: the state of the order does not allow the action.', result: 'rejected' },
  // the account and the archive
  closed: { says: 'The account is closed.', result: 'closed' },
  stays_held: { says: 'The account stays open: money is held for the order.', result: 'held' },
  stays_in_review: { says: 'The account stays open: the order is in manual review.', result: 'in_review' },
  stays_conflicting: {
    says: 'The account stays open: the order has a conflicting provider status.',
    result: 'conflicting',
  },
  stays_rechecked: { says: 'The account stays open: a status check is due.', result: 'rechecks' },
  stays_funded: { says: 'The account stays open: the wallet holds money.', result: 'wallet' },
  archived: { says: 'The order, its transfers and its timeline are moved to the archive file.', archived: true },
  kept: { says: 'The order stays in the database: it is not final, or a related process is pending.' },
} as const satisfies Record<string, Outcome>;
export type OutcomeName = keyof typeof outcomes;

/** Why a cell cannot happen. */
export const reasons = {
  unsent: 'No process has sent the order, so there is no response.',
  received: 'Each order has only one response, which was received before this state.',
  resolved: 'No process or caller still waits for the order.',
  idle: 'In this state, no status check is due until an event schedules one.',
  uncheckable: 'The provider has no status check.',
  silent: 'Providers without a status check send no callbacks.',
  lookup: 'A lookup moves no money at the provider, so it has no status checks, callbacks or statement lines.',
  payment: 'Only a lookup is resolved when its caller stops waiting; a payment stays pending.',
  leased: 'When the lease ends, a status check is due: see "Status check".',
  ended: 'The lease ended before this state, or the response was received during the lease.',
} as const;
export type Reason = keyof typeof reasons;

/** How an order is stored: values of `orders` and the place in `order_due`, in the order in which a state lists them. */
export const storedAs = {
  open: '`state` is `open`',
  review: '`state` is `review`',
  success: '`state` is `success`, and `reversed_at` is null',
  failed: '`state` is `failed`',
  reversed: '`state` is `success`, and `reversed_at` is set',
  unknown: '`unknown_since` is set',
  missing: '`not_found` is greater than 0',
  withdrawn: '`send_claimed_at` is `-infinity`',
  claimed: '`send_claimed_at` is set',
  doubt: '`doubted_since` is set, and a check is due',
  recheck: '`doubted_since` is null, and a check is due',
  staff: 'staff resolved the order, and the provider has not confirmed it since (`reversal_is_proven`)',
  conflict: '`status_conflict_at` is set, and the order is in manual review (`order_review`)',
  archived: 'no row of `orders`; the status of a payment is in `archived_order`',
} as const;
export type StoredAs = keyof typeof storedAs;

/**
 * A state with its cells, one word for each event of a family, or one for all of them. `-word` is a reason.
 *
 * row: how the order is stored, in the words of `storedAs`. path: events that lead here from the placed order.
 */
interface State extends Readonly<Record<Family, string>> {
  says: string;
  row: string;
  path: readonly string[];
}

const UNRESOLVED = {
  callback: 'due_now',
  statement: 'nothing',
  staff: 'rejected rejected rejected rejected check_requested',
};
const IN_REVIEW = {
  response: 'settled refunded unknown',
  callback: 'due_now',
  statement: 'requested requested requested nothing',
  staff: 'settled_by_staff refunded_by_staff rejected rejected check_requested',
  end: '-payment -ended stays_in_review kept',
};
const SUCCESS = {
  response: 'nothing conflict nothing',
  callback: 'noted doubted noted doubted',
  statement: 'nothing doubted_quietly doubted_quietly nothing',
  staff: 'rejected rejected reversed_by_staff rejected doubted_quietly',
  end: '-payment -ended stays_rechecked kept',
};
const CONFLICT = {
  ...SUCCESS,
  response: 'nothing',
  staff: 'confirmed_by_staff rejected reversed_by_staff rejected doubted_quietly',
  end: '-payment -ended stays_conflicting kept',
};
const FAILED = {
  response: 'conflict nothing nothing',
  callback: 'conflict_callback noted noted noted',
  statement: 'conflict nothing nothing nothing',
  staff: 'rejected rejected rejected refund_reversed doubted_quietly',
  end: '-payment -ended stays_funded archived',
};
const FAILED_CONFLICT = {
  response: 'nothing',
  callback: 'noted',
  statement: 'nothing',
  staff: 'rejected confirmed_by_staff rejected refund_reversed doubted_quietly',
  end: '-payment -ended stays_conflicting kept',
};
const REVERSED = { ...FAILED, staff: 'rejected rejected rejected reversal_reversed doubted_quietly' };
const REVERSED_CONFLICT = {
  ...FAILED_CONFLICT,
  staff: 'rejected confirmed_by_staff rejected reversal_reversed doubted_quietly',
};
const CHECK_REQUESTED = { end: '-payment -ended stays_rechecked kept' };
const UNCHECKABLE = { check: '-uncheckable', callback: '-silent' };
const LOOKUP = { check: '-lookup', callback: '-lookup', statement: '-lookup', staff: 'rejected' };

const DOUBT_FOR_A_DAY = ['check accepted', 'callback failure', 'wait day'];
const TO_REVIEW = ['check unknown', 'wait day', 'check unknown'];

export const machine = {
  checkable: {
    sending: {
      says: 'Open. The hold is posted, and the provider has not responded.',
      row: 'open',
      path: [],
      response: 'settled refunded unknown',
      check: 'settled refunded refunded refunded retried retried retried',
      callback: 'noted',
      statement: 'nothing',
      staff: 'rejected',
      end: '-payment -leased stays_held kept',
    },
    unknown: {
      says: 'Open. The outcome is unknown.',
      row: 'open unknown',
      path: ['check unknown'],
      ...UNRESOLVED,
      response: 'settled refunded unknown',
      check: 'settled refunded refunded refunded retried retried retried',
      end: '-payment -ended stays_held kept',
    },
    unknown_shown: {
      says: 'Open. The outcome has been unknown for longer than the visibility delay.',
      row: 'open unknown',
      path: ['check unknown', 'wait shown'],
      ...UNRESOLVED,
      response: 'settled refunded unknown',
      check: 'settled refunded refunded refunded missing counted retried',
      end: '-payment -ended stays_held kept',
    },
    unknown_missing: {
      says: 'Open. One status check after the visibility delay returned "not found".',
      row: 'open unknown missing',
      path: ['check unknown', 'wait shown', 'check not_found'],
      ...UNRESOLVED,
      response: 'settled refunded unknown',
      check: 'settled refunded refunded refunded refunded counted retried',
      end: '-payment -ended stays_held kept',
    },
    unknown_day: {
      says: 'Open. The outcome has been unknown for a day.',
      row: 'open unknown',
      path: ['check unknown', 'wait day'],
      ...UNRESOLVED,
      response: 'settled refunded unknown',
      check: 'settled refunded refunded refunded reviewed_missing reviewed_missing reviewed',
      end: '-payment -ended stays_held kept',
    },
    review: {
      says: 'In review. The status is checked every hour.',
      row: 'review',
      path: TO_REVIEW,
      ...IN_REVIEW,
      check: 'settled refunded refunded refunded hourly_missing hourly_missing hourly',
    },
    review_missing: {
      says: 'In review. One status check after the visibility delay returned "not found".',
      row: 'review missing',
      path: [...TO_REVIEW, 'check not_found'],
      ...IN_REVIEW,
      check: 'settled refunded refunded refunded refunded hourly_missing hourly',
    },
    success: {
      says: 'Success. The routine check is due.',
      row: 'success recheck',
      path: ['check accepted'],
      ...SUCCESS,
      check: 'check_ended reversed rechecked rechecked rechecked rechecked rechecked',
    },
    success_late: {
      says: 'Success. The routine check has had no result for a day.',
      row: 'success recheck',
      path: ['check accepted', 'wait recheck', 'wait day'],
      ...SUCCESS,
      check: 'check_ended reversed conflict_checked conflict_checked check_ended check_ended check_ended',
    },
    success_checked: {
      says: 'Success. No check is due.',
      row: 'success',
      path: ['check accepted', 'check accepted'],
      ...SUCCESS,
      check: '-idle',
      end: '-payment -ended closed archived',
    },
    success_staff: {
      says: 'Success, resolved by staff and not confirmed by the provider since. The routine check is due.',
      row: 'success recheck staff',
      path: [...TO_REVIEW, 'staff settle'],
      ...SUCCESS,
      check: 'check_ended conflict_checked rechecked rechecked rechecked rechecked rechecked',
    },
    success_staff_doubt: {
      says: 'Success in doubt, resolved by staff and not confirmed by the provider since.',
      row: 'success doubt staff',
      path: [...TO_REVIEW, 'staff settle', 'callback failure'],
      ...SUCCESS,
      check:
        'doubt_continues conflict_in_doubt doubt_continues doubt_continues doubt_continues doubt_continues doubt_continues',
    },
    success_staff_checked: {
      says: 'Success, resolved by staff, for example by reversing a refund. No check is due.',
      row: 'success staff',
      path: ['check declined', 'staff refund_reversal'],
      ...SUCCESS,
      check: '-idle',
      end: '-payment -ended closed archived',
    },
    success_staff_conflict: {
      says: 'Success, resolved by staff, with a conflicting provider status. No check is due.',
      row: 'success staff conflict',
      path: [...TO_REVIEW, 'staff settle', 'check declined_named'],
      ...CONFLICT,
      check: '-idle',
    },
    success_staff_conflict_recheck: {
      says: 'Success, resolved by staff, with a conflicting provider status. The routine check is due.',
      row: 'success recheck staff conflict',
      path: [...TO_REVIEW, 'staff settle', 'callback failure', 'check declined_named'],
      ...CONFLICT,
      check: 'check_ended check_ended rechecked rechecked rechecked rechecked rechecked',
    },
    success_staff_conflict_doubt: {
      says: 'Success in doubt, resolved by staff, with a conflicting provider status.',
      row: 'success doubt staff conflict',
      path: [...TO_REVIEW, 'staff settle', 'callback failure', 'check declined_named', 'callback failure'],
      ...CONFLICT,
      check:
        'doubt_continues doubt_ended doubt_continues doubt_continues doubt_continues doubt_continues doubt_continues',
    },
    success_doubt: {
      says: 'Success in doubt.',
      row: 'success doubt',
      path: ['check accepted', 'callback failure'],
      ...SUCCESS,
      check: 'doubt_continues reversed doubt_continues doubt_continues doubt_continues doubt_continues doubt_continues',
    },
    success_doubt_confirmed: {
      says: 'Success in doubt, confirmed by two checks.',
      row: 'success doubt',
      path: ['check accepted', 'callback failure', 'check accepted', 'check accepted'],
      ...SUCCESS,
      check: 'doubt_ended reversed doubt_continues doubt_continues doubt_continues doubt_continues doubt_continues',
    },
    success_doubt_day: {
      says: 'Success in doubt for a day.',
      row: 'success doubt',
      path: DOUBT_FOR_A_DAY,
      ...SUCCESS,
      check: 'check_ended reversed conflict_checked conflict_checked check_ended check_ended check_ended',
    },
    success_conflict: {
      says: 'Success, with a conflicting provider status. No check is due.',
      row: 'success conflict',
      path: [...DOUBT_FOR_A_DAY, 'check declined'],
      ...CONFLICT,
      check: '-idle',
    },
    success_conflict_recheck: {
      says: 'Success, with a conflicting provider status. The routine check is due.',
      row: 'success recheck conflict',
      path: ['check accepted', 'response declined'],
      ...CONFLICT,
      response: '-received',
      check: 'check_ended reversed rechecked rechecked rechecked rechecked rechecked',
    },
    success_conflict_doubt: {
      says: 'Success in doubt, with a conflicting provider status.',
      row: 'success doubt conflict',
      path: [...DOUBT_FOR_A_DAY, 'check declined', 'callback failure'],
      ...CONFLICT,
      check: 'doubt_continues reversed doubt_continues doubt_continues doubt_continues doubt_continues doubt_continues',
    },
    failed: {
      says: 'Failed.',
      row: 'failed',
      path: ['check declined'],
      ...FAILED,
      check: '-idle',
    },
    failed_doubt: {
      says: 'Failed. Staff requested a check.',
      row: 'failed doubt',
      path: ['check declined', 'staff check'],
      ...FAILED,
      ...CHECK_REQUESTED,
      check: 'conflict_checked check_ended check_ended check_ended check_ended check_ended check_ended',
    },
    failed_conflict: {
      says: 'Failed, with a conflicting provider status.',
      row: 'failed conflict',
      path: ['check declined', 'callback success'],
      ...FAILED_CONFLICT,
      check: '-idle',
    },
    failed_conflict_doubt: {
      says: 'Failed, with a conflicting provider status. Staff requested a check.',
      row: 'failed doubt conflict',
      path: ['check declined', 'callback success', 'staff check'],
      ...FAILED_CONFLICT,
      check: 'check_ended',
    },
    reversed: {
      says: 'Reversed.',
      row: 'reversed',
      path: ['check accepted', 'check declined_named'],
      ...REVERSED,
      check: '-idle',
    },
    reversed_doubt: {
      says: 'Reversed. Staff requested a check.',
      row: 'reversed doubt',
      path: ['check accepted', 'check declined_named', 'staff check'],
      ...REVERSED,
      ...CHECK_REQUESTED,
      check: 'conflict_checked check_ended check_ended check_ended check_ended check_ended check_ended',
    },
    reversed_conflict: {
      says: 'Reversed, with a conflicting provider status.',
      row: 'reversed conflict',
      path: ['check accepted', 'check declined_named', 'callback success'],
      ...REVERSED_CONFLICT,
      check: '-idle',
    },
    reversed_conflict_doubt: {
      says: 'Reversed, with a conflicting provider status. Staff requested a check.',
      row: 'reversed doubt conflict',
      path: ['check accepted', 'check declined_named', 'callback success', 'staff check'],
      ...REVERSED_CONFLICT,
      check: 'check_ended',
    },
    archived: {
      says: 'Archived: the order was moved to a file.',
      row: 'archived',
      path: ['check accepted', 'check accepted', 'end archive'],
      response: '-resolved',
      check: '-idle',
      callback: 'nothing',
      statement: 'nothing',
      staff: 'rejected',
      end: '-payment -ended closed nothing',
    },
  },
  uncheckable: {
    unclaimed: {
      says: 'Open. No process has claimed the order for sending.',
      row: 'open',
      path: [],
      ...UNCHECKABLE,
      response: '-unsent',
      statement: 'nothing',
      staff: 'rejected',
      end: '-payment never_sent stays_held kept',
    },
    withdrawn: {
      says: 'Open. A sweeper claimed the order and crashed before the refund.',
      row: 'open withdrawn',
      path: ['withdraw'],
      ...UNCHECKABLE,
      response: '-unsent',
      statement: 'nothing',
      staff: 'rejected',
      end: '-payment never_sent stays_held kept',
    },
    claimed: {
      says: 'Open. The sending process has claimed the order.',
      row: 'open claimed',
      path: ['claim'],
      ...UNCHECKABLE,
      response: 'settled refunded unknown_in_review',
      statement: 'nothing',
      staff: 'rejected',
      end: '-payment lost stays_held kept',
    },
    review: {
      says: 'In review. No status check exists.',
      row: 'review',
      path: ['claim', 'end lease'],
      ...IN_REVIEW,
      ...UNCHECKABLE,
      response: 'settled refunded noted_in_review',
      staff: 'settled_by_staff refunded_by_staff rejected rejected rejected',
    },
    success: {
      says: 'Success.',
      row: 'success',
      path: ['claim', 'end lease', 'staff settle'],
      ...UNCHECKABLE,
      response: 'nothing conflict nothing',
      statement: 'nothing conflict conflict nothing',
      staff: 'rejected rejected reversed_by_staff rejected rejected',
      end: '-payment -ended closed archived',
    },
    success_conflict: {
      says: 'Success, with a conflicting provider status.',
      row: 'success conflict',
      path: ['claim', 'end lease', 'staff settle', 'response declined'],
      ...UNCHECKABLE,
      response: '-received',
      statement: 'nothing',
      staff: 'confirmed_by_staff rejected reversed_by_staff rejected rejected',
      end: '-payment -ended stays_conflicting kept',
    },
    failed: {
      says: 'Failed.',
      row: 'failed',
      path: ['claim', 'end lease', 'staff refund'],
      ...FAILED,
      ...UNCHECKABLE,
      staff: 'rejected rejected rejected refund_reversed rejected',
    },
    failed_conflict: {
      says: 'Failed, with a conflicting provider status.',
      row: 'failed conflict',
      path: ['claim', 'end lease', 'staff refund', 'statement succeeded'],
      ...FAILED_CONFLICT,
      ...UNCHECKABLE,
      staff: 'rejected confirmed_by_staff rejected refund_reversed rejected',
    },
    reversed: {
      says: 'Reversed.',
      row: 'reversed',
      path: ['claim', 'end lease', 'staff settle', 'staff reverse'],
      ...FAILED,
      ...UNCHECKABLE,
      staff: 'rejected rejected rejected reversal_reversed rejected',
    },
    reversed_conflict: {
      says: 'Reversed, with a conflicting provider status.',
      row: 'reversed conflict',
      path: ['claim', 'end lease', 'staff settle', 'staff reverse', 'statement succeeded'],
      ...FAILED_CONFLICT,
      ...UNCHECKABLE,
      staff: 'rejected confirmed_by_staff rejected reversal_reversed rejected',
    },
    archived: {
      says: 'Archived: the order was moved to a file.',
      row: 'archived',
      path: ['claim', 'end lease', 'staff settle', 'end archive'],
      ...UNCHECKABLE,
      response: '-resolved',
      statement: 'nothing',
      staff: 'rejected',
      end: '-payment -ended closed nothing',
    },
  },
  lookup: {
    sending: {
      says: 'Open. The fee is held, and the provider has not responded.',
      row: 'open',
      path: [],
      ...LOOKUP,
      response: 'charged fee_refunded fee_refunded',
      end: 'fee_refunded fee_refunded stays_held kept',
    },
    success: {
      says: 'Success. The response is kept for ten minutes.',
      row: 'success',
      path: ['response accepted'],
      ...LOOKUP,
      response: '-received',
      end: 'nothing -ended closed kept',
    },
    success_forgotten: {
      says: 'Success. The response is deleted.',
      row: 'success',
      path: ['response accepted', 'forget'],
      ...LOOKUP,
      response: '-received',
      end: '-resolved -ended closed archived',
    },
    failed: {
      says: 'Failed.',
      row: 'failed',
      path: ['end window'],
      ...LOOKUP,
      response: 'nothing',
      end: 'nothing -ended stays_funded archived',
    },
    archived: {
      says: 'Archived: the order was moved to a file.',
      row: 'archived',
      path: ['end window', 'end archive'],
      ...LOOKUP,
      response: '-resolved',
      end: '-resolved -ended stays_funded nothing',
    },
  },
} as const satisfies Record<string, Record<string, State>>;
export type Group = keyof typeof machine;

export const aboutGroups: Readonly<Record<Group, string>> = {
  checkable: 'Payments of a provider whose status can be checked',
  uncheckable: 'Payments of a provider without a status check',
  lookup: 'Lookups and bill fetch',
};

export interface Cell {
  name: string;
  group: Group;
  state: State;
  family: Family;
  event: string;
  outcome?: OutcomeName;
  reason?: Reason;
}

const statesOf = (group: Group): [string, State][] => Object.entries(machine[group]);

/** One word for each event of a family. Errors: another number of words, or one that nothing explains. */
export function wordsOf(state: State, family: Family): string[] {
  const words = state[family].split(' ');
  const events = families[family];
  const all = words.length === 1 ? events.map(() => words[0]!) : words;
  const unknownWords = all.filter((word) => !(word.startsWith('-') ? word.slice(1) in reasons : word in outcomes));
  if (all.length !== events.length || unknownWords.length > 0)
    throw new Error(`${state.says}, ${family}: ${state[family]} (${unknownWords.join(' ')})`);
  return all;
}

/** Each state and each event. */
export const cells: readonly Cell[] = (Object.keys(machine) as Group[]).flatMap((group) =>
  statesOf(group).flatMap(([name, state]) =>
    (Object.keys(families) as Family[]).flatMap((family) =>
      wordsOf(state, family).map((word, index): Cell => {
        const event = families[family][index]!;
        const cell = { name: `${group} ${name}: ${family} ${event}`, group, state, family, event };
        return word.startsWith('-')
          ? { ...cell, reason: word.slice(1) as Reason }
          : { ...cell, outcome: word as OutcomeName };
      }),
    ),
  ),
);

/** One cell of each outcome, with the shortest path. */
export const cellsOfOutcomes: readonly Cell[] = (Object.keys(outcomes) as OutcomeName[]).flatMap((name) => {
  const matching = cells.filter((cell) => cell.outcome === name);
  return matching.toSorted((a, b) => a.state.path.length - b.state.path.length).slice(0, 1);
});

/** Words that rows of a group may use; see `State`. */
export const rowsOf = (group: Group): ReadonlySet<string> => new Set(statesOf(group).map(([, { row }]) => row));
