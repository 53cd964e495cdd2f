import { type Setting, settingsIn } from '../config/setting.js';
import { sections } from '../config/settings.js';
import { defaultOf, wrapped } from './example-file.js';
import { withSection } from './generated-file.js';

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

/** The page with every setting between its marks. */
export function withSettings(page: string): string {
  const parts = Object.entries(sections).map(
    ([title, tree]) => `### ${title}\n\n${settingsIn(tree).map(item).join('\n')}`,
  );
  return withSection(page, 'settings', [INTRODUCTION, ...parts].join('\n\n'));
}
