import type { Mail } from '../notifications/mailer.port.js';

/**
 * The mails of this room. None quotes what somebody typed: anybody may sign up with anybody's address, and must not be able to
 * send them words of their own.
 */
export const verificationMail = (to: string, link: string): Omit<Mail, 'id'> => ({
  to,
  subject: 'Confirm your e-mail address',
  text: `Somebody signed up for the API console with this address. If it was you, open this link to confirm it:

${link}

It works once, for 24 hours. The password that was chosen in that sign-up then becomes the account's.

If it was not you, ignore this mail: without the link nothing happens.
`,
});

export const existingAccountMail = (to: string, console: string): Omit<Mail, 'id'> => ({
  to,
  subject: 'You have an account already',
  text: `Somebody signed up for the API console with this address, which has an account already. Nothing was changed.

If it was you, sign in:

${console}

If it was not you, ignore this mail.
`,
});
