// `npm run build`: compiles src and bundles its programs, and builds the portal in parallel. Types are checked by `npm run
// check`, because they would take most of the time here. With the argument "programs", the portal is omitted.
import './installed.mjs';
import { spawn } from 'node:child_process';
import { filesBelow, makeWhenChanged } from './made-of.mjs';

const COMPILED = 'dist/.tsc';

/** Runs a command with its output. @throws Error if it fails */
const run = (command, ...args) =>
  new Promise((resolve, reject) => {
    spawn(command, args, { stdio: 'inherit' })
      .once('error', reject)
      .once('close', (code) =>
        code === 0 ? resolve() : reject(new Error(`Command failed: ${[command, ...args].join(' ')}`)),
      );
  });

async function programs() {
  await makeWhenChanged({
    made: `${COMPILED}/.tsbuildinfo`,
    // tsc itself takes a second to find that nothing has changed
    of: ['tsconfig.json', 'node_modules/.package-lock.json', ...filesBelow('src')],
    note: `${COMPILED}/.made-of`,
    make: () => run('tsc', '-p', 'src/tsconfig.json', '--noCheck'),
  });
  await run(process.execPath, 'src/dev/bundle.mjs');
}

const PARTS = { programs, portal: () => run(process.execPath, 'portal/build.mjs') };
const [wanted] = process.argv.slice(2);
const parts = wanted === undefined ? Object.values(PARTS) : [PARTS[wanted]];
for (const { reason } of await Promise.allSettled(parts.map((make) => make()))) {
  if (reason === undefined) continue;
  console.error(reason.message);
  process.exitCode = 1;
}
