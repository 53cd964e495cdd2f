import { z } from 'zod';
import type { AddressList, ProxyTrust } from './core/address-list.js';
import type { Environment } from './core/environment.js';
import type { ExposureLimits } from './core/exposure-limit.js';
import { type Paise, rupees } from './core/money.js';
import { type NamedKey, Secret } from './core/secret.js';
import {
  anchorInterval,
  callbackAddresses,
  callbackSecrets,
  durationMs,
  exposureLimits,
  flag,
  mailFrom,
  namedKeys,
  optionalSecret,
  origins,
  port,
  positive,
  type RecheckAfter,
  recheckAfter,
  schedule,
  secret,
  switchedOn,
  trustProxy,
  url,
} from './core/setting-kinds.js';

const DEFAULT_OPS_PORT = 4004;

const environmentSchema = z.object({
  HOST: z.string().default('127.0.0.1'),
  UAT_PORT: port.default(4000),
  PRODUCTION_PORT: port.default(4001),
  CONSOLE_PORT: port.default(4002),
  OPS_HOST: z.string().default('127.0.0.1'),
  OPS_PORT: port.optional(),
  HEALTH_ON_HOSTS: flag,
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }),
  DATABASE_POOL_SIZE: positive.default(20),
  PUBLIC_URL_UAT: url.optional(),
  PUBLIC_URL_PRODUCTION: url.optional(),
  PUBLIC_URL_CONSOLE: url.optional(),
  TRUST_PROXY: trustProxy,
  CORS_ORIGINS: origins,
  ENCRYPTION_KEYS: namedKeys,
  AUDIT_KEYS: namedKeys,
  AUDIT_ANCHOR_FILE: z.string().default(''),
  AUDIT_ANCHOR_INTERVAL_MS: anchorInterval,
  SECRET_PEPPER: secret,
  REFERENCE_SECRET: secret,
  HOLD_ORDERS: flag,
  CALLBACK_SECRETS: callbackSecrets,
  CALLBACK_ADDRESSES: callbackAddresses,
  CALLBACK_QUERY_SECRET: switchedOn,
  RATE_LIMIT_PER_MINUTE: positive.default(60),
  SHARED_LIMITS: z.enum(['memory', 'database']).default('database'),
  SYNC_WINDOW_MS: positive.default(25_000),
  PROVIDER_TIMEOUT_MS: positive.default(24_000),
  TOKEN_IDLE_DAYS: positive.max(3_650).default(30),
  TOKEN_MAX_DAYS: positive.max(3_650).default(365),
  TOKENS_PER_CREDENTIAL: positive.default(100),
  STAFF_IDLE_MINUTES: positive.default(30),
  ENQUIRY_SCHEDULE_MS: schedule,
  VISIBILITY_DELAY_MS: durationMs.default(15 * 60_000),
  GIVE_UP_AFTER_MS: durationMs.default(24 * 3_600_000),
  RECHECK_AFTER_MS: recheckAfter,
  EXPOSURE_LIMIT: exposureLimits,
  SWEEP_INTERVAL_MS: positive.default(1_000),
  LEASE_MARGIN_MS: positive.default(20_000),
  ALLOW_PRIVATE_WEBHOOKS: flag,
  WEBHOOK_POLL_MS: positive.default(1_000),
  WEBHOOK_RETRIES: positive.default(15),
  WEBHOOK_RETRY_DELAY_S: positive.default(10),
  WEBHOOK_RETRY_DELAY_MAX_S: positive.default(4 * 3_600),
  WEBHOOK_DISABLE_AFTER: durationMs.default(72 * 3_600_000),
  DATA_DIR: z.string().default('.data'),
  SMTP_URL: z
    .string()
    .default('')
    .refine((text) => text === '' || /^smtps?:\/\/\S+$/.test(text), 'must be smtp://… or smtps://…'),
  MAIL_FROM: mailFrom.default('Recharge Gateway <no-reply@localhost>'),
  MAILBOX_DIR: z.string().default(''),
  MAIL_POLL_MS: positive.default(2_000),
  MAX_IN_FLIGHT: positive.default(2_000),
  REQUEST_TIMEOUT_MS: positive.default(15_000),
  UPLOAD_TIMEOUT_MS: positive.default(5 * 60_000),
  ANSWER_TIMEOUT_MS: positive.default(30_000),
  MAX_SLOW_BODIES: positive.default(2_000),
  MAX_SLOW_BODIES_PER_ADDRESS: positive.default(100),
  MAX_CONNECTIONS: positive.default(10_000),
  MAX_RECHARGE_RUPEES: positive.default(25_000),
  MAX_BILL_PAYMENT_RUPEES: positive.default(10_00_000),
  RESOLVE_CONFIRM_RUPEES: z.coerce.number().int().min(0).default(5_000),
  CREDIT_CONFIRM_RUPEES: z.coerce.number().int().min(0).default(50_000),
  CREDIT_ALONE_RUPEES_PER_DAY: z.coerce.number().int().min(0).default(2_00_000),
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

