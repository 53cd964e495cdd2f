import type { RowKeys } from '../../../src/core/row-keys.js';
import { randomToken } from '../../../src/core/secret.js';
import { services } from '../../../src/core/services.js';
import { demoLeadCustomerId } from '../../../src/simulator/credentials.js';
import { fundWallets } from '../../support/audit.js';
import { accessTokenRow } from '../../support/row-keys.js';
import type { OwnDatabase } from './own-postgres.js';

/** An approved developer with Production funds, a fee on every service, and a token that outlives the test. */
export interface Account {
  developerId: string;
  token: string;
}

export const FEE_PAISE = 150;
const OPENING_PAISE = 100_000_000;
/** Maximum value of the column. */
const RATE_LIMIT_PER_MINUTE = 1_000_000;

/**
 * Creates many accounts at once by SQL. Sign-up and credits are tested elsewhere.
 *
 * @param keys keys of the processes, if their pepper is not that of tests
 */
export async function createAccounts(
  { query }: Pick<OwnDatabase, 'query'>,
  count: number,
  keys?: RowKeys,
): Promise<Account[]> {
  const developers = await query<{ id: string }>(
    `insert into developer (name, email, onboarding_status, production_unlocked, rate_limit_per_minute)
     select 'Developer ' || n, gen_random_uuid() || '@test.example', 'approved', true, $2 from generate_series(1, $1) n returning id`,
    [count, RATE_LIMIT_PER_MINUTE],
  );
  const ids = developers.map(({ id }) => id);
  await query(`insert into wallet (developer_id, environment) select unnest($1::uuid[]), 'production'`, [ids]);
  await fundWallets(query, ids, OPENING_PAISE);
  await query(
    `insert into service_access (developer_id, service, enabled, fee_paise)
     select d, s, true, $3 from unnest($1::uuid[]) d cross join unnest($2::text[]) s`,
    [ids, services, FEE_PAISE],
  );
  await query(
    `insert into setting (environment, name, value) values ('production', 'default_lead_customer', $1) on conflict do nothing`,
    [demoLeadCustomerId],
  );
  const accounts = ids.map((developerId) => ({ developerId, token: randomToken('at_live_') }));
  await query(
    `insert into credential (client_id, developer_id, environment, secret_hash, secret_last4)
     select 'cid_live_' || d, d, 'production', sha256('none'), 'none' from unnest($1::uuid[]) d`,
    [ids],
  );
  const rows = accounts.map(({ developerId, token }) =>
    accessTokenRow(token, { developerId, environment: 'production', clientId: `cid_live_${developerId}` }, keys),
  );
  await query(
    `insert into access_token (token_hash, developer_id, environment, client_id, expires_at, latest_expiry, mac)
     select h, d, 'production', 'cid_live_' || d, e, e, m
     from unnest($1::uuid[], $2::bytea[], $3::timestamptz[], $4::bytea[]) t(d, h, e, m)`,
    [ids, rows.map(({ hash }) => hash), rows.map(({ expiresAt }) => expiresAt), rows.map(({ mac }) => mac)],
  );
  return accounts;
}
