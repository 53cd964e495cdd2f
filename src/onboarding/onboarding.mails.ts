import type { Mail } from '../mails/mailer.port.js';

/**
 * The emails about signing up. None quotes what somebody typed: anybody may sign up with anybody's address, and must not be able to
 * send them words of their own.
 */
export const verificationMail = (to: string, link: string): Omit<Mail, 'id'> => ({
  to,
  subject: 'Confirm your email address',
  text: `Somebody signed up for the API console with this address. If it was you, open this link and enter the password that you chose:

${link}

It works once, for 24 hours. If the page does not take your password, the link belongs to a sign-up of somebody else: use the
link of the other email, or sign up again.

If it was not you, ignore this email: no account is made.
`,
});

export const existingAccountMail = (to: string, console: string): Omit<Mail, 'id'> => ({
  to,
  subject: 'You have an account already',
  text: `Somebody signed up for the API console with this address, which has an account already. Nothing was changed.

If it was you, sign in:

${console}

If it was not you, ignore this email.
`,
});
