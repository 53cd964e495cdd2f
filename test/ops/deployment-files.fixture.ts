import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { settingsIn } from '../../src/config/setting.js';
import { allSettings, sections } from '../../src/config/settings.js';

const settingNames = new Set(
  allSettings.flatMap(({ variable, kind }) => (kind.secret ? [variable, `${variable}_FILE`] : [variable])),
);

/** Whether the service has this setting. */
export const isSetting = (variable: string): boolean => settingNames.has(variable);

/** Variables that are not settings of the service, which would be ignored. */
export const unknownSettings = (variables: Iterable<string>): string[] =>
  [...variables].filter((name) => !isSetting(name) && !/^OTEL_[A-Z_]+$/.test(name));

/** Settings without which the service does not start. */
export const requiredSettings = allSettings
  .filter(({ fallback }) => fallback === undefined)
  .map(({ variable }) => variable);

/** Settings that a deployment must set for providers; secrets are files. */
export const providerVariables = settingsIn(sections.Providers!)
  .filter(({ fallback }) => typeof fallback !== 'function')
  .map(({ variable, kind }) => (kind.secret ? `${variable}_FILE` : variable));

/** Default of a setting. */
export function defaultOf(variable: string): string {
  const { fallback } = allSettings.find((setting) => setting.variable === variable)!;
  expect(typeof fallback).toBe('string');
  return fallback as string;
}

/** Default ports of the listeners. */
export const PORTS = {
  uat: Number(defaultOf('UAT_PORT')),
  production: Number(defaultOf('PRODUCTION_PORT')),
  console: Number(defaultOf('CONSOLE_PORT')),
  ops: 4004,
};

/** Variables in a file with lines such as `NAME=value` and comments. */
export const variablesIn = (file: string): Record<string, string> =>
  Object.fromEntries(
    readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );

export const yamlOf = (file: string): any => parse(readFileSync(file, 'utf8'), { merge: true });
export const documentsOf = (file: string): any[] =>
  parseAllDocuments(readFileSync(file, 'utf8')).map((document) => document.toJS());

/** Files that do not exist. */
export const missingOf = (files: readonly string[]): string[] => files.filter((file) => !existsSync(file));

/** Command of the image, from the last stage of the Dockerfile. */
export function commandOfImage(): string[] {
  const commands = [...readFileSync('Dockerfile', 'utf8').matchAll(/^CMD (\[.*\])$/gm)];
  return JSON.parse(commands.at(-1)![1]!);
}

/**
 * Command that a command line passes to `gateway`, in the form that the program lists; undefined if it does not run `gateway`.
 */
export function commandOf(words: readonly string[]): string | undefined {
  const at = words.findIndex((word) => word === 'gateway' || word === 'dist/cli/gateway.js');
  return at < 0 ? undefined : words[at + 1];
}

/** Commands that the program lists. */
export const commands = [
  ...execFileSync(process.execPath, ['dist/cli/gateway.js', '--help'], { encoding: 'utf8' }).matchAll(
    /^ {2}([a-z][a-z-]*) /gm,
  ),
].map(([, name]) => name!);

/** "60s" as a number. */
export const seconds = (text: string): number => Number(/^(\d+)s$/.exec(text)![1]);
/** Maximum time of a stop, after the time in which the load balancer notices it. */
export const DRAIN_LIMIT_S = 40;
