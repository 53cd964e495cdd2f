import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { settingsIn } from '../../src/config/setting.js';
import { allSettings, sections } from '../../src/config/settings.js';

const known = new Set(
  allSettings.flatMap(({ variable, kind }) => (kind.secret ? [variable, `${variable}_FILE`] : [variable])),
);

/** Whether the service reads it. */
export const isSetting = (variable: string): boolean => known.has(variable);

/** Those that are no setting of the service; nobody would read them. */
export const unknownOf = (variables: Iterable<string>): string[] =>
  [...variables].filter((name) => !isSetting(name) && !/^OTEL_[A-Z_]+$/.test(name));

/** Without these the service does not start. */
export const requiredSettings = allSettings
  .filter(({ fallback }) => fallback === undefined)
  .map(({ variable }) => variable);

/** What a deployment has to give for providers: each setting of theirs, a secret as a file. */
export const providerVariables = settingsIn(sections.Providers!)
  .filter(({ fallback }) => typeof fallback !== 'function')
  .map(({ variable, kind }) => (kind.secret ? `${variable}_FILE` : variable));

/** What a setting is when it is not set. */
export function defaultOf(variable: string): string {
  const { fallback } = allSettings.find((setting) => setting.variable === variable)!;
  expect(typeof fallback).toBe('string');
  return fallback as string;
}

/** The listeners' ports, as they are without a setting. */
export const PORTS = {
  uat: Number(defaultOf('UAT_PORT')),
  production: Number(defaultOf('PRODUCTION_PORT')),
  console: Number(defaultOf('CONSOLE_PORT')),
  ops: 4004,
};

/** The variables of a file such as `NAME=value`, with comments. */
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

/** Files that are named and not there. */
export const missingOf = (files: readonly string[]): string[] => files.filter((file) => !existsSync(file));

/** What the image runs, from the file that describes it; the last stage is the service. */
export function commandOfImage(): string[] {
  const commands = [...readFileSync('Dockerfile', 'utf8').matchAll(/^CMD (\[.*\])$/gm)];
  return JSON.parse(commands.at(-1)![1]!);
}

/** What `gateway` is asked to do by a command line, as the name of that command and of nothing else; undefined: not `gateway`. */
export function commandOf(words: readonly string[]): string | undefined {
  const at = words.findIndex((word) => word === 'gateway' || word === 'dist/cli/gateway.js');
  return at < 0 ? undefined : words[at + 1];
}

/** The commands that there are, as the program says. */
export const commands = [
  ...execFileSync(process.execPath, ['dist/cli/gateway.js', '--help'], { encoding: 'utf8' }).matchAll(
    /^ {2}([a-z][a-z-]*) /gm,
  ),
].map(([, name]) => name!);

/** "60s" as a number. */
export const seconds = (text: string): number => Number(/^(\d+)s$/.exec(text)![1]);
/** What a stop takes at most, after the time in which the load balancer hears of it. */
export const DRAIN_LIMIT_S = 40;
