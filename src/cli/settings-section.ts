import { type Setting, settingsIn } from '../config/setting.js';
import { sections } from '../config/settings.js';
import { defaultOf, wrapped } from './example-file.js';
import { withSection } from './generated-file.js';

/** Returns the name and default of a setting, such as `HOST=127.0.0.1`. */
function nameWithDefault(setting: Setting<unknown>): string {
  const { variable, kind } = setting;
  const text = defaultOf(setting);
  const name = text ? `\`${variable}=${text}\`` : `\`${variable}\``;
  return `${text === undefined ? `**${name}**` : name}${kind.secret ? '*' : ''}`;
}

/** Inserts the names and defaults of all settings between the markers of the page. */
export function withSettings(page: string): string {
  const items = Object.entries(sections).map(([title, tree]) =>
    wrapped(`- ${title}: ${settingsIn(tree).map(nameWithDefault).join(', ')}`, '  '),
  );
  return withSection(page, 'settings', items.join('\n'));
}
