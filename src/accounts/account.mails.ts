import type { Mail } from '../mails/mailer.port.js';

/** The mails about passwords. None quotes what somebody typed: anybody may ask for a mail to anybody. */
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
