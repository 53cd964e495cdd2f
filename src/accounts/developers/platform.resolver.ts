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

/** Resolver for white labels, providers and settings that apply to several accounts. */
@Resolver()
export class PlatformResolver {
  constructor(private readonly parts: Parts) {}

  @Mutation(() => WhiteLabelPayload, { nullable: true, description: 'Creates a white label.' })
  async createWhiteLabel(
    @Arg('input', () => CreateWhiteLabelInput, { description: 'Name and provider.' })
    { name, rechargeProvider }: CreateWhiteLabelInput,
    @Ctx() context: RequestContext,
  ): Promise<WhiteLabelPayload> {
    return { whiteLabel: await this.parts.whiteLabels.create(name, rechargeProvider, actorOf(context)) };
  }

  @Mutation(() => WhiteLabelPayload, { nullable: true, description: 'Renames a white label.' })
  async renameWhiteLabel(
    @Arg('input', () => RenameWhiteLabelInput, { description: 'White label, and the new name.' })
    { whiteLabelId, name }: RenameWhiteLabelInput,
    @Ctx() context: RequestContext,
  ): Promise<WhiteLabelPayload> {
    return { whiteLabel: await this.parts.whiteLabels.rename(labelIdOf(whiteLabelId), name, actorOf(context)) };
  }

  @Mutation(() => WhiteLabelPayload, {
    nullable: true,
    description:
      'Disables a white label that has no developers. It accepts no developers until it is enabled again. Its name remains reserved.',
  })
  async disableWhiteLabel(
    @Arg('input', () => DisableWhiteLabelInput, { description: 'White label, and the reason.' })
    { whiteLabelId, reason }: DisableWhiteLabelInput,
    @Ctx() context: RequestContext,
  ): Promise<WhiteLabelPayload> {
    return { whiteLabel: await this.parts.whiteLabels.disable(labelIdOf(whiteLabelId), reason, actorOf(context)) };
  }

  @Mutation(() => WhiteLabelPayload, {
    nullable: true,
    description: 'Enables a disabled white label with its previous name and provider.',
  })
  async enableWhiteLabel(
    @Arg('input', () => EnableWhiteLabelInput, { description: 'White label, and the reason.' })
    { whiteLabelId, reason }: EnableWhiteLabelInput,
    @Ctx() context: RequestContext,
  ): Promise<WhiteLabelPayload> {
    return { whiteLabel: await this.parts.whiteLabels.enable(labelIdOf(whiteLabelId), reason, actorOf(context)) };
  }

  @Mutation(() => AssignRechargeProviderPayload, {
    nullable: true,
    description:
      'Assigns a recharge provider to a platform developer, or to a white label with all its developers. Orders that were already accepted keep their provider.',
  })
  async assignRechargeProvider(
    @Arg('input', () => AssignRechargeProviderInput, { description: 'Provider, and the developer or white label.' })
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
    description: 'Default lead customer of each environment. Used if a request names no customer.',
  })
  @Entries(2)
  defaultLeadCustomers(): Promise<DefaultLeadCustomer[]> {
    return this.parts.settings.defaultLeadCustomers();
  }

  @Mutation(() => SetDefaultLeadCustomerPayload, {
    nullable: true,
    description: 'Sets the customer that leads are created for if the request names none.',
  })
  async setDefaultLeadCustomer(
    @Arg('input', () => SetDefaultLeadCustomerInput, { description: 'Customer, and the environment.' })
    { environment, customerId }: SetDefaultLeadCustomerInput,
    @Ctx() context: RequestContext,
  ): Promise<SetDefaultLeadCustomerPayload> {
    await this.parts.settings.setDefaultLeadCustomer(environment, customerId, actorOf(context));
    return { environment, customerId };
  }
}
