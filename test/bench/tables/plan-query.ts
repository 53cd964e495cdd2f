import { strict as assert } from 'node:assert';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { operators } from '../../../src/core/operators.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';
import { plansLoad, plansRequest } from '../support/calls.js';
import { LoadConnection } from '../support/load.js';
import { integer, measuredColumns, measuredRow, short, type Table, waitColumns, waitRow } from '../support/report.js';
import { type Contender, interleaved, type Measured, ratio } from '../support/rounds.js';
import type { Service, World } from '../support/world.js';

const PEERS = [
  ['mercurius', 'Mercurius + JIT'],
  ['yoga', 'Yoga + JIT'],
  ['apollo', 'Apollo on Express'],
] as const;
const THIS_SERVICE = 'this service, UAT';
const MERCURIUS_SAME = 'Mercurius + JIT, same work';

async function responseOf(port: number, token: string): Promise<string> {
  const connection = await LoadConnection.open(port);
  const { status, body } = await connection.send(plansRequest(token, 'bench-compare'));
  connection.close();
  assert.equal(status, 200, body.toString());
  // extracts the JSON from the chunks
  const text = body.toString();
  return text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1);
}

/** Table A1, and table D for plans: all contenders side by side. */
export async function planQuery(world: World, service: Service, rounds = { rounds: 3, seconds: 3 }): Promise<Table[]> {
  const [account] = world.accounts;
  const token = account!.tokens.uat;
  const response = await responseOf(service.ports.uat, token);
  const plansFile = path.join(temporaryDirectory(), 'plans.json');
  writeFileSync(plansFile, JSON.stringify(JSON.parse(response).data.mobilePlans));
  const settings = {
    PLANS_FILE: plansFile,
    OPCODES: operators.flatMap(({ type, opcode }) => (type === 'mobile' ? [opcode] : [])).join(' '),
  };

  const contenders: Contender[] = [
    {
      name: THIS_SERVICE,
      load: plansLoad([service.ports.uat], [account!], 'uat'),
      pids: [service.process.pid],
      postgres: world.postgresPid,
    },
  ];
  const peers = [];
  for (const work of ['same', 'bare'] as const)
    for (const [program, name] of PEERS) {
      const peer = await world.peer(program, { ...settings, WORK: work });
      peers.push(peer);
      assert.equal(await responseOf(peer.port, token), response.trimEnd(), `${name} returns a different response`);
      contenders.push({
        name: `${name}, ${work === 'same' ? 'same work' : 'bare'}`,
        load: plansLoad([peer.port], [account!], 'uat'),
        pids: [peer.process.pid],
        ...(work === 'same' ? { postgres: world.postgresPid } : {}),
      });
    }
  const at32 = await interleaved(contenders, { connections: 32, warmUpSeconds: 1.5, ...rounds });
  const both = contenders.filter(({ name }) => name === THIS_SERVICE || name === MERCURIUS_SAME);
  const at256 = await interleaved(both, { connections: 256, warmUpSeconds: 1, ...rounds });
  await Promise.all(peers.map((peer) => peer.process.stop()));
  return [tableA1(at32, response), tableD(at32, at256)];
}

const named = (all: readonly Measured[], name: string): Measured => all.find((entry) => entry.name === name)!;

function tableA1(measured: readonly Measured[], response: string): Table {
  const own = named(measured, THIS_SERVICE);
  const { groups } = JSON.parse(response).data.mobilePlans;
  const plans = groups.reduce((sum: number, group: { plans: unknown[] }) => sum + group.plans.length, 0);
  const times = (name: string): number => ratio(own, named(measured, name));
  return {
    id: 'A1',
    title: 'plan query in UAT compared with other GraphQL servers',
    columns: [...measuredColumns, 'ratio'],
    rows: measured.map((result) => [
      ...measuredRow(result, { postgres: !result.name.endsWith('bare') }),
      result === own ? '' : `${short(ratio(own, result), 2)}×`,
    ]),
    goals: [
      { what: 'compared with Mercurius + JIT, same work', is: times(MERCURIUS_SAME), atLeast: 1 },
      { what: 'compared with Mercurius + JIT, bare', is: times('Mercurius + JIT, bare'), atLeast: 0.75 },
      { what: 'compared with Apollo on Express, bare', is: times('Apollo on Express, bare'), atLeast: 4 },
    ],
    notes: [
      `32 connections, one account. The response has ${groups.length} groups with ${plans} plans, ${integer(response.length)} ` +
        'bytes, and is identical for all servers. Complete responses are compared before the measurement.',
      'This service runs all steps: token, policy, limit, input check, free lookup. Same work: a prepared statement reads ' +
        'the token from PostgreSQL by its hash, another one reads the wallet, and a limit per account is counted in memory. ' +
        'Bare: none of these steps. The other servers return a constant object; this service builds it for each response.',
      'Missed goals: a CPU profile shows 150 µs per request. Writing to sockets takes 28 (half of it for reading the token ' +
        'and the wallet), garbage collection 17, JSON 10, Apollo 8, Fastify 8, the compiled query 7, type-graphql, shield and ' +
        'the limit directive 9, and node-postgres 8. Our own code takes 15, and many small parts take the remainder. ' +
        'Mercurius does the same reads without the layers in between. Removing Apollo’s request pipeline and the wrappers ' +
        'of fields would save about 30 µs.',
    ],
  };
}

function tableD(at32: readonly Measured[], at256: readonly Measured[]): Table {
  const own = (all: readonly Measured[]): Measured => named(all, THIS_SERVICE);
  const peer = (all: readonly Measured[]): Measured => named(all, MERCURIUS_SAME);
  const row = (connections: number, result: Measured) => waitRow('plan query', connections, result);
  return {
    id: 'D',
    title: 'p99 latency',
    columns: waitColumns,
    rows: [row(32, own(at32)), row(32, peer(at32)), row(256, own(at256)), row(256, peer(at256))],
    goals: [
      { what: 'plan query, p99 at 32 connections', is: own(at32).p99, atMost: 4, unit: ' ms' },
      { what: 'plan query, p99 at 256 connections', is: own(at256).p99, atMost: 30, unit: ' ms' },
      { what: 'p99 at 32 compared with Mercurius + JIT, same work', is: own(at32).p99 / peer(at32).p99, atMost: 1.2 },
      {
        what: 'p99 at 256 compared with Mercurius + JIT, same work',
        is: own(at256).p99 / peer(at256).p99,
        atMost: 1.2,
      },
    ],
    notes: [
      'Load and servers share the cores, so these are latencies of a fully loaded machine. With 32 connections that never ' +
        'pause, the mean latency is 32 divided by the rate: 4 ms at p99 would require three times the rate.',
    ],
  };
}
