import { Arg, Ctx, Mutation, Query, Resolver } from 'type-graphql';
import type { StoredApprovalRequest } from '../../approval-requests/approval-request.store.js';
import { type ApprovalRequest, approvalRequestView } from '../../approval-requests/approval-request.types.js';
import type { RequestContext } from '../../core/context.js';
import { developerIdOf, recordId } from '../../graphql-toolkit/node.js';
import { Entries } from '../../graphql-toolkit/rows.js';
import { actingUserOf, actorOf } from '../account.changes.js';
import type { AccountChangeService } from './account-change.service.js';
import type { DevelopersReader } from './developers.reader.js';
import type { PlatformSettings, WhiteLabelService } from './platform.service.js';
import {
  AssignRechargeProviderInput,
  AssignRechargeProviderPayload,
  CreateWhiteLabelInput,
  DefaultLeadCustomer,
  DisableWhiteLabelInput,
  EnableWhiteLabelInput,
  RenameWhiteLabelInput,
  SetDefaultLeadCustomerInput,
  SetDefaultLeadCustomerPayload,
  WhiteLabelPayload,
} from './platform.types.js';

interface Parts {
  accountChanges: AccountChangeService;
  reader: DevelopersReader;
  whiteLabels: WhiteLabelService;
  settings: PlatformSettings;
}

const labelIdOf = (id: string): string => recordId(id, 'wlb', 'white label');

const shownOrNull = (approvalRequest: StoredApprovalRequest | undefined): ApprovalRequest | null =>
  approvalRequest ? approvalRequestView(approvalRequest) : null;

/** White labels, providers and settings: what an admin decides for more than one account. */
@Resolver()
export class PlatformResolver {
  constructor(private readonly parts: Parts) {}

  @Mutation(() => WhiteLabelPayload, { nullable: true, description: 'A new white label.' })
  async createWhiteLabel(
    @Arg('input', () => CreateWhiteLabelInput, { description: 'Its name and provider.' })
    { name, rechargeProvider }: CreateWhiteLabelInput,
    @Ctx() context: RequestContext,
  ): Promise<WhiteLabelPayload> {
    return { whiteLabel: await this.parts.whiteLabels.create(name, rechargeProvider, actorOf(context)) };
  }

  @Mutation(() => WhiteLabelPayload, { nullable: true, description: 'Another name of a white label.' })
  async renameWhiteLabel(
    @Arg('input', () => RenameWhiteLabelInput, { description: 'Which, and the name.' })
    { whiteLabelId, name }: RenameWhiteLabelInput,
    @Ctx() context: RequestContext,
  ): Promise<WhiteLabelPayload> {
    return { whiteLabel: await this.parts.whiteLabels.rename(labelIdOf(whiteLabelId), name, actorOf(context)) };
  }

  @Mutation(() => WhiteLabelPayload, {
    nullable: true,
    description: 'A white label without developers takes none until it is enabled again. Its name stays taken.',
  })
  async disableWhiteLabel(
    @Arg('input', () => DisableWhiteLabelInput, { description: 'Which, and why.' })
    { whiteLabelId, reason }: DisableWhiteLabelInput,
    @Ctx() context: RequestContext,
  ): Promise<WhiteLabelPayload> {
    return { whiteLabel: await this.parts.whiteLabels.disable(labelIdOf(whiteLabelId), reason, actorOf(context)) };
  }

  @Mutation(() => WhiteLabelPayload, {
    nullable: true,
    description: 'A disabled white label takes developers again, with the name and the provider that it had.',
  })
  async enableWhiteLabel(
    @Arg('input', () => EnableWhiteLabelInput, { description: 'Which, and why.' })
    { whiteLabelId, reason }: EnableWhiteLabelInput,
    @Ctx() context: RequestContext,
  ): Promise<WhiteLabelPayload> {
    return { whiteLabel: await this.parts.whiteLabels.enable(labelIdOf(whiteLabelId), reason, actorOf(context)) };
  }

  @Mutation(() => AssignRechargeProviderPayload, {
    nullable: true,
    description:
      'The provider of a platform developer, or of a white label with all its developers. Orders that were accepted before keep theirs.',
  })
  async assignRechargeProvider(
    @Arg('input', () => AssignRechargeProviderInput, { description: 'Whose provider, and which.' })
    { developerId, whiteLabelId, provider }: AssignRechargeProviderInput,
    @Ctx() context: RequestContext,
  ): Promise<AssignRechargeProviderPayload> {
    const { accountChanges, reader } = this.parts;
    if (developerId !== undefined) {
      const id = developerIdOf(developerId);
      const { approvalRequest } = await accountChanges.assignToDeveloper(id, provider, actingUserOf(context));
      return { developer: await reader.byId(id), whiteLabel: null, approvalRequest: shownOrNull(approvalRequest) };
    }
    const id = labelIdOf(whiteLabelId!);
    const { done, approvalRequest } = await accountChanges.assignToLabel(id, provider, actingUserOf(context));
    const whiteLabel = done?.whiteLabel ?? (await reader.whiteLabel(id))!;
    return { developer: null, whiteLabel, approvalRequest: shownOrNull(approvalRequest) };
  }

  @Query(() => [DefaultLeadCustomer], {
    nullable: true,
    description: 'The customers that leads are created for when the request names none, for both environments.',
  })
  @Entries(2)
  defaultLeadCustomers(): Promise<DefaultLeadCustomer[]> {
    return this.parts.settings.defaultLeadCustomers();
  }

  @Mutation(() => SetDefaultLeadCustomerPayload, {
    nullable: true,
    description: 'The customer that leads are created for when the request names none.',
  })
  async setDefaultLeadCustomer(
    @Arg('input', () => SetDefaultLeadCustomerInput, { description: 'Which customer, and where.' })
    { environment, customerId }: SetDefaultLeadCustomerInput,
    @Ctx() context: RequestContext,
  ): Promise<SetDefaultLeadCustomerPayload> {
    await this.parts.settings.setDefaultLeadCustomer(environment, customerId, actorOf(context));
    return { environment, customerId };
  }
}
