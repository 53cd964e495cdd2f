import 'reflect-metadata';

import { DriverException } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Pool } from 'pg';
import { accountEntities } from '../accounts/account.entities.js';
import { activeUser } from '../approval-requests/active-user.js';
import { ApprovalFlow } from '../approval-requests/approval-request.service.js';
import { ApprovalRequestStore } from '../approval-requests/approval-request.store.js';
import { AuditService } from '../audit/audit.service.js';
import { AuditKeys } from '../audit/audit-keys.js';
import { loadConfig } from '../config.js';
import { commandLine, type Usage, wrongUsage } from '../core/command-line.js';
import { type Environment, environments } from '../core/environment.js';
import { isUuid, newId } from '../core/ids.js';
import { decimalText, subtract, ZERO } from '../core/money.js';
import type { DeveloperId } from '../core/principal.js';
import { closeOrm, inTransaction, openOrm } from '../db/orm.js';
import { patiently } from '../db/patience.js';
import { createPool } from '../db/pool.js';
import { OWNS_TABLES } from '../db/start-checks.js';
import { correctionOf, walletCorrectionDecision } from '../decisions/wallet-correction.decision.js';
import { LedgerService, type ReopenResult } from '../ledger/ledger.service.js';
import type { WalletKey } from '../ledger/wallet.reader.js';
import { type WalletDifference, walletDifference } from '../ledger/wallet-difference.js';
import { failToStart, requireNode } from '../process-life.js';
import { firstLines } from './finding.js';

const USAGE: Usage = {
  command: 'ledger',
  synopsis:
    'correct --developer ID --environment NAME [--request-approval --by EMAIL --reason TEXT] | post --approval-request ID',
  description: `Corrects a wallet whose balance changed without a transfer, which "gateway doctor" reports as "balance is the sum of transfers".
correct shows the first wrong version, the stored balance and the computed balance. With --request-approval it requests approval of the correction.
  Another administrator or a finance user must approve the request in the portal, under Approval requests. Nothing is posted yet.
post posts an approved correction: an entry of kind "correction", and opening records that explain the earlier entries. This requires the
  DATABASE_URL of the owner of the tables. It can run while processes serve; calls for this wallet wait until the command ends.`,
  options: `  --developer ID        the account, such as dev_019a…
  --environment NAME    uat or production
  --request-approval    requests approval
  --by EMAIL            email address of the administrator or finance user who requests approval
  --reason TEXT         cause of the difference, for the approver and the audit log; 1 to 500 characters
  --approval-request ID the approved request, such as apr_019a…`,
  example: 'gateway ledger correct --developer dev_019a0000-0000-7000-8000-000000000001 --environment production',
};

const print = (line: string): void => void process.stdout.write(`${line}\n`);

/** Time limit of a check. Checking an account with many millions of orders can take hours. */
const CHECK_LIMIT_MS = 6 * 3_600_000;
const RULE = 'balance is the sum of transfers';

interface Parts {
  pool: Pool;
  orm: ReturnType<typeof openOrm>;
  audit: AuditService;
}

function walletOf({ developer = '', environment = '' }: { developer?: string; environment?: string }): WalletKey {
  const developerId = developer.replace(/^dev_/, '');
  if (!isUuid(developerId)) throw wrongUsage(USAGE, '--developer must be the ID of an account.');
  if (!environments.includes(environment as Environment))
    throw wrongUsage(USAGE, '--environment must be uat or production.');
  return { developerId: developerId as DeveloperId, environment: environment as Environment };
}

/**
 * Checks that the transfers can be trusted. A correction relies on the amounts of the transfers, which can be wrong if another
 * rule is violated. The error is one sentence.
 */
async function requireSoundTransfers({ developerId }: WalletKey, { pool }: Parts): Promise<void> {
  const rows = await patiently(pool, CHECK_LIMIT_MS, (query) =>
    query<{ rule: string; detail: string }>({
      text: 'select rule, detail from ledger_check_of(array[$1::uuid]) where rule <> $2',
      values: [developerId, RULE],
    }),
  );
  if (rows.length === 0) return;
  const lines = firstLines(rows.map(({ rule, detail }) => `  ${rule}: ${detail}`));
  throw new Error(
    `Transfers of this account violate other rules. Restore these rows from a backup first, because a correction relies on them.\n${lines.join('\n')}`,
  );
}

function show({ developerId, environment }: WalletKey, difference: WalletDifference): void {
  const { firstVersion, entries, storedPaise, computedPaise } = difference;
  print(`Wallet of dev_${developerId}, ${environment}: wrong from version ${firstVersion} on, ${entries} entries`);
  print(`  stored balance    ${decimalText(storedPaise)}`);
  print(`  computed balance  ${decimalText(computedPaise)}`);
  print(`  correction        ${decimalText(correctionOf(difference))}`);
}

interface CorrectionOptions {
  requestApproval: boolean;
  by?: string | undefined;
  reason?: string | undefined;
}

async function correct(
  wallet: WalletKey,
  { requestApproval, by, reason }: CorrectionOptions,
  parts: Parts,
): Promise<void> {
  const { pool, orm, audit } = parts;
  const difference = await walletDifference(pool, wallet);
  if (!difference) return print('The balance of this wallet is the sum of its transfers. No correction is required.');
  show(wallet, difference);
  await requireSoundTransfers(wallet, parts);
  if (!requestApproval)
    return print('Nothing was changed. To request approval, add --request-approval --by EMAIL --reason TEXT.');
  const approvals = new ApprovalFlow({ orm, audit, approvalRequests: new ApprovalRequestStore(pool) });
  const { approvalRequest, replayed } = await inTransaction(orm, async (tx) =>
    approvals.decide(
      walletCorrectionDecision({ audit }),
      { ...wallet, difference, reason: reason! },
      await activeUser(by!, 'ledger', tx),
      tx,
    ),
  );
  print(`Approval request apr_${approvalRequest!.id} ${replayed ? 'is already pending' : 'is pending'}.`);
  print(
    'Another administrator or a finance user must approve it in the portal, under Approval requests. Then run as the owner of the tables:',
  );
  print(`  gateway ledger post --approval-request apr_${approvalRequest!.id}`);
}

