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
      'Where clients reach the UAT host; its documents say so.',
    ),
    production: setting('PUBLIC_URL_PRODUCTION', url, (of) => `http://${of('HOST')}:${of('PRODUCTION_PORT')}`).about(
      'Where clients reach the production host; its documents say so.',
    ),
    console: setting('PUBLIC_URL_CONSOLE', url, (of) => `http://${nameOf(of('HOST'))}:${of('CONSOLE_PORT')}`).about(
      'Where people reach the console; mailed links begin with it, and passkeys belong to its host name.',
    ),
  },
  allowClearText: setting('ALLOW_CLEAR_TEXT', flag, 'false').about(
    'Let `serve` start with `http` in `PUBLIC_URL_…` and `PROVIDER_…_URL` of other machines: passwords, keys and numbers ' +
      'can be read on the way. For trials.',
  ),
  ops: {
    host: setting('OPS_HOST', text, '127.0.0.1').about('Address of the listener for health and metrics.'),
    port: setting('OPS_PORT', portOrNone, (of) => (['true', '1'].includes(of('HEALTH_ON_HOSTS')) ? '' : '4004')).about(
      'Port of the listener for health and metrics. Not set with `HEALTH_ON_HOSTS`, there is no such listener.',
    ),
    onHosts: setting('HEALTH_ON_HOSTS', flag, 'false').about(
      'Readiness, version and metrics on the three hosts too. For the demo and tests: strangers can read them there.',
    ),
  },
  shutdownDelayMs: setting('SHUTDOWN_DELAY_MS', duration({ from: '0ms', to: '10m' }), '5s').about(
    'How long a process that is told to stop goes on serving while `/readyz` says 503: longer than balancers take to notice.',
  ),
  trustProxy: setting('TRUST_PROXY', trustedProxies, '').about(
    'Proxies in front, such as `1`, `10.0.0.0/8,192.0.2.7` or `loopback`. Without it clients have the address of the proxy.',
  ),
  uatOrigins: setting('CORS_ORIGINS_UAT', originsOrLoopback, '').about(
    'Origins whose pages can call the UAT host from a browser, separated by commas. Pages of the console always can. ' +
      '`loopback` is every port of `localhost`, `127.0.0.1` and `[::1]`; `npm start` sets it.',
  ),
  productionOrigins: setting('CORS_ORIGINS_PRODUCTION', origins, '').about(
    'Origins whose pages can call the production host from a browser, separated by commas. A token there can spend ' +
      'the wallet. `loopback` is not accepted.',
  ),
  securityReports: {
    contacts: setting('SECURITY_CONTACT', contacts, '').about(
      'Where researchers report a flaw, such as `mailto:security@shop.example`, separated by commas, the preferred one ' +
        'first. The hosts say it at `/.well-known/security.txt`; without it they have no such text.',
    ),
    policyUrl: setting('SECURITY_POLICY_URL', urlOrNone, '').about(
      'Page with the rules for such reports; `SECURITY.md` is a draft of it.',
    ),
  },
  logLevel: setting('LOG_LEVEL', oneOf('trace', 'debug', 'info', 'warn', 'error', 'silent'), 'info').about(
    'The least important lines that are logged.',
  ),
  dataDir: setting('DATA_DIR', text, '.data').about('Directory for the anchor file and for emails without SMTP.'),
};

