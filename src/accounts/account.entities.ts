import { defineEntity, type InferEntity, p } from '@mikro-orm/postgresql';
import { environments } from '../core/environment.js';
import { newId } from '../core/ids.js';
import { DEFAULT_SESSION_IDLE_MINUTES, onboardingStatuses, roles, teamRoles } from '../core/principal.js';
import { services } from '../core/services.js';
import { defaultRechargeProvider, rechargeProviderNames } from '../providers/registry.js';

export const WhiteLabelEntity = defineEntity({
  name: 'WhiteLabel',
  tableName: 'white_label',
  properties: {
    id: p.uuid().primary().onCreate(newId),
    name: p.string(),
    rechargeProvider: p.enum(rechargeProviderNames),
    disabledAt: p.datetime().nullable(),
    createdAt: p.datetime().onCreate(() => new Date()),
  },
});

export const DeveloperEntity = defineEntity({
  name: 'Developer',
  tableName: 'developer',
  properties: {
    id: p.uuid().primary().onCreate(newId),
    name: p.string(),
    email: p.string(),
    onboardingStatus: p.enum(onboardingStatuses).default('registered'),
    emailVerifiedAt: p.datetime().nullable(),
    kycSubmittedAt: p.datetime().nullable(),
    productionRequestedAt: p.datetime().nullable(),
    productionRequest: p.string().nullable(),
    productionUnlocked: p.boolean().default(false),
    productionUnlockedAt: p.datetime().nullable(),
    suspendedAt: p.datetime().nullable(),
    suspensionReason: p.string().nullable(),
    whiteLabel: () => p.manyToOne(WhiteLabelEntity).nullable(),
    rechargeProvider: p.enum(rechargeProviderNames).default(defaultRechargeProvider),
    rateLimitPerMinute: p.integer().nullable(),
    duplicateGuardS: p.integer().default(0),
    sessionIdleMinutes: p.integer().default(DEFAULT_SESSION_IDLE_MINUTES),
    tokenIdleDays: p.integer().nullable(),
    tokenMaxDays: p.integer().nullable(),
    rejectionReason: p.string().nullable(),
    rejectedAt: p.datetime().nullable(),
    closedAt: p.datetime().nullable(),
    approvedAt: p.datetime().nullable(),
    approvedBy: p.string().nullable(),
    createdAt: p.datetime().onCreate(() => new Date()),
  },
});

export const DeveloperNoteEntity = defineEntity({
  name: 'DeveloperNote',
  tableName: 'developer_note',
  properties: {
    id: p.uuid().primary().onCreate(newId),
    developerId: p.uuid(),
    author: p.string(),
    text: p.string(),
    createdAt: p.datetime().onCreate(() => new Date()),
  },
});

export const ServiceAccessEntity = defineEntity({
  name: 'ServiceAccess',
  tableName: 'service_access',
  properties: {
    developerId: p.uuid().primary(),
    service: p.enum(services).primary(),
    enabled: p.boolean(),
    feePaise: p.bigint('bigint'),
    changedAt: p.datetime(),
    changedBy: p.string().nullable(),
  },
});

export const CredentialEntity = defineEntity({
  name: 'Credential',
  tableName: 'credential',
  properties: {
    clientId: p.string().primary(),
    developerId: p.uuid(),
    environment: p.enum(environments),
    secretHash: p.blob(),
    secretLast4: p.string().fieldName('secret_last4'),
    label: p.string().nullable(),
    createdAt: p.datetime().onCreate(() => new Date()),
    lastUsedAt: p.datetime().nullable(),
    suspendedAt: p.datetime().nullable(),
    suspensionReason: p.string().nullable(),
    expiresAt: p.datetime().nullable(),
    revokedAt: p.datetime().nullable(),
    startsAt: p.datetime().nullable(),
    replaces: p.string().nullable(),
  },
});

export const UserEntity = defineEntity({
  name: 'User',
  tableName: 'app_user',
  // removed users remain only in the audit log, which does not use this entity
  filters: { present: { name: 'present', cond: { removedAt: null }, default: true } },
  properties: {
    id: p.uuid().primary().onCreate(newId),
    email: p.string(),
    name: p.string(),
    role: p.enum(roles),
    teamRole: p.enum(teamRoles).nullable(),
    passwordHash: p.string(),
    /** Encrypted mobile number. */
    mobile: p.blob().nullable().lazy(),
    developerId: p.uuid().nullable(),
    createdAt: p.datetime().onCreate(() => new Date()),
    disabledAt: p.datetime().nullable(),
    emergencySuspendedBy: p.uuid().nullable(),
    removedAt: p.datetime().nullable(),
  },
});

