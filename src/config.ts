import {
  absentProviders,
  callsProviders,
  clearTextIn,
  configuredProviders,
  conflictsIn,
  missingProviders,
} from './config/rules.js';
import { readSecretFiles, type Environment as Variables } from './config/secret-files.js';
import { placeholdersOf, readTree, type Setting } from './config/setting.js';
import { allSettings, type Config, settings } from './config/settings.js';
import { misspelledIn } from './config/unread-settings.js';
import type { Environment } from './core/environment.js';

export { unreadIn } from './config/unread-settings.js';
export type { Config };
export { absentProviders, callsProviders, configuredProviders };
/** Limits on the connections and request bodies of one host. */
export type TrafficLimits = Config['traffic'];

/** Error with all problems of the settings, one per line, with the name of the variable and never its value. */
export class ConfigError extends Error {
  readonly problems: readonly string[];

  constructor(problems: Iterable<string>) {
    const all = [...problems];
    super(`Invalid settings:\n${all.map((problem) => `  ${problem}`).join('\n')}`);
    this.problems = all;
    this.name = 'ConfigError';
  }
}

const byVariable = new Map(allSettings.map((setting) => [setting.variable, setting]));

/**
 * Returns the value of a setting or its default, or undefined if it is required and missing. An empty value means that it is not
 * set.
 */
function textOf({ variable, fallback }: Setting<unknown>, texts: Variables): string | undefined {
  const others = (name: string): string => {
    const other = byVariable.get(name)!;
    return textOf(other, texts) ?? other.kind.placeholder ?? '';
  };
  return texts[variable] || (typeof fallback === 'function' ? fallback(others) : fallback);
}

/** Returns the environment with the contents of the `<NAME>_FILE` files. Throws ConfigError. */
export function withSecretFiles(environment: Variables): Variables {
  const { texts, problems } = readSecretFiles(environment);
  if (problems.size > 0) throw new ConfigError(problems.values());
  return texts;
}

/** Parses all settings. Only this function reads environment variables. Throws ConfigError. */
export function loadConfig(environment: Variables): Config {
  const { texts, problems } = readSecretFiles(environment);
  const config: Config = readTree(settings, (setting) => {
    const { variable, kind } = setting;
    const text = textOf(setting, texts);
    const { data, error } = kind.schema.safeParse(text);
    if (error && !problems.has(variable))
      problems.set(variable, `${variable}: ${text === undefined ? 'is required' : error.issues[0]!.message}`);
    return data;
  });
  const all = [...problems.values(), ...misspelledIn(texts)];
  if (all.length === 0) all.push(...conflictsIn(config));
  if (all.length > 0) throw new ConfigError(all);
  return Object.freeze(config);
}

const CLEAR_TEXT =
  'must be https, because passwords, keys and numbers are sent to it. http is accepted only for this machine, or with ALLOW_CLEAR_TEXT=true.';

/**
 * Parses the settings of `serve`. Throws ConfigError. This includes the cases that the process needs a provider and has none,
 * and that a URL would send clear text to another machine.
 */
export function loadServeConfig(environment: Variables): Config {
  const config = loadConfig(environment);
  const missing = missingProviders(config);
  const problems = missing === undefined ? [] : [missing];
  if (!config.allowClearText)
    problems.push(...clearTextIn(config, settings).map((variable) => `${variable}: ${CLEAR_TEXT}`));
  if (problems.length > 0) throw new ConfigError(problems);
  return config;
}

/**
 * Returns the settings of an application without a database, keys and providers, for generators. Such an application must not
 * listen.
 */
export const offlineConfig = (): Config =>
  loadConfig({ ...placeholdersOf(settings), SHARED_LIMITS: 'memory', LOG_LEVEL: 'silent' });

export const apiUrls = ({ publicUrls }: Config): Record<Environment, string> => ({
  uat: publicUrls.uat,
  production: publicUrls.production,
});
