import { fileURLToPath } from 'node:url';
import { type Setting, settingsIn } from '../config/setting.js';
import { sections } from '../config/settings.js';
import { requireNode } from '../process-life.js';
import { defaultOf, exampleFile, wrapped } from './example-file.js';
import { writeOrCheck } from './generated-file.js';
import { withMetrics } from './metrics-section.js';

const COMMAND = 'npm run settings';
const [BEGIN, END] = [`<!-- settings: written by ${COMMAND} -->`, '<!-- /settings -->'];

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

/** `npm run settings`: writes every setting into the documents; with `--check` it only says whether they are current. */
function main(): void {
  requireNode();
  writeOrCheck('docs/operating.md', COMMAND, operatingPage);
  writeOrCheck('.env.example', COMMAND, exampleFile);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main();
