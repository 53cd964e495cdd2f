import { existsSync, rmSync } from 'node:fs';
import path from 'node:path';
import { sql } from 'kysely';
import type { Pool } from 'pg';
import type { Closing, ClosingService } from '../accounts/developers/closing.service.js';
import { lockDeveloper, requireOpen, subjectOf } from '../accounts/developers/developer.state.js';
import { postCredit, type WalletCredit } from '../accounts/wallet-credit.js';
import type { Actor, AuditService } from '../audit/audit.service.js';
import type { FieldEncryption } from '../core/field-encryption.js';
import { isUuid, newId } from '../core/ids.js';
import { decimalText } from '../core/money.js';
import { type DeveloperId, moneyRoles } from '../core/principal.js';
import { inTransaction, type MikroORM } from '../db/orm.js';
import type { Queryable } from '../db/pool.js';
import { LedgerService } from '../ledger/ledger.service.js';
import { AccountExport } from './account-export.js';
import type { DeveloperOptions } from './developer-options.js';
import { makePrivate, PrivateDirectory } from './private-directory.js';

export interface DeveloperCommandParts {
  pool: Pool;
  orm: MikroORM;
  audit: AuditService;
  encryption: FieldEncryption;
  closing: ClosingService;
  print: (line: string) => void;
}

/** Runs a command and returns the exit code. Its errors have a message for the user. */
export async function runDeveloperCommand(options: DeveloperOptions, parts: DeveloperCommandParts): Promise<0 | 1> {
  const by = { actor: 'system:developer', requestId: newId() };
  if (options.command === 'export' && options.all) return exportAll(options.directory, by, parts);
  const developerId = await developerOf(options.developer, parts.pool);
  if (options.command === 'export') return exportAccount(developerId, options.directory, by, parts);
  if (options.command === 'credit') return creditAccount({ developerId, ...options }, by, parts);
  const { reason, dryRun } = options;
  const closing = await parts.closing.close(developerId, reason, by, { tries: dryRun });
  for (const line of linesOf(closing, dryRun)) parts.print(line);
  return closing.outcome === 'refused' ? 1 : 0;
}

/** Credits a Production wallet without a UTR. Throws if a second user could approve the credit. */
async function creditAccount(
  {
    developerId,
    amountPaise,
    reference,
    reason,
  }: Pick<WalletCredit, 'developerId' | 'amountPaise' | 'reference' | 'reason'>,
  by: Actor,
  { orm, pool, audit, print }: DeveloperCommandParts,
): Promise<0> {
  const ledger = new LedgerService(pool);
  const balancePaise = await inTransaction(orm, async (tx) => {
    requireOpen(await lockDeveloper(developerId, tx));
    const { rows } = await sql<{ n: number }>`select count(*)::integer as n from app_user
      where role = any(${moneyRoles}) and disabled_at is null and removed_at is null`.execute(tx.getKysely());
    if (rows[0]!.n > 1)
      throw new Error(
        `${rows[0]!.n} active users can credit. Request the credit with creditWallet in the portal, and let another user approve it.`,
      );
    const credit = { developerId, environment: 'production', amountPaise, reference, reason } as const;
    return postCredit(credit, by, { ledger, audit }, tx);
  });
  print(`Credited ${decimalText(amountPaise)} rupees. The balance is ${decimalText(balancePaise)} rupees.`);
  return 0;
}

/**
 * Exports every account without an index in `root`, oldest first. An export without an index is incomplete, so it is written
 * again.
 */
async function exportAll(root: string, by: Actor, parts: DeveloperCommandParts): Promise<0 | 1> {
  const { rows } = await parts.pool.query<{ id: DeveloperId }>('select id from developer order by id');
  makePrivate(root);
  let code: 0 | 1 = 0;
  for (const { id } of rows) {
    const name = `dev_${id}`;
    const directory = path.join(root, name);
    if (existsSync(path.join(directory, 'index.json'))) continue;
    rmSync(directory, { recursive: true, force: true });
    parts.print(`${name}:`);
    if ((await exportAccount(id, directory, by, parts)) === 1) code = 1;
  }
  parts.print(`Exported accounts: ${rows.length}.`);
  return code;
}

async function exportAccount(
  developerId: DeveloperId,
  to: string,
  by: Actor,
  parts: DeveloperCommandParts,
): Promise<0 | 1> {
  const { orm, audit, print } = parts;
  const directory = PrivateDirectory.make(to);
  const entry = { action: 'developer.export', subject: subjectOf(developerId), before: null, after: null } as const;
  // the export is recorded before the first line is written, so that every export has an entry
  await inTransaction(orm, (tx) => audit.record(by, entry, tx));
  const unreadable = await new AccountExport(parts, developerId, directory).write();
  print(`Written files: ${directory.files.length}. index.json describes each file.`);
  if (unreadable === 0) return 0;
  print(`${unreadable} values could not be decrypted. index.json lists them.`);
  return 1;
}

function linesOf(closing: Closing, dryRun: boolean): string[] {
  switch (closing.outcome) {
    case 'closed_before':
      return [`The account was already closed at ${closing.at.toISOString()}.`];
    case 'refused':
      return [
        'The account cannot be closed now, and nothing was changed:',
        ...closing.obstacles.map((obstacle) => `- ${obstacle}`),
      ];
    case 'closed': {
      const listText = (counts: Record<string, number>): string =>
        Object.entries(counts)
          .filter(([, n]) => n > 0)
          .map(([name, n]) => `${n} ${name}`)
          .join(', ') || 'nothing';
      const [ended, erased] = dryRun ? ['Would end', 'Would erase'] : ['Ended', 'Erased'];
      return [
        dryRun ? 'The account can be closed. Nothing was changed.' : 'The account is permanently closed.',
        `${ended}: ${listText(closing.ended)}.`,
        `${erased}: ${listText(closing.erased)}.`,
      ];
    }
  }
}

/** Returns the developer with an ID or account number. Throws if there is none. */
export async function developerOf(text: string, db: Queryable): Promise<DeveloperId> {
  const id = text.replace(/^dev_/, '');
  const condition = isUuid(id) ? 'id = $1' : /^\d{1,9}$/.test(text) ? 'account_number = $1' : undefined;
  if (condition === undefined) throw new Error('The developer must be an ID such as dev_0199…, or an account number.');
  const { rows } = await db.query<{ id: DeveloperId }>({
    text: `select id from developer where ${condition}`,
    values: [id],
  });
  if (!rows[0]) throw new Error('Unknown developer.');
  return rows[0].id;
}