const REJECTIONS: Readonly<Record<Exclude<ReopenResult['outcome'], 'posted'>, string>> = {
  missing: 'Unknown approval request of a correction.',
  not_approved:
    'This request is not approved. Another administrator or a finance user must approve it in the portal, under Approval requests.',
  already: 'This correction has already been posted.',
  no_wallet: 'The wallet of this request is missing.',
  incomplete:
    'Entries of this wallet are missing. Restore them from a backup, because a correction cannot replace them.',
  changed: 'The difference has changed since the approval. Run "gateway ledger correct" and request approval again.',
  insufficient: 'The balance is lower than the correction. Credit the missing amount, then run this command again.',
  busy: 'A full ledger check or an archive run is in progress. Run this command again when it has ended.',
};

/** Checks that the login owns the tables. Throws if it does not. */
async function requireOwner(pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ owns: boolean | null }>(`select ${OWNS_TABLES} as owns`);
  if (!rows[0]!.owns)
    throw new Error('Set DATABASE_URL to the owner of the tables: only the owner can post a correction.');
}

async function post(approvalRequest: string, { pool, orm, audit }: Parts): Promise<void> {
  const approvalRequestId = approvalRequest.replace(/^apr_/, '');
  if (!isUuid(approvalRequestId)) throw wrongUsage(USAGE, '--approval-request must be the ID of an approval request.');
  await requireOwner(pool);
  const ledger = new LedgerService(pool);
  const posted = await inTransaction(orm, async (tx) => {
    const postingId = newId();
    await sql`set local lock_timeout = '30s'`.execute(tx.getKysely());
    const reopened = await ledger.reopen(approvalRequestId, postingId, tx);
    if (reopened.outcome !== 'posted') throw new Error(REJECTIONS[reopened.outcome]);
    const { developerId, environment, changePaise, balancePaise, version, firstVersion, entries } = reopened;
    const amountPaise = changePaise < ZERO ? subtract(ZERO, changePaise) : changePaise;
    await audit.record(
      { actor: 'system:ledger', requestId: `ledger ${postingId}` },
      {
        action: 'wallet.correct',
        subject: `developer:${developerId}/${environment}`,
        before: { balancePaise: String(balancePaise - changePaise) },
        after: { balancePaise: String(balancePaise), version, firstVersion, entries, approvalRequestId },
        ...(amountPaise > ZERO && { posting: { id: postingId, amountPaise } }),
      },
      tx,
    );
    return reopened;
  });
  const { changePaise, balancePaise, version, firstVersion, entries } = posted;
  if (changePaise === ZERO)
    print(`Recorded: the balance ${decimalText(balancePaise)} is correct and requires no entry.`);
  else print(`Posted: ${decimalText(changePaise)} at version ${version}, the balance is ${decimalText(balancePaise)}.`);
  print(`No longer a violation: ${entries} entries with a wrong balance from version ${firstVersion} on.`);
  const violations = await ledger.checkNew();
  if (violations.length === 0) return print('The ledger check passes.');
  process.exitCode = 1;
  print(`The ledger check still finds violations (${violations.length}): see "gateway doctor".`);
}

/** Runs `gateway ledger`, which corrects a wallet whose balance changed without a transfer. */
async function main(): Promise<void> {
  requireNode();
  const { values, positionals } = commandLine(
    USAGE,
    process.argv.slice(2),
    {
      developer: { type: 'string' },
      environment: { type: 'string' },
      'request-approval': { type: 'boolean', default: false },
      by: { type: 'string' },
      reason: { type: 'string' },
      'approval-request': { type: 'string' },
    },
    'some',
  );
  const [command, ...more] = positionals;
  if (command !== 'correct' && command !== 'post') throw wrongUsage(USAGE, 'Enter a subcommand: correct or post.');
  if (more.length > 0) throw wrongUsage(USAGE, 'Too many arguments.');
  const { 'request-approval': requestApproval, by, reason, 'approval-request': approvalRequest } = values;
  if (command === 'post' && approvalRequest === undefined) throw wrongUsage(USAGE, '--approval-request is required.');
  if (requestApproval !== (by !== undefined) || requestApproval !== (reason !== undefined))
    throw wrongUsage(USAGE, 'Use --request-approval, --by and --reason together.');
  if (reason !== undefined && (reason.trim() === '' || reason.length > 500))
    throw wrongUsage(USAGE, '--reason must have 1 to 500 characters.');
  const wallet = command === 'correct' ? walletOf(values) : undefined;

  const config = loadConfig(process.env);
  const pool = createPool(config.databaseUrl, {
    max: 2,
    asOwner: command === 'post',
    // reading a large wallet takes longer than the usual time limit
    migrates: command === 'post',
    withStartupOptions: config.startupOptions,
  });
  const orm = openOrm(pool, accountEntities);
  const parts = { pool, orm, audit: new AuditService(new AuditKeys(config.audit.keys)) };
  try {
    if (wallet) await correct(wallet, { requestApproval, by, reason }, parts);
    else await post(approvalRequest!, parts);
  } finally {
    await closeOrm(orm, pool);
  }
}

main().catch((error: Error) => {
  // the error message quotes the statement with its values
  if (error instanceof DriverException)
    failToStart(new Error(`The database rejected the statement: ${error.code ?? error.name}.`));
  failToStart(error);
});
