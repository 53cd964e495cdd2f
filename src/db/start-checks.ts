import { requireOurBaseline } from './baseline.js';
import type { Queryable } from './pool.js';
import { type AppliedMigration, misfit } from './schema-fit.js';
import { sqlFiles } from './sql-files.js';
import { CannotServe } from './trouble.js';

/** What must hold before a process serves. Errors: CannotServe; those of the connection, when the database cannot be asked now. */
export type StartCheck = (db: Queryable) => Promise<void>;

const OLDEST_POSTGRESQL = 15;

/** Servers that speak its protocol and give its number, by what `version()` says of them. */
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
  /** The extension that spreads tables over several servers. */
  citus: boolean;
}

/** The name of a server that only resembles PostgreSQL; undefined: it is PostgreSQL. */
function otherEngine({ banner, citus }: Server): string | undefined {
  const known = OTHER_ENGINES.find(([words]) => words.test(banner));
  if (known) return known[1];
  if (citus) return 'PostgreSQL with the extension Citus';
  return /^PostgreSQL \d/.test(banner) ? undefined : banner.split(/[ ,(]*v?\d/, 1)[0]!.slice(0, 40) || 'unknown';
}

/** Migrations need it too. */
export const requireServer: StartCheck = async (db) => {
  const { rows } = await db.query<Server>({
    text: `select current_setting('server_version_num')::integer as number, current_setting('server_version') as version,
      version() as banner, exists (select from pg_extension where extname = 'citus') as citus`,
  });
  const server = rows[0]!;
  const other = otherEngine(server);
  if (other !== undefined)
    throw new CannotServe(
      `The server is ${other}, whose locks, notifications or transactions are not those that the money rests on: use PostgreSQL ${OLDEST_POSTGRESQL} or newer.`,
    );
  if (server.number < OLDEST_POSTGRESQL * 10_000)
    throw new CannotServe(
      `This needs PostgreSQL ${OLDEST_POSTGRESQL} or newer; the server is PostgreSQL ${server.version}.`,
    );
};

const requireFit: StartCheck = async (db) => {
  const { migrations } = sqlFiles;
  await requireOurBaseline(db, migrations);
  const { rows } = await db.query<AppliedMigration>({ text: 'select name, needs from schema_fingerprint' });
  const reason = misfit(rows, migrations);
  if (reason !== undefined) throw new CannotServe(reason);
};

/** Whether who signed in may act as the owner of the tables; a superuser may. Null while there are none. */
export const OWNS_TABLES = `pg_has_role(session_user, (select relowner from pg_class where oid = to_regclass('transfer')), 'usage')`;

/** Who signs in as the owner can leave the application's role again, and then nothing in the database guards the books. */
export const requireMember: StartCheck = async (db) => {
  const { rows } = await db.query<{ owns: boolean | null }>({ text: `select ${OWNS_TABLES} as owns` });
  if (rows[0]!.owns)
    throw new CannotServe(
      'The login of DATABASE_URL owns the tables or is a superuser: use one that is only a member of gateway_app.',
    );
};

const DURABILITY = ['fsync', 'full_page_writes', 'synchronous_commit'];

/** Server settings that are off although committed orders need them to outlive a crash. */
export async function weakDurability(db: Queryable): Promise<string[]> {
  const { rows } = await db.query<{ name: string }>({
    text: `select name from unnest($1::text[]) name where current_setting(name) = 'off' order by 1`,
    values: [DURABILITY],
  });
  return rows.map(({ name }) => name);
}

export const weakDurabilityText = (names: readonly string[]): string =>
  `PostgreSQL runs with ${names.map((name) => `${name} = off`).join(', ')}`;

/** An order that is sent to a provider and then lost in a crash would be paid twice. */
export const requireDurable =
  (allowsWeak: boolean): StartCheck =>
  async (db) => {
    const names = allowsWeak ? [] : await weakDurability(db);
    if (names.length > 0)
      throw new CannotServe(
        `${weakDurabilityText(names)}: a crash can lose orders that were sent. Set ${names.length === 1 ? 'it' : 'them'} to on.`,
      );
  };

/** What every process asks when it starts, one after the other. */
export const startChecks: readonly StartCheck[] = [requireServer, requireFit];
