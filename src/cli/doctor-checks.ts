import { setTimeout as sleep } from 'node:timers/promises';
import pg, { type Pool } from 'pg';
import { AuditKeys } from '../audit/audit-keys.js';
import { TWO_PEOPLE } from '../config/order.settings.js';
import type { Config } from '../config.js';
import { isLoopback } from '../core/addresses.js';
import { indianDay } from '../core/clock.js';
import { FieldEncryption } from '../core/field-encryption.js';
import { createLogger } from '../core/log.js';
import { clockOffsetMs, clockText, isClockRight } from '../db/clock-watch.js';
import { connectionBudget } from '../db/connection-budget.js';
import { replicaAt } from '../db/database.js';
import { partitionFigures } from '../db/partitions.js';
import { createPool, type PoolOptions, type Queryable } from '../db/pool.js';
import { outdatedRepeatables } from '../db/repeatables.js';
import { type AppliedMigration, misfit } from '../db/schema-fit.js';
import { compareSecrets } from '../db/secret-fingerprints.js';
import { compareSettings } from '../db/shared-settings.js';
import { sqlFiles } from '../db/sql-files.js';
import { OWNS_TABLES, requireServer, weakDurability, weakDurabilityText } from '../db/start-checks.js';
import type { Violation } from '../ledger/books-check.js';
import { LedgerService } from '../ledger/ledger.service.js';
import { knownCorrections } from '../ledger/wallet-difference.js';
import { orderFigures, stuckOrders } from '../orders/order-figures.js';
import { checkAuditLogChain, checkAuditTable, checkRowsExplained } from './doctor-audit.js';
import { encryptedTables } from './encrypted-tables.js';
import { type Finding, firstLines, MAX_DETAILS } from './finding.js';

export interface DoctorOptions {
  config: Config;
  /** Time after which an overdue order is stuck. A pending order is stuck this long after its manual review should have begun. */
  stuckAfterMs: number;
  /** Age at which an order in manual review is reported. */
  reviewLimitMs: number;
  /** Files with audit log anchors. Defaults to AUDIT_ANCHOR_FILE. */
  anchorFiles?: readonly string[];
  /** Checks the whole ledger, not only the entries since the last check without a violation. */
  full?: boolean;
  /** Set if a full ledger check starts afterward, so that the age of the last one is not reported. */
  fullFollows?: boolean;
  /** Base image of the running container image; undefined outside a container. */
  baseImage?: string | undefined;
}

/** Age up to which credits are compared. */
const CREDIT_DAYS = 90;
/** Time limit for a standby to replay a change. */
const ARRIVAL_S = 5;
/** Number of encrypted values that are checked per column. */
const SAMPLE = 1_000;
/** Maximum age of the last full ledger check, which runs once a week and usually takes hours. */
const FULL_CHECK_S = 9 * 86_400;
/** Limit for the estimated end of a running check. The check of a large ledger takes days. */
const LONG_FULL_CHECK_S = 16 * 86_400;

export const duration = (seconds: number): string => {
  if (seconds < 120) return `${Math.round(seconds)} s`;
  if (seconds < 7_200) return `${Math.round(seconds / 60)} min`;
  return seconds < 172_800 ? `${Math.round(seconds / 3_600)} h` : `${Math.round(seconds / 86_400)} d`;
};

/**
 * Runs every check of a database, one by one. If a check throws, its error message is reported as a problem. The only change to
 * the database is the position up to which the ledger is verified.
 */