export const database = {
  databaseUrl: required('DATABASE_URL', databaseUrl).about(
    'The database, PostgreSQL 15 to 18. `serve` needs a login that is a member of `gateway_app`, and no more.',
  ),
  databaseListenUrl: setting('DATABASE_LISTEN_URL', databaseUrl, (of) => of('DATABASE_URL')).about(
    'The same database without a pooler between: one connection that hears of decided orders (LISTEN).',
  ),
  startupOptions: setting('DATABASE_STARTUP_OPTIONS', flag, 'true').about(
    'Ask for the role and the limits when a connection starts. `false` behind a pooler in transaction mode, which refuses ' +
      'that: the login has to have them, and `DATABASE_LISTEN_URL` has to lead past the pooler.',
  ),
  databaseReplicaUrl: setting('DATABASE_REPLICA_URL', databaseUrlOrNone, '').about(
    'A standby that follows by streaming. Statements, files and lists are read there while it is less than 30 s behind, ' +
      'over as many connections again.',
  ),
  allowWeakDurability: setting('ALLOW_WEAK_DURABILITY', flag, 'false').about(
    'Allows a database on this machine that runs with `fsync`, `full_page_writes` or `synchronous_commit` off, which can ' +
      'lose orders that were sent to a provider. Only for automated tests; `gateway doctor` fails.',
  ),
  databasePoolSize: setting('DATABASE_POOL_SIZE', whole(1), '20').about('Connections of one process.'),
  consolePoolSize: setting('CONSOLE_POOL_SIZE', whole(1), '4').about(
    'Connections of one process besides, for what people read on the console: it cannot take those of money calls.',
  ),
  sharedLimits: setting('SHARED_LIMITS', oneOf('memory', 'database'), 'database').about(
    'Where rates and failed attempts are counted: `memory` is right for a single process only.',
  ),
  redisUrl: setting('REDIS_URL', redisUrl, '').about(
    'A Redis or Valkey that counts them instead, such as `rediss://:password@host:6379`. While it does not answer the ' +
      'database counts; nothing is refused because of it.',
  ),
};

export const secrets = {
  encryptionKeys: required('ENCRYPTION_KEYS', namedKeys).about(
    'What is stored encrypted: the first key encrypts, all decrypt. `gateway rotate-keys` moves everything to the first.',
  ),
  pepper: required('SECRET_PEPPER', secret).about(
    'Source of the keys that passwords, API secrets, sessions, tokens and second factors are checked with, and that orders ' +
      'are searched by. Never change it.',
  ),
  referenceSecret: required('REFERENCE_SECRET', secret).about(
    'What references and hashed keys follow from. Never change it: a key whose order was lost in a restore comes to its ' +
      'provider under the old reference only with the old secret.',
  ),
};

export const auditLog = {
  audit: {
    keys: required('AUDIT_KEYS', namedKeys).about(
      'Sign the audit log: the first signs, all verify. Keep older ones while their entries are to be verified.',
    ),
    anchorFile: setting('AUDIT_ANCHOR_FILE', text, (of) => `${of('DATA_DIR')}/audit-anchors.jsonl`).about(
      'What the audit log is compared with: outside the database, and best on another machine.',
    ),
    anchorIntervalMs: setting('AUDIT_ANCHOR_INTERVAL_MS', duration({ from: '1s', to: '24h' }), '5m').about(
      'How often the end of the audit log is anchored. What came after the last anchor can be cut off unseen.',
    ),
  },
};

export const accounts = {
  tokens: {
    tokenIdleDays: setting('TOKEN_IDLE_DAYS', duration({ as: 'd', from: '1d', to: '3650d' }), '30d').about(
      'A token ends when it is not used for so long.',
    ),
    tokenMaxDays: setting('TOKEN_MAX_DAYS', duration({ as: 'd', from: '1d', to: '3650d' }), '365d').about(
      'A token ends so long after its exchange although it is used.',
    ),
    tokensPerCredential: setting('TOKENS_PER_CREDENTIAL', whole(1), '100').about(
      'Live tokens of one client id. One more ends the one that was not used for longest; while all are in use, up to ten times as many live.',
    ),
  },
  secondFactor: {
    staff: setting('STAFF_SECOND_FACTOR', oneOf('required', 'optional'), 'required').about(
      'Whether the operator’s own people need a second factor. `required`: who has none can do nothing but add one.',
    ),
    owners: setting('OWNER_SECOND_FACTOR', oneOf('required', 'optional'), 'optional').about(
      'The same for owners of accounts with live access.',
    ),
  },
  kycKept: {
    afterClosingDays: setting('KYC_AFTER_CLOSING_DAYS', duration({ as: 'd', from: '1d', to: '3650d' }), '1826d').about(
      'What an approved account handed in of KYC, and notes about it, are erased so long after it was closed. The law against ' +
        'money laundering wants five years.',
    ),
    afterRejectionDays: setting(
      'KYC_AFTER_REJECTION_DAYS',
      duration({ as: 'd', from: '1d', to: '3650d' }),
      '180d',
    ).about('The same of an account that was never approved, so long after it was rejected or closed.'),
  },
  staffIdleMinutes: setting('STAFF_IDLE_MINUTES', duration({ as: 'm', from: '1m' }), '30m').about(
    'Admins and support are signed out when they do nothing for so long.',
  ),
};

