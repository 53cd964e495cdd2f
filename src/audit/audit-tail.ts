import type { MikroORM } from '../db/orm.js';
import type { PatientQuery } from '../db/patience.js';

export interface TailEntry {
  id: string;
  hash: Buffer;
}

/** Last entry of the audit log, and the number of entries known to be missing. */
export interface TailFigures {
  lastId: number;
  missing: number;
}

/** Watches the audit log in the transactions of an ORM. If entries are missing, the last known one is anchored. */
export function watchTail(orm: MikroORM, anchors: { lost(entry: TailEntry): Promise<void> }): AuditTail {
  const tail = new AuditTail((entry) => anchors.lost(entry));
  orm.em.getEventManager().registerSubscriber({
    afterTransactionCommit: async ({ transaction }) => {
      if (transaction) tail.committed(transaction);
    },
  });
  return tail;
}

const END = `select last.id::text, last.hash, (select a.hash from audit_entry a where a.id = $1::bigint) as seen
  from (values (1)) one (row) left join lateral (select a.id, a.hash from audit_entry a order by a.id desc limit 1) last on true`;

/**
 * Latest committed entry that this process knows, kept in memory where SQL cannot reset it. It detects that the end of the
 * audit log was removed after the last anchor, even if new entries reuse the numbers.
 */
export class AuditTail {
  #lastKnown: TailEntry | undefined;
  #missing = 0;
  readonly #pendingEntries = new WeakMap<object, TailEntry>();

  /** @param onLost receives the missing entry, and must not reject */
  constructor(private readonly onLost: (entry: TailEntry) => Promise<void>) {}

  /** Records the last entry that a transaction has written so far. */
  wrote(transaction: object, entry: TailEntry): void {
    this.#pendingEntries.set(transaction, entry);
  }

  /** Records that the transaction has committed. */
  committed(transaction: object): void {
    const entry = this.#pendingEntries.get(transaction);
    if (entry && BigInt(entry.id) > BigInt(this.#lastKnown?.id ?? 0)) this.#lastKnown = entry;
  }

  /** Compares the end of the audit log with the latest known entry. */
  async look(query: PatientQuery): Promise<TailFigures> {
    const lastKnown = this.#lastKnown;
    type Row = { id: string | null; hash: Buffer | null; seen: Buffer | null };
    const [row] = await query<Row>({ text: END, values: [lastKnown?.id ?? null] });
    const { id, hash, seen: storedHash } = row!;
    const last = id === null || hash === null ? undefined : { id, hash };
    const isLost = lastKnown !== undefined && (storedHash === null || !storedHash.equals(lastKnown.hash));
    if (isLost) {
      // at least the known entry is missing; the number is exact if no numbers were reused
      this.#missing += Math.max(Number(lastKnown.id) - Number(last?.id ?? 0), 1);
      await this.onLost(lastKnown);
    }
    // if this process committed during the query, its entry is newer than the result
    if (this.#lastKnown === lastKnown && (isLost || BigInt(last?.id ?? 0) > BigInt(lastKnown?.id ?? 0)))
      this.#lastKnown = last;
    return { lastId: Number(last?.id ?? 0), missing: this.#missing };
  }
}
