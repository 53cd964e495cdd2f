import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import * as attacks from '../fuzz/attacks/memory-attacks.js';
import { ServiceProcess } from '../fuzz/support/service-process.js';
import { uploaders } from '../fuzz/support/uploaders.js';
import { seed, type TestDeveloper, testEnvironment } from '../support/app.js';
import { longestScript } from '../support/portal-assets.js';
import { freePort } from '../support/ports.js';
import { ProcessMemory } from '../support/process-memory.js';
import { aRecharge } from '../support/recharges.js';
import { shippedCommand } from '../support/shipped.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { until } from '../support/until.js';
import { useSharedApp } from '../support/use-app.js';

/*
 * The service in the memory that it is shipped with. `npm run attacks` plays the same larger, and looks at what others wait for; here
 * the numbers are just large enough for a process that keeps what it should not.
 */

const test = useSharedApp();
/** What may stay of an attack: documents that are kept, within their bound. */
const KEPT = 1.15;
/** Of what is in use: nothing here is given up only later. */
const BACK_LIMIT_MS = 15_000;
const UPLOADERS = 4;
/** V8 prints where it was. */
const DYING_MS = 5_000;

let developer: TestDeveloper;
let victim: attacks.Victim;
let opsUrl: string;
let env: Record<string, string>;
let service: ServiceProcess | undefined;
let memory: ProcessMemory;
/** In use before anything happened. */
let beforeBytes: number;

beforeAll(async () => {
  developer = await test.developer({ rateLimitPerMinute: 100_000 });
  const ports = [await freePort(), await freePort(), await freePort(), await freePort()];
  env = {
    ...testEnvironment(test.db.url, test.simulator.url, ports),
    OPS_PORT: String(ports[3]),
    DATA_DIR: temporaryDirectory(),
    TRUST_PROXY: '1',
  };
  const [uat, production, console, ops] = ports.map((port) => `http://127.0.0.1:${port}`);
  opsUrl = ops!;
  victim = {
    urls: { uat: uat!, production: production!, console: console! },
    tokens: developer.tokens,
    sessions: await uploaders(test.app, UPLOADERS, seed),
  };
});
afterAll(async () => {
  await memory?.close();
  if (service?.isUp) await service.stop();
});

/** One serves all attacks, unless it dies of one. */
beforeEach(async () => {
  if (service?.isUp) return;
  await memory?.close();
  service = await ServiceProcess.start(env, shippedCommand());
  memory = new ProcessMemory(service, opsUrl);
  for (let n = 0; n < 20; n++) await everybodyIsServed();
  beforeBytes = await memory.heapInUseBytes();
});

let recharges = 0;
/** An honest caller over both protocols, and who asks whether the service is there. */
async function everybodyIsServed(): Promise<void> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${developer.tokens.uat}` };
  const post = (path: string, body: object) =>
    fetch(victim.urls.uat + path, { method: 'POST', headers, body: JSON.stringify(body) });
  const answers = await Promise.all([
    post('/api/v1/recharge', aRecharge({ amount: 1, client_request_id: `memory ${attacks.serial()} ${++recharges}` })),
    post('/graphql', { query: '{ me { id } wallet { balance } }' }),
    ...Object.values(victim.urls).map((url) => fetch(`${url}/livez`)),
    fetch(`${opsUrl}/readyz`),
  ]);
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  for (const answer of answers) await answer.arrayBuffer();
}

/** After each attack: the same process serves, in the memory that it had. */
afterEach(async () => {
  let inUseBytes = Number.NaN;
  const looks = async (): Promise<void> => {
    await everybodyIsServed();
    inUseBytes = await memory.backTo(beforeBytes * KEPT, BACK_LIMIT_MS);
  };
  // a process that dies is heard of a moment after its connections have ended
  const failed = await looks().catch(async (error: Error) => {
    await until('the process has ended', () => !service!.isUp, DYING_MS).catch(() => {});
    return error;
  });
  if (!service!.isUp) expect.fail(`The process died: ${memory.ended ?? service!.lastWords()}`);
  if (failed) throw failed;
  expect(inUseBytes).toBeLessThanOrEqual(beforeBytes * KEPT);
});

describe('a process with the memory that it is shipped with outlives', () => {
  it.each(['uat', 'production', 'console'] as const)('300 strangers who send 64 KB at once to %s', async (host) => {
    await attacks.longBodies(victim, host, 300, attacks.LARGEST_BODY_BYTES);
  });

  it('files of 5 MB from everybody who may hand one in', async () => {
    const many = { number: 16, atOnce: 16, bytes: attacks.LARGEST_FILE_BYTES, limitMs: 10_000 };
    await attacks.uploads(victim, 'JSON', many);
    await attacks.uploads(victim, 'multipart', many);
  });

  it('documents that are never the same, on both hosts', async () => {
    const many = { number: 70, repeated: 1, atOnce: 8, limitMs: 30_000 };
    await attacks.documents(victim, 'uat', attacks.documentOfKeys, many);
    await attacks.documents(victim, 'production', attacks.documentOfKeys, many);
  });

  it('100 strangers who fetch the longest texts and read nothing', async () => {
    const unread = new attacks.UnreadResponses();
    for (const host of ['uat', 'console'] as const) await unread.open(victim.urls, host, 50);
    // whoever comes after them has been answered: so were they
    for (const [host, path] of [
      ['uat', '/docs/viewer.js'],
      ['console', longestScript()],
    ] as const) {
      await fetch(victim.urls[host] + path)
        .then((last) => last.arrayBuffer())
        .catch(() => {});
    }
    unread.close();
  });
});