export const traffic = {
  rateLimitPerMinute: setting('RATE_LIMIT_PER_MINUTE', whole(1), '60').about(
    'Requests of one caller to one endpoint in a minute, where the developer has no limit of their own. As many ' +
      'questions about the schema, and twice as many invalid documents, per caller.',
  ),
  graphqlJit: setting('GRAPHQL_JIT', flag, 'true').about(
    '`false`: GraphQL documents are interpreted and never compiled. Slower, and the answers are the same.',
  ),
  maxInFlight: setting('MAX_IN_FLIGHT', whole(1), '2000').about(
    'Requests that one host works on at once, and charged calls of one process. Above it the answer is 503.',
  ),
  traffic: {
    requestTimeoutMs: setting('REQUEST_TIMEOUT_MS', duration(), '15s').about(
      'What a client may take for the headers, and again for the body. Then the answer is 408.',
    ),
    uploadTimeoutMs: setting('UPLOAD_TIMEOUT_MS', duration(), '5m').about(
      'The same for the body of `POST /kyc/documents`, which is a file.',
    ),
    answerTimeoutMs: setting('RESPONSE_TIMEOUT_MS', duration(), '30s').about(
      'What a client may take to begin to read its answer. A longer answer has to be read at 16 KB/s.',
    ),
    maxSlowBodies: setting('MAX_SLOW_BODIES', whole(1), '2000').about(
      'Slow bodies of each host, one for each 64 KiB begun: those that have not arrived 2 s after their headers. Beyond it ' +
        'the caller who holds most loses the oldest.',
    ),
    maxSlowBodiesPerAddress: setting('MAX_SLOW_BODIES_PER_ADDRESS', whole(1), '32').about(
      'Slow bodies of one address without the token of an approved account; twice as many of an IPv6 network of 56 bits, ' +
        'four times as many of one of 48. Above it the answer is 503.',
    ),
    maxConnections: setting('MAX_CONNECTIONS', whole(1), '10000').about(
      'Connections of each host. Beyond it the address that holds most loses its oldest.',
    ),
  },
};

export const webhooks = {
  webhooks: {
    allowPrivate: setting('ALLOW_PRIVATE_WEBHOOKS', flag, 'false').about(
      'Receivers in private networks and plain http. For the demo and tests only.',
    ),
    retries: setting('WEBHOOK_RETRIES', whole(1), '21').about('With the pauses below they last about 48 hours.'),
    delayS: setting('WEBHOOK_RETRY_DELAY_S', duration({ as: 's', from: '1s' }), '10s').about(
      'Pause before the first retry: one to two times this. It doubles each time.',
    ),
    delayMaxS: setting('WEBHOOK_RETRY_DELAY_MAX_S', duration({ as: 's', from: '1s' }), '4h').about(
      'The longest pause between two retries.',
    ),
    sourceAddresses: setting('WEBHOOK_SOURCE_ADDRESSES', networks, '').about(
      'The public addresses and networks that webhooks are sent from. Published at `/webhook-addresses.json` and in the guide, ' +
        'for the firewalls of receivers.',
    ),
    disableAfterMs: setting('WEBHOOK_DISABLE_AFTER', duration({ to: '365d' }), '72h').about(
      'An endpoint that nothing could be delivered to for so long is switched off, and its developer told by email.',
    ),
  },
};

export const mails = {
  mail: {
    smtpUrl: setting('SMTP_URL', smtpUrl, '').about(
      '`smtps://user:password@host`, or `smtp://…`, which must offer STARTTLS unless it is on this machine. Without it ' +
        'emails are files in `MAILBOX_DIR`.',
    ),
    mailboxDir: setting('MAILBOX_DIR', text, (of) => `${of('DATA_DIR')}/mailbox`).about('For emails without SMTP.'),
    from: setting('EMAIL_FROM', mailFrom, 'Recharge Gateway <no-reply@localhost>').about('Sender of all emails.'),
  },
};
