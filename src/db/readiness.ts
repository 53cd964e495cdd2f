import { CannotServe } from './database-errors.js';
import type { Queryable } from './pool.js';
import { type AppliedMigration, misfit } from './schema-fit.js';
import { sqlFiles } from './sql-files.js';
import type { StartCheck } from './start-checks.js';

const NEVER_MIGRATED = 'The database is not migrated. Run "gateway migrate" as its owner.';

/** Errors that affect every statement, by SQLSTATE. `isTransient`: the cause can disappear without a configuration change. */
const REJECTIONS: readonly { code: RegExp; message?: RegExp; isTransient: boolean; sentence: string }[] = [
  {
    code: /^28/,
    isTransient: false,
    sentence: 'The database rejects the login of DATABASE_URL because of its name, its password or its address.',
  },
  { code: /^3D000/, isTransient: false, sentence: 'The database of DATABASE_URL does not exist.' },
  {
    code: /^42P01/,
    isTransient: false,
    sentence: NEVER_MIGRATED,
  },
  {
    // this is an error of the startup options, which affects every connection
    code: /^22023/,
    message: /role "\w+" does not exist/,
    isTransient: false,
    sentence: NEVER_MIGRATED,
  },
  { code: /^42501/, isTransient: false, sentence: 'The login of DATABASE_URL is not a member of gateway_app.' },
  // this error is sent by a pooler that could not get a connection, not by PostgreSQL itself
  { code: /^08/, isTransient: true, sentence: 'The pooler cannot reach the database.' },
  { code: /^57P/, isTransient: true, sentence: 'The database is starting or stopping.' },
  { code: /^53/, isTransient: true, sentence: 'The database has run out of connections, memory or disk space.' },
];

/**
 * Describes the error of a statement or connection. The text contains no names or addresses, because the readiness endpoint is
 * public.
 */
function problemOf(error: unknown): { isTransient: boolean; sentence: string } {
  if (error instanceof CannotServe) return { isTransient: false, sentence: error.message };
  const { code, message: text = '' } = error as { code?: unknown; message?: string };
  if (typeof code !== 'string' || !/^[0-9A-Z]{5}$/.test(code))
    return { isTransient: true, sentence: 'The database is unavailable.' };
  const known = REJECTIONS.find((rejection) => rejection.code.test(code) && (rejection.message?.test(text) ?? true));
  return known ?? { isTransient: true, sentence: `The database returns an error (SQLSTATE ${code}).` };
}

// State that can change while a process runs. It is read with a single statement, because load balancers check every second.
const STATE = `
  select pg_is_in_recovery() as standby, current_setting('transaction_read_only')::boolean as "readOnly",
    (select json_agg(json_build_object('name', name, 'needs', needs)) from schema_fingerprint) as applied`;

/** Checks whether a process can serve on its database. */
export class Readiness {
  #isChecked = false;

  constructor(
    private readonly db: Queryable,
    private readonly checks: readonly StartCheck[],
    /**
     * Creates the check.
     * @param register last step of a start. `problems` omits it because it can change the database
     */
    private readonly register: StartCheck = async () => {},
  ) {}

  /**
   * Runs before the first listener opens. Resolves to the reason why the process is not ready if the cause can disappear by
   * itself, or to undefined if it is ready. Throws CannotServe for causes that require a change.
   */
  async start(): Promise<string | undefined> {
    try {
      await this.#check();
    } catch (error) {
      const { isTransient, sentence } = problemOf(error);
      if (!isTransient) throw new CannotServe(sentence, { cause: error });
      return sentence;
    }
    return this.complaint();
  }

  /** Returns all reasons why a process could not serve, including an unavailable database. */
  async problems(): Promise<string[]> {
    const found: string[] = [];
    for (const check of this.checks)
      await check(this.db).catch((error: unknown) => void found.push(problemOf(error).sentence));
    const complaint = found.length > 0 ? undefined : await this.#complaintOf(async () => {});
    return [...new Set(complaint === undefined ? found : [complaint])];
  }

  /**
   * Returns the reason why the process cannot serve at this time, or undefined if it can. Repeats the start checks until they
   * have succeeded once.
   */
  complaint(): Promise<string | undefined> {
    return this.#complaintOf(async () => {
      if (!this.#isChecked) await this.#check();
    });
  }

  async #complaintOf(prepare: () => Promise<void>): Promise<string | undefined> {
    try {
      await prepare();
      const { rows } = await this.db.query<{ standby: boolean; readOnly: boolean; applied: AppliedMigration[] }>({
        name: 'readiness',
        text: STATE,
      });
      const { standby, readOnly, applied } = rows[0]!;
      if (standby) return 'The database is a standby and does not accept writes.';
      if (readOnly) return 'The database is read-only.';
      return misfit(applied ?? [], sqlFiles.migrations);
    } catch (error) {
      return problemOf(error).sentence;
    }
  }

  async #check(): Promise<void> {
    for (const check of this.checks) await check(this.db);
    await this.register(this.db);
    this.#isChecked = true;
  }
}
