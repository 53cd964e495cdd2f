import { Arg, Ctx, FieldResolver, ID, Int, Mutation, Query, Resolver, Root } from 'type-graphql';
import { approvalRequestView } from '../../approval-requests/approval-request.types.js';
import type { AuditReader } from '../../audit/audit.reader.js';
import { AuditConnection } from '../../audit/audit.types.js';
import { canSeeAccount, type RequestContext, sessionOf } from '../../core/context.js';
import { environments } from '../../core/environment.js';
import { AppError } from '../../core/errors.js';
import { services } from '../../core/services.js';
import { Arguments } from '../../graphql-toolkit/arguments.js';
import { developerIdOf, recordId } from '../../graphql-toolkit/node.js';
import { PageArguments } from '../../graphql-toolkit/page-arguments.js';
import { Entries, ExtraReads, READ_SEPARATELY, READ_TOGETHER } from '../../graphql-toolkit/rows.js';
import { Wallet, walletView } from '../../ledger/wallet.types.js';
import { actingUserOf } from '../account.changes.js';
import { Credential } from '../keys/credential.types.js';
import type { RejectedCalls } from '../rejected-calls.js';
import type { AccountChangeService } from './account-change.service.js';
import { DevelopersArguments } from './developer.inputs.js';
import { subjectOf } from './developer.state.js';
import {
  Developer,
  DeveloperConnection,
  DeveloperPayload,
  RejectedCall,
  ServiceAccess,
  WhiteLabel,
} from './developer.types.js';
import { type DeveloperVerb, developerVerbs, type OfDeveloper, type Verb } from './developer.verbs.js';
import type { DevelopersReader } from './developers.reader.js';

/** Resolver for developer accounts in the console. */
@Resolver(() => Developer)
export class DeveloperResolver {
  readonly #developers: DevelopersReader;

  constructor(
    developers: DevelopersReader,
    private readonly auditLog: AuditReader,
    private readonly rejectedCalls: RejectedCalls,
  ) {
    this.#developers = developers;
  }

