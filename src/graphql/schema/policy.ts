import type { GraphQLObjectType } from 'graphql';
import type { Surface } from '../../core/environment.js';
import type { ClientScope, StaffRole, StepUpCase, TeamRole } from '../../core/principal.js';
import type { Service } from '../../core/services.js';

/**
 * Access to a field.
 *
 * - `public`: anyone.
 * - `token`: an API token of an approved, active developer; `service` adds a service that an admin must enable.
 * - `session`: a signed-in user of the console: a staff member with one of the roles, or a user of a developer account with one
 *   of the team roles.
 * - `parent`: anyone who can read the object that the field belongs to.
 */
export type Access = { kind: 'public' } | { kind: 'parent' } | { kind: 'token'; service?: Service } | SessionAccess;

export interface SessionAccess {
  kind: 'session';
  roles: readonly StaffRole[];
  team: readonly TeamRole[];
}

export interface PolicyRow {
  access: Access;
  /** Counter of the rate limit, shared by REST and GraphQL calls of one endpoint. */
  endpoint: string;
  /**
   * Set if cross-origin pages are rejected. Otherwise, requests that such pages make browsers send would count for all users
   * with the address of the browser.
   */
  pages?: 'own';
  /** Set for a part of a response. In the response to a sign-in, the user has no session yet. */
  nested?: true;
  /**
   * Set if the field is available only on the host of this environment. The other host has the same schema and rejects the
   * field.
   */
  only?: 'uat';
  /** Whether the field can be used in a session whose user must first add a second factor. */
  enrolment?: true;
  /** Set if the field requires a recently verified second factor of every user who has one, either always or only in one case. */
  stepUp?: true | StepUpCase;
  /** Whether the field moves money. An operation can contain only one such field. */
  money?: true;
  /** Whether the call can be charged. A fee applies only if an admin has set one. */
  fee?: true;
  /**
   * Overrides how uses count toward the limit. By default, a root field counts every use, and a nested field counts once per
   * selection, because a list would otherwise exhaust the limit at once. `each_use`: a nested call with a fee. `never`: a part of
   * its parent without its own limit, or `rateLimit`.
   */
  counts?: 'each_use' | 'never';
  /**
   * Scopes of client tokens that can use the field; one of them is sufficient. `any` means that every client token can use it.
   * If undefined, no client token can use it.
   */
  client?: ClientScope | readonly ClientScope[] | 'any';
}

export type PolicyTable = Readonly<Record<string, Readonly<Record<string, PolicyRow>>>>;

/**
 * Access rule for all callers. Named access rules can be combined like those of graphql-shield. `forbidden` evaluates them, and
 * shield calls it for each field.
 */
export const isAnyone: Access = { kind: 'public' };
/** Access rule that requires an API token. */
export const isAuthenticated: Access & { kind: 'token' } = { kind: 'token' };
/**
 * Returns the access rule for staff with one of these roles, and for users of a developer account with one of the `team` roles.
 * Example: hasRole('admin', team('owner')).
 */
export const hasRole = (...allowed: (StaffRole | Team)[]): SessionAccess => ({
  kind: 'session',
  roles: allowed.filter((name) => typeof name === 'string'),
  team: allowed.flatMap((name) => (typeof name === 'string' ? [] : name.team)),
});
interface Team {
  team: readonly TeamRole[];
}
const team = (...roles: TeamRole[]): Team => ({ team: roles });
const canReadParent: Access = { kind: 'parent' };
export const hasService = (service: Service): { service: Service } => ({ service });
export const and = (access: Access & { kind: 'token' }, condition: { service: Service }): Access => ({
  ...access,
  ...condition,
});

