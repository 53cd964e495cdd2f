import type { Environment } from '../core/environment.js';
import { type Paise, paise } from '../core/money.js';
import type { DeveloperId } from '../core/principal.js';
import { type Connectable, runOnce } from '../db/pool.js';
import { BUSY } from './posting-batcher.js';

/** The kinds of charged calls; each is an order. */
export type Operation = 'recharge' | 'card_payment' | 'card_bill' | 'lookup';

export interface Hold {
  developerId: DeveloperId;
  environment: Environment;
  operation: Operation;
  /** The order's id, made by the caller. */
  id: string;
  /** What the provider is sent: 25 characters. */
  reference: string;
  clientKey: string | null;
  fingerprint: Buffer;
  amountPaise: Paise;
  provider: string;
  /** What a sweeper needs to ask the provider, encrypted. */
  request: Buffer;
  accountHash: Buffer;
  /** Of a recharge. */
  operatorSpKey?: number | undefined;
  /** Hashes that it is found by beside its account, 16 bytes each, one after the other. */
  search?: Buffer | undefined;
  /** When a sweeper takes over if this process dies. */
  leaseMs: number;
  /** Present for a recharge without a key. If absent, an equal earlier recharge is ignored. */
  keyless?: KeylessRecharge | undefined;
}

/** Values that decide whether a recharge without a key repeats an earlier one. */
export interface KeylessRecharge {
  /** For so many seconds a performed one refuses its repetition, 0 for none. */
  guardS: number;
  /** Earliest instant of the monotonic clock at which its request can have reached this machine. */
  arrivedMs: number;
}

/** A wallet right after a posting, or when it was read. */
export interface WalletState {
  balancePaise: Paise;
  /** Grows with every change: of two states the higher one is newer. */
  version: number;
}

export interface HoldResult extends WalletState {
  /**
   * `duplicate`: an order with this key or id exists. The others wrote nothing either; `repetition`: without a key, and its answer is
   * that of `orderId`; `likely_duplicate`: without a key, and refused because of `orderId`.
   */
  outcome: 'accepted' | 'duplicate' | 'repetition' | 'likely_duplicate' | 'insufficient' | 'no_wallet';
  orderId: string;
  /** Of an accepted one: the performed recharge of the last minutes that it is equal to, both without a key. */
  likelyDuplicateOf?: string;
}

export interface LedgerResolution {
  developerId: DeveloperId;
  id: string;
  /** true settles the hold, false refunds it. */
  success: boolean;
  /** The stored answer, encrypted. */
  answer: Buffer;
  providerTxnId: string;
  event: 'response' | 'status_check' | 'resolution' | 'callback';
  detail: object;
  /** When a payment that succeeded is to be asked about once more; null: never. Lookups are not. */
  askAgainMs: number | null;
  /** Hashes that the order is to be found by, 16 bytes each, one after the other. */
  search?: Buffer;
  /** Of a payment that has failed: why. */
  decline?: string | undefined;
  /** Called before the resolution is posted again because the database is unavailable. */
  onRetry?: ((error: unknown) => void) | undefined;
}

export interface ResolutionResult extends WalletState {
  /** `already`: resolved before; nothing changed. */
  outcome: 'settle' | 'refund' | 'already';
  /** Null where nothing changed. */
  settledAt: Date | null;
}

const HOLD = `select * from ledger_hold($1::uuid[], $2::text[], $3::text[], $4::uuid[], $5::text[], $6::text[], $7::bytea[], $8::bigint[], $9::text[], $10::bytea[], $11::bytea[], $12::integer[], $13, $14::integer[], $15::integer[], $16::bytea[], $17::integer[])`;
const RESOLVE =
  'select * from ledger_resolve($1::uuid[], $2::uuid[], $3::boolean[], $4::bytea[], $5::text[], $6::text[], $7::jsonb[], $8::integer[], $9::bytea[], $10, $11::text[])';

/** No batch waits for locks in the database: it would hold the locks of its other items. */
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

/** Milliseconds since the request began to arrive. */
export const ageOf = ({ arrivedMs }: KeylessRecharge): number => Math.ceil(performance.now() - arrivedMs);

/** One statement for many holds, the results in their order; BUSY where a wallet is locked. */
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

/** Posts resolutions in one statement; BUSY if an order or a wallet is locked. */
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
      batch.map((item) => item.answer),
      batch.map((item) => item.providerTxnId),
      batch.map((item) => item.event),
      batch.map((item) => JSON.stringify(item.detail)),
      batch.map((item) => item.askAgainMs),
      batch.map((item) => item.search ?? null),
      SKIP_LOCKED,
      batch.map((item) => item.decline ?? null),
    ],
  });
  return rows.map((row) => (row.outcome === 'busy' ? BUSY : resolutionOf(row as ResolutionRow)));
}
