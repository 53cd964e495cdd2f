import DataLoader from 'dataloader';
import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { actorOf } from '../accounts/acting-user.js';
import { Developer } from '../accounts/developer.types.js';
import { type RequestContext, sessionOf } from '../core/context.js';
import type { UserId } from '../core/principal.js';
import { maskDigits } from '../core/secret.js';
import type { StoredSubmission } from './kyc.store.js';
import type { KycLinks } from './kyc-link.js';
import type { KycReading, KycReviewService } from './kyc-review.service.js';
import { KycSubmission } from './kyc-review.types.js';

/** Readings that share a transaction: each holds the lock of the audit trail for its entry. */
const READ_AT_ONCE = 50;

/** What an admin decides on. */
@Resolver(() => Developer)
export class KycReviewResolver {
  readonly #links: KycLinks;
  readonly #submissions: DataLoader<KycReading, StoredSubmission | undefined>;

  constructor(reviews: KycReviewService, links: KycLinks) {
    this.#links = links;
    // a list of developers reads all of them in one transaction
    this.#submissions = new DataLoader((readings) => reviews.read(readings), {
      cache: false,
      maxBatchSize: READ_AT_ONCE,
    });
  }

  @FieldResolver(() => KycSubmission, {
    nullable: true,
    description: 'What was handed in last, for admins; null before anything was. Every reading is audited.',
  })
  async kyc(@Root() { id }: Developer, @Ctx() context: RequestContext): Promise<KycSubmission | null> {
    const submission = await this.#submissions.load({ developerId: id, by: actorOf(context) });
    return submission ? this.#view(submission, sessionOf(context).userId) : null;
  }

  #view(submission: StoredSubmission, userId: UserId): KycSubmission {
    const { developerId, pan, gstin, otherAccounts, documents, ...shown } = submission;
    return {
      ...shown,
      pan: maskDigits(pan),
      gstin: gstin === undefined ? null : maskedGstin(gstin),
      samePanOtherDevelopers: otherAccounts,
      documents: documents.map((document) => ({
        ...document,
        downloadUrl: this.#links.urlFor(userId, { developerId, documentId: document.id }),
      })),
    };
  }
}

/** "27ABCPV1234K1Z5" → "27xxxxxx234K1Z5": a GST number holds the PAN. */
const maskedGstin = (gstin: string): string => gstin.slice(0, 2) + maskDigits(gstin.slice(2, 12)) + gstin.slice(12);
