import type { Actor } from '../audit/audit.service.js';
import { indianTime } from '../core/clock.js';
import type { Environment } from '../core/environment.js';
import type { DeveloperId, TeamRole } from '../core/principal.js';
import type { EntityManager } from '../db/orm.js';
import type { Emails } from '../mails/emails.room.js';
import type { EmailMessage } from '../mails/mailer.port.js';
import { DeveloperEntity, UserEntity } from './account.entities.js';

/** Names of the environments in emails. */
export const environmentNames: Record<Environment, string> = { uat: 'UAT', production: 'Production' };
/** Formats a time in emails: "2026-03-01 10:00 IST". */
export const mailTime = (instant: Date): string => `${indianTime(instant).slice(0, 16).replace('T', ' ')} IST`;

/** Emails about passwords and API keys. They quote no user input, because anyone can trigger an email to any address. */
export const resetMail = (to: string, link: string): Omit<EmailMessage, 'id'> => ({
  to,
  subject: 'Set a new password',
  text: `We received a request to reset the password of your API console user. To set a new password, open this link:

${link}

The link can be used once and expires in 1 hour. Setting a new password signs you out of all sessions.

If you did not request this, ignore this email. Your password stays unchanged.
`,
});

export const passwordChangedMail = (to: string, console: string): Omit<EmailMessage, 'id'> => ({
  to,
  subject: 'Your password was changed',
  text: `The password of your API console user was changed.

If you did not do this, reset your password immediately, or contact support:

${console}
`,
});

const UNLESS_YOU = (
  console: string,
): string => `If you did not do this, revoke all sessions and change your password immediately, or contact support:

${console}
`;

/**
 * Email about a sign-in with a new client or from a new network. It does not quote the `User-Agent`, because anyone can choose
 * it.
 */
export const newDeviceMail = (to: string, address: string, console: string): Omit<EmailMessage, 'id'> => ({
  to,
  subject: 'New sign-in to your account',
  text: `Your API console user signed in from a new device or network (IP address ${address}).

${UNLESS_YOU(console)}`,
});

const FACTOR_CHANGES = {
  added: ['A second factor was added', 'A second factor was added to'],
  removed: ['A second factor was removed', 'A second factor was removed from'],
} as const;

export const secondFactorMail = (
  to: string,
  what: keyof typeof FACTOR_CHANGES,
  console: string,
): Omit<EmailMessage, 'id'> => ({
  to,
  subject: FACTOR_CHANGES[what][0],
  text: `${FACTOR_CHANGES[what][1]} your API console user.

${UNLESS_YOU(console)}`,
});

/** Email about second factors that staff reset or requested to reset. The reason was written by staff. */
export const factorResetMail = (
  { to, console }: Omit<Notice, 'how'>,
  step: 'requested' | 'done',
  { name, reason, isOwn }: { name: string; reason: string; isOwn: boolean },
): Omit<EmailMessage, 'id'> => {
  const of = isOwn ? 'your API console user' : `the API console user ${name}`;
  const isDone = step === 'done';
  return {
    to,
    subject: `${isOwn ? 'Your second factors' : 'Second factors'} ${isDone ? 'were reset' : 'will be reset'}`,
    text: `${
      isDone
        ? `Support removed all second factors of ${of} and revoked all sessions of the user.`
        : `Support requested the removal of all second factors of ${of}. Another member of the support team must approve the request.`
    }

Reason: ${reason}

If you did not expect this, contact support immediately${isOwn ? ' and change your password' : ''}:

${console}
`,
  };
};

const EMERGENCY = {
  suspended: {
    subject: 'Emergency suspension of an administrator',
    happened: (user: string, actor: string) => `${actor} suspended the administrator ${user} without a second person.`,
    next: 'Until another administrator confirms or undoes the suspension, the administrator who made it cannot invite users, change roles or take part in other user changes. Review the suspension now:',
  },
  confirmed: {
    subject: 'Emergency suspension confirmed',
    happened: (user: string, actor: string) => `${actor} confirmed the emergency suspension of ${user}.`,
    next: 'If you did not expect this, review it now:',
  },
  undone: {
    subject: 'Emergency suspension undone',
    happened: (user: string, actor: string) => `${actor} reinstated ${user}, who had been suspended in an emergency.`,
    next: 'If you did not expect this, review it now:',
  },
} as const;

