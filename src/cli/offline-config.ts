import { type Config, loadConfig } from '../config.js';

/** Where the programs of the command line never connect to. */
const NOWHERE = 'http://127.0.0.1:9';

/** What a program that calls no provider may leave out. */
export const withoutProviders: Readonly<Record<string, string>> = {
  PROVIDER_ROUNDPAY_URL: NOWHERE,
  PROVIDER_MOKSHIQ_URL: NOWHERE,
  PROVIDER_EKYCHUB_URL: NOWHERE,
  PROVIDER_INSPAY_URL: NOWHERE,
  PROVIDER_BANKSATHI_URL: NOWHERE,
};

/** Settings of an application that is only looked at: it has no database, no keys and no providers, and must not listen. */
export function offlineConfig(): Config {
  return loadConfig({
    ...withoutProviders,
    DATABASE_URL: 'postgresql://nobody@127.0.0.1:9/none',
    ENCRYPTION_KEYS: `none:${Buffer.alloc(32).toString('base64')}`,
    AUDIT_KEYS: `none:${Buffer.alloc(32).toString('base64')}`,
    SECRET_PEPPER: 'nothing is hashed with this',
    REFERENCE_SECRET: 'nothing is referred to by this',
    SHARED_LIMITS: 'memory',
    LOG_LEVEL: 'silent',
  });
}
