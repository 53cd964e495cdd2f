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
/** Returns the document ID for the node ID or document ID of an argument. */
export const documentKeyOf = (id: string): string => id.split('_').at(-1)!;

@NodeType<KycDocument>(
  DOCUMENT,
  {
    description:
      'Document of a KYC submission. Administrators and reviewers can download it; each download is audited.',
  },
  ({ developerId, id }) => `${developerId}_${id}`,
)
export class KycDocument {
  developerId!: DeveloperId;
  id!: string;

  @Field({ description: 'Kind of document as named by the sender.' })
  kind!: string;

  @Field({ description: 'Safe file name.' })
  fileName!: string;

  @Field({ description: 'Content type detected from the content.' })
  contentType!: string;

  @Field(() => Int, { description: 'Size in bytes.' })
  sizeBytes!: number;

  @Field(() => String, {
    nullable: true,
    description:
      'Download link for staff, valid for one minute in a session of the user who requested it. Null for users of the account.',
  })
  downloadUrl!: string | null;
}

@Output({ description: 'Summary of a KYC submission, without personal data. Reads are not audited.' })
export class KycSummary {
  @Field(() => Instant, { description: 'Time of the submission.' })
  submittedAt!: Date;

  @Field(() => Int, { description: 'Number of documents.' })
  documents!: number;

  @Field(() => Int, { description: 'Number of other developers who submitted the same PAN.' })
  developersWithSamePan!: number;
}

const SUBMISSION = 'kyc';
/** Returns the account ID and submission ID in the node ID of a submission. */
export function submissionKeysOf(id: string): { developerId: string; submissionId: string } {
  const [developerId = '', submissionId = ''] = id.replace(`${SUBMISSION}_`, '').split('_');
  return { developerId, submissionId };
}

@NodeType<KycSubmission>(
  SUBMISSION,
  { description: 'Latest KYC submission of a developer. Each read by staff is audited.' },
  ({ developerId, id }) => `${developerId}_${id}`,
)
export class KycSubmission {
  developerId!: DeveloperId;
  id!: string;

  @Field({ description: 'Name as on the PAN card.' })
  legalName!: string;

  @Field({ description: 'Permanent account number (PAN). All but the last 4 characters are masked.' })
  pan!: string;

  @Field(() => String, {
    nullable: true,
    description: 'GST number, in which the PAN is masked. Null if there is none.',
  })
  gstin!: string | null;

  @Field({ description: 'Registered address.' })
  address!: string;

  @Field({ description: 'Postal code.' })
  pincode!: string;

  @Field(() => Instant, { description: 'Time of the submission.' })
  submittedAt!: Date;

  @Field(() => Int, {
    nullable: true,
    description:
      'Number of other developers who submitted the same PAN. Only for staff; null for users of the account.',
  })
  developersWithSamePan!: number | null;

  @Field(() => [KycDocument], { description: 'Documents of the submission.' })
  @Entries(5)
  documents!: KycDocument[];
}

export const KycFieldEnum = words('KycField', 'Field of a KYC submission that is masked until revealed.', {
  pan: 'PAN.',
  gstin: 'GSTIN.',
});
export type KycField = WordOf<typeof KycFieldEnum>;

@Input({ description: 'Field of a KYC submission to reveal.' })
export class RevealKycFieldInput {
  @Field(() => ID, { description: 'ID of the submission. It must be the latest one of the account.' })
  submissionId!: string;

  @Field(() => KycFieldEnum, { description: 'Field to reveal.' })
  field!: KycField;
}

@Output({ description: 'Revealed field of a KYC submission.' })
export class RevealKycFieldPayload {
  @Field(() => String, { nullable: true, description: 'Unmasked value. Null if the submission has none.' })
  value!: string | null;
}
