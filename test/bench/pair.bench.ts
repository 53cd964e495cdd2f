import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { it } from 'vitest';
import type * as Calls from './support/calls.js';
import { graphql } from './support/calls.js';
import type { Load } from './support/load.js';
import { type Contender, interleaved } from './support/rounds.js';
import { median } from './support/statistics.js';
import type * as Worlds from './support/world.js';

/**
 * Compares this checkout with another one, for example an earlier commit after `npm ci && npm run build`. Each has its own
 * PostgreSQL and simulator, and they are measured in turns. Fails if a path needs over 3 % more processor time.
 *
 *     BESIDE=../parent npm run bench:pair
 *     ROUNDS=12 SECONDS=3 PATHS=REST BESIDE=../parent npm run bench:pair
 */
const { BESIDE, ROUNDS = '8', SECONDS = '2.5', PATHS = '' } = process.env;
const HERE = fileURLToPath(new URL('../..', import.meta.url));
const MOST = 1.03;
const WALLETS = 9;

const print = (line: string): void => void process.stdout.write(`${line}\n`);

/** One checkout: its own service, and the calls in the syntax of that commit. */
async function sideOf(directory: string) {
  const support = pathToFileURL(path.join(path.resolve(directory), 'test/bench/support/'));
  const { startWorld } = (await import(new URL('world.ts', support).href)) as typeof Worlds;
  const calls = (await import(new URL('calls.ts', support).href)) as typeof Calls;
  const world = await startWorld(WALLETS);
  return { world, calls, service: await world.service() };
}

type Side = Awaited<ReturnType<typeof sideOf>>;

function loadsOf({ world, calls, service: { ports } }: Side): [name: string, connections: number, Load][] {
  const hot = world.accounts.slice(0, 1);
  const many = world.accounts.slice(1);
  const typename: Load = {
    ports: [ports.uat],
    request: () => graphql(hot[0]!.tokens.uat, '{ __typename }', {}),
    check() {},
  };
  return [
    ['{ __typename }', 32, typename],
    ['A2 plans, production', 32, calls.plansLoad([ports.production], hot, 'production')],
    ['B recharge, GraphQL, one wallet', 32, calls.rechargeLoad([ports.uat], hot, 'uat')],
    ['B recharge, REST, one wallet', 32, calls.rechargeLoad([ports.uat], hot, 'uat', 'REST')],
    ['B recharge, GraphQL, production', 32, calls.rechargeLoad([ports.production], hot, 'production')],
    ['B recharge, REST, eight wallets', 32, calls.rechargeLoad([ports.uat], many, 'uat', 'REST')],
    ['B recharge, GraphQL, one wallet', 256, calls.rechargeLoad([ports.uat], hot, 'uat')],
    ['B recharge, REST, one wallet', 256, calls.rechargeLoad([ports.uat], hot, 'uat', 'REST')],
  ];
}

it.skipIf(!BESIDE)('no path costs more than in the other checkout', { timeout: 3_600_000 }, async ({ expect }) => {
  const other = await sideOf(BESIDE!);
  const here = await sideOf(HERE);
  const slower: string[] = [];
  try {
    const otherLoads = loadsOf(other);
    for (const [index, [name, connections, load]] of loadsOf(here).entries()) {
      if (!name.includes(PATHS)) continue;
      const contender = (side: Side, sideLoad: Load): Contender => ({
        name,
        load: sideLoad,
        pids: [side.service.process.pid],
        postgres: side.world.postgresPid,
      });
      const pair = [contender(other, otherLoads[index]![2]), contender(here, load)];
      const server: number[] = [];
      const postgres: number[] = [];
      // one pair in each round: the median of the ratios stays stable when the speed of the machine changes
      for (let round = 0; round < Number(ROUNDS); round++) {
        const measured = await interleaved(round % 2 === 0 ? pair : pair.toReversed(), {
          connections,
          rounds: 1,
          seconds: Number(SECONDS),
          warmUpSeconds: round === 0 ? 2 : 0,
        });
        const [baseline, current] = round % 2 === 0 ? measured : measured.toReversed();
        server.push(current!.serverUs / baseline!.serverUs);
        if (baseline!.postgresUs > 0) postgres.push(current!.postgresUs / baseline!.postgresUs);
      }
      const figures = [median(server), median(postgres)] as const;
      print(
        `${name}, ${connections} connections: process ${figures[0].toFixed(2)}, PostgreSQL ${figures[1].toFixed(2)}`,
      );
      if (figures.some((figure) => figure > MOST)) slower.push(`${name}, ${connections} connections`);
    }
    await here.world.checkBooks();
  } finally {
    await here.world.close();
    await other.world.close();
  }
  expect(slower).toEqual([]);
});
