import type { Pool } from 'pg';
import { subjectOf } from '../accounts/developers/developer.state.js';
import type { AuditService } from '../audit/audit.service.js';
import type { FieldEncryption } from '../core/field-encryption.js';
import { isUuid, newId } from '../core/ids.js';
import type { DeveloperId } from '../core/principal.js';
import { inTransaction, type MikroORM } from '../db/orm.js';
import type { Queryable } from '../db/pool.js';
import { AccountExport } from './account-export.js';
import type { ExportOptions } from './developer-options.js';
import { PrivateDirectory } from './private-directory.js';

/** What the commands need of the world around them. */
export interface DeveloperCommandParts {
  pool: Pool;
  orm: MikroORM;
  audit: AuditService;
  encryption: FieldEncryption;
  say: (line: string) => void;
}

const ACTOR = 'system:developer';

/** One command; what it returns is the exit code. Errors: one sentence. */
export async function runDeveloperCommand(
  { developer, directory: path }: ExportOptions,
  parts: DeveloperCommandParts,
): Promise<0 | 1> {
  const { orm, audit, say } = parts;
  const developerId = await developerOf(developer, parts.pool);
  const directory = PrivateDirectory.make(path);
  const entry = { action: 'developer.export', subject: subjectOf(developerId), before: null, after: null } as const;
  // before the first line leaves
  await inTransaction(orm, (tx) => audit.record({ actor: ACTOR, requestId: newId() }, entry, tx));
  const unreadable = await new AccountExport(parts, developerId, directory).write();
  say(`${directory.files.length} files are written; index.json says what each holds.`);
  if (unreadable === 0) return 0;
  say(`${unreadable} values could not be decrypted; index.json names them.`);
  return 1;
}

/** Whom an id or account number means. Errors: one sentence. */
async function developerOf(text: string, db: Queryable): Promise<DeveloperId> {
  const id = text.replace(/^dev_/, '');
  const by = isUuid(id) ? 'id = $1' : /^\d{1,9}$/.test(text) ? 'account_number = $1' : undefined;
  if (by === undefined) throw new Error('The developer must be an id such as dev_0199…, or an account number.');
  const { rows } = await db.query<{ id: DeveloperId }>({
    text: `select id from developer where ${by}`,
    values: [id],
  });
  if (!rows[0]) throw new Error('There is no such developer.');
  return rows[0].id;
}
