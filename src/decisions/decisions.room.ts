import type { AccountActions } from '../accounts/developers/account.decisions.js';
import type { DevelopersReader } from '../accounts/developers/developers.reader.js';
import type { PeopleReader } from '../accounts/people/people.reader.js';
import type { AuditService } from '../audit/audit.service.js';
import { isUuid } from '../core/ids.js';
import type { LoadNode, Room } from '../core/room.js';
import type { Base } from '../db/database.js';
import type { LedgerService } from '../ledger/ledger.service.js';
import type { Mails } from '../mails/mails.room.js';
import type { OrderStore } from '../orders/order.store.js';
import type { EnquiryRegistry } from '../orders/outcomes.js';
import { ProposalService } from '../proposals/proposal.service.js';
import { ProposalStore } from '../proposals/proposal.store.js';
import { proposalView } from '../proposals/proposal.types.js';
import { Allowances } from './alone-allowance.js';
import { BulkDecisionService } from './bulk-decision.service.js';
import { DecisionResolver, type Done } from './decision.resolver.js';
import { moneyActions } from './money-actions.js';
import { OrderHoldResolver } from './order-hold.resolver.js';
import { OrderProposalResolver, ProposalCountResolver, ProposalResolver } from './proposal.resolver.js';
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
  enquiries: EnquiryRegistry;
  /** What accounts add to the table of all that can be proposed. */
  accountActions: AccountActions;
  people: PeopleReader;
  health: Omit<ProviderHealthParts, 'db' | 'exposureLimits'>;
  mails: Mails;
}

/** What people decide about money: credits and debits, orders in review, corrections; above an amount two of them. */
export function createDecisions(given: DecisionsParts): Room {
  const { base, ledger, audit, developers, store, enquiries, accountActions, people, health, mails } = given;
  const { orm, pool, config } = base;
  const { creditAlone, resolveAlone, giveUpAfterMs, visibilityDelayMs } = config;
  const proposals = new ProposalStore(pool);
  const parts = {
    orm,
    ledger,
    audit,
    proposals,
    store,
    enquiries,
    creditAlone,
    resolveAlone,
    giveUpAfterMs,
    visibilityDelayMs,
  };
  const allowances = new Allowances(pool, { credit: creditAlone, resolve: resolveAlone });
  const lists = new BulkDecisionService(parts);
  const actions = moneyActions(parts, lists);
  const Proposal: LoadNode = async (key, { principal }) => {
    const staff = principal?.kind === 'session' && principal.role !== 'developer';
    const proposal = staff && isUuid(key) ? await proposals.find(key) : undefined;
    return proposal && proposalView(proposal);
  };
  return {
    nodes: { console: { Proposal } },
    resolvers: {
      console: [
        new ReviewResolver(new ReviewQueue(pool, store, proposals, parts), developers),
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
          proposals: new ProposalService<Done>({ orm, audit, proposals, actions: { ...actions, ...accountActions } }),
          questions: new ProviderQuestionService(parts),
        }),
        new ProposalResolver({ orm, proposals, developers, store, ledger }),
        new OrderProposalResolver(proposals),
        new WalletCorrectionResolver(pool),
        new ProposalCountResolver(proposals),
        new OrderHoldResolver(health.deciding, health.switches),
        new ProviderHealthResolver({ ...health, db: pool, exposureLimits: config.exposureLimits }),
      ],
    },
  };
}
