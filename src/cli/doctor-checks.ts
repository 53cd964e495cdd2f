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
import { auditLogSound, explained, onlyAdded } from './doctor-audit.js';
import { encryptedTables } from './encrypted-tables.js';
import { type Finding, SHOWN, some } from './finding.js';

export interface DoctorOptions {
  config: Config;
  /** An order that is due for longer is stuck, and so is one that is pending for longer than the time after which manual review begins. */
  stuckAfterMs: number;
  /** A person should have decided by then. */
  reviewLimitMs: number;
  /** Where the anchors of the audit log are; the settings' own file when none is named. */
  anchorFiles?: readonly string[];
  /** Reads all the books, not only what was posted since they were found right. */
  full?: boolean;
  /** The check of all the books begins after this: how long ago the last one ended is no problem. */
  fullFollows?: boolean;
  /** Base image of the image that this program is in; undefined outside an image. */
  baseImage?: string | undefined;
}

/** Age up to which credits are compared. */
const CREDIT_DAYS = 90;
/** What a standby may take to have what is written. */
const ARRIVAL_S = 5;
/** Encrypted values that are looked at per column. */
const SAMPLE = 1_000;
/** All the books are checked once a week, and a run of usual books takes hours. */
const FULL_CHECK_S = 9 * 86_400;
/** Limit for the estimated end of a check that is running: a check of large books takes days. */
const LONG_FULL_CHECK_S = 16 * 86_400;

export const duration = (seconds: number): string => {
  if (seconds < 120) return `${Math.round(seconds)} s`;
  if (seconds < 7_200) return `${Math.round(seconds / 60)} min`;
  return seconds < 172_800 ? `${Math.round(seconds / 3_600)} h` : `${Math.round(seconds / 86_400)} d`;
};

/**
 * Runs every check of a database, one after the other; a check that fails is a problem of its own, with the
 * database's words. Changes nothing but how far the books are known to be right.
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
    database: () => reachable(pool),
    durability: () => durable(pool, config.allowWeakDurability),
    connections: () => fitting(pool),
    encryption: async () => encrypted(config),
    ...(replicaUrl === undefined ? {} : { replica: () => follows(pool, replicaUrl, poolOptions) }),
    clock: () => inTime(pool),
    migrations: () => migrated(pool),
    secrets: () => sharedSecrets(pool, config),
    'shared settings': () => sharedSettings(pool, config),
    'encryption keys': () => readable(pool, new FieldEncryption(config.encryptionKeys)),
    ledger: () => balanced(pool, full, workers),
    ...(full ? {} : { 'full check': () => checkedWhole(new LedgerService(pool), fullFollows) }),
    partitions: () => madeAhead(pool),
    orders: () => pendingOrders(pool, stuckAfterMs, config.manualReviewAfterMs),
    review: () => reviewed(pool, reviewLimitMs),
    credits: () => creditedTwice(pool),
    'audit log': () =>
      auditLogSound(pool, new AuditKeys(config.audit.keys), { own: config.audit.anchorFile, named: anchorFiles }),
    'audit table': () => onlyAdded(pool),
    explained: () => explained(pool, new AuditKeys(config.audit.keys)),
    'two people': () => takesTwo(pool, config.twoPeople.of),
    ...(baseImage === undefined ? {} : { image: async () => pinned(baseImage) }),
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

/** A login that is the owner's can leave the application's role again, and then nothing guards the books. */
async function reachable(db: Queryable): Promise<Finding> {
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
    ? 'who owns the tables: give the service a login that is only a member of that role'
    : 'who owns nothing';
  const summary = `PostgreSQL ${version} answers in ${elapsedMs} ms`;
  const details = [`as ${role}, signed in as ${login}, ${rights}`];
  return standby
    ? { ok: false, summary: `${summary}, but is a standby: nothing can be written`, details }
    : { ok: true, summary, details };
}

