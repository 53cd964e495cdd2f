import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import type { FuzzCase, FuzzResponse } from './case.js';
import { anyCase, casesOf } from './generate/cases.js';
import { type Leaks, leakSearch } from './oracle/canaries.js';
import { CreditOracle } from './oracle/credits.js';
import { MoneyOracle } from './oracle/money.js';
import { ResponseOracle } from './oracle/responses.js';
import type { Stage } from './support/stage.js';
import { Tally } from './tally.js';

export const IN_FLIGHT = 32;
const SLOW_MS = 1_000;
const BLOCK_MS = 50;
const SHRINK_LIMIT_MS = 20_000;
/** Time without a response after which the service is considered stuck. */
const STUCK_MS = 45_000;
/** A suspicion is a finding only if it occurs again without other load. */
const RETRIES = 3;

/** Logged errors that cases and the stage cause on purpose: rows reset by SQL, and providers that administrators disable. */
const EXPECTED = new Set([
  'rows differ from the audit log',
  'staff disabled this provider, nothing new is sent to it',
  'staff paused new orders',
]);

interface LogLine {
  err?: { type?: string; stack?: string };
  msg?: string;
  code?: string;
  moreCodes?: string[];
}

/** Log lines that show a defect of the service, with the position. */
const defectsIn = (log: string): { problem: string; line: string }[] =>
  log.split('\n').flatMap((line) => {
    if (!line.startsWith('{"level":50')) return [];
    const { err, msg, code, moreCodes = [] } = JSON.parse(line) as LogLine;
    if (EXPECTED.has(msg ?? '')) return [];
    // while orders are paused, each new order and each lookup with a fee is rejected with DEPENDENCY_DOWN without a cause
    const codes = [code, ...moreCodes];
    if (!err && codes.includes('DEPENDENCY_DOWN') && !codes.includes('INTERNAL')) return [];
    const place = err?.stack
      ?.split('\n')
      .find((frame) => frame.includes('/src/'))
      ?.trim();
    return [{ problem: `the log tells of a defect: ${err?.type ?? msg} ${place ?? ''}`, line }];
  });

interface Sent {
  given: FuzzCase;
  fromMs: number;
  toMs: number;
  elapsedMs: number;
}

/** Runs cases against a stage and checks every response; `watchTime` also checks the duration. */
export class Runner {
  readonly tally = new Tally();
  readonly #stage: Stage;
  readonly #watchTime: boolean;
  readonly #arbitrary: fc.Arbitrary<FuzzCase>;
  readonly #money: MoneyOracle;
  readonly #credits: CreditOracle;
  readonly #responses: ResponseOracle;
  readonly #leaks: Leaks;

  private constructor(stage: Stage, watchTime: boolean, openApi: ConstructorParameters<typeof ResponseOracle>[1]) {
    this.#stage = stage;
    this.#watchTime = watchTime;
    this.#arbitrary = anyCase(stage.schemas);
    this.#money = new MoneyOracle(stage.db, stage.accounts, { send: (fuzzCase) => stage.sender.send(fuzzCase) });
    this.#credits = new CreditOracle(stage.db);
    this.#leaks = leakSearch(stage.knownSecrets());
    this.#responses = new ResponseOracle(this.#leaks, openApi);
  }

  static async on(stage: Stage, { watchTime }: { watchTime: boolean }): Promise<Runner> {
    const response = await fetch(`${stage.urls.uat}/openapi.json`);
    return new Runner(stage, watchTime, (await response.json()) as never);
  }

  /** One batch: the cases of a seed, then the books, the log and the process. */
  async play(seed: number, count: number): Promise<void> {
    this.tally.seeds.push(seed);
    await this.#batch(casesOf(this.#arbitrary, seed, count), seed);
  }

  /** Runs cases that were kept because they failed once. */
  replay(cases: readonly FuzzCase[]): Promise<void> {
    return this.#batch(cases, -1);
  }

