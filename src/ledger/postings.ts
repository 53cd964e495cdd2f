import type { Environment } from '../core/environment.js';
import { type Paise, paise } from '../core/money.js';
import type { DeveloperId } from '../core/principal.js';
import { type Connectable, runOnce } from '../db/pool.js';
import { BUSY } from './posting-batcher.js';

/** Kinds of charged calls. Each call is an order. */
export type Operation = 'recharge' | 'card_payment' | 'card_bill' | 'lookup';

export interface Hold {
  developerId: DeveloperId;
  environment: Environment;
  operation: Operation;
  /** ID of the order, created by the caller. */
  id: string;
  /** Reference sent to the provider, 25 characters. */
  reference: string;
  clientKey: string | null;
  fingerprint: Buffer;
  amountPaise: Paise;
  provider: string;
  /** Encrypted data for status checks by a sweeper. */
  request: Buffer;
  accountHash: Buffer;
  /** Operator key, only for recharges. */
  operatorSpKey?: number | undefined;
  /** Additional search hashes, 16 bytes each, concatenated. */
  search?: Buffer | undefined;
  /** Time after which a sweeper takes over if this process crashes. */
  leaseMs: number;
  /** Set for a recharge without an idempotency key. If omitted, earlier identical recharges are ignored. */
  keyless?: KeylessRecharge | undefined;
}

/** Values that determine whether a recharge without an idempotency key is a duplicate. */
export interface KeylessRecharge {
  /** Time in seconds during which a completed recharge blocks a duplicate; 0 disables the check. */
  guardS: number;
  /** Earliest time, by the monotonic clock, at which the request can have reached this machine. */
  arrivedMs: number;
}

/** State of a wallet after a posting or at the time it was read. */
export interface WalletState {
  balancePaise: Paise;
  /** Version of the wallet, which increases with every change. */
  version: number;
}

export interface HoldResult extends WalletState {
  /**
   * `duplicate`: an order with this idempotency key or ID exists. `repetition`: the response for this recharge without a key is
   * that of `orderId`. `likely_duplicate`: this recharge without a key is rejected because of `orderId`. Nothing is written
   * unless the outcome is `accepted`.
   */
  outcome: 'accepted' | 'duplicate' | 'repetition' | 'likely_duplicate' | 'insufficient' | 'no_wallet';
  orderId: string;
  /**
   * ID of an identical completed recharge without an idempotency key in the last minutes. It is set for an accepted recharge
   * without an idempotency key.
   */
  likelyDuplicateOf?: string;
}

export interface LedgerResolution {
  developerId: DeveloperId;
  id: string;
  /** Whether to settle the hold (true) or refund it (false). */
  success: boolean;
  /** Stored response, encrypted. */
  result: Buffer;
  providerTxnId: string;
  event: 'response' | 'status_check' | 'resolution' | 'callback';
  detail: object;
  /** Delay until the next status check of a successful payment. It is null if no check is needed, as for lookups. */
  recheckAfterMs: number | null;
  /** Search hashes of the order, 16 bytes each, concatenated. */
  search?: Buffer;
  /** Decline reason of a failed payment. */
  decline?: string | undefined;
  /** Called before the resolution is posted again because the database was unavailable. */
  onRetry?: ((error: unknown) => void) | undefined;
}

export interface ResolutionResult extends WalletState {
  /** `already`: the order had been resolved earlier, and nothing changed. */
  outcome: 'settle' | 'refund' | 'already';
  /** Time of the settlement. It is null if nothing changed. */
  settledAt: Date | null;
}

const HOLD = `select * from ledger_hold($1::uuid[], $2::text[], $3::text[], $4::uuid[], $5::text[], $6::text[], $7::bytea[], $8::bigint[], $9::text[], $10::bytea[], $11::bytea[], $12::integer[], $13, $14::integer[], $15::integer[], $16::bytea[], $17::integer[])`;
const RESOLVE =
  'select * from ledger_resolve($1::uuid[], $2::uuid[], $3::boolean[], $4::bytea[], $5::text[], $6::text[], $7::jsonb[], $8::integer[], $9::bytea[], $10, $11::text[])';

