import type { FilterQuery, MikroORM } from '@mikro-orm/postgresql';
import type { Environment } from '../core/environment.js';
import { isUuid, UUID } from '../core/ids.js';
import type { DeveloperId } from '../core/principal.js';
import { type Page, type PageRequest, pageOf, sliceOf } from '../graphql-toolkit/connection.js';
import { LeadEntity, type LeadRow } from './lead.entity.js';
import { INITIAL_STATUS } from './lead.status.js';
import type { LeadFilter } from './lead.types.js';
import type { ProfileStore } from './profile.store.js';

export interface LeadKey {
  developerId: DeveloperId;
  id: string;
}

/** Row of a lead. The column contains a developer ID. */
type OwnedLead = LeadRow & { developerId: DeveloperId };

/** Leads that developers created, as a list and by ID. */
export class LeadHistory {
  constructor(
    private readonly orm: MikroORM,
    private readonly profiles: Pick<ProfileStore, 'mobileHash'>,
  ) {}

  /** Returns a page of leads, newest first. Throws VALIDATION_FAILED for an invalid page size or cursor. */
  async page(
    { developerId, environment }: { developerId: DeveloperId; environment: Environment },
    { status, productId, search, from, to }: LeadFilter,
    request: PageRequest,
  ): Promise<Page<LeadRow>> {
    const slice = sliceOf('leads', request, UUID);
    const conditions: FilterQuery<LeadRow>[] = [
      { developerId, environment },
      // the list is newest first, so the next leads in the list have lower IDs
      ...(slice.after ? [{ id: { $lt: slice.after } }] : []),
      ...(slice.before ? [{ id: { $gt: slice.before } }] : []),
      ...(status
        ? [{ $or: [{ status: { $in: status } }, ...(status.includes(INITIAL_STATUS) ? [{ status: null }] : [])] }]
        : []),
      ...(productId === undefined ? [] : [{ productId }]),
      ...(search === undefined ? [] : [this.#searchCondition(search)]),
      ...(from ? [{ createdAt: { $gte: from } }] : []),
      ...(to ? [{ createdAt: { $lt: to } }] : []),
    ];
    const rows = await this.orm.em
      .fork()
      .find(
        LeadEntity,
        { $and: conditions },
        { orderBy: { id: slice.backwards ? 'asc' : 'desc' }, limit: slice.size + 1 },
      );
    return pageOf(
      rows,
      slice,
      ({ id }) => id,
      (row) => row,
    );
  }

  /** Returns the condition for a search text: a lead code, an ID or a mobile number. */
  #searchCondition(search: string): FilterQuery<LeadRow> {
    const id = search.replace(/^lea_/, '').toLowerCase();
    return {
      $or: [
        { leadCode: search },
        ...(isUuid(id) ? [{ id }] : []),
        ...(/^[0-9]{10}$/.test(search) ? [{ mobileHash: this.profiles.mobileHash(search) }] : []),
      ],
    };
  }

  /** Returns the lead of any developer. */
  async byId(id: string): Promise<OwnedLead | undefined> {
    return ((await this.orm.em.fork().findOne(LeadEntity, { id })) as OwnedLead | null) ?? undefined;
  }

  /** Returns the leads in the order of the keys. The entry of an unknown key is undefined. */
  async byIds(keys: readonly LeadKey[]): Promise<(LeadRow | undefined)[]> {
    const rows = await this.orm.em.fork().find(LeadEntity, {
      developerId: { $in: [...new Set(keys.map(({ developerId }) => developerId))] },
      id: { $in: keys.map(({ id }) => id) },
    });
    return keys.map((key) => rows.find(({ developerId, id }) => developerId === key.developerId && id === key.id));
  }
}