  @Query(() => DeveloperConnection, { nullable: true, description: 'Developers, newest first unless `sort` is set.' })
  async developers(
    @Arguments(DevelopersArguments) { filter: asked = {}, sort = 'created_desc', ...request }: DevelopersArguments,
  ): Promise<DeveloperConnection> {
    const { whiteLabelId } = asked;
    const filter = {
      ...asked,
      ...(whiteLabelId === undefined ? {} : { whiteLabelId: recordId(whiteLabelId, 'wlb', 'white label') }),
    };
    return { ...(await this.#developers.page(filter, sort, request)), filter };
  }

  @Query(() => Developer, {
    nullable: true,
    description: 'One developer. Users of a developer account can read only their own.',
  })
  async developer(
    @Arg('id', () => ID, { description: 'ID of the developer.' }) id: string,
    @Ctx() context: RequestContext,
  ): Promise<Developer> {
    const { role, developerId } = sessionOf(context);
    const wanted = developerIdOf(id);
    // the accounts of other developers look nonexistent
    if (role === 'developer' && developerId !== wanted)
      throw new AppError('RECORD_NOT_FOUND', { message: 'Unknown developer.' });
    return this.#developers.byId(wanted);
  }

  @Query(() => [WhiteLabel], { nullable: true, description: 'All white labels, by name.' })
  @Entries(20)
  whiteLabels(): Promise<WhiteLabel[]> {
    return this.#developers.whiteLabels();
  }

  @FieldResolver(() => [ServiceAccess], { nullable: true, description: 'All services, enabled or not.' })
  @Entries(services.length)
  services(@Root() { id }: Developer): Promise<ServiceAccess[]> {
    return this.#developers.services(id);
  }

  @FieldResolver(() => [RejectedCall], {
    nullable: true,
    description:
      'Last rejected call in each environment, newest first. Includes only calls that require no service, such as a recharge or a token exchange. Recorded at most once a minute and deleted after 90 days.',
  })
  @Entries(environments.length)
  @ExtraReads(READ_TOGETHER)
  async lastRejectedCalls(@Root() { id }: Developer): Promise<RejectedCall[]> {
    const calls = await this.rejectedCalls.ofAccount(id);
    return calls.filter(({ service }) => service === undefined);
  }

  @FieldResolver(() => [Wallet], {
    nullable: true,
    description: 'Wallets of the account, one per environment. Empty before approval.',
  })
  @Entries(2)
  async wallets(@Root() { id }: Developer): Promise<Wallet[]> {
    const wallets = await this.#developers.wallets(id);
    return wallets.map((wallet) => walletView(wallet, wallet));
  }

  @FieldResolver(() => AuditConnection, {
    nullable: true,
    description: 'Audit log of the account and of its wallets, services, API keys and webhook endpoints.',
  })
  @ExtraReads(READ_SEPARATELY)
  audit(@Root() { id }: Developer, @Arguments(PageArguments) request: PageArguments): Promise<AuditConnection> {
    return this.auditLog.page({ subject: subjectOf(id) }, request);
  }

  @FieldResolver(() => AuditConnection, {
    nullable: true,
    description:
      'Activity log for the users of the account, newest first: actions of its users and applications, and actions of others on the account and its wallets, services, API keys and webhook endpoints. Staff appear as "Staff", without user or address. Reasons of staff are shown only if the account or the API key also shows them.',
  })
  @ExtraReads(READ_SEPARATELY)
  activity(
    @Root() { id }: Developer,
    @Arguments(PageArguments) request: PageArguments,
    @Ctx() context: RequestContext,
  ): Promise<AuditConnection> {
    return this.auditLog.activity(id, request, sessionOf(context).role === 'developer' ? 'owners' : 'staff');
  }

  @FieldResolver(() => [Credential], {
    nullable: true,
    description: 'All API keys, newest first, including revoked ones.',
  })
  @Entries(5)
  credentials(@Root() { id }: Developer): Promise<Credential[]> {
    return this.#developers.credentials(id);
  }
}

@Resolver(() => DeveloperConnection)
export class DeveloperConnectionResolver {
  constructor(private readonly developers: DevelopersReader) {}

  @FieldResolver(() => Int, {
    nullable: true,
    description: 'Number of developers on all pages. Computed only if selected.',
  })
  totalCount(@Root() { filter }: DeveloperConnection): Promise<number> {
    return this.developers.count(filter);
  }
}

/** Mutations for the rows of `developerVerbs`. Each mutation returns the updated account. */
@Resolver()
export class DeveloperVerbsResolver {
  constructor(
    private readonly accountChanges: AccountChangeService,
    private readonly developers: DevelopersReader,
  ) {}

  /** Runs a change. An account that the caller cannot see looks nonexistent. */
  async change(name: DeveloperVerb, input: OfDeveloper, context: RequestContext): Promise<DeveloperPayload> {
    const id = developerIdOf(input.developerId);
    if (!canSeeAccount(context, id)) throw new AppError('RECORD_NOT_FOUND', { message: 'Unknown developer.' });
    const { adminsAlone }: Verb<OfDeveloper> = developerVerbs[name];
    const message = sessionOf(context).role === 'admin' ? undefined : adminsAlone?.(input);
    if (message) throw new AppError('FORBIDDEN', { message });
    const { approvalRequest } = await this.accountChanges.change(name, input as never, actingUserOf(context));
    return {
      developer: await this.developers.byId(id),
      approvalRequest: approvalRequest ? approvalRequestView(approvalRequest) : null,
    };
  }
}

const { prototype } = DeveloperVerbsResolver;
for (const name of Object.keys(developerVerbs) as DeveloperVerb[]) {
  const { description, input, about } = developerVerbs[name];
  const method = {
    value(this: DeveloperVerbsResolver, given: OfDeveloper, context: RequestContext): Promise<DeveloperPayload> {
      return this.change(name, given, context);
    },
  };
  Object.defineProperty(prototype, name, method);
  Mutation(() => DeveloperPayload, { nullable: true, description })(prototype, name, method);
  Arg('input', () => input, { description: about })(prototype, name, 0);
  Ctx()(prototype, name, 1);
}
