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
/** Of what is stored encrypted. */
const readable = (type: 'string' | 'integer', description: string): JsonSchema => ({
  type: [type, 'null'],
  description: `${description} Null where it cannot be read any more.`,
});
const time = (description: string): JsonSchema => ({ ...text(description), format: 'date-time' });
const object = (properties: Record<string, JsonSchema>): JsonSchema => ({
  type: 'object',
  required: Object.keys(properties),
  properties,
});

/** What belongs to one kind of order (interface.md 6.1). */
const OF_KIND: Readonly<Record<OrderOperation, Record<string, JsonSchema>>> = {
  recharge: {
    client_request_id: readable('string', 'Your own key; "" when you sent none.'),
    account_number: readable('string', 'The number, all but the last 4 digits as x.'),
    operator_sp_key: readable('integer', 'SP key of the operator.'),
    operator_ref: readable('string', 'The operator’s reference; "" when there is none.'),
  },
  card_payment: {
    orderid: readable('string', 'Your own key.'),
    card: readable('string', 'The last 4 characters of the card behind xxxx.'),
    mobile: readable('string', 'The mobile number of the request, all but the last 4 digits as x.'),
    utr: readable('string', 'The payment reference; "" when there is none.'),
    txid: readable('integer', 'The transaction id; 0 when there is none.'),
  },
};

/** `order_status` of each event. */
const ORDER_STATUS = { succeeded: 'success', failed: 'failed', reversed: 'reversed' } as const;

const failure = (code: 'PROVIDER_DECLINED' | 'REVERSED'): Record<string, JsonSchema> => ({
  status: { const: 'failed', description: 'Nothing is charged: the money is in the wallet again.' },
  code: { const: code, description: 'The code that a repetition of the request gets.' },
  reason: { type: 'string', enum: Object.keys(declineReasons), description: 'Why. Words may be added.' },
});

const OF_EVENT: Readonly<Record<OrderEventKind, Record<string, JsonSchema>>> = {
  succeeded: { status: { const: 'success', description: 'It was performed; the debit is final.' } },
  failed: failure('PROVIDER_DECLINED'),
  reversed: { ...failure('REVERSED'), reversed_at: time('When the success was taken back.') },
};

function dataOf({ operation, event }: WebhookEvent): JsonSchema {
  const host = { type: 'string', enum: environments, description: 'The environment of the order.' };
  if (operation === 'test' || event === 'sent')
    return object({ test: { const: true, description: 'No order stands behind it.' }, environment: host });
  return object({
    api_request_id: text('Our id of the order.'),
    environment: host,
    sequence: {
      type: 'integer',
      minimum: 1,
      description:
        'Number of this event among the events of the order: 1 is the first final status. Ignore an event whose sequence is lower than the highest one you have received.',
    },
    order_status: {
      const: ORDER_STATUS[event],
      description: 'Status of the order when this event became true.',
    },
    amount: { type: 'number', description: 'Rupees.' },
    ...OF_KIND[operation],
    ...OF_EVENT[event],
    provider_txn_id: readable('string', 'The provider’s transaction id; "" when there is none.'),
    settled_at: time('When the outcome became final.'),
  });
}

const SUMMARY: Readonly<Record<WebhookEvent['event'], string>> = {
  succeeded: 'was performed',
  failed: 'was not performed',
  reversed: 'was performed, and taken back later',
  sent: 'A message that a person asked for',
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
  header('webhook-id', 'The same in every attempt: do what it says once.'),
  header('webhook-timestamp', 'Seconds since 1970 of this attempt: refuse old ones.'),
  header('webhook-signature', 'One or two signatures behind a space: v1, and the base64 of an HMAC-SHA256.'),
];
const DESCRIPTION =
  'Signed as Standard Webhooks say. Every attempt has the same body, as it was when it became true. Answer 2xx within 15 seconds, to types that you do not know too.';

/** `recharge.succeeded` → `RechargeSucceededEvent` */
const nameOf = (type: string): string =>
  `${type.replace(/(?:^|[._])(\w)/g, (_all, first: string) => first.toUpperCase())}Event`;

/** What is posted to the developer, each type of event with its schema, which goes among the components. */
export function describedWebhooks(
  environment: Environment,
  { schemas }: { schemas: Record<string, JsonSchema> },
): Record<string, JsonSchema> {
  return Object.fromEntries(
    sampleEvents.map((sample) => {
      const type = eventTypeOf(sample);
      const name = nameOf(type);
      schemas[name] = object({
        type: { const: type, description: 'What it reports.' },
        timestamp: time('When it became true, in UTC.'),
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
          410: { description: 'The receiver is gone for good, and the endpoint is disabled.' },
          default: { description: 'Not delivered: retried for about 48 hours.' },
        },
      };
      return [type, { post }];
    }),
  );
}
