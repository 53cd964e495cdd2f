import { z } from 'zod';
import type { Environment } from './core/environment.js';
import { type Paise, rupees } from './core/money.js';
import { Secret } from './core/secret.js';
import type { EncryptionKey } from './db/field-encryption.js';

const port = z.coerce.number().int().min(0).max(65_535);
const positive = z.coerce.number().int().positive();
const url = z.url({ protocol: /^https?$/ }).transform((text) => text.replace(/\/$/, ''));
const secret = z
  .string()
  .min(16, 'must have at least 16 characters')
  .transform((text) => new Secret(text));
const optionalSecret = z
  .string()
  .default('')
  .transform((text) => new Secret(text));
const list = z
  .string()
  .default('')
  .transform((text) =>
    text
      .split(',')
      .map((item) => item.trim())
      .filter(Boolean),
  );
const flag = z
  .enum(['true', 'false', '1', '0', ''])
  .default('')
  .transform((text) => text === 'true' || text === '1');

const duration = /^(\d+)(ms|s|m|h)?$/;
const unitMs: Record<string, number> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };
/** "5000", "5s", "3m", "1h" → milliseconds. */
const durationMs = z
  .string()
  .trim()
  .regex(duration, 'must be a duration such as 5000, 5s, 3m or 1h')
  .transform((text) => {
    const [, amount, unit] = duration.exec(text)!;
    return Number(amount) * unitMs[unit ?? 'ms']!;
  });
const schedule = z
  .string()
  .default('5s,15s,30s,1m,3m,10m,30m,1h')
  .transform((text) => text.split(','))
  .pipe(z.array(durationMs).min(1));

const encryptionKeys = z
  .string()
  .regex(
    /^[^:,\s]{1,32}:[A-Za-z0-9+/=_-]+(,[^:,\s]{1,32}:[A-Za-z0-9+/=_-]+)*$/,
    'must be id:base64key, several separated by commas',
  )
  .transform((text): EncryptionKey[] =>
    text
      .split(',')
      .map((pair) => ({ id: pair.slice(0, pair.indexOf(':')), key: new Secret(pair.slice(pair.indexOf(':') + 1)) })),
  );

const callbackSecrets = z
  .string()
  .default('')
  .transform(
    (text) =>
      new Map(
        text
          .split(',')
          .filter(Boolean)
          .map((pair): [string, Secret] => [
            pair.slice(0, pair.indexOf(':')),
            new Secret(pair.slice(pair.indexOf(':') + 1)),
          ]),
      ),
  );

const environmentSchema = z.object({
  HOST: z.string().default('127.0.0.1'),
  UAT_PORT: port.default(4000),
  PRODUCTION_PORT: port.default(4001),
  CONSOLE_PORT: port.default(4002),
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }),
  DATABASE_POOL_SIZE: positive.default(20),
  PUBLIC_URL_UAT: url.optional(),
  PUBLIC_URL_PRODUCTION: url.optional(),
  PUBLIC_URL_CONSOLE: url.optional(),
  TRUST_PROXY: flag,
  CORS_ORIGINS: list,
  ENCRYPTION_KEYS: encryptionKeys,
  SECRET_PEPPER: secret,
  CALLBACK_SECRETS: callbackSecrets,
  RATE_LIMIT_PER_MINUTE: positive.default(60),
  SHARED_LIMITS: z.enum(['memory', 'database']).default('database'),
  SYNC_WINDOW_MS: positive.default(25_000),
  PROVIDER_TIMEOUT_MS: positive.default(24_000),
  TOKEN_TTL_S: positive.default(86_400),
  ENQUIRY_SCHEDULE_MS: schedule,
  VISIBILITY_DELAY_MS: durationMs.default(15 * 60_000),
  GIVE_UP_AFTER_MS: durationMs.default(24 * 3_600_000),
  SWEEP_INTERVAL_MS: positive.default(1_000),
  MAX_RECHARGE_RUPEES: positive.default(25_000),
  MAX_BILL_PAYMENT_RUPEES: positive.default(10_00_000),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info'),
  PROVIDER_ROUNDPAY_URL: url,
  PROVIDER_ROUNDPAY_STATUS_URL: url.optional(),
  PROVIDER_ROUNDPAY_USER_ID: z.string().default(''),
  PROVIDER_ROUNDPAY_TOKEN: optionalSecret,
  PROVIDER_MOKSHIQ_URL: url,
  PROVIDER_MOKSHIQ_TOKEN: optionalSecret,
  PROVIDER_MOKSHIQ_ORIGIN: z.string().default(''),
  PROVIDER_MOKSHIQ_PIN: optionalSecret,
  PROVIDER_EKYCHUB_URL: url,
  PROVIDER_EKYCHUB_USERNAME: z.string().default(''),
  PROVIDER_EKYCHUB_TOKEN: optionalSecret,
  PROVIDER_INSPAY_URL: url,
  PROVIDER_INSPAY_USERNAME: z.string().default(''),
  PROVIDER_INSPAY_TOKEN: optionalSecret,
  PROVIDER_BANKSATHI_URL: url,
  PROVIDER_BANKSATHI_API_KEY: optionalSecret,
  PROVIDER_BANKSATHI_IV: optionalSecret,
});

