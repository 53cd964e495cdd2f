import { Field, ID, Int } from 'type-graphql';
import { Output } from '../graphql-toolkit/graphql-types.js';
import { Instant } from '../graphql-toolkit/scalars.js';

@Output({ description: 'A document of a submission. Every download is audited.' })
export class KycDocument {
  @Field(() => ID, { description: 'What uploadKycDocument returned.' })
  id!: string;

  @Field({ description: 'What it is, in the words of its sender.' })
  kind!: string;

  @Field({ description: 'A safe name for it.' })
  fileName!: string;

  @Field({ description: 'What its content is.' })
  contentType!: string;

  @Field(() => Int, { description: 'Bytes.' })
  sizeBytes!: number;

  @Field({ description: 'Good for a minute, for the user who asked, with their session.' })
  downloadUrl!: string;
}

@Output({ description: 'What a developer handed in last, for an admin to decide on. Every reading is audited.' })
export class KycSubmission {
  @Field(() => ID, { description: 'Id of the submission.' })
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

  @Field(() => Int, { description: 'How many other developers have handed in the same PAN.' })
  samePanOtherDevelopers!: number;

  @Field(() => [KycDocument], { description: 'Its documents.' })
  documents!: KycDocument[];
}