export async function examine(
  {
    config,
    stuckAfterMs,
    reviewLimitMs,
    anchorFiles = [],
    full = false,
    fullFollows = false,
    baseImage,
  }: DoctorOptions,
  report: (name: string, finding: Finding) => void,
): Promise<void> {
  const poolOptions = { max: 2, withStartupOptions: config.startupOptions };
  const { workers } = config.ledgerCheck;
  const pool = createPool(config.databaseUrl, { ...poolOptions, max: Math.max(workers, poolOptions.max) });
  const { databaseReplicaUrl: replicaUrl } = config;
  const checks: Record<string, () => Promise<Finding>> = {
    database: () => checkConnection(pool),
    durability: () => checkDurability(pool, config.allowWeakDurability),
    connections: () => checkConnectionBudget(pool),
    encryption: async () => checkTransportEncryption(config),
    ...(replicaUrl === undefined ? {} : { replica: () => checkReplica(pool, replicaUrl, poolOptions) }),
    clock: () => checkClock(pool),
    migrations: () => checkMigrations(pool),
    secrets: () => checkSharedSecrets(pool, config),
    'shared settings': () => checkSharedSettings(pool, config),
    'encryption keys': () => checkEncryptionKeys(pool, new FieldEncryption(config.encryptionKeys)),
    ledger: () => checkLedger(pool, full, workers),
    ...(full ? {} : { 'full check': () => checkFullCheckAge(new LedgerService(pool), fullFollows) }),
    partitions: () => checkPartitions(pool),
    orders: () => checkPendingOrders(pool, stuckAfterMs, config.manualReviewAfterMs),
    review: () => checkReview(pool, reviewLimitMs),
    credits: () => checkCredits(pool),
    'audit log': () =>
      checkAuditLogChain(pool, new AuditKeys(config.audit.keys), {
        ownFile: config.audit.anchorFile,
        named: anchorFiles,
      }),
    'audit table': () => checkAuditTable(pool),
    explained: () => checkRowsExplained(pool, new AuditKeys(config.audit.keys)),
    'two people': () => checkTwoPeople(pool, config.twoPeople.of),
    ...(baseImage === undefined ? {} : { image: async () => checkImage(baseImage) }),
  };
  try {
    for (const [name, check] of Object.entries(checks)) {
      const finding = await Promise.resolve()
        .then(check)
        .catch((error: Error): Finding => ({ ok: false, summary: error.message }));
      report(name, finding);
      if (name === 'database' && !finding.ok) return;
    }
  } finally {
    await pool.end();
  }
}

const SESSION = `
  select current_setting('server_version') as version, current_user as role, session_user as login, pg_is_in_recovery() as standby,
    ${OWNS_TABLES} as "isOwner"`;

/**
 * Checks the login of the service. A login with the owner's rights can leave the application's role, and then nothing protects
 * the ledger.
 */
async function checkConnection(db: Queryable): Promise<Finding> {
  const startedAt = performance.now();
  const { rows } = await db.query<{
    version: string;
    role: string;
    login: string;
    standby: boolean;
    isOwner: boolean | null;
  }>({
    text: SESSION,
  });
  const { version, role, login, standby, isOwner } = rows[0]!;
  const elapsedMs = Math.round(performance.now() - startedAt);
  await requireServer(db);
  const rights = isOwner
    ? 'which owns the tables: use a login for the service that is only a member of that role'
    : 'which does not own the tables';
  const summary = `PostgreSQL ${version} responds in ${elapsedMs} ms`;
  const details = [`as ${role}, signed in as ${login}, ${rights}`];
  return standby
    ? { ok: false, summary: `${summary}, but is a standby and rejects writes`, details }
    : { ok: true, summary, details };
}

/**
 * Checks that the server is durable. ALLOW_WEAK_DURABILITY is a failure here even if the server is durable, because it hides a
 * later change.
 */
async function checkDurability(db: Queryable, allowsWeak: boolean): Promise<Finding> {
  const names = await weakDurability(db);
  const allowed = allowsWeak ? ['ALLOW_WEAK_DURABILITY is set: remove it'] : [];
  if (names.length > 0)
    return {
      ok: false,
      summary: `${weakDurabilityText(names)}: a crash can lose orders that were sent`,
      details: allowed,
    };
  if (allowsWeak) return { ok: false, summary: allowed[0]! };
  return { ok: true, summary: 'committed orders survive a crash of the server' };
}

/** Compares the secrets of the settings with the fingerprints that are registered in the database. */
async function checkSharedSecrets(db: Queryable, config: Config): Promise<Finding> {
  const { known, differences } = await compareSecrets(db, config);
  if (differences.length > 0)
    return {
      ok: false,
      summary: 'the secrets differ from the registered ones',
      details: differences.map(({ sentence }) => sentence),
    };
  if (known === 0) return { ok: true, summary: 'no process has registered secrets yet' };
  return { ok: true, summary: 'the secrets match the registered ones' };
}

