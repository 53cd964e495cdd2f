import { defineEntity, type InferEntity, p } from '@mikro-orm/postgresql';
import { environments } from '../core/environment.js';
import { leadStatuses } from './lead.status.js';

/** A lead that a developer created through us: whose it is, and what was last known of it. */
export const LeadEntity = defineEntity({
  name: 'Lead',
  tableName: 'lead',
  properties: {
    developerId: p.uuid().primary(),
    /** Ours; the subject of the lead fee in the ledger. */
    id: p.uuid().primary(),
    environment: p.enum(environments),
    /** The provider's. */
    leadCode: p.string(),
    productId: p.string(),
    /** Keyed, of the customer's mobile number; null where the customer is not one of the developer's own. */
    mobileHash: p.blob().nullable(),
    /** Null until a status was returned for the first time. */
    status: p.enum(leadStatuses).nullable(),
    /** When it was stored as approved for the first time: the fee is decided then, and never again. */
    approvedAt: p.datetime().nullable(),
    createdAt: p.datetime().onCreate(() => new Date()),
    statusAt: p.datetime().nullable(),
  },
});

export type LeadRow = InferEntity<typeof LeadEntity>;

/** What is known of a lead; of a sample, which is not stored, no product. */
export type KnownLead = Pick<LeadRow, 'id' | 'environment' | 'leadCode' | 'status' | 'approvedAt' | 'createdAt'> & {
  productId: string | null;
};

export const leadEntities = [LeadEntity];
