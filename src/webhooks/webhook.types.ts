import { ArgsType, Field, ID, Int } from 'type-graphql';
import type { Environment } from '../core/environment.js';
import type { DeveloperId } from '../core/principal.js';
import { connectionOf } from '../graphql-toolkit/connection-types.js';
import { EnvironmentEnum, Output } from '../graphql-toolkit/graphql-types.js';
import { NodeType } from '../graphql-toolkit/node.js';
import { PageArguments } from '../graphql-toolkit/page-arguments.js';
import { Entries, WITH_PARENT } from '../graphql-toolkit/rows.js';
import { Agrees, Distinct, Input, Text, WebAddress } from '../graphql-toolkit/rules.js';
import { Instant } from '../graphql-toolkit/scalars.js';
import { words } from '../graphql-toolkit/words.js';
import { type DeliveryState, REDELIVERED_AT_ONCE, type WebhookError } from './webhook-delivery.store.js';
import type { DisabledReason } from './webhook-endpoint.entity.js';
import type { RecentDeliveries } from './webhook-endpoint.health.js';
import {
  type OrderEventType,
  orderEventKinds,
  orderEventTypes,
  orderOperations,
  type WebhookEventKind,
  type WebhookEventType,
} from './webhook-event.js';

export const WebhookDeliveryStateEnum = words<DeliveryState>(
  'WebhookDeliveryState',
  'Status of the delivery of an event to an endpoint.',
  {
    pending: 'The next attempt is scheduled.',
    delivered: 'The receiver returned a 2xx status.',
    failed: 'All retries over about 48 hours failed. Resend the delivery when the receiver works again.',
    cancelled: 'The endpoint was disabled, or the receiver returned 410 Gone.',
  },
);

export const WebhookDisabledReasonEnum = words<DisabledReason>(
  'WebhookDisabledReason',
  'Reason an endpoint is disabled.',
  {
    request: 'A user disabled the endpoint.',
    gone: 'The receiver returned 410 Gone.',
    failing: 'All deliveries to the endpoint failed for several days.',
  },
);

const ABOUT_EVENT: Readonly<Record<WebhookEventKind, string>> = {
  succeeded: 'succeeded and the debit is final.',
  failed: 'failed and the amount was refunded.',
  reversed: 'was reversed after it had succeeded, and the amount was refunded.',
  sent: 'A test message, sent on request to test a receiver. It does not belong to an order.',
};
export const WebhookEventTypeEnum = words(
  'WebhookEventType',
  'Type of an event, sent as `type` in the message, for example recharge.succeeded.',
  {
    ...Object.fromEntries(
      orderOperations.flatMap((operation) =>
        orderEventKinds.map((event) => [
          `${operation}.${event}`,
          `A ${operation.replace('_', ' ')} ${ABOUT_EVENT[event]}`,
        ]),
      ),
    ),
    'test.sent': ABOUT_EVENT.sent,
  },
);

export const WebhookErrorEnum = words<WebhookError>('WebhookError', 'Reason an attempt failed or was not made.', {
  not_https: 'The URL of the endpoint does not use https.',
  timeout: 'The receiver did not respond within 15 seconds.',
  address_not_public: 'The host resolves to an address that is not on the public internet.',
  dns_failed: 'The host name could not be resolved.',
  tls_failed: 'The TLS connection failed, for example because of an invalid certificate.',
  connection_failed: 'The connection could not be established or was lost.',
  interrupted: 'This service was stopped during the attempt. The attempt is repeated.',
  http_status: 'The receiver returned a status other than 2xx.',
  gone: 'The receiver returned 410 Gone, which disables the endpoint.',
  endpoint_disabled: 'No attempt was made because the endpoint is disabled.',
  endpoint_paused: 'No attempt was made because the endpoint is paused after repeated attempts without a response.',
});

const NO_TEST = 'Remove TEST_SENT. Test events are sent only with `sendTestEvent`.';
const isOfOrders = ({ types }: { types?: readonly string[] }): boolean => !types?.includes('test.sent');

@Input({ description: 'Settings of a new webhook endpoint.' })
export class CreateWebhookEndpointInput {
  @Field({ description: 'URL that events are sent to. Must use https and a host on the public internet.' })
  @WebAddress(2_000)
  url!: string;

