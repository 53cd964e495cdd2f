// The demo (`npm start`) of any checkout, as a process with a separate database. It is only controlled from outside, so that the
// same tool can measure earlier versions and versions with another file structure.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';

const STARTS_WITHIN_MS = 600_000;

/** Free ports, all different. */
async function freePorts(count) {
  const servers = Array.from({ length: count }, () => createServer());
  const ports = await Promise.all(
    servers.map(
      (server) => new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server.address().port))),
    ),
  );
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}

/**
 * Starts `program` of the checkout with these settings in addition to those of the demo. `accounts` is the content of its
 * demo.json; `send` and `onMessage` communicate with the modules in `execArgv`. Rejects with the output of the process if it does
 * not become ready.
 */
export async function startDemo(checkout, { program = 'dist/dev/start.js', execArgv = [], settings = {} } = {}) {
  const home = mkdtempSync(path.join(tmpdir(), 'demo-'));
  const dataDir = path.join(home, '.data');
  const [uat, production, console, simulator] = await freePorts(4);
  const child = spawn(process.execPath, ['--enable-source-maps', ...execArgv, path.resolve(checkout, program)], {
    cwd: home,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      DATA_DIR: dataDir,
      UAT_PORT: String(uat),
      PRODUCTION_PORT: String(production),
      CONSOLE_PORT: String(console),
      SIMULATOR_PORT: String(simulator),
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const ended = new Promise((resolve) => child.once('close', resolve));
  let output = '';
  const isReady = new Promise((resolve) => {
    const collect = (chunk) => {
      output += chunk;
      if (output.includes('Press Ctrl-C')) resolve(true);
    };
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    void ended.then(() => resolve(false));
    setTimeout(() => resolve(false), STARTS_WITHIN_MS).unref();
  });
  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
    // as root, the database is in a directory that the user of PostgreSQL can access, and linked from here
    const directories = [path.join(dataDir, 'postgres'), home].flatMap((directory) => {
      try {
        return realpathSync(directory);
      } catch {
        return []; // the directory does not exist
      }
    });
    for (const directory of directories) rmSync(directory, { recursive: true, force: true, maxRetries: 3 });
  };
  // the database must not outlive this process
  for (const signal of ['SIGINT', 'SIGTERM'])
    process.once(signal, () => {
      void stop().finally(() => process.exit(1));
    });
  if (!(await isReady)) {
    await stop();
    throw new Error(`The demo of ${checkout} did not become ready:\n${output}`);
  }
  return {
    accounts: JSON.parse(readFileSync(path.join(dataDir, 'demo.json'), 'utf8')),
    dataDir,
    output: () => output,
    send: (message) => child.send(message),
    onMessage: (listener) => child.on('message', listener),
    stop,
  };
}