export interface Config {
  host: string;
  ports: { uat: number; production: number; console: number };
  publicUrls: { uat: string; production: string; console: string };
  databaseUrl: string;
  databasePoolSize: number;
  trustProxy: boolean;
  corsOrigins: readonly string[];
  encryptionKeys: readonly EncryptionKey[];
  pepper: Secret;
  callbackSecrets: ReadonlyMap<string, Secret>;
  rateLimitPerMinute: number;
  sharedLimits: 'memory' | 'database';
  syncWindowMs: number;
  providerTimeoutMs: number;
  tokenTtlS: number;
  enquiryScheduleMs: readonly number[];
  visibilityDelayMs: number;
  giveUpAfterMs: number;
  sweepIntervalMs: number;
  maxRechargePaise: Paise;
  maxBillPaymentPaise: Paise;
  logLevel: string;
  providers: {
    roundpay: { url: string; statusUrl: string; userId: string; token: Secret };
    mokshiq: { url: string; token: Secret; origin: string; pin: Secret };
    ekychub: { url: string; username: string; token: Secret };
    inspay: { url: string; username: string; token: Secret };
    banksathi: { url: string; apiKey: Secret; iv: Secret };
  };
}

/** Every problem of the settings at once, one line each, naming the variable and never its value. */
export class ConfigError extends Error {
  constructor(problems: readonly string[]) {
    super(`The settings are not complete:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
    this.name = 'ConfigError';
  }
}

/** The only reader of environment variables. Errors: ConfigError. */
export function loadConfig(environment: NodeJS.ProcessEnv): Config {
  const parsed = environmentSchema.safeParse(environment);
  if (!parsed.success)
    throw new ConfigError(
      parsed.error.issues.map(({ path, message }) => {
        const name = path.join('.');
        return `${name}: ${environment[String(path[0])] === undefined ? 'is required' : message}`;
      }),
    );
  const env = parsed.data;
  const local = (name: 'UAT_PORT' | 'PRODUCTION_PORT' | 'CONSOLE_PORT'): string => `http://${env.HOST}:${env[name]}`;
  return Object.freeze({
    host: env.HOST,
    ports: { uat: env.UAT_PORT, production: env.PRODUCTION_PORT, console: env.CONSOLE_PORT },
    publicUrls: {
      uat: env.PUBLIC_URL_UAT ?? local('UAT_PORT'),
      production: env.PUBLIC_URL_PRODUCTION ?? local('PRODUCTION_PORT'),
      console: env.PUBLIC_URL_CONSOLE ?? local('CONSOLE_PORT'),
    },
    databaseUrl: env.DATABASE_URL,
    databasePoolSize: env.DATABASE_POOL_SIZE,
    trustProxy: env.TRUST_PROXY,
    corsOrigins: env.CORS_ORIGINS,
    encryptionKeys: env.ENCRYPTION_KEYS,
    pepper: env.SECRET_PEPPER,
    callbackSecrets: env.CALLBACK_SECRETS,
    rateLimitPerMinute: env.RATE_LIMIT_PER_MINUTE,
    sharedLimits: env.SHARED_LIMITS,
    syncWindowMs: env.SYNC_WINDOW_MS,
    providerTimeoutMs: env.PROVIDER_TIMEOUT_MS,
    tokenTtlS: env.TOKEN_TTL_S,
    enquiryScheduleMs: env.ENQUIRY_SCHEDULE_MS,
    visibilityDelayMs: env.VISIBILITY_DELAY_MS,
    giveUpAfterMs: env.GIVE_UP_AFTER_MS,
    sweepIntervalMs: env.SWEEP_INTERVAL_MS,
    maxRechargePaise: rupees(env.MAX_RECHARGE_RUPEES),
    maxBillPaymentPaise: rupees(env.MAX_BILL_PAYMENT_RUPEES),
    logLevel: env.LOG_LEVEL,
    providers: {
      roundpay: {
        url: env.PROVIDER_ROUNDPAY_URL,
        statusUrl: env.PROVIDER_ROUNDPAY_STATUS_URL ?? env.PROVIDER_ROUNDPAY_URL,
        userId: env.PROVIDER_ROUNDPAY_USER_ID,
        token: env.PROVIDER_ROUNDPAY_TOKEN,
      },
      mokshiq: {
        url: env.PROVIDER_MOKSHIQ_URL,
        token: env.PROVIDER_MOKSHIQ_TOKEN,
        origin: env.PROVIDER_MOKSHIQ_ORIGIN,
        pin: env.PROVIDER_MOKSHIQ_PIN,
      },
      ekychub: {
        url: env.PROVIDER_EKYCHUB_URL,
        username: env.PROVIDER_EKYCHUB_USERNAME,
        token: env.PROVIDER_EKYCHUB_TOKEN,
      },
      inspay: {
        url: env.PROVIDER_INSPAY_URL,
        username: env.PROVIDER_INSPAY_USERNAME,
        token: env.PROVIDER_INSPAY_TOKEN,
      },
      banksathi: {
        url: env.PROVIDER_BANKSATHI_URL,
        apiKey: env.PROVIDER_BANKSATHI_API_KEY,
        iv: env.PROVIDER_BANKSATHI_IV,
      },
    },
  });
}

export const apiUrls = ({ publicUrls }: Config): Record<Environment, string> => ({
  uat: publicUrls.uat,
  production: publicUrls.production,
});
