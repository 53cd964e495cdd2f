import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';
import type { ViteUserConfig } from 'vitest/config';
import type { InlineConfig } from 'vitest/node';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const SOURCES = path.join(ROOT, 'src/');
const COMPILED = path.join(ROOT, 'dist/.tsc/');

/** Tests load the service as compiled by `npm run build`, so that Node loads it unchanged and caches the compiled code. */
const compiledTree: Plugin = {
  name: 'compiled-tree',
  enforce: 'pre',
  resolveId(source, importer) {
    if (!importer || !source.startsWith('.')) return undefined;
    const file = path.resolve(path.dirname(importer), source);
    if (!file.startsWith(SOURCES) || !existsSync(file.replace(/\.js$/, '.ts'))) return undefined;
    return file.replace(SOURCES, COMPILED);
  },
};

/**
 * For glibc: the processes of PostgreSQL and Node keep memory that they free. If it were returned to the kernel, each new use
 * would cost a page fault, which took a tenth of the time of a run.
 */
const KEEP_MEMORY = {
  MALLOC_TOP_PAD_: String(1024 ** 2),
  MALLOC_TRIM_THRESHOLD_: String(256 * 1024 ** 2),
  MALLOC_MMAP_THRESHOLD_: String(256 * 1024 ** 2),
};

/** Configuration of a suite: the compiled service, one PostgreSQL for the run, and time limits that only end tests that hang. */
export function suite(test: InlineConfig): ViteUserConfig {
  Object.assign(process.env, KEEP_MEMORY);
  // a build that is older than its sources would test outdated code
  execFileSync(process.execPath, ['src/dev/build.mjs', 'programs'], { cwd: ROOT, stdio: ['ignore', 2, 2] });
  return {
    root: ROOT,
    plugins: [compiledTree],
    // graphql ships CJS and ESM builds; two copies in one process reject each other's types.
    resolve: { alias: [{ find: /^graphql$/, replacement: path.join(ROOT, 'node_modules/graphql/index.js') }] },
    test: {
      globalSetup: ['test/support/global-setup.ts'],
      setupFiles: [
        // see test/budget.mjs
        ...(process.env.TEST_TIMES ? ['test/support/processor-time.ts'] : []),
        'test/support/worker-end.ts',
      ],
      pool: 'forks',
      execArgv: ['--enable-source-maps', '--max-semi-space-size=64'],
      server: { deps: { external: [/\/dist\/\.tsc\//] } },
      // Ends tests that hang. A busy machine can be many times slower, so no test may fail for being slow.
      testTimeout: 600_000,
      hookTimeout: 600_000,
      expect: { poll: { timeout: 120_000 } },
      ...test,
      env: { NODE_COMPILE_CACHE: path.join(ROOT, 'dist/.compile-cache'), ...test.env },
    },
  };
}
