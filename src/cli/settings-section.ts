import { type Setting, settingsIn } from '../config/setting.js';
import { sections } from '../config/settings.js';
import { defaultOf, wrapped } from './example-file.js';
import { withSection } from './generated-file.js';

const INTRODUCTION = `The default is in parentheses. An empty value means "not set". A duration is a number with \`ms\`, \`s\`, \`m\`, \`h\` or \`d\`;
without a unit, it has the unit at the end of the setting's name, or milliseconds. For a setting marked *, \`NAME_FILE\`
can name a file with the value, such as a mounted secret. \`serve\` rejects names that resemble an unset setting.`;

/** Formats that are evident from the default. */
const SHOWN_BY_DEFAULT = new Set(['`true` or `false`', 'duration', 'number', 'port', 'rupees', 'text', 'URL']);

function item(setting: Setting<unknown>): string {
  const { variable, kind, about } = setting;
  const mark = kind.secret ? '*' : '';
  const text = defaultOf(setting);
  const given = text === undefined ? '**required**' : text === '' ? 'optional' : `\`${text}\``;
  const form = SHOWN_BY_DEFAULT.has(kind.form) ? '' : `${kind.form}; `;
  return wrapped(`- \`${variable}\`${mark} (${form}${given}): ${about}`, '  ');
}

/** The page with every setting between its markers. */
export function withSettings(page: string): string {
  const parts = Object.entries(sections).map(
    ([title, tree]) => `### ${title}\n\n${settingsIn(tree).map(item).join('\n')}`,
  );
  return withSection(page, 'settings', [INTRODUCTION, ...parts].join('\n\n'));
}
