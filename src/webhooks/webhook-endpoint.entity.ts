import { defineEntity, type InferEntity, p } from '@mikro-orm/postgresql';
import { environments } from '../core/environment.js';

/** By a person, because the receiver answered 410 Gone, or because nothing could be delivered for days. */
export const disabledReasons = ['request', 'gone', 'failing'] as const;
export type DisabledReason = (typeof disabledReasons)[number];

/** Where a developer receives outcomes. What attempts count against it, they write themselves: see webhook-endpoint.health. */
export const WebhookEndpointEntity = defineEntity({
  name: 'WebhookEndpoint',
  tableName: 'webhook_endpoint',
  properties: {
    developerId: p.uuid().primary(),
    id: p.uuid().primary(),
    environment: p.enum(environments),
    /** The key that made it, or switched it on last; null: a person did. */
    clientId: p.string().nullable(),
    url: p.string(),
    /** Of events; null: all, also those that come later. */
    types: p.array().nullable(),
    /** Encrypted, as the one before it. */
    secret: p.blob(),
    previousSecret: p.blob().nullable(),
    previousSecretUntil: p.datetime().nullable(),
    createdAt: p.datetime().onCreate(() => new Date()),
    /** Nothing is sent to it before this time. */
    startsAt: p.datetime().nullable(),
    disabledAt: p.datetime().nullable(),
    disabledReason: p.enum(disabledReasons).nullable(),
    failingSince: p.datetime().nullable(),
    unanswered: p.integer().default(0),
    pausedUntil: p.datetime().nullable(),
  },
});

export type EndpointRow = InferEntity<typeof WebhookEndpointEntity>;
