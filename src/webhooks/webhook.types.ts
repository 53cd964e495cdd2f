import { ArgsType, Field, ID, Int, registerEnumType } from 'type-graphql';
import type { Environment } from '../core/environment.js';
import { EnvironmentEnum, Output, PageInfo } from '../graphql-toolkit/graphql-types.js';
import { NodeType } from '../graphql-toolkit/node.js';
import { PageArguments } from '../graphql-toolkit/page-arguments.js';
import { Input, WebAddress } from '../graphql-toolkit/rules.js';
import { Instant } from '../graphql-toolkit/scalars.js';
import type { DeliveryState } from './webhook-delivery.store.js';
import type { DisabledReason } from './webhook-endpoint.entity.js';

export const WebhookDeliveryStateEnum = {
  PENDING: 'pending',
  DELIVERED: 'delivered',
  DEAD: 'dead',
  CANCELLED: 'cancelled',
} as const;
registerEnumType(WebhookDeliveryStateEnum, {
  name: 'WebhookDeliveryState',
  description: 'What became of the delivery of one event to one endpoint.',
  valuesConfig: {
    PENDING: { description: 'Waits for its next attempt.' },
    DELIVERED: { description: 'The receiver answered 2xx.' },
    DEAD: { description: 'Given up after the last retry, about a day. Deliver it again when the receiver works.' },
    CANCELLED: { description: 'The endpoint was disabled, or the receiver answered 410 Gone.' },
  },
});

export const WebhookDisabledReasonEnum = { REQUEST: 'request', GONE: 'gone', FAILING: 'failing' } as const;
registerEnumType(WebhookDisabledReasonEnum, {
  name: 'WebhookDisabledReason',
  description: 'Why an endpoint is disabled.',
  valuesConfig: {
    REQUEST: { description: 'A person disabled it.' },
    GONE: { description: 'The receiver answered 410 Gone.' },
    FAILING: { description: 'Nothing could be delivered to it for days.' },
  },
});

@Input({ description: 'A new webhook endpoint.' })
export class CreateWebhookEndpointInput {
  @Field(() => EnvironmentEnum, {
    nullable: true,
    description:
      'The environment whose orders it receives: needed on the console; on an API host it is the host’s own.',
  })
  environment?: Environment;

  @Field({ description: 'Where events are posted to: https, a host of the public internet.' })
  @WebAddress(2_000)
  url!: string;

  @Field(() => ID, { nullable: true, description: 'Of admins alone: the developer it belongs to.' })
  developerId?: string;
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

@Input({ description: 'Which endpoint a test message is for.' })
export class SendTestEventInput {
  @Field(() => ID, { description: 'Id of the endpoint.' })
  endpointId!: string;
}

@ArgsType()
export class WebhookDeliveriesArguments extends PageArguments {
  @Field(() => ID, { description: 'Id of the endpoint.' })
  endpointId!: string;
}

@NodeType<WebhookEndpoint>('whe', {
  description: 'Where final outcomes and reversals of recharges and card payments are posted to.',
})
export class WebhookEndpoint {
  id!: string;

  @Field(() => EnvironmentEnum, { description: 'The environment whose orders it receives.' })
  environment!: Environment;

  @Field({ description: 'Where events are posted to.' })
  url!: string;

  @Field(() => Instant, { description: 'When it was made; earlier outcomes are not posted.' })
  createdAt!: Date;

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

@Output({ description: 'The delivery of one event to one endpoint. The body is not kept.' })
export class WebhookDelivery {
  @Field(() => ID, { description: 'Id of the delivery.' })
  id!: string;

  @Field(() => ID, { description: 'The endpoint.' })
  endpointId!: string;

  @Field({ description: 'Type of the event, such as recharge.succeeded; of a test, test.sent.' })
  type!: string;

  @Field({ description: 'Our id of the recharge or payment; of a test, what names it: no order has it.' })
  apiRequestId!: string;

  @Field(() => Instant, { description: 'When it became true.' })
  occurredAt!: Date;

  @Field(() => WebhookDeliveryStateEnum, { description: 'What became of it.' })
  state!: DeliveryState;

  @Field(() => Int, { description: 'Attempts so far.' })
  attempts!: number;

  @Field(() => Instant, { nullable: true, description: 'The last attempt.' })
  lastAttemptAt!: Date | null;

  @Field(() => Instant, { nullable: true, description: 'The next attempt, not before this.' })
  nextAttemptAt!: Date | null;

  @Field(() => Int, { nullable: true, description: 'HTTP status of the last answer; null when there was none.' })
  httpStatus!: number | null;

  @Field(() => String, {
    nullable: true,
    description:
      'Why the last attempt failed: http_status, timeout, connection_failed, dns_failed, tls_failed, address_not_public, not_https, interrupted, gone, endpoint_disabled, or endpoint_paused: it was not made, because the endpoint does not answer.',
  })
  error!: string | null;
}

@Output({ description: 'A delivery that is tried again.' })
export class RedeliverWebhookPayload {
  @Field(() => WebhookDelivery, { description: 'The delivery as it is now.' })
  delivery!: WebhookDelivery;
}

@Output({ description: 'A test message that is on its way.' })
export class SendTestEventPayload {
  @Field(() => WebhookDelivery, { description: 'Its delivery. How it goes stands in the log of the endpoint.' })
  delivery!: WebhookDelivery;
}

@Output({ description: 'A delivery with its position in the log.' })
export class WebhookDeliveryEdge {
  @Field({ description: 'Position in the log.' })
  cursor!: string;

  @Field(() => WebhookDelivery, { description: 'The delivery.' })
  node!: WebhookDelivery;
}

@Output({ description: 'A page of the delivery log, newest first. It reaches back ninety days.' })
export class WebhookDeliveryConnection {
  @Field(() => [WebhookDeliveryEdge], { description: 'The deliveries.' })
  edges!: WebhookDeliveryEdge[];

  @Field(() => PageInfo, { description: 'Whether there are more.' })
  pageInfo!: PageInfo;
}
