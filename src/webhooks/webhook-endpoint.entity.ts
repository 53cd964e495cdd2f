import { defineEntity, type InferEntity, p } from '@mikro-orm/postgresql';
import { environments } from '../core/environment.js';

/** Reasons why an endpoint is disabled: a user disabled it, the receiver returned 410 Gone, or all deliveries failed for days. */
export const disabledReasons = ['request', 'gone', 'failing'] as const;
export type DisabledReason = (typeof disabledReasons)[number];

/** Endpoint: a URL that receives the outcomes of a developer's orders. webhook-endpoint.health writes the failure counters. */
export const WebhookEndpointEntity = defineEntity({
  name: 'WebhookEndpoint',
  tableName: 'webhook_endpoint',
  properties: {
    developerId: p.uuid().primary(),
    id: p.uuid().primary(),
    environment: p.enum(environments),
    /** API key that created or last enabled the endpoint. Null if a console user did. */
    clientId: p.string().nullable(),
    url: p.string(),
    /** Subscribed event types. Null for all types, including types that are added later. */
    types: p.array().nullable(),
    /** Encrypted secret. The previous one is encrypted too. */
    secret: p.blob(),
    previousSecret: p.blob().nullable(),
    previousSecretUntil: p.datetime().nullable(),
    createdAt: p.datetime().onCreate(() => new Date()),
    /** Time before which nothing is sent to the endpoint. */
    startsAt: p.datetime().nullable(),
    disabledAt: p.datetime().nullable(),
    disabledReason: p.enum(disabledReasons).nullable(),
    failingSince: p.datetime().nullable(),
    unanswered: p.integer().default(0),
    pausedUntil: p.datetime().nullable(),
  },
});

export type EndpointRow = InferEntity<typeof WebhookEndpointEntity>;
