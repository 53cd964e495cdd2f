import { type Setting, settingsIn } from '../config/setting.js';
import { sections } from '../config/settings.js';
import { defaultOf, wrapped } from './example-file.js';
import { withSection } from './generated-file.js';

const INTRODUCTION = `Parentheses have the default. An empty value means "not set". A duration is a number with \`ms\`, \`s\`, \`m\`, \`h\` or \`d\`;
a number without a unit has the unit at the end of the setting's name, or milliseconds. A \`_FILE\` variant names a file
with the value, such as a mounted secret; set only one of the two. \`serve\` rejects a name that resembles an unset
setting, and warns about unknown names that begin like settings.`;

/** Forms that the default shows. */
const SHOWN_BY_DEFAULT = new Set(['`true` or `false`', 'duration', 'number', 'port', 'rupees', 'text', 'URL']);

function item(setting: Setting<unknown>): string {
  const { variable, kind, about } = setting;
  const variant = kind.secret ? ` or \`${variable}_FILE\`` : '';
  const text = defaultOf(setting);
  const given = text === undefined ? '**required**' : text === '' ? 'optional' : `\`${text}\``;
  const form = SHOWN_BY_DEFAULT.has(kind.form) ? '' : `${kind.form}; `;
  return wrapped(`- \`${variable}\`${variant} (${form}${given}): ${about}`, '  ');
}

/** The page with every setting between its marks. */
export function withSettings(page: string): string {
  const parts = Object.entries(sections).map(
    ([title, tree]) => `### ${title}\n\n${settingsIn(tree).map(item).join('\n')}`,
  );
  return withSection(page, 'settings', [INTRODUCTION, ...parts].join('\n\n'));
}