/** ALLOW_WEAK_DURABILITY is a failure here even if the server is durable, because it hides a later change. */
async function durable(db: Queryable, allowsWeak: boolean): Promise<Finding> {
  const names = await weakDurability(db);
  const allowed = allowsWeak ? ['ALLOW_WEAK_DURABILITY is set: remove it'] : [];
  if (names.length > 0)
    return {
      ok: false,
      summary: `${weakDurabilityText(names)}: a crash can lose orders that were sent`,
      details: allowed,
    };
  if (allowsWeak) return { ok: false, summary: allowed[0]! };
  return { ok: true, summary: 'committed orders outlive a crash of the server' };
}

/** Compares the secrets of the settings with the fingerprints of those that this database was used with. */
async function sharedSecrets(db: Queryable, config: Config): Promise<Finding> {
  const { known, differences } = await compareSecrets(db, config);
  if (differences.length > 0)
    return {
      ok: false,
      summary: 'the secrets differ from those that this database was used with',
      details: differences.map(({ sentence }) => sentence),
    };
  if (known === 0) return { ok: true, summary: 'no process has registered its secrets yet' };
  return { ok: true, summary: 'the same as those that this database was used with' };
}

/** Settings that all running processes must share. */
async function sharedSettings(db: Queryable, config: Config): Promise<Finding> {
  const { processes, differences } = await compareSettings(db, config);
  if (differences.length === 0)
    return {
      ok: true,
      summary: processes === 0 ? 'no process is running' : `equal in all running processes (${processes})`,
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

/** Whether one admin can do alone what two could be asked for. */
async function takesTwo(db: Queryable, named: ReadonlySet<string>): Promise<Finding> {
  const { rows } = await db.query<{ admins: number; hadTwo: boolean }>({
    text: `select count(*)::int as admins, exists (select from setting where name = 'two_admins_since') as "hadTwo"
      from app_user where role = 'admin' and disabled_at is null`,
  });
  const { admins, hadTwo } = rows[0]!;
  const alone = TWO_PEOPLE.filter((word) => !named.has(word));
  if (alone.length === 0) return { ok: true, summary: 'what opens access takes two admins' };
  // not a trial any more, and one who is alone now could act without the other
  if (hadTwo) return { ok: false, summary: `set TWO_PEOPLE=all: one admin alone does ${alone.join(', ')}` };
  if (admins < 2) return { ok: true, summary: `${admins} active admin: nothing can take two` };
  const summary = `TWO_PEOPLE does not name ${alone.join(', ')}: each of ${admins} admins does it alone`;
  return { ok: true, warning: true, summary };
}

/** Whether the image was built from a digest. A tag can name another image tomorrow. */
function pinned(baseImage: string): Finding {
  if (/@sha256:[0-9a-f]{64}$/.test(baseImage)) return { ok: true, summary: 'the base image is pinned by its digest' };
  const summary = `images not pinned: the base image is ${baseImage}; run "npm run pin-images" and build again`;
  return { ok: true, warning: true, summary };
}

/** Passwords of logins, orders and what is counted: whoever is between can read them, or answer instead. */
function encrypted({ databaseUrl, databaseListenUrl, databaseReplicaUrl, redisUrl }: Config): Finding {
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
    return { ok: true, summary: 'what leaves this machine for the database or Redis is encrypted' };
  const summary = `${clear.join(', ')}: another machine, without TLS (sslmode=verify-full, rediss://)`;
  return { ok: true, warning: true, summary };
}

/** As the driver understands the URL, with what it takes of the environment (PGSSLMODE). */
function isClearDatabase(url: string): boolean {
  const { host, ssl } = new pg.Client({ connectionString: url });
  return !ssl && !host.startsWith('/') && !isLoopback(host);
}

/** Where they do not fit, calls fail in the middle of a rush, when pools grow to their size. */
async function fitting(db: Queryable): Promise<Finding> {
  const { available, claimed, processes } = await connectionBudget(db);
  const summary = `${processes} processes use ${claimed} of ${available} at most`;
  if (claimed <= available) return { ok: true, summary };
  return { ok: false, summary: `${summary}: lower DATABASE_POOL_SIZE, or raise max_connections` };
}

/** Processes on a machine whose clock is wrong ask no provider about orders: see ClockWatch. */
/** A busy primary is always a moment ahead: what it has written by now has to arrive soon. */
async function follows(primary: Pool, url: string, options: PoolOptions): Promise<Finding> {
  const replica = replicaAt(url, primary, options, createLogger('silent'));
  for (let round = 0; round < ARRIVAL_S && !replica.isRead; round++) {
    if (round > 0) await sleep(1_000);
    await replica.measure();
  }
  await replica.stop();
  return { ok: replica.isRead, summary: replica.complaint ?? 'follows, and is read' };
}

async function inTime(db: Queryable): Promise<Finding> {
  const offsetMs = await clockOffsetMs(db);
  if (isClockRight(offsetMs)) return { ok: true, summary: "agrees with the database's" };
  return { ok: false, summary: `${clockText(offsetMs)}: does NTP run on both machines?` };
}

async function migrated(db: Queryable): Promise<Finding> {
  const { rows } = await db.query<AppliedMigration>({
    text: 'select m.name, f.needs from schema_migration m left join schema_fingerprint f using (name) order by m.name',
  });
  const applied = new Set(rows.map(({ name }) => name));
  const { migrations, repeatables } = sqlFiles;
  const missing = migrations.map(({ name }) => name).filter((name) => !applied.delete(name));
  if (missing.length === 0 && applied.size > 0) {
    const reason = misfit(rows, migrations);
    const newer = { ok: true, summary: 'the database is newer than this program, which may serve on it' };
    return { ...(reason === undefined ? newer : { ok: false, summary: reason }), details: [...applied] };
  }
  missing.push(...(await outdatedRepeatables(db, repeatables)).map(({ name }) => name));
  if (missing.length > 0)
    return { ok: false, summary: `${missing.length} not applied: run "gateway migrate"`, details: missing };
  return { ok: true, summary: `all ${migrations.length + repeatables.length} applied` };
}

/** A key that was removed too early shows in the oldest rows, which an unordered read finds first. */
async function readable(db: Queryable, encryption: FieldEncryption): Promise<Finding> {
  const missing = new Set<string>();
  for (const { table, columns } of encryptedTables) {
    for (const column of columns) {
      const { rows } = await db.query<{ head: Buffer }>({
        // version, length of the key's id, the id
        text: `select distinct substring(v.value for 2 + get_byte(v.value, 1)) as head from (
          select ${column} as value from ${table} where ${column} is not null limit ${SAMPLE}) v`,
      });
      for (const { head } of rows)
        if (!encryption.knows(encryption.keyIdOf(head)))
          missing.add(`${table}.${column}: key "${encryption.keyIdOf(head)}"`);
    }
  }
  if (missing.size === 0) return { ok: true, summary: 'every value that was looked at has its key' };
  return { ok: false, summary: 'values cannot be decrypted: ENCRYPTION_KEYS lacks their keys', details: [...missing] };
}

async function balanced(db: Pool, full: boolean, workers: number): Promise<Finding> {
  const ledger = new LedgerService(db);
  const violations = full ? await ledger.check(undefined, workers) : await ledger.checkNew();
  const known = (await knownCorrections(db)).map(
    ({ developerId, environment, approvalRequestId, firstVersion, entries, at }) =>
      `known: developer ${developerId}, ${environment}: ${entries} entries with a wrong balance from version ${firstVersion} on, corrected ${indianDay(at)} (apr_${approvalRequestId})`,
  );
  if (violations.length === 0)
    return {
      ok: true,
      summary: full ? 'every invariant holds' : 'every invariant holds in what is new',
      ...(known.length > 0 && { details: some(known) }),
    };
  return {
    ok: false,
    summary: `${violations.length} violated invariants`,
    details: [...linesOf(violations), ...some(known)],
  };
}

const linesOf = (violations: Violation[]): string[] =>
  some(
    violations.map(({ rule, developerId, detail }) =>
      developerId === null ? `${rule}: ${detail}` : `${rule}, developer ${developerId}: ${detail}`,
    ),
  );

/** The check of everything that the service does by itself. */
async function checkedWhole(ledger: LedgerService, fullFollows: boolean): Promise<Finding> {
  const { completedAtS, endsAtS, violations } = await ledger.lastFullCheck();
  const ageS = Math.max(Date.now() / 1_000 - completedAtS, 0);
  const summary = `all the books were checked ${duration(ageS)} ago`;
  if (violations.length > 0)
    return { ok: false, summary: `${summary}; ${violations.length} violated invariants`, details: linesOf(violations) };
  if (ageS <= FULL_CHECK_S || fullFollows) return { ok: true, summary };
  if (endsAtS !== null) {
    const underWay = `${summary}; the check under way ends in ${duration(Math.max(endsAtS - Date.now() / 1_000, 0))}`;
    if (endsAtS - completedAtS <= LONG_FULL_CHECK_S) return { ok: true, summary: underWay };
    return { ok: false, summary: `${underWay}: raise LEDGER_CHECK_SHARE or LEDGER_CHECK_WORKERS` };
  }
  return { ok: false, summary: `${summary}: is a process of the service running, with the worker housekeeping?` };
}

/** Orders find their place without a month of their own, but then nothing of it can be archived or read fast. */
async function madeAhead(db: Queryable): Promise<Finding> {
  const { months, nextMissing, caught } = await partitionFigures(db);
  if (nextMissing) return { ok: false, summary: "next month's are missing: is a process of the service running?" };
  const summary = `${months.length} months, up to ${months[0]?.replace('_', '-')}`;
  return { ok: true, summary: caught > 0 ? `${summary}; rows of other months are in the default partitions` : summary };
}

async function pendingOrders(db: Queryable, stuckAfterMs: number, manualReviewAfterMs: number): Promise<Finding> {
  const { open, oldestOpenS } = await orderFigures(db);
  const { total, orders } = await stuckOrders(
    db,
    { overdueMs: stuckAfterMs, ageMs: manualReviewAfterMs + stuckAfterMs },
    SHOWN,
  );
  const waiting = open === 0 ? 'none is open' : `${open} open, the oldest for ${duration(oldestOpenS)}`;
  if (total === 0) return { ok: true, summary: waiting };
  const lines = orders.map(
    ({ reference, developerId, provider, overdueS, ageS }) =>
      `${reference} of developer ${developerId} at ${provider}: ${overdueS * 1_000 > stuckAfterMs ? `due for ${duration(overdueS)}` : `pending for ${duration(ageS)}`}`,
  );
  return {
    ok: false,
    summary: `${waiting}; ${total} stuck: is a process with a sweeper running, and does it log failed status checks?`,
    details: some(lines, total),
  };
}

async function reviewed(db: Queryable, reviewLimitMs: number): Promise<Finding> {
  const { review, oldestReviewS, conflicting } = await orderFigures(db);
  const waiting =
    review === 0
      ? 'nothing waits for a person'
      : `${review} wait for a person, the oldest since ${duration(oldestReviewS)}`;
  if (conflicting > 0)
    return { ok: false, summary: `${waiting}; of ${conflicting} decided orders the provider says the opposite` };
  return { ok: oldestReviewS * 1_000 <= reviewLimitMs, summary: waiting };
}

/**
 * Production credits with one reference in several wallets: one bank transfer may have been credited to several wallets. Credits that all
 * have a UTR are left out: the UTRs differ, or two people approved the second credit.
 */
async function creditedTwice(db: Queryable): Promise<Finding> {
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
    details: some(rows.map(({ reference, credits }) => `${reference}: ${credits.join('; ')}`)),
  };
}
