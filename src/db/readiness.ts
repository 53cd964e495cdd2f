import type { Queryable } from './pool.js';
import { type AppliedMigration, misfit } from './schema-fit.js';
import { sqlFiles } from './sql-files.js';
import type { StartCheck } from './start-checks.js';
import { CannotServe } from './trouble.js';

const NEVER_MIGRATED = 'The database has no tables of this program: run "gateway migrate" as its owner.';

/** What keeps every statement from running, by SQLSTATE, and whether it goes away without anybody changing anything. */
const REFUSALS: readonly { code: RegExp; message?: RegExp; heals: boolean; sentence: string }[] = [
  {
    code: /^28/,
    heals: false,
    sentence: 'The database refuses the login of DATABASE_URL: its name, its password, or where it comes from.',
  },
  { code: /^3D000/, heals: false, sentence: 'The database that DATABASE_URL names does not exist.' },
  {
    code: /^42P01/,
    heals: false,
    sentence: NEVER_MIGRATED,
  },
  {
    // which every connection begins with
    code: /^22023/,
    message: /role "\w+" does not exist/,
    heals: false,
    sentence: NEVER_MIGRATED,
  },
  { code: /^42501/, heals: false, sentence: 'The login of DATABASE_URL is no member of gateway_app.' },
  // PostgreSQL itself sends none of these: a pooler has waited for a connection in vain
  { code: /^08/, heals: true, sentence: 'The pooler cannot reach the database.' },
  { code: /^57P/, heals: true, sentence: 'The database is starting or stopping.' },
  { code: /^53/, heals: true, sentence: 'The database has no connection, memory or disk left.' },
];

/** An error of a statement or connection as a sentence without names and addresses: readiness may be asked for by anybody. */
function refusalOf(error: unknown): { heals: boolean; sentence: string } {
  if (error instanceof CannotServe) return { heals: false, sentence: error.message };
  const { code, message: said = '' } = error as { code?: unknown; message?: string };
  if (typeof code !== 'string' || !/^[0-9A-Z]{5}$/.test(code))
    return { heals: true, sentence: 'The database cannot be reached.' };
  const known = REFUSALS.find((refusal) => refusal.code.test(code) && (refusal.message?.test(said) ?? true));
  return known ?? { heals: true, sentence: `The database answers with an error (SQLSTATE ${code}).` };
}

// What may change while a process runs: one statement, because balancers ask every second.
const STATE = `
  select pg_is_in_recovery() as standby, current_setting('transaction_read_only')::boolean as "readOnly",
    (select json_agg(json_build_object('name', name, 'needs', needs)) from schema_fingerprint) as applied`;

/** Whether a process can serve on its database. */
export class Readiness {
  #checked = false;

  constructor(
    private readonly db: Queryable,
    private readonly checks: readonly StartCheck[],
    /** Last step of a start. `problems` leaves it out because it may change the database. */
    private readonly register: StartCheck = async () => {},
  ) {}

  /**
   * Before the first listener opens. Resolves to why the process is not ready yet, where that may change by itself; undefined: it is.
   * Errors: CannotServe, what does not pass by waiting.
   */
  async start(): Promise<string | undefined> {
    try {
      await this.#check();
    } catch (error) {
      const { heals, sentence } = refusalOf(error);
      if (!heals) throw new CannotServe(sentence, { cause: error });
      return sentence;
    }
    return this.complaint();
  }

  /** Every reason why a process could not serve; a database that does not answer is one. */
  async problems(): Promise<string[]> {
    const found: string[] = [];
    for (const check of this.checks)
      await check(this.db).catch((error: unknown) => void found.push(refusalOf(error).sentence));
    const complaint = found.length > 0 ? undefined : await this.#complaintOf(async () => {});
    return [...new Set(complaint === undefined ? found : [complaint])];
  }

  /** Why the process cannot serve now; undefined: it can. Asks what it could not ask at the start, until it could. */
  complaint(): Promise<string | undefined> {
    return this.#complaintOf(async () => {
      if (!this.#checked) await this.#check();
    });
  }

  async #complaintOf(first: () => Promise<void>): Promise<string | undefined> {
    try {
      await first();
      const { rows } = await this.db.query<{ standby: boolean; readOnly: boolean; applied: AppliedMigration[] }>({
        name: 'readiness',
        text: STATE,
      });
      const { standby, readOnly, applied } = rows[0]!;
      if (standby) return 'The database is a standby: nothing can be written.';
      if (readOnly) return 'The database is read-only.';
      return misfit(applied ?? [], sqlFiles.migrations);
    } catch (error) {
      return refusalOf(error).sentence;
    }
  }

  async #check(): Promise<void> {
    for (const check of this.checks) await check(this.db);
    await this.register(this.db);
    this.#checked = true;
  }
}
