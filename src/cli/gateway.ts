import { CommandExit } from '../core/command-line.js';
import { commit, version } from '../core/package-root.js';
import { failToStart, requireNode } from '../process-life.js';
import { commands } from './commands.js';

const HELP = `gateway COMMAND [options]
Commands of the Recharge Gateway. Settings are environment variables: "gateway settings" lists them.

${Object.entries(commands)
  .map(([name, { description }]) => `  ${name.padEnd(16)} ${description}`)
  .join('\n')}

  COMMAND --help    description, options and an example
  --version         version and commit
`.trimEnd();

/** Runs a command of `gateway` with the remaining arguments. */
async function main(): Promise<void> {
  requireNode();
  const [name = '', ...args] = process.argv.slice(2);
  if (name === '--help') throw new CommandExit(HELP, 0);
  if (name === '--version') throw new CommandExit(`recharge-gateway ${version}, commit ${commit}`, 0);
  if (!Object.hasOwn(commands, name)) {
    const words = name === '' ? 'Enter a command.' : name.startsWith('-') ? 'Unknown option.' : 'Unknown command.';
    throw new CommandExit(`${words} "gateway --help" lists all commands.`, 2);
  }
  process.argv.splice(2, process.argv.length, ...args);
  await commands[name]!.run();
}

main().catch(failToStart);
