import type { Actor } from '../../audit/audit.service.js';
import type { Paise } from '../../core/money.js';
import type { Service } from '../../core/services.js';
import type { EntityManager } from '../../db/orm.js';
import { ServiceAccessEntity } from '../account.entities.js';
import { subjectOf, type Traced } from './developer.state.js';

/** Switches one service of a locked account. A fee that is left out stays as it is; of a service that nobody has set it is 0. */
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