const rule = (endpoint: string, access: Access): PolicyRow => ({ access, endpoint });
const nested = (endpoint: string, access: Access = canReadParent): PolicyRow => ({
  ...rule(endpoint, access),
  nested: true,
});
const uncounted = (row: PolicyRow): PolicyRow => ({ ...row, counts: 'never' });
/** Returns the row of a field that does not count in addition to its parent. */
const unlimited = (endpoint: string): PolicyRow => uncounted(nested(endpoint));
const chargedFields: PolicyTable[string] = { wallet: unlimited('charged/wallet') };
/** Returns the row of a nested call that is charged like its endpoint and shares its limit and service. */
const eachUse = (row: PolicyRow): PolicyRow => ({ ...row, counts: 'each_use' });
const withFee = (row: PolicyRow): PolicyRow => ({ ...row, fee: true });
const money = (row: PolicyRow): PolicyRow => ({ ...row, money: true });
/** Returns the row of a tool of the sandbox. */
const inUat = (row: PolicyRow): PolicyRow => ({ ...row, only: 'uat' });
/** Returns the row of a field that users can use before they add a required second factor. */
const forEnrolment = (row: PolicyRow): PolicyRow => ({ ...row, enrolment: true });
const withStepUp = (row: PolicyRow): PolicyRow => ({ ...row, stepUp: true });
/**
 * Returns the row of a field that requires step-up verification in one case. The service that can determine whether the case
 * applies checks it with `requireFreshFactor`.
 */
const withStepUpIf = (stepUp: StepUpCase, row: PolicyRow): PolicyRow => ({ ...row, stepUp });
const forOwnPages = (row: PolicyRow): PolicyRow => ({ ...row, pages: 'own' });
const forClients = (client: PolicyRow['client'], row: PolicyRow): PolicyRow => ({ ...row, client });

const allTeamRoles = team('owner', 'builder', 'finance', 'reader');
const allUsers = hasRole('admin', 'finance', 'reviewer', 'support', allTeamRoles);
/** Access rule for roles that can read orders, wallets and their statements. Reviewers have no access to money. */
const readsMoney = hasRole('admin', 'finance', 'support', allTeamRoles);
/** Access rule for roles that can read API keys and webhooks, which applications of the account use. */
const readsKeys = hasRole('admin', 'finance', 'support', team('owner', 'builder', 'reader'));
/** Access rule for roles that can read sessions of other users. `seesSessions` determines which users. */
const readsSessions = hasRole('admin', 'support', team('owner'));
const staff = hasRole('admin', 'finance', 'reviewer', 'support');
const staffBeyondKyc = hasRole('admin', 'finance', 'support');

/** Fields of types that both schemas have. */
const shared: PolicyTable = {
  Operator: {
    available: forClients('any', unlimited('operator/available')),
    maxAmount: forClients('any', unlimited('operator/max-amount')),
  },
  Order: {
    timeline: nested('order/timeline'),
    entries: nested('order/entries'),
    deliveries: nested('order/deliveries'),
    nextCheckAt: forClients('order', unlimited('order/next-check')),
    reviewAt: forClients('order', unlimited('order/review-at')),
    wallet: unlimited('order/wallet'),
  },
  Lead: { product: nested('lead/product') },
  StatementEntry: { order: nested('statement/order'), lead: nested('statement/lead') },
  WebhookDelivery: { order: nested('webhook-delivery/order'), body: nested('webhook-delivery/body') },
  WebhookEndpoint: { health: nested('webhook-endpoint/health') },
  Wallet: { held: unlimited('wallet/held'), statement: nested('wallet/statement'), days: nested('wallet/days') },
};

/**
 * Policy table of each schema: every field with a resolver, its access rule and its rate limit. A field that is not listed here
 * is inaccessible, because building the schema fails if a field has no row or a row has no field.
 */
