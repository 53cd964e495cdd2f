import { LockMode, type MikroORM } from '@mikro-orm/postgresql';
import type { ActingUser, ApprovalFlow, Decided } from '../../approval-requests/approval-request.service.js';
import type { StoredApprovalRequest } from '../../approval-requests/approval-request.store.js';
import type { Config } from '../../config.js';
import { AppError } from '../../core/errors.js';
import { isUuid } from '../../core/ids.js';
import { type Paise, paise } from '../../core/money.js';
import type { DeveloperId, UserId } from '../../core/principal.js';
import type { Service } from '../../core/services.js';
import { developerIdOf, recordId } from '../../graphql-toolkit/node.js';
import { type Emails, withEmails } from '../../mails/emails.room.js';
import type { PauseCommand } from '../../providers/order-pause.js';
import type { RechargeProvider } from '../../providers/registry.js';
import type { ProviderSwitch } from '../../providers/switches.js';
import type { AccountChanged } from '../account.changes.js';
import { DeveloperEntity, type InvitationRow, ServiceAccessEntity, UserEntity } from '../account.entities.js';
import type { InvitationService, InvitedToAccount } from '../people/invitation.service.js';
import type { NewRole, UserService } from '../people/user.service.js';
import { lockUser } from '../people/user.state.js';
import type { AccountActions } from './account.decisions.js';
import type { DeveloperService } from './developer.service.js';
import type { DeveloperVerb, InputOf } from './developer.verbs.js';

/** Change of a service's access or fee. Omitted fields remain unchanged. */
export interface ServiceChange {
  developerId: string;
  service: Service;
  enabled?: boolean | undefined;
  fee?: Paise | undefined;
}

export interface SwitchedServices {
  /** Previous access of the changed services. */
  done: { developerId: DeveloperId; service: Service; enabled: boolean; fee: Paise }[];
  approvalRequests: StoredApprovalRequest[];
}

const noDeveloperAt = (place: number): AppError =>
  new AppError('RECORD_NOT_FOUND', { message: `Unknown developer in input.changes.${place}.developerId.` });
function idAt(id: string, place: number): DeveloperId {
  const key = id.replace(/^dev_/, '');
  if (!isUuid(key)) throw noDeveloperAt(place);
  return key as DeveloperId;
}

interface Parts {
  orm: MikroORM;
  approvals: ApprovalFlow;
  actions: AccountActions;
  developers: DeveloperService;
  users: UserService;
  invitations: InvitationService;
  twoPeople: Config['twoPeople'];
  mails: Pick<Emails, 'ready' | 'wake'>;
}

type Answer = Decided<AccountChanged>;
type OwnWay = { [Name in DeveloperVerb]?: (input: InputOf<Name>, by: ActingUser) => Promise<Answer> };

/** Account changes in the console. They apply immediately, or after approval by a second person if TWO_PEOPLE requires it. */
export class AccountChangeService {
  constructor(private readonly parts: Parts) {}

