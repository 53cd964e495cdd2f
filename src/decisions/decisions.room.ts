import type { AccountActions } from '../accounts/developers/account.decisions.js';
import type { DevelopersReader } from '../accounts/developers/developers.reader.js';
import type { PeopleReader } from '../accounts/people/people.reader.js';
import { ApprovalRequestService } from '../approval-requests/approval-request.service.js';
import { ApprovalRequestStore } from '../approval-requests/approval-request.store.js';
import { approvalRequestView } from '../approval-requests/approval-request.types.js';
import type { AuditService } from '../audit/audit.service.js';
import { isUuid } from '../core/ids.js';
import type { LoadNode, Room } from '../core/room.js';
import type { Base } from '../db/database.js';
import type { LedgerService } from '../ledger/ledger.service.js';
import type { Emails } from '../mails/emails.room.js';
import type { OrderStore } from '../orders/order.store.js';
import type { StatusCheckRegistry } from '../orders/outcomes.js';
import { Allowances } from './alone-allowance.js';
import {
  ApprovalRequestCountResolver,
  ApprovalRequestResolver,
  OrderApprovalRequestResolver,
} from './approval-request.resolver.js';
import { BulkDecisionService } from './bulk-decision.service.js';
import { DecisionResolver, type Done } from './decision.resolver.js';
import { moneyActions } from './money-actions.js';
import { OrderPauseResolver } from './order-pause.resolver.js';
import { type ProviderHealthParts, ProviderHealthResolver } from './provider-health.resolver.js';
import { ProviderQuestionService } from './provider-question.service.js';
import { ReviewQueue } from './review.queue.js';
import { ReviewResolver } from './review.resolver.js';
import { AllowanceResolver, ReviewPreviewResolver } from './review-preview.resolver.js';
import { WalletCorrectionResolver } from './wallet-correction.resolver.js';

export interface DecisionsParts {
  base: Base;
  ledger: LedgerService;
  audit: AuditService;
  developers: DevelopersReader;
  store: OrderStore;
  statusChecks: StatusCheckRegistry;
  /** Actions of the accounts module for the table of actions that can require approval. */
  accountActions: AccountActions;
  people: PeopleReader;
  health: Omit<ProviderHealthParts, 'db' | 'exposureLimits'>;
  mails: Emails;
}

/**
 * Creates the module for staff decisions about money: credits, debits, orders in review and corrections. Large amounts require
 * two people.
 */
export function createDecisions(given: DecisionsParts): Room {
  const { base, ledger, audit, developers, store, statusChecks, accountActions, people, health, mails } = given;
  const { orm, pool, config } = base;
  const { creditAlone, resolveAlone, manualReviewAfterMs, visibilityDelayMs } = config;
  const approvalRequests = new ApprovalRequestStore(pool);
  const parts = {
    orm,
    ledger,
    audit,
    approvalRequests,
    store,
    statusChecks,
    creditAlone,
    resolveAlone,
    manualReviewAfterMs,
    visibilityDelayMs,
  };
  const allowances = new Allowances(pool, { credit: creditAlone, resolve: resolveAlone });
  const lists = new BulkDecisionService(parts);
  const actions = moneyActions(parts, lists);
  const ApprovalRequest: LoadNode = async (key, { principal }) => {
    const staff = principal?.kind === 'session' && principal.role !== 'developer';
    const approvalRequest = staff && isUuid(key) ? await approvalRequests.find(key) : undefined;
    return approvalRequest && approvalRequestView(approvalRequest);
  };
  return {
    nodes: { console: { ApprovalRequest } },
    resolvers: {
      console: [
        new ReviewResolver(new ReviewQueue(pool, store, approvalRequests, parts), developers),
        new ReviewPreviewResolver(pool, allowances, developers),
        new AllowanceResolver(allowances),
        new DecisionResolver({
          actions,
          lists,
          ledger,
          store,
          developers,
          people,
          mails,
          approvalRequests: new ApprovalRequestService<Done>({
            orm,
            audit,
            approvalRequests,
            actions: { ...actions, ...accountActions },
          }),
          questions: new ProviderQuestionService(parts),
        }),
        new ApprovalRequestResolver({ orm, approvalRequests, developers, store, ledger }),
        new OrderApprovalRequestResolver(approvalRequests),
        new WalletCorrectionResolver(pool),
        new ApprovalRequestCountResolver(approvalRequests),
        new OrderPauseResolver(health.accountChanges, health.switches),
        new ProviderHealthResolver({ ...health, db: pool, exposureLimits: config.exposureLimits }),
      ],
    },
  };
}
