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
import type { OrderService } from './order.service.js';

const MINUTE_MS = 60_000;
/** Maximum number of rows per batch. It is small, so that rows are not locked for long. */
const BATCH = 500;

export interface LookupCall<Value> {
  principal: DeveloperPrincipal;
  operation: 'lookup' | 'card_bill';
  /** Service that determines the fee. The policy has already checked that it is enabled. */
  service: Service;
  /**
   * Complete request, including the caller's orderid. An identical request within ten minutes returns the stored response
   * without a fee.
   */
  identity: object;
  /** Mobile, subscriber or card number. */
  account: string;
  provider: string;
  /** Whether the provider can be called. False while its circuit breaker is open. */
  available: boolean;
  /** Calls the provider once. `Value` must survive JSON, so it can contain text and numbers but no bigint or Date. */
  call: (reference: string) => Promise<Outcome<Value>>;
}

export interface LookupResult<Value> {
  value: Value;
  /** Fee of this call. Zero in UAT and for a replayed response. */
  feePaise: Paise;
  /** Wallet state right after the fee was debited. Undefined if this call did not change the wallet. */
  wallet: WalletState | undefined;
  replayed: boolean;
}

/**
 * Lookups with a fee. The fee is held before the call, kept if the call succeeds, and refunded if it fails. A lookup without a
 * fee creates no order.
 */
export class ChargedLookups {
  constructor(
    private readonly orders: OrderService,
    private readonly caps: SpendingCaps,
  ) {}

  /**
   * Runs a lookup. Before money moves, throws PROVIDER_UNAVAILABLE, SPENDING_CAP_REACHED or INSUFFICIENT_BALANCE. After that,
   * throws PROVIDER_FAILED (the fee is refunded), or DEPENDENCY_DOWN if the database became unavailable before the lookup was
   * final.
   */
  async run<Value>(lookup: LookupCall<Value>): Promise<LookupResult<Value>> {
    const { principal, service, call } = lookup;
    const feePaise = feeOf(principal, service);
    if (feePaise === 0n) {
      const value = await sendFreeCall(lookup, () => call(referenceOf(newId())));
      return { value, feePaise: ZERO, wallet: undefined, replayed: false };
    }
    const { client, tokenHash } = principal;
    if (!client) return this.#runCharged(lookup, feePaise);
    await this.caps.reserve(tokenHash, feePaise);
    try {
      const result = await this.#runCharged(lookup, feePaise);
      if (result.replayed) await this.caps.giveBack(tokenHash, feePaise);
      return result;
    } catch (error) {
      // a fee counts as spent if it is unknown whether it was kept
      if (error instanceof AppError && !error.charged) await this.caps.giveBack(tokenHash, feePaise);
      throw error;
    }
  }

  async #runCharged<Value>(lookup: LookupCall<Value>, feePaise: Paise): Promise<LookupResult<Value>> {
    const { principal, operation, service, identity, account, provider, call } = lookup;
    const placedResult = await this.orders.place<Value>({
      principal,
      operation,
      amountPaise: feePaise,
      // a keyed hash is used, because the number in the request could be guessed from a plain hash
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
    // while the fee may still be charged, an error must not report that the lookup failed
    const result =
      placedResult.status === 'pending'
        ? await this.orders.resolve<Value>(principal.developerId, placedResult)
        : placedResult;
    if (result.status !== 'success' || result.value === undefined) throw new AppError('PROVIDER_FAILED');
    return {
      value: result.value,
      feePaise: result.replayed ? ZERO : feePaise,
      wallet: { balancePaise: result.balancePaise, version: result.version },
      replayed: result.replayed,
    };
  }
}

/** Returns the common fields of every charged response. A replayed response without a fee is marked. */
export function chargedView(
  { feePaise, wallet, replayed }: Omit<LookupResult<unknown>, 'value'>,
  context: RequestContext,
): Charged {
  if (replayed) context.replayed = true;
  if (feePaise > ZERO) context.notes?.noteKeptMoney();
  if (wallet) context.responseWallet?.update(wallet);
  return { fee: feePaise, replayed, walletAfter: wallet };
}

/**
 * Deletes the stored responses of lookups that can no longer be replayed. If the returned number is below `limit`, none are
 * left.
 */
export async function releaseLookups(db: Queryable, limit: number): Promise<number> {
  const { rows } = await db.query<{ count: number }>({
    text: 'select lookup_release($1) as count',
    values: [limit],
  });
  return rows[0]!.count;
}

/**
 * Creates the loop that deletes stored responses every minute. The response of a plan lookup is larger than the rest of its
 * order and is useful for only ten minutes.
 */
export const createLookupRelease = (db: Queryable, log: Logger): Poller =>
  new Poller(
    async () => (await releaseLookups(db, BATCH)) === BATCH,
    MINUTE_MS,
    (err) => log.warn({ err }, 'deleting expired lookup responses failed, retrying in the next round'),
  );
