import { type RawBuilder, sql } from 'kysely';
import { instantOrNull } from '../core/clock.js';
import type { Environment } from '../core/environment.js';
import { AppError } from '../core/errors.js';
import { isUuid } from '../core/ids.js';
import type { DeveloperId } from '../core/principal.js';
import type { EntityManager } from '../db/orm.js';
import type { Queryable } from '../db/pool.js';

/** By a person, because the receiver answered 410 Gone, or because nothing could be delivered for days. */
export type DisabledReason = 'request' | 'gone' | 'failing';

export interface Endpoint {
  id: string;
  developerId: DeveloperId;
  environment: Environment;
  url: string;
  createdAt: Date;
  /** Until then messages carry the signatures of two secrets. */
  previousSecretUntil: Date | null;
  disabledAt: Date | null;
  disabledReason: DisabledReason | null;
}

/** Whose endpoints a caller may touch: one developer's, or everybody's (an admin). */
export type Owner = DeveloperId | undefined;

interface Row {
  id: string;
  developer_id: DeveloperId;
  environment: Environment;
  url: string;
  created_at: string;
  previous_secret_until: string | null;
  disabled_at: string | null;
  disabled_reason: DisabledReason | null;
}

const COLUMNS = `id, developer_id, environment, url, created_at,
  case when previous_secret_until > now() then previous_secret_until end as previous_secret_until, disabled_at, disabled_reason`;
const columns = sql.raw(COLUMNS);

const endpointOf = (row: Row): Endpoint => ({
  id: row.id,
  developerId: row.developer_id,
  environment: row.environment,
  url: row.url,
  createdAt: new Date(row.created_at),
  previousSecretUntil: instantOrNull(row.previous_secret_until),
  disabledAt: instantOrNull(row.disabled_at),
  disabledReason: row.disabled_reason,
});

/** A developer's endpoints, oldest first. */
export async function endpointsOf(developerId: DeveloperId, db: Queryable): Promise<Endpoint[]> {
  const { rows } = await db.query<Row>({
    name: 'webhook-endpoints',
    text: `select ${COLUMNS} from webhook_endpoint where developer_id = $1 order by webhook_endpoint.id`,
    values: [developerId],
  });
  return rows.map(endpointOf);
}

/** Errors: RECORD_NOT_FOUND, also for another developer's. */
export async function endpointById(id: string, owner: Owner, db: Queryable): Promise<Endpoint> {
  const { rows } = await db.query<Row>({
    name: 'webhook-endpoint',
    text: `select ${COLUMNS} from webhook_endpoint where id = $1 and developer_id = coalesce($2, developer_id)`,
    values: [isUuid(id) ? id : null, owner ?? null],
  });
  return found(rows[0]);
}

/** The same, locked until the transaction ends. */
export async function lockEndpoint(id: string, owner: Owner, tx: EntityManager): Promise<Endpoint> {
  return found(
    await one(
      tx,
      sql`select ${columns} from webhook_endpoint
        where id = ${isUuid(id) ? id : null}::uuid and developer_id = coalesce(${owner ?? null}, developer_id) for update`,
    ),
  );
}

/**
 * How many endpoints a developer has in an environment; locks the developer, so that the count holds. Only an approved account that
 * is not suspended may have more. Errors: RECORD_NOT_FOUND, SUSPENDED, ONBOARDING_INCOMPLETE.
 */
export async function countEndpoints(
  developerId: DeveloperId,
  environment: Environment,
  tx: EntityManager,
): Promise<number> {
  const { rows } = await sql<{ approved: boolean; suspended: boolean }>`
    select onboarding_status = 'approved' as approved, suspended_at is not null as suspended
    from developer where id = ${developerId} for no key update`.execute(tx.getKysely());
  const owner = rows[0];
  if (!owner) throw new AppError('RECORD_NOT_FOUND', { message: 'There is no such developer.' });
  if (owner.suspended) throw new AppError('SUSPENDED');
  if (!owner.approved) throw new AppError('ONBOARDING_INCOMPLETE');
  const count = await sql<{ n: number }>`select count(*)::integer as n from webhook_endpoint
    where developer_id = ${developerId} and environment = ${environment}`.execute(tx.getKysely());
  return count.rows[0]!.n;
}

export async function insertEndpoint(
  endpoint: { developerId: DeveloperId; id: string; environment: Environment; url: string; secret: Buffer },
  tx: EntityManager,
): Promise<Endpoint> {
  const { developerId, id, environment, url, secret } = endpoint;
  return found(
    await one(
      tx,
      sql`insert into webhook_endpoint (developer_id, id, environment, url, secret)
        values (${developerId}, ${id}, ${environment}, ${url}, ${secret}) returning ${columns}`,
    ),
  );
}

/** A new secret; the former one stays valid beside it for a while. */
export const replaceSecret = (
  endpoint: Endpoint,
  secret: Buffer,
  overlapS: number,
  tx: EntityManager,
): Promise<Endpoint> =>
  update(
    endpoint,
    sql`previous_secret = secret, previous_secret_until = now() + ${overlapS} * interval '1 s', secret = ${secret}`,
    tx,
  );

/** `reason` null enables it, with nothing counted against it. */
export const markDisabled = (endpoint: Endpoint, reason: DisabledReason | null, tx: EntityManager): Promise<Endpoint> =>
  update(
    endpoint,
    sql`disabled_at = case when ${reason}::text is not null then now() end, disabled_reason = ${reason},
      failing_since = null, unanswered = 0, paused_until = null`,
    tx,
  );

export async function deleteEndpoint({ developerId, id }: Endpoint, tx: EntityManager): Promise<void> {
  await sql`delete from webhook_endpoint where developer_id = ${developerId} and id = ${id}`.execute(tx.getKysely());
}

/** The mail address of the owner of an endpoint. */
export async function emailOf(developerId: DeveloperId, tx: EntityManager): Promise<string> {
  const { rows } = await sql<{ email: string }>`select email from developer where id = ${developerId}`.execute(
    tx.getKysely(),
  );
  return rows[0]!.email;
}

async function update(
  { developerId, id }: Endpoint,
  change: RawBuilder<unknown>,
  tx: EntityManager,
): Promise<Endpoint> {
  return found(
    await one(
      tx,
      sql`update webhook_endpoint set ${change} where developer_id = ${developerId} and id = ${id} returning ${columns}`,
    ),
  );
}

async function one(tx: EntityManager, query: RawBuilder<unknown>): Promise<Row | undefined> {
  const { rows } = await query.execute(tx.getKysely());
  return rows[0] as Row | undefined;
}

function found(row: Row | undefined): Endpoint {
  if (!row) throw new AppError('RECORD_NOT_FOUND', { message: 'There is no such endpoint.' });
  return endpointOf(row);
}
