import { readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { describe, expect, it } from 'vitest';
import { exampleFile } from '../../src/cli/example-file.js';
import { firstDifference } from '../../src/cli/generated-file.js';
import { withSettings } from '../../src/cli/settings-section.js';
import { placeholdersOf, settingsIn } from '../../src/config/setting.js';
import { allSettings, sections, settings } from '../../src/config/settings.js';
import { loadConfig, offlineConfig } from '../../src/config.js';

describe('the settings in the documents', () => {
  it('match the current settings', () => {
    const page = readFileSync('docs/reference-operation.md', 'utf8');
    expect(firstDifference(page, withSettings(page))).toBeUndefined();
    expect(firstDifference(readFileSync('.env.example', 'utf8'), exampleFile())).toBeUndefined();
  });

  it('are reported when outdated, and text around the markers is kept', () => {
    const page = withSettings('# Title\n\nBefore.\n\n');
    const stale = `${page.replace('`SYNC_WINDOW_MS=25s`', '`SYNC_WINDOW_MS=20s`')}\nAfter.\n`;
    expect(firstDifference(stale, withSettings(stale))).toMatch(
      /^line \d+:\n- .*`SYNC_WINDOW_MS=20s`.*\n\+ .*`SYNC_WINDOW_MS=25s`/,
    );
    expect(withSettings(stale)).toBe(`${page}\nAfter.\n`);
  });

  it('are each written once, in lines of at most 120 characters', () => {
    const [page, example] = [withSettings(''), exampleFile()];
    for (const { variable } of allSettings) {
      expect(page.match(new RegExp(`\`${variable}[=\`]`, 'g')), variable).toHaveLength(1);
      expect(example.match(new RegExp(`^#?${variable}=`, 'gm')), variable).toHaveLength(1);
    }
    expect(`${page}${example}`.split('\n').filter(({ length }) => length > 120)).toEqual([]);
    expect(new Set(Object.values(sections).flatMap(settingsIn))).toEqual(new Set(allSettings));
    expect(new Set(allSettings.map(({ variable }) => variable)).size).toBe(allSettings.length);
  });

  it('have defaults that Node parses to the values in use, and placeholders for required settings', () => {
    const example = parseEnv(exampleFile());
    const required = placeholdersOf(settings);
    expect(Object.keys(example).toSorted()).toEqual(Object.keys(required).toSorted());
    expect(() => loadConfig(example)).toThrow('DATABASE_URL: is required');
    const explicitDefaults = parseEnv(exampleFile().replaceAll(/^#(?=[A-Z_]+=)/gm, ''));
    expect(Object.keys(explicitDefaults)).toHaveLength(allSettings.length);
    const formatted = (config: object): string =>
      JSON.stringify(config, (_, value) =>
        typeof value === 'bigint' ? String(value) : value instanceof Map ? [...value] : value,
      );
    expect(
      formatted(loadConfig({ ...explicitDefaults, ...required, SHARED_LIMITS: 'memory', LOG_LEVEL: 'silent' })),
    ).toBe(formatted(offlineConfig()));
  });
});
