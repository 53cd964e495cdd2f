import { Arg, Ctx, FieldResolver, Mutation, Resolver, Root } from 'type-graphql';
import { actorOf } from '../accounts/account.changes.js';
import { Developer, DeveloperPayload } from '../accounts/developers/developer.types.js';
import type { DevelopersReader } from '../accounts/developers/developers.reader.js';
import { canSeeAccount, ownAccountOf, type RequestContext } from '../core/context.js';
import { ExtraReads, READ_SEPARATELY } from '../graphql-toolkit/rows.js';
import type { KycDraftService } from './kyc-draft.service.js';
import { DeleteKycDocumentInput, DeleteKycDocumentPayload, KycDraft, SaveKycDraftInput } from './kyc-draft.types.js';
import { documentKeyOf, documentNodeId } from './kyc-review.types.js';

/** Resolver for the KYC draft of an account, for its owners. */
@Resolver(() => Developer)
export class KycDraftResolver {
  constructor(
    private readonly drafts: KycDraftService,
    private readonly developers: DevelopersReader,
  ) {}

  @FieldResolver(() => KycDraft, {
    nullable: true,
    description:
      'KYC draft with the entries and uploads so far. After a rejection, it starts with the last submission. Visible to owners of the account. Null if KYC cannot be submitted now.',
  })
  @ExtraReads(READ_SEPARATELY)
  async kycDraft(@Root() developer: Developer, @Ctx() context: RequestContext): Promise<KycDraft | null> {
    if (!canSeeAccount(context, developer.id)) return null;
    const draft = await this.drafts.read(developer);
    if (!draft) return null;
    const {
      documents,
      remainingDocuments,
      legalName = null,
      pan = null,
      gstin = null,
      address = null,
      pincode = null,
    } = draft;
    const documentViews = documents.map((document) => ({ ...document, developerId: developer.id, downloadUrl: null }));
    return { documents: documentViews, remainingDocuments, legalName, pan, gstin, address, pincode };
  }

  @Mutation(() => DeveloperPayload, {
    nullable: true,
    description: 'Saves the KYC draft until submission. Values can be incomplete.',
  })
  async saveKycDraft(
    @Arg('input', () => SaveKycDraftInput, { description: 'Current entries of the form.' }) input: SaveKycDraftInput,
    @Ctx() context: RequestContext,
  ): Promise<DeveloperPayload> {
    const developerId = ownAccountOf(context);
    await this.drafts.save(developerId, { ...input }, actorOf(context));
    return { developer: await this.developers.byId(developerId), approvalRequest: null };
  }

  @Mutation(() => DeleteKycDocumentPayload, {
    nullable: true,
    description: 'Deletes an uploaded document that was not submitted.',
  })
  async deleteKycDocument(
    @Arg('input', () => DeleteKycDocumentInput, { description: 'Document to delete.' })
    { documentId }: DeleteKycDocumentInput,
    @Ctx() context: RequestContext,
  ): Promise<DeleteKycDocumentPayload> {
    const developerId = ownAccountOf(context);
    const key = documentKeyOf(documentId);
    await this.drafts.deleteDocument(developerId, key, actorOf(context));
    return { documentId: documentNodeId(developerId, key), developer: await this.developers.byId(developerId) };
  }
}
