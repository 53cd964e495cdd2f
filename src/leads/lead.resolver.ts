import { Arg, Ctx, FieldResolver, Mutation, Query, Resolver, Root } from 'type-graphql';
import { developerOf, type RequestContext } from '../core/context.js';
import { ZERO } from '../core/money.js';
import { batchedLoader, type Loader } from '../db/batched-loader.js';
import { Arguments } from '../graphql-toolkit/arguments.js';
import { pageView } from '../graphql-toolkit/connection.js';
import { ExtraReads, READ_TOGETHER } from '../graphql-toolkit/rows.js';
import { StatementEntry } from '../ledger/wallet.types.js';
import { chargedView } from '../orders/charged-lookup.js';
import type { ProductCatalogue } from '../products/product.catalogue.js';
import { Product, productView } from '../products/product.types.js';
import type { LeadRow } from './lead.entity.js';
import type { LeadHistory, LeadKey } from './lead.history.js';
import type { LeadService } from './lead.service.js';
import {
  CreateLeadInput,
  CreateLeadPayload,
  Lead,
  LeadConnection,
  LeadStatusArguments,
  LeadStatusResult,
  LeadsArguments,
  leadView,
} from './lead.types.js';
import type { LeadStatusService } from './lead-status.service.js';
import type { ProfileService } from './profile.service.js';
import { UpsertProfileInput, UpsertProfilePayload } from './profile.types.js';

const FREE = { fee: ZERO, replayed: false };

@Resolver()
export class LeadResolver {
  readonly #leads: LeadService;

  constructor(
    private readonly profiles: ProfileService,
    leads: LeadService,
    private readonly statuses: LeadStatusService,
    private readonly history: LeadHistory,
  ) {
    this.#leads = leads;
  }

  @Mutation(() => UpsertProfilePayload, {
    nullable: true,
    description: 'Creates a customer profile, or updates the one with the same mobile number. Never billed.',
  })
  async upsertProfile(
    @Arg('input', () => UpsertProfileInput, { description: 'Customer profile.' }) input: UpsertProfileInput,
    @Ctx() context: RequestContext,
  ): Promise<UpsertProfilePayload> {
    const { mobileNo, customerId, categoryId, productId } = await this.profiles.upsert(developerOf(context), input);
    return { ...FREE, customer: { customerId, mobile: mobileNo, categoryId, productId } };
  }

  @Mutation(() => CreateLeadPayload, {
    nullable: true,
    description: 'Creates a lead, which is a customer’s interest in one product. Never billed.',
  })
  async createLead(
    @Arg('input', () => CreateLeadInput, { description: 'Customer and product of the lead.' }) input: CreateLeadInput,
    @Ctx() context: RequestContext,
  ): Promise<CreateLeadPayload> {
    const { lead, campaignUrl } = await this.#leads.create(developerOf(context), input);
    return { ...FREE, lead: leadView(lead), campaignUrl };
  }

  @Query(() => LeadStatusResult, {
    nullable: true,
    description: 'Status of a lead. The fee is charged once per lead, when its status is first returned as approved.',
  })
  async leadStatus(
    @Arguments(LeadStatusArguments) { leadCode }: LeadStatusArguments,
    @Ctx() context: RequestContext,
  ): Promise<LeadStatusResult> {
    const { lead, feePaise, wallet } = await this.statuses.status(developerOf(context), leadCode);
    return { ...chargedView({ feePaise, wallet, replayed: false }, context), lead: leadView(lead) };
  }

  @Query(() => LeadConnection, {
    nullable: true,
    description: 'Leads of the caller in this environment, newest first, with the status of the last status check.',
  })
  async leads(
    @Arguments(LeadsArguments) { filter, ...request }: LeadsArguments,
    @Ctx() context: RequestContext,
  ): Promise<LeadConnection> {
    return pageView(await this.history.page(developerOf(context), filter ?? {}, request), leadView);
  }
}

/** Product of a lead. */
@Resolver(() => Lead)
export class LeadProductResolver {
  constructor(private readonly catalogue: ProductCatalogue) {}

  @FieldResolver(() => Product, { nullable: true, description: 'Product of the lead. Null if it is no longer listed.' })
  async product(@Root() { environment, productId }: Lead): Promise<Product | null> {
    const found = productId === null ? undefined : await this.catalogue.find(environment, productId);
    return found ? productView({ environment, categoryId: found.categoryId, failed: new Set() }, found) : null;
  }
}

/** Leads of statement entries. The leads of concurrent reads are loaded with one query. */
@Resolver(() => StatementEntry)
export class StatementLeadResolver {
  readonly #leads: Loader<LeadKey, LeadRow | undefined>;

  constructor(history: LeadHistory) {
    this.#leads = batchedLoader((keys) => history.byIds(keys));
  }

  @FieldResolver(() => Lead, {
    nullable: true,
    description: 'Lead whose fee the entry charges. Null for other entries.',
  })
  @ExtraReads(READ_TOGETHER)
  async lead(@Root() { developerId, subjectId, kind }: StatementEntry): Promise<Lead | null> {
    const lead = kind === 'lead_fee' ? await this.#leads.load({ developerId, id: subjectId }) : undefined;
    return lead ? leadView(lead) : null;
  }
}
