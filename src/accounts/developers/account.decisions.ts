import { LockMode } from '@mikro-orm/postgresql';
import { type Approvable, requesterOf } from '../../approval-requests/approval-request.service.js';
import type {
  ApprovalRequestAction,
  RequestedChange,
  StoredApprovalRequest,
} from '../../approval-requests/approval-request.store.js';
import { AppError } from '../../core/errors.js';
import { type Paise, paise } from '../../core/money.js';
import type { DeveloperId, UserId } from '../../core/principal.js';
import type { Service } from '../../core/services.js';
import type { RechargeProvider } from '../../providers/registry.js';
import {
  type AccountChange,
  type AccountChanged,
  changeIn,
  decisionOf,
  type Held,
  rolesTakeTwo,
  type TwoPeople,
} from '../account.changes.js';
import { type DeveloperRow, ServiceAccessEntity, WhiteLabelEntity, type WhiteLabelRow } from '../account.entities.js';
import type { InvitationService } from '../people/invitation.service.js';
import { peopleChanges } from '../people/people.decisions.js';
import type { NewRole, UserService } from '../people/user.service.js';
import { requireNoOwner, requireUnrestricted, userSubject } from '../people/user.state.js';
import type { DeveloperService } from './developer.service.js';
import { lockDeveloper, requireUnlockable, subjectOf } from './developer.state.js';
import { labelSubject, openLabel, type PlatformSettings, type WhiteLabelService } from './platform.service.js';
import { changedFees, changesAccess, undoesOwnFees } from './service-access.js';
import { switchChanges } from './switch.decisions.js';

export interface AccountDecisionParts {
  developers: DeveloperService;
  users: UserService;
  invitations: InvitationService;
  whiteLabels: WhiteLabelService;
  platform: PlatformSettings;
  twoPeople: TwoPeople;
}

/** Service to enable or disable, with its fee if set. */
export interface Grant {
  service: Service;
  enabled: boolean;
  fee?: Paise | undefined;
}

interface OfDeveloper {
  developerId: DeveloperId;
}

const heldOf = (developer: DeveloperRow, key: string, change: RequestedChange): Held => ({
  subject: subjectOf(developer.id),
  key,
  developerId: developer.id as DeveloperId,
  suspended: developer.suspendedAt != null,
  ...change,
});

const ofDeveloper = ({ developerId }: StoredApprovalRequest): OfDeveloper => ({ developerId: developerId! });

