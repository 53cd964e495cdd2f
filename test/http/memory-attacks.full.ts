import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import * as attacks from '../fuzz/attacks/memory-attacks.js';
import { ServiceProcess } from '../fuzz/support/service-process.js';
import { uploaders } from '../fuzz/support/uploaders.js';
import { seed, type TestDeveloper, testEnvironment } from '../support/app.js';
import { longestScript } from '../support/portal-assets.js';
import { freePort } from '../support/ports.js';
import { ProcessMemory } from '../support/process-memory.js';
import { rechargeBody } from '../support/recharges.js';
import { shippedCommand } from '../support/shipped.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { until } from '../support/until.js';
import { useSharedApp } from '../support/use-app.js';

/*
 * The service with the default memory. `npm run attacks` runs larger attacks and measures the latency for others; these are just
 * large enough to find a memory leak.
 */

const test = useSharedApp();
/** Memory that may remain in use after an attack: the bounded document cache. */
const RETAINED_RATIO = 1.15;
/** All memory in this test is released immediately. */
const RELEASE_LIMIT_MS = 15_000;
const UPLOADERS = 4;
/** V8 prints the stack when it runs out of memory. */
const DYING_MS = 5_000;

let developer: TestDeveloper;
let victim: attacks.Victim;
let opsUrl: string;
let env: Record<string, string>;
let service: ServiceProcess | undefined;
let memory: ProcessMemory;
/** Heap in use before the attack. */
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

/** One process handles all attacks, unless one of them kills it. */
beforeEach(async () => {
  if (service?.isUp) return;
  await memory?.close();
  service = await ServiceProcess.start(env, shippedCommand());
  memory = new ProcessMemory(service, opsUrl);
  for (let n = 0; n < 20; n++) await expectAllServed();
  beforeBytes = await memory.heapInUseBytes();
});

let recharges = 0;
/** An honest caller can use both protocols, and the probes succeed. */
async function expectAllServed(): Promise<void> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${developer.tokens.uat}` };
  const post = (path: string, body: object) =>
    fetch(victim.urls.uat + path, { method: 'POST', headers, body: JSON.stringify(body) });
  const responses = await Promise.all([
    post(
      '/api/v1/recharge',
      rechargeBody({ amount: 1, client_request_id: `memory ${attacks.serial()} ${++recharges}` }),
    ),
    post('/graphql', { query: '{ me { id } wallet { balance } }' }),
    ...Object.values(victim.urls).map((url) => fetch(`${url}/livez`)),
    fetch(`${opsUrl}/readyz`),
  ]);
  expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200));
  for (const response of responses) await response.arrayBuffer();
}

/** After each attack, the same process serves requests with its original memory use. */
afterEach(async () => {
  let inUseBytes = Number.NaN;
  const sample = async (): Promise<void> => {
    await expectAllServed();
    inUseBytes = await memory.waitUntilBelow(beforeBytes * RETAINED_RATIO, RELEASE_LIMIT_MS);
  };
  // The end of a process is reported shortly after its connections close.
  const failed = await sample().catch(async (error: Error) => {
    await until('the process has ended', () => !service!.isUp, DYING_MS).catch(() => {});
    return error;
  });
  if (!service!.isUp) expect.fail(`The process died: ${memory.ended ?? service!.exitReason()}`);
  if (failed) throw failed;
  expect(inUseBytes).toBeLessThanOrEqual(beforeBytes * RETAINED_RATIO);
});

describe('a process with the default memory survives', () => {
  it.each(['uat', 'production', 'console'] as const)(
    '300 anonymous callers who send 64 KB at the same time to %s',
    async (host) => {
      await attacks.longBodies(victim, host, 300, attacks.LARGEST_BODY_BYTES);
    },
  );

  it('files of 5 MB from every caller who can upload one', async () => {
    const manyLarge = { number: 16, atOnce: 16, bytes: attacks.LARGEST_FILE_BYTES, limitMs: 10_000 };
    await attacks.uploads(victim, 'JSON', manyLarge);
    await attacks.uploads(victim, 'multipart', manyLarge);
  });

  it('documents that are never the same, on both hosts', async () => {
    const manySmall = { number: 70, repeated: 1, atOnce: 8, limitMs: 30_000 };
    await attacks.documents(victim, 'uat', attacks.documentOfKeys, manySmall);
    await attacks.documents(victim, 'production', attacks.documentOfKeys, manySmall);
  });

  it('100 anonymous callers who request the longest responses and read nothing', async () => {
    const unread = new attacks.UnreadResponses();
    for (const host of ['uat', 'console'] as const) await unread.open(victim.urls, host, 50);
    // Later requests have a response, so the earlier ones were processed.
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
