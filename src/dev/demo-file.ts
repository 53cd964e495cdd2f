import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { randomToken } from '../core/secret.js';
import { callbacks } from '../providers/registry.js';
import { readJson, writePrivateJson } from './private-json.js';
import type { Keys, SignIn } from './seed.js';

type HostKeys = Keys & { baseUrl: string };

/** `$DATA_DIR/demo.json`: the output of `npm start`, for programs. */
export interface DemoFile {
  uat: HostKeys;
  production: HostKeys;
  mokshiq: HostKeys;
  uatOnly: HostKeys;
  console: { baseUrl: string; admin: SignIn; secondAdmin: SignIn; developer: SignIn };
  simulator: { baseUrl: string };
  /** URL of an external database, if the demo uses one. */
  databaseUrl?: string;
}

const demoPath = (dataDir: string): string => path.join(dataDir, 'demo.json');
export const readDemo = (dataDir: string): DemoFile | undefined => readJson<DemoFile>(demoPath(dataDir));
export const writeDemo = (dataDir: string, demo: DemoFile): void => writePrivateJson(demoPath(dataDir), demo);

export interface DemoSettings {
  ENCRYPTION_KEYS: string;
  AUDIT_KEYS: string;
  SECRET_PEPPER: string;
  REFERENCE_SECRET: string;
  CALLBACK_SECRETS: string;
}

const settingsPath = (dataDir: string): string => path.join(dataDir, 'secrets.json');

/** Returns the keys of this data directory. Returns undefined if the demo was never started in it. */
export const readSettings = (dataDir: string): DemoSettings | undefined =>
  readJson<DemoSettings>(settingsPath(dataDir));

/** Keys of this data directory, generated on the first start. Because of their prefix, `npm run serve` rejects them. */
export function loadOrCreateSettings(dataDir: string): DemoSettings {
  const existing = readSettings(dataDir);
  const created = {
    ENCRYPTION_KEYS: `demo-1:${randomBytes(32).toString('base64')}`,
    AUDIT_KEYS: `demo-1:${randomBytes(32).toString('base64')}`,
    SECRET_PEPPER: randomToken('demo-'),
    REFERENCE_SECRET: randomToken('demo-'),
    CALLBACK_SECRETS: callbacks.map(({ name }) => `${name}:${randomToken('demo-')}`).join(','),
  };
  // a directory of an earlier version may lack new keys
  const settings = { ...created, ...existing };
  if (Object.keys(existing ?? {}).length < Object.keys(settings).length)
    writePrivateJson(settingsPath(dataDir), settings);
  return settings;
}
