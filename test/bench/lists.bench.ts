import { loadavg } from 'node:os';
import { Client } from 'pg';
import { expect, it } from 'vitest';
import { PASSWORD } from '../console/console.fixture.js';
import { growOrders } from '../ledger/growth.fixture.js';
import { FROM_TEST, seed, startTestApp } from '../support/app.js';
import type { TestDatabase } from '../support/database.js';
import { portalDocuments } from '../support/portal-documents.js';
import { LISTS } from './support/lists.js';
import { integer, machineLine, printTable, short } from './support/report.js';
import { median } from './support/statistics.js';

/** `ORDERS=100000 npm run bench:lists` runs a shorter measurement. */
const ORDERS = Number(process.env.ORDERS ?? 1_000_000);
const ACCOUNTS = 10_000;
const BATCH_SIZE = 50_000;
const ROUNDS = 9;
const LIMIT_MS = 50;

/** Fields that cannot be read: the generated orders have no encrypted request. */
const UNREADABLE: ReadonlySet<string> = new Set(['accountNumber', 'operator']);

interface StatementStats {
  statements: number;
  ms: number;
  longest: { ms: number; text: string };
}

it(`pages of ${integer(ACCOUNTS)} accounts and ${integer(ORDERS)} orders`, async () => {
  const initialLoad = loadavg()[0]!;
  const test = await startTestApp({ STATUS_CHECK_SCHEDULE_MS: '1h' });
  const stats: StatementStats = { statements: 0, ms: 0, longest: { ms: 0, text: '' } };
  try {
    await test.db.query(
      `insert into developer (name, email, onboarding_status, email_verified_at, approved_at, approved_by, created_at)
       select 'Shop ' || n, 'shop-' || n || '@shops.example', 'approved', now(), now(), 'a bench', now() - n * interval '10 minutes'
       from generate_series(1, $1::integer) n`,
      [ACCOUNTS],
    );
    await test.db.query(`insert into wallet (developer_id, environment, balance_paise)
      select id, e, 0 from developer, unnest(array['uat', 'production']) e on conflict do nothing`);
    for (let placed = 0; placed < ORDERS; placed += BATCH_SIZE) {
      // spread over the last ninety days, newest last
      await growOrders(
        test.db,
        Math.min(BATCH_SIZE, ORDERS - placed),
        `${Math.round(90 * (1 - placed / ORDERS))} days`,
      );
    }
    await test.db.query(`insert into developer (id, name, email, onboarding_status)
      select distinct developer_id, 'Large', developer_id || '@large.example', 'email_verified' from wallet
      where not exists (select from developer d where d.id = developer_id)`);
    await addRealisticOutcomes(test.db);
    await test.db.query('vacuum (analyze)');
    const email = 'bench@test.example';
    await test.app.users.create({ email, name: 'Bench', password: PASSWORD, role: 'admin' }, seed);
    const { token } = await test.app.sessions.signIn({ email, password: PASSWORD }, FROM_TEST);

    watchStatements(stats);
    const rows: string[][] = [];
    const slow: string[] = [];
    for (const [label, named, variables] of LISTS) {
      const document = portalDocuments.get(named) ?? named;
      const found: { statements: number; ms: number; longest: StatementStats['longest']; totalMs: number }[] = [];
      for (let round = 0; round < ROUNDS; round++) {
        Object.assign(stats, { statements: 0, ms: 0, longest: { ms: 0, text: '' } });
        const startedAt = performance.now();
        const { body } = await test.graphql('console', token, document, variables);
        const errors = (body.errors ?? []).filter(
          ({ path }: { path?: string[] }) => !UNREADABLE.has(path?.at(-1) ?? ''),
        );
        expect(errors, label).toEqual([]);
        found.push({ ...stats, totalMs: performance.now() - startedAt });
      }
      const ms = median(found.map((run) => run.ms));
      rows.push([label, String(found.at(-1)!.statements), short(ms), short(median(found.map((run) => run.totalMs)))]);
      if (ms > LIMIT_MS) slow.push(`${label}: ${short(ms)} ms, of which ${JSON.stringify(found.at(-1)!.longest)}`);
    }
    printTable({
      id: 'Lists',
      title: `what pages of staff cost among ${integer(ACCOUNTS)} accounts and ${integer(ORDERS)} orders`,
      columns: ['', 'statements', 'PostgreSQL, ms', 'whole answer, ms'],
      rows,
      notes: [
        `Medians of ${ROUNDS}. The time of PostgreSQL is what passes from a statement to its last row, all of a request together, those at the same time added up. ${machineLine('18', initialLoad)}`,
      ],
    });
    expect(slow).toEqual([]);
  } finally {
    await test.close();
  }
}, 1_200_000);

