import { type Environment, environments } from '../../core/environment.js';
import type { JsonSchema } from '../../graphql-toolkit/value-schema.js';
import { declineReasons } from '../../providers/decline-reasons.js';
import {
  bodyOf,
  eventTypeOf,
  type OrderEventKind,
  type OrderOperation,
  type WebhookEvent,
} from '../../webhooks/webhook-event.js';
import { sampleEvents } from '../../webhooks/webhook-samples.js';
import { tagOf } from './prose.js';

const text = (description: string): JsonSchema => ({ type: 'string', description });
/** Returns the schema of a value that is stored encrypted. */
const readable = (type: 'string' | 'integer', description: string): JsonSchema => ({
  type: [type, 'null'],
  description: `${description} Null if the stored value can no longer be decrypted.`,
});
const time = (description: string): JsonSchema => ({ ...text(description), format: 'date-time' });
const object = (properties: Record<string, JsonSchema>): JsonSchema => ({
  type: 'object',
  required: Object.keys(properties),
  properties,
});

/** Fields of each kind of order (interface.md 6.1). */
const OF_KIND: Readonly<Record<OrderOperation, Record<string, JsonSchema>>> = {
  recharge: {
    client_request_id: readable('string', 'Idempotency key of the request. Empty if none was sent.'),
    account_number: readable('string', 'Mobile or subscriber number. All but the last 4 digits are replaced by x.'),
    operator_sp_key: readable('integer', 'SP key of the operator.'),
    operator_ref: readable('string', 'Reference of the operator. Empty if there is none.'),
  },
  card_payment: {
    orderid: readable('string', 'Idempotency key of the request.'),
    card: readable('string', 'Last 4 characters of the card, prefixed with xxxx.'),
    mobile: readable('string', 'Mobile number in the request. All but the last 4 digits are replaced by x.'),
    utr: readable('string', 'Payment reference (UTR). Empty if there is none.'),
    txid: readable('integer', 'Transaction ID of the payment. 0 if there is none.'),
  },
};

/** `order_status` of each event type. */
const ORDER_STATUS = { succeeded: 'success', failed: 'failed', reversed: 'reversed' } as const;

const failure = (code: 'PROVIDER_DECLINED' | 'REVERSED'): Record<string, JsonSchema> => ({
  status: {
    const: 'failed',
    description: 'The order failed or was reversed. Nothing is charged, because the amount was refunded.',
  },
  code: { const: code, description: 'Error code that a retry of the request returns.' },
  reason: {
    type: 'string',
    enum: Object.keys(declineReasons),
    description: 'Reason of the failure or reversal. New values may be added.',
  },
});

const OF_EVENT: Readonly<Record<OrderEventKind, Record<string, JsonSchema>>> = {
  succeeded: { status: { const: 'success', description: 'The order succeeded and the debit is final.' } },
  failed: failure('PROVIDER_DECLINED'),
  reversed: { ...failure('REVERSED'), reversed_at: time('Time the payment was reversed.') },
};

function dataOf({ operation, event }: WebhookEvent): JsonSchema {
  const host = { type: 'string', enum: environments, description: 'The environment of the order.' };
  if (operation === 'test' || event === 'sent')
    return object({
      test: { const: true, description: 'Always true: the message does not belong to an order.' },
      environment: host,
    });
  return object({
    api_request_id: text('The api_request_id of the order.'),
    environment: host,
    sequence: {
      type: 'integer',
      minimum: 1,
      description:
        'Number of this event among the events of the order: 1 is the first final status. Ignore an event whose sequence is lower than the highest one you have received.',
    },
    order_status: {
      const: ORDER_STATUS[event],
      description: 'Status of the order at the time of the event.',
    },
    amount: { type: 'number', description: 'Amount in rupees.' },
    ...OF_KIND[operation],
    ...OF_EVENT[event],
    provider_txn_id: readable('string', 'Provider transaction ID. Empty if there is none.'),
    settled_at: time('Time the outcome became final.'),
  });
}

const SUMMARY: Readonly<Record<WebhookEvent['event'], string>> = {
  succeeded: 'succeeded',
  failed: 'failed',
  reversed: 'was reversed',
  sent: 'Test message sent on request',
};
const SUBJECT: Readonly<Record<WebhookEvent['operation'], string>> = {
  recharge: 'A recharge ',
  card_payment: 'A bill payment ',
  test: '',
};

const header = (name: string, description: string): JsonSchema => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
});
const HEADERS = [
  header('webhook-id', 'ID of the message, the same in every attempt. Process each ID only once.'),
  header('webhook-timestamp', 'Time of this attempt in seconds since 1970. Reject old messages.'),
  header(
    'webhook-signature',
    'One or two signatures separated by a space, each v1, followed by an HMAC-SHA256 in base64.',
  ),
];
const DESCRIPTION =
  'Messages are signed according to Standard Webhooks. Every attempt has the same body, which reports the state at the time of the event. Respond with 2xx within 15 seconds, also to types that your receiver does not know.';

/** Returns the schema name: `recharge.succeeded` → `RechargeSucceededEvent`. */
const nameOf = (type: string): string =>
  `${type.replace(/(?:^|[._])(\w)/g, (_all, first: string) => first.toUpperCase())}Event`;

/** Webhooks of the document, one per event type. Adds their schemas to the components. */
export function describedWebhooks(
  environment: Environment,
  { schemas }: { schemas: Record<string, JsonSchema> },
): Record<string, JsonSchema> {
  return Object.fromEntries(
    sampleEvents.map((sample) => {
      const type = eventTypeOf(sample);
      const name = nameOf(type);
      schemas[name] = object({
        type: { const: type, description: 'Type of the event.' },
        timestamp: time('Time of the event, in UTC.'),
        data: dataOf(sample),
      });
      const content = {
        schema: { $ref: `#/components/schemas/${name}` },
        example: JSON.parse(bodyOf({ ...sample, environment })) as JsonSchema,
      };
      const post = {
        operationId: name,
        tags: [tagOf('/api/v1/webhooks')],
        summary: `${SUBJECT[sample.operation]}${SUMMARY[sample.event]}.`,
        description: DESCRIPTION,
        security: [],
        parameters: HEADERS,
        requestBody: { required: true, content: { 'application/json': content } },
        responses: {
          '2XX': { description: 'Delivered.' },
          410: { description: 'The receiver is permanently gone. The endpoint is disabled.' },
          default: { description: 'Not delivered. The delivery is retried for about 48 hours.' },
        },
      };
      return [type, { post }];
    }),
  );
}
