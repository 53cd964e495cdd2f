import type { createAccounts } from '../accounts/accounts.room.js';
import type { AuditService } from '../audit/audit.service.js';
import type { Counters } from '../db/counters/counters.js';
import type { Base } from '../db/database.js';
import type { EntityManager } from '../db/orm.js';
import type { Emails } from '../mails/emails.room.js';
import { GoLive } from './go-live.js';
import { GoLiveResolver } from './go-live.resolver.js';
import { KycService } from './kyc.service.js';
import { KycStore } from './kyc.store.js';
import { KycDraftResolver } from './kyc-draft.resolver.js';
import { KycDraftService } from './kyc-draft.service.js';
import { KycLinks } from './kyc-link.js';
import { KycReviewResolver } from './kyc-review.resolver.js';
import { KycReviewService } from './kyc-review.service.js';
import { OnboardingResolver } from './onboarding.resolver.js';
import { SignUpService } from './sign-up.service.js';
import { SignUpStore } from './sign-up.store.js';
import { UploadQuota } from './upload-quota.js';

export interface OnboardingParts {
  base: Base;
  accounts: ReturnType<typeof createAccounts>;
  audit: AuditService;
  mails: Emails;
  counters: Counters;
}

/** Creates the onboarding module, from sign-up and email confirmation to KYC review. */
export function createOnboarding({ base, accounts, audit, mails, counters }: OnboardingParts) {
  const { orm, encryption, rowKeys, config } = base;
  const { developers, users, passwords, attempts, allowance } = accounts;
  const consoleUrl = config.publicUrls.console;
  const documents = new KycStore(encryption, config.pepper);
  const kyc = {
    reviews: new KycReviewService(orm, audit, documents),
    links: new KycLinks(config.pepper, consoleUrl),
  };
  const store = new SignUpStore(encryption, config.pepper, rowKeys);
  const signUps = new SignUpService({
    orm,
    developers,
    users,
    passwords,
    attempts,
    allowance,
    store,
    mails,
    consoleUrl,
  });
  const drafts = new KycDraftService(orm, audit, documents);
  const reviewResolver = new KycReviewResolver(kyc.reviews, kyc.links, drafts, (ids) =>
    store.mobilesOf(ids, orm.em.fork() as EntityManager),
  );
  const submissions = new KycService({
    orm,
    developers,
    audit,
    store: documents,
    quota: new UploadQuota(counters),
  });
  return {
    /** KYC services, also used for uploads and downloads of documents. */
    kyc: { ...kyc, submissions },
    room: {
      resolvers: {
        console: [
          new OnboardingResolver(signUps, submissions, accounts.reader),
          new KycDraftResolver(drafts, accounts.reader),
          new GoLiveResolver(new GoLive(base.pool), developers, accounts.reader),
          reviewResolver,
        ],
      },
      nodes: { console: reviewResolver.nodes },
    },
  };
}
