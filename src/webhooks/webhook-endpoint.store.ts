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
  types: readonly OrderEventType[];
  createdAt: Date;
  /** Time before which nothing is sent to the endpoint. Null if it started when it was created. */
  startsAt: Date | null;
  /** Time until which messages are signed with both secrets. */
  previousSecretUntil: Date | null;
  disabledAt: Date | null;
  disabledReason: DisabledReason | null;
  /** Time before which no attempt is made because the endpoint does not respond. */
  pausedUntil: Date | null;
}

/** Owner of endpoints: a developer in one environment, or in both if `environment` is not set. */
export interface EndpointOwner {
  developerId: DeveloperId;
  environment?: Environment;
}

/** Owner of the endpoints that a caller can access. Undefined for admins, who can access all endpoints. */
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

/** Returns the endpoints of an owner, oldest first. */
export async function endpointsOf(owner: EndpointOwner, em: EntityManager): Promise<Endpoint[]> {
  const rows = await em.find(WebhookEndpointEntity, ownedBy(owner), { orderBy: { id: 'asc' } });
  return rows.map(endpointOf);
}

/** Returns an endpoint. Throws RECORD_NOT_FOUND, also if the endpoint belongs to another owner. */
export async function endpointById(
  id: string,
  owner: Owner,
  em: EntityManager,
  lockMode?: LockMode,
): Promise<EndpointRow> {
  const row = isUuid(id) ? await em.findOne(WebhookEndpointEntity, { id, ...ownedBy(owner) }, { lockMode }) : null;
  if (!row) throw new AppError('RECORD_NOT_FOUND', { message: 'Unknown endpoint.' });
  return row;
}

/** Reads an endpoint and locks it until the transaction ends. */
export const lockEndpoint = (id: string, owner: Owner, tx: EntityManager): Promise<EndpointRow> =>
  endpointById(id, owner, tx, LockMode.PESSIMISTIC_WRITE);

/** Returns the endpoints created by an API key or owned by an account, and locks them until the transaction ends. */
export const lockEndpoints = (
  filter: { clientId: string; disabledAt?: null } | { developerId: DeveloperId },
  tx: EntityManager,
): Promise<EndpointRow[]> =>
  tx.find(WebhookEndpointEntity, filter, { orderBy: { id: 'asc' }, lockMode: LockMode.PESSIMISTIC_WRITE });

/**
 * Returns the number of endpoints of a developer in an environment. Locks the developer, so that the number remains correct.
 * Only an approved account that is not suspended can add endpoints. Throws RECORD_NOT_FOUND, SUSPENDED or
 * ONBOARDING_INCOMPLETE.
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
