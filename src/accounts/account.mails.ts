import type { Actor } from '../audit/audit.service.js';
import { indianTime } from '../core/clock.js';
import type { Environment } from '../core/environment.js';
import type { DeveloperId, TeamRole } from '../core/principal.js';
import type { EntityManager } from '../db/orm.js';
import type { Mail } from '../mails/mailer.port.js';
import type { Mails } from '../mails/mails.room.js';
import { DeveloperEntity, UserEntity } from './account.entities.js';

/** An environment as emails call it. */
export const environmentNames: Record<Environment, string> = { uat: 'UAT', production: 'production' };
/** "2026-03-01 10:00 (Indian time)" */
export const mailTime = (instant: Date): string =>
  `${indianTime(instant).slice(0, 16).replace('T', ' ')} (Indian time)`;

/** The emails about passwords and keys. None quotes what somebody typed: anybody may ask for an email to anybody. */
export const resetMail = (to: string, link: string): Omit<Mail, 'id'> => ({
  to,
  subject: 'Set a new password',
  text: `Somebody asked for a new password for your account of the API console. If it was you, open this link to set one:

${link}

It works once, for an hour. Every session of the account ends then.

If it was not you, ignore this email: without the link nothing happens.
`,
});

export const passwordChangedMail = (to: string, console: string): Omit<Mail, 'id'> => ({
  to,
  subject: 'Your password was changed',
  text: `The password of your account of the API console was changed.

If it was not you, ask for a link to set a new one at once, or tell the operator of this service:

${console}
`,
});

const UNLESS_YOU = (
  console: string,
): string => `If it was not you, end all sessions and set a new password at once, or tell the operator of this service:

${console}
`;

/** Somebody signed in with another program, or from another network, than ever before. What the program says of itself is anybody's text: it is not quoted. */
export const newDeviceMail = (to: string, address: string, console: string): Omit<Mail, 'id'> => ({
  to,
  subject: 'A sign-in from a new device',
  text: `Somebody signed in to your account of the API console with a device or from a network that was not used before (address ${address}).

${UNLESS_YOU(console)}`,
});

const FACTOR_CHANGES = {
  added: ['A second factor was added', 'A second factor was added to'],
  removed: ['A second factor was removed', 'A second factor was removed from'],
} as const;

export const secondFactorMail = (to: string, what: keyof typeof FACTOR_CHANGES, console: string): Omit<Mail, 'id'> => ({
  to,
  subject: FACTOR_CHANGES[what][0],
  text: `${FACTOR_CHANGES[what][1]} your account of the API console.

${UNLESS_YOU(console)}`,
});

/** Staff removed all second factors of a user, or requested it. The reason is the operator's own text. */
export const factorResetMail = (
  { to, console }: Omit<Notice, 'how'>,
  step: 'requested' | 'done',
  { name, reason, isOwn }: { name: string; reason: string; isOwn: boolean },
): Omit<Mail, 'id'> => {
  const of = isOwn ? 'your user' : `the user ${name}`;
  const isDone = step === 'done';
  return {
    to,
    subject: `${isOwn ? 'Your second factors' : 'Second factors'} ${isDone ? 'were reset' : 'are about to be reset'}`,
    text: `${
      isDone
        ? `The operator of this service removed all second factors of ${of} of the API console. Every session of the user has ended.`
        : `Staff of the operator requested to remove all second factors of ${of} of the API console. Another member of staff has to approve the request.`
    }

Reason: ${reason}

If you do not know of this, tell the operator of this service at once${isOwn ? ' and set a new password' : ''}:

${console}
`,
  };
};

const EMERGENCY = {
  suspended: {
    subject: 'An administrator was suspended in an emergency',
    happened: (user: string, actor: string) => `${actor} suspended the administrator ${user} without a second person.`,
    next: 'Until another administrator confirms or undoes the suspension, the person who suspended cannot invite people, change roles or take part in other changes of people. Review it now:',
  },
  confirmed: {
    subject: 'An emergency suspension was confirmed',
    happened: (user: string, actor: string) => `${actor} confirmed the emergency suspension of ${user}.`,
    next: 'If you do not know of this, review it now:',
  },
  undone: {
    subject: 'An emergency suspension was undone',
    happened: (user: string, actor: string) => `${actor} reinstated ${user}, who had been suspended in an emergency.`,
    next: 'If you do not know of this, review it now:',
  },
} as const;

