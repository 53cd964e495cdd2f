import { describe, expect, it } from 'vitest';
import { changesOf } from '../../src/audit/audit.reader.js';
import type { AuditAction } from '../../src/audit/audit-actions.js';
import { summaryOf } from '../../src/audit/audit-summary.js';
import { UNKNOWN_ID } from '../support/ids.js';

type States = Parameters<typeof changesOf>[0];
type Line = [action: AuditAction, subject: string, states: States, summary: string];

const account = `developer:${UNKNOWN_ID}`;
const lines: Line[] = [
  [
    'service_access.set',
    `${account}/operator_fetch`,
    { before: { enabled: true, feePaise: '10' }, after: { enabled: false, feePaise: '10' } },
    'Operator find: enabled → disabled',
  ],
  [
    'service_access.set',
    `${account}/dth_plan_fetch`,
    { before: { enabled: true, feePaise: '10' }, after: { enabled: true, feePaise: '25' } },
    'DTH plans: fee ₹0.10 → ₹0.25',
  ],
  [
    'service_access.set',
    `${account}/lead_generation`,
    { before: { enabled: false, feePaise: '0' }, after: { enabled: true, feePaise: '10' } },
    'Leads: disabled → enabled, fee ₹0.00 → ₹0.10',
  ],
  // An entry without a change has only its title.
  [
    'service_access.set',
    `${account}/lead_generation`,
    { before: { enabled: true }, after: { enabled: true } },
    'Leads',
  ],
  [
    'wallet.credit',
    `${account}/production`,
    {
      before: { balancePaise: '0' },
      after: {
        balancePaise: '7500000',
        reference: 'Transfer of 24 November',
        utr: 'HDFCR52026112400',
        approvalRequestId: UNKNOWN_ID,
        requestedBy: `user:${UNKNOWN_ID}`,
      },
    },
    'Wallet credited: balance ₹0.00 → ₹75,000.00, reference Transfer of 24 November, UTR HDFCR52026112400',
  ],
  [
    'approval_request.create',
    `${account}/production`,
    { after: { approvalRequestId: UNKNOWN_ID, action: 'wallet.credit', key: 'NEFT 900', amountPaise: '7500000' } },
    'Approval requested: credit, ₹75,000.00, reference NEFT 900',
  ],
  [
    'approval_request.create',
    `${account}/production`,
    { after: { approvalRequestId: UNKNOWN_ID, action: 'wallet.correct', key: 'from version 4', amountPaise: '10000' } },
    'Approval requested: correct the balance of a wallet, ₹100.00, reference from version 4',
  ],
  [
    'approval_request.create',
    account,
    {
      before: { 'dth_info.feePaise': '10', 'dth_info.enabled': false },
      after: {
        approvalRequestId: UNKNOWN_ID,
        action: 'service_access.set',
        amountPaise: null,
        'dth_info.feePaise': '25',
        'dth_info.enabled': true,
      },
    },
    'Approval requested: change services and fees, DTH customer fee ₹0.10 → ₹0.25, DTH customer disabled → enabled',
  ],
  [
    'approval_request.reject',
    `${account}/production`,
    { before: { approvalRequestId: UNKNOWN_ID, action: 'wallet.debit', key: 'Typo', amountPaise: '500' } },
    'Approval request rejected or withdrawn: debit, ₹5.00, reference Typo',
  ],
  [
    'user.set_role',
    `user:${UNKNOWN_ID}`,
    { before: { role: 'support' }, after: { role: 'finance' } },
    'Role: support → finance',
  ],
  [
    'developer.set_rate_limit',
    account,
    { before: { rateLimitPerMinute: null }, after: { rateLimitPerMinute: 120 } },
    'Rate limit (per minute): 120',
  ],
  [
    'developer.assign_provider',
    account,
    { before: { rechargeProvider: 'ROUNDPAY' }, after: { rechargeProvider: 'MOKSHIQ' } },
    'Recharge provider: RoundPay → Mokshiq',
  ],
  [
    'provider.set_availability',
    'provider:production/MOKSHIQ',
    { before: { available: true }, after: { available: false } },
    'Mokshiq: enabled → disabled',
  ],
  [
    'webhook.update',
    `${account}/uat/webhook:${UNKNOWN_ID}`,
    { before: { types: null }, after: { types: ['recharge.failed', 'recharge.reversed'] } },
    'Webhook events changed: events recharge.failed and recharge.reversed',
  ],
  ['kyc.reveal', account, { after: { submissionId: UNKNOWN_ID, field: 'pan' } }, 'KYC field revealed to staff: PAN'],
  [
    'developer.approve',
    account,
    { before: { onboardingStatus: 'kyc_submitted' }, after: { onboardingStatus: 'approved' } },
    'Account approved',
  ],
  ['developer.add_note', account, {}, 'Note added'],
];

describe('the summary of an audit entry', () => {
  it.each(lines)('%s of %s', (action, subjectText, states, summary) => {
    expect(summaryOf({ action, subjectText, changes: changesOf(states) })).toBe(summary);
  });

  it('contains only the values that its reader can see', () => {
    const changes = changesOf({ after: { secret: 'value', requestedBy: `user:${UNKNOWN_ID}` } });
    expect(summaryOf({ action: 'credential.create', subjectText: account, changes })).toBe('API key created');
  });
});
