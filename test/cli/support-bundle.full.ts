import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { scrubber } from '../../src/cli/scrub.js';
import { testEnvironment } from '../support/app.js';
import { freePort } from '../support/ports.js';
import { COMPILE_CACHE } from '../support/program.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { useSharedApp } from '../support/use-app.js';

const test = useSharedApp();

/** Values that the bundle must not contain, each as it can appear in a log line. */
const CANARIES = {
  mobile: '9876501234',
  spaced: '98765 01235',
  dashed: '+91-98765-01236',
  card: '4111111111111111',
  pan: 'ABCDE1234F',
  mail: 'canary.person@shop.example',
  token: 'rgl_CanaryTokenCanaryToken0123456789abcdefghij',
  key: 'q83vASNFZ4mrze8BI0VniavN7wEjRWeJq83vASNFZ4k=',
  person: 'Canary Lastname',
  pepper: 'canary pepper with words',
  password: 'canary-db-password',
};

/** Runs the command with a log on its standard input. */
async function bundle(env: Record<string, string>, log: readonly string[], ...args: string[]) {
  const out = path.join(temporaryDirectory(), 'bundle.json');
  const child = spawn(process.execPath, ['dist/cli/gateway.js', 'support-bundle', '--out', out, ...args], {
    env: { PATH: process.env.PATH, ...COMPILE_CACHE, ...env },
  });
  child.stdin.on('error', () => {}); // the command may exit without reading its input
  child.stdin.end(log.join('\n'));
  const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'close')]);
  const content = code === 0 ? readFileSync(out, 'utf8') : '';
  return { out, code, stderr, content, made: (content ? JSON.parse(content) : undefined) as any };
}

it('contains helpful data, and none of the personal data and secrets of log, settings and metrics', async () => {
  const { db, app, simulator } = test;
  await app.users.create(
    { email: CANARIES.mail, name: CANARIES.person, password: 'a password for tests', role: 'support' },
    { actor: 'system:test', requestId: 'test' },
  );
  const metrics = await app.metrics.text();
  const server = createServer((_, response) => response.end(`${metrics}\ncanary_total{who="${CANARIES.mobile}"} 1\n`));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as { port: number };
  const env = {
    ...testEnvironment(db.url, simulator.url, [0, 0, 0]),
    SECRET_PEPPER: CANARIES.pepper,
    ENCRYPTION_KEYS: `canary-1:${CANARIES.key}`,
    REDIS_URL: `redis://user:${CANARIES.password}@cache.example:6379/0?x=${CANARIES.token}`,
    EMAIL_FROM: `${CANARIES.person} <${CANARIES.mail}>`,
  };
  const requestId = '0191f3c2-7d1e-7abc-8def-1234567890ab';
  const log = [
    JSON.stringify({
      level: 30,
      time: '2026-11-24T16:10:23.123Z',
      requestId,
      path: '/api/v1/recharge',
      ms: 12,
      msg: 'request',
    }),
    ...Object.entries(CANARIES).flatMap(([name, value]) => [
      JSON.stringify({
        level: 50,
        [name]: value,
        msg: `it was ${value}`,
        err: { message: value, stack: `at ${value}` },
      }),
      JSON.stringify({ level: 50, reason: { deep: { [value]: value } } }),
      `a line of something else, ${value}`,
      `FATAL ERROR: ${value}`,
    ]),
    'FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory',
  ];
  const {
    code,
    stderr,
    content,
    made: bundled,
    out,
  } = await bundle(env, log, '--log', '-', '--metrics', `http://127.0.0.1:${port}/`);
  server.close();
  expect([code, stderr]).toEqual([0, '']);
  const squeezed = content.replaceAll(/[\s-]/g, '').toLowerCase();
  for (const [name, value] of Object.entries(CANARIES)) {
    expect([name, content.toLowerCase().includes(value.toLowerCase())]).toEqual([name, false]);
    expect([name, squeezed.includes(value.replaceAll(/[\s+-]/g, '').toLowerCase())]).toEqual([name, false]);
  }
  expect(content).not.toContain('Lastname');

  // the helpful data is present
  expect(bundled.program).toMatchObject({ version: app.version, node: process.version });
  expect(bundled.doctor.ledger).toMatchObject({ ok: true });
  expect(bundled.settings).toMatchObject({
    REDIS_URL: 'redis://cache.example:6379/0',
    SECRET_PEPPER: '[set]',
    SYNC_WINDOW_MS: '3500',
  });
  expect(bundled.settings.DATABASE_URL).toMatch(/^postgresql:\/\/[^@]*\/[\w[\]]+$/);
  // the bundle masks long runs of digits, and the commit may contain one
  expect(bundled.metrics).toContainEqual(expect.stringMatching(/^gateway_build_info\{version="[\d.]+",/));
  expect(JSON.parse(bundled.log[0])).toMatchObject({ requestId, path: '/api/v1/recharge', ms: 12, msg: 'request' });
  expect(bundled.log.at(-1)).toBe('FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory');
  expect(statSync(out).mode & 0o777).toBe(0o600);
});

it('is written even if nearly everything fails, lists what is missing, and overwrites nothing', async () => {
  const {
    code,
    made: bundled,
    out,
  } = await bundle(
    { DATABASE_URL: 'canary', SYNC_WINDOW_MS: 'canary' },
    [],
    '--metrics',
    `http://127.0.0.1:${await freePort()}/`,
  );
  expect([code, bundled.doctor, bundled.metrics, bundled.log]).toEqual([
    0,
    { missing: 'the settings are invalid' },
    { missing: 'ECONNREFUSED' },
    { missing: 'no --log was given' },
  ]);
  expect(bundled.settingProblems).toContainEqual(expect.stringMatching(/^SYNC_WINDOW_MS: /));
  const bundleBefore = readFileSync(out, 'utf8');
  const child = spawn(process.execPath, ['dist/cli/gateway.js', 'support-bundle', '--out', out]);
  expect([await text(child.stderr), (await once(child, 'close'))[0]]).toEqual([
    expect.stringMatching(/^The file of --out exists already/),
    1,
  ]);
  expect(readFileSync(out, 'utf8')).toBe(bundleBefore);
});

it.each([
  ['at 2026-11-24T16:10:23.123Z for 0191f3c2-7d1e-7abc-8def-123456789012', undefined],
  ['gateway_requests_total on port 4004 took 12345 ms', undefined],
  ['postgresql://someone:word@host/db', 'postgresql://host/db'],
  ['9876-54-3210', '[number]'],
  ['of 98765432101234 and asha+1@shop.example', 'of [number] and [email]'],
])('scrubs %j', (original, left) => {
  expect(scrubber([])(original)).toBe(left ?? original);
});
