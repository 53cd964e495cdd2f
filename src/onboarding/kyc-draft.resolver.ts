import { Arg, Ctx, FieldResolver, Mutation, Resolver, Root } from 'type-graphql';
import { actorOf } from '../accounts/account.changes.js';
import { Developer, DeveloperPayload } from '../accounts/developers/developer.types.js';
import type { DevelopersReader } from '../accounts/developers/developers.reader.js';
import { canSeeAccount, ownAccountOf, type RequestContext } from '../core/context.js';
import { READ_ALONE, RowsBeside } from '../graphql-toolkit/rows.js';
import type { KycDraftService } from './kyc-draft.service.js';
import { DeleteKycDocumentInput, DeleteKycDocumentPayload, KycDraft, SaveKycDraftInput } from './kyc-draft.types.js';
import { documentKeyOf, documentNodeId } from './kyc-review.types.js';

/** What the owner of an account has not handed in yet. */
@Resolver(() => Developer)
export class KycDraftResolver {
  constructor(
    private readonly drafts: KycDraftService,
    private readonly developers: DevelopersReader,
  ) {}

  @FieldResolver(() => KycDraft, {
    nullable: true,
    description:
      'For the owners of the account: what is typed and uploaded so far, after a rejection what was handed in. Null while nothing may be handed in.',
  })
  @RowsBeside(READ_ALONE)
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
    const shown = documents.map((document) => ({ ...document, developerId: developer.id, downloadUrl: null }));
    return { documents: shown, remainingDocuments, legalName, pan, gstin, address, pincode };
  }

  @Mutation(() => DeveloperPayload, {
    nullable: true,
    description: 'Keeps what is typed so far, whole or not, until it is handed in.',
  })
  async saveKycDraft(
    @Arg('input', () => SaveKycDraftInput, { description: 'What is typed so far.' }) input: SaveKycDraftInput,
    @Ctx() context: RequestContext,
  ): Promise<DeveloperPayload> {
    const developerId = ownAccountOf(context);
    await this.drafts.save(developerId, { ...input }, actorOf(context));
    return { developer: await this.developers.byId(developerId), approvalRequest: null };
  }

  @Mutation(() => DeleteKycDocumentPayload, {
    nullable: true,
    description: 'Deletes a document that was uploaded and not handed in.',
  })
  async deleteKycDocument(
    @Arg('input', () => DeleteKycDocumentInput, { description: 'Which document.' })
    { documentId }: DeleteKycDocumentInput,
    @Ctx() context: RequestContext,
  ): Promise<DeleteKycDocumentPayload> {
    const developerId = ownAccountOf(context);
    const key = documentKeyOf(documentId);
    await this.drafts.deleteDocument(developerId, key, actorOf(context));
    return { documentId: documentNodeId(developerId, key), developer: await this.developers.byId(developerId) };
  }
}
