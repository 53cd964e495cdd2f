import { wholeSeconds } from '../../core/clock.js';
import type { ListWebhooksQuery, RedeliverWebhookMutation } from '../generated/documents.js';
import { listResponse, secondsOrNull, successResponse } from '../responses.js';
import { graphql, type RestRoute, route } from '../route.js';
import { CHANGE_CALL, RECORD_CALL } from '../service-codes.js';
import { pageFields } from './pages.js';

type Endpoint = NonNullable<ListWebhooksQuery['result']>[number];
type Delivery = NonNullable<RedeliverWebhookMutation['result']>['delivery'];

const WEBHOOKS = '/api/v1/webhooks';

/** Event types in the spelling of the messages. */
const EVENT_TYPES = {
  'recharge.succeeded': 'RECHARGE_SUCCEEDED',
  'recharge.failed': 'RECHARGE_FAILED',
  'recharge.reversed': 'RECHARGE_REVERSED',
  'card_payment.succeeded': 'CARD_PAYMENT_SUCCEEDED',
  'card_payment.failed': 'CARD_PAYMENT_FAILED',
  'card_payment.reversed': 'CARD_PAYMENT_REVERSED',
} as const;
const STATES = { pending: 'PENDING', delivered: 'DELIVERED', failed: 'FAILED', cancelled: 'CANCELLED' } as const;
const typeOf = (name: Delivery['type']): string => name.toLowerCase().replace(/_(?=[a-z]+$)/, '.');

const endpointOf = (endpoint: Endpoint): object => ({
  id: endpoint.id,
  url: endpoint.url,
  types: endpoint.types.map(typeOf),
  created_at: wholeSeconds(endpoint.createdAt),
  previous_secret_until: secondsOrNull(endpoint.previousSecretUntil),
  disabled_at: secondsOrNull(endpoint.disabledAt),
  disabled_reason: endpoint.disabledReason?.toLowerCase() ?? null,
});

const deliveryOf = (delivery: Delivery): object => ({
  id: delivery.id,
  endpoint_id: delivery.endpointId,
  type: typeOf(delivery.type),
  api_request_id: delivery.apiRequestId,
  occurred_at: wholeSeconds(delivery.occurredAt),
  state: delivery.state.toLowerCase(),
  attempt_count: delivery.attemptCount,
  last_attempt_at: secondsOrNull(delivery.lastAttemptAt),
  next_attempt_at: secondsOrNull(delivery.nextAttemptAt),
  http_status: delivery.httpStatus,
  error: delivery.error?.toLowerCase() ?? null,
});

const id = { to: 'input.endpointId', kind: 'text' } as const;
const example = { id: 'whe_019aafe0-0000-7000-8000-000000000001' };

