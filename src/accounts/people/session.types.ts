import { Field, ID, Int } from 'type-graphql';
import type { DeveloperId, Role, TeamRole } from '../../core/principal.js';
import { Output } from '../../graphql-toolkit/graphql-types.js';
import { NodeType } from '../../graphql-toolkit/node.js';
import { Input, Text } from '../../graphql-toolkit/rules.js';
import { Instant } from '../../graphql-toolkit/scalars.js';
import { type WordOf, words } from '../../graphql-toolkit/words.js';
import { Reason } from '../account.changes.js';
import { User } from './people.types.js';

/** Length of a recovery code with spaces. */
export const CODE_LENGTH = 20;
/** Maximum length of a passkey response. It has about 1,500 characters, and more with certificates. */
export const PASSKEY_LENGTH = 16_000;

@Input({
  description:
    'Credentials for the console: email address and password, with `code` or `passkey` if the user has a second factor; or only `passkey`.',
})
export class SignInInput {
  @Field(() => String, { nullable: true, description: 'Email address.' })
  @Text(254)
  email?: string;

  @Field(() => String, { nullable: true, description: 'Password.' })
  @Text(200)
  password?: string;

  @Field(() => String, {
    nullable: true,
    description: 'Current code of the authenticator app, or a recovery code. Ignored if the user has no second factor.',
  })
  @Text(CODE_LENGTH)
  code?: string;

  @Field(() => String, {
    nullable: true,
    description: 'Response of the passkey to `startPasskeySignIn`: `toJSON()` of the credential, as JSON text.',
  })
  @Text(PASSKEY_LENGTH)
  passkey?: string;
}

@NodeType<Session>('ses', { description: 'Open session of a user.' })
export class Session {
  id!: string;

  @Field(() => Instant, { description: 'Time the session was opened.' })
  createdAt!: Date;

  @Field(() => Instant, { description: 'Time of the last request in the session, to the minute.' })
  lastSeenAt!: Date;

  @Field(() => Instant, { description: 'Time the session expires.' })
  expiresAt!: Date;

  @Field(() => String, {
    nullable: true,
    description: 'IP address that opened the session; for IPv6, its /64 network. Null if unknown.',
  })
  address!: string | null;

  @Field(() => String, {
    nullable: true,
    description: '`User-Agent` header of the client that opened the session. Null if unknown.',
  })
  userAgent!: string | null;

  @Field({ description: 'Whether this is the session of the current request.' })
  current!: boolean;
}

@Output({ description: 'The signed-in user.' })
export class Viewer {
  /** Whether the session can only be used to add a second factor. */
  mustEnroll!: boolean;
  /** User that the field `user` returns. */
  userId!: string;
  /** Account that the field `developer` returns. Undefined for staff. */
  developerId!: DeveloperId | undefined;
  /** Role of the user, from which `may` is computed. */
  role!: Role;
  teamRole!: TeamRole | undefined;
}

@Output({
  description:
    'Session of at most 12 hours. An idle session expires after `Developer.sessionIdleMinutes`; for staff, after the idle limit of the installation. Browsers receive an HttpOnly cookie; other clients send the token as a Bearer token.',
})
export class SignInPayload {
  @Field({ description: 'Session token. Send it in the header `Authorization: Bearer <token>`, to this host only.' })
  token!: string;

  @Field(() => Instant, { description: 'Time the session expires.' })
  expiresAt!: Date;

  @Field(() => Viewer, { description: 'User who signed in.' })
  viewer!: Viewer;

  @Field({
    description:
      'Whether the user must add a second factor first. Until then, all other operations fail with SECOND_FACTOR_NOT_ENROLLED.',
  })
  mustEnroll!: boolean;
}

@Output({ description: 'Result of signing out.' })
export class SignOutPayload {
  @Field({ description: 'Always true.' })
  signedOut!: boolean;
}

const SessionScopeEnum = words('SessionScope', 'Scope of the sessions of the signed-in user.', {
  others: 'All sessions except the session of this request.',
  all: 'All sessions, including the session of this request.',
});
type SessionScope = WordOf<typeof SessionScopeEnum>;

@Input({ description: 'Sessions to revoke.' })
export class RevokeSessionsInput {
  @Field(() => SessionScopeEnum, { description: 'Scope: OTHERS or ALL.' })
  scope!: SessionScope;
}

@Input({ description: 'Session to revoke.' })
export class RevokeSessionInput {
  @Field(() => ID, { description: 'ID of the session, from `Viewer.sessions`.' })
  sessionId!: string;
}

@Input({ description: 'Sessions of another user to revoke.' })
export class RevokeUserSessionsInput {
  @Field(() => ID, { description: 'ID of the user.' })
  userId!: string;

  @Field(() => ID, {
    nullable: true,
    description: 'ID of the session. If omitted, all sessions of the user are revoked.',
  })
  sessionId?: string;

  @Reason({ nullable: true })
  reason?: string;
}

@Output({ description: 'Revoked sessions of another user.' })
export class RevokeUserSessionsPayload {
  @Field(() => Int, { description: 'Number of revoked sessions.' })
  revokedSessions!: number;

  @Field(() => User, { description: 'User whose sessions were revoked.' })
  user!: User;
}

@Output({ description: 'Revoked sessions.' })
export class RevokeSessionsPayload {
  @Field(() => Int, { description: 'Number of revoked sessions.' })
  revokedSessions!: number;
}