/** To every administrator. The reason is the operator's own text. */
export const emergencyMail = (
  { to, console }: Omit<Notice, 'how'>,
  step: keyof typeof EMERGENCY,
  { user, actor, reason }: { user: string; actor: string; reason: string },
): Omit<Mail, 'id'> => {
  const { subject, happened, next } = EMERGENCY[step];
  return {
    to,
    subject,
    text: `${happened(user, actor)}
${reason ? `\nReason: ${reason}\n` : ''}
${next}

${console}/people
`,
  };
};

/** To every administrator: somebody with access to the machine changed a user. */
export const operatorCommandMail = (
  { to, console }: Omit<Notice, 'how'>,
  { what, name, email, role }: { what: string; name: string; email: string; role: string },
): Omit<Mail, 'id'> => ({
  to,
  subject: 'A user was changed on the machine',
  text: `The command gateway user was run on a machine of this service. The audit log says: ${what}

User: ${name} <${email}>, role ${role}

If you do not know of this, find out who has access to the machine, and check the list of people:

${console}/people
`,
});

/** Staff or an owner of the account revoked sessions of the user. */
const REVOKED_BY = { staff: 'Support revoked', owner: 'An owner of your account revoked' } as const;
export type SessionsRevokedBy = keyof typeof REVOKED_BY;

export const sessionsRevokedMail = (
  to: string,
  by: SessionsRevokedBy,
  which: 'one' | 'all',
  console: string,
): Omit<Mail, 'id'> => ({
  to,
  subject: which === 'one' ? 'One of your sessions was revoked' : 'All your sessions were revoked',
  text: `${REVOKED_BY[by]} ${which === 'one' ? 'one of your sessions' : 'all your sessions'} on the API console. Sign in again to continue:

${console}
`,
});

export const recoveryCodeUsedMail = (to: string, left: number, console: string): Omit<Mail, 'id'> => ({
  to,
  subject: 'A recovery code was used',
  text: `One of the recovery codes of your account of the API console was used. ${left} are left.

${UNLESS_YOU(console)}`,
});

/** Whoever tries codes has the password. */
export const guessedCodesMail = (to: string, console: string): Omit<Mail, 'id'> => ({
  to,
  subject: 'Somebody knows your password',
  text: `Somebody entered your password at the API console several times, each time with a wrong code of your second factor.

If it was not you, your password is known to somebody else. Set a new one at once:

${console}
`,
});

export const invitationMail = (to: string, link: string): Omit<Mail, 'id'> => ({
  to,
  subject: 'You are invited to the API console',
  text: `Somebody invited you to work with them on the API console. Open this link to choose a password and join:

${link}

It works once, for 72 hours.

If you do not expect it, ignore this email: without the link nothing happens.
`,
});

export const invitedElsewhereMail = (to: string, console: string): Omit<Mail, 'id'> => ({
  to,
  subject: 'You were invited to another account',
  text: `Somebody invited you to work with them on the API console. You sign in there with this address already, and an address belongs to one
account: to join them, ask for an invitation to another address. Nothing has changed.

${console}
`,
});

export const newAddressMail = (to: string, link: string): Omit<Mail, 'id'> => ({
  to,
  subject: 'Confirm your new email address',
  text: `Somebody wants to sign in to the API console with this address from now on. If it was you, open this link to confirm it:

${link}

It works once, for an hour. Until then the former address counts.

If it was not you, ignore this email: without the link nothing happens.
`,
});

export const addressInUseMail = (to: string, console: string): Omit<Mail, 'id'> => ({
  to,
  subject: 'This address is in use',
  text: `Somebody wants to sign in to the API console with this address from now on. A user has it already, so nothing has changed.

${console}
`,
});