  @Field(() => [WebhookEventTypeEnum], {
    nullable: true,
    description:
      'Subscribed event types. If omitted, or if all types are listed, the endpoint receives all events, including types added later.',
  })
  @Distinct(1, orderEventTypes.length)
  @Agrees<CreateWebhookEndpointInput>(isOfOrders, NO_TEST)
  types?: OrderEventType[];
}

@Input({ name: 'CreateWebhookEndpointInput', description: 'Settings of a new webhook endpoint.' })
export class ConsoleCreateWebhookEndpointInput extends CreateWebhookEndpointInput {
  @Field(() => EnvironmentEnum, { description: 'Environment of the orders whose events the endpoint receives.' })
  environment!: Environment;

  @Field(() => ID, {
    nullable: true,
    description: 'ID of the developer that owns the endpoint. Required for admins; only admins can set it.',
  })
  developerId?: string;
}

@Input({ description: 'New subscribed event types of a webhook endpoint.' })
export class UpdateWebhookEndpointInput {
  @Field(() => ID, { description: 'ID of the endpoint.' })
  endpointId!: string;

  @Field(() => [WebhookEventTypeEnum], {
    description:
      'Subscribed event types from now on. If all types are listed, the endpoint receives all events, including types added later.',
  })
  @Distinct(1, orderEventTypes.length)
  @Agrees<UpdateWebhookEndpointInput>(isOfOrders, NO_TEST)
  types!: OrderEventType[];
}

@Input({ description: 'ID of a webhook endpoint.' })
export class WebhookEndpointInput {
  @Field(() => ID, { description: 'ID of the endpoint.' })
  endpointId!: string;
}

@Input({ description: 'ID of the delivery to resend.' })
export class RedeliverWebhookInput {
  @Field(() => ID, { description: 'ID of the delivery.' })
  deliveryId!: string;
}

@Input({ description: 'Filters for the deliveries to resend. A delivery must match all given fields.' })
export class RedeliverWebhooksInput {
  @Field(() => ID, { description: 'ID of the endpoint.' })
  endpointId!: string;

  @Field(() => Instant, { description: 'Only deliveries recorded at or after this time.' })
  from!: Date;

  @Field(() => Instant, { description: 'Only deliveries recorded before this time.' })
  @Agrees<RedeliverWebhooksInput>(({ from, to }) => !from || !to || from < to, 'Must be later than `from`.')
  to!: Date;

  @Field(() => [WebhookEventTypeEnum], {
    nullable: true,
    description: 'Only deliveries of these event types. If omitted, all types.',
  })
  @Distinct(1, orderEventTypes.length + 1)
  type?: WebhookEventType[];

  @Field(() => [WebhookDeliveryStateEnum], {
    nullable: true,
    description: 'Only deliveries with one of these statuses. If omitted, FAILED and CANCELLED.',
  })
  @Distinct(1, 4)
  state?: DeliveryState[];
}

@Input({ description: 'ID of the webhook endpoint that receives a test message.' })
export class SendTestEventInput {
  @Field(() => ID, { description: 'ID of the endpoint.' })
  endpointId!: string;
}

@Input({ description: 'Filters for deliveries. A delivery must match all given fields.' })
export class WebhookDeliveryFilter {
  @Field(() => [WebhookDeliveryStateEnum], {
    nullable: true,
    description: 'Only deliveries with one of these statuses.',
  })
  @Distinct(1, 4)
  state?: DeliveryState[];

  @Field(() => [WebhookEventTypeEnum], { nullable: true, description: 'Only deliveries of these event types.' })
  @Distinct(1, orderEventTypes.length + 1)
  type?: WebhookEventType[];

  @Field(() => String, {
    nullable: true,
    description:
      'Only deliveries for the recharge or payment with this `api_request_id`, or for the test message with this reference.',
  })
  @Text(100)
  apiRequestId?: string;

  @Field(() => Instant, { nullable: true, description: 'Only deliveries recorded at or after this time.' })
  from?: Date;

  @Field(() => Instant, { nullable: true, description: 'Only deliveries recorded before this time.' })
  @Agrees<WebhookDeliveryFilter>(({ from, to }) => !from || !to || from < to, 'Must be later than `from`.')
  to?: Date;
}

@Input({
  name: 'WebhookDeliveryFilter',
  description: 'Filters for deliveries. A delivery must match all given fields.',
})
export class ConsoleWebhookDeliveryFilter extends WebhookDeliveryFilter {
  @Field(() => EnvironmentEnum, { nullable: true, description: 'Only deliveries of this environment.' })
  environment?: Environment;
}