/** Compares the settings that all running processes must share. */
async function checkSharedSettings(db: Queryable, config: Config): Promise<Finding> {
  const { processes, differences } = await compareSettings(db, config);
  if (differences.length === 0)
    return {
      ok: true,
      summary: processes === 0 ? 'no process is running' : `identical in all running processes (${processes})`,
    };
  const names = differences.map(({ name }) => name).join(', ');
  return {
    ok: false,
    summary: `the running processes have different values of ${names}: set the same value for all and restart them`,
    details: differences.map(
      ({ name, same, others }) => `${name}: ${same} with the value of this command, ${others} with another`,
    ),
  };
}

/** Checks whether a single administrator can make changes that otherwise require two. */
async function checkTwoPeople(db: Queryable, named: ReadonlySet<string>): Promise<Finding> {
  const { rows } = await db.query<{ admins: number; hadTwo: boolean }>({
    text: `select count(*)::int as admins, exists (select from setting where name = 'two_admins_since') as "hadTwo"
      from app_user where role = 'admin' and disabled_at is null`,
  });
  const { admins, hadTwo } = rows[0]!;
  const unprotected = TWO_PEOPLE.filter((word) => !named.has(word));
  if (unprotected.length === 0) return { ok: true, summary: 'changes of access require two administrators' };
  // once there were two administrators, the remaining one must not act without a second
  if (hadTwo)
    return { ok: false, summary: `set TWO_PEOPLE=all: a single administrator can change ${unprotected.join(', ')}` };
  if (admins < 2) return { ok: true, summary: `active administrators: ${admins}; no change can require two` };
  const summary = `TWO_PEOPLE does not include ${unprotected.join(', ')}: each of ${admins} administrators can change them without approval`;
  return { ok: true, warning: true, summary };
}

/** Checks whether the image was built from a digest. A tag can refer to another image later. */
function checkImage(baseImage: string): Finding {
  if (/@sha256:[0-9a-f]{64}$/.test(baseImage)) return { ok: true, summary: 'the base image is pinned by its digest' };
  const summary = `images not pinned: the base image is ${baseImage}; run "npm run pin-images" and build again`;
  return { ok: true, warning: true, summary };
}

/**
 * Checks that connections are encrypted. Unencrypted connections expose passwords, orders and counters, and let an attacker in
 * the network respond instead.
 */
function checkTransportEncryption({ databaseUrl, databaseListenUrl, databaseReplicaUrl, redisUrl }: Config): Finding {
  const databases = {
    DATABASE_URL: databaseUrl,
    DATABASE_LISTEN_URL: databaseListenUrl,
    DATABASE_REPLICA_URL: databaseReplicaUrl,
  };
  const clear = Object.entries(databases).flatMap(([variable, url]) => (url && isClearDatabase(url) ? [variable] : []));
  if (redisUrl) {
    const { protocol, hostname } = new URL(redisUrl.reveal());
    if (protocol === 'redis:' && !isLoopback(hostname)) clear.push('REDIS_URL');
  }
  if (clear.length === 0)
    return { ok: true, summary: 'connections to the database and Redis on other machines are encrypted' };
  const summary = `connections to other machines without TLS: ${clear.join(', ')}; use sslmode=verify-full or rediss://`;
  return { ok: true, warning: true, summary };
}

/** Returns whether connections are unencrypted, as the driver reads the URL and the environment (PGSSLMODE). */
function isClearDatabase(url: string): boolean {
  const { host, ssl } = new pg.Client({ connectionString: url });
  return !ssl && !host.startsWith('/') && !isLoopback(host);
}

/**
 * Checks the connection limit. If the server allows too few connections, calls fail under load, when pools grow to their
 * maximum.
 */
async function checkConnectionBudget(db: Queryable): Promise<Finding> {
  const { available, claimed, processes } = await connectionBudget(db);
  const summary = `${processes} processes use at most ${claimed} of ${available}`;
  if (claimed <= available) return { ok: true, summary };
  return { ok: false, summary: `${summary}: lower DATABASE_POOL_SIZE, or raise max_connections` };
}

/** Checks that the replica receives changes. A busy primary is always slightly ahead, so the standby gets a few seconds. */
async function checkReplica(primary: Pool, url: string, options: PoolOptions): Promise<Finding> {
  const replica = replicaAt(url, primary, options, createLogger('silent'));
  for (let round = 0; round < ARRIVAL_S && !replica.isInUse; round++) {
    if (round > 0) await sleep(1_000);
    await replica.measure();
  }
  await replica.stop();
  return { ok: replica.isInUse, summary: replica.complaint ?? 'up to date and in use' };
}

