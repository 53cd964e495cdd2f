import { execFileSync, spawn } from 'node:child_process';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { until } from '../support/until.js';
import {
  commandOf,
  commandOfImage,
  commands,
  DRAIN_LIMIT_S,
  providerVariables,
  seconds,
  unknownSettings,
} from './deployment-files.fixture.js';
import { missingPrograms, PATH } from './tools.fixture.js';

/** Each directive with its values, in order. */
function unitOf(name: string): Record<string, string[]> {
  const unit: Record<string, string[]> = {};
  for (const line of readFileSync(`ops/systemd/${name}`, 'utf8').split('\n')) {
    const [, directive, value] = /^([A-Z]\w+)=(.*)$/.exec(line) ?? [];
    if (directive) (unit[directive] ??= []).push(value!);
  }
  return unit;
}

const serve = unitOf('recharge-gateway@.service');
const doctor = unitOf('recharge-gateway-doctor.service');
const environmentOf = ({ Environment = [] }: Record<string, string[]>): Record<string, string> =>
  Object.fromEntries(Environment.map((pair) => pair.split('=') as [string, string]));

describe.each([
  ['the unit of a process', serve],
  ['the unit of the doctor', doctor],
])('%s', (_, unit) => {
  it('sets only known settings, and passes each secret as a credential', () => {
    const environment = environmentOf(unit);
    expect(unknownSettings(Object.keys(environment))).toEqual([]);
    const read = Object.values(environment).flatMap((value) => /^%d\/(.+)$/.exec(value)?.[1] ?? []);
    const loaded = unit.LoadCredential!.map((pair) => pair.split(':'));
    expect(loaded).toEqual(read.map((name) => [name, `/etc/recharge-gateway/secrets/${name}`]));
    const secrets = providerVariables.filter((name) => name.endsWith('_FILE'));
    expect(Object.keys(environment)).toEqual(expect.arrayContaining(secrets));
  });

  it('runs a packed program as a user without other permissions', () => {
    const command = unit.ExecStart![0]!.split(' ');
    expect(commands).toContain(commandOf(command));
    for (const directive of ['NoNewPrivileges', 'DynamicUser', 'ProtectHome', 'PrivateTmp', 'PrivateDevices'])
      expect([directive, unit[directive]]).toEqual([directive, ['yes']]);
    expect([unit.ProtectSystem, unit.CapabilityBoundingSet]).toEqual([['strict'], ['']]);
  });
});

it('starts a process as in the image, restarts it after a failure, and gives it enough time to stop', () => {
  expect(serve.ExecStart![0]!.split(' ').slice(1)).toEqual(commandOfImage().slice(1));
  expect([serve.Restart, serve.KillMode]).toEqual([['on-failure'], ['mixed']]);
  const delay = seconds(environmentOf(serve).SHUTDOWN_DELAY_MS!);
  expect(Number(serve.TimeoutStopSec![0])).toBeGreaterThanOrEqual(delay + DRAIN_LIMIT_S);
});

it('runs the doctor once a day with the settings of the service', () => {
  const timer = unitOf('recharge-gateway-doctor.timer');
  expect([timer.OnCalendar, timer.Persistent]).toEqual([['*-*-* 03:30:00'], ['yes']]);
  const { SHUTDOWN_DELAY_MS: _, ...settings } = environmentOf(serve);
  expect(environmentOf(doctor)).toEqual(settings);
  expect(doctor.EnvironmentFile).toEqual(serve.EnvironmentFile!.slice(0, 1));
});

it('uses the same time limit for a stop in every file and in the guide', () => {
  const files = ['compose.yaml', 'ops/systemd/recharge-gateway@.service', 'ops/kubernetes/base/gateway.yaml'];
  const SETTING = /(?:TimeoutStopSec=|terminationGracePeriodSeconds: |stop_grace_period: )(\d+)/g;
  const text = [...files, 'ops/kubernetes/split/console.yaml'].map((file) => readFileSync(file, 'utf8')).join('\n');
  const guides = readdirSync('docs').filter((name) => name.endsWith('.md'));
  const DOCUMENTED_LIMIT = /kill the process after (\d+) s/;
  const documented = guides.flatMap((name) => DOCUMENTED_LIMIT.exec(readFileSync(`docs/${name}`, 'utf8'))?.[1] ?? []);
  expect(new Set([...text.matchAll(SETTING)].map(([, limit]) => limit))).toEqual(new Set(documented));
  expect(documented).toHaveLength(1);
});

it.skipIf(missingPrograms('the rotation of a log', 'logrotate').length > 0)(
  'ops/logrotate empties the log of a process that continues to write',
  async () => {
    const directory = temporaryDirectory();
    const [log, rules] = [path.join(directory, '4000.log'), path.join(directory, 'rules')];
    const shipped = readFileSync('ops/logrotate/recharge-gateway', 'utf8');
    writeFileSync(rules, shipped.replace('/var/log/recharge-gateway/*.log', log));
    const program = "const log = require('pino')(); let n = 0; setInterval(() => log.info({ n: n++ }, 'line'), 5)";
    const child = spawn('sh', ['-c', `exec "$0" -e "$1" >>${log}`, process.execPath, program]);
    const size = (): number => statSync(log, { throwIfNoEntry: false })?.size ?? 0;
    try {
      await until('it has written', () => size() > 5_000);
      execFileSync('logrotate', ['--force', '--state', path.join(directory, 'state'), rules], { env: { PATH } });
      await until('it continues to write', () => size() > 500);
      const lines = readFileSync(log, 'utf8').trim().split('\n');
      expect(lines.filter((line) => !line.startsWith('{'))).toEqual([]);
      const first = (file: string): number =>
        (JSON.parse(readFileSync(file, 'utf8').split('\n', 1)[0]!) as { n: number }).n;
      expect([first(`${log}.1`), first(log) > 40]).toEqual([0, true]);
    } finally {
      child.kill();
    }
  },
);
