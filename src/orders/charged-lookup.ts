import type { SpendingCaps } from '../accounts/keys/client-token.service.js';
import type { RequestContext } from '../core/context.js';
import { AppError } from '../core/errors.js';
import { newId, referenceOf } from '../core/ids.js';
import type { Logger } from '../core/log.js';
import { type Paise, ZERO } from '../core/money.js';
import { Poller } from '../core/poller.js';
import { type DeveloperPrincipal, feeOf } from '../core/principal.js';
import type { Service } from '../core/services.js';
import type { Queryable } from '../db/pool.js';
import type { Charged } from '../ledger/charged.types.js';
import type { WalletState } from '../ledger/ledger.service.js';
import { assertAvailable, sendFreeCall } from '../providers/calls.js';
import type { Outcome } from '../providers/outcome.js';
import type { Placing } from './placing.js';

const MINUTE_MS = 60_000;
/** Small enough that nobody waits for the rows. */
const BATCH = 500;

export interface LookupCall<Value> {
  principal: DeveloperPrincipal;
  operation: 'lookup' | 'card_bill';
  /** Whose fee it is, and whose flag the policy has checked. */
  service: Service;
  /** The whole request, the caller's orderid included: an equal one within ten minutes gets the stored answer for nothing. */
  identity: object;
  /** Mobile, subscriber or card number. */
  account: string;
  provider: string;
  /** False while the provider's breaker is open. */
  available: boolean;
  /** Asks the provider once. `Value` must survive JSON: text and numbers, no bigint, no Date. */
  call: (reference: string) => Promise<Outcome<Value>>;
}

export interface LookupAnswer<Value> {
  value: Value;
  /** Zero in UAT, and for an answer that was given before. */
  feePaise: Paise;
  /** Right after the fee was taken; undefined where the call itself did not touch it. */
  wallet: WalletState | undefined;
  replayed: boolean;
}

/** Lookups that cost a fee: held before the call, kept when it succeeds, given back when it does not. A free call has no order. */
export class ChargedLookups {
  constructor(
    private readonly orders: Placing,
    private readonly caps: SpendingCaps,
  ) {}

  /**
   * Errors: PROVIDER_UNAVAILABLE, SPENDING_CAP_REACHED and INSUFFICIENT_BALANCE before money moves, PROVIDER_FAILED (any fee is refunded), and
   * DEPENDENCY_DOWN when the database went away before the lookup was decided.
   */
  async run<Value>(lookup: LookupCall<Value>): Promise<LookupAnswer<Value>> {
    const { principal, service, call } = lookup;
    const feePaise = feeOf(principal, service);
    if (feePaise === 0n) {
      const value = await sendFreeCall(lookup, () => call(referenceOf(newId())));
      return { value, feePaise: ZERO, wallet: undefined, replayed: false };
    }
    const { client, tokenHash } = principal;
    if (!client) return this.#charged(lookup, feePaise);
    await this.caps.reserve(tokenHash, feePaise);
    try {
      const answer = await this.#charged(lookup, feePaise);
      if (answer.replayed) await this.caps.giveBack(tokenHash, feePaise);
      return answer;
    } catch (error) {
      // a fee of which nobody knows whether it was kept counts as spent
      if (error instanceof AppError && !error.charged) await this.caps.giveBack(tokenHash, feePaise);
      throw error;
    }
  }

  async #charged<Value>(lookup: LookupCall<Value>, feePaise: Paise): Promise<LookupAnswer<Value>> {
    const { principal, operation, service, identity, account, provider, call } = lookup;
    const first = await this.orders.place<Value>({
      principal,
      operation,
      amountPaise: feePaise,
      // keyed: the request holds a number that a plain hash would give away
      clientKey: this.orders.fingerprintOf({ service, ...identity }).toString('base64url'),
      identity: { service, ...identity },
      account,
      provider,
      request: () => {
        assertAvailable(lookup);
        return { service };
      },
      send: call,
    });
    // no answer says that a lookup failed whose fee may still be taken
    const placed = first.status === 'pending' ? await this.orders.decide<Value>(principal.developerId, first) : first;
    if (placed.status !== 'success' || placed.value === undefined) throw new AppError('PROVIDER_FAILED');
    return {
      value: placed.value,
      feePaise: placed.replayed ? ZERO : feePaise,
      wallet: { balancePaise: placed.balancePaise, version: placed.version },
      replayed: placed.replayed,
    };
  }
}

/** What every charged answer says; a repetition that cost nothing is marked on the response. */
export function chargedView(
  { feePaise, wallet, replayed }: Omit<LookupAnswer<unknown>, 'value'>,
  context: RequestContext,
): Charged {
  if (replayed) context.replayed = true;
  if (feePaise > ZERO) context.notes?.keptMoney();
  if (wallet) context.shownWallet?.charged(wallet);
  return { fee: feePaise, replayed, walletAfter: wallet };
}

/** Forgets the answers of lookups that cannot be repeated for nothing any more; fewer than `limit`: there are no more. */
export async function releaseLookups(db: Queryable, limit: number): Promise<number> {
  const { rows } = await db.query<{ count: number }>({
    text: 'select lookup_release($1) as count',
    values: [limit],
  });
  return rows[0]!.count;
}

/** Every minute: a paid plan lookup is more to keep than all else of an order, and is of use for ten minutes. */
export const createLookupRelease = (db: Queryable, log: Logger): Poller =>
  new Poller(
    async () => (await releaseLookups(db, BATCH)) === BATCH,
    MINUTE_MS,
    (err) => log.warn({ err }, 'answers of lookups are kept longer, the next round tries again'),
  );
