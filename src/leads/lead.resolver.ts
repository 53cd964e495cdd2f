import { Arg, Ctx, FieldResolver, Mutation, Query, Resolver, Root } from 'type-graphql';
import { developerOf, type RequestContext } from '../core/context.js';
import { ZERO } from '../core/money.js';
import { batchedLoader, type Loader } from '../db/batched-loader.js';
import { Arguments } from '../graphql-toolkit/arguments.js';
import { pageView } from '../graphql-toolkit/connection.js';
import { READ_TOGETHER, RowsBeside } from '../graphql-toolkit/rows.js';
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
    @Arg('input', () => UpsertProfileInput, { description: 'The customer.' }) input: UpsertProfileInput,
    @Ctx() context: RequestContext,
  ): Promise<UpsertProfilePayload> {
    const { mobileNo, customerId, categoryId, productId } = await this.profiles.upsert(developerOf(context), input);
    return { ...FREE, customer: { customerId, mobile: mobileNo, categoryId, productId } };
  }

  @Mutation(() => CreateLeadPayload, {
    nullable: true,
    description: 'Creates a lead: a customer’s interest in one product. Never billed.',
  })
  async createLead(
    @Arg('input', () => CreateLeadInput, { description: 'Who and what.' }) input: CreateLeadInput,
    @Ctx() context: RequestContext,
  ): Promise<CreateLeadPayload> {
    const { lead, campaignUrl } = await this.#leads.create(developerOf(context), input);
    return { ...FREE, lead: leadView(lead), campaignUrl };
  }

  @Query(() => LeadStatusResult, {
    nullable: true,
    description: 'The status of a lead. The fee is charged once per lead, when it is seen approved for the first time.',
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
    description: 'Leads of the caller in this environment, newest first, as they were when they were last asked about.',
  })
  async leads(
    @Arguments(LeadsArguments) { filter, ...request }: LeadsArguments,
    @Ctx() context: RequestContext,
  ): Promise<LeadConnection> {
    return pageView(await this.history.page(developerOf(context), filter ?? {}, request), leadView);
  }
}

/** The product that a lead is for. */
@Resolver(() => Lead)
export class LeadProductResolver {
  constructor(private readonly catalogue: ProductCatalogue) {}

  @FieldResolver(() => Product, { nullable: true, description: 'What it is for; null when it is not listed any more.' })
  async product(@Root() { environment, productId }: Lead): Promise<Product | null> {
    const found = productId === null ? undefined : await this.catalogue.find(environment, productId);
    return found ? productView({ environment, categoryId: found.categoryId, failed: new Set() }, found) : null;
  }
}

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
