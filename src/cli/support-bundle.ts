import { closeSync, createReadStream, openSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { type Environment, readSecretFiles } from '../config/secret-files.js';
import type { Setting } from '../config/setting.js';
import { allSettings } from '../config/settings.js';
import { type Config, ConfigError, loadConfig } from '../config.js';
import { commandLine, type Usage, wrongUsage } from '../core/command-line.js';
import { commit, version } from '../core/package-root.js';
import { createPool } from '../db/pool.js';
import { failToStart, requireNode } from '../process-life.js';
import { examine } from './doctor-checks.js';
import type { Finding } from './finding.js';
import { scrubber, scrubLine } from './scrub.js';

const LINES = 2_000;
const MAX_NAMES = 100_000;
const METRICS_LIMIT_MS = 5_000;

const USAGE: Usage = {
  command: 'support-bundle',
  synopsis: '--out FILE [options]',
  description: `Writes a JSON file for support: findings of "gateway doctor", versions, settings, metrics and the last lines of a log. Secrets, numbers, names,
addresses, tokens and keys are removed; review the file before you send it. The file lists sources that could not be read.`,
  options: `  --out FILE            file to write; it must not exist
  --log FILE            log of the service, or - for standard input
  --lines N             number of last log lines (default ${LINES})
  --metrics URL         URL of the metrics (default: /metrics of OPS_PORT on this machine)`,
  example: 'docker compose logs --no-log-prefix serve-1 | gateway support-bundle --out bundle.json --log -',
};

function optionsOf(args: string[]) {
  const { values } = commandLine(USAGE, args, {
    out: { type: 'string' },
    log: { type: 'string' },
    lines: { type: 'string', default: String(LINES) },
    metrics: { type: 'string' },
  });
  const lines = Number(values.lines);
  if (!values.out) throw wrongUsage(USAGE, '--out is required.');
  if (!Number.isInteger(lines) || lines < 1) throw wrongUsage(USAGE, '--lines must be a whole number greater than 0.');
  return { ...values, out: values.out, lines };
}

/** Returns all secrets and their parts, such as a key without its ID or a password without its URL. */
function secretsIn(texts: Environment): string[] {
  const values = allSettings.flatMap(({ variable, kind }) => (kind.secret ? (texts[variable] ?? []) : []));
  return values.flatMap((value) => {
    const { password = '' } = URL.canParse(value) ? new URL(value) : {};
    const parts = URL.canParse(value) ? [] : value.split(/[,:\s]/);
    return [value, ...parts, password, decodeURIComponent(password)];
  });
}

/**
 * Returns the value without secrets. For a secret, the result shows only whether it is set; for a URL, it contains everything
 * except the credentials.
 */
function settingText({ variable, kind }: Setting<unknown>, texts: Environment): string | undefined {
  const text = texts[variable];
  if (!text) return undefined;
  if (URL.canParse(text) && /^[a-z+]+:\/\//.test(text)) {
    const { protocol, host, pathname } = new URL(text);
    return `${protocol}//${host}${pathname}`;
  }
  return kind.secret ? '[set]' : text;
}

/** Returns the names of users and accounts. Logs do not contain names, but text entered by users may. */
async function namesIn(config: Config): Promise<string[]> {
  const pool = createPool(config.databaseUrl, { max: 1, withStartupOptions: config.startupOptions });
  try {
    const { rows } = await pool.query<{ name: string; person: boolean }>(
      `select name, true as person from app_user union select name, true from invitation
        union select name, false from developer limit $1`,
      [MAX_NAMES],
    );
    // only the full name of a company is removed, because it can be a common word such as "Recharge"
    return rows.flatMap(({ name, person }) => [name, ...(person ? name.split(/\s+/) : [])]);
  } finally {
    await pool.end();
  }
}

/** Returns the last lines of a stream that may not fit in memory. */
async function lastLines(input: Readable, count: number): Promise<string[]> {
  let lines: string[] = [];
  for await (const line of createInterface({ input })) {
    lines.push(line);
    if (lines.length > 2 * count) lines = lines.slice(-count);
  }
  return lines.slice(-count);
}

async function metricsAt(url: string): Promise<string> {
  const response = await fetch(url, { signal: AbortSignal.timeout(METRICS_LIMIT_MS) });
  if (!response.ok) throw new Error(`HTTP status ${response.status}`);
  return response.text();
}

/** Returns the part, or the reason why it is missing. A bundle must be created even if something is broken. */
const attempt = async <T>(part: Promise<T>): Promise<T | { missing: string }> =>
  part.catch((error: Error) => ({
    missing: (error.cause as NodeJS.ErrnoException | undefined)?.code ?? error.message,
  }));

async function findingsOf(config: Config): Promise<Record<string, Finding>> {
  const findings: Record<string, Finding> = {};
  await examine(
    { config, stuckAfterMs: 10 * 60_000, reviewLimitMs: 24 * 3_600_000 },
    (name, finding) => void (findings[name] = finding),
  );
  return findings;
}

/** Creates the file exclusively, so that no existing file is overwritten. */
function newFile(name: string): number {
  try {
    return openSync(name, 'wx', 0o600);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Error(
      code === 'EEXIST' ? 'The file of --out exists already.' : `The file of --out cannot be created (${code}).`,
      { cause: error },
    );
  }
}

async function main(): Promise<void> {
  requireNode();
  const { out, log, lines, metrics } = optionsOf(process.argv.slice(2));
  const file = newFile(out);
  const { texts } = readSecretFiles(process.env);
  let config: Config | undefined;
  let settingProblems: readonly string[] = [];
  try {
    config = loadConfig(process.env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    settingProblems = error.problems;
  }
  const unavailable = { missing: 'the settings are invalid' };
  const names = config ? await attempt(namesIn(config)) : unavailable;
  const scrub = scrubber(secretsIn(texts), Array.isArray(names) ? names : []);
  const url = metrics ?? `http://127.0.0.1:${config?.ops.port ?? 4004}/metrics`;
  const input = log === undefined ? undefined : log === '-' ? process.stdin : createReadStream(log);
  const logLines = input ? await attempt(lastLines(input, lines)) : { missing: 'no --log was given' };
  const metricsText = await attempt(metricsAt(url));
  const bundle = {
    madeAt: new Date().toISOString(),
    program: {
      version,
      commit,
      node: process.version,
      platform: `${process.platform} ${process.arch} ${os.release()}`,
    },
    machine: {
      processors: os.availableParallelism(),
      memoryMb: Math.round(os.totalmem() / 1e6),
      upSeconds: Math.round(os.uptime()),
    },
    settings: Object.fromEntries(
      allSettings.flatMap((setting) => {
        const text = settingText(setting, texts);
        return text === undefined ? [] : [[setting.variable, scrub(text)]];
      }),
    ),
    settingProblems: settingProblems.map(scrub),
    doctor: config ? scrubDeep(await attempt(findingsOf(config)), scrub) : unavailable,
    names: Array.isArray(names) ? 'the names in the database were removed' : names,
    // the values of samples are kept; only labels are scrubbed
    metrics:
      typeof metricsText === 'string' ? metricsText.split('\n').map((line) => sampleOf(line, scrub)) : metricsText,
    log: Array.isArray(logLines) ? logLines.map((line) => scrubLine(line, scrub)) : logLines,
  };
  writeFileSync(file, `${JSON.stringify(bundle, null, 1)}\n`);
  closeSync(file);
  process.stdout.write(`The bundle was written. Review it before you send it.\n`);
}

/** Applies `scrub` to all text within a value. */
function scrubDeep(value: unknown, scrub: (text: string) => string): unknown {
  return JSON.parse(JSON.stringify(value), (_, part: unknown) => (typeof part === 'string' ? scrub(part) : part));
}

/** Returns a line of metrics with scrubbed labels. */
function sampleOf(line: string, scrub: (text: string) => string): string {
  const [, name = '', labels = '', value = ''] = /^([a-z_]+)(\{.*\})?( [-+.\deNaInf]+)$/.exec(line) ?? [];
  return name ? `${name}${scrub(labels)}${value}` : scrub(line);
}

main().catch(failToStart);
