import { Field, Int } from 'type-graphql';
import type { DeveloperId, Role, TeamRole } from '../../core/principal.js';
import { Output } from '../../graphql-toolkit/graphql-types.js';
import { Input, Text } from '../../graphql-toolkit/rules.js';
import { Instant } from '../../graphql-toolkit/scalars.js';
import { type WordOf, words } from '../../graphql-toolkit/words.js';

@Input({ description: 'Who signs in to the console.' })
export class SignInInput {
  @Field({ description: 'E-mail address.' })
  @Text(254)
  email!: string;

  @Field({ description: 'Password.' })
  @Text(200)
  password!: string;

  @Field(() => String, {
    nullable: true,
    description: 'One-time code of an authenticator; not read where none is set up.',
  })
  @Text(10)
  totp?: string;
}

@Output({ description: 'The signed-in user, and whose account it may see.' })
export class Viewer {
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
    'A session of twelve hours; for staff it ends earlier when it is not used. Browsers hold it in an HttpOnly cookie; other clients send it as a Bearer token.',
})
export class SignInPayload {
  @Field({ description: 'Send it as Authorization: Bearer <token>, to this host only.' })
  token!: string;

  @Field(() => Instant, { description: 'When it ends.' })
  expiresAt!: Date;

  @Field(() => Viewer, { description: 'Who signed in.' })
  viewer!: Viewer;
}

@Output({ description: 'A session that ended.' })
export class SignOutPayload {
  @Field({ description: 'Always true.' })
  signedOut!: boolean;
}

const SessionScopeEnum = words('SessionScope', 'Which sessions of the signed-in user.', {
  others: 'All but the one of this request.',
  all: 'The one of this request too.',
});
type SessionScope = WordOf<typeof SessionScopeEnum>;

@Input({ description: 'Which sessions end.' })
export class EndSessionsInput {
  @Field(() => SessionScopeEnum, { description: 'OTHERS or ALL.' })
  which!: SessionScope;
}

@Output({ description: 'Sessions that ended.' })
export class EndSessionsPayload {
  @Field(() => Int, { description: 'How many.' })
  endedSessions!: number;
}
