import { Ending } from '../core/command-line.js';
import { commit, version } from '../core/package-root.js';
import { failToStart, requireNode } from '../process-life.js';

interface Command {
  /** What it does, in one line. */
  does: string;
  /** The program: it reads the arguments that follow the command's name. */
  run: () => Promise<unknown>;
}

const commands: Readonly<Record<string, Command>> = {
  migrate: { does: 'brings the database to the newest version', run: () => import('./migrate.js') },
  serve: { does: 'one process of the service; --check only says whether it could', run: () => import('../main.js') },
  health: { does: 'asks the process on this machine whether it lives', run: () => import('./health.js') },
  doctor: { does: 'looks for problems of settings, database and books', run: () => import('./doctor.js') },
  user: { does: 'admins and support: create, reset, suspend, reinstate, list', run: () => import('./user.js') },
  developer: {
    does: 'exports, closes or credits an account',
    run: () => import('./developer.js'),
  },
  reconcile: { does: "a provider's statement file against our orders", run: () => import('./reconcile.js') },
  ledger: { does: 'corrects a wallet whose balance changed without a transfer', run: () => import('./ledger.js') },
  archive: { does: 'old months out of the database, into files', run: () => import('./archive.js') },
  'rotate-keys': { does: 're-encrypts under the first of ENCRYPTION_KEYS', run: () => import('./rotate-keys.js') },
  secrets: { does: 'accepts other secrets after the old ones were lost', run: () => import('./secrets.js') },
  audit: { does: 'writes the audit log of a period, verifies such a file', run: () => import('./audit.js') },
  restore: { does: 'what follows a restored backup, step by step', run: () => import('./restore.js') },
  'support-bundle': { does: 'what support needs, without secrets', run: () => import('./support-bundle.js') },
  settings: { does: 'every setting, with its default', run: () => import('./settings-list.js') },
};

const HELP = `gateway COMMAND [options]
The programs of the Recharge Gateway. Settings come from the environment: "gateway settings" prints them all.

${Object.entries(commands)
  .map(([name, { does }]) => `  ${name.padEnd(16)} ${does}`)
  .join('\n')}

  COMMAND --help    what it does, its options and an example
  --version         the version, and the commit that it was built from
`.trimEnd();

/** `gateway`: hands the rest of the command line to one of the programs. */
async function main(): Promise<void> {
  requireNode();
  const [name = '', ...args] = process.argv.slice(2);
  if (name === '--help') throw new Ending(HELP, 0);
  if (name === '--version') throw new Ending(`recharge-gateway ${version}, commit ${commit}`, 0);
  if (!Object.hasOwn(commands, name)) {
    const words =
      name === '' ? 'Say what to do.' : name.startsWith('-') ? 'There is no such option.' : 'There is no such command.';
    throw new Ending(`${words} "gateway --help" names all commands.`, 2);
  }
  process.argv.splice(2, process.argv.length, ...args);
  await commands[name]!.run();
}

main().catch(failToStart);
