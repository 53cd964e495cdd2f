import type { BookLine } from '../../support/simulator.js';
import type { Lane } from '../support/lane.js';
import type { Reply } from '../support/station.js';
import { codeOf, type SoakCall } from './clients.js';

interface OrderRow {
  developer_id: string;
  operation: string;
  client_key: string | null;
  state: 'open' | 'success' | 'failed' | 'review';
  amount_paise: string;
  reference: string;
}

/** Lists all violations after every order has settled. Each recharge has a unique number. */
export async function violationsOf(lane: Lane, calls: readonly SoakCall[]): Promise<string[]> {
  const problems = await lane.violations();
  const all = await lane.simulator.book();
  const book = Map.groupBy(all, ({ account }) => account);
  const payments = calls.filter(({ kind }) => kind !== 'lookup');
  const reviews = await lane.db.query<{ n: number }>(
    `select count(*)::int as n from orders where operation in ('recharge', 'card_payment') and state = 'review'`,
  );
  for (const call of payments) {
    const linesOfCall = book.get(call.mobile) ?? [];
    const lines = linesOfCall.filter(({ outcome }) => outcome === 'succeeded');
    const reversed = linesOfCall.length > lines.length;
    if (lines.length > 1) problems.push(`${call.kind} ${call.mobile} was performed ${lines.length} times`);
    const outcomes = call.replies.map((reply) => reply && outcomeOf(reply));
    if (outcomes.includes('success') && lines.length !== 1)
      problems.push(`${call.kind} ${call.mobile}: success, not performed`);
    if (outcomes.includes('failed') && lines.length > 0 && !reversed)
      problems.push(`${call.kind} ${call.mobile}: failed, performed`);
    if (outcomes.includes('reversed') && !reversed) problems.push(`${call.kind} ${call.mobile}: reversed, performed`);
    if (outcomes.includes('success') && outcomes.includes('failed'))
      problems.push(`${call.kind} ${call.mobile}: success and failed`);
    for (const reply of call.replies)
      if (reply && outcomeOf(reply) === 'odd')
        problems.push(`${call.kind}: ${reply.status} ${JSON.stringify(reply.body).slice(0, 200)}`);
  }
  // compares orders with provider records: a payment that succeeded at the provider must be a success or in review
  const orders = await lane.db.query<{ reference: string; state: string; reversed: boolean }>(
    `select reference, state, reversed_at is not null as reversed from orders where operation in ('recharge', 'card_payment')`,
  );
  // a provider without references has no status check, so its reversals remain unknown
  const reversedOrders = new Set(
    all.flatMap(({ outcome, reference }) => (outcome === 'reversed' && reference !== null ? [reference] : [])),
  );
  for (const { reference, state, reversed } of orders)
    if (state === 'success' && reversed !== reversedOrders.has(reference))
      problems.push(
        `order ${reference} is ${reversed ? 'reversed' : 'a success'}, the provider ${reversed ? 'kept it' : 'took it back'}`,
      );
  const kept = all.filter(({ outcome }) => outcome === 'succeeded').length - reversedOrders.size;
  const success = orders.filter(({ state, reversed }) => state === 'success' && !reversed).length;
  if (kept < success || kept > success + reviews[0]!.n)
    problems.push(`${kept} performed and kept, ${success} successes, ${reviews[0]!.n} in review`);
  const lookups = await lane.db.query<OrderRow>(
    `select state from orders where operation not in ('recharge', 'card_payment') and state not in ('success', 'failed')`,
  );
  if (lookups.length > 0) problems.push(`${lookups.length} lookups are neither charged nor refunded`);
  return problems;
}

/** Meaning of a reply: a final status, nothing final, or something that no client should receive. */
function outcomeOf(reply: Reply): 'success' | 'failed' | 'reversed' | 'nothing final' | 'odd' {
  const code = codeOf(reply);
  const order = reply.body.data?.recharge?.order;
  if (order) return order.status === 'PENDING' ? 'nothing final' : order.status.toLowerCase();
  if (code === 'PROVIDER_DECLINED') return 'failed';
  if (code === 'REVERSED') return 'reversed';
  if (code === 'DUPLICATE_ORDER') {
    const status = reply.headers.get('x-order-status');
    return status === 'success' || status === 'failed' ? status : 'nothing final';
  }
  if (code && ['DEPENDENCY_DOWN', 'PROVIDER_UNAVAILABLE', 'OVERLOADED'].includes(code)) return 'nothing final';
  if (reply.status !== 200 || code) return 'odd';
  return reply.body.status === 'pending' ? 'nothing final' : 'success';
}

export type { BookLine };
