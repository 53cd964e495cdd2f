import type { App } from '../../src/app.js';
import { activeUser } from '../../src/approval-requests/active-user.js';
import { ApprovalFlow, type Decided } from '../../src/approval-requests/approval-request.service.js';
import { ApprovalRequestStore } from '../../src/approval-requests/approval-request.store.js';
import { newId } from '../../src/core/ids.js';
import { subtract, ZERO } from '../../src/core/money.js';
import type { DeveloperId } from '../../src/core/principal.js';
import { closeOrm, inTransaction, openOrm } from '../../src/db/orm.js';
import { createPool } from '../../src/db/pool.js';
import type { MoneyMoved } from '../../src/decisions/money-decision.js';
import { walletCorrectionDecision } from '../../src/decisions/wallet-correction.decision.js';
import { LedgerService, type ReopenResult } from '../../src/ledger/ledger.service.js';
import { type WalletDifference, walletDifference } from '../../src/ledger/wallet-difference.js';
import { auditService } from '../support/audit.js';
import type { TestLedger } from './ledger.fixture.js';

export interface Corrections {
  difference(developerId: DeveloperId): Promise<WalletDifference | undefined>;
  /** Creates the approval request of a correction, approved by default. */
  approval(developerId: DeveloperId, found: WalletDifference, finalState?: 'approved' | 'rejected'): Promise<string>;
  /** Posts the correction as the owner of the tables, with its audit entry. */
  post(approvalRequestId: string): Promise<ReopenResult>;
  /** Requests, approves and posts a correction. */
  correct(developerId: DeveloperId): Promise<ReopenResult>;
  close(): Promise<void>;
}

/** Steps from a wrong balance to its correction, without the console. */
export function correctionsOf({ db, pool }: Pick<TestLedger, 'db' | 'pool'>): Corrections {
  const owner = createPool(db.url, { max: 1, asOwner: true });
  const orm = openOrm(owner, []);
  const ledger = new LedgerService(owner);

  async function person(name: string): Promise<string> {
    const [known] = await db.query<{ id: string }>('select id from app_user where name = $1', [name]);
    if (known) return known.id;
    const id = newId();
    await db.query(`insert into app_user (id, email, name, role, password_hash) values ($1, $2, $3, 'admin', 'none')`, [
      id,
      `${name}@test.example`,
      name,
    ]);
    return id;
  }

  const difference: Corrections['difference'] = (developerId) =>
    walletDifference(pool, { developerId, environment: 'production' });

  const approval: Corrections['approval'] = async (developerId, found, finalState) => {
    const id = newId();
    await db.query(
      `insert into developer (id, name, email) values ($1::uuid, 'An account', $2) on conflict (id) do nothing`,
      [developerId, `${developerId}@test.example`],
    );
    await db.query(
      `insert into approval_request (id, action, subject, key, folded_key, developer_id, payload, reason, requested_by, expires_at, final_state, resolved_at, resolved_by)
       values ($1, 'wallet.correct', $2, $3, $3, $4, $5::jsonb, 'Changed by hand', $6, now() + interval '7 days', $7::text, case when $7::text is not null then now() end, $8)`,
      [
        id,
        `developer:${developerId}/production`,
        `from version ${found.firstVersion}`,
        developerId,
        JSON.stringify({ environment: 'production', steps: found.steps }),
        await person('requester'),
        finalState ?? null,
        finalState === undefined ? null : await person('approver'),
      ],
    );
    return id;
  };

  const post: Corrections['post'] = (approvalRequestId) =>
    inTransaction(orm, async (tx) => {
      const id = newId();
      const reopened = await ledger.reopen(approvalRequestId, id, tx);
      const { outcome, developerId, environment, changePaise } = reopened;
      if (outcome !== 'posted' || changePaise === ZERO) return reopened;
      const amountPaise = changePaise < ZERO ? subtract(ZERO, changePaise) : changePaise;
      await auditService.record(
        { actor: 'system:ledger', requestId: 'test' },
        {
          action: 'wallet.correct',
          subject: `developer:${developerId}/${environment}`,
          before: null,
          after: { approvalRequestId },
          posting: { id, amountPaise },
        },
        tx,
      );
      return reopened;
    });

  return {
    difference,
    approval,
    post,
    correct: async (developerId) => post(await approval(developerId, (await difference(developerId))!, 'approved')),
    close: () => closeOrm(orm, owner),
  };
}

/** Requests approval, as `gateway ledger correct --request-approval --by` does. */
export async function requestCorrection(
  { pool, orm, audit }: Pick<App, 'pool' | 'orm' | 'audit'>,
  developerId: DeveloperId,
  by: string,
  reason: string,
): Promise<Decided<MoneyMoved>> {
  const wallet = { developerId, environment: 'production' } as const;
  const difference = (await walletDifference(pool, wallet))!;
  const approvals = new ApprovalFlow({ orm, audit, approvalRequests: new ApprovalRequestStore(pool) });
  return inTransaction(orm, async (tx) =>
    approvals.decide(
      walletCorrectionDecision({ audit }),
      { ...wallet, difference, reason },
      await activeUser(by, 'ledger', tx),
      tx,
    ),
  );
}
