import { Field, ID, Int } from 'type-graphql';
import { Developer } from '../accounts/developers/developer.types.js';
import { Output } from '../graphql-toolkit/graphql-types.js';
import { Entries } from '../graphql-toolkit/rows.js';
import { Input, Pattern } from '../graphql-toolkit/rules.js';
import { MAX_DOCUMENTS } from './kyc-document.js';
import { KycDocument } from './kyc-review.types.js';

@Output({ description: 'KYC draft that was not submitted. Kept for 30 days.' })
export class KycDraft {
  @Field(() => [KycDocument], {
    description:
      'Uploaded documents that are not part of a submission. `submitKyc` accepts their IDs and those of the documents of the last submission.',
  })
  @Entries(MAX_DOCUMENTS)
  documents!: KycDocument[];

  @Field(() => Int, { description: 'Number of documents that can still be uploaded.' })
  remainingDocuments!: number;

  @Field(() => String, { nullable: true, description: 'Name as on the PAN card.' })
  legalName!: string | null;

  @Field(() => String, { nullable: true, description: 'Permanent account number (PAN) as entered, not masked.' })
  pan!: string | null;

  @Field(() => String, { nullable: true, description: 'GST number as entered.' })
  gstin!: string | null;

  @Field(() => String, { nullable: true, description: 'Registered address.' })
  address!: string | null;

  @Field(() => String, { nullable: true, description: 'Postal code.' })
  pincode!: string | null;
}

/** Decorates a text field of a draft. Incomplete values are saved too; `submitKyc` validates them. */
const DraftText = (max: number, description: string): PropertyDecorator => {
  const message = `Must be at most ${max} characters of printable text.`;
  return (target, property) => {
    Field(() => String, { nullable: true, description })(target, property);
    Pattern(new RegExp(`^\\P{Cc}{0,${max}}$`, 'u'), message, { rule: 'TEXT', max })(target, property);
  };
};

@Input({ description: 'Current entries of the form, complete or not. Omitted fields are cleared.' })
export class SaveKycDraftInput {
  @DraftText(100, 'Name as on the PAN card.')
  legalName?: string;

  @DraftText(20, 'Permanent account number (PAN).')
  pan?: string;

  @DraftText(30, 'GST number, if there is one.')
  gstin?: string;

  @DraftText(255, 'Registered address.')
  address?: string;

  @DraftText(20, 'Postal code.')
  pincode?: string;
}

@Input({ description: 'Uploaded document to delete. It must not be submitted.' })
export class DeleteKycDocumentInput {
  @Field(() => ID, { description: 'ID of the document.' })
  documentId!: string;
}

@Output({ description: 'The deleted document.' })
export class DeleteKycDocumentPayload {
  @Field(() => ID, { description: 'ID of the deleted document.' })
  documentId!: string;

  @Field(() => Developer, { description: 'The account after the change.' })
  developer!: Developer;
}