export const policies: Readonly<Record<Surface, PolicyTable>> = {
  api: {
    Query: {
      // `NodeResolver` explains the restrictions
      node: forClients(['order', 'lookups', 'products'], rule('node', isAuthenticated)),
      rateLimit: forClients('any', uncounted(rule('rate-limit', isAuthenticated))),
      me: rule('auth/me', isAuthenticated),
      order: forClients('order', rule('order', isAuthenticated)),
      ordersByKey: rule('orders-by-key', isAuthenticated),
      orders: rule('orders', isAuthenticated),
      wallet: rule('wallet', isAuthenticated),
      services: forClients('lookups', rule('services', isAuthenticated)),
      clientTokens: rule('client-tokens', isAuthenticated),
      operators: forClients('lookups', rule('operators', isAuthenticated)),
      circles: forClients('lookups', rule('circles', isAuthenticated)),
      banks: forClients('lookups', rule('banks', isAuthenticated)),
      operatorFind: forClients(
        'lookups',
        withFee(rule('plan/operator-fetch', and(isAuthenticated, hasService('operator_fetch')))),
      ),
      mobilePlans: forClients(
        'lookups',
        withFee(rule('plan/operator-plan-fetch', and(isAuthenticated, hasService('operator_plan_fetch')))),
      ),
      dthPlans: forClients(
        'lookups',
        withFee(rule('plan/dth-plan-fetch', and(isAuthenticated, hasService('dth_plan_fetch')))),
      ),
      dthInfo: forClients('lookups', withFee(rule('plan/dth-info', and(isAuthenticated, hasService('dth_info'))))),
      leads: rule('leads-list', and(isAuthenticated, hasService('lead_generation'))),
      leadStatus: withFee(rule('leads/status', and(isAuthenticated, hasService('lead_generation')))),
      leadCompanies: rule('leads/companies', and(isAuthenticated, hasService('lead_generation'))),
      leadOccupations: rule('leads/occupations', and(isAuthenticated, hasService('lead_generation'))),
      leadPincodes: rule('leads/pincodes', and(isAuthenticated, hasService('lead_generation'))),
      productCategories: forClients(
        'products',
        rule('products/categories', and(isAuthenticated, hasService('lead_generation'))),
      ),
      products: forClients('products', rule('products', and(isAuthenticated, hasService('lead_generation')))),
      productDetails: forClients(
        'products',
        rule('products/details', and(isAuthenticated, hasService('lead_generation'))),
      ),
      webhookEndpoints: rule('webhook-endpoints', isAuthenticated),
      webhookDeliveries: rule('webhook-deliveries', isAuthenticated),
    },
    Mutation: {
      issueToken: forOwnPages(rule('auth/client-credentials', isAnyone)),
      createClientToken: rule('create-client-token', isAuthenticated),
      revokeClientToken: rule('revoke-client-token', isAuthenticated),
      recharge: money(rule('recharge', isAuthenticated)),
      fetchCardBill: withFee(
        rule('bill-payment/credit-card/bill-fetch', and(isAuthenticated, hasService('credit_card_fetch'))),
      ),
      payCardBill: money(rule('bill-payment/credit-card/bill-pay', isAuthenticated)),
      upsertProfile: rule('leads/profile', and(isAuthenticated, hasService('lead_generation'))),
      createLead: rule('leads', and(isAuthenticated, hasService('lead_generation'))),
      createWebhookEndpoint: rule('create-webhook-endpoint', isAuthenticated),
      updateWebhookEndpoint: rule('update-webhook-endpoint', isAuthenticated),
      rotateWebhookSecret: rule('rotate-webhook-secret', isAuthenticated),
      disableWebhookEndpoint: rule('disable-webhook-endpoint', isAuthenticated),
      enableWebhookEndpoint: rule('enable-webhook-endpoint', isAuthenticated),
      deleteWebhookEndpoint: rule('delete-webhook-endpoint', isAuthenticated),
      redeliverWebhook: rule('redeliver-webhook', isAuthenticated),
      redeliverWebhooks: rule('redeliver-webhooks', isAuthenticated),
      sendTestEvent: rule('send-test-event', isAuthenticated),
      setSandboxScenario: inUat(rule('sandbox/scenario', isAuthenticated)),
      refillSandboxWallet: money(inUat(rule('sandbox/refill', isAuthenticated))),
    },
    Subscription: {
      orderChanged: forClients('order', rule('order-changed', isAuthenticated)),
      ordersChanged: rule('orders-changed', isAuthenticated),
    },
    ClientToken: { order: nested('client-token/order') },
    ClientTokenConnection: { totalCount: nested('client-tokens/total-count') },
    OperatorFindResult: {
      ...chargedFields,
      plans: forClients(
        'lookups',
        withFee(eachUse(rule('plan/operator-plan-fetch', and(isAuthenticated, hasService('operator_plan_fetch'))))),
      ),
    },
    PlansResult: { ...chargedFields, groups: forClients('lookups', unlimited('plan/groups')) },
    DthInfoResult: chargedFields,
    FetchCardBillPayload: chargedFields,
    UpsertProfilePayload: chargedFields,
    CreateLeadPayload: chargedFields,
    LeadStatusResult: chargedFields,
    ProductCategoriesResult: chargedFields,
    ProductsResult: chargedFields,
    ProductDetailsResult: chargedFields,
    ProductCategory: {
      products: forClients('products', rule('products', and(isAuthenticated, hasService('lead_generation')))),
    },
    Product: {
      details: forClients('products', rule('products/details', and(isAuthenticated, hasService('lead_generation')))),
    },
    ...shared,
  },
  console: {
    Query: {
      node: rule('node', allUsers),
      rateLimit: uncounted(rule('rate-limit', allUsers)),
      // this field is not counted, because each page of the portal calls it, and the users of an office share an address
      isSignedIn: uncounted(rule('is-signed-in', isAnyone)),
      viewer: forEnrolment(rule('viewer', allUsers)),
      developers: rule('developers', hasRole('admin', 'finance', 'reviewer', 'support')),
      developer: rule('developer', allUsers),
      whiteLabels: rule('white-labels', staffBeyondKyc),
      defaultLeadCustomers: rule('default-lead-customers', staffBeyondKyc),
      auditLog: rule('audit-log', staffBeyondKyc),
      failedEmails: rule('failed-emails', staffBeyondKyc),
      securityEvents: rule('security-events', staffBeyondKyc),
      statementDifferences: rule('statement-differences', staffBeyondKyc),
      work: rule('work', hasRole('admin', 'finance', 'reviewer', 'support')),
      defaults: rule('defaults', hasRole('admin', 'finance', 'reviewer', 'support')),
      reviewOrders: rule('review-orders', staffBeyondKyc),
      providers: rule('providers', staffBeyondKyc),
      approvalRequests: rule('approvalRequests', staffBeyondKyc),
      users: rule('users', staffBeyondKyc),
      environments: rule('environments', allUsers),
      operators: rule('operators', allUsers),
      circles: rule('circles', allUsers),
      banks: rule('banks', allUsers),
      search: rule('search', hasRole('admin', 'finance', 'reviewer', 'support')),
      order: rule('order', readsMoney),
      orders: rule('orders', readsMoney),
      webhookEndpoints: rule('webhook-endpoints', readsKeys),
      webhookDeliveries: rule('webhook-deliveries', readsKeys),
    },
    Mutation: {
      signIn: rule('sign-in', isAnyone),
      startPasskeySignIn: rule('start-passkey-sign-in', isAnyone),
      startTotp: forEnrolment(withStepUp(rule('start-totp', allUsers))),
      confirmTotp: forEnrolment(rule('confirm-totp', allUsers)),
      startPasskey: forEnrolment(withStepUp(rule('start-passkey', allUsers))),
      confirmPasskey: forEnrolment(rule('confirm-passkey', allUsers)),
      confirmSecondFactor: rule('confirm-second-factor', allUsers),
      removeSecondFactor: withStepUp(rule('remove-second-factor', allUsers)),
      resetSecondFactors: withStepUp(rule('reset-second-factors', hasRole('admin', 'reviewer'))),
      revokeSession: rule('revoke-session', allUsers),
      signUp: rule('sign-up', isAnyone),
      verifyEmail: rule('verify-email', isAnyone),
      requestPasswordReset: rule('request-password-reset', isAnyone),
      resetPassword: rule('reset-password', isAnyone),
      acceptInvitation: rule('accept-invitation', isAnyone),
      confirmEmail: rule('confirm-email', isAnyone),
      changePassword: withStepUp(rule('change-password', allUsers)),
      revokeSessions: rule('revoke-sessions', allUsers),
      revokeUserSessions: rule('revoke-user-sessions', hasRole('admin', team('owner'))),
      saveKycDraft: rule('save-kyc-draft', hasRole(team('owner'))),
      deleteKycDocument: rule('delete-kyc-document', hasRole(team('owner'))),
      submitKyc: rule('submit-kyc', hasRole(team('owner'))),
      signOut: forEnrolment(rule('sign-out', allUsers)),
      createCredential: withStepUp(rule('create-credential', hasRole(team('owner', 'builder')))),
      revokeCredential: rule('revoke-credential', hasRole('admin', team('owner', 'builder'))),
      cancelCredential: rule('cancel-credential', hasRole(team('owner'))),
      rotateCredential: withStepUp(rule('rotate-credential', hasRole(team('owner', 'builder')))),
      createTestToken: rule('create-test-token', hasRole(team('owner', 'builder'))),
      approveDeveloper: withStepUpIf('fee', rule('approve-developer', hasRole('admin', 'reviewer'))),
      revealKycField: withStepUp(rule('reveal-kyc-field', hasRole('admin', 'reviewer'))),
      rejectDeveloper: rule('reject-developer', hasRole('admin', 'reviewer')),
      requestKycChanges: rule('request-kyc-changes', hasRole('admin', 'reviewer')),
      addNote: rule('add-note', staff),
      requestProduction: rule('request-production', hasRole(team('owner', 'builder'))),
      unlockProduction: withStepUp(rule('unlock-production', hasRole('admin'))),
      lockProduction: rule('lock-production', hasRole('admin')),
      suspendDeveloper: rule('suspend-developer', hasRole('admin')),
      reinstateDeveloper: withStepUp(rule('reinstate-developer', hasRole('admin'))),
      suspendCredential: rule('suspend-credential', hasRole('admin')),
      reinstateCredential: withStepUp(rule('reinstate-credential', hasRole('admin'))),
      updateProfile: withStepUpIf('email', rule('update-profile', allUsers)),
      inviteUser: withStepUp(rule('invite-user', hasRole('admin', team('owner')))),
      setUserRole: withStepUp(rule('set-user-role', hasRole('admin', team('owner')))),
      removeUser: withStepUp(rule('remove-user', hasRole('admin', team('owner')))),
      suspendUser: rule('suspend-user', hasRole('admin')),
      reinstateUser: withStepUp(rule('reinstate-user', hasRole('admin'))),
      setServiceAccess: withStepUpIf('fee', rule('set-service-access', hasRole('admin'))),
      setServiceAccessMany: withStepUpIf('fee', rule('set-service-access-many', hasRole('admin'))),
      setRateLimit: withStepUp(rule('set-rate-limit', hasRole('admin'))),
      resetRateLimit: withStepUp(rule('reset-rate-limit', hasRole('admin'))),
      setDuplicateGuard: rule('set-duplicate-guard', hasRole('admin', team('owner', 'builder'))),
      setSessionIdleLimit: withStepUp(rule('set-session-idle-limit', hasRole(team('owner')))),
      setTokenLifetime: rule('set-token-life', hasRole('admin')),
      resetTokenLifetime: rule('reset-token-life', hasRole('admin')),
      assignRechargeProvider: withStepUp(rule('assign-recharge-provider', hasRole('admin'))),
      setProviderAvailability: withStepUp(rule('set-provider-availability', hasRole('admin'))),
      pauseOrders: withStepUp(rule('pause-orders', hasRole('admin'))),
      resumeOrders: withStepUp(rule('resume-orders', hasRole('admin'))),
      createWhiteLabel: rule('create-white-label', hasRole('admin')),
      renameWhiteLabel: rule('rename-white-label', hasRole('admin')),
      disableWhiteLabel: rule('disable-white-label', hasRole('admin')),
      enableWhiteLabel: rule('enable-white-label', hasRole('admin')),
      moveToWhiteLabel: withStepUpIf('provider', rule('move-to-white-label', hasRole('admin'))),
      removeFromWhiteLabel: withStepUpIf('provider', rule('remove-from-white-label', hasRole('admin'))),
      creditWallet: withStepUp(money(rule('credit-wallet', hasRole('admin', 'finance')))),
      debitWallet: withStepUp(money(rule('debit-wallet', hasRole('admin', 'finance')))),
      approveApprovalRequest: withStepUp(money(rule('approve-approval-request', hasRole('admin', 'finance')))),
      rejectApprovalRequest: rule('reject-approval-request', hasRole('admin', 'finance')),
      setDefaultLeadCustomer: withStepUp(rule('set-default-lead-customer', hasRole('admin'))),
      resolveOrder: withStepUp(money(rule('resolve-order', hasRole('admin', 'finance')))),
      resolveOrders: withStepUp(money(rule('resolve-orders', hasRole('admin', 'finance')))),
      reverseOrder: withStepUp(money(rule('reverse-order', hasRole('admin', 'finance')))),
      reverseRefund: withStepUp(money(rule('charge-again', hasRole('admin', 'finance')))),
      checkOrderStatus: rule('ask-provider', hasRole('admin', 'finance')),
      checkOrderStatuses: rule('ask-providers', hasRole('admin', 'finance')),
      resendEmail: rule('resend-email', hasRole('admin')),
      resolveStatementDifference: rule('resolve-statement-difference', hasRole('admin', 'finance')),
      createWebhookEndpoint: withStepUp(rule('create-webhook-endpoint', hasRole('admin', team('owner', 'builder')))),
      updateWebhookEndpoint: rule('update-webhook-endpoint', hasRole('admin', team('owner', 'builder'))),
      rotateWebhookSecret: withStepUp(rule('rotate-webhook-secret', hasRole('admin', team('owner', 'builder')))),
      disableWebhookEndpoint: rule('disable-webhook-endpoint', hasRole('admin', team('owner', 'builder'))),
      enableWebhookEndpoint: rule('enable-webhook-endpoint', hasRole('admin', team('owner', 'builder'))),
      deleteWebhookEndpoint: rule('delete-webhook-endpoint', hasRole('admin', team('owner', 'builder'))),
      cancelWebhookEndpoint: rule('cancel-webhook-endpoint', hasRole(team('owner'))),
      redeliverWebhook: rule('redeliver-webhook', hasRole('admin', team('owner', 'builder'))),
      redeliverWebhooks: rule('redeliver-webhooks', hasRole('admin', team('owner', 'builder'))),
      sendTestEvent: rule('send-test-event', hasRole('admin', team('owner', 'builder'))),
    },
    Subscription: {
      orderChanged: rule('order-changed', readsMoney),
      workChanged: rule('work-changed', staff),
    },
    Viewer: {
      user: forEnrolment(unlimited('viewer/user')),
      // the field is null before the second factor is added
      developer: forEnrolment(nested('viewer/developer')),
      permissions: forEnrolment(unlimited('viewer/permissions')),
      allowance: nested('viewer/allowance'),
      sessions: forEnrolment(nested('viewer/sessions')),
    },
    User: {
      developer: nested('user/developer'),
      lastSignInAt: unlimited('user/last-sign-in'),
      mobile: unlimited('user/mobile'),
      secondFactors: forEnrolment(nested('user/second-factors')),
      sessions: nested('user/sessions', readsSessions),
    },
    Developer: {
      services: nested('developer/services'),
      lastRejectedCalls: unlimited('developer/last-rejected-calls'),
      wallets: nested('developer/wallets', readsMoney),
      credentials: nested('developer/credentials', readsKeys),
      orders: nested('developer/orders', readsMoney),
      mobile: nested('developer/mobile'),
      users: nested('developer/users'),
      approvedBy: unlimited('developer/approved-by'),
      audit: nested('developer/audit', staffBeyondKyc),
      activity: nested('developer/activity', readsMoney),
      // access is limited because it contains data of the person who owns the account
      kycSummary: nested('developer/kyc-summary', hasRole('admin', 'reviewer')),
      kycDraft: nested('developer/kyc-draft', hasRole(team('owner'))),
      goLive: nested('developer/go-live'),
      productionRequest: unlimited('developer/production-request'),
      notes: nested('developer/notes', staff),
      kyc: nested('developer/kyc', hasRole('admin', 'reviewer', team('owner'))),
    },
    Note: { author: unlimited('note/author') },
    ServiceAccess: {
      developer: nested('service-access/developer'),
      changedAt: unlimited('service-access/changed-at'),
      changedBy: unlimited('service-access/changed-by'),
      lastRejectedCalls: unlimited('service-access/last-rejected-calls'),
    },
    AuditEntry: {
      actor: unlimited('audit/actor'),
      requestedBy: unlimited('audit/requested-by'),
      subject: nested('audit/subject'),
      summary: unlimited('audit/summary'),
    },
    SecurityEvent: { user: unlimited('security-event/user') },
    StatementDifference: { resolvedBy: unlimited('statement-difference/resolved-by') },
    ApprovalRequest: {
      requestedBy: unlimited('approval-request/requested-by'),
      resolvedBy: unlimited('approval-request/resolved-by'),
      canApprove: unlimited('approval-request/can-approve'),
      resolution: unlimited('approval-request/resolution'),
      developer: nested('approval-request/developer'),
      user: nested('approval-request/user'),
      whiteLabel: nested('approval-request/white-label'),
      provider: unlimited('approval-request/provider'),
      order: nested('approval-request/order'),
      rejectionReason: nested('approval-request/rejection-reason'),
      walletEffect: nested('approval-request/wallet-effect'),
      earlierRequests: nested('approval-request/earlier-requests'),
      orders: nested('approval-request/orders'),
      correction: nested('approval-request/correction'),
    },
    ApprovalRequestConnection: { totalCount: nested('approval-requests/total-count') },
    ProviderHealth: { float: unlimited('providers/float'), floatAt: unlimited('providers/float-at') },
    DeveloperConnection: { totalCount: nested('developers/total-count') },
    Product: { details: nested('products/details') },
    ReviewOrder: { developer: nested('review-order/developer'), preview: nested('review-order/preview') },
    ReviewOrderConnection: {
      totals: nested('review-orders/totals'),
      totalCount: nested('review-orders/total-count'),
    },
    ...shared,
    WebhookDelivery: { ...shared.WebhookDelivery, developer: nested('webhook-delivery/developer') },
    Order: {
      ...shared.Order,
      developer: nested('order/developer'),
      deliveries: nested('order/deliveries', readsKeys),
      provider: nested('order/provider', staffBeyondKyc),
      actions: nested('order/actions', staffBeyondKyc),
      approvalRequest: nested('order/approval-request', staffBeyondKyc),
    },
  },
};