export const addressChangeMail = (to: string, console: string, step: 'asked' | 'done'): Omit<Mail, 'id'> => ({
  to,
  subject: step === 'asked' ? 'Another email address was asked for' : 'Your email address was changed',
  text: `${
    step === 'asked'
      ? 'Your user of the API console is to have another email address. It counts once it is confirmed there.'
      : 'Your user of the API console has another email address from now on. This one opens it no more.'
  }

If it was not you, ${step === 'asked' ? 'change your password at once, which ends it' : 'tell the operator of this service at once'}:

${console}
`,
});

/** Whoever reads it cannot sign in any more: it says what they cannot look up. */
export const closedMail = (to: string): Omit<Mail, 'id'> => ({
  to,
  subject: 'Your account was closed',
  text: `Your account of this service was closed for good. Nobody signs in to it any more, and its API keys, tokens and webhooks have ended.

Personal data that no law wants kept is erased: mobile numbers, drafts, documents that were not handed in, data of your customers.
Orders, payments and the record of who did what stay for as long as the law of accounts wants them, and what you handed in to be known
for as long as the law against money laundering does.

If you did not ask for it, tell the operator of this service.
`,
});

const endOf = ({ endsAt }: { endsAt: Date }): string =>
  endsAt > new Date() ? `works until ${mailTime(endsAt)}` : 'has ended';

/** Paragraph about the start time of an API key or webhook endpoint, with the page that cancels it; empty without a start time. */
export const waitingText = (what: string, startsAt: Date | null | undefined, page: string): string =>
  startsAt
    ? `
It starts at ${mailTime(startsAt)}, because a person who joined your account in the last 24 hours created it. Until then it does
nothing. If you do not expect this ${what}, sign in and cancel it on this page:

${page}
`
    : '';

/** A key was made, by itself or in the place of another one. Its secret is known to who made it alone. */
export const newKeyMail = (
  { to, how, console }: Notice,
  key: {
    clientId: string;
    environment: Environment;
    startsAt: Date | null;
    replaces?: { clientId: string; endsAt: Date } | undefined;
  },
): Omit<Mail, 'id'> => ({
  to,
  subject: 'A new API key was made',
  text: `A new API key of your account for ${environmentNames[key.environment]} was made ${how}. Its client id is ${key.clientId}.
${key.replaces ? `\nIt takes the place of ${key.replaces.clientId}, which ${endOf(key.replaces)}.\n` : ''}${waitingText('key', key.startsAt, `${console}/keys/cancel?key=${key.clientId}`)}
If you do not know of it, revoke it on the console at once, end all sessions and set a new password:

${console}
`,
});

/** The emails about what staff decided about an account. Their reasons are the operator's own words. */
export const approvedMail = ({ to, console }: Notice): Omit<Mail, 'id'> => ({
  to,
  subject: 'Your account is approved',
  text: `Your account of the API console is approved. You can make keys for UAT now, where the money is play money:

${console}/keys

Live access is a step of its own: ask for it there once a recharge in UAT has succeeded.
`,
});

export const changesRequestedMail = ({ to, console }: Notice, reason: string): Omit<Mail, 'id'> => ({
  to,
  subject: 'Something is to be changed in your KYC',
  text: `Somebody has read what you handed in about your business, and something has to be changed:

${reason}

What you entered is kept. Change it and hand it in again:

${console}/onboarding
`,
});

export const rejectedMail = ({ to, console }: Notice, reason: string): Omit<Mail, 'id'> => ({
  to,
  subject: 'Your KYC was rejected',
  text: `Somebody has read what you handed in about your business, and rejected it:

${reason}

If that can be put right, you may hand it in again:

${console}/onboarding
`,
});

export const liveAccessMail = ({ to, console }: Notice): Omit<Mail, 'id'> => ({
  to,
  subject: 'Your account has live access',
  text: `Live access is unlocked for your account of the API console. You can make keys for Production now. What they do costs real money:

${console}/keys
`,
});

