import { createHash } from 'node:crypto';
import path from 'node:path';
import type { Pool } from 'pg';
import { AnchorWriter } from '../../src/audit/anchor.writer.js';
import { AuditService, GENESIS } from '../../src/audit/audit.service.js';
import { AuditKeys } from '../../src/audit/audit-keys.js';
import { readAuditLog } from '../../src/audit/audit-log.reader.js';
import { type AuditTail, watchTail } from '../../src/audit/audit-tail.js';
import { checkAuditLogChain } from '../../src/cli/doctor-audit.js';
import type { Finding } from '../../src/cli/finding.js';
import { createLogger } from '../../src/core/log.js';
import { canonicalJson, Secret } from '../../src/core/secret.js';
import { closeOrm, type MikroORM, openOrm } from '../../src/db/orm.js';
import { createPool } from '../../src/db/pool.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { temporaryDirectory } from '../support/temporary-directory.js';

/** Keys by their fill bytes, newest first. */
export const keysOf = (...fills: number[]): AuditKeys =>
  new AuditKeys(fills.map((fill) => ({ id: `k-${fill}`, key: new Secret(Buffer.alloc(32, fill).toString('base64')) })));

/** An audit log on a separate database, without the application. */
export interface TestAuditLog {
  /** Connection as the owner of the tables, who can change everything in them. */
  db: TestDatabase;
  pool: Pool;
  anchorFile: string;
  /** The tail of the writing process. */
  tail: AuditTail;
  /** Adds entries, as the application does. */
  write(count: number, keys?: AuditKeys, options?: { withoutTail?: boolean }): Promise<void>;
  /** Adds an entry in a transaction that is rolled back. */
  rollBack(): Promise<void>;
  anchor(file?: string, keys?: AuditKeys): Promise<void>;
  /** Runs the check of the doctor; compares with the file of this audit log by default. */
  check(keys?: AuditKeys, reported?: readonly string[]): Promise<Finding>;
  /** Recalculates the hash of every entry from its columns with `hashOf`, as the owner of the table can. */
  remake(hashOf: (previous: Buffer, entry: Parameters<AuditKeys['entryHash']>[1]) => Buffer): Promise<void>;
  close(): Promise<void>;
}

/** Created as in the service. */
function tailOf(orm: MikroORM, keys: AuditKeys, { file, pool }: { file: string; pool: Pool }): AuditTail {
  const anchors = new AnchorWriter(pool, keys, { file, intervalMs: 60_000 }, createLogger('silent'));
  return watchTail(orm, anchors);
}

export const plainHash = (previous: Buffer, entry: object): Buffer =>
  createHash('sha256').update(previous).update(canonicalJson(entry)).digest();

export async function startTestAuditLog(): Promise<TestAuditLog> {
  const db = await createTestDatabase();
  const pool = createPool(db.url, { max: 2 });
  const orm = openOrm(pool, []);
  const anchorFile = path.join(temporaryDirectory(), 'anchors.jsonl');
  const ownKeys = keysOf(1);
  let entryCount = 0;
  const tail = tailOf(orm, ownKeys, { file: anchorFile, pool });
  return {
    tail,
    db,
    pool,
    anchorFile,
    rollBack: () =>
      orm.em.fork().transactional(async (tx) => {
        const record = { action: 'audit.export', subject: 'test', before: null, after: null } as const;
        await new AuditService(ownKeys, tail).record({ actor: 'user:1', requestId: 'r' }, record, tx);
        throw new Error('rolled back');
      }),
    write: async (count, keys = ownKeys, { withoutTail = false } = {}) => {
      const audit = withoutTail ? new AuditService(keys) : new AuditService(keys, tail);
      for (let n = 0; n < count; n++) {
        const record = {
          action: 'setting.set_default_lead_customer',
          subject: `test:${++entryCount}`,
          before: null,
          after: { n: entryCount },
        } as const;
        await orm.em.fork().transactional((tx) => audit.record({ actor: 'user:1', requestId: 'r' }, record, tx));
      }
    },
    anchor: (file = anchorFile, keys = ownKeys) =>
      new AnchorWriter(pool, keys, { file, intervalMs: 60_000 }, createLogger('silent')).anchor(),
    check: (keys = ownKeys, named = []) => checkAuditLogChain(pool, keys, { ownFile: anchorFile, named }),
    remake: async (hashOf) => {
      let previous: Buffer = GENESIS;
      const columns: [string[], Buffer[], Buffer[]] = [[], [], []];
      for await (const { previous_hash: _previous, hash: _hash, ...entry } of readAuditLog(pool)) {
        const hash = hashOf(previous, entry);
        [entry.id, previous, hash].forEach((value, column) => columns[column]!.push(value as never));
        previous = hash;
      }
      await db.query(
        `update audit_entry set previous_hash = m.previous, hash = m.hash
         from unnest($1::bigint[], $2::bytea[], $3::bytea[]) m(id, previous, hash) where audit_entry.id = m.id`,
        columns,
      );
    },
    close: async () => {
      await closeOrm(orm, pool);
      await db.drop();
    },
  };
}
