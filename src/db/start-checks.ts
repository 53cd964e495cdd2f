import { requireSameBaseline } from './baseline.js';
import { CannotServe } from './database-errors.js';
import type { Queryable } from './pool.js';
import { type AppliedMigration, misfit } from './schema-fit.js';
import { sqlFiles } from './sql-files.js';

/**
 * Check before a process serves requests. It throws CannotServe, or the errors of the connection if the database is unavailable.
 */
export type StartCheck = (db: Queryable) => Promise<void>;

const OLDEST_POSTGRESQL = 15;

/** Servers that use the protocol and version number of PostgreSQL, by the text of `version()`. */
const OTHER_ENGINES: readonly (readonly [RegExp, string])[] = [
  [/cockroach/i, 'CockroachDB'],
  [/-YB-|yugabyte/i, 'YugabyteDB'],
  [/greenplum/i, 'Greenplum'],
  [/redshift/i, 'Redshift'],
  [/opengauss|gaussdb/i, 'openGauss'],
];

interface Server {
  number: number;
  version: string;
  banner: string;
  /** Whether the Citus extension is installed, which distributes tables over several servers. */
  citus: boolean;
}

/** Returns the name of a server that is only compatible with PostgreSQL. Returns undefined for PostgreSQL itself. */
function otherEngine({ banner, citus }: Server): string | undefined {
  const engine = OTHER_ENGINES.find(([words]) => words.test(banner));
  if (engine) return engine[1];
  if (citus) return 'PostgreSQL with the extension Citus';
  return /^PostgreSQL \d/.test(banner) ? undefined : banner.split(/[ ,(]*v?\d/, 1)[0]!.slice(0, 40) || 'unknown';
}

/** Check that requires a supported server. Migrations run this check as well. */
export const requireServer: StartCheck = async (db) => {
  const { rows } = await db.query<Server>({
    text: `select current_setting('server_version_num')::integer as number, current_setting('server_version') as version,
      version() as banner, exists (select from pg_extension where extname = 'citus') as citus`,
  });
  const server = rows[0]!;
  const other = otherEngine(server);
  if (other !== undefined)
    throw new CannotServe(
      `The server is ${other}, whose locks, notifications or transactions differ from PostgreSQL and could corrupt the ledger. Use PostgreSQL ${OLDEST_POSTGRESQL} or newer.`,
    );
  if (server.number < OLDEST_POSTGRESQL * 10_000)
    throw new CannotServe(
      `PostgreSQL ${OLDEST_POSTGRESQL} or newer is required. The server is PostgreSQL ${server.version}.`,
    );
};

const requireFit: StartCheck = async (db) => {
  const { migrations } = sqlFiles;
  await requireSameBaseline(db, migrations);
  const { rows } = await db.query<AppliedMigration>({ text: 'select name, needs from schema_fingerprint' });
  const reason = misfit(rows, migrations);
  if (reason !== undefined) throw new CannotServe(reason);
};

/**
 * SQL expression for whether the login can act as the owner of the tables, as a superuser can. It is null if there are no
 * tables.
 */
export const OWNS_TABLES = `pg_has_role(session_user, (select relowner from pg_class where oid = to_regclass('transfer')), 'usage')`;

/** Check that rejects a login that owns the tables. It could reset its role, so the database would not protect the ledger. */
export const requireMember: StartCheck = async (db) => {
  const { rows } = await db.query<{ owns: boolean | null }>({ text: `select ${OWNS_TABLES} as owns` });
  if (rows[0]!.owns)
    throw new CannotServe(
      'The login of DATABASE_URL owns the tables or is a superuser. Use a login that is only a member of gateway_app.',
    );
};

const DURABILITY = ['fsync', 'full_page_writes', 'synchronous_commit'];

/** Returns the disabled server settings without which committed orders may be lost in a crash. */
export async function weakDurability(db: Queryable): Promise<string[]> {
  const { rows } = await db.query<{ name: string }>({
    text: `select name from unnest($1::text[]) name where current_setting(name) = 'off' order by 1`,
    values: [DURABILITY],
  });
  return rows.map(({ name }) => name);
}

export const weakDurabilityText = (names: readonly string[]): string =>
  `PostgreSQL runs with ${names.map((name) => `${name} = off`).join(', ')}`;

/**
 * Returns the check that rejects a server that is not durable. An order that is sent to a provider and then lost in a crash
 * could be paid twice.
 */
export const requireDurable =
  (allowsWeak: boolean): StartCheck =>
  async (db) => {
    const names = allowsWeak ? [] : await weakDurability(db);
    if (names.length > 0)
      throw new CannotServe(
        `${weakDurabilityText(names)}. A crash can lose orders that were sent. Set ${names.length === 1 ? 'it' : 'them'} to on.`,
      );
  };

/** Checks when a process starts, in order. */
export const startChecks: readonly StartCheck[] = [requireServer, requireFit];
