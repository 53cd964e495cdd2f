import { allSettings } from '../config/settings.js';
import { commandLine, type Usage } from '../core/command-line.js';
import { failToStart, requireNode } from '../process-life.js';
import { exampleFile, exampleLines } from './example-file.js';

const USAGE: Usage = {
  command: 'settings',
  takes: '[WORD]',
  does: `Prints every setting with what it is for, its form and its default, as a file that "node --env-file" reads.
With a word, those whose name or sentence has it. Reads no setting and prints no value of this machine.`,
  example: 'gateway settings redis',
};

function main(): void {
  requireNode();
  const { positionals } = commandLine(USAGE, process.argv.slice(2), {}, 'some');
  const word = positionals.join(' ').toLowerCase();
  const texts =
    word === '' ? [exampleFile()] : allSettings.map(exampleLines).filter((text) => text.toLowerCase().includes(word));
  if (texts.length === 0) throw new Error('No setting has that word.');
  process.stdout.write(`${texts.join('\n\n').trimEnd()}\n`);
}

try {
  main();
} catch (error) {
  failToStart(error);
}
