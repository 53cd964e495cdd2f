import { Field, ID, Int } from 'type-graphql';
import type { DeveloperId, Role, TeamRole } from '../../core/principal.js';
import { Output } from '../../graphql-toolkit/graphql-types.js';
import { NodeType } from '../../graphql-toolkit/node.js';
import { Input, Text } from '../../graphql-toolkit/rules.js';
import { Instant } from '../../graphql-toolkit/scalars.js';
import { type WordOf, words } from '../../graphql-toolkit/words.js';
import { Reason } from '../account.changes.js';
import { User } from './people.types.js';

/** A recovery code with blanks. */
export const CODE_LENGTH = 20;
/** The answer of a passkey has some 1,500 characters; one with certificates has more. */
export const PASSKEY_LENGTH = 16_000;

@Input({
  description:
    'Who signs in to the console: with email address and password, and one of code and passkey where the user has a second factor; or with a passkey alone.',
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
    description:
      'The code that the authenticator shows now, or a recovery code. Not read where the user has no second factor.',
  })
  @Text(CODE_LENGTH)
  code?: string;

  @Field(() => String, {
    nullable: true,
    description: 'What toJSON() of the credential gives that a passkey made of startPasskeySignIn, as JSON text.',
  })
  @Text(PASSKEY_LENGTH)
  passkey?: string;
}

@NodeType<Session>('ses', { description: 'An open session of a user.' })
export class Session {
  id!: string;

  @Field(() => Instant, { description: 'When it was opened.' })
  createdAt!: Date;

  @Field(() => Instant, { description: 'Its last request, to the minute.' })
  lastSeenAt!: Date;

  @Field(() => Instant, { description: 'When it ends by itself.' })
  expiresAt!: Date;

  @Field(() => String, { nullable: true, description: 'The address that opened it; of IPv6 its network.' })
  address!: string | null;

  @Field(() => String, { nullable: true, description: 'What the program that opened it calls itself.' })
  userAgent!: string | null;

  @Field({ description: 'Whether it is the one of this request.' })
  current!: boolean;
}

@Output({ description: 'The signed-in user, and whose account it may see.' })
export class Viewer {
  /** The session of this viewer can only add a second factor. */
  mustEnroll!: boolean;
  /** Whom `user` reads. */
  userId!: string;
  /** Whose account `developer` reads; undefined for staff. */
  developerId!: DeveloperId | undefined;
  /** What `may` is computed of. */
  role!: Role;
  teamRole!: TeamRole | undefined;
}

@Output({
  description:
    'A session of twelve hours; it ends earlier when it is not used: see `Developer.sessionIdleMinutes`, of staff after the idle limit of the installation. Browsers hold it in an HttpOnly cookie; other clients send it as a Bearer token.',
})
export class SignInPayload {
  @Field({ description: 'Send it as Authorization: Bearer <token>, to this host only.' })
  token!: string;

  @Field(() => Instant, { description: 'When it ends.' })
  expiresAt!: Date;

  @Field(() => Viewer, { description: 'Who signed in.' })
  viewer!: Viewer;

  @Field({
    description:
      'Whether the user has to add a second factor first: until then everything else is refused with SECOND_FACTOR_NOT_ENROLLED.',
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

  @Field(() => ID, { nullable: true, description: 'ID of the session; all sessions of the user when it is left out.' })
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
  @Field(() => Int, { description: 'How many.' })
  revokedSessions!: number;
}
