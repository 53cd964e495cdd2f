import { magicNumbers } from '../../../src/core/magic-numbers.js';
import { leadProducts } from '../../../src/simulator/lead-catalogue.js';
import { rechargeBody } from '../../support/recharges.js';
import type { Account } from '../support/accounts.js';
import type { Lane } from '../support/lane.js';
import type { Call } from '../support/station.js';
import { type Cell, moneyOutcomes, type Outcome } from './cells.js';

/** One cell with its call and account. */
export interface Trial {
  cell: Cell;
  account: Account;
  /** Identifies the call at the provider: a mobile number or lead code that is unique in the lane. */
  text: string;
  call: Call;
}

/** Amount of every payment, in paise. */
export const AMOUNT_PAISE = 1_000;

const suffixes = Object.entries(magicNumbers);
/** Required ending of a mobile number. Plain numbers do not have 54 at this position. */
function endingOf({ operation, outcome }: Cell): string {
  // One number scripts both the fetch and the payment of a bill, so numbers for payments are scripted in the simulator.
  if (operation === 'bill pay') return `5490${String(moneyOutcomes.indexOf(outcome as never)).padStart(2, '0')}`;
  const [suffix] =
    suffixes.find(([, { money, lookup }]) => outcome !== 'success' && (money === outcome || lookup === outcome)) ?? [];
  return suffix === undefined ? '100000' : `54${suffix}`;
}

let numbers = 0;
/** There are 4,000 numbers for every ending. */
function mobileFor(cell: Cell): string {
  const serial = numbers++ % 4_000;
  return `${9 - Math.floor(serial / 1_000)}${String(serial % 1_000).padStart(3, '0')}${endingOf(cell)}`;
}

const BILLS = '/api/v1/bill-payment/credit-card';
let keys = 0;

/** Builds the calls of the cells, each with its own account, and their prerequisites: fetched bills and leads. */
export async function prepare(lane: Lane, cells: readonly Cell[], accounts: readonly Account[]): Promise<Trial[]> {
  const mokshiq = cells.flatMap(({ operation }, n) =>
    operation === 'recharge MOKSHIQ' ? [accounts[n]!.developerId] : [],
  );
  await lane.db.query(
    `update developer set recharge_provider = case when id = any($1::uuid[]) then 'MOKSHIQ' else 'ROUNDPAY' end where id = any($2::uuid[])`,
    [mokshiq, accounts.map(({ developerId }) => developerId)],
  );
  const paid = cells.filter(({ operation }) => operation === 'bill pay');
  const scripts = new Map(paid.map((cell) => [endingOf(cell).slice(2), cell.outcome]));
  for (const suffix of scripts.keys()) await lane.simulator.outcome(suffix, 'success');
  const trials = await Promise.all(cells.map((cell, n) => trialOf(lane, cell, accounts[n]!)));
  for (const [suffix, outcome] of scripts) await lane.simulator.outcome(suffix, outcome);
  return trials;
}

async function trialOf(lane: Lane, cell: Cell, account: Account): Promise<Trial> {
  const { token } = account;
  const key = `k${++keys}`;
  const mobile = mobileFor(cell);
  const post = (path: string, body: object): Call => ({ method: 'POST', path, token, body });
  const card = { card: '1234', mobile, opcode: 'HDFC', orderid: key };
  switch (cell.operation) {
    case 'recharge ROUNDPAY':
    case 'recharge MOKSHIQ': {
      const body = rechargeBody({
        account_number: mobile,
        amount: AMOUNT_PAISE / 100,
        circle: 'Karnataka',
        client_request_id: key,
      });
      return { cell, account, text: mobile, call: post('/api/v1/recharge', body) };
    }
    case 'bill pay': {
      const fetched = await lane.survivor.call(post(`${BILLS}/bill-fetch`, { ...card, orderid: `${key}-fetch` }));
      const body = { ...card, amount: AMOUNT_PAISE / 100, fetch_id: fetched?.body.data?.fetch_id };
      if (!body.fetch_id) throw new Error(`The bill was not fetched: ${JSON.stringify(fetched?.body)}`);
      return { cell, account, text: mobile, call: post(`${BILLS}/bill-pay`, body) };
    }
    case 'paid lookup':
      return { cell, account, text: mobile, call: post('/api/v1/plan/operator-fetch', { mobile, orderid: key }) };
    case 'bill fetch':
      return { cell, account, text: mobile, call: post(`${BILLS}/bill-fetch`, card) };
    case 'lead status': {
      const created = await lane.survivor.call(post('/api/v1/leads', { product_id: leadProducts[0]!.productId }));
      const text = created?.body.data?.lead_code as string;
      if (!text) throw new Error(`The lead was not created: ${JSON.stringify(created?.body)}`);
      const call: Call = { method: 'GET', path: `/api/v1/leads/status?lead_code=${text}`, token };
      // pending, then submitted; the next call finds the lead approved
      for (let n = 0; n < 2; n++) await lane.survivor.call(call);
      return { cell, account, text, call };
    }
  }
}

/** Outcomes for which the provider does not respond before the process stops waiting. */
export const isSilent = (outcome: Outcome): boolean => /^silent|^slow/.test(outcome);