export const SessionEntity = defineEntity({
  name: 'Session',
  tableName: 'session',
  properties: {
    sessionHash: p.blob().primary(),
    id: p.uuid().onCreate(newId),
    userId: p.uuid(),
    createdAt: p.datetime().onCreate(() => new Date()),
    lastUsedAt: p.datetime().onCreate(() => new Date()),
    expiresAt: p.datetime(),
    revokedAt: p.datetime().nullable(),
    address: p.string().nullable(),
    agent: p.string().nullable(),
    confirmedAt: p.datetime().nullable(),
    mac: p.blob(),
  },
});

export const PasswordResetEntity = defineEntity({
  name: 'PasswordReset',
  tableName: 'password_reset',
  properties: {
    tokenHash: p.blob().primary(),
    userId: p.uuid(),
    createdAt: p.datetime().onCreate(() => new Date()),
    expiresAt: p.datetime(),
    mac: p.blob(),
  },
});

export const secondFactorKinds = ['totp', 'passkey', 'recovery_codes'] as const;
export type SecondFactorKind = (typeof secondFactorKinds)[number];

export const SecondFactorEntity = defineEntity({
  name: 'SecondFactor',
  tableName: 'second_factor',
  properties: {
    id: p.uuid().primary().onCreate(newId),
    userId: p.uuid(),
    kind: p.enum(secondFactorKinds),
    name: p.string(),
    addedAt: p.datetime().onCreate(() => new Date()),
    confirmedAt: p.datetime().nullable(),
    lastUsedAt: p.datetime().nullable(),
    secret: p.blob().nullable(),
    lastPeriod: p.bigint('number').nullable(),
    credentialId: p.string().nullable(),
    publicKey: p.blob().nullable(),
    signCount: p.bigint('number').nullable(),
    mac: p.blob(),
  },
});

export const RecoveryCodeEntity = defineEntity({
  name: 'RecoveryCode',
  tableName: 'recovery_code',
  properties: { factorId: p.uuid().primary(), codeHash: p.blob().primary() },
});

export const AnsweredChallengeEntity = defineEntity({
  name: 'AnsweredChallenge',
  tableName: 'answered_challenge',
  properties: { challenge: p.string().primary(), expiresAt: p.datetime() },
});

export const KnownDeviceEntity = defineEntity({
  name: 'KnownDevice',
  tableName: 'known_device',
  properties: {
    userId: p.uuid().primary(),
    deviceHash: p.blob().primary(),
    lastSeenAt: p.datetime().onCreate(() => new Date()),
  },
});

export const InvitationEntity = defineEntity({
  name: 'Invitation',
  tableName: 'invitation',
  properties: {
    /** ID that the user will have. */
    id: p.uuid().primary(),
    tokenHash: p.blob(),
    email: p.string(),
    name: p.string(),
    role: p.enum(roles),
    teamRole: p.enum(teamRoles).nullable(),
    developerId: p.uuid().nullable(),
    /** User who sent the invitation. Null for a command on the server. */
    invitedBy: p.uuid().nullable(),
    createdAt: p.datetime(),
    expiresAt: p.datetime(),
    mac: p.blob(),
  },
});

export const EmailChangeEntity = defineEntity({
  name: 'EmailChange',
  tableName: 'email_change',
  properties: {
    tokenHash: p.blob().primary(),
    userId: p.uuid(),
    /** New address, encrypted. */
    email: p.blob(),
    createdAt: p.datetime().onCreate(() => new Date()),
    expiresAt: p.datetime(),
    mac: p.blob(),
  },
});

export type WhiteLabelRow = InferEntity<typeof WhiteLabelEntity>;
export type DeveloperRow = InferEntity<typeof DeveloperEntity>;
export type CredentialRow = InferEntity<typeof CredentialEntity>;
export type UserRow = InferEntity<typeof UserEntity>;
export type SessionRow = InferEntity<typeof SessionEntity>;
export type SecondFactorRow = InferEntity<typeof SecondFactorEntity>;
export type InvitationRow = InferEntity<typeof InvitationEntity>;

export const accountEntities = [
  WhiteLabelEntity,
  DeveloperEntity,
  DeveloperNoteEntity,
  ServiceAccessEntity,
  CredentialEntity,
  UserEntity,
  SessionEntity,
  PasswordResetEntity,
  SecondFactorEntity,
  RecoveryCodeEntity,
  AnsweredChallengeEntity,
  KnownDeviceEntity,
  InvitationEntity,
  EmailChangeEntity,
];
