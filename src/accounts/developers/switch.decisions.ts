import {
  environmentOfPause,
  lockPause,
  type PauseCommand,
  pauseState,
  pauseSubject,
} from '../../providers/order-pause.js';
import { lockSwitch, type ProviderSwitch, placeOfSwitch, switchSubject } from '../../providers/switches.js';
import { type AccountChange, changeIn } from '../account.changes.js';
import type { PlatformSettings } from './platform.service.js';

/** Changes that one administrator can make immediately but that only two people can undo. */
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
    // disabling must be immediate, so that it stops losses
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
  const orderPause: AccountChange<PauseCommand> = {
    // only resuming requires approval
    action: 'orders.resume',
    of: 'switches',
    async hold({ environment, notice, reason }, tx) {
      const before = pauseState(await lockPause(environment, tx));
      const subject = pauseSubject(environment);
      const about = { subject, key: 'paused', developerId: null, suspended: false, environment };
      return { ...about, before, after: pauseState(notice), ...(reason !== undefined && { reason }) };
    },
    isSmall: ({ after }) => after.paused === true,
    commandOf: (approvalRequest) => ({
      environment: environmentOfPause(approvalRequest.subject),
      notice: changeIn(approvalRequest).after.notice as string | null,
      reason: approvalRequest.reason,
    }),
    async apply(command, by, tx, approvalRequest, reason) {
      await platform.setOrderPause({ ...command, reason }, by, tx, approvalRequest);
      return {};
    },
  };
  return { availability, orderPause };
}
