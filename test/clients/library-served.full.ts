import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { Environment } from '../../src/core/environment.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { useSharedApp } from '../support/use-app.js';
import { libraries } from './libraries.fixture.js';

const test = useSharedApp();
const run = promisify(execFile);

const manifests: Readonly<Record<string, string>> = {
  Node: 'clients/node/package.json',
  PHP: 'clients/php/composer.json',
};
const versionOf = (name: string): string => JSON.parse(readFileSync(manifests[name]!, 'utf8')).version;

describe.each(['uat', 'production'] as const)(
  'the client libraries at /docs/kits of %s',
  (environment: Environment) => {
    const get = async (to: string): Promise<Response> => {
      const response = await fetch(`${test.urls[environment]}${to}`);
      expect([to, response.status]).toEqual([to, 200]);
      return response;
    };

    it('match the checksums on the page', async () => {
      const page = await (await get('/docs/kits')).text();
      const rows = [...page.matchAll(/href="(\/docs\/kits\/[^"]+\.tgz)"[^]*?<code>([0-9a-f]{64})<\/code>/g)];
      expect(rows.map(([, file]) => file)).toEqual([
        `/docs/kits/recharge-gateway-node-${versionOf('Node')}.tgz`,
        `/docs/kits/recharge-gateway-php-${versionOf('PHP')}.tgz`,
      ]);
      for (const [, file, checksum] of rows) {
        const response = await get(file!);
        // archives are not compressed again during transfer, so that the checksum matches the downloaded file
        expect(response.headers.get('content-encoding')).toBeNull();
        const bytes = Buffer.from(await response.arrayBuffer());
        expect(createHash('sha256').update(bytes).digest('hex')).toBe(checksum);
      }
    });

    it('include a Postman collection for the paths of this host', async () => {
      const collection = await (await get('/docs/kits/postman-collection.json')).text();
      expect(collection.includes('/sandbox/')).toBe(environment === 'uat');
      const { values } = (await (await get('/docs/kits/postman-environment.json')).json()) as any;
      const value = (key: string) => values.find((entry: { key: string }) => entry.key === key).value;
      expect([value('base_url'), value('environment')]).toEqual([test.urls[environment], environment]);
    });
  },
);

it('the client library for Node can be installed from its URL, has types, and sends a recharge', async () => {
  const { keys } = await test.developer();
  const home = temporaryDirectory();
  const file = `${test.urls.uat}/docs/kits/recharge-gateway-node-${versionOf('Node')}.tgz`;
  writeFileSync(path.join(home, 'package.json'), '{"private":true,"type":"module"}');
  await run('npm', ['install', '--no-audit', '--no-fund', '--cache', path.join(home, 'cache'), file], { cwd: home });
  const { clientId, apiSecret } = keys.uat;
  const settings = { baseUrl: test.urls.uat, clientId, apiSecret, environment: 'uat' };
  const order = { client_request_id: 'installed-1', account_number: '9876543210', amount: 19.99, operator_sp_key: 116 };
  writeFileSync(
    path.join(home, 'shop.mts'),
    `import { RechargeGateway, type Settings } from 'recharge-gateway-node';
const settings: Settings = ${JSON.stringify(settings)};
const outcome = await new RechargeGateway(settings).recharge({ ...${JSON.stringify(order)}, operator_type: 'mobile' });
console.log(outcome.status);`,
  );
  const tsc = ['--strict', '--module', 'nodenext', '--target', 'es2022', '--skipLibCheck', '--noEmit', 'shop.mts'];
  const typeRoots = ['--typeRoots', path.resolve('node_modules/@types'), '--types', 'node'];
  const compiled = await run(path.resolve('node_modules/.bin/tsc'), [...typeRoots, ...tsc], { cwd: home }).catch(
    (error: { stdout: string }) => error,
  );
  expect(compiled.stdout).toBe('');
  expect((await run(process.execPath, ['shop.mts'], { cwd: home })).stdout.trim()).toBe('success');
});

for (const [name, library, isHere] of libraries)
  it.runIf(isHere)(`every call of the client library for ${name} sends its version`, async () => {
    const seen = new Set<string | undefined>();
    const server = createServer((request, response) => {
      seen.add(request.headers['user-agent']);
      const body = request.url!.includes('/auth/') ? { token: 'at_uat_1' } : { status: 'success', data: {} };
      response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const running = await library.start({ baseUrl, clientId: 'cid', apiSecret: 'sk', environment: 'uat' });
    await running.call('request', 'GET', '/api/v1/operators', {});
    await running.close();
    server.close();
    expect([...seen]).toEqual([`recharge-gateway-${name.toLowerCase()}/${versionOf(name)}`]);
  });