/**
 * Whether locked rows are skipped. A batch does not wait for database locks, because it would hold the locks of its other items
 * while it waits.
 */
const SKIP_LOCKED = true;

export interface StateRow {
  balance: string | null;
  version: string | null;
}

interface HoldRow extends StateRow {
  outcome: HoldResult['outcome'] | 'busy';
  order_id: string;
  likely_duplicate_of: string | null;
}

export interface ResolutionRow extends StateRow {
  outcome: ResolutionResult['outcome'];
  settled_at: string | Date | null;
}

export const stateOf = ({ balance, version }: StateRow): WalletState => ({
  balancePaise: paise(balance ?? 0),
  version: Number(version ?? 0),
});

export const resolutionOf = ({ outcome, settled_at, ...state }: ResolutionRow): ResolutionResult => ({
  outcome,
  settledAt: settled_at === null ? null : new Date(settled_at),
  ...stateOf(state),
});

/** Returns the milliseconds since the request started to arrive. */
export const ageOf = ({ arrivedMs }: KeylessRecharge): number => Math.ceil(performance.now() - arrivedMs);

/** Posts holds in one statement. Returns the results in order. A result is BUSY if the wallet is locked. */
export async function postHolds(db: Connectable, batch: Hold[]): Promise<(HoldResult | typeof BUSY)[]> {
  const { rows } = await runOnce<HoldRow>(db, {
    name: 'ledger-hold',
    text: HOLD,
    values: [
      batch.map((hold) => hold.developerId),
      batch.map((hold) => hold.environment),
      batch.map((hold) => hold.operation),
      batch.map((hold) => hold.id),
      batch.map((hold) => hold.reference),
      batch.map((hold) => hold.clientKey),
      batch.map((hold) => hold.fingerprint),
      batch.map((hold) => String(hold.amountPaise)),
      batch.map((hold) => hold.provider),
      batch.map((hold) => hold.request),
      batch.map((hold) => hold.accountHash),
      batch.map((hold) => hold.leaseMs),
      SKIP_LOCKED,
      batch.map(({ keyless }) => keyless?.guardS ?? null),
      batch.map((hold) => hold.operatorSpKey ?? null),
      batch.map((hold) => hold.search ?? null),
      batch.map(({ keyless }) => keyless && ageOf(keyless)),
    ],
  });
  return rows.map(({ outcome, order_id, likely_duplicate_of, ...state }) =>
    outcome === 'busy'
      ? BUSY
      : { outcome, orderId: order_id, likelyDuplicateOf: likely_duplicate_of ?? undefined, ...stateOf(state) },
  );
}

/** Posts resolutions in one statement. A result is BUSY if the order or the wallet is locked. */
export async function postResolutions(
  db: Connectable,
  batch: LedgerResolution[],
): Promise<(ResolutionResult | typeof BUSY)[]> {
  const { rows } = await runOnce<ResolutionRow | ({ outcome: 'busy' } & StateRow)>(db, {
    name: 'ledger-resolve',
    text: RESOLVE,
    values: [
      batch.map((item) => item.developerId),
      batch.map((item) => item.id),
      batch.map((item) => item.success),
      batch.map((item) => item.result),
      batch.map((item) => item.providerTxnId),
      batch.map((item) => item.event),
      batch.map((item) => JSON.stringify(item.detail)),
      batch.map((item) => item.recheckAfterMs),
      batch.map((item) => item.search ?? null),
      SKIP_LOCKED,
      batch.map((item) => item.decline ?? null),
    ],
  });
  return rows.map((row) => (row.outcome === 'busy' ? BUSY : resolutionOf(row as ResolutionRow)));
}
