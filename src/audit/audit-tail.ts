import type { MikroORM } from '../db/orm.js';
import type { PatientQuery } from '../db/patience.js';

/** Number and hash of an entry. */
export interface TailEntry {
  id: string;
  hash: Buffer;
}

/** Where the audit log ends, and what of it this process knows to be gone. */
export interface TailFigures {
  lastId: number;
  missing: number;
}

/** The tail of the transactions of an ORM; what is lost is anchored. */
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
 * The newest entry that this process knows to be committed, kept in its memory: a counter outside the chain, which nobody sets back with
 * SQL. It finds that the end of the log was cut off after the last anchor, also where other entries have taken the numbers since.
 */
export class AuditTail {
  #seen: TailEntry | undefined;
  #missing = 0;
  readonly #written = new WeakMap<object, TailEntry>();

  /** @param onLost takes the entry that is gone; it must not reject */
  constructor(private readonly onLost: (entry: TailEntry) => Promise<void>) {}

  /** The last entry that a transaction has written so far. */
  wrote(transaction: object, entry: TailEntry): void {
    this.#written.set(transaction, entry);
  }

  /** The transaction has committed. */
  committed(transaction: object): void {
    const entry = this.#written.get(transaction);
    if (entry && BigInt(entry.id) > BigInt(this.#seen?.id ?? 0)) this.#seen = entry;
  }

  /** Compares the end of the log with the newest entry that was seen. */
  async look(query: PatientQuery): Promise<TailFigures> {
    const seen = this.#seen;
    type Row = { id: string | null; hash: Buffer | null; seen: Buffer | null };
    const [row] = await query<Row>({ text: END, values: [seen?.id ?? null] });
    const { id, hash, seen: found } = row!;
    const last = id === null || hash === null ? undefined : { id, hash };
    const isLost = seen !== undefined && (found === null || !found.equals(seen.hash));
    if (isLost) {
      // at least the one that was seen; how many, where the numbers were not used again
      this.#missing += Math.max(Number(seen.id) - Number(last?.id ?? 0), 1);
      await this.onLost(seen);
    }
    // a commit of this process during the query is newer than its result
    if (this.#seen === seen && (isLost || BigInt(last?.id ?? 0) > BigInt(seen?.id ?? 0))) this.#seen = last;
    return { lastId: Number(last?.id ?? 0), missing: this.#missing };
  }
}
