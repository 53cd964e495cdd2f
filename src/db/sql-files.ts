import { hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { getConstructionPlans } from 'pg-boss';
import { codeRoot } from '../core/package-root.js';

/** SQL file. The database stores its name without the extension. */
export interface SqlFile {
  name: string;
  sql: string;
}

export interface SqlFiles {
  /** Migrations in order. Each is applied once. After the first release, files are only added, never changed. */
  migrations: readonly SqlFile[];
  /**
   * Functions, aggregates, views and their grants. A file is applied again when its text has changed, so it starts with the
   * necessary drops.
   */
  repeatables: readonly SqlFile[];
}

const root = new URL('db/sql/', codeRoot);

/** Placeholder for the statements that install the job queue, which depend on the version of its package. */
const PG_BOSS = '-- {{pg-boss}}';

/** Removes the transaction, because a migration already runs in one. */
const jobQueue = (): string => getConstructionPlans('pgboss').replace(/^\s*(BEGIN|COMMIT);$/gm, '');

function filesOf(folder: string): SqlFile[] {
  const directory = new URL(`${folder}/`, root);
  const names = readdirSync(directory).filter((name) => name.endsWith('.sql'));
  return names.toSorted().map((name) => {
    const text = readFileSync(new URL(name, directory), 'utf8');
    return { name: name.slice(0, -'.sql'.length), sql: text.replace(PG_BOSS, jobQueue) };
  });
}

export const sqlFiles: SqlFiles = { migrations: filesOf('migrations'), repeatables: filesOf('repeatable') };

/** Returns the SHA-256 of the SQL that is executed. */
export const fingerprintOf = ({ sql }: SqlFile): string => hash('sha256', sql);

/** Settings in the comments at the start of a migration. */
export interface Header {
  /** `-- transactional: no`: the statements run one by one outside a transaction, and all of them are safe to repeat. */
  transactional: boolean;
  /** `-- needs: NAME`: versions of the service without the migration of this name cannot use the new tables. */
  needs: string | undefined;
}

export function headerOf({ sql }: Pick<SqlFile, 'sql'>): Header {
  const [comments = ''] = /^(?:--.*\n)*/.exec(sql) ?? [];
  return {
    transactional: !/^-- transactional: no$/m.test(comments),
    needs: /^-- needs: ([\w-]+)$/m.exec(comments)?.[1],
  };
}

/** Returns the statements of a file without a transaction. Each statement ends with a semicolon at the end of a line. */
export const statementsOf = ({ sql }: Pick<SqlFile, 'sql'>): string[] =>
  sql.split(/;[ \t]*$/m).filter((statement) => /^(?!\s*(--|$))/m.test(statement));
