import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { temporaryDirectory } from '../../support/temporary-directory.js';
import { peerRechargeLoad, rechargeLoad } from '../support/calls.js';
import { integer, measuredColumns, measuredRow, type Table, waitColumns, waitRow } from '../support/report.js';
import { type Contender, interleaved, type Measured, ratio } from '../support/rounds.js';
import type { BenchAccount, Service, World } from '../support/world.js';

/** Tables for a service without database functions and batches. */
const TABLES = `
  create schema bench;
  create table bench.wallet (developer_id uuid primary key, balance_paise bigint not null, version bigint not null default 0)
    with (fillfactor = 50);
  create table bench.orders (id uuid primary key, developer_id uuid not null, amount_paise bigint not null, request bytea not null,
    state text not null, answer bytea, created_at timestamptz not null default now());
  create table bench.transfer (developer_id uuid not null, subject_id uuid not null, step smallint not null,
    amount_paise bigint not null, balance_after_paise bigint, created_at timestamptz not null default now(),
    primary key (developer_id, subject_id, step));
  insert into bench.wallet select developer_id, balance_paise from wallet where environment = 'production'`;
const LOST = `
  select developer_id from bench.wallet w join wallet o using (developer_id) where o.environment = 'production' and
    w.version <> (select count(*) from bench.transfer t where t.developer_id = w.developer_id and step = 1)`;

/** One recharge: our functions, called for a single order, each in its own commit. */
const SCRIPT = `\\set n random(1, :wallets)
select d.id as developer, uuidv7() as id, md5(random()::text) as key from bench.numbered d where d.n = :n \\gset
select 1 from ledger_hold(array[:developer::uuid], array['production'], array['recharge'], array[:id::uuid],
  array['R' || left(:key::text, 24)], array[:key::text], array[sha256('f')], array[1000::bigint], array['ROUNDPAY'],
  array[sha256('request')], array[sha256('a')], array[60000]);
select 1 from ledger_resolve(array[:developer::uuid], array[:id::uuid], array[true], array[sha256('response')], array['T1'],
  array['response'], array['{}'::jsonb]);
`;

const execute = promisify(execFile);

/** Whether `pgbench` is installed. The PostgreSQL in node_modules does not include it. */
const hasPgbench = (): Promise<boolean> =>
  execute('pgbench', ['--version']).then(
    () => true,
    () => false,
  );

/** Recharges per second of `pgbench` with 32 clients, over the given number of wallets. */
async function pgbench(world: World, wallets: number, seconds: number): Promise<number> {
  const script = path.join(temporaryDirectory(), 'recharge.sql');
  writeFileSync(script, SCRIPT.replaceAll(/\n {2}/g, ' '));
  const { stdout } = await execute(
    'pgbench',
    [
      '-n',
      '-M',
      'prepared',
      '-c',
      '32',
      '-j',
      '1',
      '-T',
      String(seconds),
      '-D',
      `wallets=${wallets}`,
      '-f',
      script,
      world.databaseUrl,
    ],
    { maxBuffer: 2 ** 20 },
  );
  return Number(/tps = ([\d.]+)/.exec(stdout)?.[1]);
}

/** Table B, and table D for recharges. */
export async function recharge(world: World, service: Service, rounds = { rounds: 3, seconds: 2.5 }): Promise<Table[]> {
  await world.query(TABLES);
  await world.query('create table bench.numbered as select n, id from unnest($1::uuid[]) with ordinality t(id, n)', [
    world.accounts.map(({ developerId }) => developerId),
  ]);
  const hot = world.accounts.slice(0, 1);
  const many = world.accounts.slice(1);
  const six = await world.peer('money', { FORM: 'six' });
  const functions = await world.peer('money', { FORM: 'functions' });
  const ownContender = (
    style: 'GraphQL' | 'REST',
    accounts: readonly BenchAccount[],
    environment: 'uat' | 'production',
  ): Contender => ({
    name: `${style}, ${environment === 'uat' ? 'instant provider' : 'simulator over HTTP'}`,
    load: rechargeLoad([service.ports[environment]], accounts, environment, style),
    pids: [service.process.pid],
    postgres: world.postgresPid,
  });
  const peer = (name: string, { port, process }: typeof six, accounts: readonly BenchAccount[]): Contender => ({
    name,
    load: peerRechargeLoad(port, accounts),
    pids: [process.pid],
    postgres: world.postgresPid,
  });
  const isPgbench = await hasPgbench();
  const all: { wallets: string; at32: Measured[]; at256: Measured[]; bench: number[] }[] = [];
  for (const [wallets, accounts] of [
    ['one wallet', hot],
    [`${many.length} wallets`, many],
  ] as const) {
    const contenders = [
      ownContender('GraphQL', accounts, 'uat'),
      ownContender('REST', accounts, 'uat'),
      ownContender('GraphQL', accounts, 'production'),
      peer('our SQL functions from Node, one order a call', functions, accounts),
      peer('transactions of six round trips from Node', six, accounts),
    ];
    const at32 = await interleaved(contenders, { connections: 32, warmUpSeconds: 1, ...rounds });
    await world.checkBooks();
    const at256 = await interleaved([contenders[0]!, contenders[1]!, contenders[4]!], {
      connections: 256,
      warmUpSeconds: 1,
      ...rounds,
      rounds: 2,
    });
    const bench: number[] = [];
    // `pgbench` takes whole seconds
    if (isPgbench)
      for (let n = 0; n < 2; n++) bench.push(await pgbench(world, accounts.length, Math.ceil(rounds.seconds)));
    await world.checkBooks();
    const lost = await world.query(LOST);
    if (lost.length > 0) throw new Error('The six round trips lost orders.');
    all.push({ wallets, at32, at256, bench });
  }
  await Promise.all([six.process.stop(), functions.process.stop()]);
  return [tableB(all, isPgbench), tableD(all[0]!)];
}