const { Query: roots, Developer: developerRows } = policies.console as Record<
  'Query' | 'Developer',
  PolicyTable[string]
>;
/**
 * Access to objects by ID in the console. It is allowed for users who can use the field that displays the object. Types that are
 * not listed cannot be read by ID. The module that reads the record checks its owner.
 */
export const consoleNodes: Readonly<Record<string, PolicyRow>> = {
  User: roots.viewer!,
  Session: roots.viewer!,
  ServiceAccess: roots.developer!,
  Developer: roots.developer!,
  Operator: roots.viewer!,
  Product: roots.viewer!,
  Credential: developerRows.credentials!,
  KycSubmission: developerRows.kyc!,
  KycDocument: developerRows.kyc!,
  Note: developerRows.notes!,
  Wallet: developerRows.wallets!,
  StatementEntry: developerRows.wallets!,
  Lead: developerRows.wallets!,
  Order: roots.order!,
  WebhookEndpoint: roots.webhookEndpoints!,
  WhiteLabel: roots.whiteLabels!,
  AuditEntry: developerRows.activity!,
  ApprovalRequest: roots.approvalRequests!,
};

/** Returns the policy row of a field. Inherited properties are excluded, because a field can be called `constructor`. */
export function policyOf(type: GraphQLObjectType | null | undefined, field: string): PolicyRow | undefined {
  const fields = type?.getFields() ?? {};
  return Object.hasOwn(fields, field) ? (fields[field]!.extensions.policy as PolicyRow | undefined) : undefined;
}