/** Checks the clock. Processes whose clock is wrong check no order status; see ClockWatch. */
async function checkClock(db: Queryable): Promise<Finding> {
  const offsetMs = await clockOffsetMs(db);
  if (isClockRight(offsetMs)) return { ok: true, summary: 'the clock matches the database clock' };
  return { ok: false, summary: `${clockText(offsetMs)}: check NTP on both machines` };
}

async function checkMigrations(db: Queryable): Promise<Finding> {
  const { rows } = await db.query<AppliedMigration>({
    text: 'select m.name, f.needs from schema_migration m left join schema_fingerprint f using (name) order by m.name',
  });
  const applied = new Set(rows.map(({ name }) => name));
  const { migrations, repeatables } = sqlFiles;
  const missing = migrations.map(({ name }) => name).filter((name) => !applied.delete(name));
  if (missing.length === 0 && applied.size > 0) {
    const reason = misfit(rows, migrations);
    const newer = { ok: true, summary: 'the database is newer than this program, but compatible with it' };
    return { ...(reason === undefined ? newer : { ok: false, summary: reason }), details: [...applied] };
  }
  missing.push(...(await outdatedRepeatables(db, repeatables)).map(({ name }) => name));
  if (missing.length > 0)
    return { ok: false, summary: `${missing.length} not applied: run "gateway migrate"`, details: missing };
  return { ok: true, summary: `all ${migrations.length + repeatables.length} applied` };
}

/**
 * Checks that all encryption keys are configured. A key that was removed too early is found in the oldest rows, which an
 * unordered read returns first.
 */
async function checkEncryptionKeys(db: Queryable, encryption: FieldEncryption): Promise<Finding> {
  const missing = new Set<string>();
  for (const { table, columns } of encryptedTables) {
    for (const column of columns) {
      const { rows } = await db.query<{ head: Buffer }>({
        // the format is: version, length of the key ID, key ID
        text: `select distinct substring(v.value for 2 + get_byte(v.value, 1)) as head from (
          select ${column} as value from ${table} where ${column} is not null limit ${SAMPLE}) v`,
      });
      for (const { head } of rows)
        if (!encryption.knows(encryption.keyIdOf(head)))
          missing.add(`${table}.${column}: key "${encryption.keyIdOf(head)}"`);
    }
  }
  if (missing.size === 0) return { ok: true, summary: 'all checked values have their keys' };
  return { ok: false, summary: 'values cannot be decrypted: add their keys to ENCRYPTION_KEYS', details: [...missing] };
}

async function checkLedger(db: Pool, full: boolean, workers: number): Promise<Finding> {
  const ledger = new LedgerService(db);
  const violations = full ? await ledger.check(undefined, workers) : await ledger.checkNew();
  const known = (await knownCorrections(db)).map(
    ({ developerId, environment, approvalRequestId, firstVersion, entries, at }) =>
      `known: developer ${developerId}, ${environment}: ${entries} entries with a wrong balance from version ${firstVersion} on, corrected ${indianDay(at)} (apr_${approvalRequestId})`,
  );
  if (violations.length === 0)
    return {
      ok: true,
      summary: full ? 'no violation' : 'no violation since the last check',
      ...(known.length > 0 && { details: firstLines(known) }),
    };
  return {
    ok: false,
    summary: `violations: ${violations.length}`,
    details: [...linesOf(violations), ...firstLines(known)],
  };
}

const linesOf = (violations: Violation[]): string[] =>
  firstLines(
    violations.map(({ rule, developerId, detail }) =>
      developerId === null ? `${rule}: ${detail}` : `${rule}, developer ${developerId}: ${detail}`,
    ),
  );

/** Checks the age of the weekly full ledger check of the service. */
async function checkFullCheckAge(ledger: LedgerService, fullFollows: boolean): Promise<Finding> {
  const { completedAtS, endsAtS, violations } = await ledger.lastFullCheck();
  const ageS = Math.max(Date.now() / 1_000 - completedAtS, 0);
  const summary = `the last full ledger check ended ${duration(ageS)} ago`;
  if (violations.length > 0)
    return { ok: false, summary: `${summary}; violations: ${violations.length}`, details: linesOf(violations) };
  if (ageS <= FULL_CHECK_S || fullFollows) return { ok: true, summary };
  if (endsAtS !== null) {
    const underWay = `${summary}; the current one ends in ${duration(Math.max(endsAtS - Date.now() / 1_000, 0))}`;
    if (endsAtS - completedAtS <= LONG_FULL_CHECK_S) return { ok: true, summary: underWay };
    return { ok: false, summary: `${underWay}: raise LEDGER_CHECK_SHARE or LEDGER_CHECK_WORKERS` };
  }
  return { ok: false, summary: `${summary}: start a process with the worker housekeeping` };
}

