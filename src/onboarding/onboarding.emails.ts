import type { EmailMessage } from '../mails/mailer.port.js';

/**
 * Emails about signing up. They quote no user input, because anyone can sign up with any address and must not be able to send
 * texts to it.
 */
export const verificationEmail = (to: string, link: string): Omit<EmailMessage, 'id'> => ({
  to,
  subject: 'Confirm your email address',
  text: `Thank you for signing up for the API console. To confirm your email address, open this link and enter the password that you chose:

${link}

The link can be used once and expires in 24 hours. If the page rejects your password, this link belongs to a different sign-up with your
address. Use the link in the other email, or sign up again.

If you did not sign up, ignore this email. No account will be created.
`,
});

export const existingAccountEmail = (to: string, console: string): Omit<EmailMessage, 'id'> => ({
  to,
  subject: 'You already have an account',
  text: `We received a sign-up for the API console with this email address, which already has an account. Nothing has changed.

To sign in, open the console:

${console}

If you did not sign up, ignore this email.
`,
});
