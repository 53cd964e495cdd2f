import { Field, ID, Int } from 'type-graphql';
import type { DeveloperId } from '../core/principal.js';
import { Output } from '../graphql-toolkit/graphql-types.js';
import { NodeType } from '../graphql-toolkit/node.js';
import { Entries } from '../graphql-toolkit/rows.js';
import { Input } from '../graphql-toolkit/rules.js';
import { Instant } from '../graphql-toolkit/scalars.js';
import { type WordOf, words } from '../graphql-toolkit/words.js';

const DOCUMENT = 'doc';
export const documentNodeId = (developerId: string, id: string): string => `${DOCUMENT}_${developerId}_${id}`;
/** What an argument names a document by → its own key. */
export const documentKeyOf = (id: string): string => id.split('_').at(-1)!;

@NodeType<KycDocument>(
  DOCUMENT,
  { description: 'A document of a submission. Admins download it, and every download is audited.' },
  ({ developerId, id }) => `${developerId}_${id}`,
)
export class KycDocument {
  developerId!: DeveloperId;
  id!: string;

  @Field({ description: 'What it is, in the words of its sender.' })
  kind!: string;

  @Field({ description: 'A safe name for it.' })
  fileName!: string;

  @Field({ description: 'What its content is.' })
  contentType!: string;

  @Field(() => Int, { description: 'Bytes.' })
  sizeBytes!: number;

  @Field(() => String, {
    nullable: true,
    description:
      'For staff; null for the account itself. Good for a minute, for the user who asked, with their session.',
  })
  downloadUrl!: string | null;
}

@Output({ description: 'What of the last submission holds no personal data: reading it leaves no entry.' })
export class KycSummary {
  @Field(() => Instant, { description: 'When it was handed in.' })
  submittedAt!: Date;

  @Field(() => Int, { description: 'How many documents it has.' })
  documents!: number;

  @Field(() => Int, { description: 'How many other developers have handed in the same PAN.' })
  developersWithSamePan!: number;
}

const SUBMISSION = 'kyc';
/** Account and key in the ID of a submission. */
export function submissionKeysOf(id: string): { developerId: string; submissionId: string } {
  const [developerId = '', submissionId = ''] = id.replace(`${SUBMISSION}_`, '').split('_');
  return { developerId, submissionId };
}

@NodeType<KycSubmission>(
  SUBMISSION,
  { description: 'What a developer handed in last, for an admin to decide on. Every reading by staff is audited.' },
  ({ developerId, id }) => `${developerId}_${id}`,
)
export class KycSubmission {
  developerId!: DeveloperId;
  id!: string;

  @Field({ description: 'Name as the PAN has it.' })
  legalName!: string;

  @Field({ description: 'Permanent account number, all but its last 4 characters masked.' })
  pan!: string;

  @Field(() => String, { nullable: true, description: 'GST number; the PAN in it is masked.' })
  gstin!: string | null;

  @Field({ description: 'Registered address.' })
  address!: string;

  @Field({ description: 'Postal code.' })
  pincode!: string;

  @Field(() => Instant, { description: 'When it was handed in.' })
  submittedAt!: Date;

  @Field(() => Int, {
    nullable: true,
    description: 'For staff: how many other developers have handed in the same PAN; null for the account itself.',
  })
  developersWithSamePan!: number | null;

  @Field(() => [KycDocument], { description: 'Its documents.' })
  @Entries(5)
  documents!: KycDocument[];
}

export const KycFieldEnum = words('KycField', 'Field of a KYC submission that is masked until it is revealed.', {
  pan: 'PAN.',
  gstin: 'GSTIN.',
});
export type KycField = WordOf<typeof KycFieldEnum>;

@Input({ description: 'Field of a KYC submission to reveal.' })
export class RevealKycFieldInput {
  @Field(() => ID, { description: 'ID of the submission, which must be the last one of its account.' })
  submissionId!: string;

  @Field(() => KycFieldEnum, { description: 'Field to reveal.' })
  field!: KycField;
}

@Output({ description: 'Revealed field of a KYC submission.' })
export class RevealKycFieldPayload {
  @Field(() => String, { nullable: true, description: 'Whole value; null when the submission has none.' })
  value!: string | null;
}