/** Creates the account changes that one administrator makes, or requests from a second one where TWO_PEOPLE requires it. */
export function accountDecisions({
  developers,
  users,
  invitations,
  whiteLabels,
  platform,
  twoPeople,
}: AccountDecisionParts) {
  const unlock: AccountChange<OfDeveloper> = {
    action: 'developer.unlock_production',
    of: 'unlock',
    async hold({ developerId }, tx) {
      const developer = await lockDeveloper(developerId, tx);
      requireUnlockable(developer);
      const change = { before: { productionUnlocked: false }, after: { productionUnlocked: true } };
      return heldOf(developer, 'production', change);
    },
    commandOf: ofDeveloper,
    async apply({ developerId }, by, tx, approvalRequest, reason) {
      await developers.change('unlockProduction', { developerId }, by, { tx, approvalRequest, reason });
      return { developerId };
    },
  };
  const fees: AccountChange<OfDeveloper & { grants: readonly Grant[]; reason?: string | undefined }> = {
    action: 'service_access.set',
    of: 'fees',
    async hold({ developerId, grants, reason }, tx) {
      const developer = await lockDeveloper(developerId, tx);
      const before: Record<string, unknown> = {};
      const after: Record<string, unknown> = {};
      for (const { service, enabled, fee } of grants) {
        const access = await tx.findOne(ServiceAccessEntity, { developerId, service });
        before[`${service}.enabled`] = access?.enabled ?? false;
        before[`${service}.feePaise`] = String(access?.feePaise ?? 0n);
        after[`${service}.enabled`] = enabled;
        after[`${service}.feePaise`] = String(fee ?? access?.feePaise ?? 0n);
      }
      const held = heldOf(developer, grants.map(({ service }) => service).join(', '), { before, after });
      return reason === undefined ? held : { ...held, reason };
    },
    stepUp: async (change, by, tx) => changedFees(change).length > 0 && !(await undoesOwnFees(change, by, tx)),
    isSmall: ({ before, after }) =>
      Object.entries(after).every(
        ([name, value]) =>
          !name.endsWith('.feePaise') || value === before[name] || BigInt(String(value)) <= twoPeople.feeAbovePaise,
      ),
    commandOf(approvalRequest) {
      const { after } = changeIn(approvalRequest);
      const grants = approvalRequest.key.split(', ').map((service) => ({
        service: service as Service,
        enabled: after[`${service}.enabled`] as boolean,
        fee: paise(after[`${service}.feePaise`] as string),
      }));
      return { ...ofDeveloper(approvalRequest), grants };
    },
    async apply({ developerId, grants }, by, tx, approvalRequest, reason) {
      for (const grant of grants)
        if (await changesAccess(developerId, grant, tx))
          await developers.change('setServiceAccess', { developerId, ...grant } as never, by, {
            tx,
            approvalRequest,
            reason,
          });
      return { developerId };
    },
  };
  const provider: AccountChange<OfDeveloper & { provider: RechargeProvider }> = {
    action: 'developer.assign_provider',
    of: 'provider',
    async hold({ developerId, provider: rechargeProvider }, tx) {
      const developer = await lockDeveloper(developerId, tx);
      const before = { rechargeProvider: developer.rechargeProvider };
      return heldOf(developer, 'recharge_provider', { before, after: { rechargeProvider } });
    },
    commandOf: (approvalRequest) => ({
      ...ofDeveloper(approvalRequest),
      provider: changeIn(approvalRequest).after.rechargeProvider as RechargeProvider,
    }),
    async apply({ developerId, provider: assigned }, by, tx, approvalRequest, reason) {
      await developers.assignProvider(developerId, assigned, by, { tx, approvalRequest, reason });
      return { developerId };
    },
  };
  const labelProvider: AccountChange<{ whiteLabelId: string; provider: RechargeProvider }> = {
    action: 'white_label.assign_provider',
    of: 'provider',
    async hold({ whiteLabelId: id, provider: rechargeProvider }, tx) {
      const label = await tx.findOne(WhiteLabelEntity, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
      if (!label) throw noLabel();
      const change = { before: { rechargeProvider: label.rechargeProvider }, after: { rechargeProvider } };
      return { subject: labelSubject(id), key: 'recharge_provider', developerId: null, suspended: false, ...change };
    },
    commandOf: (approvalRequest) => ({
      whiteLabelId: approvalRequest.subject.slice(labelSubject('').length),
      provider: changeIn(approvalRequest).after.rechargeProvider as RechargeProvider,
    }),
    apply: async ({ whiteLabelId, provider: assigned }, by, tx, approvalRequest, reason) => ({
      whiteLabel: await whiteLabels.assignProvider(whiteLabelId, assigned, by, { tx, approvalRequest, reason }),
    }),
  };
  const label: AccountChange<OfDeveloper & { whiteLabelId: string | null }> = {
    action: 'developer.set_white_label',
    of: 'provider',
    async hold({ developerId, whiteLabelId: id }, tx) {
      const developer = await lockDeveloper(developerId, tx);
      const next = id === null ? null : await openLabel(id, tx);
      const former = developer.whiteLabel ? await tx.findOneOrFail(WhiteLabelEntity, developer.whiteLabel.id) : null;
      const under = (one: WhiteLabelRow | null) => ({
        whiteLabelId: one?.id ?? null,
        rechargeProvider: one?.rechargeProvider ?? developer.rechargeProvider,
      });
      return heldOf(developer, 'white_label', { before: under(former), after: under(next) });
    },
    stepUp: ({ before, after }) => before.rechargeProvider !== after.rechargeProvider,
    // one person is enough if the recharge provider does not change
    isSmall: ({ before, after }) => before.rechargeProvider === after.rechargeProvider,
    commandOf: (approvalRequest) => ({
      ...ofDeveloper(approvalRequest),
      whiteLabelId: changeIn(approvalRequest).after.whiteLabelId as string | null,
    }),
    async apply({ developerId, whiteLabelId }, by, tx, approvalRequest, reason) {
      const how = { tx, approvalRequest, reason };
      if (whiteLabelId === null) await developers.change('removeFromWhiteLabel', { developerId }, by, how);
      else await developers.change('moveToWhiteLabel', { developerId, whiteLabelId }, by, how);
      return { developerId };
    },
  };
  const role: AccountChange<{ userId: UserId; next: NewRole; isStaff: boolean }> = {
    action: 'user.set_role',
    of: 'roles',
    async hold({ userId, next, isStaff }, tx) {
      const { user, field, before, after } = await users.holdForRole(userId, next, tx);
      const ofTeam = user.developerId !== null && user.developerId !== undefined;
      if (ofTeam && isStaff) await requireNoOwner(user.developerId!, tx);
      return {
        subject: userSubject(userId),
        key: field,
        developerId: (user.developerId ?? null) as DeveloperId | null,
        suspended: user.disabledAt != null,
        takesTwo: ofTeam ? isStaff : await rolesTakeTwo(twoPeople, tx),
        before: { [field]: before },
        after: { [field]: after },
      };
    },
    admit: (_about, by, tx) => requireUnrestricted(by.userId, tx),
    commandOf: (approvalRequest) => ({
      userId: approvalRequest.subject.slice(userSubject('').length) as UserId,
      next: changeIn(approvalRequest).after as NewRole,
      isStaff: true,
    }),
    async apply({ userId, next }, by, tx, approvalRequest, reason) {
      await users.setRole(userId, next, by, tx, {
        approvalRequest: approvalRequest && requesterOf(approvalRequest),
        reason,
      });
      return { userId };
    },
  };
  const { suspend, reinstate, remove, resetFactors } = peopleChanges({ users, twoPeople });
  const invitation: AccountChange<{ id: string }> = {
    action: 'user.invite',
    of: 'roles',
    async hold({ id }, tx) {
      const { developerId, teamRole } = await invitations.holdPrepared(id, tx);
      return {
        subject: userSubject(id),
        key: 'invitation',
        developerId,
        suspended: false,
        // applies regardless of TWO_PEOPLE; otherwise one administrator could take over any account
        takesTwo: true,
        before: { invited: false },
        after: { invited: true, teamRole },
      };
    },
    admit: (_about, by, tx) => requireUnrestricted(by.userId, tx),
    commandOf: ({ subject }) => ({ id: subject.slice(userSubject('').length) }),
    async apply({ id }, by, tx, approvalRequest) {
      await invitations.sendPrepared(id, by, approvalRequest ? requesterOf(approvalRequest) : {}, tx);
      return { userId: id as UserId };
    },
  };
  const { availability, orderPause } = switchChanges(platform);
  return {
    'provider.set_availability': decisionOf(availability, twoPeople),
    'orders.resume': decisionOf(orderPause, twoPeople),
    'user.set_role': decisionOf(role, twoPeople),
    'user.suspend': decisionOf(suspend, twoPeople),
    'user.reinstate': decisionOf(reinstate, twoPeople),
    'user.remove': decisionOf(remove, twoPeople),
    'user.reset_factors': decisionOf(resetFactors, twoPeople),
    'user.invite': decisionOf(invitation, twoPeople),
    'developer.unlock_production': decisionOf(unlock, twoPeople),
    'service_access.set': decisionOf(fees, twoPeople),
    'developer.assign_provider': decisionOf(provider, twoPeople),
    'developer.set_white_label': decisionOf(label, twoPeople),
    'white_label.assign_provider': decisionOf(labelProvider, twoPeople),
  } satisfies Partial<Record<ApprovalRequestAction, Approvable<unknown, AccountChanged>>>;
}
export type AccountActions = ReturnType<typeof accountDecisions>;

const noLabel = (): AppError => new AppError('RECORD_NOT_FOUND', { message: 'Unknown white label.' });
