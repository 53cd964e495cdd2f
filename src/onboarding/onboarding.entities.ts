import { defineEntity, p } from '@mikro-orm/postgresql';

/**
 * Sign-up with an emailed link. The account is created only when the link is used. Link and address are stored only as hashes.
 */
export const SignUpEntity = defineEntity({
  name: 'SignUp',
  tableName: 'sign_up',
  properties: {
    tokenHash: p.blob().primary(),
    emailHash: p.blob(),
    /** Details of the sign-up, encrypted. */
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
    /** Encrypted contact details. */
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
    /** Kind and file name, encrypted. */
    details: p.blob(),
    /** Encrypted content, up to a few MB. */
    content: p.blob().lazy(),
    sizeBytes: p.integer(),
    createdAt: p.datetime().onCreate(() => new Date()),
    submittedAt: p.datetime().nullable(),
  },
});

/** Unsubmitted entries of an owner. */
export const KycDraftEntity = defineEntity({
  name: 'KycDraft',
  tableName: 'kyc_draft',
  properties: {
    developerId: p.uuid().primary(),
    /** Details of the draft, encrypted. */
    details: p.blob(),
    updatedAt: p.datetime(),
  },
});

/** KYC submission, which never changes. */
export const KycSubmissionEntity = defineEntity({
  name: 'KycSubmission',
  tableName: 'kyc_submission',
  properties: {
    developerId: p.uuid().primary(),
    id: p.uuid().primary(),
    /** Keyed hash of the PAN, to find accounts of the same person. */
    panHash: p.blob(),
    /** Details of the submission, encrypted. */
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
