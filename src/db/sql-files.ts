import { hash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { getConstructionPlans } from 'pg-boss';
import { codeRoot } from '../core/package-root.js';

/** A file of SQL, and the name that the database remembers it by: the file's own, without its ending. */
export interface SqlFile {
  name: string;
  sql: string;
}

export interface SqlFiles {
  /** In order, each applied once. After the first release one is never changed, a new one is added. */
  migrations: readonly SqlFile[];
  /** Functions, aggregates, views and their grants. A file is applied again when its text has changed; it begins with the drops it needs. */
  repeatables: readonly SqlFile[];
}

const root = new URL('db/sql/', codeRoot);

/** The one placeholder: the statements that install the job queue, which belong to the installed version of its package. */
const PG_BOSS = '-- {{pg-boss}}';

/** Without their transaction, because a migration runs in one already. */
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

/** SHA-256 of what would be executed. */
export const fingerprintOf = ({ sql }: SqlFile): string => hash('sha256', sql);

/** What a migration says of itself in the comments that it begins with. */
export interface Header {
  /** `-- transactional: no`: its statements run one by one, outside a transaction, and may all be repeated. */
  transactional: boolean;
  /** `-- needs: NAME`: programs that do not know the migration of that name cannot serve on the tables as they are from now on. */
  needs: string | undefined;
}

export function headerOf({ sql }: Pick<SqlFile, 'sql'>): Header {
  const [comments = ''] = /^(?:--.*\n)*/.exec(sql) ?? [];
  return {
    transactional: !/^-- transactional: no$/m.test(comments),
    needs: /^-- needs: ([\w-]+)$/m.exec(comments)?.[1],
  };
}

/** The statements of a file without a transaction: each ends with a semicolon at the end of a line. */
export const statementsOf = ({ sql }: Pick<SqlFile, 'sql'>): string[] =>
  sql.split(/;[ \t]*$/m).filter((statement) => /^(?!\s*(--|$))/m.test(statement));
