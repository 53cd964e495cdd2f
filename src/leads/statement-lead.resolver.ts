import { FieldResolver, Resolver, Root } from 'type-graphql';
import { batchedLoader, type Loader } from '../db/batched-loader.js';
import { READ_TOGETHER, RowsBeside } from '../graphql-toolkit/rows.js';
import { StatementEntry } from '../ledger/wallet.types.js';
import type { LeadRow } from './lead.entity.js';
import type { LeadHistory, LeadKey } from './lead.history.js';
import { Lead, leadView } from './lead.types.js';

/** The leads behind the lines of statements, those of one turn with one statement. */
@Resolver(() => StatementEntry)
export class StatementLeadResolver {
  readonly #leads: Loader<LeadKey, LeadRow | undefined>;

  constructor(history: LeadHistory) {
    this.#leads = batchedLoader((keys) => history.byIds(keys));
  }

  @FieldResolver(() => Lead, { nullable: true, description: 'The lead whose fee it is; null for any other line.' })
  @RowsBeside(READ_TOGETHER)
  async lead(@Root() { developerId, subjectId, kind }: StatementEntry): Promise<Lead | null> {
    const lead = kind === 'lead_fee' ? await this.#leads.load({ developerId, id: subjectId }) : undefined;
    return lead ? leadView(lead) : null;
  }
}
