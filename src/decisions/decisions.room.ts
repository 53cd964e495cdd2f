import type { DevelopersReader } from '../accounts/developers/developers.reader.js';
import type { AuditService } from '../audit/audit.service.js';
import { isUuid } from '../core/ids.js';
import type { LoadNode, Room } from '../core/room.js';
import type { Base } from '../db/database.js';
import type { LedgerService } from '../ledger/ledger.service.js';
import type { EnquiryRegistry } from '../orders/enquiries.js';
import type { OrderStore } from '../orders/order.store.js';
import { ProposalService } from '../proposals/proposal.service.js';
import { ProposalStore } from '../proposals/proposal.store.js';
import { proposalView } from '../proposals/proposal.view.js';
import { BulkDecisionResolver } from './bulk-decision.resolver.js';
import { BulkDecisionService } from './bulk-decision.service.js';
import { CorrectionResolver } from './correction.resolver.js';
import { CorrectionService } from './correction.service.js';
import { CreditService } from './credit.service.js';
import { DebitService } from './debit.service.js';
import { MoneyPayloads } from './money.payloads.js';
import { MoneyResolver, ProposalCountResolver } from './money.resolver.js';
import type { ListDecision, MoneyDecision } from './money-decision.js';
import { ProviderQuestionService } from './provider-question.service.js';
import { ReviewQueue } from './review.queue.js';
import { ReviewResolver } from './review.resolver.js';
import { ReviewService } from './review.service.js';

export interface DecisionsParts {
  base: Base;
  ledger: LedgerService;
  audit: AuditService;
  developers: DevelopersReader;
  store: OrderStore;
  enquiries: EnquiryRegistry;
}

/** What people decide about money: credits and debits, orders in review, corrections; above an amount two of them. */
export function createDecisions({ base, ledger, audit, developers, store, enquiries }: DecisionsParts): Room {
  const { orm, pool, config } = base;
  const waiting = new ProposalStore(pool);
  const limits = { alonePaise: config.resolveConfirmPaise, visibilityDelayMs: config.visibilityDelayMs };
  const parts = { orm, ledger, audit, proposals: waiting, store, enquiries, ...limits };
  const reviewQueue = new ReviewQueue(pool, store, waiting, limits);
  const reviews = new ReviewService(parts);
  const lists = new BulkDecisionService({ ...parts, reviews });
  const credits = new CreditService({ ...parts, alone: config.creditAlone });
  const debits = new DebitService(parts);
  const corrections = new CorrectionService(parts);
  const proposals = new ProposalService<MoneyDecision | ListDecision>({
    orm,
    audit,
    store: waiting,
    actions: {
      'wallet.credit': (proposal, by, reason, tx) => credits.carryOut(proposal, by, reason, tx),
      'wallet.debit': (proposal, by, reason, tx) => debits.carryOut(proposal, by, reason, tx),
      'order.settle': (...args) => reviews.carryOut('success', ...args),
      'order.refund': (...args) => reviews.carryOut('failed', ...args),
      'orders.resolve': (...args) => lists.carryOut(...args),
      'order.reverse': (proposal, by, reason, tx) => corrections.carryOut('order.reverse', proposal, by, reason, tx),
      'order.charge_again': (proposal, by, reason, tx) =>
        corrections.carryOut('order.charge_again', proposal, by, reason, tx),
    },
  });
  const payloads = new MoneyPayloads(ledger, reviewQueue, store);
  const questions = new ProviderQuestionService(parts);
  const Proposal: LoadNode = async (key, { principal }) => {
    const staff = principal?.kind === 'session' && principal.role !== 'developer';
    const proposal = staff && isUuid(key) ? await waiting.find(key) : undefined;
    return proposal && proposalView(proposal);
  };
  return {
    nodes: { console: { Proposal } },
    resolvers: {
      console: [
        new ReviewResolver(reviewQueue, developers),
        new CorrectionResolver({ reviews, corrections, questions, payloads }),
        new BulkDecisionResolver(lists, orm),
        new ProposalCountResolver(waiting),
        new MoneyResolver({ credits, debits, proposals, waiting, developers, payloads }),
      ],
    },
  };
}
