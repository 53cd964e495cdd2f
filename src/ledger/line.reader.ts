import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Environment } from '../core/environment.js';
import { AppError } from '../core/errors.js';
import { type Paise, paise, ZERO } from '../core/money.js';
import type { DeveloperId } from '../core/principal.js';
import type { Queryable } from '../db/pool.js';
import { lineOf, STATEMENT_COLUMNS, type StatementLine, type StatementRow } from './statement.service.js';

/**
 * Returns the statement entry of the credit or debit with a reference, which each wallet accepts once per kind. Returns
 * undefined if it does not exist. Throws CONFLICT if the entry is archived.
 */
export async function referencedLine(
  { developerId, environment }: { developerId: DeveloperId; environment: Environment },
  kind: 'top_up' | 'debit',
  reference: string,
  em: EntityManager,
): Promise<StatementLine | undefined> {
  const db = em.getKysely();
  const matches = await sql<{ posting_id: string }>`select posting_id from ledger_reference
    where developer_id = ${developerId} and environment = ${environment} and kind = ${kind} and reference = reference_key(${reference})`.execute(
    db,
  );
  const posting = matches.rows[0]?.posting_id;
  if (posting === undefined) return undefined;
  const { rows } = await sql<StatementRow>`select ${sql.raw(STATEMENT_COLUMNS)} from ledger_entry
    where developer_id = ${developerId} and subject_id = ${posting}::uuid and step = 1`.execute(db);
  if (rows[0]) return lineOf(rows[0]);
  const message = 'This reference was already used, and its entry is archived.';
  throw new AppError('CONFLICT', { message, fields: [{ path: 'input.reference', rule: 'REFERENCE', message }] });
}

/** Returns the wallet entries of each order, in the order of the keys, oldest first. */
export async function linesOf(
  db: Queryable,
  keys: readonly { developerId: DeveloperId; id: string }[],
): Promise<StatementLine[][]> {
  const { rows } = await db.query<StatementRow & { n: number }>({
    name: 'lines-of-orders',
    text: `select k.n::integer, l.* from unnest($1::uuid[], $2::uuid[]) with ordinality k(owner, subject, n)
      cross join lateral (
        select ${STATEMENT_COLUMNS}, step from ledger_entry
        where developer_id = k.owner and subject_id = k.subject and wallet_version is not null) l
      order by k.n, l.step`,
    values: [keys.map(({ developerId }) => developerId), keys.map(({ id }) => id)],
  });
  const byKey = Map.groupBy(rows, ({ n }) => n);
  return keys.map((_key, index) => (byKey.get(index + 1) ?? []).map(lineOf));
}

/**
 * Returns the last wallet entry of a resolved order. Returns undefined if the last step was a settlement, which creates no
 * entry.
 */
export async function lastLineOf(
  developerId: DeveloperId,
  orderId: string,
  em: EntityManager,
): Promise<StatementLine | undefined> {
  const { rows } = await sql<StatementRow>`select ${sql.raw(STATEMENT_COLUMNS)} from ledger_entry
    where developer_id = ${developerId} and subject_id = ${orderId}::uuid order by step desc limit 1`.execute(
    em.getKysely(),
  );
  return rows[0]?.wallet_version ? lineOf(rows[0]) : undefined;
}

/** Returns the references that a wallet has already used. */
export async function usedReferences(
  { developerId, environment }: { developerId: DeveloperId; environment: Environment },
  kind: 'top_up' | 'debit',
  references: readonly string[],
  em: EntityManager,
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ reference: string }>`select g.reference from unnest(${references}::text[]) g(reference)
    join ledger_reference r on r.developer_id = ${developerId} and r.environment = ${environment} and r.kind = ${kind}
      and r.reference = reference_key(g.reference)`.execute(em.getKysely());
  return new Set(rows.map(({ reference }) => reference));
}

/** Returns the balance as visible to the transaction, or zero if the wallet does not exist. */
export async function balanceIn(
  { developerId, environment }: { developerId: DeveloperId; environment: Environment },
  em: EntityManager,
): Promise<Paise> {
  const { rows } = await sql<{ balance: string }>`select balance_paise::text as balance from wallet
    where developer_id = ${developerId} and environment = ${environment}`.execute(em.getKysely());
  return rows[0] ? paise(rows[0].balance) : ZERO;
}

/** Returns whether the wallet exists. It is created when the account is approved. */
export async function hasWallet(
  developerId: DeveloperId,
  environment: Environment,
  em: EntityManager,
): Promise<boolean> {
  const { rows } = await sql`
    select 1 from wallet where developer_id = ${developerId} and environment = ${environment}`.execute(em.getKysely());
  return rows.length > 0;
}