  readonly #own: OwnWay = {
    unlockProduction: ({ developerId }, by) =>
      this.#decide('developer.unlock_production', { developerId: developerIdOf(developerId) }, by),
    setServiceAccess: ({ developerId, ...grant }, by) =>
      this.#decide('service_access.set', { developerId: developerIdOf(developerId), grants: [grant] }, by),
    moveToWhiteLabel: ({ developerId, whiteLabelId }, by) => {
      const label = recordId(whiteLabelId, 'wlb', 'white label');
      return this.#decide(
        'developer.set_white_label',
        { developerId: developerIdOf(developerId), whiteLabelId: label },
        by,
      );
    },
    removeFromWhiteLabel: ({ developerId }, by) =>
      this.#decide('developer.set_white_label', { developerId: developerIdOf(developerId), whiteLabelId: null }, by),
    approveDeveloper: (input, by) => this.#approve(input, by),
  };

  /** Makes or requests a change. Throws the errors of the verb and of approval requests. */
  async change<Name extends DeveloperVerb>(name: Name, input: InputOf<Name>, by: ActingUser): Promise<Answer> {
    const own = this.#own[name] as ((input: InputOf<Name>, by: ActingUser) => Promise<Answer>) | undefined;
    if (own) return own(input, by);
    await this.parts.developers.change(name, input, by);
    return { replayed: false };
  }

  assignToDeveloper(developerId: DeveloperId, provider: RechargeProvider, by: ActingUser): Promise<Answer> {
    return this.#decide('developer.assign_provider', { developerId, provider }, by);
  }

  /** Assigns a recharge provider to all developers of the white label. */
  assignToLabel(whiteLabelId: string, provider: RechargeProvider, by: ActingUser): Promise<Answer> {
    return this.#decide('white_label.assign_provider', { whiteLabelId, provider }, by);
  }

  /** Enables or disables a provider. Disabling is immediate. Enabling requires approval if TWO_PEOPLE includes `switches`. */
  switchProvider(command: ProviderSwitch, by: ActingUser): Promise<Answer> {
    return this.#decide('provider.set_availability', command, by);
  }

  /** Pauses orders immediately. Resuming them requires approval if TWO_PEOPLE includes `switches`. */
  setOrderPause(command: PauseCommand, by: ActingUser): Promise<Answer> {
    return this.#decide('orders.resume', command, by);
  }

  /**
   * Changes access and fees of several accounts, all or nothing. Changes that require a second person become approval
   * requests; the others apply immediately. Throws RECORD_NOT_FOUND with the position of the change.
   */
  switchServices(
    changes: readonly ServiceChange[],
    reason: string | undefined,
    by: ActingUser,
  ): Promise<SwitchedServices> {
    const { approvals, actions } = this.parts;
    const ids = changes.map(({ developerId }, place) => idAt(developerId, place));
    return withEmails(this.parts, async (tx) => {
      // locks accounts in ID order before the first change, so that two overlapping lists cannot deadlock
      const held = { lockMode: LockMode.PESSIMISTIC_WRITE, orderBy: { id: 'asc' } } as const;
      const found = await tx.find(DeveloperEntity, { id: { $in: ids } }, held);
      const known = new Set(found.map(({ id }) => id));
      const missing = ids.findIndex((id) => !known.has(id));
      if (missing >= 0) throw noDeveloperAt(missing);
      const before = await tx.find(ServiceAccessEntity, { developerId: { $in: ids } });
      const earlier = changes.map(({ service }, place) => {
        const access = before.find((one) => one.developerId === ids[place] && one.service === service);
        return {
          developerId: ids[place]!,
          service,
          enabled: access?.enabled ?? false,
          fee: paise(access?.feePaise ?? 0n),
        };
      });
      const switched: SwitchedServices = { done: [], approvalRequests: [] };
      for (const [place, { service, enabled = earlier[place]!.enabled, fee }] of changes.entries()) {
        const command = { developerId: ids[place]!, grants: [{ service, enabled, fee }], reason };
        const { approvalRequest } = await approvals.decide(actions['service_access.set'], command, by, tx);
        if (approvalRequest) switched.approvalRequests.push(approvalRequest);
        else switched.done.push(earlier[place]!);
      }
      return switched;
    });
  }

  /**
   * Changes the role of a user. Staff can change a team role only if the account has no active owner, and a second person must
   * approve it.
   */
  setRole(userId: UserId, next: NewRole, by: ActingUser, isStaff: boolean): Promise<Answer> {
    return this.#decide('user.set_role', { userId, next, isStaff }, by);
  }

  /** Invites a user, on behalf of staff, to an account without an active owner. A second administrator must approve it. */
  async invite(
    person: InvitedToAccount,
    by: ActingUser,
    addressKey: string,
  ): Promise<Answer & { user: InvitationRow }> {
    const { approvals, actions, invitations } = this.parts;
    await invitations.allow(person.email, addressKey);
    return withEmails(this.parts, async (tx) => {
      const user = await invitations.prepare(person, by.userId, tx);
      return { ...(await approvals.decide(actions['user.invite'], { id: user.id }, by, tx)), user };
    });
  }

  /**
   * Suspends a user. Suspending an administrator requires a second person. An emergency suspension applies immediately and
   * requests confirmation.
   */
  suspendUser(userId: UserId, reason: string, emergency: boolean, by: ActingUser): Promise<Answer> {
    const { approvals, actions } = this.parts;
    const suspension = actions['user.suspend'];
    return withEmails(this.parts, async (tx) => {
      const answer = await approvals.decide(suspension, { userId, reason, emergency }, by, tx);
      const user = answer.done && (await tx.findOne(UserEntity, { id: userId }));
      if (user?.emergencySuspendedBy !== by.userId) return answer;
      return {
        ...answer,
        approvalRequest: (await approvals.decide(suspension, { userId, reason }, by, tx)).approvalRequest,
      };
    });
  }

  /** Reinstates a suspended user. */
  reinstateUser(userId: UserId, reason: string | undefined, by: ActingUser): Promise<Answer> {
    return this.#decide('user.reinstate', { userId, reason }, by);
  }

  removeUser(userId: UserId, reason: string, by: ActingUser): Promise<Answer> {
    return this.#decide('user.remove', { userId, reason }, by);
  }

  /** Removes all second factors of a user. Requests are also emailed to the user and to the owners of the account. */
  resetFactors(userId: UserId, reason: string, by: ActingUser): Promise<Answer> {
    const { approvals, actions, users } = this.parts;
    return withEmails(this.parts, async (tx) => {
      const answer = await approvals.decide(actions['user.reset_factors'], { userId, reason }, by, tx);
      if (answer.approvalRequest && !answer.replayed)
        await users.notices.factorReset(await lockUser(userId, tx), 'requested', reason, tx);
      return answer;
    });
  }

  /**
   * Approves the account immediately, with the services whose fees need no approval. The other services become one approval
   * request.
   */
  #approve({ services = [], ...input }: InputOf<'approveDeveloper'>, by: ActingUser): Promise<Answer> {
    const { developers, approvals, actions, twoPeople } = this.parts;
    const { of, feeAbovePaise } = twoPeople;
    const high = services.filter(({ fee = 0n }) => of.has('fees') && fee > feeAbovePaise);
    return withEmails(this.parts, async (tx) => {
      const fees = actions['service_access.set'];
      const developerId = developerIdOf(input.developerId);
      const all = { developerId, grants: services.map((grant) => ({ ...grant, enabled: true })) };
      await fees.authorize?.(await fees.lock(all, tx), by, tx);
      const usual = services.filter((grant) => !high.includes(grant));
      await developers.change('approveDeveloper', { ...input, services: usual }, by, { tx });
      if (high.length === 0) return { replayed: false };
      const grants = high.map((grant) => ({ ...grant, enabled: true }));
      return approvals.decide(fees, { developerId, grants }, by, tx);
    });
  }

  #decide<Name extends keyof AccountActions>(
    name: Name,
    command: Parameters<AccountActions[Name]['lock']>[0],
    by: ActingUser,
  ): Promise<Answer> {
    const { approvals, actions } = this.parts;
    return withEmails(this.parts, (tx) => approvals.decide(actions[name] as never, command, by, tx));
  }
}
