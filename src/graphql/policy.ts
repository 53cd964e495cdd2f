import type { RequestContext } from '../core/context.js';
import type { Host } from '../core/environment.js';
import { AppError } from '../core/errors.js';
import type { Role } from '../core/principal.js';
import type { Service } from '../core/services.js';

/**
 * Who may use a field.
 * public   anyone
 * token    an API token of an approved, active developer; `service` adds the flag that an admin sets
 * session  a signed-in user of the console with one of the roles
 * parent   anyone who may read the object that the field belongs to
 */
export type Access =
  | { kind: 'public' }
  | { kind: 'parent' }
  | { kind: 'token'; service?: Service }
  | { kind: 'session'; roles: readonly Role[] };

export interface PolicyRow {
  hosts: readonly Host[];
  access: Access;
  /** What the rate limit counts: REST and GraphQL calls of one endpoint share it. */
  endpoint: string;
  /** Moves money: at most one per operation. */
  money?: true;
  /**
   * What a use costs of the limit, where it is not the usual: a root field counts every use, a nested one counts once per
   * selection, because a list would spend the limit at once. `each_use`: a nested call that has a fee. `never`: the field only
   * picks from what its parent holds.
   */
  counts?: 'each_use' | 'never';
}

const api: readonly Host[] = ['uat', 'production'];

const anyone = (endpoint: string): PolicyRow => ({ hosts: api, access: { kind: 'public' }, endpoint });
const token = (endpoint: string, service?: Service): PolicyRow => ({
  hosts: api,
  access: { kind: 'token', ...(service ? { service } : {}) },
  endpoint,
});
const nested = (endpoint: string): PolicyRow => ({ hosts: [...api, 'console'], access: { kind: 'parent' }, endpoint });
/** A nested call that is charged like the endpoint it stands for, whose limit and flag it shares. */
const nestedCall = (endpoint: string, service: Service): PolicyRow => ({
  ...token(endpoint, service),
  counts: 'each_use',
});
const money = (endpoint: string): PolicyRow => ({ ...token(endpoint), money: true });
const session = (endpoint: string, ...roles: Role[]): PolicyRow => ({
  hosts: ['console'],
  access: { kind: 'session', roles },
  endpoint,
});
const shown = (endpoint: string): PolicyRow => ({ hosts: ['console'], access: { kind: 'parent' }, endpoint });

/**
 * The one table: every field that has a resolver, who may use it on which host, and what its limit counts. Building the schema
 * fails when a field has no row or a row no field, so access is closed unless it stands here.
 */