@ArgsType()
export class WebhookDeliveriesArguments extends PageArguments {
  @Field(() => ID, {
    nullable: true,
    description: 'ID of an endpoint, to list only its deliveries. If omitted, deliveries of all endpoints are listed.',
  })
  endpointId?: string;

  @Field(() => WebhookDeliveryFilter, {
    nullable: true,
    description: 'Filters for the list. Without it, all deliveries are returned.',
  })
  filter?: WebhookDeliveryFilter;
}

@ArgsType()
export class ConsoleWebhookDeliveriesArguments extends PageArguments {
  @Field(() => ID, {
    nullable: true,
    description: 'ID of an endpoint, to list only its deliveries. If omitted, deliveries of all endpoints are listed.',
  })
  endpointId?: string;

  @Field(() => ID, {
    nullable: true,
    description:
      'ID of the developer whose deliveries are listed. Optional for users of a developer account, if `endpointId` is set, and for staff who list failed deliveries of all accounts with `filter.state: [FAILED]`.',
  })
  developerId?: string;

  @Field(() => ConsoleWebhookDeliveryFilter, {
    nullable: true,
    description: 'Filters for the list. Without it, all deliveries are returned.',
  })
  filter?: ConsoleWebhookDeliveryFilter;
}

@Output({
  description:
    'Deliveries in the last 24 hours, excluding tests. For an endpoint with many events, only the latest 5,000 are included.',
})
export class WebhookHealth implements RecentDeliveries {
  @Field(() => Int, { description: 'Number of delivered events.' })
  delivered!: number;

  @Field(() => Int, { description: 'Number of failed attempts, including those of events that were delivered later.' })
  failedAttempts!: number;

  @Field(() => Int, { description: 'Number of failed deliveries (retries exhausted).' })
  failedDeliveries!: number;

  @Field(() => Int, {
    nullable: true,
    description: '95th percentile of attempt latency, in milliseconds. Null if there were no attempts.',
  })
  p95Ms!: number | null;

  @Field(() => Instant, {
    nullable: true,
    description:
      'Time before which no attempt is made, because the endpoint did not respond. Null if the endpoint is not paused.',
  })
  pausedUntil!: Date | null;
}

@NodeType<WebhookEndpoint>('whe', {
  description: 'A URL that receives the final outcomes and reversals of recharges and card bill payments.',
})
export class WebhookEndpoint {
  /** UUID of the endpoint. It is used to load the endpoint's health. */
  id!: string;
  developerId!: DeveloperId;
  pausedUntil!: Date | null;

  @Field(() => EnvironmentEnum, { description: 'Environment of the orders whose events the endpoint receives.' })
  environment!: Environment;

  @Field({ description: 'URL that events are sent to.' })
  url!: string;

  @Field(() => [WebhookEventTypeEnum], {
    description: 'Subscribed event types. Test events are sent on request and cannot be subscribed to.',
  })
  types!: readonly OrderEventType[];

  @Field(() => Instant, { description: 'Time the endpoint was created. Earlier events are not delivered.' })
  createdAt!: Date;

  @Field(() => Instant, {
    nullable: true,
    description:
      'Time from which events are sent to the endpoint. Null for an endpoint that started when it was created.',
  })
  startsAt!: Date | null;

  @Field(() => Instant, {
    nullable: true,
    description:
      'Time until which messages are also signed with the previous secret, after a rotation. Null if only one secret is valid.',
  })
  previousSecretUntil!: Date | null;

  @Field(() => Instant, {
    nullable: true,
    description: 'Time the endpoint was disabled. Null for an enabled endpoint.',
  })
  disabledAt!: Date | null;

  @Field(() => WebhookDisabledReasonEnum, {
    nullable: true,
    description: 'Reason the endpoint is disabled. Null for an enabled endpoint.',
  })
  disabledReason!: DisabledReason | null;
}

export const endpointKeyOf = (id: string): string => id.replace(/^whe_/, '');

@Output({ description: 'Result of a change to a webhook endpoint.' })
export class WebhookEndpointPayload {
  @Field(() => WebhookEndpoint, { description: 'The updated endpoint.' })
  endpoint!: WebhookEndpoint;
}

@Output({ description: 'ID of a deleted endpoint. Its secrets and its delivery log were deleted as well.' })
export class DeleteWebhookEndpointPayload {
  @Field(() => ID, { description: 'ID of the deleted endpoint.' })
  deletedEndpointId!: string;
}

