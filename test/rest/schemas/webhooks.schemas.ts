import { exactly, filledText, instant, integer, nullable } from './common.js';
import { listResponse, successResponse } from './lists.schemas.js';

const orderEvents = ['recharge', 'card_payment'].flatMap((call) =>
  ['succeeded', 'failed', 'reversed'].map((event) => `${call}.${event}`),
);

const endpointFields = {
  id: { type: 'string', pattern: '^whe_[0-9a-f-]{36}$' },
  url: filledText,
  types: { type: 'array', items: { enum: orderEvents }, minItems: 1, uniqueItems: true },
  created_at: instant,
  previous_secret_until: nullable(instant),
  disabled_at: nullable(instant),
  disabled_reason: { enum: ['request', 'gone', 'failing', null] },
};

const deliveryEntry = exactly({
  id: filledText,
  endpoint_id: endpointFields.id,
  type: { enum: [...orderEvents, 'test.sent'] },
  api_request_id: filledText,
  occurred_at: instant,
  state: { enum: ['pending', 'delivered', 'dead', 'cancelled'] },
  attempt_count: integer,
  last_attempt_at: nullable(instant),
  next_attempt_at: nullable(instant),
  http_status: nullable(integer),
  error: nullable(filledText),
});

/** Webhooks (interface.md 4.23). */
export const endpoint = successResponse(exactly(endpointFields));
export const withSecret = successResponse(
  exactly({ ...endpointFields, secret: { type: 'string', pattern: '^whsec_[A-Za-z0-9+/]{32,}={0,2}$' } }),
);
export const endpoints = successResponse({ type: 'array', items: exactly(endpointFields) });
export const deleted = successResponse(exactly({ id: endpointFields.id }));
export const delivery = successResponse(deliveryEntry);
export const deliveries = listResponse(deliveryEntry);
