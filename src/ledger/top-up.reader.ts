import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Environment } from '../core/environment.js';
import type { DeveloperId } from '../core/principal.js';
import { lineOf, STATEMENT_COLUMNS, type StatementLine, type StatementRow } from './statement.service.js';

/** The line of the credit that has a reference, which each wallet takes once; undefined when nobody credited it. */
export async function topUpLine(
  developerId: DeveloperId,
  environment: Environment,
  reference: string,
  em: EntityManager,
): Promise<StatementLine | undefined> {
  const { rows } = await sql<StatementRow>`select ${sql.raw(STATEMENT_COLUMNS)} from ledger_entry
    where developer_id = ${developerId} and environment = ${environment} and kind = 'top_up' and reference = ${reference}`.execute(
    em.getKysely(),
  );
  return rows[0] && lineOf(rows[0]);
}

/** Whether approval has opened the wallet. */
export async function hasWallet(
  developerId: DeveloperId,
  environment: Environment,
  em: EntityManager,
): Promise<boolean> {
  const { rows } = await sql`
    select 1 from wallet where developer_id = ${developerId} and environment = ${environment}`.execute(em.getKysely());
  return rows.length > 0;
}
