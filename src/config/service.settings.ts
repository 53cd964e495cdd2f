import {
  contacts,
  databaseUrl,
  databaseUrlOrNone,
  duration,
  flag,
  mailFrom,
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
  whole,
} from './kinds.js';
import { required, setting } from './setting.js';

/** An IP address can hold no passkey. */
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
      'Public URL of the console, for links in emails. Passkeys belong to its host name.',
    ),
  },
  allowClearText: setting('ALLOW_CLEAR_TEXT', flag, 'false').about(
    'Allows `http` in `PUBLIC_URL_…` and `PROVIDER_…_URL` of other machines, where passwords, keys and numbers can be read in transit. For trials.',
  ),
  ops: {
    host: setting('OPS_HOST', text, '127.0.0.1').about('Address of the listener for health and metrics.'),
    port: setting('OPS_PORT', portOrNone, (of) => (['true', '1'].includes(of('HEALTH_ON_HOSTS')) ? '' : '4004')).about(
      'Port of the listener for health and metrics. With `HEALTH_ON_HOSTS` and no port, there is no such listener.',
    ),
    onHosts: setting('HEALTH_ON_HOSTS', flag, 'false').about(
      'Serves readiness, version and metrics on the three public hosts as well. For the demo and tests.',
    ),
  },
  shutdownDelayMs: setting('SHUTDOWN_DELAY_MS', duration({ from: '0ms', to: '10m' }), '5s').about(
    'Time for which a stopping process continues to serve while `/readyz` returns 503. Longer than balancers take to notice.',
  ),
  trustProxy: setting('TRUST_PROXY', trustedProxies, '').about(
    'Proxies in front: `1`, `10.0.0.0/8,192.0.2.7` or `loopback`. Without it, every client has the address of the proxy.',
  ),
  uatOrigins: setting('CORS_ORIGINS_UAT', originsOrLoopback, '').about(
    'Origins whose pages can call the UAT host, separated by commas; the console always can. `loopback` is every port of `localhost`, `127.0.0.1` and `[::1]`.',
  ),
  productionOrigins: setting('CORS_ORIGINS_PRODUCTION', origins, '').about(
    'Origins whose pages can call the production host, separated by commas. A token there can spend the wallet. `loopback` is not accepted.',
  ),
  securityReports: {
    contacts: setting('SECURITY_CONTACT', contacts, '').about(
      'Contacts for security reports, such as `mailto:security@shop.example`, preferred first, published at `/.well-known/security.txt`.',
    ),
    policyUrl: setting('SECURITY_POLICY_URL', urlOrNone, '').about(
      'Page with the rules for security reports; `SECURITY.md` is a draft.',
    ),
  },
  logLevel: setting('LOG_LEVEL', oneOf('trace', 'debug', 'info', 'warn', 'error', 'silent'), 'info').about(
    'Lowest level that is logged.',
  ),
  dataDir: setting('DATA_DIR', text, '.data').about('Directory for the anchor file and for emails without SMTP.'),
};

export const database = {
  databaseUrl: required('DATABASE_URL', databaseUrl).about(
    'PostgreSQL 15 to 18. The login of `serve` is a member of `gateway_app` and has no other rights.',
  ),
  databaseListenUrl: setting('DATABASE_LISTEN_URL', databaseUrl, (of) => of('DATABASE_URL')).about(
    'The same database without a pooler, for one connection with LISTEN.',
  ),
  startupOptions: setting('DATABASE_STARTUP_OPTIONS', flag, 'true').about(
    'Set the role and the time limits when a connection starts. `false` behind a pooler in transaction mode; then the login has these settings.',
  ),
  databaseReplicaUrl: setting('DATABASE_REPLICA_URL', databaseUrlOrNone, '').about(
    'Streaming standby from which statements, files and lists are read while it is less than 30 s behind.',
  ),
  allowWeakDurability: setting('ALLOW_WEAK_DURABILITY', flag, 'false').about(
    'Allows a local database with `fsync`, `full_page_writes` or `synchronous_commit` off, which can lose orders that were sent. Only for automated tests.',
  ),
  databasePoolSize: setting('DATABASE_POOL_SIZE', whole(1), '20').about('Connections of one process.'),
  consolePoolSize: setting('CONSOLE_POOL_SIZE', whole(1), '4').about(
    'Additional connections of one process for reads on the console.',
  ),
  sharedLimits: setting('SHARED_LIMITS', oneOf('memory', 'database'), 'database').about(
    'Where rate limits and failed attempts are counted. `memory` is correct only for a single process.',
  ),
  redisUrl: setting('REDIS_URL', redisUrl, '').about(
    'Redis or Valkey that counts them instead, such as `rediss://:password@host:6379`. While it does not respond, the database counts.',
  ),
};

export const secrets = {
  encryptionKeys: required('ENCRYPTION_KEYS', namedKeys).about(
    'Keys for stored values. The first encrypts, all decrypt. `gateway rotate-keys` re-encrypts with the first.',
  ),
  pepper: required('SECRET_PEPPER', secret).about(
    'Source of the keys for passwords, API secrets, sessions, tokens, second factors and the search of orders. Never change it.',
  ),
  referenceSecret: required('REFERENCE_SECRET', secret).about(
    'Source of the references that providers receive and of hashed idempotency keys. Never change it: a retry after a restore could be paid twice.',
  ),
};

