import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as attacks from '../fuzz/attacks/memory-attacks.js';
import { uploaders } from '../fuzz/support/uploaders.js';
import { seed, testEnvironment } from '../support/app.js';
import { freePort } from '../support/ports.js';
import { asService } from '../support/service-login.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { until } from '../support/until.js';
import { useSharedApp } from '../support/use-app.js';
import { seconds, yamlOf } from './deployment-files.fixture.js';
import { print } from './support/books.js';
import { ImageStore, TOOLS } from './support/image.js';
import { missingPrograms, PATH } from './tools.fixture.js';

const BUILD_LIMIT_MS = 20 * 60_000;
const TAG = 'localhost/recharge-gateway-drill';
const NAME = 'recharge-gateway-drill';
const REVISION = 'of-the-drill';
const missing = missingPrograms('the image', ...TOOLS);
const isRoot = process.getuid?.() === 0;
if (missing.length === 0 && !isRoot) console.log('Left out: the image. Containers need root here.');

const compose = yamlOf('compose.yaml').services['serve-1'];

describe.skipIf(missing.length > 0 || !isRoot)('the image', () => {
  const test = useSharedApp();
  let store: ImageStore;
  let container: ChildProcess;
  let log: Promise<string>;
  let ports: number[];
  let victim: attacks.Victim;
  const opsUrl = (page: string) => `http://127.0.0.1:${ports[3]}/${page}`;
  const inContainer = (...command: string[]) => store.podman('exec', NAME, ...command);
  const memoryOf = (file: string): number =>
    Number(
      inContainer('sh', '-c', `cat /sys/fs/cgroup/${file} /sys/fs/cgroup/memory/${file} 2>/dev/null || true`).trim(),
    );

  beforeAll(async () => {
    store = new ImageStore();
    store.makeBase();
    store.build(TAG, { REVISION, VERSION: '0.0.0-drill' });
    ports = [await freePort(), await freePort(), await freePort(), await freePort()];
    const [uat, production, console] = ports.map((port) => `http://127.0.0.1:${port}`);
    const {
      DATA_DIR: _,
      AUDIT_ANCHOR_FILE: _file,
      ...env
    } = asService({
      ...testEnvironment(test.db.url, test.simulator.url, ports),
      OPS_PORT: String(ports[3]),
      TRUST_PROXY: '1',
      LOG_LEVEL: 'info',
      // a host only responds to the name in its public URL
      PUBLIC_URL_UAT: uat!,
      PUBLIC_URL_PRODUCTION: production!,
      PUBLIC_URL_CONSOLE: console!,
      SHUTDOWN_DELAY_MS: compose.environment.SHUTDOWN_DELAY_MS,
    }) as Record<string, string>;
    const file = path.join(temporaryDirectory(), 'env');
    writeFileSync(
      file,
      Object.entries(env)
        .map(([name, value]) => `${name}=${value}\n`)
        .join(''),
      { mode: 0o600 },
    );
    // as in compose.yaml, but on the network of this machine, where database and simulator are
    const memory: string = compose.deploy.resources.limits.memory.toLowerCase();
    // a machine may allow fewer open files, and its engine has a default limit of processes
    const most = Number(execFileSync('sh', ['-c', 'ulimit -Hn'], { encoding: 'utf8' })) || Number.POSITIVE_INFINITY;
    const files = Math.min(compose.ulimits.nofile, most);
    const restrictions = [
      ...(compose.read_only ? ['--read-only', '--read-only-tmpfs=false'] : []),
      ...compose.cap_drop.flatMap((capability: string) => ['--cap-drop', capability]),
      ...compose.security_opt.flatMap((option: string) => ['--security-opt', option.replace(':true', '')]),
      `--memory=${memory}`,
      `--memory-swap=${memory}`,
      `--ulimit=nofile=${files}`,
      '--ulimit=nproc=4096',
    ];
    container = spawn(
      'podman',
      store.podmanArgs('run', '--name', NAME, '--network', 'host', ...restrictions, '--env-file', file, TAG),
      { env: { ...process.env, PATH } },
    );
    log = Promise.all([text(container.stdout!), text(container.stderr!)]).then((parts) => parts.join(''));
    const developer = await test.developer({ rateLimitPerMinute: 100_000 });
    victim = {
      urls: { uat: uat!, production: production!, console: console! },
      tokens: developer.tokens,
      sessions: await uploaders(test.app, 4, seed),
    };
    await until('the container is ready', async () => {
      if (container.exitCode !== null) throw new Error(await log);
      return fetch(opsUrl('readyz')).then(
        ({ ok }) => ok,
        () => false,
      );
    });
  }, BUILD_LIMIT_MS);
  afterAll(() => store?.remove());

  it('has its command, bill of materials and health check, and runs as a user without permissions', () => {
    expect(inContainer('gateway', '--version')).toMatch(/^recharge-gateway \d/);
    expect(JSON.parse(inContainer('cat', 'sbom.cdx.json')).bomFormat).toBe('CycloneDX');
    expect(store.podman('healthcheck', 'run', NAME)).toBe('');
    expect(inContainer('id', '-u').trim()).toBe('1000');
    expect(
      inContainer('sh', '-c', 'touch /srv/gateway/x /tmp/x 2>/dev/null; ls /srv/gateway/x /tmp/x 2>/dev/null || true'),
    ).toBe('');
    const status = inContainer('cat', '/proc/self/status');
    expect(status).toMatch(/^CapEff:\s+0+$/m);
    expect(status).toMatch(/^NoNewPrivs:\s+1$/m);
    // exits with 1 because the test server is not durable
    const report = inContainer('sh', '-c', 'gateway doctor --json || true');
    const { findings } = JSON.parse(report) as { findings: Record<string, { ok: boolean }> };
    expect(Object.keys(findings).filter((name) => !findings[name]!.ok)).toEqual(['durability']);
    const labels = JSON.parse(store.podman('inspect', '--format', '{{json .Config.Labels}}', NAME)) as object;
    expect(labels).toMatchObject({ 'org.opencontainers.image.revision': REVISION });
  });

  it('serves, and survives attacks on its memory within the limit of compose.yaml', async () => {
    const served = async (): Promise<void> => {
      const headers = { authorization: `Bearer ${victim.tokens.uat}`, 'content-type': 'application/json' };
      const response = await fetch(`${victim.urls.uat}/graphql`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ query: '{ me { id } wallet { balance } }' }),
      });
      expect([response.status, ((await response.json()) as { errors?: unknown }).errors]).toEqual([200, undefined]);
    };
    const statuses: attacks.Statuses[] = [];
    /** An attack without any response would prove nothing. */
    const expectResponses = (all: attacks.Statuses): void => {
      expect(Object.keys(all).some((status) => status !== 'none')).toBe(true);
      statuses.push(all);
    };
    await served();
    for (const host of ['uat', 'production', 'console'] as const)
      expectResponses(await attacks.longBodies(victim, host, 300, attacks.LARGEST_BODY_BYTES));
    const files = { number: 16, atOnce: 16, bytes: attacks.LARGEST_FILE_BYTES, limitMs: 10_000 };
    expectResponses(await attacks.uploads(victim, 'JSON', files));
    expectResponses(await attacks.uploads(victim, 'multipart', files));
    const documents = { number: 150, repeated: 1, atOnce: 8, limitMs: 60_000 };
    expectResponses(await attacks.documents(victim, 'uat', attacks.documentOfKeys, documents));
    await served();
    expect(container.exitCode).toBe(null);
    const peak = memoryOf('memory.peak') || memoryOf('memory.max_usage_in_bytes');
    print(
      `image: ${compose.deploy.resources.limits.memory} for the container, peak ${(peak / 2 ** 20).toFixed(0)} MB; attackers received ${JSON.stringify(statuses)}`,
    );
  });

  it('stops within its grace period', async () => {
    const startedAt = performance.now();
    store.podman('stop', '--time', String(seconds(compose.stop_grace_period)), NAME);
    const tookS = (performance.now() - startedAt) / 1_000;
    if (container.exitCode === null) await once(container, 'exit');
    expect(container.exitCode).toBe(0);
    const state = JSON.parse(store.podman('inspect', '--format', '{{json .State}}', NAME)) as any;
    expect([state.ExitCode, state.OOMKilled]).toEqual([0, false]);
    expect(tookS).toBeLessThan(seconds(compose.stop_grace_period));
    print(`image: stopped after ${tookS.toFixed(1)} s with ${state.ExitCode}`);
  });
});
