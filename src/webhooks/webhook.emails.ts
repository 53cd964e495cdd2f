import { environmentNames, mailTime, type Notice, waitingText } from '../accounts/account.mails.js';
import type { Environment } from '../core/environment.js';
import type { EmailMessage } from '../mails/mailer.port.js';

/**
 * Email about a failing endpoint. It does not contain the URL, because the URL is user input and its path may contain a
 * secret.
 */
export const endpointFailingEmail = (
  to: string,
  {
    id,
    environment,
    failingSince,
    console,
  }: { id: string; environment: Environment; failingSince: Date; console: string },
): Omit<EmailMessage, 'id'> => ({
  to,
  subject: 'A webhook endpoint was disabled',
  text: `All deliveries to one of your webhook endpoints for ${environmentNames[environment]} have failed since ${mailTime(failingSince)}. The endpoint is now disabled: its pending deliveries are cancelled, and new events are not recorded for it.

Endpoint ID: ${id}

When the receiver works again, enable the endpoint in the console:

${console}

You can check the status of each order, or resend missed deliveries from the delivery log of the endpoint.
`,
});

interface NotifiedEndpoint {
  id: string;
  environment: Environment;
  startsAt?: Date | null;
}

/** Email about a new endpoint. It is sent because the creator of an endpoint receives the outcomes of all orders. */
export const endpointCreatedEmail = (
  { to, how, console }: Notice,
  { id, environment, startsAt }: NotifiedEndpoint,
): Omit<EmailMessage, 'id'> => ({
  to,
  subject: 'A new webhook endpoint was created',
  text: `A webhook endpoint of your account for ${environmentNames[environment]} was created ${how}. ${startsAt ? 'The outcomes of your orders will be sent to it.' : 'The outcomes of your orders are sent to it from now on.'}

Endpoint ID: whe_${id}
${waitingText('endpoint', startsAt, `${console}/webhooks/cancel?endpoint=whe_${id}`)}
If you do not recognize this endpoint, delete it in the console immediately, and revoke any API keys that may be compromised:

${console}
`,
});

/** Email about a new secret. It is sent because the creator of a secret can sign messages that the receiver accepts as ours. */
export const secretRotatedEmail = (
  { to, how, console }: Notice,
  { id, environment }: NotifiedEndpoint,
): Omit<EmailMessage, 'id'> => ({
  to,
  subject: 'The secret of a webhook endpoint was rotated',
  text: `The secret of one of your webhook endpoints for ${environmentNames[environment]} was rotated ${how}. Messages are also signed with the previous secret for 24 hours.

Endpoint ID: whe_${id}

If you do not recognize this change, rotate the secret again in the console, and revoke any API keys that may be compromised:

${console}
`,
});
