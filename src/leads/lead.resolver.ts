import { Arg, Ctx, Mutation, Query, Resolver } from 'type-graphql';
import { developerOf, type RequestContext } from '../core/context.js';
import { type Paise, ZERO } from '../core/money.js';
import type { DeveloperPrincipal } from '../core/principal.js';
import { Arguments } from '../graphql-toolkit/arguments.js';
import type { LedgerService } from '../ledger/ledger.service.js';
import type { LeadService } from './lead.service.js';
import { CreateLeadInput, LeadResult, LeadStatusArguments, LeadStatusResult } from './lead.types.js';
import type { LeadStatusService } from './lead-status.service.js';
import type { ProfileService } from './profile.service.js';
import { ProfileResult, UpsertProfileInput } from './profile.types.js';

@Resolver()
export class LeadResolver {
  readonly #profiles: ProfileService;
  readonly #leads: LeadService;
  readonly #statuses: LeadStatusService;
  readonly #ledger: LedgerService;

  constructor(profiles: ProfileService, leads: LeadService, statuses: LeadStatusService, ledger: LedgerService) {
    this.#profiles = profiles;
    this.#leads = leads;
    this.#statuses = statuses;
    this.#ledger = ledger;
  }

  @Mutation(() => ProfileResult, {
    nullable: true,
    description: 'Creates a customer profile, or updates the one with the same mobile number. Never billed.',
  })
  async upsertProfile(
    @Arg('input', () => UpsertProfileInput, { description: 'The customer.' }) input: UpsertProfileInput,
    @Ctx() context: RequestContext,
  ): Promise<ProfileResult> {
    const principal = developerOf(context);
    const receipt = await this.#profiles.upsert(principal, input);
    return { ...receipt, ...(await this.#charged(principal, 'Customer profile saved.')) };
  }

  @Mutation(() => LeadResult, {
    nullable: true,
    description: 'Creates a lead: a customer’s interest in one product. Never billed.',
  })
  async createLead(
    @Arg('input', () => CreateLeadInput, { description: 'Who and what.' }) input: CreateLeadInput,
    @Ctx() context: RequestContext,
  ): Promise<LeadResult> {
    const principal = developerOf(context);
    const created = await this.#leads.create(principal, input);
    return { ...created, ...(await this.#charged(principal, 'Lead created.')) };
  }

  @Query(() => LeadStatusResult, {
    nullable: true,
    description: 'The status of a lead. The fee is charged once per lead, when it is seen approved for the first time.',
  })
  async leadStatus(
    @Arguments(LeadStatusArguments) { leadCode }: LeadStatusArguments,
    @Ctx() context: RequestContext,
  ): Promise<LeadStatusResult> {
    const principal = developerOf(context);
    const { leadStatus, feePaise } = await this.#statuses.status(principal, leadCode);
    return { leadCode, leadStatus, ...(await this.#charged(principal, 'Lead status fetched.', feePaise)) };
  }

  async #charged({ developerId, environment }: DeveloperPrincipal, message: string, fee: Paise = ZERO) {
    return { message, fee, walletBalance: await this.#ledger.balance(developerId, environment) };
  }
}
