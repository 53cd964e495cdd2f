import type { AuditEntry } from './audit.types.js';
import type { AuditAction } from './audit-actions.js';

/**
 * Part of the audit log that users of an account can read: all actions of its users and applications, and these actions of
 * other actors on the account. Staff reads, status checks and approval requests are internal.
 */
export const visibleActions = [
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

/** Actions whose staff reason is also displayed on the account or API key. Reasons of other actions are internal. */
const visibleReasons: ReadonlySet<string> = new Set([
  'developer.request_changes',
  'developer.reject',
  'developer.suspend',
  'credential.suspend',
] satisfies AuditAction[]);

/**
 * Fields that users of an account can also see elsewhere. Other fields are hidden, such as the requester of a credit, the status
 * at the provider, or the number of accounts with the same PAN.
 */
const visibleFields: ReadonlySet<string> = new Set(
  `onboardingStatus productionRequested productionUnlocked rechargeProvider whiteLabelId rateLimitPerMinute suspended closed duplicateGuardS sessionIdleMinutes tokenIdleDays tokenMaxDays
    enabled fee role teamRole disabled removed kind revoked clientId label oldEndsAt expiresAt startsAt kept
    endpoints endpointIds environment host types type delivery balance amount
    reference utr state apiRequestId documentId contentType sizeBytes documents`.split(/\s+/),
);

/**
 * Returns an entry as displayed to users of the account.
 *
 * @param isOwn whether the actor is a user or application of the account
 */
export function ownerView(entry: AuditEntry, isOwn: boolean): AuditEntry {
  return {
    ...entry,
    requester: null,
    changes: entry.changes.filter(({ field }) => visibleFields.has(field)),
    reason: isOwn || visibleReasons.has(entry.action) ? entry.reason : null,
    address: isOwn ? entry.address : null,
  };
}
