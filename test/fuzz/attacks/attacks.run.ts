import { constants, setPriority } from 'node:os';
import { expect, test } from 'vitest';
import { seed } from '../../support/app.js';
import { megabytes, ProcessMemory } from '../../support/process-memory.js';
import { rechargeBody, rechargeInput } from '../../support/recharges.js';
import { shippedCommand, shippedHeapLimitBytes } from '../../support/shipped.js';
import { until } from '../../support/until.js';
import { hostNames } from '../case.js';
import { Stage } from '../support/stage.js';
import { uploaders } from '../support/uploaders.js';
import { Attacker } from './attacker.js';
import { type Attack, attacks } from './attacks.js';
import { startHugePlans } from './huge-plans.js';
import { Probe, type Report, type Target } from './probe.js';

/**
 * Longest time that /livez may take during an attack; twice as long while an attack sends thousands of concurrent requests. On a
 * slow machine, the time of a recharge without an attack is used instead.
 */
const LIMIT_MS = Number(process.env.ATTACK_LIMIT_MS ?? 50);
/** Maximum ratio of the memory in use after and before an attack on memory. */
const KEPT = 1.15;
/** Parts of attack names, separated by commas; all attacks if not set. */
const only = process.env.ATTACKS?.split(',');
/** A shared machine is slow now and then. A service that blocks other callers does so in every round. */
const ROUNDS = 3;
const ATTACK_MS = 180_000;
const UPLOADERS = 6;
/** Time in which V8 prints its state before the process exits. */
const DYING_MS = 5_000;
const HONEST_PAUSE_MS = 50;

const settings = {
  LOG_LEVEL: 'info',
  RATE_LIMIT_PER_MINUTE: '60',
  PROVIDER_TIMEOUT_MS: '5000',
  VISIBILITY_DELAY_MS: '7s',
  ALLOW_PRIVATE_WEBHOOKS: 'true',
  POLL_INTERVAL_MS: '100',
  // unlike other runs on this stage, this one sends webhooks
  WORKERS: 'all',
};

/** A service and its probe. */
interface Scene {
  stage: Stage;
  memory: ProcessMemory;
  sessions: readonly string[];
}

/** Longest response times during an attack, without the delay of the machine, or the failure. */
type Outcome = { waitedMs: number; rechargeMs: number } | { failure: string };

async function open(plansUrl: string): Promise<Scene> {
  const stage = await Stage.open({
    seed: 1,
    inFlight: 1,
    settings: { ...settings, PROVIDER_EKYCHUB_URL: plansUrl },
    command: shippedCommand(),
  });
  // real attackers use other machines, so these must take no processor time from the service
  setPriority(constants.priority.PRIORITY_LOW);
  // a client that sends a request every few milliseconds has an agreed limit
  await stage.db.query('update developer set rate_limit_per_minute = 1000000');
  return {
    stage,
    memory: new ProcessMemory(stage.service, stage.opsUrl),
    sessions: await uploaders(stage.app, UPLOADERS, seed),
  };
}

async function close({ stage, memory }: Scene): Promise<void> {
  await memory.close();
  await stage.close();
}

const RECHARGE = 'mutation($input: RechargeInput!) { recharge(input: $input) { order { status } } }';

/** Health checks and an honest caller: short requests all the time, payments at a modest rate. */
function targetsOf({ stage }: Scene): Target[] {
  const honest = (host: 'uat' | 'production') => ({
    authorization: `Bearer ${stage.values.get(`token.other-${host}`)}`,
    'x-forwarded-for': '198.51.100.4',
  });
  const payments = { ...honest('uat'), 'content-type': 'application/json' };
  const rest = rechargeBody({ amount: 1, client_request_id: 'rest {{serial}}' });
  const input = rechargeInput({ amount: 1, clientRequestId: 'graphql {{serial}}' });
  return [
    ...hostNames.map((host) => ({ name: `livez ${host}`, url: `${stage.urls[host]}/livez`, headers: {} })),
    ...(['uat', 'production'] as const).map((host) => ({
      name: `me ${host}`,
      url: `${stage.urls[host]}/api/v1/auth/me`,
      headers: honest(host),
    })),
    {
      name: 'recharge',
      url: `${stage.urls.uat}/api/v1/recharge`,
      headers: payments,
      body: JSON.stringify(rest),
      pauseMs: HONEST_PAUSE_MS,
    },
    {
      name: 'recharge by GraphQL',
      url: `${stage.urls.uat}/graphql`,
      headers: payments,
      body: JSON.stringify({ query: RECHARGE, variables: { input } }),
      pauseMs: HONEST_PAUSE_MS,
    },
  ];
}

const counts = (statuses: Record<string, number>): string =>
  Object.entries(statuses)
    .map(([status, count]) => `${count} × ${status}`)
    .join(', ');

/** Targets that were not served. During an attack on memory, a caller may have to retry. */
const unserved = (waited: Report['rows'], onMemory: boolean): string =>
  Object.entries(waited)
    .flatMap(([name, { statuses, errorText }]) => {
      const served = onMemory && !name.startsWith('livez') ? ['200', '503'] : ['200'];
      return Object.keys(statuses).every((status) => served.includes(status))
        ? []
        : [`${name}: ${counts(statuses)} ${errorText ?? ''}`];
    })
    .join('; ');

