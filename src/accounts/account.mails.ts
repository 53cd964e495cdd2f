import { indianTime } from '../core/clock.js';
import type { Environment } from '../core/environment.js';
import type { Mail } from '../mails/mailer.port.js';
import type { Notice } from './owner-notices.js';

/** An environment as mails call it. */
export const environmentNames: Record<Environment, string> = { uat: 'UAT', production: 'production' };
/** "2026-03-01 10:00 (Indian time)" */
export const mailTime = (instant: Date): string =>
  `${indianTime(instant).slice(0, 16).replace('T', ' ')} (Indian time)`;

/** The mails about passwords and keys. None quotes what somebody typed: anybody may ask for a mail to anybody. */
export const resetMail = (to: string, link: string): Omit<Mail, 'id'> => ({
  to,
  subject: 'Set a new password',
  text: `Somebody asked for a new password for your account of the API console. If it was you, open this link to set one:

${link}

It works once, for an hour. Every session of the account ends then.

If it was not you, ignore this mail: without the link nothing happens.
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

const endOf = ({ endsAt }: { endsAt: Date }): string =>
  endsAt > new Date() ? `works until ${mailTime(endsAt)}` : 'has ended';

/** A key was made, by itself or in the place of another one. Its secret is known to who made it alone. */
export const newKeyMail = (
  { to, how, console }: Notice,
  key: { clientId: string; environment: Environment; replaces?: { clientId: string; endsAt: Date } | undefined },
): Omit<Mail, 'id'> => ({
  to,
  subject: 'A new API key was made',
  text: `A new API key of your account for ${environmentNames[key.environment]} was made ${how}. Its client id is ${key.clientId}.
${key.replaces ? `\nIt takes the place of ${key.replaces.clientId}, which ${endOf(key.replaces)}.\n` : ''}
If you do not know of it, revoke it on the console at once, end all sessions and set a new password:

${console}
`,
});