/**
 * Of every thousand orders, fifty failed and one was reversed. One in thirty belongs to another provider, and a few are pending.
 */
async function addRealisticOutcomes(db: TestDatabase): Promise<void> {
  await db.query(`with n as (select developer_id, id, row_number() over (order by id) as n from orders)
    update orders o set amount_paise = 100 * (1 + n % 500), provider = case when n % 30 = 0 then 'MOKSHIQ' else provider end,
      state = case when n % 20 = 0 then 'failed' when n % 5000 = 1 then 'open' else 'success' end,
      decline_reason = case when n % 400 = 0 then 'OPERATOR_UNAVAILABLE' end,
      settled_at = case when n % 5000 <> 1 then o.created_at end,
      reversed_at = case when n % 1000 = 3 then o.created_at end, reversed_by = case when n % 1000 = 3 then 'provider' end
    from n where n.developer_id = o.developer_id and n.id = o.id`);
  await db.query(`insert into order_due (developer_id, order_id, provider, waited_for, due_at)
    select developer_id, id, provider, true, now() + interval '1 day' from orders where state = 'open'`);
  // one tenth of all deliveries failed
  await db.query(`insert into webhook_endpoint (developer_id, id, environment, url, secret)
    select developer_id, uuidv7(), 'production', 'https://shops.example', ''::bytea from orders group by developer_id`);
  await db.query(`insert into webhook_delivery (developer_id, id, endpoint_id, order_id, reference, event, step, environment, operation,
      amount_paise, occurred_at, state, attempt_count, next_attempt_at)
    select o.developer_id, o.id, e.id, o.id, o.reference, 'succeeded', 2, o.environment, 'recharge', o.amount_paise, o.created_at,
      case when n % 10 = 0 then 'failed' else 'delivered' end, 9, null
    from (select *, row_number() over (order by id) as n from orders) o join webhook_endpoint e using (developer_id)`);
  await db.query(`update wallet set last_order_at = now() where version > 1`);
  await db.query(`insert into transfer (developer_id, subject_id, step, kind, operation, environment, amount_paise, wallet_version, balance_after_paise, reference)
    select developer_id, id, 3, 'reversal', operation, environment, amount_paise, 10000000 + row_number() over (), 0, reference
    from orders where reversed_at is not null`);
}

/** Counts and times every statement of this process that reads data. */
function watchStatements(stats: StatementStats): void {
  const plain = Client.prototype.query as (...args: unknown[]) => unknown;
  Client.prototype.query = function query(this: Client, ...args: unknown[]) {
    const startedAt = performance.now();
    const response = plain.apply(this, args);
    const text = typeof args[0] === 'string' ? args[0] : (args[0] as { text: string }).text;
    if (response instanceof Promise && /^\s*(select|with|insert|update)/i.test(text))
      void response.then(() => {
        const ms = performance.now() - startedAt;
        stats.statements++;
        stats.ms += ms;
        if (ms > stats.longest.ms) stats.longest = { ms, text: text.slice(0, 300) };
      });
    return response;
  } as typeof Client.prototype.query;
}
