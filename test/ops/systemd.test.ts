import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  commandOf,
  commandOfImage,
  commands,
  DRAIN_LIMIT_S,
  providerVariables,
  seconds,
  unknownOf,
} from './described.fixture.js';

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
  it('gives settings that the service knows, and each secret as a credential', () => {
    const environment = environmentOf(unit);
    expect(unknownOf(Object.keys(environment))).toEqual([]);
    const read = Object.values(environment).flatMap((value) => /^%d\/(.+)$/.exec(value)?.[1] ?? []);
    const loaded = unit.LoadCredential!.map((pair) => pair.split(':'));
    expect(loaded).toEqual(read.map((name) => [name, `/etc/recharge-gateway/secrets/${name}`]));
    const secrets = providerVariables.filter((name) => name.endsWith('_FILE'));
    expect(Object.keys(environment)).toEqual(expect.arrayContaining(secrets));
  });

  it('runs a program that is packed, by a user who may do nothing else', () => {
    const command = unit.ExecStart![0]!.split(' ');
    expect(commands).toContain(commandOf(command));
    for (const directive of ['NoNewPrivileges', 'DynamicUser', 'ProtectHome', 'PrivateTmp', 'PrivateDevices'])
      expect([directive, unit[directive]]).toEqual([directive, ['yes']]);
    expect([unit.ProtectSystem, unit.CapabilityBoundingSet]).toEqual([['strict'], ['']]);
  });
});

it('a process is started as in the image, started again when it fails, and has the time that it takes to stop', () => {
  expect(serve.ExecStart![0]!.split(' ').slice(1)).toEqual(commandOfImage().slice(1));
  expect([serve.Restart, serve.KillMode]).toEqual([['on-failure'], ['mixed']]);
  const delay = seconds(environmentOf(serve).SHUTDOWN_DELAY_MS!);
  expect(Number(serve.TimeoutStopSec![0])).toBeGreaterThanOrEqual(delay + DRAIN_LIMIT_S);
});

it('the doctor comes once a day, with the settings of the service', () => {
  const timer = unitOf('recharge-gateway-doctor.timer');
  expect([timer.OnCalendar, timer.Persistent]).toEqual([['*-*-* 03:30:00'], ['yes']]);
  const { SHUTDOWN_DELAY_MS: _, ...settings } = environmentOf(serve);
  expect(environmentOf(doctor)).toEqual(settings);
  expect(doctor.EnvironmentFile).toEqual(serve.EnvironmentFile!.slice(0, 1));
});