@Output({ description: 'A webhook endpoint with its new signing secret. The secret is shown only once.' })
export class CreateWebhookEndpointPayload {
  @Field({ description: 'Signing secret in Standard Webhooks format: whsec_ followed by base64.' })
  secret!: string;

  @Field(() => WebhookEndpoint, { description: 'The endpoint.' })
  endpoint!: WebhookEndpoint;
}

@Output({ description: 'An attempt to deliver an event.' })
export class WebhookAttempt {
  @Field(() => Instant, { description: 'Time the attempt ended.' })
  at!: Date;

  @Field(() => Int, { nullable: true, description: 'HTTP status of the response. Null if there was no response.' })
  httpStatus!: number | null;

  @Field(() => WebhookErrorEnum, {
    nullable: true,
    description: 'Reason the attempt failed. Null if the event was delivered.',
  })
  error!: WebhookError | null;

  @Field(() => Int, { description: 'Duration of the attempt until the response or the failure, in milliseconds.' })
  durationMs!: number;
}

@Output({ description: 'The delivery of an event to an endpoint.' })
export class WebhookDelivery {
  /** Key for fields that are loaded separately. */
  key!: { developerId: DeveloperId; id: string };
  orderId!: string | null;

  @Field(() => ID, {
    description:
      'ID of the delivery, the same in REST and GraphQL. It is not a global object ID: pass it to `redeliverWebhook`.',
  })
  id!: string;

  @Field(() => ID, { description: 'ID of the endpoint.' })
  endpointId!: string;

  @Field(() => WebhookEventTypeEnum, { description: 'Type of the event.' })
  type!: WebhookEventType;

  @Field({
    description: 'The `api_request_id` of the recharge or payment. For a test message, a reference that no order has.',
  })
  apiRequestId!: string;

  @Field(() => Instant, { description: 'Time of the event.' })
  occurredAt!: Date;

  @Field(() => WebhookDeliveryStateEnum, { description: 'Status of the delivery.' })
  state!: DeliveryState;

  @Field(() => Int, { description: 'Number of attempts so far.' })
  attemptCount!: number;

  @Field(() => Instant, { nullable: true, description: 'Time of the last attempt.' })
  lastAttemptAt!: Date | null;

  @Field(() => Instant, {
    nullable: true,
    description: 'Earliest time of the next attempt. Null if none is scheduled.',
  })
  nextAttemptAt!: Date | null;

  @Field(() => Int, { nullable: true, description: 'HTTP status of the last response. Null if there was no response.' })
  httpStatus!: number | null;

  @Field(() => WebhookErrorEnum, {
    nullable: true,
    description: 'Reason the last attempt failed or no attempt is made.',
  })
  error!: WebhookError | null;

  @Field(() => [WebhookAttempt], { nullable: true, description: 'The last 50 attempts, oldest first.' })
  @Entries(WITH_PARENT)
  attempts!: readonly WebhookAttempt[];
}

@Output({ description: 'Result of resending a delivery.' })
export class RedeliverWebhookPayload {
  @Field(() => WebhookDelivery, { description: 'The updated delivery.' })
  delivery!: WebhookDelivery;
}

@Output({ description: 'Result of resending the deliveries of a time range.' })
export class RedeliverWebhooksPayload {
  @Field(() => Int, {
    description: `Number of deliveries to resend, at most ${REDELIVERED_AT_ONCE}. The oldest are resent first.`,
  })
  count!: number;

  @Field(() => Instant, {
    nullable: true,
    description:
      'Start of the remaining time range. To resend its deliveries, send the same input with this value as `from`. Null if no deliveries remain.',
  })
  nextFrom!: Date | null;
}

@Output({ description: 'Result of sending a test message.' })
export class SendTestEventPayload {
  @Field(() => WebhookDelivery, {
    description: 'Delivery of the test message. Its progress is recorded in the delivery log of the endpoint.',
  })
  delivery!: WebhookDelivery;
}

@Output({ description: 'A page of the delivery log, newest first. The log is kept for 90 days.' })
export class WebhookDeliveryConnection extends connectionOf('WebhookDelivery', WebhookDelivery, {
  singular: 'delivery',
  plural: 'deliveries',
  edge: 'A delivery and its pagination cursor.',
  cursor: 'Pagination cursor of the delivery.',
}) {}
