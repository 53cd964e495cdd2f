import { fileURLToPath } from 'node:url';
import { graphql, plansLoad } from '../support/calls.js';
import type { Load } from '../support/load.js';
import { processorMs } from '../support/processor-time.js';
import { integer, measuredColumns, measuredRow, type Table } from '../support/report.js';
import { type Contender, interleaved, type Measured, ratio } from '../support/rounds.js';
import type { BenchAccount, Service, World } from '../support/world.js';

const UNBATCHED = fileURLToPath(new URL('../support/unbatched.mjs', import.meta.url));

/** Cost of a request and of each further stage: every load includes the steps of the previous one. */
const stages = (service: Service, account: BenchAccount): [string, Load][] => {
  const { uat } = account.tokens;
  const of = (query: string, start: string): Load => ({
    ports: [service.ports.uat],
    request: () => graphql(uat, query, {}),
    check(body) {
      if (!body.startsWith(start)) throw new Error(`Unexpected response: ${body.slice(0, 500)}`);
    },
  });
  return [
    ['HTTP, token, document', of('{ __typename }', '{"data":{"__typename"')],
    ['policy, limit and one read (`wallet`)', of('{ wallet { balance } }', '{"data":{"wallet"')],
    ['input and response of the plans (UAT, free)', plansLoad([service.ports.uat], [account], 'uat')],
    ['hold, call, mapping, settlement (production)', plansLoad([service.ports.production], [account], 'production')],
  ];
};

/** Table A2: charged plan lookups with an upstream that responds immediately. */
export async function chargedPlans(
  world: World,
  service: Service,
  rounds = { rounds: 3, seconds: 3 },
): Promise<Table[]> {
  const plain = await world.service({ GRAPHQL_JIT: 'false' }, ['--import', UNBATCHED]);
  const [hot] = world.accounts;
  const contender = (name: string, { ports, process }: Service, accounts: readonly BenchAccount[]): Contender => ({
    name,
    load: plansLoad([ports.production], accounts, 'production'),
    pids: [process.pid],
    postgres: world.postgresPid,
  });
  const sets = [
    ['one wallet', [hot!]],
    [`${world.accounts.length - 1} wallets`, world.accounts.slice(1)],
  ] as const;
  const measured = await interleaved(
    sets.flatMap(([name, accounts]) => [
      contender(`this service, ${name}`, service, accounts),
      contender(`unbatched and uncompiled, ${name}`, plain, accounts),
    ]),
    { connections: 32, warmUpSeconds: 1.5, ...rounds },
  );
  await plain.process.stop();
  await world.checkBooks();

  const rows: string[][] = [];
  let previous = [0, 0, 0];
  for (const [name, load] of stages(service, hot!)) {
    const initialSimulatorMs = processorMs(world.simulatorPid);
    const [result] = (await interleaved([{ name, load, pids: [service.process.pid], postgres: world.postgresPid }], {
      connections: 32,
      rounds: 1,
      seconds: rounds.seconds,
      warmUpSeconds: 0.5,
    })) as [Measured];
    const calls = result.rate * (rounds.seconds + 0.5);
    const simulatorUs = ((processorMs(world.simulatorPid) - initialSimulatorMs) / calls) * 1_000;
    const current = [result.serverUs, result.postgresUs, simulatorUs];
    rows.push([name, ...current.map((us, n) => integer(Math.max(0, us - previous[n]!))), integer(result.rate)]);
    previous = current;
  }
  await world.checkBooks();
  return [
    {
      id: 'A2',
      title: 'plan query in production, charged',
      columns: [...measuredColumns],
      rows: measured.map((result) => measuredRow(result)),
      goals: sets.map(([name], n) => ({
        what: `compared with the unbatched and uncompiled path, ${name}`,
        is: ratio(measured[2 * n]!, measured[2 * n + 1]!),
        atLeast: 3,
      })),
      notes: [
        'A lookup with a fee: it is held and settled in two durable commits. A simulator of the provider responds over HTTP ' +
          `without delay. 32 connections, a response of ${integer(measured[0]!.bytes)} bytes.`,
        'Unbatched and uncompiled: this program with `GRAPHQL_JIT=false`. Each posting and each read is a separate ' +
          'statement that is sent immediately.',
      ],
    },
    {
      id: 'A2 by stage',
      title: 'what each stage adds to a charged plan query',
      columns: ['', 'process µs', 'PostgreSQL µs', 'simulator µs', 'requests/s up to here'],
      rows,
      notes: [
        'Processor time per request: each row is the difference from the call of the previous row, which has the same ' +
          'steps up to that point. One wallet, 32 connections.',
      ],
    },
  ];
}
