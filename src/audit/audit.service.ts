import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Paise } from '../core/money.js';
import type { AuditAction } from './audit-actions.js';
import type { AuditKeys, SignedEntry } from './audit-keys.js';
import type { AuditTail } from './audit-tail.js';

/** Actor in the audit log: `user:<id>`, or `system:seed` for a command. */
export interface Actor {
  actor: string;
  requestId: string;
  /** Address of the request in the format of the logs (`addressKey`). Commands omit it. */
  address?: string | undefined;
}

export interface AuditRecord {
  action: AuditAction;
  /** Subject of the action, for example `developer:<id>`. */
  subject: string;
  before: object | null;
  after: object | null;
  reason?: string;
  /** Top-up or correction that the entry records. The database rejects the commit of a top-up or correction without an entry. */
  posting?: { id: string; amountPaise: Paise };
}

/** Advisory lock of the chain. Entries are written one at a time, because each one links to the previous one. */
const CHAIN_LOCK = 7_401_251;
/** Maximum number of entries per statement. A statement can have at most 65,535 parameters, and an entry has sixteen. */
const ENTRIES_PER_STATEMENT = 500;
/** Value that the first entry uses as its previous hash. */
export const GENESIS = Buffer.alloc(32);

/** Append-only audit log of all changes by staff, users, applications and commands, chained by keyed hashes. */
export class AuditService {
  /** @param tail tracker of the last entry. Set only in a process that serves requests. */
  constructor(
    private readonly keys: AuditKeys,
    private readonly tail?: Pick<AuditTail, 'wrote'>,
  ) {}

  /** Adds an entry in the transaction of the caller, so that the change and its entry commit together. */
  async record(by: Actor, record: AuditRecord, em: EntityManager): Promise<void> {
    await this.recordAll(by, [record], em);
  }

  /** Adds several entries with few statements. The chain is locked until the transaction ends. */
  async recordAll(
    { actor, requestId, address }: Actor,
    records: readonly AuditRecord[],
    em: EntityManager,
  ): Promise<void> {
    const db = em.getKysely();
    await sql`select pg_advisory_xact_lock(${CHAIN_LOCK}::bigint)`.execute(db);
    const { rows } = await endOfAuditLog(
      records.map(({ subject }) => subject),
      actor,
    ).execute(db);
    const { accounts, ...end } = rows[0]!;
    let previous = end.hash ?? GENESIS;
    let lastId = BigInt(end.id ?? 0);
    const values = records.map(({ action, subject, before, after, reason = '', posting }, index) => {
      const entry: SignedEntry = {
        id: String(++lastId),
        at: new Date().toISOString(),
        actor,
        address: address ?? null,
        action,
        subject,
        developer_id: accounts[index] ?? null,
        before,
        after,
        reason,
        request_id: requestId,
        key_id: this.keys.currentKeyId,
        posting_id: posting?.id ?? null,
        amount_paise: posting ? String(posting.amountPaise) : null,
      };
      const hash = this.keys.entryHash(previous, entry)!;
      const row = sql`(${entry.id}::bigint, ${entry.at}::timestamptz, ${actor}, ${entry.address}, ${action}, ${subject},
        ${entry.developer_id}::uuid, ${JSON.stringify(before)}::jsonb,
        ${JSON.stringify(after)}::jsonb, ${reason}, ${requestId}, ${entry.key_id}, ${entry.posting_id}::uuid,
        ${entry.amount_paise}::bigint, ${previous}, ${hash})`;
      previous = hash;
      return row;
    });
    for (let index = 0; index < values.length; index += ENTRIES_PER_STATEMENT)
      await sql`insert into audit_entry
          (id, at, actor, address, action, subject, developer_id, before, after, reason, request_id, key_id, posting_id, amount_paise,
           previous_hash, hash)
        values ${sql.join(values.slice(index, index + ENTRIES_PER_STATEMENT))}`.execute(db);
    const transaction = em.getTransactionContext<object>();
    if (transaction && values.length > 0) this.tail?.wrote(transaction, { id: String(lastId), hash: previous });
  }
}

const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';

/**
 * SQL: the last entry, and the account of each subject. This is the subject itself, the account of a user or order, or that of
 * the actor. A single statement reads both, because the chain is locked.
 */
const endOfAuditLog = (subjects: readonly string[], actor: string) => sql<{
  id: string | null;
  hash: Buffer | null;
  accounts: (string | null)[];
}>`
  select last.id::text, last.hash, account.ids as accounts
  from (select array_agg(coalesce(
      substring(s.subject from ${`^developer:(${UUID})`}::text)::uuid,
      (select u.developer_id from app_user u where u.id = substring(s.subject from ${`^user:(${UUID})$`}::text)::uuid),
      (select o.developer_id from orders o where o.id = substring(s.subject from ${`^order:(${UUID})$`}::text)::uuid),
      substring(${actor}::text from ${`^token:(${UUID})$`}::text)::uuid,
      (select u.developer_id from app_user u where u.id = substring(${actor}::text from ${`^user:(${UUID})$`}::text)::uuid)
    )::text order by s.place) as ids
    from unnest(${subjects}::text[]) with ordinality s (subject, place)) account
  left join lateral (select id, hash from audit_entry order by audit_entry.id desc limit 1) last on true`;