/**
 * Checks the partitions. Without a partition for their month, orders are stored in the default partition, which cannot be
 * archived or read fast.
 */
async function checkPartitions(db: Queryable): Promise<Finding> {
  const { months, nextMissing, caught } = await partitionFigures(db);
  if (nextMissing)
    return {
      ok: false,
      summary: 'the partitions of next month are missing: start a process with the worker housekeeping',
    };
  const summary = `${months.length} months, up to ${months[0]?.replace('_', '-')}`;
  return { ok: true, summary: caught > 0 ? `${summary}; rows of other months are in the default partitions` : summary };
}

async function checkPendingOrders(db: Queryable, stuckAfterMs: number, manualReviewAfterMs: number): Promise<Finding> {
  const { open, oldestOpenS } = await orderFigures(db);
  const { total, orders } = await stuckOrders(
    db,
    { overdueMs: stuckAfterMs, ageMs: manualReviewAfterMs + stuckAfterMs },
    MAX_DETAILS,
  );
  const waiting = open === 0 ? 'no open order' : `${open} open, the oldest for ${duration(oldestOpenS)}`;
  if (total === 0) return { ok: true, summary: waiting };
  const lines = orders.map(
    ({ reference, developerId, provider, overdueS, ageS }) =>
      `${reference} of developer ${developerId} at ${provider}: ${overdueS * 1_000 > stuckAfterMs ? `due for ${duration(overdueS)}` : `pending for ${duration(ageS)}`}`,
  );
  return {
    ok: false,
    summary: `${waiting}; ${total} stuck: check that a process with a sweeper runs, and its log for failed status checks`,
    details: firstLines(lines, total),
  };
}

async function checkReview(db: Queryable, reviewLimitMs: number): Promise<Finding> {
  const { review, oldestReviewS, conflicting } = await orderFigures(db);
  const waiting =
    review === 0 ? 'no order needs review' : `${review} in review, the oldest for ${duration(oldestReviewS)}`;
  if (conflicting > 0)
    return { ok: false, summary: `${waiting}; final orders with a conflicting provider status: ${conflicting}` };
  return { ok: oldestReviewS * 1_000 <= reviewLimitMs, summary: waiting };
}

/**
 * Finds Production credits with the same reference in several wallets: one bank transfer may have been credited more than once.
 * If all of them have a UTR, they are excluded, because the UTRs differ or two people approved the second credit.
 */
async function checkCredits(db: Queryable): Promise<Finding> {
  const { rows } = await db.query<{ reference: string; credits: string[] }>({
    text: `with credit as (
        select a.at, a.subject, a.amount_paise, a.after ->> 'reference' as reference, a.after ->> 'utr' as utr,
          reference_key(a.after ->> 'reference') as key
        from audit_entry a where a.posting_id > uuidv7(interval '-${CREDIT_DAYS + 1} days') and a.at > now() - interval '${CREDIT_DAYS} days'
          and a.action = 'wallet.credit' and a.subject like '%/production')
      select min(reference) as reference,
        array_agg(format('%s: %s rupees, %s', split_part(subject, '/', 1), round(amount_paise / 100.0, 2),
          to_char(at at time zone 'Asia/Kolkata', 'YYYY-MM-DD HH24:MI')) order by at) as credits
      from credit group by key having count(distinct subject) > 1 and bool_or(utr is null) order by max(at) desc`,
  });
  if (rows.length === 0)
    return { ok: true, summary: `no reference was credited to several wallets in ${CREDIT_DAYS} days` };
  return {
    ok: true,
    warning: true,
    summary: `${rows.length} references were credited to several Production wallets in ${CREDIT_DAYS} days`,
    details: firstLines(rows.map(({ reference, credits }) => `${reference}: ${credits.join('; ')}`)),
  };
}
