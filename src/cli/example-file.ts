import { type Setting, settingsIn } from '../config/setting.js';
import { sections } from '../config/settings.js';

const WIDTH = 120;

/** Lines of at most WIDTH characters; all after the first begin with `indent`. */
export function wrapped(text: string, indent: string): string {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1)!;
    if (line === '') lines[lines.length - 1] = word;
    else if (line.length + 1 + word.length <= WIDTH) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(`${indent}${word}`);
  }
  return lines.join('\n');
}

/** The default as people would write it: "25s", or "$DATA_DIR/mailbox" where it follows from another setting. */
export const defaultOf = ({ fallback }: Setting<unknown>): string | undefined =>
  typeof fallback === 'function' ? fallback((name) => `$${name}`) : fallback;

const HEAD = `# The settings of the service, written by \`npm run generate\`; docs/reference-operation.md has the same list.
# Copy this file to .env and fill in what is required: \`node --env-file=.env dist/cli/gateway.js serve\` reads it.`;

/** One setting: a comment, and the line that sets it. */
export function exampleLines(setting: Setting<unknown>): string {
  const { variable, kind, fallback, about } = setting;
  const text = defaultOf(setting) ?? '';
  const follows = typeof fallback === 'function' ? ` By default ${text}.` : '';
  const value = follows ? '' : /^[\w.:,/-]*$/.test(text) ? text : `"${text}"`;
  const state = fallback === undefined ? 'required' : 'optional';
  return `${wrapped(`# ${about}${follows} (${kind.form}, ${state})`, '# ')}\n${state === 'required' ? '' : '#'}${variable}=${value}`;
}

/** Every setting, for `.env`. */
export function exampleFile(): string {
  const parts = Object.entries(sections).flatMap(([title, tree]) => [
    `## ${title}`,
    ...settingsIn(tree).map(exampleLines),
  ]);
  return `${[HEAD, ...parts].join('\n\n').replaceAll('`', '')}\n`;
}
