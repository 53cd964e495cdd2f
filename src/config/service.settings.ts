import {
  contacts,
  databaseUrl,
  databaseUrlOrNone,
  duration,
  emailFrom,
  flag,
  namedKeys,
  networks,
  oneOf,
  origins,
  originsOrLoopback,
  port,
  portOrNone,
  redisUrl,
  secret,
  smtpUrl,
  text,
  trustedProxies,
  url,
  urlOrNone,
  wholeNumber,
} from './kinds.js';
import { required, setting } from './setting.js';

/** Returns the name for passkeys. Passkeys cannot be registered for an IP address. */
const nameOf = (host: string): string => (host === '127.0.0.1' ? 'localhost' : host);

export const hosts = {
  host: setting('HOST', text, '127.0.0.1').about('Address that the three hosts listen on.'),
  ports: {
    uat: setting('UAT_PORT', port, '4000').about('Port of the UAT host.'),
    production: setting('PRODUCTION_PORT', port, '4001').about('Port of the production host.'),
    console: setting('CONSOLE_PORT', port, '4002').about('Port of the console.'),
  },
  publicUrls: {
    uat: setting('PUBLIC_URL_UAT', url, (of) => `http://${of('HOST')}:${of('UAT_PORT')}`).about(
      'Public URL of the UAT host.',
    ),
    production: setting('PUBLIC_URL_PRODUCTION', url, (of) => `http://${of('HOST')}:${of('PRODUCTION_PORT')}`).about(
      'Public URL of the production host.',
    ),
    console: setting('PUBLIC_URL_CONSOLE', url, (of) => `http://${nameOf(of('HOST'))}:${of('CONSOLE_PORT')}`).about(
      'Public URL of the console, used in emails. Passkeys are bound to its host name.',
    ),
  },
  allowClearText: setting('ALLOW_CLEAR_TEXT', flag, 'false').about(
    'Allows `http` for `PUBLIC_URL_…` and `PROVIDER_…_URL` on other machines, which exposes passwords, keys and numbers. For trials only.',
  ),
  ops: {
    host: setting('OPS_HOST', text, '127.0.0.1').about('Address of the operations listener.'),
    port: setting('OPS_PORT', portOrNone, (of) => (['true', '1'].includes(of('HEALTH_ON_HOSTS')) ? '' : '4004')).about(
      'Port of the operations listener for health, metrics and documents. There is none if this is empty and `HEALTH_ON_HOSTS` is set.',
    ),
    onHosts: setting('HEALTH_ON_HOSTS', flag, 'false').about(
      'Serves readiness, version and metrics on the three public hosts too. For the demo and tests.',
    ),
  },
  shutdownDelayMs: setting('SHUTDOWN_DELAY_MS', duration({ from: '0ms', to: '10m' }), '5s').about(
    'Time for which a stopping process still serves while `/readyz` returns 503. Must exceed the time that load balancers need to react.',
  ),
  trustProxy: setting('TRUST_PROXY', trustedProxies, '').about(
    'Trusted proxies: `1`, `10.0.0.0/8,192.0.2.7` or `loopback`. Without it, every client has the address of the proxy.',
  ),
  uatOrigins: setting('CORS_ORIGINS_UAT', originsOrLoopback, '').about(
    'Web origins allowed to call the UAT host, separated by commas, in addition to the console. `loopback` allows every port of `localhost`, `127.0.0.1` and `[::1]`.',
  ),
  productionOrigins: setting('CORS_ORIGINS_PRODUCTION', origins, '').about(
    'Web origins allowed to call the production host, separated by commas. A token there can spend the wallet.',
  ),
  securityReports: {
    contacts: setting('SECURITY_CONTACT', contacts, '').about(
      'Contacts for security reports in order of preference, such as `mailto:security@shop.example`, published at `/.well-known/security.txt`.',
    ),
    policyUrl: setting('SECURITY_POLICY_URL', urlOrNone, '').about(
      'Page with the policy for security reports; `SECURITY.md` is a template.',
    ),
  },
  logLevel: setting('LOG_LEVEL', oneOf('trace', 'debug', 'info', 'warn', 'error', 'silent'), 'info').about(
    'Lowest level that is logged.',
  ),
  dataDir: setting('DATA_DIR', text, '.data').about('Directory for the anchor file, and for emails without SMTP.'),
};