/** Email to all administrators about an emergency suspension. The reason was written by an administrator. */
export const emergencyMail = (
  { to, console }: Omit<Notice, 'how'>,
  step: keyof typeof EMERGENCY,
  { user, actor, reason }: { user: string; actor: string; reason: string },
): Omit<EmailMessage, 'id'> => {
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

/** Email to all administrators about a user who was changed from the command line. */
export const operatorCommandMail = (
  { to, console }: Omit<Notice, 'how'>,
  { what, name, email, role }: { what: string; name: string; email: string; role: string },
): Omit<EmailMessage, 'id'> => ({
  to,
  subject: 'A user was changed from the command line',
  text: `A "gateway user" command was run on a server of this service. Audit log: ${what}

User: ${name} <${email}>, role ${role}

If you did not expect this, check who has access to the server, and review the list of users:

${console}/people
`,
});

/** Beginning of the sentence about revoked sessions, by who revoked them. */
const REVOKED_BY = { staff: 'Support revoked', owner: 'An owner of your account revoked' } as const;
export type SessionsRevokedBy = keyof typeof REVOKED_BY;

export const sessionsRevokedMail = (
  to: string,
  by: SessionsRevokedBy,
  which: 'one' | 'all',
  console: string,
): Omit<EmailMessage, 'id'> => ({
  to,
  subject: which === 'one' ? 'One of your sessions was revoked' : 'All your sessions were revoked',
  text: `${REVOKED_BY[by]} ${which === 'one' ? 'one of your sessions' : 'all your sessions'} in the API console. To continue, sign in again:

${console}
`,
});

export const recoveryCodeUsedMail = (to: string, left: number, console: string): Omit<EmailMessage, 'id'> => ({
  to,
  subject: 'A recovery code was used',
  text: `A recovery code of your API console user was used. Remaining codes: ${left}.

${UNLESS_YOU(console)}`,
});

/** Email about wrong codes. Entering codes requires the right password, so the password may be compromised. */
export const guessedCodesMail = (to: string, console: string): Omit<EmailMessage, 'id'> => ({
  to,
  subject: 'Your password may be compromised',
  text: `Your correct password was entered in the API console several times, each time with a wrong second-factor code.

If you did not do this, your password is compromised. Change it immediately:

${console}
`,
});

export const invitationMail = (to: string, link: string): Omit<EmailMessage, 'id'> => ({
  to,
  subject: 'Your invitation to the API console',
  text: `You have been invited to join the API console. To accept the invitation and choose a password, open this link:

${link}

The link can be used once and expires in 72 hours.

If you did not expect this invitation, ignore this email.
`,
});

export const invitedElsewhereMail = (to: string, console: string): Omit<EmailMessage, 'id'> => ({
  to,
  subject: 'You were invited to another account',
  text: `You have been invited to join another account in the API console. This email address already belongs to a user, and a user can belong to
only one account. To join, ask for an invitation to a different email address. Nothing has changed.

${console}
`,
});

export const newAddressMail = (to: string, link: string): Omit<EmailMessage, 'id'> => ({
  to,
  subject: 'Confirm your new email address',
  text: `We received a request to use this email address to sign in to the API console. To confirm the address, open this link:

${link}

The link can be used once and expires in 1 hour. Until you confirm, you sign in with your current address.

If you did not request this, ignore this email. Nothing will change.
`,
});

export const addressInUseMail = (to: string, console: string): Omit<EmailMessage, 'id'> => ({
  to,
  subject: 'This email address is already in use',
  text: `We received a request to use this email address to sign in to the API console. It already belongs to a user, so nothing has changed.

${console}
`,
});

export const addressChangeMail = (
  to: string,
  console: string,
  step: 'requested' | 'done',
): Omit<EmailMessage, 'id'> => ({
  to,
  subject: step === 'requested' ? 'Email address change requested' : 'Your email address was changed',
  text: `${
    step === 'requested'
      ? 'We received a request to change the email address of your API console user. The change takes effect when the new address is confirmed.'
      : 'The email address of your API console user was changed. You can no longer sign in with this address.'
  }

If you did not do this, ${step === 'requested' ? 'change your password immediately to cancel the change' : 'contact support immediately'}:

${console}
`,
});

/** Email about a closed account. It contains all details, because its readers can no longer sign in. */
export const closedMail = (to: string): Omit<EmailMessage, 'id'> => ({
  to,
  subject: 'Your account was closed',
  text: `Your account was permanently closed. Its users can no longer sign in, and its API keys, tokens and webhooks no longer work.

Personal data that the law does not require us to keep was erased: mobile numbers, drafts, documents that were not submitted, and data
of your customers. Orders, payments and the audit log are kept for as long as accounting law requires. Your KYC submission is kept for
as long as anti-money-laundering law requires.

If you did not request this, contact support.
`,
});

const endOf = ({ endsAt }: { endsAt: Date }): string =>
  endsAt > new Date() ? `works until ${mailTime(endsAt)}` : 'no longer works';

/**
 * Returns a paragraph about the start time of an API key or webhook endpoint, with a link to cancel it. Empty if there is no
 * start time.
 */
export const waitingText = (what: string, startsAt: Date | null | undefined, page: string): string =>
  startsAt
    ? `
The ${what} starts to work at ${mailTime(startsAt)}, because it was created by a user who joined your account in the last 24 hours.
If you did not expect this ${what}, sign in and cancel it before then:

${page}
`
    : '';

/** Email about a new API key, which may come from a rotation. Only its creator knows the secret. */
export const newKeyMail = (
  { to, how, console }: Notice,
  key: {
    clientId: string;
    environment: Environment;
    startsAt: Date | null;
    replaces?: { clientId: string; endsAt: Date } | undefined;
  },
): Omit<EmailMessage, 'id'> => ({
  to,
  subject: 'A new API key was created',
  text: `A new ${environmentNames[key.environment]} API key of your account was created ${how}. Its client ID is ${key.clientId}.
${key.replaces ? `\nThe new API key replaces ${key.replaces.clientId}, which ${endOf(key.replaces)}.\n` : ''}${waitingText('API key', key.startsAt, `${console}/keys/cancel?key=${key.clientId}`)}
If you did not expect this, revoke the API key immediately, revoke all sessions and change your password:

${console}
`,
});

/** Emails about staff decisions on an account. The reasons were written by staff. */
export const approvedMail = ({ to, console }: Notice): Omit<EmailMessage, 'id'> => ({
  to,
  subject: 'Your account is approved',
  text: `Your account is approved. You can now create API keys for UAT, which uses test funds only:

${console}/keys

After a successful recharge in UAT, you can request Production access in the console.
`,
});

export const changesRequestedMail = ({ to, console }: Notice, reason: string): Omit<EmailMessage, 'id'> => ({
  to,
  subject: 'Changes requested in your KYC',
  text: `We reviewed your KYC submission. Please make the following changes:

${reason}

Your entries are saved. Edit them and submit your KYC again:

${console}/onboarding
`,
});

export const rejectedMail = ({ to, console }: Notice, reason: string): Omit<EmailMessage, 'id'> => ({
  to,
  subject: 'Your KYC was rejected',
  text: `We reviewed your KYC submission and rejected it for the following reason:

${reason}

If you can fix this, edit your KYC and submit it again:

${console}/onboarding
`,
});

export const liveAccessMail = ({ to, console }: Notice): Omit<EmailMessage, 'id'> => ({
  to,
  subject: 'Your account has Production access',
  text: `Production access is enabled for your account. You can now create API keys for Production, which uses real money:

${console}/keys
`,
});

/** Actor of a change that may outlive its session or API key. */
export interface Doer {
  by: Actor;
  /** Client ID of the API key that issued the token. Null in the console. */
  clientId: string | null;
}

/** Whether the actor is a command. Commands trigger no emails. */
export const isCommand = ({ actor }: Actor): boolean => actor.startsWith('system:');

/** Data of an email about an account. */
export interface Notice {
  to: string;
  /** Place and means of the change, as the end of a sentence. */
  how: string;
  /** Base URL of the console, where the reader can undo the change. */
  console: string;
}

/** User change in an account. */
export interface TeamChange {
  what: keyof typeof TEAM_CHANGES;
  /** Address of the user. The emails do not quote names, because names are free text. */
  email: string;
  /** Role of the user after the change, or after accepting. */
  teamRole: TeamRole | null | undefined;
}

const TEAM_CHANGES = {
  invited: ['A user was invited to your account', 'was invited to your account in the API console'],
  joined: ['A user joined your account', 'accepted an invitation and joined your account in the API console'],
  role: ['A role in your account was changed', 'has a new role in your account in the API console'],
  removed: ['A user was removed from your account', 'was removed from your account in the API console'],
  withdrawn: ['An invitation to your account was withdrawn', 'is no longer invited to your account in the API console'],
} as const;

export const teamMail = (
  to: string,
  { what, email, teamRole }: TeamChange,
  console: string,
): Omit<EmailMessage, 'id'> => ({
  to,
  subject: TEAM_CHANGES[what][0],
  text: `${email} ${TEAM_CHANGES[what][1]}.
${teamRole ? `\nRole: ${teamRole}\n` : ''}
If you did not expect this, review the users and API keys of your account immediately:

${console}/team
`,
});

/** Email to all administrators about a command that invited a user to an account. */
export const commandInvitationMail = (to: string, developerId: string, console: string): Omit<EmailMessage, 'id'> => ({
  to,
  subject: 'A user was invited to an account from the command line',
  text: `The command "gateway user invite" invited a user to the account dev_${developerId}, which has no active owner.

If you did not expect this, withdraw the invitation in the console and check who can run commands on the server:

${console}
`,
});

/**
 * Returns the recipients of emails about an account: its own address and all active owners, each address once. Call it before
 * a change, so that an owner who is removed or demoted is included.
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

/** Queues emails about a user change in an account, in the caller's transaction. */
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
  mails: Pick<Emails, 'queue'>;
  /** Base URL of the console, without a trailing slash. */
  consoleUrl: string;
}

/**
 * Queues an email to the address of an account and to its active owners, in the caller's transaction. Owners are also notified
 * of their own changes, so that a stolen session or token cannot be used unnoticed. Changes by commands, such as demo
 * accounts, are not reported.
 */
export async function mailOwner(
  { mails, consoleUrl }: MailingParts,
  developerId: DeveloperId,
  { by, clientId }: Doer,
  write: (notice: Notice) => Omit<EmailMessage, 'id'>,
  tx: EntityManager,
): Promise<void> {
  if (isCommand(by)) return;
  const how = clientId === null ? 'in the console' : `with a token of the API key ${clientId}`;
  for (const to of await mailboxesOf(developerId, tx)) await mails.queue(write({ to, how, console: consoleUrl }), tx);
}