export const auditLog = {
  audit: {
    keys: required('AUDIT_KEYS', namedKeys).about(
      'Keys that sign the audit log. The first signs, all verify. Keep older keys while you verify their entries.',
    ),
    anchorFile: setting('AUDIT_ANCHOR_FILE', text, (of) => `${of('DATA_DIR')}/audit-anchors.jsonl`).about(
      'File with anchors of the audit log. Keep it outside the database, preferably on another machine.',
    ),
    anchorIntervalMs: setting('AUDIT_ANCHOR_INTERVAL_MS', duration({ from: '1s', to: '24h' }), '5m').about(
      'Interval at which an anchor is written.',
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
    tokensPerCredential: setting('TOKENS_PER_CREDENTIAL', whole(1), '100').about(
      'Valid tokens of one client ID. A further token ends the one unused for longest; while all are in use, up to ten times as many are valid.',
    ),
  },
  secondFactor: {
    staff: setting('STAFF_SECOND_FACTOR', oneOf('required', 'optional'), 'required').about(
      'Whether staff need a second factor. `required`: staff without one can only add one.',
    ),
    owners: setting('OWNER_SECOND_FACTOR', oneOf('required', 'optional'), 'optional').about(
      'The same for owners of accounts with Production access.',
    ),
  },
  kycKept: {
    afterClosingDays: setting('KYC_AFTER_CLOSING_DAYS', duration({ as: 'd', from: '1d', to: '3650d' }), '1826d').about(
      'Time after closing for which the KYC data and notes of an approved account are kept: five years by the law against money laundering.',
    ),
    afterRejectionDays: setting(
      'KYC_AFTER_REJECTION_DAYS',
      duration({ as: 'd', from: '1d', to: '3650d' }),
      '180d',
    ).about('The same for an account that was never approved, after it was rejected or closed.'),
  },
  staffIdleMinutes: setting('STAFF_IDLE_MINUTES', duration({ as: 'm', from: '1m' }), '30m').about(
    'Idle time after which staff are signed out.',
  ),
};

export const traffic = {
  rateLimitPerMinute: setting('RATE_LIMIT_PER_MINUTE', whole(1), '60').about(
    'Requests of one caller to one endpoint per minute without a limit of the account; also introspection requests, and twice as many invalid documents, per caller.',
  ),
  graphqlJit: setting('GRAPHQL_JIT', flag, 'true').about(
    '`false`: GraphQL documents are interpreted and not compiled. Slower, with the same responses.',
  ),
  maxInFlight: setting('MAX_IN_FLIGHT', whole(1), '2000').about(
    'Concurrent requests of one host, and concurrent charged calls of one process. Above it: 503.',
  ),
  traffic: {
    requestTimeoutMs: setting('REQUEST_TIMEOUT_MS', duration(), '15s').about(
      'Time limit for a client to send the headers, and again for the body. Then: 408.',
    ),
    uploadTimeoutMs: setting('UPLOAD_TIMEOUT_MS', duration(), '5m').about(
      'The same for the body of `POST /kyc/documents`.',
    ),
    answerTimeoutMs: setting('RESPONSE_TIMEOUT_MS', duration(), '30s').about(
      'Time limit for a client to begin to read the response. It must read a longer response at 16 KB/s.',
    ),
    maxSlowBodies: setting('MAX_SLOW_BODIES', whole(1), '2000').about(
      'Slow bodies of each host, in units of 64 KiB: bodies that have not arrived 2 s after their headers. Above it, the largest holder loses its oldest body.',
    ),
    maxSlowBodiesPerAddress: setting('MAX_SLOW_BODIES_PER_ADDRESS', whole(1), '32').about(
      'Slow bodies of one address without the token of an approved account; twice as many for an IPv6 /56, four times as many for a /48. Above it: 503.',
    ),
    maxConnections: setting('MAX_CONNECTIONS', whole(1), '10000').about(
      'Connections of each host. Above it, the address with the most connections loses its oldest.',
    ),
  },
};

export const webhooks = {
  webhooks: {
    allowPrivate: setting('ALLOW_PRIVATE_WEBHOOKS', flag, 'false').about(
      'Allows receivers in private networks and plain http. Only for the demo and tests.',
    ),
    retries: setting('WEBHOOK_RETRIES', whole(1), '21').about(
      'Retries of a delivery. The default lasts about 48 hours.',
    ),
    delayS: setting('WEBHOOK_RETRY_DELAY_S', duration({ as: 's', from: '1s' }), '10s').about(
      'Pause before the first retry: one to two times this value. It doubles with each retry.',
    ),
    delayMaxS: setting('WEBHOOK_RETRY_DELAY_MAX_S', duration({ as: 's', from: '1s' }), '4h').about(
      'Longest pause between two retries.',
    ),
    sourceAddresses: setting('WEBHOOK_SOURCE_ADDRESSES', networks, '').about(
      'Public addresses and networks that webhooks are sent from, published at `/webhook-addresses.json` and in the guide.',
    ),
    disableAfterMs: setting('WEBHOOK_DISABLE_AFTER', duration({ to: '365d' }), '72h').about(
      'Time without a successful delivery after which an endpoint is disabled and its developer gets an email.',
    ),
  },
};

export const mails = {
  mail: {
    smtpUrl: setting('SMTP_URL', smtpUrl, '').about(
      '`smtps://user:password@host`, or `smtp://…` with STARTTLS unless local. Without it, emails are files in `MAILBOX_DIR`.',
    ),
    mailboxDir: setting('MAILBOX_DIR', text, (of) => `${of('DATA_DIR')}/mailbox`).about(
      'Directory for emails without SMTP.',
    ),
    from: setting('EMAIL_FROM', mailFrom, 'Recharge Gateway <no-reply@localhost>').about('Sender of all emails.'),
  },
};
