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
  'What became of the delivery of one event to one endpoint.',
  {
    pending: 'Waits for its next attempt.',
    delivered: 'The receiver answered 2xx.',
    failed: 'All retries over about 48 hours failed. Send the delivery again when the receiver works.',
    cancelled: 'The endpoint was disabled, or the receiver answered 410 Gone.',
  },
);

export const WebhookDisabledReasonEnum = words<DisabledReason>(
  'WebhookDisabledReason',
  'Why an endpoint is disabled.',
  {
    request: 'A person disabled it.',
    gone: 'The receiver answered 410 Gone.',
    failing: 'Nothing could be delivered to it for days.',
  },
);

const ABOUT_EVENT: Readonly<Record<WebhookEventKind, string>> = {
  succeeded: 'was performed; the debit is final.',
  failed: 'was not performed; the money is in the wallet again.',
  reversed: 'was performed, and taken back later; the money is in the wallet again.',
  sent: 'A message that a person asked for, to try a receiver. It stands for no order.',
};
export const WebhookEventTypeEnum = words(
  'WebhookEventType',
  'What a message reports: its `type`, such as recharge.succeeded.',
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

export const WebhookErrorEnum = words<WebhookError>('WebhookError', 'Why an attempt failed, or was not made.', {
  not_https: 'The address is none of https.',
  timeout: 'The receiver did not respond within 15 seconds.',
  address_not_public: 'The address is none of the public internet.',
  dns_failed: 'The name of the host has no address.',
  tls_failed: 'The certificate is wrong, or TLS failed in another way.',
  connection_failed: 'There was no connection, or it was lost.',
  interrupted: 'This service was stopped meanwhile; the attempt is made again.',
  http_status: 'The receiver answered with something else than 2xx.',
  gone: 'The receiver answered 410 Gone, which disables the endpoint.',
  endpoint_disabled: 'Not attempted: the endpoint was disabled.',
  endpoint_paused: 'Not attempted: the endpoint does not answer.',
});

const NO_TEST = 'TEST_SENT is sent to whom it is asked for: leave it out.';
const isOfOrders = ({ types }: { types?: readonly string[] }): boolean => !types?.includes('test.sent');

@Input({ description: 'A new webhook endpoint.' })
export class CreateWebhookEndpointInput {
  @Field({ description: 'Where events are posted to: https, a host of the public internet.' })
  @WebAddress(2_000)
  url!: string;

  @Field(() => [WebhookEventTypeEnum], {
    nullable: true,
    description: 'Only these are posted to it. Left out, or with every type: all, also those that come later.',
  })
  @Distinct(1, orderEventTypes.length)
  @Agrees<CreateWebhookEndpointInput>(isOfOrders, NO_TEST)
  types?: OrderEventType[];
}

@Input({ name: 'CreateWebhookEndpointInput', description: 'A new webhook endpoint.' })
export class ConsoleCreateWebhookEndpointInput extends CreateWebhookEndpointInput {
  @Field(() => EnvironmentEnum, { description: 'The environment whose orders it receives.' })
  environment!: Environment;

  @Field(() => ID, { nullable: true, description: 'Of admins alone: the developer it belongs to.' })
  developerId?: string;
}

@Input({ description: 'What an endpoint gets.' })
export class UpdateWebhookEndpointInput {
  @Field(() => ID, { description: 'Id of the endpoint.' })
  endpointId!: string;

  @Field(() => [WebhookEventTypeEnum], {
    description: 'Only these are posted to it from now on. With every type: all, also those that come later.',
  })
  @Distinct(1, orderEventTypes.length)
  @Agrees<UpdateWebhookEndpointInput>(isOfOrders, NO_TEST)
  types!: OrderEventType[];
}

@Input({ description: 'Which webhook endpoint.' })
export class WebhookEndpointInput {
  @Field(() => ID, { description: 'Id of the endpoint.' })
  endpointId!: string;
}

@Input({ description: 'Which delivery.' })
export class RedeliverWebhookInput {
  @Field(() => ID, { description: 'Id of the delivery.' })
  deliveryId!: string;
}

@Input({ description: 'Deliveries of an endpoint to redeliver. A delivery has to match every field.' })
export class RedeliverWebhooksInput {
  @Field(() => ID, { description: 'ID of the endpoint.' })
  endpointId!: string;

  @Field(() => Instant, { description: 'Recorded at this time or later.' })
  from!: Date;

  @Field(() => Instant, { description: 'Recorded before this time.' })
  @Agrees<RedeliverWebhooksInput>(({ from, to }) => !from || !to || from < to, 'Must be later than `from`.')
  to!: Date;

  @Field(() => [WebhookEventTypeEnum], {
    nullable: true,
    description: 'Of one of these types; without it of every type.',
  })
  @Distinct(1, orderEventTypes.length + 1)
  type?: WebhookEventType[];

  @Field(() => [WebhookDeliveryStateEnum], {
    nullable: true,
    description: 'In one of these states; without it FAILED and CANCELLED.',
  })
  @Distinct(1, 4)
  state?: DeliveryState[];
}

@Input({ description: 'Which endpoint a test message is for.' })
export class SendTestEventInput {
  @Field(() => ID, { description: 'Id of the endpoint.' })
  endpointId!: string;
}

@Input({ description: 'Which deliveries are listed: those that fit everything that is given.' })
export class WebhookDeliveryFilter {
  @Field(() => [WebhookDeliveryStateEnum], { nullable: true, description: 'In one of these states.' })
  @Distinct(1, 4)
  state?: DeliveryState[];

  @Field(() => [WebhookEventTypeEnum], { nullable: true, description: 'Of one of these types.' })
  @Distinct(1, orderEventTypes.length + 1)
  type?: WebhookEventType[];

  @Field(() => String, {
    nullable: true,
    description: 'Of the recharge or payment with this id of ours, or of this test.',
  })
  @Text(100)
  apiRequestId?: string;

  @Field(() => Instant, { nullable: true, description: 'Recorded at this instant or later.' })
  from?: Date;

  @Field(() => Instant, { nullable: true, description: 'Recorded before this instant.' })
  @Agrees<WebhookDeliveryFilter>(({ from, to }) => !from || !to || from < to, 'Must be later than `from`.')
  to?: Date;
}

@Input({
  name: 'WebhookDeliveryFilter',
  description: 'Which deliveries are listed: those that fit everything that is given.',
})
export class ConsoleWebhookDeliveryFilter extends WebhookDeliveryFilter {
  @Field(() => EnvironmentEnum, { nullable: true, description: 'Real money or play money.' })
  environment?: Environment;
}

@ArgsType()
export class WebhookDeliveriesArguments extends PageArguments {
  @Field(() => ID, { nullable: true, description: 'Of this endpoint; without it of all.' })
  endpointId?: string;

  @Field(() => WebhookDeliveryFilter, { nullable: true, description: 'Which ones; without it all.' })
  filter?: WebhookDeliveryFilter;
}

@ArgsType()
export class ConsoleWebhookDeliveriesArguments extends PageArguments {
  @Field(() => ID, { nullable: true, description: 'Of this endpoint; without it of all.' })
  endpointId?: string;

  @Field(() => ID, {
    nullable: true,
    description:
      'Whose. Developers may leave it out, it is their own; so may everybody who names an endpoint, and staff for what was given up: filter.state is [FAILED].',
  })
  developerId?: string;

  @Field(() => ConsoleWebhookDeliveryFilter, { nullable: true, description: 'Which ones; without it all.' })
  filter?: ConsoleWebhookDeliveryFilter;
}

@Output({ description: 'How the last 24 hours went, tests left out; of a busy endpoint its newest 5,000 events.' })
export class WebhookHealth implements RecentDeliveries {
  @Field(() => Int, { description: 'Events that arrived.' })
  delivered!: number;

  @Field(() => Int, { description: 'Attempts that failed, whatever became of their events.' })
  failedAttempts!: number;

  @Field(() => Int, { description: 'Events that were given up.' })
  failedDeliveries!: number;

  @Field(() => Int, {
    nullable: true,
    description: 'Milliseconds that 95 of 100 attempts took at most; null without any.',
  })
  p95Ms!: number | null;

  @Field(() => Instant, {
    nullable: true,
    description: 'It does not answer: nothing is posted to it before this. Null when it is not paused.',
  })
  pausedUntil!: Date | null;
}

@NodeType<WebhookEndpoint>('whe', {
  description: 'Where final outcomes and reversals of recharges and card payments are posted to.',
})
export class WebhookEndpoint {
  /** Of its id and its health. */
  id!: string;
  developerId!: DeveloperId;
  pausedUntil!: Date | null;

  @Field(() => EnvironmentEnum, { description: 'The environment whose orders it receives.' })
  environment!: Environment;

  @Field({ description: 'Where events are posted to.' })
  url!: string;

  @Field(() => [WebhookEventTypeEnum], { description: 'What is posted to it; a test whenever it is asked for.' })
  types!: readonly OrderEventType[];

  @Field(() => Instant, { description: 'When it was made; earlier outcomes are not posted.' })
  createdAt!: Date;

  @Field(() => Instant, {
    nullable: true,
    description:
      'Time from which outcomes are sent to the endpoint. Null for an endpoint that started when it was created.',
  })
  startsAt!: Date | null;

  @Field(() => Instant, {
    nullable: true,
    description: 'After a rotation: until then every message carries a signature of the former secret too.',
  })
  previousSecretUntil!: Date | null;

  @Field(() => Instant, { nullable: true, description: 'Since when nothing is posted to it.' })
  disabledAt!: Date | null;

  @Field(() => WebhookDisabledReasonEnum, { nullable: true, description: 'Why nothing is posted to it.' })
  disabledReason!: DisabledReason | null;
}

export const endpointKeyOf = (id: string): string => id.replace(/^whe_/, '');

@Output({ description: 'A decision about an endpoint.' })
export class WebhookEndpointPayload {
  @Field(() => WebhookEndpoint, { description: 'The endpoint as it is now.' })
  endpoint!: WebhookEndpoint;
}

@Output({ description: 'An endpoint that was removed, with its secrets and its delivery log.' })
export class DeleteWebhookEndpointPayload {
  @Field(() => ID, { description: 'The id that it had.' })
  deletedEndpointId!: string;
}

@Output({ description: 'A new secret of an endpoint. It is shown this once.' })
export class CreateWebhookEndpointPayload {
  @Field({ description: 'The signing secret in the form of Standard Webhooks: whsec_ and base64.' })
  secret!: string;

  @Field(() => WebhookEndpoint, { description: 'The endpoint.' })
  endpoint!: WebhookEndpoint;
}

@Output({ description: 'One attempt to deliver an event.' })
export class WebhookAttempt {
  @Field(() => Instant, { description: 'When it had ended.' })
  at!: Date;

  @Field(() => Int, { nullable: true, description: 'HTTP status of the answer; null when there was none.' })
  httpStatus!: number | null;

  @Field(() => WebhookErrorEnum, { nullable: true, description: 'Why it failed; null when it delivered the event.' })
  error!: WebhookError | null;

  @Field(() => Int, { description: 'Milliseconds until the answer, or until it had failed.' })
  durationMs!: number;
}

@Output({ description: 'The delivery of one event to one endpoint.' })
export class WebhookDelivery {
  /** Of what is read beside it. */
  key!: { developerId: DeveloperId; id: string };
  orderId!: string | null;

  @Field(() => ID, {
    description: 'For redeliverWebhook, the same as over REST. `node` does not read it: its log does.',
  })
  id!: string;

  @Field(() => ID, { description: 'The endpoint.' })
  endpointId!: string;

  @Field(() => WebhookEventTypeEnum, { description: 'What it reports.' })
  type!: WebhookEventType;

  @Field({ description: 'Our id of the recharge or payment; of a test, what names it: no order has it.' })
  apiRequestId!: string;

  @Field(() => Instant, { description: 'When it became true.' })
  occurredAt!: Date;

  @Field(() => WebhookDeliveryStateEnum, { description: 'What became of it.' })
  state!: DeliveryState;

  @Field(() => Int, { description: 'Attempts so far.' })
  attemptCount!: number;

  @Field(() => Instant, { nullable: true, description: 'The last attempt.' })
  lastAttemptAt!: Date | null;

  @Field(() => Instant, { nullable: true, description: 'The next attempt, not before this.' })
  nextAttemptAt!: Date | null;

  @Field(() => Int, { nullable: true, description: 'HTTP status of the last answer; null when there was none.' })
  httpStatus!: number | null;

  @Field(() => WebhookErrorEnum, {
    nullable: true,
    description: 'Why the last attempt failed, or why none is made.',
  })
  error!: WebhookError | null;

  @Field(() => [WebhookAttempt], { nullable: true, description: 'The attempts so far, the oldest first; the last 50.' })
  @Entries(WITH_PARENT)
  attempts!: readonly WebhookAttempt[];
}

@Output({ description: 'A delivery that is tried again.' })
export class RedeliverWebhookPayload {
  @Field(() => WebhookDelivery, { description: 'The delivery as it is now.' })
  delivery!: WebhookDelivery;
}

@Output({ description: 'Deliveries of a range that are redelivered.' })
export class RedeliverWebhooksPayload {
  @Field(() => Int, { description: `How many, at most ${REDELIVERED_AT_ONCE}, the oldest first.` })
  count!: number;

  @Field(() => Instant, {
    nullable: true,
    description: 'Send the same input with this as `from` for the rest of the range; null when the range has no more.',
  })
  nextFrom!: Date | null;
}

@Output({ description: 'A test message that is on its way.' })
export class SendTestEventPayload {
  @Field(() => WebhookDelivery, { description: 'Its delivery. How it goes stands in the log of the endpoint.' })
  delivery!: WebhookDelivery;
}

@Output({ description: 'A page of the delivery log, newest first. It reaches back ninety days.' })
export class WebhookDeliveryConnection extends connectionOf('WebhookDelivery', WebhookDelivery, {
  one: 'delivery',
  many: 'deliveries',
  edge: 'A delivery with its position in the log.',
  cursor: 'Position in the log.',
}) {}
