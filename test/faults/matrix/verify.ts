import type { BookLine } from '../../support/simulator.js';
import type { Lane } from '../support/lane.js';
import type { Reply } from '../support/station.js';
import { AMOUNT_PAISE, type Trial } from './calls.js';
import { isPayment } from './cells.js';

type State = 'open' | 'success' | 'failed' | 'review';

/** Database records of one trial. */
export interface Record {
  orders: State[];
  leadFees: number;
}

/** Orders of these trials since the given time, oldest first, and their lead fees. */
export async function recordsOf({ db }: Lane, trials: readonly Trial[], since: string): Promise<Map<Trial, Record>> {
  const ids = trials.map(({ account }) => account.developerId);
  const orders = await db.query<{ developer_id: string; state: State }>(
    `select developer_id, state from orders where developer_id = any($1::uuid[]) and created_at >= $2 order by id`,
    [ids, since],
  );
  const fees = await db.query<{ developer_id: string }>(
    `select developer_id from transfer where developer_id = any($1::uuid[]) and kind = 'lead_fee' and created_at >= $2`,
    [ids, since],
  );
  return new Map(
    trials.map((trial) => {
      const own = (row: { developer_id: string }): boolean => row.developer_id === trial.account.developerId;
      return [trial, { orders: orders.filter(own).map(({ state }) => state), leadFees: fees.filter(own).length }];
    }),
  );
}

export interface Evidence {
  trial: Trial;
  /** Reply to the call that was interrupted; undefined if its connection was lost. */
  first: Reply | undefined;
  /** Reply to the retry. */
  second: Reply | undefined;
  /** Records before and after the retry. */
  before: Record;
  after: Record;
  book: readonly BookLine[];
  /** Number of provider calls of both processes that named this trial. */
  sent: number;
  /** Whether the call was at its point when the fault happened. */
  fired: boolean;
  /** The process was killed, so its client may have received no response. */
  mayHaveNoResponse: boolean;
}

/** All violations of one trial. */
export function problemsOf(evidence: Evidence): string[] {
  const { trial, after, sent, first, mayHaveNoResponse } = evidence;
  const problems: string[] = [];
  const must = (holds: boolean, text: string): void => void (holds || problems.push(text));
  must(first !== undefined || mayHaveNoResponse, 'the call received no response');
  must(!after.orders.includes('open'), 'an order is still open');
  if (trial.cell.operation === 'lead status') {
    must(after.leadFees === 1, `${after.leadFees} lead fees`);
    const claims = first?.status === 503 && /Nothing was charged/.test(first.body.message);
    must(
      !(claims && evidence.before.leadFees > 0),
      'the response states that nothing was charged, but the fee was charged',
    );
    must(evidence.second?.body.data?.lead_status === 'approved', `the lead is ${describe(evidence.second)}`);
    return problems;
  }
  must(sent <= after.orders.length, `${sent} calls for ${after.orders.length} orders`);
  checkClaim(evidence, must);
  if (isPayment(trial.cell.operation)) checkPayment(evidence, must);
  else checkLookup(evidence, must);
  return problems;
}

/**
 * An order without a status check: a process that was killed before its claim leads to a refund, after its claim to manual
 * review.
 */
function checkClaim({ trial: { cell }, before: { orders }, sent, fired }: Evidence, must: Must): void {
  if (!fired) return;
  const [state] = orders;
  const died = cell.fault === 'SIGKILL' && cell.operation === 'recharge MOKSHIQ';
  if (died && (cell.point === 'after T1' || cell.point === 'before the claim'))
    must(state === 'failed' && sent === 0, `never claimed, ${state}, sent ${sent} times`);
  if (cell.point === 'after the claim') must(state === 'review' && sent === 0, `claimed, ${state}, sent ${sent} times`);
}

type Must = (holds: boolean, text: string) => void;

function checkPayment({ trial, first, second, before, after, book }: Evidence, must: Must): void {
  must(after.orders.length === 1, `${after.orders.length} orders`);
  const [state] = after.orders;
  const lines = book.filter(({ account }) => account === trial.text);
  const succeeded = lines.filter(({ outcome }) => outcome === 'succeeded');
  const reversed = lines.length - succeeded.length;
  must(
    succeeded.every(({ amount }) => amount === AMOUNT_PAISE),
    'a different amount was processed',
  );
  if (state === 'success') must(succeeded.length === 1, `success, processed ${succeeded.length} times`);
  // a status check may find the reversal before the success was known
  if (state === 'failed') must(succeeded.length === reversed, `failed, processed ${succeeded.length} times`);
  must(succeeded.length <= 1, `processed ${succeeded.length} times`);
  agrees(first, before.orders[0], 'the response', must);
  if (trial.cell.operation === 'bill pay' && before.orders.length > 0) {
    const word = { success: 'success', failed: 'failed', review: 'pending', open: 'pending' }[before.orders[0]!];
    must(second?.status === 409, `the response to the retry was ${describe(second)}`);
    must(
      second?.headers.get('x-order-status') === word,
      `X-Order-Status ${second?.headers.get('x-order-status')} of ${word}`,
    );
  } else {
    must(second !== undefined, 'the retry received no response');
    agrees(second, state, 'the retry', must);
  }
}

/** A success is final, a failure is refunded, a rejection moved no money; everything else is pending. */
function agrees(reply: Reply | undefined, state: State | undefined, label: string, must: Must): void {
  if (!reply) return;
  switch (reply.status) {
    case 200:
      return reply.body.status === 'pending'
        ? must(state !== undefined, `${label} is pending, and there is no order`)
        : must(state === 'success', `${label} is success, the order ${state}`);
    case 400:
      return must(
        reply.body.code === 'PROVIDER_DECLINED' && state === 'failed',
        `${label} is ${describe(reply)}, the order ${state}`,
      );
    case 503:
      must(Number(reply.headers.get('retry-after')) >= 1, `${label} is 503 without Retry-After`);
      return must(state === undefined || state === 'failed', `${label} is 503, the order ${state}`);
    default:
      must(false, `${label} is ${describe(reply)}`);
  }
}

function checkLookup({ first, second, before, after, sent }: Evidence, must: Must): void {
  must(
    after.orders.every((state) => state === 'success' || state === 'failed'),
    `lookups are ${after.orders.join()}`,
  );
  // each call sends once; an order that waited longer than its lease was refunded unsent, and the call placed another one
  must(sent <= 2 && after.orders.length <= 3, `${after.orders.length} orders, ${sent} sent`);
  const allowed = (reply: Reply): boolean =>
    reply.status === 200 || (reply.status === 400 && reply.body.code === 'PROVIDER_FAILED') || reply.status === 503;
  for (const reply of [first, second]) if (reply) must(allowed(reply), `the response was ${describe(reply)}`);
  if (first?.status === 200)
    must(before.orders[0] === 'success', `the response is success, the order ${before.orders[0]}`);
  if (first?.status === 503) must(!before.orders.includes('success'), 'rejected and charged');
  must(second !== undefined, 'the retry received no response');
  if (before.orders[0] === 'success') {
    must(second?.status === 200 && second.body.fee === 0, `the retry of a success is ${describe(second)}`);
    must(after.orders.length === 1, 'the retry of a success was charged');
  }
}

const describe = (reply: Reply | undefined): string =>
  reply ? `${reply.status} ${JSON.stringify(reply.body).slice(0, 200)}` : 'nothing';
