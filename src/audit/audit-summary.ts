import { serviceNames } from '../core/services.js';
import type { AuditChange, AuditEntry } from './audit.types.js';
import type { AuditAction, OTHER_ACTION } from './audit-actions.js';
import { auditTitles } from './audit-titles.js';
import { changeFields } from './change-words.js';

/** Main fields of an action. Their values are displayed without the field names. */
const MAIN: Readonly<Partial<Record<AuditAction, readonly string[]>>> = {
  'service_access.set': ['enabled'],
  'provider.set_availability': ['available'],
  'user.set_role': ['role', 'teamRole'],
  'developer.assign_provider': ['rechargeProvider'],
  'white_label.assign_provider': ['rechargeProvider'],
  'white_label.rename': ['name'],
  'developer.set_rate_limit': ['rateLimitPerMinute'],
  'developer.set_duplicate_guard': ['duplicateGuardS'],
  'developer.set_session_idle_limit': ['sessionIdleMinutes'],
  'kyc.reveal': ['field'],
  'approval_request.create': ['action', 'amount'],
  'approval_request.reject': ['action', 'amount'],
};
/** Fields that are implied by the title of the action. */
const IMPLIED_BY_TITLE: ReadonlySet<string> = new Set(
  'environment secondFactors onboardingStatus suspended closed disabled removed productionRequested productionUnlocked invited revoked kind'.split(
    ' ',
  ),
);
/** Fields that contain IDs, or values that are displayed only in the full entry. */
const OMITTED: ReadonlySet<string> = new Set(
  'approvalRequestId requestedBy documentId endpointIds delivery clientId contentType sizeBytes emergencySuspension suspendedAt customerId'.split(
    ' ',
  ),
);
const MONEY: ReadonlySet<string> = new Set(['amount', 'balance', 'fee']);
const SWITCHES: ReadonlySet<string> = new Set(['enabled', 'available']);
const MAX_PARTS = 4;
const ID = /^(?:[a-z]{3}_)?[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;
const INSTANT = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

/** Phrases for the actions of approval requests. */
const ACTION_PHRASES: Readonly<Record<string, string>> = {
  'wallet.credit': 'credit',
  'wallet.debit': 'debit',
  'wallet.correct': 'correct the balance of a wallet',
  'order.settle': 'resolve as success',
  'order.refund': 'resolve as failed',
  'orders.resolve': 'resolve a list of orders',
  'order.reverse': 'reverse a successful order',
  'order.reverse_refund': 'reverse a refund',
  'developer.unlock_production': 'grant Production access',
  'service_access.set': 'change services and fees',
  'developer.assign_provider': 'change the recharge provider',
  'developer.set_white_label': 'change the white label',
  'white_label.assign_provider': 'change the recharge provider',
  'user.set_role': 'change a role',
  'user.suspend': 'suspend an administrator',
  'user.reinstate': 'reinstate a user',
  'user.remove': 'remove an administrator',
  'user.reset_factors': 'remove second factors',
  'user.invite': 'invite a user',
  'provider.set_availability': 'enable a provider',
  'orders.resume': 'resume orders',
};
/** Values with a special text. In all other values, underscores are replaced. */
const WORDS: Readonly<Record<string, string>> = {
  true: 'yes',
  false: 'no',
  pan: 'PAN',
  gstin: 'GSTIN',
  uat: 'UAT',
  totp: 'authenticator app',
  kyc_submitted: 'KYC submitted',
  kyc_changes_requested: 'KYC changes requested',
  ROUNDPAY: 'RoundPay',
  MOKSHIQ: 'Mokshiq',
  INSPAY: 'InsPay',
  EKYCHUB: 'eKYCHub',
  BANKSATHI: 'BankSathi',
  SANDBOX: 'Sandbox',
};

/**
 * Returns a one-line summary of an entry, from the values visible to the reader: "Operator find: enabled → disabled", or "DTH
 * plans: fee ₹0.10 → ₹0.25".
 */
export function summaryOf({
  action,
  subjectText,
  changes,
}: Pick<AuditEntry, 'action' | 'subjectText' | 'changes'>): string {
  const main = (action !== 'other' && MAIN[action]) || [];
  const first = changes.filter(({ field }) => main.includes(field));
  const others = changes.filter(({ field }) => !main.includes(field));
  const parts = [...first, ...others].flatMap((change) => {
    // this entry stores the requested values as its previous values
    const displayed = action === 'approval_request.reject' ? { ...change, before: null, after: change.before } : change;
    if (displayed.before === null && displayed.after === null) return [];
    const text = partOf(displayed, main.includes(change.field));
    return text === undefined ? [] : [text];
  });
  const title = titleOf(action, subjectText);
  if (parts.length === 0) return title;
  const ellipsis = parts.length > MAX_PARTS ? ', …' : '';
  return `${title}: ${parts.slice(0, MAX_PARTS).join(', ')}${ellipsis}`;
}

function titleOf(action: AuditAction | typeof OTHER_ACTION, subject: string): string {
  const last = subject.slice(subject.lastIndexOf('/') + 1);
  if (action === 'service_access.set' && Object.hasOwn(serviceNames, last))
    return serviceNames[last as keyof typeof serviceNames];
  if (action === 'provider.set_availability') return WORDS[last] ?? auditTitles[action];
  return auditTitles[action];
}

function partOf({ field: path, before, after }: AuditChange, isMain: boolean): string | undefined {
  const [head = '', tail] = path.split('.');
  const service = tail !== undefined && Object.hasOwn(serviceNames, head) ? `${serviceNames[head as 'dth_info']} ` : '';
  const field = service ? tail! : path;
  if (OMITTED.has(field) || (IMPLIED_BY_TITLE.has(field) && !isMain)) return undefined;
  const name = changeFields[field];
  if (name === undefined && !isMain) return undefined;
  const [from, to] = [before, after].map((value) => valueOf(field, value));
  // IDs and nested values are not readable on one line
  if (from === null || to === null) return undefined;
  const change = before === null ? to : `${from ?? 'none'} → ${to ?? 'none'}`;
  return isMain || (service && SWITCHES.has(field))
    ? `${service}${change}`
    : `${service}${lowerFirst(name!)} ${change}`;
}

/** Returns the text of a value. Undefined if there is no value; null if the value is not displayed. */
function valueOf(field: string, value: string | null): string | null | undefined {
  if (value === null || value === '') return undefined;
  if (ID.test(value) || value.startsWith('{')) return null;
  if (value.startsWith('[')) return listOf(JSON.parse(value) as unknown[]);
  if (MONEY.has(field) && Number.isFinite(Number(value))) return rupee.format(Number(value)).replace('-', '−');
  if (SWITCHES.has(field)) return value === 'true' ? 'enabled' : 'disabled';
  if (INSTANT.test(value)) return time.format(new Date(value));
  if (field === 'action') return ACTION_PHRASES[value] ?? value.replaceAll(/[._]/g, ' ');
  if (['reference', 'key', 'name', 'notice', 'label', 'host', 'utr'].includes(field)) return value;
  return WORDS[value] ?? (/^[a-z_]+$/.test(value) ? value.replaceAll('_', ' ') : value);
}

const listOf = (values: readonly unknown[]): string | null =>
  values.every((value) => typeof value === 'string' && !ID.test(value)) && values.length <= 3
    ? values.join(' and ') || 'none'
    : `${values.length} items`;

const rupee = new Intl.NumberFormat('en-IN', { style: 'currency', currency: 'INR' });
const time = new Intl.DateTimeFormat('en-IN', {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  hour12: false,
  timeZone: 'Asia/Kolkata',
});
/** Lowercases the first letter: "Fee" → "fee". "UTR" and "API key" remain unchanged. */
const lowerFirst = (text: string): string => (/^[A-Z][a-z]/.test(text) ? text[0]!.toLowerCase() + text.slice(1) : text);
