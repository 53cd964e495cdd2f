import { AuditService } from '../../src/audit/audit.service.js';
import { checkAuditLog } from '../../src/audit/audit-check.js';
import { AuditKeys } from '../../src/audit/audit-keys.js';
import { compareAll } from '../../src/audit/comparison.js';
import { newId } from '../../src/core/ids.js';
import { Secret } from '../../src/core/secret.js';
import type { EntityManager } from '../../src/db/orm.js';
import type { Queryable } from '../../src/db/pool.js';
import type { LedgerService, Posting, PostingResult } from '../../src/ledger/ledger.service.js';

const key = Buffer.alloc(32, 9).toString('base64');

/** AUDIT_KEYS of every process under test. */
export const AUDIT_KEYS = `test-1:${key}`;
export const auditKeys = new AuditKeys([{ id: 'test-1', key: new Secret(key) }]);
export const auditService = new AuditService(auditKeys);

/** Problems of the audit log; empty if its chain is complete. */
export const auditProblems = async (db: Queryable): Promise<readonly string[]> =>
  (await checkAuditLog(db, auditKeys, [])).problems;

/** Account rows that the audit log does not explain. A test that writes such rows restores them. */
export async function unexplainedRows(db: Queryable): Promise<string[]> {
  const lines: string[] = [];
  for await (const { text } of compareAll(db, auditKeys)) lines.push(text);
  return lines;
}

/** A top-up with its audit entry, in the transaction of `tx`. */
export async function topUpWith(
  ledger: LedgerService,
  credit: Pick<Posting, 'developerId' | 'environment' | 'amountPaise' | 'reference'>,
  tx: EntityManager,
): Promise<PostingResult['outcome']> {
  const { developerId, environment, amountPaise, reference } = credit;
  const id = newId();
  const { outcome } = await ledger.post({ ...credit, subjectId: id, kind: 'top_up' }, tx);
  if (outcome !== 'posted') return outcome;
  const subject = `developer:${developerId}/${environment}`;
  await auditService.record(
    { actor: 'system:test', requestId: 'test' },
    { action: 'wallet.credit', subject, before: null, after: { reference }, posting: { id, amountPaise } },
    tx,
  );
  return outcome;
}

/** Funds the empty Production wallets of developers without an audit entry, as only the owner of the tables can. */
export const fundWallets = (
  query: (sql: string, values: unknown[]) => Promise<unknown>,
  developerIds: readonly string[],
  paise: number,
): Promise<unknown> =>
  query(
    `with funded as (
       update wallet set balance_paise = $2::bigint, version = 1
       where developer_id = any($1::uuid[]) and environment = 'production' and version = 0 returning developer_id),
     posted as (
     insert into transfer (developer_id, subject_id, step, kind, operation, environment, amount_paise, wallet_version, balance_after_paise, reference)
     select developer_id, uuidv7(), 1, 'top_up', 'top_up', 'production', $2::bigint, 1, $2::bigint, 'opening' from funded
     returning developer_id, environment, kind, reference_key(reference), subject_id)
     insert into ledger_reference select * from posted`,
    [developerIds, paise],
  );
