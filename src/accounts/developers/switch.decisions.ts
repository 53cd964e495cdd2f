import { environmentOfHold, type HoldCommand, holdState, holdSubject, lockHold } from '../../providers/order-hold.js';
import { lockSwitch, type ProviderSwitch, placeOfSwitch, switchSubject } from '../../providers/switches.js';
import { type AccountChange, changeIn } from '../account.changes.js';
import type { PlatformSettings } from './platform.service.js';

/** What stops something new at once, whoever throws it, and takes two people to go on again. */
export function switchChanges(platform: PlatformSettings) {
  const availability: AccountChange<ProviderSwitch> = {
    action: 'provider.set_availability',
    of: 'switches',
    async hold({ environment, provider: name, available, reason }, tx) {
      const before = { available: await lockSwitch(environment, name, tx) };
      const subject = switchSubject(environment, name);
      const about = { subject, key: 'available', developerId: null, suspended: false, environment, reason };
      return { ...about, before, after: { available } };
    },
    // whoever sees money go wrong stops it at once
    isSmall: ({ after }) => after.available === false,
    commandOf: (approvalRequest) => ({
      ...placeOfSwitch(approvalRequest.subject),
      available: changeIn(approvalRequest).after.available as boolean,
      reason: approvalRequest.reason,
    }),
    async apply(command, by, tx, approvalRequest, reason) {
      await platform.switchProvider({ ...command, reason }, by, tx, approvalRequest);
      return {};
    },
  };
  const orderHold: AccountChange<HoldCommand> = {
    action: 'orders.set_hold',
    of: 'switches',
    async hold({ environment, notice, reason }, tx) {
      const before = holdState(await lockHold(environment, tx));
      const subject = holdSubject(environment);
      const about = { subject, key: 'held', developerId: null, suspended: false, environment };
      return { ...about, before, after: holdState(notice), ...(reason !== undefined && { reason }) };
    },
    isSmall: ({ after }) => after.held === true,
    commandOf: (approvalRequest) => ({
      environment: environmentOfHold(approvalRequest.subject),
      notice: changeIn(approvalRequest).after.notice as string | null,
      reason: approvalRequest.reason,
    }),
    async apply(command, by, tx, approvalRequest, reason) {
      await platform.holdOrders({ ...command, reason }, by, tx, approvalRequest);
      return {};
    },
  };
  return { availability, orderHold };
}
