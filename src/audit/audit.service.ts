import { createHash } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { canonicalJson } from '../core/canonical-json.js';

/** Who acts, for the audit trail: `user:7`, or `system:seed` for a command. */
export interface Actor {
  actor: string;
  requestId: string;
}

export interface AuditRecord {
  /** What was done, e.g. `developer.approve`. */
  action: string;
  /** What it was done to, e.g. `developer:1001`. */
  subject: string;
  before: object | null;
  after: object | null;
  reason?: string;
}

interface Entry extends AuditRecord {
  id: string;
  at: string;
  actor: string;
  request_id: string;
  reason: string;
}

/** One lock number for the chain: entries are written one after the other, each knows the one before it. */
const CHAIN_LOCK = 7_401_251;
const GENESIS = Buffer.alloc(32);

/** Hash of one link: every column, in canonical JSON, behind the previous hash. */
function linkHash(previous: Buffer, entry: Entry): Buffer {
  return createHash('sha256').update(previous).update(canonicalJson(entry)).digest();
}

/** The append-only, hash-chained trail of everything that an admin, a user or a command changed. */
export class AuditService {
  /** Adds an entry in the caller's transaction: the change and its trace commit together. */
  async record({ actor, requestId }: Actor, record: AuditRecord, em: EntityManager): Promise<void> {
    const db = em.getKysely();
    await sql`select pg_advisory_xact_lock(${CHAIN_LOCK}::bigint)`.execute(db);
    const { rows } = await sql<{
      id: string;
      hash: Buffer;
    }>`select id::text, hash from audit_entry order by audit_entry.id desc limit 1`.execute(db);
    const previous = rows[0]?.hash ?? GENESIS;
    const entry: Entry = {
      ...record,
      id: String(BigInt(rows[0]?.id ?? 0) + 1n),
      at: new Date().toISOString(),
      actor,
      request_id: requestId,
      reason: record.reason ?? '',
    };
    await sql`insert into audit_entry (id, at, actor, action, subject, before, after, reason, request_id, previous_hash, hash)
      values (${entry.id}::bigint, ${entry.at}::timestamptz, ${entry.actor}, ${entry.action}, ${entry.subject}, ${JSON.stringify(entry.before)}::jsonb,
        ${JSON.stringify(entry.after)}::jsonb, ${entry.reason}, ${entry.request_id}, ${previous}, ${linkHash(previous, entry)})`.execute(
      db,
    );
  }

  /** The first entry whose hash does not follow from the one before it; undefined when the chain is whole. */
  async firstBrokenLink(em: EntityManager): Promise<string | undefined> {
    let previous: Buffer = GENESIS;
    let after = '0';
    for (;;) {
      const { rows } = await sql<Entry & { previous_hash: Buffer; hash: Buffer; at_ms: string }>`
        select id::text, (extract(epoch from at) * 1000)::bigint::text as at_ms, actor, action, subject, before, after, reason, request_id, previous_hash, hash
        from audit_entry where audit_entry.id > ${after}::bigint order by audit_entry.id limit 1000`.execute(
        em.getKysely(),
      );
      for (const { previous_hash, hash, at_ms, ...columns } of rows) {
        const expectedId = String(BigInt(after) + 1n);
        const link = linkHash(previous, { ...columns, at: new Date(Number(at_ms)).toISOString() });
        if (columns.id !== expectedId || !previous_hash.equals(previous) || !hash.equals(link)) return expectedId;
        previous = hash;
        after = columns.id;
      }
      if (rows.length === 0) return undefined;
    }
  }
}
