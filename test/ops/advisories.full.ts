import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { directory, registry, run } from './registry.fixture.js';

describe('npm run advisories', () => {
  /** A checkout with one production and one development package, and the npm settings of this repository. */
  function checkout(): string {
    const checkoutDirectory = directory();
    cpSync('.npmrc', path.join(checkoutDirectory, '.npmrc'));
    const root = {
      name: 'shop',
      version: '1.0.0',
      dependencies: { sold: '1.0.0' },
      devDependencies: { tried: '2.0.0' },
    };
    writeFileSync(path.join(checkoutDirectory, 'package.json'), JSON.stringify(root));
    const packages = {
      '': root,
      'node_modules/sold': { version: '1.0.0' },
      'node_modules/tried': { version: '2.0.0', dev: true },
    };
    const lock = { name: 'shop', version: '1.0.0', lockfileVersion: 3, requires: true, packages };
    writeFileSync(path.join(checkoutDirectory, 'package-lock.json'), JSON.stringify(lock));
    return checkoutDirectory;
  }
  const advisory = (name: string, severity: string) => ({
    [name]: [
      {
        id: 1,
        url: `https://advisories.example/${name}`,
        title: `A flaw of ${name}`,
        severity,
        vulnerable_versions: '<3.0.0',
      },
    ],
  });
  /** A registry that knows these advisories. */
  const registryWith =
    (advisories: object, queries: Record<string, string[]>[] = []): RequestListener =>
    async (request, response) => {
      const body = await buffer(request);
      if (request.url === '/-/npm/v1/security/advisories/bulk') {
        const text = request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body;
        const names = JSON.parse(text.toString()) as Record<string, string[]>;
        queries.push(names);
        const matching = Object.entries(advisories).filter(([name]) => name in names);
        response.setHeader('content-type', 'application/json').end(JSON.stringify(Object.fromEntries(matching)));
        return;
      }
      const name = request.url!.slice(1);
      const versions = { '1.0.0': { name, version: '1.0.0' }, '2.0.0': { name, version: '2.0.0' } };
      response
        .setHeader('content-type', 'application/json')
        .end(JSON.stringify({ name, 'dist-tags': { latest: '2.0.0' }, versions }));
    };
  const advisories = async (reply: RequestListener) => {
    const host = await registry(reply);
    const checkoutDirectory = checkout();
    const cache = path.join(checkoutDirectory, 'cache');
    const env = { npm_config_registry: `http://${host}`, npm_config_cache: cache, npm_config_fetch_retries: '0' };
    const { code, output } = await run('ops/advisories.mjs', [checkoutDirectory], env);
    expect(output).not.toContain(host);
    return { code, output: output.replaceAll(`${checkoutDirectory}/`, '') };
  };

  it('exits with 0 if the registry has no advisory, after queries for production packages and for all packages', async () => {
    const queries: Record<string, string[]>[] = [];
    expect(await advisories(registryWith({}, queries))).toEqual({
      code: 0,
      output:
        'production packages of package-lock.json: 0 advisories about 2 packages\n' +
        'all packages of package-lock.json: 0 advisories about 2 packages\n',
    });
    expect(queries).toEqual([{ sold: ['1.0.0'] }, { sold: ['1.0.0'], tried: ['2.0.0'] }]);
  });

  it('exits with 1 and lists each advisory, most severe first', async () => {
    const { code, output } = await advisories(
      registryWith({ ...advisory('sold', 'low'), ...advisory('tried', 'critical') }),
    );
    expect(code).toBe(1);
    expect(output.split('\n')).toEqual([
      'production packages of package-lock.json: 1 advisories about 2 packages',
      '  low       sold <3.0.0: A flaw of sold (https://advisories.example/sold)',
      'all packages of package-lock.json: 2 advisories about 2 packages',
      '  critical  tried <3.0.0: A flaw of tried (https://advisories.example/tried)',
      '  low       sold <3.0.0: A flaw of sold (https://advisories.example/sold)',
      '',
    ]);
  });

  it('exits with 3 and reports it if the registry rejects the query', async () => {
    const { code, output } = await advisories((_request, response) => response.writeHead(405).end());
    expect(code).toBe(3);
    expect(output).toBe(
      'production packages of package-lock.json: advisories not checked: the registry returned 405\n' +
        'all packages of package-lock.json: advisories not checked: the registry returned 405\n',
    );
  });

  it('exits with 3 and reports it if the registry does not respond', async () => {
    const { code, output } = await advisories((request) => request.socket.destroy());
    expect(code).toBe(3);
    expect(output).toMatch(
      /^(\w+ packages of package-lock\.json: advisories not checked: npm audit failed \(\w+.*\)\n){2}$/,
    );
  });

  it('exits with 3 without a lock file', async () => {
    expect((await run('ops/advisories.mjs', [directory()])).code).toBe(3);
  });
});

describe('npm ci', () => {
  /** A checkout with a package that requires a newer Node. */
  function checkout(dependency = 'file:needy'): string {
    const checkoutDirectory = directory();
    cpSync('.npmrc', path.join(checkoutDirectory, '.npmrc'));
    const needy = { name: 'needy', version: '1.0.0', engines: { node: '>=999' } };
    const root = { name: 'shop', version: '1.0.0', dependencies: { needy: dependency } };
    mkdirSync(path.join(checkoutDirectory, 'needy'));
    writeFileSync(path.join(checkoutDirectory, 'needy/package.json'), JSON.stringify(needy));
    writeFileSync(path.join(checkoutDirectory, 'package.json'), JSON.stringify(root));
    const locked = { ...root, dependencies: { needy: 'file:needy' } };
    const packages = { '': locked, needy, 'node_modules/needy': { resolved: 'needy', link: true } };
    const lock = { name: 'shop', version: '1.0.0', lockfileVersion: 3, requires: true, packages };
    writeFileSync(path.join(checkoutDirectory, 'package-lock.json'), JSON.stringify(lock));
    return checkoutDirectory;
  }
  const npm = (cwd: string, ...args: string[]) => spawnSync('npm', args, { cwd, encoding: 'utf8' });

  it('prints errors, but no warnings of packages about an old Node that only runs npm', () => {
    const installed = npm(checkout(), 'ci');
    expect([installed.status, installed.stderr]).toEqual([0, '']);
    expect(installed.stdout).toMatch(/^\s*added 1 package/);
    expect(npm(checkout(), 'ci', '--loglevel=warn').stderr).toContain('EBADENGINE');
    const failed = npm(checkout('2.0.0'), 'ci');
    expect([failed.status, failed.stderr]).toEqual([1, expect.stringContaining('npm error')]);
  });

  it('is named by npm run build, and so by npm start, if it was interrupted', () => {
    const { status, stderr } = spawnSync(process.execPath, [path.resolve('src/dev/build.mjs')], {
      cwd: checkout(),
      encoding: 'utf8',
    });
    expect([status, stderr]).toEqual([1, 'The packages are not completely installed. Run "npm ci" first.\n']);
  });
});
