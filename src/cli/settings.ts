import { fileURLToPath } from 'node:url';
import { type Setting, settingsIn } from '../config/setting.js';
import { sections } from '../config/settings.js';
import { requireNode } from '../process-life.js';
import { writeOrCheck } from './generated-file.js';
import { withMetrics } from './metrics-section.js';

const WIDTH = 120;
const COMMAND = 'npm run settings';
const [BEGIN, END] = [`<!-- settings: written by ${COMMAND} -->`, '<!-- /settings -->'];

/** Lines of at most WIDTH characters; all after the first begin with `indent`. */
function wrapped(text: string, indent: string): string {
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
const defaultOf = ({ fallback }: Setting<unknown>): string | undefined =>
  typeof fallback === 'function' ? fallback((name) => `$${name}`) : fallback;

const INTRODUCTION = `An empty value counts as not set. A duration is a number with \`ms\`, \`s\`, \`m\`, \`h\` or \`d\`; a number
alone counts the unit that the name ends with, or milliseconds. Where a \`_FILE\` variant is named, the setting can be
read from the file that the variant names, as Docker and Kubernetes mount secrets; the newline at the end of the file
does not count, and only one of the two may be set. A variable whose name is nearly that of a setting which is not set
stops the start. One that begins as settings do and is read by nobody is named in a warning.`;

function item(setting: Setting<unknown>): string {
  const { variable, kind, about } = setting;
  const variant = kind.secret ? ` or \`${variable}_FILE\`` : '';
  const text = defaultOf(setting);
  const given = text === undefined ? '**required**' : text === '' ? 'not set by default' : `\`${text}\` by default`;
  return wrapped(`- \`${variable}\`${variant} (${kind.form}; ${given}): ${about}`, '  ');
}

/** The page with what stands between the two marks, or at its end when it has none. */
export function operatingPage(before: string): string {
  const [head = '', rest = ''] = withMetrics(before).split(BEGIN);
  const parts = Object.entries(sections).map(
    ([title, tree]) => `### ${title}\n\n${settingsIn(tree).map(item).join('\n')}`,
  );
  const tail = rest.split(END)[1] ?? '\n';
  return `${head}${BEGIN}\n\n${[INTRODUCTION, ...parts].join('\n\n')}\n\n${END}${tail}`;
}

const HEAD = `# The settings of the service, written by \`${COMMAND}\`; docs/operating.md says the same as a page.
# Copy this file to .env and fill in what is required: \`node --env-file=.env dist/main.js\` reads it.`;

function exampleLines(setting: Setting<unknown>): string {
  const { variable, kind, fallback, about } = setting;
  const text = defaultOf(setting) ?? '';
  const follows = typeof fallback === 'function' ? ` By default ${text}.` : '';
  const value = follows ? '' : /^[\w.:,/-]*$/.test(text) ? text : `"${text}"`;
  const state = fallback === undefined ? 'required' : 'optional';
  return `${wrapped(`# ${about}${follows} (${kind.form}, ${state})`, '# ')}\n${state === 'required' ? '' : '#'}${variable}=${value}`;
}

export function exampleFile(): string {
  const parts = Object.entries(sections).flatMap(([title, tree]) => [
    `## ${title}`,
    ...settingsIn(tree).map(exampleLines),
  ]);
  return `${[HEAD, ...parts].join('\n\n').replaceAll('`', '')}\n`;
}

/** `npm run settings`: writes every setting into the documents; with `--check` it only says whether they are current. */
function main(): void {
  requireNode();
  writeOrCheck('docs/operating.md', COMMAND, operatingPage);
  writeOrCheck('.env.example', COMMAND, exampleFile);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main();
