import { environmentNames, mailTime, type Notice, waitingText } from '../accounts/account.mails.js';
import type { Environment } from '../core/environment.js';
import type { Mail } from '../mails/mailer.port.js';

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
  text: `Nothing could be delivered to one of your webhook endpoints for ${environmentNames[environment]} since ${mailTime(failingSince)}. It is switched off now: what waited for it is cancelled, and new outcomes are not recorded for it.

Its id is ${id}.

When the receiver works again, enable the endpoint on the console:

${console}

What was missed can be read from the status of each order, or delivered again from the log of the endpoint.
`,
});

interface MadeEndpoint {
  id: string;
  environment: Environment;
  startsAt?: Date | null;
}

/** Whoever made it gets the outcomes of all orders from now on. */
export const endpointMadeMail = (
  { to, how, console }: Notice,
  { id, environment, startsAt }: MadeEndpoint,
): Omit<Mail, 'id'> => ({
  to,
  subject: 'A new webhook endpoint was made',
  text: `A webhook endpoint of your account for ${environmentNames[environment]} was made ${how}. ${startsAt ? 'The outcomes of your orders will be sent to it.' : 'The outcomes of your orders are posted to it from now on.'}

Its id is whe_${id}.
${waitingText('endpoint', startsAt, `${console}/webhooks/cancel?endpoint=whe_${id}`)}
If you do not know of it, delete it on the console at once, and revoke the keys that somebody else may have:

${console}
`,
});

/** Whoever did it can sign messages that the receiver takes for ours. */
export const secretRotatedMail = (
  { to, how, console }: Notice,
  { id, environment }: MadeEndpoint,
): Omit<Mail, 'id'> => ({
  to,
  subject: 'The secret of a webhook endpoint was replaced',
  text: `The secret of one of your webhook endpoints for ${environmentNames[environment]} was replaced ${how}. The former one signs beside it for 24 hours.

The id of the endpoint is whe_${id}.

If you do not know of it, replace the secret again on the console, and revoke the keys that somebody else may have:

${console}
`,
});