/** Routes of webhook endpoints and their deliveries (interface.md 4.23). */
export const webhookRoutes: readonly RestRoute[] = [
  route({
    method: 'POST',
    path: WEBHOOKS,
    codes: ['CONFLICT'],
    document: graphql(`
      mutation CreateWebhook($input: CreateWebhookEndpointInput!) {
        result: createWebhookEndpoint(input: $input) {
          secret
          endpoint { id url types createdAt previousSecretUntil disabledAt disabledReason }
        }
      }
    `),
    fields: {
      url: { to: 'input.url', kind: 'text' },
      types: { to: 'input.types', kind: EVENT_TYPES, list: true, optional: true },
    },
    example: { url: 'https://shop.example/webhooks', types: ['recharge.failed', 'recharge.reversed'] },
    toResponse: ({ endpoint, secret }) =>
      successResponse('Webhook created. The secret is shown only once.', { ...endpointOf(endpoint), secret }),
  }),
  route({
    method: 'GET',
    path: WEBHOOKS,
    isStrict: true,
    document: graphql(`
      query ListWebhooks {
        result: webhookEndpoints { id url types createdAt previousSecretUntil disabledAt disabledReason }
      }
    `),
    fields: {},
    example: {},
    toResponse: (endpoints) => successResponse('Webhooks listed.', endpoints.map(endpointOf)),
  }),
  route({
    method: 'POST',
    path: `${WEBHOOKS}/{id}/update`,
    codes: RECORD_CALL,
    document: graphql(`
      mutation UpdateWebhook($input: UpdateWebhookEndpointInput!) {
        result: updateWebhookEndpoint(input: $input) {
          endpoint { id url types createdAt previousSecretUntil disabledAt disabledReason }
        }
      }
    `),
    fields: { id, types: { to: 'input.types', kind: EVENT_TYPES, list: true } },
    example: { ...example, types: Object.keys(EVENT_TYPES) },
    toResponse: ({ endpoint }) => successResponse('Webhook updated.', endpointOf(endpoint)),
  }),
  route({
    method: 'POST',
    path: `${WEBHOOKS}/{id}/rotate`,
    codes: RECORD_CALL,
    document: graphql(`
      mutation RotateWebhook($input: WebhookEndpointInput!) {
        result: rotateWebhookSecret(input: $input) {
          secret
          endpoint { id url types createdAt previousSecretUntil disabledAt disabledReason }
        }
      }
    `),
    fields: { id },
    example,
    toResponse: ({ endpoint, secret }) =>
      successResponse(
        'Secret rotated. The new secret is shown only once. Messages are also signed with the previous secret for 24 hours.',
        {
          ...endpointOf(endpoint),
          secret,
        },
      ),
  }),
  route({
    method: 'POST',
    path: `${WEBHOOKS}/{id}/disable`,
    codes: CHANGE_CALL,
    document: graphql(`
      mutation DisableWebhook($input: WebhookEndpointInput!) {
        result: disableWebhookEndpoint(input: $input) {
          endpoint { id url types createdAt previousSecretUntil disabledAt disabledReason }
        }
      }
    `),
    fields: { id },
    example,
    toResponse: ({ endpoint }) =>
      successResponse('Webhook disabled. Pending deliveries are cancelled.', endpointOf(endpoint)),
  }),
  route({
    method: 'POST',
    path: `${WEBHOOKS}/{id}/enable`,
    codes: CHANGE_CALL,
    document: graphql(`
      mutation EnableWebhook($input: WebhookEndpointInput!) {
        result: enableWebhookEndpoint(input: $input) {
          endpoint { id url types createdAt previousSecretUntil disabledAt disabledReason }
        }
      }
    `),
    fields: { id },
    example,
    toResponse: ({ endpoint }) => successResponse('Webhook enabled.', endpointOf(endpoint)),
  }),
  route({
    method: 'POST',
    path: `${WEBHOOKS}/{id}/test`,
    codes: CHANGE_CALL,
    document: graphql(`
      mutation TestWebhook($input: SendTestEventInput!) {
        result: sendTestEvent(input: $input) {
          delivery {
            id endpointId type apiRequestId occurredAt state attemptCount lastAttemptAt nextAttemptAt httpStatus error
          }
        }
      }
    `),
    fields: { id },
    example,
    toResponse: ({ delivery }) => successResponse('Test message queued.', deliveryOf(delivery)),
  }),
  route({
    method: 'GET',
    path: `${WEBHOOKS}/{id}/deliveries`,
    isStrict: true,
    codes: RECORD_CALL,
    document: graphql(`
      query WebhookDeliveries($endpointId: ID!, $first: Int, $after: String) {
        result: webhookDeliveries(endpointId: $endpointId, first: $first, after: $after) {
          edges {
            node {
              id endpointId type apiRequestId occurredAt state attemptCount lastAttemptAt nextAttemptAt httpStatus error
            }
          }
          pageInfo { hasNextPage endCursor }
        }
      }
    `),
    fields: { id: { to: 'endpointId', kind: 'text' }, ...pageFields },
    example: { ...example, limit: 5 },
    toResponse: (deliveries) => listResponse('Deliveries listed.', deliveries, deliveryOf),
  }),
  route({
    method: 'POST',
    path: `${WEBHOOKS}/deliveries/{id}/redeliver`,
    codes: CHANGE_CALL,
    document: graphql(`
      mutation RedeliverWebhook($input: RedeliverWebhookInput!) {
        result: redeliverWebhook(input: $input) {
          delivery {
            id endpointId type apiRequestId occurredAt state attemptCount lastAttemptAt nextAttemptAt httpStatus error
          }
        }
      }
    `),
    fields: { id: { to: 'input.deliveryId', kind: 'text' } },
    example: { id: '019aafe0-0000-7000-8000-000000000002' },
    toResponse: ({ delivery }) => successResponse('Delivery queued.', deliveryOf(delivery)),
  }),
  route({
    method: 'POST',
    path: `${WEBHOOKS}/{id}/redeliver`,
    codes: CHANGE_CALL,
    document: graphql(`
      mutation RedeliverWebhooks($input: RedeliverWebhooksInput!) {
        result: redeliverWebhooks(input: $input) { count nextFrom }
      }
    `),
    fields: {
      id,
      from: { to: 'input.from', kind: 'from' },
      to: { to: 'input.to', kind: 'to' },
      type: { to: 'input.type', kind: EVENT_TYPES, list: true, optional: true },
      state: { to: 'input.state', kind: STATES, list: true, optional: true },
    },
    example: { ...example, from: '2026-11-28T10:00:00Z', to: '2026-11-28T12:00:00Z', state: ['failed', 'cancelled'] },
    toResponse: ({ count, nextFrom }) =>
      successResponse(count === 0 ? 'No delivery matches.' : 'Deliveries queued.', { count, next_from: nextFrom }),
  }),
  route({
    method: 'DELETE',
    path: `${WEBHOOKS}/{id}`,
    codes: RECORD_CALL,
    document: graphql(`
      mutation DeleteWebhook($input: WebhookEndpointInput!) {
        result: deleteWebhookEndpoint(input: $input) { deletedEndpointId }
      }
    `),
    fields: { id },
    example,
    toResponse: ({ deletedEndpointId }) =>
      successResponse('Webhook deleted, including its secrets and its delivery log.', { id: deletedEndpointId }),
  }),
];