  async #batch(cases: readonly FuzzCase[], seed: number): Promise<void> {
    const { service } = this.#stage;
    await this.#stage.refresh();
    // a kept case depends only on its request
    this.#stage.upstream.changes = seed >= 0;
    await Promise.all([this.#money.start(), this.#credits.start()]);
    await service.longestBlockMs();
    service.blocks.length = 0;
    const sent: Sent[] = [];
    let next = 0;
    const lane = async (): Promise<void> => {
      while (next < cases.length && service.isUp) {
        const index = next++;
        const fuzzCase = cases[index]!;
        const fromMs = Date.now();
        const reply = await this.#stage.sender.send(fuzzCase);
        sent.push({ given: fuzzCase, fromMs, toMs: Date.now(), elapsedMs: reply.elapsedMs });
        if (reply.status === 0 && reply.elapsedMs > STUCK_MS) service.kill();
        await this.#check(fuzzCase, reply, seed, index);
      }
    };
    await Promise.all(Array.from({ length: IN_FLIGHT }, lane));
    await this.#checkBatch(seed);
    if (this.#watchTime && service.isUp) await this.#checkTime(sent, seed);
    this.tally.longestBlockMs = Math.max(this.tally.longestBlockMs, await service.longestBlockMs());
  }

  async #check(fuzzCase: FuzzCase, reply: FuzzResponse, seed: number, index: number): Promise<void> {
    this.tally.count(fuzzCase, reply);
    this.#money.record(fuzzCase, reply);
    this.#credits.record(fuzzCase, reply);
    for (const problem of this.#responses.problems(fuzzCase, reply)) {
      const first = this.tally.add({
        problem,
        given: fuzzCase,
        answer: { status: reply.status, text: reply.text.slice(0, 500) },
        seed,
        index,
      });
      if (first && seed >= 0)
        this.tally.findings.get(problem)!.first.given = await this.#shrink(problem, fuzzCase, seed, index);
    }
  }

  async #checkBatch(seed: number): Promise<void> {
    const { service, app } = this.#stage;
    const add = (problem: string): unknown => this.tally.add({ problem, seed, index: 0 });
    if (!service.isUp) add(`the process ended: ${service.complaints().slice(-500)}`);
    for (const { problem, unnamed, given } of await this.#money.problems())
      this.tally.add({ problem, seed, index: 0, answer: { status: 0, text: unnamed }, ...(given ? { given } : {}) });
    for (const problem of await this.#credits.problems()) add(problem);
    for (const { rule, detail } of await app.ledger.check()) add(`ledger check: ${rule} ${detail}`);
    const log = service.takeLog();
    for (const { problem, line } of defectsIn(log))
      this.tally.add({ problem, seed, index: 0, answer: { status: 0, text: line } });
    const leak = this.#leaks.inLog(log);
    if (leak) add(`the log holds ${leak}`);
    const complaints = service.complaints();
    if (complaints) add(`written to stderr: ${complaints.slice(0, 300)}`);
  }

  /**
   * Repeats every request that was in progress during a block, one at a time: only a request that blocks by itself is a finding.
   */
  async #checkTime(sent: readonly Sent[], seed: number): Promise<void> {
    const blocks = this.#stage.service.blocks.splice(0);
    const slow = sent.filter(({ elapsedMs }) => elapsedMs > SLOW_MS);
    const during = sent.filter(({ fromMs, toMs }) =>
      blocks.some(({ ms, atMs }) => fromMs <= atMs && toMs >= atMs - ms),
    );
    this.tally.suspected += blocks.length + slow.length;
    for (const { given } of new Set([...slow, ...during])) {
      const worst = await this.#measureAlone(given);
      if (worst.blockMs > BLOCK_MS)
        this.tally.add({ problem: `the event loop is blocked by ${given.kind}`, given, seed, index: 0 });
      if (worst.elapsedMs > SLOW_MS)
        this.tally.add({ problem: `slow response to ${given.kind}`, given, seed, index: 0 });
    }
  }

  /** The minimum of a few attempts, which is the inherent cost. */
  async #measureAlone(fuzzCase: FuzzCase): Promise<{ blockMs: number; elapsedMs: number }> {
    const best = { blockMs: Number.POSITIVE_INFINITY, elapsedMs: Number.POSITIVE_INFINITY };
    for (let left = RETRIES; left > 0; left--) {
      await this.#stage.service.longestBlockMs();
      const { elapsedMs } = await this.#stage.sender.send(fuzzCase);
      await sleep(10); // time for the watcher to run after the block
      best.blockMs = Math.min(best.blockMs, await this.#stage.service.longestBlockMs());
      best.elapsedMs = Math.min(best.elapsedMs, elapsedMs);
      if (best.blockMs <= BLOCK_MS && best.elapsedMs <= SLOW_MS) break;
    }
    return best;
  }

  /** A smaller case with the same problem; the case itself if there is none. */
  async #shrink(problem: string, fuzzCase: FuzzCase, seed: number, index: number): Promise<FuzzCase> {
    const holds = fc.asyncProperty(this.#arbitrary, async (candidate) => {
      const reply = await this.#stage.sender.send(candidate);
      this.#money.record(candidate, reply);
      this.#credits.record(candidate, reply);
      return !this.#responses.problems(candidate, reply).includes(problem);
    });
    const { counterexample } = await fc.check(holds, {
      seed,
      path: String(index),
      numRuns: 1,
      unbiased: true,
      interruptAfterTimeLimit: SHRINK_LIMIT_MS,
    });
    return counterexample?.[0] ?? fuzzCase;
  }
}
