import { requireOurBaseline } from './baseline.js';
import type { Queryable } from './pool.js';
import { type AppliedMigration, misfit } from './schema-fit.js';
import { sqlFiles } from './sql-files.js';
import { CannotServe } from './trouble.js';

/** What must hold before a process serves. Errors: CannotServe; those of the connection, when the database cannot be asked now. */
export type StartCheck = (db: Queryable) => Promise<void>;

const OLDEST_POSTGRESQL = 15;

/** Migrations need it too. */
export const requireServer: StartCheck = async (db) => {
  const { rows } = await db.query<{ number: number; version: string }>({
    text: `select current_setting('server_version_num')::integer as number, current_setting('server_version') as version`,
  });
  const { number, version } = rows[0]!;
  if (number < OLDEST_POSTGRESQL * 10_000)
    throw new CannotServe(`This needs PostgreSQL ${OLDEST_POSTGRESQL} or newer; the server is PostgreSQL ${version}.`);
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

/** What every process asks when it starts, one after the other. */
export const startChecks: readonly StartCheck[] = [requireServer, requireFit];
