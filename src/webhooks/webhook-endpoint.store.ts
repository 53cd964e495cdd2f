import { LockMode } from '@mikro-orm/postgresql';
import { lockDeveloper } from '../accounts/developers/developer.state.js';
import type { Environment } from '../core/environment.js';
import { AppError } from '../core/errors.js';
import { isUuid } from '../core/ids.js';
import type { DeveloperId } from '../core/principal.js';
import type { EntityManager } from '../db/orm.js';
import { type DisabledReason, type EndpointRow, WebhookEndpointEntity } from './webhook-endpoint.entity.js';
import { type OrderEventType, orderEventTypes } from './webhook-event.js';

export interface Endpoint {
  id: string;
  developerId: DeveloperId;
  environment: Environment;
  url: string;
  /** Of the events that are posted to it. */
  types: readonly OrderEventType[];
  createdAt: Date;
  /** Nothing is sent to it before this time; null: it started when it was created. */
  startsAt: Date | null;
  /** Until then messages carry the signatures of two secrets. */
  previousSecretUntil: Date | null;
  disabledAt: Date | null;
  disabledReason: DisabledReason | null;
  /** It does not answer: no attempt is made before this. */
  pausedUntil: Date | null;
}

/** One developer, in one environment or, where none is named, in both. */
export interface EndpointOwner {
  developerId: DeveloperId;
  environment?: Environment;
}

/** Whose endpoints a caller may touch; undefined: everybody's (an admin). */
export type Owner = EndpointOwner | undefined;

export const endpointOf = ({ previousSecretUntil: until, ...row }: EndpointRow): Endpoint => ({
  id: row.id,
  developerId: row.developerId as DeveloperId,
  environment: row.environment,
  url: row.url,
  types: (row.types as OrderEventType[] | null | undefined) ?? orderEventTypes,
  createdAt: row.createdAt,
  startsAt: row.startsAt ?? null,
  previousSecretUntil: until && until > new Date() ? until : null,
  disabledAt: row.disabledAt ?? null,
  disabledReason: row.disabledReason ?? null,
  pausedUntil: row.pausedUntil && row.pausedUntil > new Date() ? row.pausedUntil : null,
});

/** Oldest first. */
export async function endpointsOf(owner: EndpointOwner, em: EntityManager): Promise<Endpoint[]> {
  const rows = await em.find(WebhookEndpointEntity, ownedBy(owner), { orderBy: { id: 'asc' } });
  return rows.map(endpointOf);
}

/** Errors: RECORD_NOT_FOUND, also for what is not the owner's. */
export async function endpointById(
  id: string,
  owner: Owner,
  em: EntityManager,
  lockMode?: LockMode,
): Promise<EndpointRow> {
  const row = isUuid(id) ? await em.findOne(WebhookEndpointEntity, { id, ...ownedBy(owner) }, { lockMode }) : null;
  if (!row) throw new AppError('RECORD_NOT_FOUND', { message: 'There is no such endpoint.' });
  return row;
}

/** The same, locked until the transaction ends. */
export const lockEndpoint = (id: string, owner: Owner, tx: EntityManager): Promise<EndpointRow> =>
  endpointById(id, owner, tx, LockMode.PESSIMISTIC_WRITE);

/** Those that a key made, or of an account, locked until the transaction ends. */
export const lockEndpoints = (
  which: { clientId: string; disabledAt?: null } | { developerId: DeveloperId },
  tx: EntityManager,
): Promise<EndpointRow[]> =>
  tx.find(WebhookEndpointEntity, which, { orderBy: { id: 'asc' }, lockMode: LockMode.PESSIMISTIC_WRITE });

/**
 * How many endpoints a developer has in an environment; locks the developer, so that the count holds. Only an approved account that
 * is not suspended may have more. Errors: RECORD_NOT_FOUND, SUSPENDED, ONBOARDING_INCOMPLETE.
 */
export async function countEndpoints(
  developerId: DeveloperId,
  environment: Environment,
  tx: EntityManager,
): Promise<number> {
  const owner = await lockDeveloper(developerId, tx);
  if (owner.suspendedAt) throw new AppError('SUSPENDED');
  if (owner.onboardingStatus !== 'approved') throw new AppError('ONBOARDING_INCOMPLETE');
  return tx.count(WebhookEndpointEntity, { developerId, environment });
}

function ownedBy(owner: Owner): Partial<EndpointOwner> {
  if (owner === undefined) return {};
  const { developerId, environment } = owner;
  return environment === undefined ? { developerId } : { developerId, environment };
}
