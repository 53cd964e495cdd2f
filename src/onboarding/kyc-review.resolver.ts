import { Arg, Ctx, FieldResolver, Mutation, Resolver, Root } from 'type-graphql';
import { actorOf } from '../accounts/account.changes.js';
import { Developer } from '../accounts/developers/developer.types.js';
import { canSeeAccount, type RequestContext, sessionOf } from '../core/context.js';
import { AppError } from '../core/errors.js';
import { isUuid } from '../core/ids.js';
import type { DeveloperId, SessionPrincipal } from '../core/principal.js';
import type { LoadNode } from '../core/room.js';
import { maskDigits } from '../core/secret.js';
import { batchedLoader, type Loader } from '../db/batched-loader.js';
import { ExtraReads, READ_SEPARATELY, READ_TOGETHER } from '../graphql-toolkit/rows.js';
import type { StoredSubmission, SubmissionSummary } from './kyc.store.js';
import type { KycDraftService } from './kyc-draft.service.js';
import type { KycLinks } from './kyc-link.js';
import type { KycReading, KycReviewService } from './kyc-review.service.js';
import {
  type KycDocument,
  KycSubmission,
  KycSummary,
  RevealKycFieldInput,
  RevealKycFieldPayload,
  submissionKeysOf,
} from './kyc-review.types.js';

/** Loads the mobile number of each developer. Undefined if there is none. */
type MobilesOf = (developerIds: readonly DeveloperId[]) => Promise<(string | undefined)[]>;

/** Resolver for KYC data, for reviewers and for the users of the account itself. */
@Resolver(() => Developer)
export class KycReviewResolver {
  readonly #submissions: Loader<KycReading, StoredSubmission | undefined>;
  readonly #summaries: Loader<DeveloperId, SubmissionSummary | undefined>;
  readonly #mobiles: Loader<DeveloperId, string | undefined>;

  constructor(
    private readonly reviews: KycReviewService,
    private readonly links: KycLinks,
    private readonly drafts: KycDraftService,
    mobilesOf: MobilesOf,
  ) {
    this.#mobiles = batchedLoader(mobilesOf);
    this.#summaries = batchedLoader((ids) => reviews.summaries(ids));
    // reads all developers of a list in one transaction
    this.#submissions = batchedLoader((readings) => reviews.read(readings));
  }

  @FieldResolver(() => KycSubmission, {
    nullable: true,
    description:
      'Latest KYC submission. Visible to administrators, reviewers and owners of the account. Null if nothing was submitted. Each read by staff is audited.',
  })
  @ExtraReads(READ_SEPARATELY)
  async kyc(@Root() { id }: Developer, @Ctx() context: RequestContext): Promise<KycSubmission | null> {
    return (await this.#latest(id, context)) ?? null;
  }

  @FieldResolver(() => KycSummary, {
    nullable: true,
    description: 'Summary of the latest KYC submission, for the review queue. Null if nothing was submitted.',
  })
  @ExtraReads(READ_TOGETHER)
  async kycSummary(@Root() { id }: Developer): Promise<KycSummary | null> {
    const summary = await this.#summaries.load(id);
    if (!summary) return null;
    const { otherAccounts: developersWithSamePan, ...rest } = summary;
    return { ...rest, developersWithSamePan };
  }

  @FieldResolver(() => String, {
    nullable: true,
    description: 'Mobile number from the sign-up. Null if there is none.',
  })
  @ExtraReads(READ_TOGETHER)
  async mobile(@Root() { id }: Developer): Promise<string | null> {
    return (await this.#mobiles.load(id)) ?? null;
  }

  @Mutation(() => RevealKycFieldPayload, {
    nullable: true,
    description:
      'Reveals one masked field of the latest KYC submission, to compare it with the documents. Each use is audited.',
  })
  async revealKycField(
    @Arg('input', () => RevealKycFieldInput, { description: 'Submission and field.' })
    { submissionId: id, field }: RevealKycFieldInput,
    @Ctx() context: RequestContext,
  ): Promise<RevealKycFieldPayload> {
    const { developerId, submissionId } = submissionKeysOf(id);
    if (!isUuid(developerId) || !isUuid(submissionId))
      throw new AppError('RECORD_NOT_FOUND', { message: 'Unknown KYC submission.' });
    const by = actorOf(context);
    return { value: await this.reviews.reveal(developerId as DeveloperId, submissionId, field, by) };
  }

  /**
   * Node loaders for submissions and documents, for users who can read `kyc`, and for documents of drafts, for owners. Each
   * read by staff is audited.
   */
  readonly nodes: Readonly<Record<'KycSubmission' | 'KycDocument', LoadNode>> = {
    KycSubmission: async (key, context) => {
      const submission = await this.#latestByKey(key, context);
      return submission && `${submission.developerId}_${submission.id}` === key ? submission : undefined;
    },
    KycDocument: async (key, context) =>
      (await this.#latestByKey(key, context))?.documents.find(
        ({ developerId, id }) => `${developerId}_${id}` === key,
      ) ?? this.#draftDocument(key, context),
  };

  /** Returns an unsubmitted document of the reader's own account. */
  async #draftDocument(key: string, context: RequestContext): Promise<KycDocument | undefined> {
    const { developerId } = sessionOf(context);
    if (!developerId || !key.startsWith(`${developerId}_`)) return undefined;
    const found = (await this.drafts.documents(developerId)).find(({ id }) => `${developerId}_${id}` === key);
    return found && { ...found, developerId, downloadUrl: null };
  }

  /** Returns the latest submission of the account that a key begins with. */
  async #latestByKey(key: string, context: RequestContext): Promise<KycSubmission | undefined> {
    const [developerId = ''] = key.split('_');
    if (!isUuid(developerId)) return undefined;
    return this.#latest(developerId as DeveloperId, context);
  }

  async #latest(developerId: DeveloperId, context: RequestContext): Promise<KycSubmission | undefined> {
    if (!canSeeAccount(context, developerId)) return undefined;
    const reader = sessionOf(context);
    const by = reader.role === 'developer' ? undefined : actorOf(context);
    const submission = await this.#submissions.load({ developerId, by });
    return submission && this.#view(submission, reader);
  }

  #view(submission: StoredSubmission, { role, userId }: SessionPrincipal): KycSubmission {
    const { developerId, pan, gstin, otherAccounts, documents, ...rest } = submission;
    const isStaff = role !== 'developer';
    return {
      ...rest,
      developerId,
      pan: maskDigits(pan),
      gstin: gstin === undefined ? null : maskedGstin(gstin),
      developersWithSamePan: isStaff ? otherAccounts : null,
      documents: documents.map((document) => ({
        ...document,
        developerId,
        downloadUrl: isStaff ? this.links.urlFor(userId, { developerId, documentId: document.id }) : null,
      })),
    };
  }
}

/** Masks a GST number, because it contains the PAN: "27ABCPV1234K1Z5" → "27xxxxxx234K1Z5". */
const maskedGstin = (gstin: string): string => gstin.slice(0, 2) + maskDigits(gstin.slice(2, 12)) + gstin.slice(12);