export const database = {
  databaseUrl: required('DATABASE_URL', databaseUrl).about(
    'PostgreSQL 15 to 18. The login of `serve` must be a member of `gateway_app` without other rights.',
  ),
  databaseListenUrl: setting('DATABASE_LISTEN_URL', databaseUrl, (of) => of('DATABASE_URL')).about(
    'URL of the database without a pooler, for one LISTEN connection.',
  ),
  startupOptions: setting('DATABASE_STARTUP_OPTIONS', flag, 'true').about(
    'Sets the role and time limits when a connection starts. Use `false` behind a transaction pooler, and set them for the login.',
  ),
  databaseReplicaUrl: setting('DATABASE_REPLICA_URL', databaseUrlOrNone, '').about(
    'Streaming standby for statements, files and lists, used while it is less than 30 s behind.',
  ),
  allowWeakDurability: setting('ALLOW_WEAK_DURABILITY', flag, 'false').about(
    'Allows a local database with `fsync`, `full_page_writes` or `synchronous_commit` off, which can lose orders that were sent. For automated tests only.',
  ),
  databasePoolSize: setting('DATABASE_POOL_SIZE', wholeNumber(1), '20').about('Database connections per process.'),
  consolePoolSize: setting('CONSOLE_POOL_SIZE', wholeNumber(1), '4').about(
    'Additional connections per process for console reads.',
  ),
  sharedLimits: setting('SHARED_LIMITS', oneOf('memory', 'database'), 'database').about(
    'Storage of rate limits and failed attempts. `memory` is correct only for a single process.',
  ),
  redisUrl: setting('REDIS_URL', redisUrl, '').about(
    'Redis or Valkey for rate limits and failed attempts, such as `rediss://:password@host:6379`. The database is used while it does not respond.',
  ),
};

export const secrets = {
  encryptionKeys: required('ENCRYPTION_KEYS', namedKeys).about(
    'Encryption keys for stored values. The first encrypts, all decrypt.',
  ),
  pepper: required('SECRET_PEPPER', secret).about(
    'Secret for passwords, API secrets, sessions, tokens, second factors and order search. Never change it.',
  ),
  referenceSecret: required('REFERENCE_SECRET', secret).about(
    'Secret for the references sent to providers and for hashed idempotency keys. Never change it: retries could be paid twice.',
  ),
};

export const auditLog = {
  audit: {
    keys: required('AUDIT_KEYS', namedKeys).about(
      'Keys that sign the audit log. The first signs, all verify. Keep old keys for as long as you verify their entries.',
    ),
    anchorFile: setting('AUDIT_ANCHOR_FILE', text, (of) => `${of('DATA_DIR')}/audit-anchors.jsonl`).about(
      'File for audit log anchors. Keep it outside the database, preferably on another machine.',
    ),
    anchorIntervalMs: setting('AUDIT_ANCHOR_INTERVAL_MS', duration({ from: '1s', to: '24h' }), '5m').about(
      'Interval between anchors.',
    ),
  },
};

export const accounts = {
  tokens: {
    tokenIdleDays: setting('TOKEN_IDLE_DAYS', duration({ as: 'd', from: '1d', to: '3650d' }), '30d').about(
      'Time without use after which an access token expires.',
    ),
    tokenMaxDays: setting('TOKEN_MAX_DAYS', duration({ as: 'd', from: '1d', to: '3650d' }), '365d').about(
      'Maximum lifetime of an access token.',
    ),
    tokensPerCredential: setting('TOKENS_PER_CREDENTIAL', wholeNumber(1), '100').about(
      'Valid tokens per client ID. A new token replaces the one unused for longest. If all are in use, up to ten times as many are valid.',
    ),
  },
  secondFactor: {
    staff: setting('STAFF_SECOND_FACTOR', oneOf('required', 'optional'), 'required').about(
      'Whether staff need a second factor. With `required`, staff without one can only enroll one.',
    ),
    owners: setting('OWNER_SECOND_FACTOR', oneOf('required', 'optional'), 'optional').about(
      'Whether owners of accounts with Production access need a second factor.',
    ),
  },
  kycKept: {
    afterClosingDays: setting('KYC_AFTER_CLOSING_DAYS', duration({ as: 'd', from: '1d', to: '3650d' }), '1826d').about(
      'Retention of KYC data and notes of an approved account after closing. Anti-money-laundering law requires five years.',
    ),
    afterRejectionDays: setting(
      'KYC_AFTER_REJECTION_DAYS',
      duration({ as: 'd', from: '1d', to: '3650d' }),
      '180d',
    ).about('Retention of KYC data and notes after rejection or closing, for an account that was never approved.'),
  },
  staffIdleMinutes: setting('STAFF_IDLE_MINUTES', duration({ as: 'm', from: '1m' }), '30m').about(
    'Idle time after which staff are signed out.',
  ),
};

