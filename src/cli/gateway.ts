import { Ending } from '../core/command-line.js';
import { commit, version } from '../core/package-root.js';
import { failToStart, requireNode } from '../process-life.js';
import { commands } from './commands.js';

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
