import { newId } from '../../src/core/ids.js';
import type { TestDatabase } from '../support/database.js';

export interface LineToPost {
  /** Time of the posting. */
  at: string | Date;
  /** Integer paise; a negative amount is a lead fee, a positive amount a credit. */
  amountPaise: number;
  reference?: string;
}

/** Writes entries into a wallet as the owner of the tables, with the given times. The ledger balances afterwards. */
export async function postLines(
  db: TestDatabase,
  developerId: string,
  environment: 'uat' | 'production',
  lines: readonly LineToPost[],
): Promise<void> {
  const [wallet] = await db.query<{ version: string; balance: string }>(
    `select version::text, balance_paise::text as balance from wallet where developer_id = $1 and environment = $2`,
    [developerId, environment],
  );
  let balance = Number(wallet!.balance);
  const version = Number(wallet!.version);
  const rows = lines.map(({ at, amountPaise, reference }, index) => ({
    subject: newId(),
    kind: amountPaise > 0 ? 'top_up' : 'lead_fee',
    operation: amountPaise > 0 ? 'top_up' : 'lead',
    amount: Math.abs(amountPaise),
    version: version + index + 1,
    balance: (balance += amountPaise),
    reference: reference ?? `line ${version + index + 1}`,
    at: new Date(at).toISOString(),
  }));
  await db.query(
    `with posted as (insert into transfer (developer_id, subject_id, step, kind, operation, environment, amount_paise, wallet_version, balance_after_paise, reference, created_at)
     select $1, r.subject::uuid, 1, r.kind, r.operation, $2, r.amount, r.version, r.balance, r.reference, r.at
     from jsonb_to_recordset($3::jsonb) r(subject text, kind text, operation text, amount bigint, version bigint, balance bigint, reference text, at timestamptz)
     returning developer_id, environment, kind, case kind when 'lead_fee' then subject_id::text else reference_key(reference) end, subject_id)
     insert into ledger_reference select * from posted`,
    [developerId, environment, JSON.stringify(rows)],
  );
  await db.query('update wallet set balance_paise = $3, version = $4 where developer_id = $1 and environment = $2', [
    developerId,
    environment,
    balance,
    version + lines.length,
  ]);
}
