import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { describe, expect, it } from 'vitest';
import { freePort } from '../support/ports.js';
import { runProgram } from '../support/program.js';
import { PORTS } from './deployment-files.fixture.js';

const text = readFileSync('Dockerfile', 'utf8');

// test/tools/dockerfile.test.ts checks all other instructions of the Dockerfile
describe('the image', () => {
  it.each([
    [200, 0],
    [503, 1],
    [undefined, 1],
  ])('checks its health: a response of %s exits with %s', async (status, code) => {
    const requested: string[] = [];
    const server = createServer((request, response) => {
      requested.push(request.url!);
      response.writeHead(status ?? 500).end();
    });
    const port = await freePort();
    if (status) await once(server.listen(port, '127.0.0.1'), 'listening');
    const [, command] = /^ {2}CMD (\["gateway", .*\])$/m.exec(text)!;
    const [, ...args] = JSON.parse(command!) as string[];
    const { code: exitCode } = await runProgram('cli/gateway.js', { OPS_PORT: String(port) }, args);
    expect(exitCode).toBe(code);
    expect(requested).toEqual(status ? ['/livez'] : []);
    server.close();
  });

  it('checks the default port of the service', () => {
    expect(readFileSync('src/cli/health.ts', 'utf8')).toContain(`OPS_PORT = '${PORTS.ops}'`);
  });
});