/** Who does something that may outlive a session or a key. */
export interface Doer {
  /** As the audit log names them. */
  by: Actor;
  /** The key of a token; null on the console. */
  clientId: string | null;
}

/** What a command of the operator does is mailed to nobody. */
export const isCommand = ({ actor }: Actor): boolean => actor.startsWith('system:');

/** What an email about an account needs to be written. */
export interface Notice {
  to: string;
  /** Where and with what it was done, as the end of a sentence. */
  how: string;
  /** Where the reader can undo it. */
  console: string;
}

/** A change of the people of an account. */
export interface TeamChange {
  what: keyof typeof TEAM_CHANGES;
  /** The person's address. Names are not quoted, because anybody types them. */
  email: string;
  /** The role that the person has, or would have, after it. */
  teamRole: TeamRole | null | undefined;
}

const TEAM_CHANGES = {
  invited: ['A person was invited to your account', 'was invited to your account of the API console'],
  joined: ['A person joined your account', 'accepted an invitation and joined your account of the API console'],
  role: ['A role in your account was changed', 'has another role in your account of the API console'],
  removed: ['A person was removed from your account', 'was removed from your account of the API console'],
  withdrawn: ['An invitation to your account was withdrawn', 'is no longer invited to your account of the API console'],
} as const;

export const teamMail = (to: string, { what, email, teamRole }: TeamChange, console: string): Omit<Mail, 'id'> => ({
  to,
  subject: TEAM_CHANGES[what][0],
  text: `${email} ${TEAM_CHANGES[what][1]}.
${teamRole ? `\nRole: ${teamRole}\n` : ''}
If you do not expect this, check the people and the API keys of your account at once:

${console}/team
`,
});

/** Administrators hear of every invitation that a command on the machine sends into an account. */
export const commandInvitationMail = (to: string, developerId: string, console: string): Omit<Mail, 'id'> => ({
  to,
  subject: 'A command invited a person into an account',
  text: `The command "gateway user invite" invited a person into the account dev_${developerId}, which has no active owner.

If you do not expect this, withdraw the invitation on the console and check who can run commands on the machine:

${console}
`,
});

/**
 * Where emails about an account go: its own address and every active owner, each address once. An owner who is removed or demoted is
 * among them when this is read before the change.
 */
export async function mailboxesOf(developerId: string, tx: EntityManager): Promise<string[]> {
  const { email } = await tx.findOneOrFail(DeveloperEntity, { id: developerId });
  const owners = await tx.find(
    UserEntity,
    { developerId, teamRole: 'owner', disabledAt: null },
    { orderBy: { id: 'asc' } },
  );
  return [...new Set([email, ...owners.map((owner) => owner.email)])];
}

/** Emails a change of the people of an account, part of the caller's transaction. */
export async function mailTeamChange(
  { mails, consoleUrl }: MailingParts,
  mailboxes: readonly string[],
  change: TeamChange,
  tx: EntityManager,
): Promise<void> {
  for (const to of mailboxes) await mails.queue(teamMail(to, change, consoleUrl), tx);
}

/** Dependencies of functions that queue emails about accounts. */
export interface MailingParts {
  mails: Pick<Mails, 'queue'>;
  /** Base URL of the console, without a slash at its end. */
  consoleUrl: string;
}

/**
 * Queues an email to the address of an account and to its active owners, part of the caller's transaction. Whoever did it: who has stolen a session or a token
 * cannot do it in silence. What a command of the operator makes (the accounts of a demo) is no news to anybody.
 */
export async function mailOwner(
  { mails, consoleUrl }: MailingParts,
  developerId: DeveloperId,
  { by, clientId }: Doer,
  write: (notice: Notice) => Omit<Mail, 'id'>,
  tx: EntityManager,
): Promise<void> {
  if (isCommand(by)) return;
  const how = clientId === null ? 'on the console' : `with a token of the key ${clientId}`;
  for (const to of await mailboxesOf(developerId, tx)) await mails.queue(write({ to, how, console: consoleUrl }), tx);
}