export const traffic = {
  rateLimitPerMinute: setting('RATE_LIMIT_PER_MINUTE', wholeNumber(1), '60').about(
    'Requests per caller, endpoint and minute, unless the account has its own limit. Also limits introspection requests, and twice as many invalid documents.',
  ),
  graphqlJit: setting('GRAPHQL_JIT', flag, 'true').about(
    'Compiles GraphQL operations. `false` interprets them: slower, with the same responses.',
  ),
  maxInFlight: setting('MAX_IN_FLIGHT', wholeNumber(1), '2000').about(
    'Concurrent requests per host, and concurrent charged calls per process. Further requests get 503.',
  ),
  traffic: {
    requestTimeoutMs: setting('REQUEST_TIMEOUT_MS', duration(), '15s').about(
      'Time limit for the request headers, and again for the body. Requests that exceed it get 408.',
    ),
    uploadTimeoutMs: setting('UPLOAD_TIMEOUT_MS', duration(), '5m').about(
      'Time limit for the body of `POST /kyc/documents`.',
    ),
    answerTimeoutMs: setting('RESPONSE_TIMEOUT_MS', duration(), '30s').about(
      'Time limit for a client to start reading the response. Longer responses must be read at 16 KB/s.',
    ),
    maxSlowBodies: setting('MAX_SLOW_BODIES', wholeNumber(1), '2000').about(
      'Slow request bodies per host, in units of 64 KiB: bodies that have not arrived 2 s after their headers. Above the limit, the largest holder loses its oldest body.',
    ),
    maxSlowBodiesPerAddress: setting('MAX_SLOW_BODIES_PER_ADDRESS', wholeNumber(1), '32').about(
      'Slow request bodies per address without a token of an approved account; twice as many per IPv6 /56, four times per /48. Further ones get 503.',
    ),
    maxConnections: setting('MAX_CONNECTIONS', wholeNumber(1), '10000').about(
      'Connections per host. Above the limit, the address with the most connections loses its oldest.',
    ),
  },
};

export const webhooks = {
  webhooks: {
    allowPrivate: setting('ALLOW_PRIVATE_WEBHOOKS', flag, 'false').about(
      'Allows webhook endpoints in private networks and plain http. For the demo and tests.',
    ),
    retries: setting('WEBHOOK_RETRIES', wholeNumber(1), '21').about(
      'Retries per delivery. The default covers about 48 hours.',
    ),
    delayS: setting('WEBHOOK_RETRY_DELAY_S', duration({ as: 's', from: '1s' }), '10s').about(
      'Delay before the first retry: one to two times this value. Doubles with each retry.',
    ),
    delayMaxS: setting('WEBHOOK_RETRY_DELAY_MAX_S', duration({ as: 's', from: '1s' }), '4h').about(
      'Maximum delay between retries.',
    ),
    sourceAddresses: setting('WEBHOOK_SOURCE_ADDRESSES', networks, '').about(
      'Public source addresses and networks of webhooks, published at `/webhook-addresses.json` and in the guide.',
    ),
    disableAfterMs: setting('WEBHOOK_DISABLE_AFTER', duration({ to: '365d' }), '72h').about(
      'Time without a successful delivery after which an endpoint is disabled and its developer gets an email.',
    ),
  },
};

export const emails = {
  mail: {
    smtpUrl: setting('SMTP_URL', smtpUrl, '').about(
      'Mail server: `smtps://user:password@host`, or `smtp://…`, which requires STARTTLS unless local. Without it, emails are written to `MAILBOX_DIR`.',
    ),
    mailboxDir: setting('MAILBOX_DIR', text, (of) => `${of('DATA_DIR')}/mailbox`).about(
      'Directory for emails without SMTP.',
    ),
    from: setting('EMAIL_FROM', emailFrom, 'Recharge Gateway <no-reply@localhost>').about('Sender of all emails.'),
  },
};
