import { strict as assert } from 'node:assert';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { operators } from '../../../src/core/operators.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';
import { plansLoad, plansRequest } from '../support/calls.js';
import { LoadConnection } from '../support/load.js';
import { measuredColumns, measuredRow, short, type Table, waitColumns, waitRow, whole } from '../support/report.js';
import { type Contender, interleaved, type Measured, ratio } from '../support/rounds.js';
import type { Service, World } from '../support/world.js';

const PEERS = [
  ['mercurius', 'Mercurius + JIT'],
  ['yoga', 'Yoga + JIT'],
  ['apollo', 'Apollo on Express'],
] as const;
const OURS = 'this service, UAT';
const MERCURIUS_SAME = 'Mercurius + JIT, same work';

async function answerOf(port: number, token: string): Promise<string> {
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
  const ours = await answerOf(service.ports.uat, token);
  const plansFile = path.join(temporaryDirectory(), 'plans.json');
  writeFileSync(plansFile, JSON.stringify(JSON.parse(ours).data.mobilePlans));
  const settings = {
    PLANS_FILE: plansFile,
    OPCODES: operators.flatMap(({ type, opcode }) => (type === 'mobile' ? [opcode] : [])).join(' '),
  };

  const contenders: Contender[] = [
    {
      name: OURS,
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
      assert.equal(await answerOf(peer.port, token), ours.trimEnd(), `${name} answers something else`);
      contenders.push({
        name: `${name}, ${work === 'same' ? 'same work' : 'bare'}`,
        load: plansLoad([peer.port], [account!], 'uat'),
        pids: [peer.process.pid],
        ...(work === 'same' ? { postgres: world.postgresPid } : {}),
      });
    }
  const at32 = await interleaved(contenders, { connections: 32, warmUpSeconds: 1.5, ...rounds });
  const both = contenders.filter(({ name }) => name === OURS || name === MERCURIUS_SAME);
  const at256 = await interleaved(both, { connections: 256, warmUpSeconds: 1, ...rounds });
  await Promise.all(peers.map((peer) => peer.process.stop()));
  return [tableA1(at32, ours), tableD(at32, at256)];
}

const named = (all: readonly Measured[], name: string): Measured => all.find((one) => one.name === name)!;

function tableA1(measured: readonly Measured[], response: string): Table {
  const ours = named(measured, OURS);
  const { groups } = JSON.parse(response).data.mobilePlans;
  const plans = groups.reduce((sum: number, group: { plans: unknown[] }) => sum + group.plans.length, 0);
  const times = (name: string): number => ratio(ours, named(measured, name));
  return {
    id: 'A1',
    title: 'plan query in UAT beside other GraphQL servers',
    columns: [...measuredColumns, 'ours is'],
    rows: measured.map((one) => [
      ...measuredRow(one, { postgres: !one.name.endsWith('bare') }),
      one === ours ? '' : `${short(ratio(ours, one), 2)}×`,
    ]),
    goals: [
      { what: 'beside Mercurius + JIT with the same work', is: times(MERCURIUS_SAME), atLeast: 1 },
      { what: 'beside Mercurius + JIT bare', is: times('Mercurius + JIT, bare'), atLeast: 0.75 },
      { what: 'beside Apollo on Express bare', is: times('Apollo on Express, bare'), atLeast: 4 },
    ],
    notes: [
      `32 connections, one account. The response has ${groups.length} groups with ${plans} plans and ${whole(response.length)} ` +
        'bytes. Every server returns the same bytes, which is checked before the measurement.',
      'This service runs its complete pipeline: token, policy, limit, input check, free lookup. Same work: the token is ' +
        'read from PostgreSQL by its hash in one prepared statement and checked. The wallet is read in another one, and a ' +
        'limit per account is counted in memory. Bare: none of that. The peers serve a prepared object; this service ' +
        'creates it for each response.',
      'If the goal is not met: of 150 µs (CPU profile by library), writing to sockets takes 28 (half of that for reading ' +
        'the token and the wallet), garbage collection 17 and JSON 10. Apollo and Fastify take 8 each, the compiled query ' +
        '7, and type-graphql, shield and the limit directive 9. node-postgres takes 8, our own code 15, and many small ' +
        'parts the remaining time. Mercurius makes the same reads without the layers between. A further gain requires ' +
        'removing a layer: the request pipeline of Apollo and the wrappers of fields take about 30 µs.',
    ],
  };
}

function tableD(at32: readonly Measured[], at256: readonly Measured[]): Table {
  const ours = (all: readonly Measured[]): Measured => named(all, OURS);
  const peer = (all: readonly Measured[]): Measured => named(all, MERCURIUS_SAME);
  const row = (connections: number, one: Measured) => waitRow('plan query', connections, one);
  return {
    id: 'D',
    title: 'how long the slowest hundredth waits',
    columns: waitColumns,
    rows: [row(32, ours(at32)), row(32, peer(at32)), row(256, ours(at256)), row(256, peer(at256))],
    goals: [
      { what: 'plan query, p99 at 32 connections', is: ours(at32).p99, atMost: 4, unit: ' ms' },
      { what: 'plan query, p99 at 256 connections', is: ours(at256).p99, atMost: 30, unit: ' ms' },
      { what: 'p99 at 32 beside Mercurius + JIT, same work', is: ours(at32).p99 / peer(at32).p99, atMost: 1.2 },
      { what: 'p99 at 256 beside Mercurius + JIT, same work', is: ours(at256).p99 / peer(at256).p99, atMost: 1.2 },
    ],
    notes: [
      'Load and servers share the cores, so these are times of a fully loaded machine. With 32 connections that never ' +
        'pause, the mean is 32 divided by the rate: a p99 of 4 ms would require three times the rate.',
    ],
  };
}
