import { Field, ID, Int } from 'type-graphql';
import { Developer } from '../accounts/developers/developer.types.js';
import { Output } from '../graphql-toolkit/graphql-types.js';
import { Entries } from '../graphql-toolkit/rows.js';
import { Input, Pattern } from '../graphql-toolkit/rules.js';
import { MAX_DOCUMENTS } from './kyc-document.js';
import { KycDocument } from './kyc-review.types.js';

@Output({ description: 'What its owner has typed and uploaded, and not handed in. It is kept for 30 days.' })
export class KycDraft {
  @Field(() => [KycDocument], {
    description: 'Uploaded, and in no submission: `submitKyc` may name them, beside those of the last submission.',
  })
  @Entries(MAX_DOCUMENTS)
  documents!: KycDocument[];

  @Field(() => Int, { description: 'Number of documents that can still be uploaded.' })
  remainingDocuments!: number;

  @Field(() => String, { nullable: true, description: 'Name as the PAN has it.' })
  legalName!: string | null;

  @Field(() => String, { nullable: true, description: 'Permanent account number, as it was typed: whole.' })
  pan!: string | null;

  @Field(() => String, { nullable: true, description: 'GST number, as it was typed.' })
  gstin!: string | null;

  @Field(() => String, { nullable: true, description: 'Registered address.' })
  address!: string | null;

  @Field(() => String, { nullable: true, description: 'Postal code.' })
  pincode!: string | null;
}

/** Half a value is kept too: `submitKyc` judges it. */
const Typed = (max: number, description: string): PropertyDecorator => {
  const message = `Must be at most ${max} characters of printable text.`;
  return (target, property) => {
    Field(() => String, { nullable: true, description })(target, property);
    Pattern(new RegExp(`^\\P{Cc}{0,${max}}$`, 'u'), message, { rule: 'TEXT', max })(target, property);
  };
};

@Input({ description: 'What is typed so far, whole or not. What is left out is empty.' })
export class SaveKycDraftInput {
  @Typed(100, 'Name as the PAN has it.')
  legalName?: string;

  @Typed(20, 'Permanent account number.')
  pan?: string;

  @Typed(30, 'GST number, where there is one.')
  gstin?: string;

  @Typed(255, 'Registered address.')
  address?: string;

  @Typed(20, 'Postal code.')
  pincode?: string;
}

@Input({ description: 'A document that was uploaded and not handed in.' })
export class DeleteKycDocumentInput {
  @Field(() => ID, { description: 'Id of the document.' })
  documentId!: string;
}

@Output({ description: 'A document that is there no more.' })
export class DeleteKycDocumentPayload {
  @Field(() => ID, { description: 'Its id.' })
  documentId!: string;

  @Field(() => Developer, { description: 'The account as it is now.' })
  developer!: Developer;
}
