import type { AuditEntry } from './audit.types.js';
import type { AuditAction } from './audit-actions.js';

/**
 * What of the audit log an account's own people read: all that they and their programs did, and of what others did to the account the
 * actions that stand here. Readings by staff, questions to providers and approval requests are the operator's own matter.
 */
export const shownOfOthers = [
  'user.create',
  'user.set_password',
  'user.suspend',
  'user.reinstate',
  'user.revoke_sessions',
  'user.invite',
  'user.set_role',
  'user.remove',
  'user.reset_factors',
  'developer.register',
  'developer.verify_email',
  'developer.submit_kyc',
  'developer.request_changes',
  'developer.approve',
  'developer.reject',
  'developer.request_production',
  'developer.unlock_production',
  'developer.lock_production',
  'developer.suspend',
  'developer.reinstate',
  'developer.close',
  'developer.assign_provider',
  'developer.set_white_label',
  'developer.set_rate_limit',
  'developer.set_duplicate_guard',
  'developer.set_session_idle_limit',
  'developer.set_token_lifetime',
  'developer.reset_token_lifetime',
  'service_access.set',
  'credential.create',
  'credential.rotate',
  'credential.revoke',
  'credential.cancel',
  'credential.suspend',
  'credential.reinstate',
  'credential.create_test_token',
  'webhook.create',
  'webhook.update',
  'webhook.rotate_secret',
  'webhook.enable',
  'webhook.disable',
  'webhook.delete',
  'webhook.cancel',
  'webhook.redeliver',
  'webhook.redeliver_range',
  'webhook.send_test',
  'wallet.credit',
  'wallet.debit',
  'wallet.correct',
  'order.resolve',
  'order.reverse',
  'order.reverse_refund',
] as const satisfies readonly AuditAction[];

/** Why staff did it is shown where the account or its key says so as well; elsewhere it is a note for staff. */
const reasonsOfOthers: ReadonlySet<string> = new Set([
  'developer.request_changes',
  'developer.reject',
  'developer.suspend',
  'credential.suspend',
] satisfies AuditAction[]);

/**
 * Values that an account's own people see elsewhere too. What is not listed is not shown: who requested a credit, which provider said
 * what, how many other accounts have the same PAN.
 */
const shownFields: ReadonlySet<string> = new Set(
  `onboardingStatus productionRequested productionUnlocked rechargeProvider whiteLabelId rateLimitPerMinute suspended closed duplicateGuardS sessionIdleMinutes tokenIdleDays tokenMaxDays
    enabled fee role teamRole disabled removed kind revoked clientId label oldEndsAt expiresAt startsAt kept
    endpoints endpointIds environment host types type delivery balance amount
    reference utr state apiRequestId documentId contentType sizeBytes documents`.split(/\s+/),
);

/** An entry as an account's own people see it. @param own whether one of them, or a program of theirs, did it */
export function asOwnersSee(entry: AuditEntry, own: boolean): AuditEntry {
  return {
    ...entry,
    requester: null,
    changes: entry.changes.filter(({ field }) => shownFields.has(field)),
    reason: own || reasonsOfOthers.has(entry.action) ? entry.reason : null,
    address: own ? entry.address : null,
  };
}
