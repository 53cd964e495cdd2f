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
    commandOf: (proposal) => ({
      ...placeOfSwitch(proposal.subject),
      available: changeIn(proposal).after.available as boolean,
      reason: proposal.reason,
    }),
    async apply(command, by, tx, proposal, reason) {
      await platform.switchProvider({ ...command, reason }, by, tx, proposal);
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
    commandOf: (proposal) => ({
      environment: environmentOfHold(proposal.subject),
      notice: changeIn(proposal).after.notice as string | null,
      reason: proposal.reason,
    }),
    async apply(command, by, tx, proposal, reason) {
      await platform.holdOrders({ ...command, reason }, by, tx, proposal);
      return {};
    },
  };
  return { availability, orderHold };
}