/** What clients may take of one host before they are served; see README, "Slow clients". */
export interface TrafficLimits {
  /** For the headers, and again for the body. */
  requestTimeoutMs: number;
  /** For a body with a file, by somebody who is signed in. */
  uploadTimeoutMs: number;
  /** For a client to begin to read its answer; large ones may take longer, by their size. */
  answerTimeoutMs: number;
  /** Bodies that do not arrive at once, one for each 64 KiB begun. */
  maxSlowBodies: number;
  maxSlowBodiesPerAddress: number;
  maxConnections: number;
}

export interface Config {
  host: string;
  ports: { uat: number; production: number; console: number };
  publicUrls: { uat: string; production: string; console: string };
  ops: {
    host: string;
    /** Health and metrics on a listener of their own; undefined: none. */
    port: number | undefined;
    /** Readiness, version and metrics on the hosts too: for the demo and tests. */
    onHosts: boolean;
  };
  databaseUrl: string;
  databasePoolSize: number;
  /** Undefined: clients connect themselves. */
  trustProxy: ProxyTrust | undefined;
  corsOrigins: readonly string[];
  encryptionKeys: readonly NamedKey[];
  audit: {
    /** The first signs, all verify. The database never sees them. */
    keys: readonly NamedKey[];
    /** Outside the database, and best on another machine: what the trail is compared with. */
    anchorFile: string;
    anchorIntervalMs: number;
  };
  pepper: Secret;
  /** What references and hashed keys follow from; never changed. */
  referenceSecret: Secret;
  /** Questions are answered, nothing is placed: after a restore, until the books agree with the providers'. */
  holdOrders: boolean;
  /** By provider, the current one first. */
  callbackSecrets: ReadonlyMap<string, readonly Secret[]>;
  /** Whether the secret may also come in the query, which proxies log. */
  callbackQuerySecret: boolean;
  /** By provider; callbacks of the others are taken from any address. */
  callbackAddresses: ReadonlyMap<string, AddressList>;
  rateLimitPerMinute: number;
  sharedLimits: 'memory' | 'database';
  syncWindowMs: number;
  providerTimeoutMs: number;
  tokens: {
    /** Days without use after which a token ends. */
    tokenIdleDays: number;
    /** Days after which it ends although it is used. */
    tokenMaxDays: number;
    /** Live tokens of one client id; one more ends the one that was not used for longest. */
    tokensPerCredential: number;
  };
  /** Minutes without a request after which admins and support are signed out. */
  staffIdleMinutes: number;
  enquiryScheduleMs: readonly number[];
  visibilityDelayMs: number;
  giveUpAfterMs: number;
  recheckAfter: RecheckAfter;
  /** What may be undecided with a provider before new payments are refused. */
  exposureLimits: ExposureLimits;
  sweepIntervalMs: number;
  /** Beyond the provider timeout: what T2 may take before a sweeper takes the order. */
  leaseMarginMs: number;
  webhooks: {
    /** Receivers on this machine and plain http: for the demo and tests only. */
    allowPrivate: boolean;
    pollMs: number;
    /** With the pauses below they last about a day. */
    retries: number;
    /** Before the first retry one to two times this, then doubled each time. */
    delayS: number;
    delayMaxS: number;
    /** An endpoint that nothing could be delivered to for so long is switched off. */
    disableAfterMs: number;
  };
  mail: {
    /** Undefined: mails are put into the mailbox directory. */
    smtpUrl: Secret | undefined;
    mailboxDir: string;
    from: string;
    pollMs: number;
  };
  /** Requests that run on one host, and charged calls under way in one process, before new ones are refused. */
  maxInFlight: number;
  traffic: TrafficLimits;
  maxRechargePaise: Paise;
  maxBillPaymentPaise: Paise;
  /** An order above it is resolved by two people. */
  resolveConfirmPaise: Paise;
  /** What one admin may credit alone in production. */
  creditAlone: {
    /** A credit above it is carried out by a second admin. */
    perCreditPaise: Paise;
    /** And so is one that takes the admin's credits of an Indian day above it. */
    perDayPaise: Paise;
  };
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

/** What a call may take beyond the provider's time: the hold before it and the resolution after it. */
const WINDOW_MARGIN_MS = 500;

/** Settings that are right one by one and wrong together. */
function contradictionsIn(env: z.infer<typeof environmentSchema>): string[] {
  const { SYNC_WINDOW_MS, PROVIDER_TIMEOUT_MS, VISIBILITY_DELAY_MS, LEASE_MARGIN_MS } = env;
  const problems: string[] = [];
  if (SYNC_WINDOW_MS < PROVIDER_TIMEOUT_MS + WINDOW_MARGIN_MS)
    problems.push(
      `SYNC_WINDOW_MS: must be at least PROVIDER_TIMEOUT_MS + ${WINDOW_MARGIN_MS}, or callers are answered before their provider can be.`,
    );
  if (VISIBILITY_DELAY_MS <= PROVIDER_TIMEOUT_MS + LEASE_MARGIN_MS)
    problems.push(
      'VISIBILITY_DELAY_MS: must be longer than PROVIDER_TIMEOUT_MS + LEASE_MARGIN_MS, or an order that is still being sent counts as not found.',
    );
  return problems;
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
  const contradictions = contradictionsIn(env);
  if (contradictions.length > 0) throw new ConfigError(contradictions);
  const local = (name: 'UAT_PORT' | 'PRODUCTION_PORT' | 'CONSOLE_PORT'): string => `http://${env.HOST}:${env[name]}`;
  return Object.freeze({
    host: env.HOST,
    ports: { uat: env.UAT_PORT, production: env.PRODUCTION_PORT, console: env.CONSOLE_PORT },
    publicUrls: {
      uat: env.PUBLIC_URL_UAT ?? local('UAT_PORT'),
      production: env.PUBLIC_URL_PRODUCTION ?? local('PRODUCTION_PORT'),
      console: env.PUBLIC_URL_CONSOLE ?? local('CONSOLE_PORT'),
    },
    ops: {
      host: env.OPS_HOST,
      port: env.OPS_PORT ?? (env.HEALTH_ON_HOSTS ? undefined : DEFAULT_OPS_PORT),
      onHosts: env.HEALTH_ON_HOSTS,
    },
    databaseUrl: env.DATABASE_URL,
    databasePoolSize: env.DATABASE_POOL_SIZE,
    trustProxy: env.TRUST_PROXY,
    corsOrigins: env.CORS_ORIGINS,
    encryptionKeys: env.ENCRYPTION_KEYS,
    audit: {
      keys: env.AUDIT_KEYS,
      anchorFile: env.AUDIT_ANCHOR_FILE || `${env.DATA_DIR}/audit-anchors.jsonl`,
      anchorIntervalMs: env.AUDIT_ANCHOR_INTERVAL_MS,
    },
    pepper: env.SECRET_PEPPER,
    referenceSecret: env.REFERENCE_SECRET,
    holdOrders: env.HOLD_ORDERS,
    callbackSecrets: env.CALLBACK_SECRETS,
    callbackAddresses: env.CALLBACK_ADDRESSES,
    callbackQuerySecret: env.CALLBACK_QUERY_SECRET,
    rateLimitPerMinute: env.RATE_LIMIT_PER_MINUTE,
    sharedLimits: env.SHARED_LIMITS,
    syncWindowMs: env.SYNC_WINDOW_MS,
    providerTimeoutMs: env.PROVIDER_TIMEOUT_MS,
    tokens: {
      tokenIdleDays: env.TOKEN_IDLE_DAYS,
      tokenMaxDays: env.TOKEN_MAX_DAYS,
      tokensPerCredential: env.TOKENS_PER_CREDENTIAL,
    },
    staffIdleMinutes: env.STAFF_IDLE_MINUTES,
    enquiryScheduleMs: env.ENQUIRY_SCHEDULE_MS,
    visibilityDelayMs: env.VISIBILITY_DELAY_MS,
    giveUpAfterMs: env.GIVE_UP_AFTER_MS,
    recheckAfter: env.RECHECK_AFTER_MS,
    exposureLimits: env.EXPOSURE_LIMIT,
    sweepIntervalMs: env.SWEEP_INTERVAL_MS,
    leaseMarginMs: env.LEASE_MARGIN_MS,
    webhooks: {
      allowPrivate: env.ALLOW_PRIVATE_WEBHOOKS,
      pollMs: env.WEBHOOK_POLL_MS,
      retries: env.WEBHOOK_RETRIES,
      delayS: env.WEBHOOK_RETRY_DELAY_S,
      delayMaxS: env.WEBHOOK_RETRY_DELAY_MAX_S,
      disableAfterMs: env.WEBHOOK_DISABLE_AFTER,
    },
    mail: {
      smtpUrl: env.SMTP_URL === '' ? undefined : new Secret(env.SMTP_URL),
      mailboxDir: env.MAILBOX_DIR || `${env.DATA_DIR}/mailbox`,
      from: env.MAIL_FROM,
      pollMs: env.MAIL_POLL_MS,
    },
    maxInFlight: env.MAX_IN_FLIGHT,
    traffic: {
      requestTimeoutMs: env.REQUEST_TIMEOUT_MS,
      uploadTimeoutMs: env.UPLOAD_TIMEOUT_MS,
      answerTimeoutMs: env.ANSWER_TIMEOUT_MS,
      maxSlowBodies: env.MAX_SLOW_BODIES,
      maxSlowBodiesPerAddress: env.MAX_SLOW_BODIES_PER_ADDRESS,
      maxConnections: env.MAX_CONNECTIONS,
    },
    maxRechargePaise: rupees(env.MAX_RECHARGE_RUPEES),
    maxBillPaymentPaise: rupees(env.MAX_BILL_PAYMENT_RUPEES),
    resolveConfirmPaise: rupees(env.RESOLVE_CONFIRM_RUPEES),
    creditAlone: {
      perCreditPaise: rupees(env.CREDIT_CONFIRM_RUPEES),
      perDayPaise: rupees(env.CREDIT_ALONE_RUPEES_PER_DAY),
    },
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
