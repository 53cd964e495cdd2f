import { defineEntity, type InferEntity, p } from '@mikro-orm/postgresql';
import { environments } from '../core/environment.js';
import { leadStatuses } from './lead.status.js';

/** Lead that a developer created, with its last known status. */
export const LeadEntity = defineEntity({
  name: 'Lead',
  tableName: 'lead',
  properties: {
    developerId: p.uuid().primary(),
    /** Our ID; subject of the lead fee in the ledger. */
    id: p.uuid().primary(),
    environment: p.enum(environments),
    /** Lead code of the provider. */
    leadCode: p.string(),
    productId: p.string(),
    /** Keyed hash of the customer's mobile number. It is null if the customer does not belong to the developer. */
    mobileHash: p.blob().nullable(),
    /** Status of the lead. It is null until a status is returned for the first time. */
    status: p.enum(leadStatuses).nullable(),
    /** Time the lead was first stored as approved. The fee is decided at that time and never again. */
    approvedAt: p.datetime().nullable(),
    createdAt: p.datetime().onCreate(() => new Date()),
    statusAt: p.datetime().nullable(),
  },
});

export type LeadRow = InferEntity<typeof LeadEntity>;

/** Known data of a lead. A sample lead is not stored and has no product. */
export type KnownLead = Pick<LeadRow, 'id' | 'environment' | 'leadCode' | 'status' | 'approvedAt' | 'createdAt'> & {
  productId: string | null;
};

export const leadEntities = [LeadEntity];
