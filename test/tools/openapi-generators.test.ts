import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, it } from 'vitest';
import type { TestDeveloper } from '../support/app.js';
import { place } from '../support/recharges.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { useSharedApp } from '../support/use-app.js';

const test = useSharedApp();
const LIMIT_MS = 300_000;

let developer: TestDeveloper;
beforeAll(async () => {
  developer = await test.developer({ rateLimitPerMinute: 1_000 });
  await place(test, developer, { client_request_id: 'success' }, 'uat');
  await place(test, developer, { client_request_id: 'declined', account_number: '9876540001' }, 'uat');
});

/** Runs a program of the packages here and returns its output. */
async function run(cwd: string, program: string, ...words: string[]): Promise<string> {
  const file = path.join(import.meta.dirname, 'node_modules/.bin', program);
  const { stdout, stderr } = await promisify(execFile)(file, words, { cwd }).catch((error: any) => error);
  return `${stdout}${stderr}`;
}

interface Generator {
  name: string;
  generate: (cwd: string, document: string, to: string) => Promise<string>;
  /** A module that uses the generated client. */
  usage: string;
}

const generators: Generator[] = [
  {
    name: 'orval',
    generate: (cwd, document, to) => {
      const output = { target: `${to}/client.ts`, client: 'fetch', baseUrl: { getBaseUrlFromSpecification: true } };
      const config = { gateway: { input: document, output } };
      writeFileSync(path.join(cwd, `${document}.config.mjs`), `export default ${JSON.stringify(config)};`);
      return run(cwd, 'orval', '--config', `${document}.config.mjs`, '--fail-on-warnings');
    },
    usage: `import { orders } from './client.js';
export async function statuses(token: string): Promise<('success' | 'pending' | 'failed' | 'reversed')[]> {
  const headers = { authorization: \`Bearer \${token}\` };
  const { status, data } = await orders({ status: ['success', 'failed'] }, { headers });
  if (status !== 200) throw new Error(data.code);
  return data.data.map((order) => order.status);
}`,
  },
  {
    name: '@hey-api/openapi-ts',
    generate: (cwd, document, to) => run(cwd, 'openapi-ts', '--input', document, '--output', to, '--no-log-file'),
    usage: `import { orders } from './sdk.gen.js';
export async function statuses(token: string): Promise<('success' | 'pending' | 'failed' | 'reversed')[]> {
  const { data, error } = await orders({ auth: token, query: { status: ['success', 'failed'] } });
  if (data === undefined) throw new Error(error.code);
  return data.data.map((order) => order.status);
}`,
  },
];

it.each(generators)(
  '$name generates clients that compile and work, without a warning',
  async ({ generate, usage }) => {
    const cwd = temporaryDirectory();
    const write = (file: string, content: string | object) =>
      writeFileSync(path.join(cwd, file), typeof content === 'string' ? content : JSON.stringify(content));
    write('package.json', { type: 'module' });
    write('tsconfig.json', {
      compilerOptions: {
        strict: true,
        target: 'es2022',
        module: 'nodenext',
        lib: ['es2023', 'dom', 'dom.iterable'],
        types: [],
        outDir: 'compiled',
        rootDir: 'generated',
      },
      include: ['generated'],
    });
    const documents = ['openapi.json', 'openapi-3.0.json'];
    for (const document of documents) {
      const { body } = await test.rest('uat', 'GET', `/${document}`);
      write(document, body);
      const to = `generated/${document}`;
      mkdirSync(path.join(cwd, to), { recursive: true });
      expect(await generate(cwd, document, to)).not.toMatch(/warn|error|fail|unsupported|deprecated/i);
      write(`${to}/usage.ts`, usage);
    }
    expect(await run(cwd, 'tsc', '--project', '.')).toBe('');
    for (const document of documents) {
      const { statuses } = await import(path.join(cwd, 'compiled', document, 'usage.js'));
      expect(await statuses(developer.tokens.uat)).toEqual(['failed', 'success']);
    }
  },
  LIMIT_MS,
);
