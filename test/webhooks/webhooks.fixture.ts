import type { Environment } from '../../src/core/environment.js';
import type { Console } from '../console/console.fixture.js';
import type { TestDeveloper, TestResponse } from '../support/app.js';
import { place } from '../support/recharges.js';

export interface Account {
  developer: TestDeveloper;
  /** Console session of the developer's user. */
  session: string;
}

export async function accountOf(on: Console): Promise<Account> {
  const developer = await on.test.developer({ rateLimitPerMinute: 2_000 });
  return { developer, session: await on.userOf(developer.id) };
}

/** ID of an endpoint in the form that clients see. */
export const publicId = (endpointId: string): string => `whe_${endpointId}`;
const keyOf = (endpointId: string): string => endpointId.replace(/^whe_/, '');

export const CREATE = `mutation($input: CreateWebhookEndpointInput!) { createWebhookEndpoint(input: $input) {
  secret endpoint { id environment url types createdAt previousSecretUntil disabledAt disabledReason }
} }`;
export const ROTATE = `mutation($id: ID!) { rotateWebhookSecret(input: {endpointId: $id}) {
  secret endpoint { id previousSecretUntil }
} }`;
export const DISABLE = `mutation($id: ID!) { disableWebhookEndpoint(input: {endpointId: $id}) {
  endpoint { id disabledAt disabledReason }
} }`;
export const ENABLE = `mutation($id: ID!) { enableWebhookEndpoint(input: {endpointId: $id}) {
  endpoint { id disabledAt disabledReason }
} }`;
export const DELETE = `mutation($id: ID!) { deleteWebhookEndpoint(input: {endpointId: $id}) { deletedEndpointId } }`;
export const REDELIVER = `mutation($id: ID!) { redeliverWebhook(input: {deliveryId: $id}) {
  delivery { id endpointId state attemptCount }
} }`;
export const REDELIVER_RANGE = `mutation($input: RedeliverWebhooksInput!) {
  redeliverWebhooks(input: $input) { count nextFrom }
}`;
export const SEND_TEST = `mutation($id: ID!) { sendTestEvent(input: {endpointId: $id}) {
  delivery { id endpointId type apiRequestId state attemptCount httpStatus }
} }`;
export const LIST = `query($developerId: ID) { webhookEndpoints(developerId: $developerId) { id environment url disabledAt disabledReason } }`;
export const UPDATE = `mutation($input: UpdateWebhookEndpointInput!) { updateWebhookEndpoint(input: $input) {
  endpoint { id types }
} }`;
export const HEALTH = `query($id: ID!) { node(id: $id) { ... on WebhookEndpoint {
  health { delivered failedAttempts failedDeliveries p95Ms pausedUntil }
} } }`;
/** Deliveries with all related data. */
export const DELIVERIES = `query($endpointId: ID, $filter: WebhookDeliveryFilter) {
  webhookDeliveries(endpointId: $endpointId, filter: $filter, first: 50) { edges { node {
    id endpointId type apiRequestId state body
    order { apiRequestId status accountNumber } attempts { at httpStatus error durationMs }
  } } }
}`;
export const LOG = `query($id: ID!, $first: Int, $after: String, $last: Int, $before: String) {
  webhookDeliveries(endpointId: $id, first: $first, after: $after, last: $last, before: $before) {
    edges { cursor node { id endpointId type apiRequestId occurredAt state attemptCount lastAttemptAt nextAttemptAt httpStatus error } }
    pageInfo { hasNextPage hasPreviousPage startCursor endCursor }
  }
}`;

/** Creates an endpoint and returns its ID in the form of the database. */
export async function createEndpoint(
  on: Console,
  { session }: Account,
  url: string,
  environment: Environment = 'production',
  types?: string[],
): Promise<{ id: string; secret: string }> {
  const input = { environment: environment.toUpperCase(), url, types };
  const { body } = await on.call(session, CREATE, { input });
  if (body.errors) throw new Error(JSON.stringify(body.errors));
  const { secret, endpoint } = body.data.createWebhookEndpoint;
  return { id: keyOf(endpoint.id), secret };
}

/** Newest entries of an endpoint's delivery log. */
export async function logOf(on: Console, { session }: Account, id: string): Promise<any[]> {
  const { body } = await on.call(session, LOG, { id, first: 50 });
  if (body.errors) throw new Error(JSON.stringify(body.errors));
  return body.data.webhookDeliveries.edges.map(({ node }: { node: unknown }) => node);
}

/** Places a recharge; equal recharges are separate orders. */
export const recharge = (
  on: Console,
  { developer }: Account,
  more: object = {},
  environment: Environment = 'production',
): Promise<TestResponse> => place(on.test, developer, { allow_duplicate: true, ...more }, environment);

export const outboxOf = (on: Console, { developer }: Account): Promise<{ event: string }[]> =>
  on.test.db.query('select event from webhook_outbox where developer_id = $1', [developer.id]);