export const policy: Readonly<Record<string, Readonly<Record<string, PolicyRow>>>> = {
  Query: {
    me: token('auth/me'),
    order: token('order'),
    ordersByKey: token('orders-by-key'),
    orders: token('orders'),
    wallet: token('wallet'),
    services: token('services'),
    operators: token('operators'),
    circles: token('circles'),
    banks: token('banks'),
    viewer: session('viewer', 'admin', 'support', 'developer'),
    developers: session('developers', 'admin', 'support'),
    developer: session('developer', 'admin', 'support', 'developer'),
    whiteLabels: session('white-labels', 'admin', 'support'),
    auditTrail: session('audit-trail', 'admin', 'support'),
    reviewOrders: session('review-orders', 'admin', 'support'),
    proposals: session('proposals', 'admin', 'support'),
    users: session('users', 'admin', 'support'),
    webhookEndpoints: session('webhook-endpoints', 'admin', 'support', 'developer'),
    webhookDeliveries: session('webhook-deliveries', 'admin', 'support', 'developer'),
    operatorFind: token('plan/operator-fetch', 'operator_fetch'),
    mobilePlans: token('plan/operator-plan-fetch', 'operator_plan_fetch'),
    dthPlans: token('plan/dth-plan-fetch', 'dth_plan_fetch'),
    dthInfo: token('plan/dth-info', 'dth_info'),
    leadStatus: token('leads/status', 'lead_generation'),
    leadCompanies: token('leads/companies', 'lead_generation'),
    leadOccupations: token('leads/occupations', 'lead_generation'),
    leadPincodes: token('leads/pincodes', 'lead_generation'),
    productCategories: token('products/categories', 'lead_generation'),
    products: token('products', 'lead_generation'),
    productDetails: token('products/details', 'lead_generation'),
  },
  Mutation: {
    issueToken: anyone('auth/client-credentials'),
    recharge: money('recharge'),
    signIn: { hosts: ['console'], access: { kind: 'public' }, endpoint: 'sign-in' },
    signUp: { hosts: ['console'], access: { kind: 'public' }, endpoint: 'sign-up' },
    verifyEmail: { hosts: ['console'], access: { kind: 'public' }, endpoint: 'verify-email' },
    requestPasswordReset: { hosts: ['console'], access: { kind: 'public' }, endpoint: 'request-password-reset' },
    resetPassword: { hosts: ['console'], access: { kind: 'public' }, endpoint: 'reset-password' },
    changePassword: session('change-password', 'admin', 'support', 'developer'),
    endSessions: session('end-sessions', 'admin', 'support', 'developer'),
    uploadKycDocument: session('upload-kyc-document', 'developer'),
    submitKyc: session('submit-kyc', 'developer'),
    signOut: session('sign-out', 'admin', 'support', 'developer'),
    createCredential: session('create-credential', 'developer'),
    revokeCredential: session('revoke-credential', 'admin', 'developer'),
    approveDeveloper: session('approve-developer', 'admin'),
    rejectDeveloper: session('reject-developer', 'admin'),
    unlockProduction: session('unlock-production', 'admin'),
    lockProduction: session('lock-production', 'admin'),
    suspendDeveloper: session('suspend-developer', 'admin'),
    reinstateDeveloper: session('reinstate-developer', 'admin'),
    suspendCredential: session('suspend-credential', 'admin'),
    reinstateCredential: session('reinstate-credential', 'admin'),
    suspendUser: session('suspend-user', 'admin'),
    reinstateUser: session('reinstate-user', 'admin'),
    setServiceAccess: session('set-service-access', 'admin'),
    setRateLimit: session('set-rate-limit', 'admin'),
    setTokenLife: session('set-token-life', 'admin'),
    resetTokenLife: session('reset-token-life', 'admin'),
    assignRechargeProvider: session('assign-recharge-provider', 'admin'),
    createWhiteLabel: session('create-white-label', 'admin'),
    setWhiteLabel: session('set-white-label', 'admin'),
    creditWallet: { ...session('credit-wallet', 'admin'), money: true },
    debitWallet: { ...session('debit-wallet', 'admin'), money: true },
    approveProposal: { ...session('approve-proposal', 'admin'), money: true },
    refuseProposal: session('refuse-proposal', 'admin'),
    setDefaultLeadCustomer: session('set-default-lead-customer', 'admin'),
    resolveOrder: { ...session('resolve-order', 'admin'), money: true },
    resolveOrders: { ...session('resolve-orders', 'admin'), money: true },
    reverseOrder: { ...session('reverse-order', 'admin'), money: true },
    chargeAgain: { ...session('charge-again', 'admin'), money: true },
    askProvider: session('ask-provider', 'admin'),
    createWebhookEndpoint: session('create-webhook-endpoint', 'admin', 'developer'),
    rotateWebhookSecret: session('rotate-webhook-secret', 'admin', 'developer'),
    disableWebhookEndpoint: session('disable-webhook-endpoint', 'admin', 'developer'),
    enableWebhookEndpoint: session('enable-webhook-endpoint', 'admin', 'developer'),
    deleteWebhookEndpoint: session('delete-webhook-endpoint', 'admin', 'developer'),
    redeliverWebhook: session('redeliver-webhook', 'admin', 'developer'),
    fetchCardBill: token('bill-payment/credit-card/bill-fetch', 'credit_card_fetch'),
    payCardBill: money('bill-payment/credit-card/bill-pay'),
    upsertProfile: token('leads/profile', 'lead_generation'),
    createLead: token('leads', 'lead_generation'),
  },
  Viewer: { developer: shown('viewer/developer') },
  Developer: {
    services: shown('developer/services'),
    wallets: shown('developer/wallets'),
    credentials: shown('developer/credentials'),
    kyc: session('developer/kyc', 'admin'),
  },
  Proposal: {
    developer: shown('proposal/developer'),
    order: shown('proposal/order'),
    orders: shown('proposal/orders'),
  },
  ReviewOrderConnection: { totals: shown('review-orders/totals') },
  Order: { timeline: nested('order/timeline') },
  OperatorFindResult: { plans: nestedCall('plan/operator-plan-fetch', 'operator_plan_fetch') },
  ProductCategory: { products: token('products', 'lead_generation') },
  Product: { details: token('products/details', 'lead_generation') },
  PlansResult: { groups: { ...nested('plan/groups'), counts: 'never' } },
  StatementEntry: { order: nested('statement/order') },
  Wallet: { statement: nested('wallet/statement'), days: nested('wallet/days') },
};

/** The refusal of somebody who is not signed in; undefined when the row is public or there is a principal. */
export function unauthenticated(row: PolicyRow, context: RequestContext): AppError | undefined {
  switch (row.access.kind) {
    case 'public':
    // who signs in sees the viewer of the session, but has none yet: the parent's own row has decided
    case 'parent':
      return undefined;
    case 'token':
      return context.principal?.kind === 'developer' ? undefined : (context.refusal ?? new AppError('UNAUTHENTICATED'));
    case 'session':
      return context.principal?.kind === 'session' ? undefined : (context.refusal ?? new AppError('UNAUTHENTICATED'));
  }
}

/** The refusal of somebody who may not use the field; undefined when they may. */
export function forbidden(row: PolicyRow, context: RequestContext): AppError | undefined {
  const refusal = unauthenticated(row, context);
  if (refusal) return refusal;
  const { access } = row;
  const { principal } = context;
  if (principal?.kind === 'developer' && access.kind !== 'public') {
    if (principal.suspended) return new AppError('SUSPENDED');
    if (principal.onboardingStatus !== 'approved') return new AppError('ONBOARDING_INCOMPLETE');
    if (principal.environment === 'production' && !principal.productionUnlocked)
      return new AppError('PRODUCTION_LOCKED');
    if (access.kind === 'token' && access.service && !principal.services.get(access.service)?.enabled) {
      return new AppError('ACCESS_DISABLED', { message: `${access.service} is not enabled for this account.` });
    }
  }
  if (access.kind === 'session' && principal?.kind === 'session' && !access.roles.includes(principal.role))
    return new AppError('FORBIDDEN');
  return undefined;
}
