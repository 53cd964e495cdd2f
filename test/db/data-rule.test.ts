import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../support/database.js';

/** Tables that named SQL writes: money and its orders, data written by each request, and queues. All others have an entity. */
const byStatement = {
  money:
    `wallet wallet_opening wallet_checkpoint wallet_correction wallet_reopening transfer top_up correction alone_allowance ledger_total ledger_checkpoint
    ledger_archive ledger_full_check ledger_full_part ledger_full_worker ledger_full_total ledger_full_finding ledger_reference bank_transfer archived_total archived_order archive_month archive_leaving archive_change archive_staged_wallet archive_staged_total orders order_event order_due order_review
    order_key order_reference order_search keyless_recharge bill_claim month_change month_rewrite lookup_answer approval_request approval_request_order reconcile_run
    reconcile_difference audit_entry`.split(/\s+/),
  requests: [
    'access_token',
    'client_token',
    'client_token_count',
    'rate_limit',
    'security_event',
    'rejected_call',
    'card_bill',
    'lead_customer',
    'lead_profile',
    'sandbox_scenario',
  ],
  'what processes lease': ['provider_permit', 'audit_comparison'],
  'the secrets of processes': ['secret_fingerprint'],
  queues: ['email', 'webhook_outbox', 'webhook_delivery'],
  'the database itself': ['schema_fingerprint', 'schema_repeatable', 'schema_migration'],
};

/** Columns that requests and attempts update in tables that the ORM writes. */
const noted: Readonly<Record<string, readonly string[]>> = {
  session: ['last_used_at'],
  webhook_endpoint: ['failing_since', 'unanswered', 'paused_until'],
};

const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !name.startsWith('dev'))
  .map((name) => readFileSync(path.join('src', name), 'utf8'));
const entities = sources.flatMap((source) =>
  [...source.matchAll(/defineEntity\(\{[^}]*tableName: '(\w+)'/g)].map((match) => match[1]!),
);

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

it('every table has an entity, or is written by named SQL for a reason', async () => {
  const tables = await db.query<{ name: string }>(
    `select c.relname as name from pg_class c where c.relnamespace = 'public'::regnamespace
     and c.relkind in ('r', 'p') and not c.relispartition order by 1`,
  );
  const expectedTables = [...entities, ...Object.values(byStatement).flat()];
  expect(expectedTables.toSorted()).toEqual(tables.map(({ name }) => name));
});

it('a table with an entity is written only by the ORM, except for columns that requests update', () => {
  const violations = sources.flatMap((source) =>
    [...source.matchAll(/\b(insert into|delete from|update) (\w+)( set [^`']*?)?(?= where|`|')/g)].flatMap(
      ([statement, verb, table, set = '']) => {
        if (!entities.includes(table!)) return [];
        const columns = [...set.matchAll(/(?:set |,\s*)(\w+) =/g)].map((match) => match[1]!);
        const allowed =
          verb === 'update' && columns.length > 0 && columns.every((column) => noted[table!]?.includes(column));
        return allowed ? [] : [statement.slice(0, 80)];
      },
    ),
  );
  expect(violations).toEqual([]);
});
