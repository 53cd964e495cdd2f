import { indianTime } from '../core/clock.js';
import type { Environment } from '../core/environment.js';
import type { Mail } from '../mails/mailer.port.js';

const NAMES: Record<Environment, string> = { uat: 'UAT', production: 'production' };

/** The endpoint's URL is not quoted: somebody typed it, and its path may hold a secret. */
export const endpointFailingMail = (
  to: string,
  {
    id,
    environment,
    failingSince,
    console,
  }: { id: string; environment: Environment; failingSince: Date; console: string },
): Omit<Mail, 'id'> => ({
  to,
  subject: 'A webhook endpoint was switched off',
  text: `Nothing could be delivered to one of your webhook endpoints for ${NAMES[environment]} since ${indianTime(failingSince).slice(0, 16).replace('T', ' ')} (Indian time). It is switched off now: what waited for it is cancelled, and new outcomes are not recorded for it.

Its id is ${id}.

When the receiver works again, enable the endpoint on the console:

${console}

What was missed can be read from the status of each order, or delivered again from the log of the endpoint.
`,
});
