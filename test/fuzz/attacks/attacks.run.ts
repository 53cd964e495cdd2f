import { constants, setPriority } from 'node:os';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hostNames } from '../case.js';
import { Stage } from '../support/stage.js';
import { Attacker } from './attacker.js';
import { attacks } from './attacks.js';
import { startHugePlans } from './huge-plans.js';
import { Probe, type Report, type Target } from './probe.js';

/** What anybody else may have to wait while somebody attacks. */
const LIMIT_MS = Number(process.env.ATTACK_LIMIT_MS ?? 50);
/** Parts of names, separated by commas; all of them when it is not set. */
const only = process.env.ATTACKS?.split(',');
const NOBODY_ELSE = 60_000;

let stage: Stage;
let plans: Awaited<ReturnType<typeof startHugePlans>>;
const probe = new Probe();
beforeAll(async () => {
  plans = await startHugePlans();
  stage = await Stage.open({
    seed: 1,
    inFlight: 1,
    settings: {
      LOG_LEVEL: 'info',
      RATE_LIMIT_PER_MINUTE: '60',
      PROVIDER_TIMEOUT_MS: '5000',
      VISIBILITY_DELAY_MS: '7s',
      PROVIDER_EKYCHUB_URL: plans.url,
      ALLOW_PRIVATE_WEBHOOKS: 'true',
      WEBHOOK_POLL_MS: '100',
    },
  });
  // attackers sit elsewhere: what they do themselves takes no processor from the service
  setPriority(constants.priority.PRIORITY_LOW);
  // who asks every few milliseconds has agreed on it
  await stage.db.query('update developer set rate_limit_per_minute = 1000000');
}, 120_000);
afterAll(async () => {
  probe.close();
  plans?.close();
  await stage?.close();
});

const targets = (): Target[] => [
  ...hostNames.map((host) => ({ name: `livez ${host}`, url: `${stage.urls[host]}/livez`, headers: {} })),
  ...(['uat', 'production'] as const).map((host) => ({
    name: `me ${host}`,
    url: `${stage.urls[host]}/api/v1/auth/me`,
    headers: {
      authorization: `Bearer ${stage.values.get(`token.other-${host}`)}`,
      'x-forwarded-for': '198.51.100.4',
    },
  })),
];

const counts = (statuses: Record<string, number>): string =>
  Object.entries(statuses)
    .map(([status, count]) => `${count} × ${status}`)
    .join(', ');

const unserved = (waited: Report['rows']): string =>
  Object.entries(waited)
    .flatMap(([name, { statuses }]) =>
      Object.keys(statuses).every((status) => status === '200') ? [] : [`${name}: ${counts(statuses)}`],
    )
    .join('; ');

test(
  'nobody else waits while somebody attacks',
  async () => {
    const lines: string[] = [];
    const late: string[] = [];
    let longestMs = 0;
    for (const { name, play } of attacks.filter((attack) => !only || only.some((part) => attack.name.includes(part)))) {
      const attacker = new Attacker(stage);
      await probe.begin(targets());
      await stage.service.longestBlockMs();
      const startedMs = performance.now();
      await play(attacker);
      const { rows: waited, lateMs } = await probe.end();
      const blockedMs = await stage.service.longestBlockMs();
      await attacker.close();
      // the honest caller's waits are printed: they hold what the database and the machine had to do besides
      const alive = Object.entries(waited).filter(([target]) => target.startsWith('livez'));
      const worst = Math.max(...alive.map(([, row]) => row.longestMs));
      const waits = Object.entries(waited).map(([target, row]) => `${target} ${row.longestMs.toFixed(0)}`);
      const refused = unserved(waited);
      lines.push(
        `${name}: ${attacker.requests} requests in ${((performance.now() - startedMs) / 1_000).toFixed(1)} s (${counts(attacker.statuses)})${attacker.limited > 0 ? `; ${attacker.limited} refused by a limit` : ''}${attacker.note && `; ${attacker.note}`}`,
        `    longest wait in ms: ${waits.join(', ')}; the event loop's longest turn ${blockedMs.toFixed(0)}, the probe itself late by ${lateMs.toFixed(0)}${refused && `; not served: ${refused}`}`,
      );
      console.log(lines.slice(-2).join('\n'));
      if (worst > LIMIT_MS) late.push(`${name}: ${worst.toFixed(0)} ms`);
      if (refused) late.push(`${name}: ${refused}`);
      longestMs = Math.max(longestMs, worst);
    }
    console.log(`longest wait of all: ${longestMs.toFixed(0)} ms (limit ${LIMIT_MS} ms)`);
    expect(late).toEqual([]);
  },
  20 * NOBODY_ELSE,
);
