import { allSettings } from '../config/settings.js';
import { commandLine, type Usage } from '../core/command-line.js';
import { failToStart, requireNode } from '../process-life.js';
import { exampleFile, exampleLines } from './example-file.js';

const USAGE: Usage = {
  command: 'settings',
  synopsis: '[WORD]',
  description: `Lists every setting with its description, format and default, as a file for "node --env-file".
With a word, lists only settings whose name or description contains it. Does not read or print the settings of this machine.`,
  example: 'gateway settings redis',
};

function main(): void {
  requireNode();
  const { positionals } = commandLine(USAGE, process.argv.slice(2), {}, 'some');
  const word = positionals.join(' ').toLowerCase();
  const texts =
    word === '' ? [exampleFile()] : allSettings.map(exampleLines).filter((text) => text.toLowerCase().includes(word));
  if (texts.length === 0) throw new Error('No setting contains this word.');
  process.stdout.write(`${texts.join('\n\n').trimEnd()}\n`);
}

try {
  main();
} catch (error) {
  failToStart(error);
}
