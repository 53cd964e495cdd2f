import { type Load, type LoadResult, run } from './load.js';
import { familyMs, processorMs } from './processor-time.js';
import { at, median } from './statistics.js';

/** Server that is compared with others. */
export interface Contender {
  name: string;
  load: Load;
  /** Server processes. */
  pids: readonly number[];
  /** Main process of PostgreSQL, if PostgreSQL is involved. */
  postgres?: number;
}

export interface Measured {
  name: string;
  /** Requests per second in each round. */
  rates: number[];
  rate: number;
  p50: number;
  p99: number;
  /** Microseconds of processor time per request, of the server processes and of PostgreSQL. */
  serverUs: number;
  postgresUs: number;
  bytes: number;
}

export interface Rounds {
  connections: number;
  rounds: number;
  seconds: number;
  warmUpSeconds: number;
}

interface Round extends LoadResult {
  serverMs: number;
  postgresMs: number;
}

async function round({ load, pids, postgres }: Contender, connections: number, seconds: number): Promise<Round> {
  const spent = (): [number, number] => [
    pids.reduce((sum, pid) => sum + processorMs(pid), 0),
    postgres === undefined ? 0 : familyMs(postgres),
  ];
  const spentBefore = spent();
  const responses = await run(load, { connections, seconds });
  const after = spent();
  return { ...responses, serverMs: after[0] - spentBefore[0], postgresMs: after[1] - spentBefore[1] };
}

/** Measures each contender once in every round, so that other load on the machine affects all of them equally. */
export async function interleaved(
  contenders: readonly Contender[],
  { connections, rounds, seconds, warmUpSeconds }: Rounds,
): Promise<Measured[]> {
  if (warmUpSeconds > 0) for (const { load } of contenders) await run(load, { connections, seconds: warmUpSeconds });
  const all = contenders.map((contender) => ({ contender, done: [] as Round[] }));
  for (let n = 0; n < rounds; n++)
    for (const { contender, done } of n % 2 === 0 ? all : all.toReversed())
      done.push(await round(contender, connections, seconds));
  return all.map(({ contender: { name }, done }) => {
    const count = done.reduce((sum, result) => sum + result.count, 0);
    const latencies = done.flatMap(({ latenciesMs }) => latenciesMs);
    const rates = done.map((result) => (result.count / result.elapsedMs) * 1_000);
    const perRequest = (ms: (result: Round) => number): number =>
      (done.reduce((sum, result) => sum + ms(result), 0) / count) * 1_000;
    return {
      name,
      rates,
      rate: median(rates),
      p50: at(latencies, 0.5),
      p99: at(latencies, 0.99),
      serverUs: perRequest(({ serverMs }) => serverMs),
      postgresUs: perRequest(({ postgresMs }) => postgresMs),
      bytes: done.reduce((sum, result) => sum + result.bytes, 0) / count,
    };
  });
}

/** Median over all rounds of the ratio of two rates. */
export const ratio = (a: Measured, b: Measured): number => median(a.rates.map((rate, n) => rate / b.rates[n]!));