/** Runs one attack and prints the result. */
async function playAttack(attack: Attack, scene: Scene, probe: Probe): Promise<Outcome> {
  const { stage, memory, sessions } = scene;
  const attacker = new Attacker(stage, sessions);
  let initialBytes: number | undefined;
  if (attack.onMemory) {
    // warm-up, so that the memory of the honest caller is in use
    await probe.start(targetsOf(scene));
    await probe.end();
    initialBytes = await memory.heapInUseBytes();
  }
  await probe.start(targetsOf(scene));
  memory.takePeakBytes();
  const startedMs = performance.now();
  await attack.play(attacker);
  const { rows, lateMs } = await probe.end();
  await attacker.close();
  console.log(
    `${attack.name}: ${attacker.requests} requests in ${((performance.now() - startedMs) / 1_000).toFixed(1)} s (${counts(attacker.statuses)})${attacker.limited > 0 ? `; ${attacker.limited} refused by a limit` : ''}${attacker.note && `; ${attacker.note}`}`,
  );
  printWaits(rows, lateMs);
  const rejected = unserved(rows, attack.onMemory === true);
  // the exit of a process is reported a moment after its connections have closed
  if (rejected) await until('the process has exited', () => !stage.service.isUp, DYING_MS).catch(() => {});
  const peakBytes = memory.takePeakBytes();
  if (!stage.service.isUp) return { failure: `the process died: ${memory.ended ?? stage.service.exitReason()}` };
  let memoryLine = `    resident at most ${megabytes(peakBytes)}`;
  let kept = '';
  if (initialBytes !== undefined) {
    const mostBytes = initialBytes * (attack.kept ?? KEPT);
    const afterBytes = await memory.waitUntilBelow(mostBytes);
    const figures = await memory.figures();
    memoryLine += ` and ${megabytes(figures.residentBytes)} afterwards; heap in use ${megabytes(initialBytes)} before, ${megabytes(afterBytes)} afterwards`;
    if (afterBytes > mostBytes) kept = `${megabytes(afterBytes)} of heap in use, ${megabytes(initialBytes)} before`;
  }
  console.log(memoryLine);
  if (rejected) return { failure: `not served: ${rejected}` };
  if (kept) return { failure: kept };
  if (attacker.failure) return { failure: attacker.failure };
  // the waits of the honest caller are only printed, because they include other work of the database and the machine
  const longestOf = (name: string): number =>
    Math.max(...Object.entries(rows).map(([target, row]) => (target.startsWith(name) ? row.longestMs : 0)));
  return { waitedMs: Math.max(0, longestOf('livez') - lateMs), rechargeMs: longestOf('recharge') };
}

function printWaits(rows: Report['rows'], lateMs: number): void {
  const waits = Object.entries(rows).map(([target, row]) => `${target} ${row.longestMs.toFixed(0)}`);
  console.log(`    longest wait in ms: ${waits.join(', ')}; the probe itself late by ${lateMs.toFixed(0)}`);
  for (const [target, { statuses, p50Ms, p99Ms }] of Object.entries(rows))
    if (target.startsWith('recharge'))
      console.log(`    ${target}: ${counts(statuses)}; p50 ${p50Ms.toFixed(0)} ms, p99 ${p99Ms.toFixed(0)} ms`);
}

test(
  'no other caller waits during an attack, and the service survives within its shipped memory limit',
  async () => {
    const plans = await startHugePlans();
    const probe = new Probe();
    const { execArgv } = shippedCommand();
    console.log(`node ${execArgv.join(' ')}: at most ${megabytes(shippedHeapLimitBytes())} of heap`);
    const shortestMs = new Map<string, number>();
    let limitMs = LIMIT_MS;
    const limitOf = ({ onMemory }: Attack): number => (onMemory ? 2 : 1) * limitMs;
    const failures: string[] = [];

    /**
     * Runs attacks on a new service, and again on a new one if an attack ended it. Returns the attacks that affected other
     * callers.
     */
    const round = async (all: readonly Attack[]): Promise<Attack[]> => {
      const suspects: Attack[] = [];
      let scene: Scene | undefined;
      for (const attack of all) {
        scene ??= await open(plans.url);
        const outcome = await playAttack(attack, scene, probe);
        if ('failure' in outcome) {
          console.log(`    FAILED: ${outcome.failure}`);
          failures.push(`${attack.name}: ${outcome.failure}`);
          // its effects must not be attributed to the next attack
          await close(scene);
          scene = undefined;
          continue;
        }
        if (attack === attacks[0]) limitMs = Math.max(limitMs, outcome.rechargeMs);
        shortestMs.set(attack.name, Math.min(outcome.waitedMs, shortestMs.get(attack.name) ?? outcome.waitedMs));
        if (outcome.waitedMs > limitOf(attack)) suspects.push(attack);
      }
      if (scene) await close(scene);
      return suspects;
    };

    // the first entry is not an attack: it measures the machine
    let remaining = attacks.filter((attack, n) => n === 0 || !only || only.some((part) => attack.name.includes(part)));
    for (let left = ROUNDS; left > 0 && remaining.length > 0; left--) {
      if (left < ROUNDS) console.log(`again, by themselves: ${remaining.map(({ name }) => name).join(', ')}`);
      remaining = await round(remaining);
    }
    probe.close();
    plans.close();
    console.log(`longest wait of all: ${Math.max(0, ...shortestMs.values()).toFixed(0)} ms`);
    for (const attack of remaining)
      failures.push(
        `${attack.name}: /livez waited ${shortestMs.get(attack.name)!.toFixed(0)} ms, and the limit is ${limitOf(attack).toFixed(0)}`,
      );
    expect(failures).toEqual([]);
  },
  ROUNDS * attacks.length * ATTACK_MS,
);
