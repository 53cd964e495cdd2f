import { defineEntity, p } from '@mikro-orm/postgresql';

/** A link that was mailed: nobody has an account before it is used. Of link and address only hashes are kept. */
export const SignUpEntity = defineEntity({
  name: 'SignUp',
  tableName: 'sign_up',
  properties: {
    tokenHash: p.blob().primary(),
    emailHash: p.blob(),
    /** Encrypted. */
    details: p.blob(),
    createdAt: p.datetime().onCreate(() => new Date()),
    expiresAt: p.datetime(),
    mac: p.blob(),
  },
});

export const DeveloperContactEntity = defineEntity({
  name: 'DeveloperContact',
  tableName: 'developer_contact',
  properties: {
    developerId: p.uuid().primary(),
    /** Encrypted. */
    contact: p.blob(),
    updatedAt: p.datetime(),
  },
});

export const KycDocumentEntity = defineEntity({
  name: 'KycDocument',
  tableName: 'kyc_document',
  properties: {
    developerId: p.uuid().primary(),
    id: p.uuid().primary(),
    /** What it is called, encrypted. */
    details: p.blob(),
    /** Encrypted; some megabytes. */
    content: p.blob().lazy(),
    sizeBytes: p.integer(),
    createdAt: p.datetime().onCreate(() => new Date()),
    submittedAt: p.datetime().nullable(),
  },
});

/** What an owner has typed and not handed in. */
export const KycDraftEntity = defineEntity({
  name: 'KycDraft',
  tableName: 'kyc_draft',
  properties: {
    developerId: p.uuid().primary(),
    /** Encrypted. */
    details: p.blob(),
    updatedAt: p.datetime(),
  },
});

/** What was handed in; it never changes. */
export const KycSubmissionEntity = defineEntity({
  name: 'KycSubmission',
  tableName: 'kyc_submission',
  properties: {
    developerId: p.uuid().primary(),
    id: p.uuid().primary(),
    /** Keyed: by it accounts of the same person are found. */
    panHash: p.blob(),
    /** Encrypted. */
    details: p.blob(),
    documentIds: p.array(),
    createdAt: p.datetime().onCreate(() => new Date()),
  },
});

export const onboardingEntities = [
  SignUpEntity,
  DeveloperContactEntity,
  KycDocumentEntity,
  KycDraftEntity,
  KycSubmissionEntity,
];