function tableB(
  all: readonly { wallets: string; at32: Measured[]; at256: Measured[]; bench: number[] }[],
  isPgbench: boolean,
): Table {
  const rows = all.flatMap(({ wallets, at32, at256, bench }) =>
    [
      ...at32.map((result) => ['32', ...measuredRow(result)]),
      ...(bench.length > 0
        ? [['32', 'our SQL functions from pgbench, one order a call', integer(Math.max(...bench)), '–', '–', '–', '–']]
        : []),
      ...at256.map((result) => ['256', ...measuredRow(result)]),
    ].map(([connections, name, ...cells]) => [`${name}, ${wallets}`, connections!, ...cells]),
  );
  const goals = all.flatMap(({ wallets, at32, at256, bench }, n) => {
    const isHot = n === 0;
    const [own, , , functions, six] = at32 as [Measured, Measured, Measured, Measured, Measured];
    const enoughDigits = isHot ? 8 : 2.5;
    return [
      ...(isHot
        ? [
            {
              what: `${wallets}: compared with unbatched ${isPgbench ? 'pgbench' : 'calls from Node'}, 32 connections`,
              is: bench.length > 0 ? own.rate / Math.max(...bench) : ratio(own, functions),
              atLeast: 3,
            },
          ]
        : []),
      {
        what: `${wallets}: compared with six round trips, 32 connections`,
        is: ratio(own, six),
        atLeast: enoughDigits,
      },
      {
        what: `${wallets}: compared with six round trips, 256 connections`,
        is: ratio(at256[0]!, at256[2]!),
        atLeast: enoughDigits,
      },
    ];
  });
  const [, connections, ...columns] = ['', 'connections', ...measuredColumns.slice(1)];
  return {
    id: 'B',
    title: 'recharges',
    columns: ['', connections!, ...columns],
    rows,
    goals,
    notes: [
      'Each recharge is two durable commits: the hold before the provider is called, and the settlement with its response. ' +
        'The GraphQL and REST rows are the complete service: token, policy, limit, input, encryption, evidence, response. ' +
        'The instant provider is the sandbox of UAT; the simulator is a separate process.',
      'The other rows only move money, behind an HTTP server without token, limit, validation or provider. They call our ' +
        'SQL functions for each order, or use the common form: BEGIN, SELECT … FOR UPDATE, INSERT order, INSERT transfer, ' +
        'UPDATE wallet, COMMIT, and the same number of statements for the settlement. The common form uses small ' +
        'tables without search, evidence or due times. Both have 32 connections to the database.',
      'Missed goals: an order has 16 rows with 20 index entries (hold, key, reference, two search terms, due time, ' +
        'settlement, evidence), about 60 µs of PostgreSQL for each of the two commits. A statement costs 250 µs before its ' +
        'first row, because it is planned each time, and 350 with it. At 32 connections a batch has about ten orders. The ' +
        'six round trips write five rows into tables with only a primary key, behind a server with no other work. On two ' +
        'cores both processes are always busy. Eight times the rate requires separate cores for PostgreSQL, or fewer search ' +
        'terms of an order.',
      isPgbench
        ? 'pgbench of this machine, 32 clients in one thread, no HTTP: a third statement generates the IDs.'
        : 'pgbench is not available on this machine, so calls from Node replace it.',
    ],
  };
}

function tableD({ at32, at256 }: { at32: Measured[]; at256: Measured[] }): Table {
  const row = (connections: number, result: Measured) => waitRow('recharge', connections, result);
  return {
    id: 'D',
    title: 'recharges',
    columns: waitColumns,
    rows: [row(32, at32[0]!), row(32, at32[1]!), row(256, at256[0]!), row(256, at256[1]!)],
    goals: [
      { what: 'recharge (GraphQL, one wallet), p99 at 32 connections', is: at32[0]!.p99, atMost: 8, unit: ' ms' },
      { what: 'recharge (GraphQL, one wallet), p99 at 256 connections', is: at256[0]!.p99, atMost: 40, unit: ' ms' },
    ],
    notes: [],
  };
}
