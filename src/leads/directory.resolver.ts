import { Ctx, Query, Resolver } from 'type-graphql';
import { developerOf, type RequestContext } from '../core/context.js';
import { Arguments } from '../graphql-toolkit/arguments.js';
import { Entries, WITH_PARENT } from '../graphql-toolkit/rows.js';
import { sendFreeCall } from '../providers/calls.js';
import type { LeadsPort } from '../providers/ports/leads.port.js';
import type { LeadPorts } from './lead.ports.js';
import { ProviderChoice, SearchArguments } from './lead.types.js';

/** Lists of the provider whose IDs a profile requires. GraphQL only, because REST has no path for them (interface.md 4.10). */
@Resolver()
export class LeadDirectoryResolver {
  constructor(private readonly ports: LeadPorts) {}

  @Query(() => [ProviderChoice], { nullable: true, description: 'Companies for `UpsertProfileInput.company`.' })
  @Entries(WITH_PARENT)
  leadCompanies(
    @Arguments(SearchArguments) { search }: SearchArguments,
    @Ctx() context: RequestContext,
  ): Promise<ProviderChoice[]> {
    return this.#listOf(context, (port) => port.companies(search));
  }

  @Query(() => [ProviderChoice], { nullable: true, description: 'Occupations for `UpsertProfileInput.occupation`.' })
  @Entries(WITH_PARENT)
  leadOccupations(@Ctx() context: RequestContext): Promise<ProviderChoice[]> {
    return this.#listOf(context, (port) => port.occupations());
  }

  @Query(() => [ProviderChoice], { nullable: true, description: 'Pincodes for `UpsertProfileInput.pincode`.' })
  @Entries(WITH_PARENT)
  leadPincodes(
    @Arguments(SearchArguments) { search }: SearchArguments,
    @Ctx() context: RequestContext,
  ): Promise<ProviderChoice[]> {
    return this.#listOf(context, (port) => port.pincodes(search));
  }

  async #listOf(
    context: RequestContext,
    request: (port: LeadsPort) => ReturnType<LeadsPort['occupations']>,
  ): Promise<ProviderChoice[]> {
    const port = this.ports[developerOf(context).environment];
    const entries = await sendFreeCall(port, () => request(port));
    return entries.map(({ id, name }) => ({ providerId: id, name }));
  }
}
