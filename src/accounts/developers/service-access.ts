import { sql } from 'kysely';
import type { RequestedChange } from '../../approval-requests/approval-request.store.js';
import type { Actor } from '../../audit/audit.service.js';
import type { AuditAction } from '../../audit/audit-actions.js';
import type { Paise } from '../../core/money.js';
import { STEP_UP_MS } from '../../core/principal.js';
import type { Service } from '../../core/services.js';
import type { EntityManager } from '../../db/orm.js';
import type { Held } from '../account.changes.js';
import { ServiceAccessEntity } from '../account.entities.js';
import { subjectOf, type Traced } from './developer.state.js';

/** Sets the access of a locked account to a service. An omitted fee remains unchanged; if none was ever set, it is 0. */
export async function switchService(
  developerId: string,
  { service, enabled, fee }: { service: Service; enabled: boolean; fee?: Paise },
  { actor }: Actor,
  tx: EntityManager,
): Promise<Traced> {
  const existing = await tx.findOne(ServiceAccessEntity, { developerId, service });
  const changed = { changedAt: new Date(), changedBy: actor };
  const none = { developerId, service, enabled: false, feePaise: 0n, ...changed };
  const access = existing ?? tx.create(ServiceAccessEntity, none);
  const before = { enabled: access.enabled, feePaise: String(access.feePaise) };
  Object.assign(access, changed);
  access.enabled = enabled;
  if (fee !== undefined) access.feePaise = fee;
  const after = { enabled, feePaise: String(access.feePaise) };
  await tx.persist(access).flush();
  return { subject: `${subjectOf(developerId)}/${service}`, before, after };
}

/** Whether a grant would change the access of a locked account. */
export async function changesAccess(
  developerId: string,
  { service, enabled, fee }: { service: Service; enabled: boolean; fee?: Paise | undefined },
  tx: EntityManager,
): Promise<boolean> {
  const access = await tx.findOne(ServiceAccessEntity, { developerId, service });
  const { enabled: isEnabled = false, feePaise = 0n } = access ?? {};
  return enabled !== isEnabled || (fee !== undefined && fee !== feePaise);
}

const FEE = '.feePaise';

/** Returns the services whose fee the change sets to a different amount. */
export const changedFees = ({ before, after }: RequestedChange): string[] =>
  Object.keys(after).flatMap((field) =>
    field.endsWith(FEE) && after[field] !== before[field] ? [field.slice(0, -FEE.length)] : [],
  );

/**
 * Whether each fee change only reverts the user's own previous change of that fee, made moments ago ("Undo" in the portal). The
 * previous change already required a freshly verified second factor.
 */
export async function undoesOwnFees(change: Held, { actor }: Actor, tx: EntityManager): Promise<boolean> {
  for (const service of changedFees(change)) {
    const { rows } = await sql<{ isOwn: boolean; before: string | null; after: string | null }>`
      select actor = ${actor} and at > now() - ${STEP_UP_MS} * interval '1 millisecond' as "isOwn",
        before->>'feePaise' as before, after->>'feePaise' as after
      from audit_entry where subject = ${`${change.subject}/${service}`}
        and action = ${'service_access.set' satisfies AuditAction} order by id desc limit 1`.execute(tx.getKysely());
    const [last] = rows;
    const isUndo =
      last?.isOwn && last.before === change.after[service + FEE] && last.after === change.before[service + FEE];
    if (!isUndo) return false;
  }
  return true;
}
