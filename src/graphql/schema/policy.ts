import type { GraphQLObjectType } from 'graphql';
import { type RequestContext, serviceRefusal, standingRefusal } from '../../core/context.js';
import type { Surface } from '../../core/environment.js';
import { AppError, type ErrorCode } from '../../core/errors.js';
import {
  type ClientGrant,
  type ClientScope,
  type Role,
  type SessionPrincipal,
  STEP_UP_MS,
} from '../../core/principal.js';
import type { Service } from '../../core/services.js';

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
  access: Access;
  /** What the rate limit counts: REST and GraphQL calls of one endpoint share it. */
  endpoint: string;
  /** Pages of other sites may not even try: what they make browsers send would count against everybody at the browser's address. */
  pages?: 'own';
  /** On the host of this environment alone: the other one, whose schema is the same, refuses it. */
  only?: 'uat';
  /** Open to a session whose user has to add a second factor first. */
  enrolment?: true;
  /** Needs a second factor that was shown within the last minutes, of everybody who has one. */
  stepUp?: true;
  /** Moves money: at most one per operation. */
  money?: true;
  /** Its call has a fee, where an admin has set one. */
  fee?: true;
  /**
   * What a use costs of the limit, where it is not the usual: a root field counts every use, a nested one counts once per
   * selection, because a list would spend the limit at once. `each_use`: a nested call that has a fee. `never`: a part of its
   * parent, which is never refused by itself.
   */
  counts?: 'each_use' | 'never';
  /** The scope with which a client token may use it, or several, one of which is enough; `any` with every one, and without it none may. */
  client?: ClientScope | readonly ClientScope[] | 'any';
}

export type PolicyTable = Readonly<Record<string, Readonly<Record<string, PolicyRow>>>>;

/** Rules by name, put together as graphql-shield's are. `forbidden` judges them, and shield's rule of each field asks it. */
export const isAnyone: Access = { kind: 'public' };
/** Has an API token. */
export const isAuthenticated: Access & { kind: 'token' } = { kind: 'token' };
export const hasRole = (...roles: Role[]): Access => ({ kind: 'session', roles });
const mayReadParent: Access = { kind: 'parent' };
export const hasService = (service: Service): { service: Service } => ({ service });
export const and = (access: Access & { kind: 'token' }, condition: { service: Service }): Access => ({
  ...access,
  ...condition,
});

const rule = (endpoint: string, access: Access): PolicyRow => ({ access, endpoint });
const nested = (endpoint: string): PolicyRow => rule(endpoint, mayReadParent);
/** What costs nothing beside its parent. */
const unlimited = (endpoint: string): PolicyRow => ({ ...nested(endpoint), counts: 'never' });
const charged: PolicyTable[string] = { wallet: unlimited('charged/wallet') };
/** A nested call that is charged like the endpoint it stands for, whose limit and flag it shares. */
const eachUse = (row: PolicyRow): PolicyRow => ({ ...row, counts: 'each_use' });
const withFee = (row: PolicyRow): PolicyRow => ({ ...row, fee: true });
const money = (row: PolicyRow): PolicyRow => ({ ...row, money: true });
/** A tool of the sandbox. */
const inUat = (row: PolicyRow): PolicyRow => ({ ...row, only: 'uat' });
/** What somebody needs who must add a second factor. */
const enrolment = (row: PolicyRow): PolicyRow => ({ ...row, enrolment: true });
const stepUp = (row: PolicyRow): PolicyRow => ({ ...row, stepUp: true });
const forOwnPages = (row: PolicyRow): PolicyRow => ({ ...row, pages: 'own' });
const forClients = (client: PolicyRow['client'], row: PolicyRow): PolicyRow => ({ ...row, client });

/** Of types that both schemas have. */
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
    wallet: unlimited('order/wallet'),
  },
  Lead: { product: nested('lead/product') },
  StatementEntry: { order: nested('statement/order'), lead: nested('statement/lead') },
  WebhookDelivery: { order: nested('webhook-delivery/order'), body: nested('webhook-delivery/body') },
  WebhookEndpoint: { health: nested('webhook-endpoint/health') },
  Wallet: { held: unlimited('wallet/held'), statement: nested('wallet/statement'), days: nested('wallet/days') },
};

/**
 * The one table of each schema: every field that has a resolver, who may use it, and what its limit counts. Building the schema
 * fails when a field has no row or a row no field, so access is closed unless it stands here.
 */
export const policies: Readonly<Record<Surface, PolicyTable>> = {
  api: {
    Query: {
      // which ones: see NodeResolver
      node: forClients(['order', 'lookups', 'products'], rule('node', isAuthenticated)),
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
      sendTestEvent: rule('send-test-event', isAuthenticated),
      setSandboxScenario: inUat(rule('sandbox/scenario', isAuthenticated)),
      refillSandboxWallet: money(inUat(rule('sandbox/refill', isAuthenticated))),
    },
    Subscription: {
      orderChanged: forClients('order', rule('order-changed', isAuthenticated)),
      ordersChanged: rule('orders-changed', isAuthenticated),
    },
    ClientToken: { order: nested('client-token/order') },
    OperatorFindResult: {
      ...charged,
      plans: forClients(
        'lookups',
        withFee(eachUse(rule('plan/operator-plan-fetch', and(isAuthenticated, hasService('operator_plan_fetch'))))),
      ),
    },
    PlansResult: { ...charged, groups: forClients('lookups', unlimited('plan/groups')) },
    DthInfoResult: charged,
    FetchCardBillPayload: charged,
    UpsertProfilePayload: charged,
    CreateLeadPayload: charged,
    LeadStatusResult: charged,
    ProductCategoriesResult: charged,
    ProductsResult: charged,
    ProductDetailsResult: charged,
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
      node: rule('node', hasRole('admin', 'support', 'developer')),
      viewer: enrolment(rule('viewer', hasRole('admin', 'support', 'developer'))),
      developers: rule('developers', hasRole('admin', 'support')),
      developer: rule('developer', hasRole('admin', 'support', 'developer')),
      whiteLabels: rule('white-labels', hasRole('admin', 'support')),
      auditTrail: rule('audit-trail', hasRole('admin', 'support')),
      reviewOrders: rule('review-orders', hasRole('admin', 'support')),
      proposals: rule('proposals', hasRole('admin', 'support')),
      users: rule('users', hasRole('admin', 'support')),
      environments: rule('environments', hasRole('admin', 'support', 'developer')),
      order: rule('order', hasRole('admin', 'support', 'developer')),
      orders: rule('orders', hasRole('admin', 'support', 'developer')),
      webhookEndpoints: rule('webhook-endpoints', hasRole('admin', 'support', 'developer')),
      webhookDeliveries: rule('webhook-deliveries', hasRole('admin', 'support', 'developer')),
    },
    Mutation: {
      signIn: rule('sign-in', isAnyone),
      startPasskeySignIn: rule('start-passkey-sign-in', isAnyone),
      startTotp: enrolment(stepUp(rule('start-totp', hasRole('admin', 'support', 'developer')))),
      confirmTotp: enrolment(rule('confirm-totp', hasRole('admin', 'support', 'developer'))),
      startPasskey: enrolment(stepUp(rule('start-passkey', hasRole('admin', 'support', 'developer')))),
      confirmPasskey: enrolment(rule('confirm-passkey', hasRole('admin', 'support', 'developer'))),
      confirmSecondFactor: rule('confirm-second-factor', hasRole('admin', 'support', 'developer')),
      removeSecondFactor: stepUp(rule('remove-second-factor', hasRole('admin', 'support', 'developer'))),
      resetSecondFactors: stepUp(rule('reset-second-factors', hasRole('admin'))),
      endSession: rule('end-session', hasRole('admin', 'support', 'developer')),
      signUp: rule('sign-up', isAnyone),
      verifyEmail: rule('verify-email', isAnyone),
      requestPasswordReset: rule('request-password-reset', isAnyone),
      resetPassword: rule('reset-password', isAnyone),
      changePassword: rule('change-password', hasRole('admin', 'support', 'developer')),
      endSessions: rule('end-sessions', hasRole('admin', 'support', 'developer')),
      submitKyc: rule('submit-kyc', hasRole('developer')),
      signOut: enrolment(rule('sign-out', hasRole('admin', 'support', 'developer'))),
      createCredential: rule('create-credential', hasRole('developer')),
      revokeCredential: rule('revoke-credential', hasRole('admin', 'developer')),
      rotateCredential: rule('rotate-credential', hasRole('developer')),
      approveDeveloper: rule('approve-developer', hasRole('admin')),
      rejectDeveloper: rule('reject-developer', hasRole('admin')),
      unlockProduction: stepUp(rule('unlock-production', hasRole('admin'))),
      lockProduction: rule('lock-production', hasRole('admin')),
      suspendDeveloper: rule('suspend-developer', hasRole('admin')),
      reinstateDeveloper: rule('reinstate-developer', hasRole('admin')),
      suspendCredential: rule('suspend-credential', hasRole('admin')),
      reinstateCredential: rule('reinstate-credential', hasRole('admin')),
      suspendUser: rule('suspend-user', hasRole('admin')),
      reinstateUser: rule('reinstate-user', hasRole('admin')),
      setServiceAccess: rule('set-service-access', hasRole('admin')),
      setRateLimit: rule('set-rate-limit', hasRole('admin')),
      resetRateLimit: rule('reset-rate-limit', hasRole('admin')),
      setDuplicateGuard: rule('set-duplicate-guard', hasRole('admin', 'developer')),
      setTokenLife: rule('set-token-life', hasRole('admin')),
      resetTokenLife: rule('reset-token-life', hasRole('admin')),
      assignRechargeProvider: rule('assign-recharge-provider', hasRole('admin')),
      createWhiteLabel: rule('create-white-label', hasRole('admin')),
      moveToWhiteLabel: rule('move-to-white-label', hasRole('admin')),
      removeFromWhiteLabel: rule('remove-from-white-label', hasRole('admin')),
      creditWallet: stepUp(money(rule('credit-wallet', hasRole('admin')))),
      debitWallet: stepUp(money(rule('debit-wallet', hasRole('admin')))),
      approveProposal: stepUp(money(rule('approve-proposal', hasRole('admin')))),
      refuseProposal: rule('refuse-proposal', hasRole('admin')),
      setDefaultLeadCustomer: rule('set-default-lead-customer', hasRole('admin')),
      resolveOrder: stepUp(money(rule('resolve-order', hasRole('admin')))),
      resolveOrders: stepUp(money(rule('resolve-orders', hasRole('admin')))),
      reverseOrder: stepUp(money(rule('reverse-order', hasRole('admin')))),
      chargeAgain: stepUp(money(rule('charge-again', hasRole('admin')))),
      askProvider: rule('ask-provider', hasRole('admin')),
      createWebhookEndpoint: rule('create-webhook-endpoint', hasRole('admin', 'developer')),
      updateWebhookEndpoint: rule('update-webhook-endpoint', hasRole('admin', 'developer')),
      rotateWebhookSecret: rule('rotate-webhook-secret', hasRole('admin', 'developer')),
      disableWebhookEndpoint: rule('disable-webhook-endpoint', hasRole('admin', 'developer')),
      enableWebhookEndpoint: rule('enable-webhook-endpoint', hasRole('admin', 'developer')),
      deleteWebhookEndpoint: rule('delete-webhook-endpoint', hasRole('admin', 'developer')),
      redeliverWebhook: rule('redeliver-webhook', hasRole('admin', 'developer')),
      sendTestEvent: rule('send-test-event', hasRole('admin', 'developer')),
    },
    Subscription: { orderChanged: rule('order-changed', hasRole('admin', 'support', 'developer')) },
    Viewer: {
      user: enrolment(unlimited('viewer/user')),
      developer: nested('viewer/developer'),
      sessions: nested('viewer/sessions'),
    },
    User: { developer: nested('user/developer'), secondFactors: enrolment(nested('user/second-factors')) },
    Developer: {
      services: nested('developer/services'),
      wallets: nested('developer/wallets'),
      credentials: nested('developer/credentials'),
      orders: nested('developer/orders'),
      mobile: nested('developer/mobile'),
      users: nested('developer/users'),
      approvedBy: unlimited('developer/approved-by'),
      audit: rule('developer/audit', hasRole('admin', 'support')),
      kyc: rule('developer/kyc', hasRole('admin', 'developer')),
    },
    AuditEntry: { actor: unlimited('audit/actor'), subject: nested('audit/subject') },
    Proposal: {
      author: unlimited('proposal/author'),
      decidedBy: unlimited('proposal/decided-by'),
      mayApprove: unlimited('proposal/may-approve'),
      resolution: unlimited('proposal/resolution'),
      developer: nested('proposal/developer'),
      order: nested('proposal/order'),
      orders: nested('proposal/orders'),
    },
    ProposalConnection: { totalCount: nested('proposals/total-count') },
    DeveloperConnection: { totalCount: nested('developers/total-count') },
    Product: { details: nested('products/details') },
    ReviewOrderConnection: { totals: nested('review-orders/totals') },
    ...shared,
    Order: {
      ...shared.Order,
      developer: nested('order/developer'),
      provider: rule('order/provider', hasRole('admin', 'support')),
      actions: rule('order/actions', hasRole('admin', 'support')),
    },
  },
};

/**
 * The refusal of somebody who is not signed in, or of a page that may not try to; undefined when the row is public or there is a
 * principal.
 */
export function unauthenticated(row: PolicyRow, context: RequestContext): AppError | undefined {
  switch (row.access.kind) {
    case 'public':
      return row.pages === 'own' && context.foreignPage ? new AppError('FOREIGN_PAGE') : undefined;
    // who signs in sees the viewer of the session, but has none yet: the parent's own row has decided
    case 'parent':
      return undefined;
    case 'token':
      return context.principal?.kind === 'developer' ? undefined : (context.refusal ?? new AppError('UNAUTHENTICATED'));
    case 'session':
      return context.principal?.kind === 'session' ? undefined : (context.refusal ?? new AppError('UNAUTHENTICATED'));
  }
}

export const NOT_FOR_CLIENTS = 'A client token of these scopes does not reach this: a server asks with its own token.';

const uatOnly = ({ urls }: RequestContext): AppError =>
  new AppError('UAT_ONLY', urls && { message: `This is there on the UAT host alone, ${urls.uat}.` });

const isOpenTo = ({ scopes }: ClientGrant, { client }: PolicyRow): boolean =>
  client === 'any' || (client !== undefined && [client].flat().some((scope) => scopes.has(scope)));

/** The refusal of somebody who may not use the field; undefined when they may. */
export function forbidden(row: PolicyRow, context: RequestContext): AppError | undefined {
  const refusal = unauthenticated(row, context);
  if (refusal) return refusal;
  const { access } = row;
  const { principal } = context;
  if (principal?.kind === 'developer' && access.kind !== 'public') {
    const standing = standingRefusal(principal);
    if (standing) return standing;
    if (row.only === 'uat' && principal.environment !== 'uat') return uatOnly(context);
    if (principal.client && !isOpenTo(principal.client, row))
      return new AppError('FORBIDDEN', { message: NOT_FOR_CLIENTS });
    const disabled = access.kind === 'token' && access.service && serviceRefusal(principal, access.service);
    if (disabled) return disabled;
  }
  return principal?.kind === 'session' && access.kind !== 'public' ? sessionRefusal(row, principal) : undefined;
}

function sessionRefusal({ access, enrolment, stepUp }: PolicyRow, principal: SessionPrincipal): AppError | undefined {
  if (principal.mustEnrol && !enrolment) return new AppError('SECOND_FACTOR_MISSING');
  if (access.kind === 'session' && !access.roles.includes(principal.role)) return new AppError('FORBIDDEN');
  const { confirmedAt } = principal;
  if (stepUp && confirmedAt && Date.now() - confirmedAt.getTime() > STEP_UP_MS) return new AppError('STEP_UP_NEEDED');
  return undefined;
}

/** The codes of `unauthenticated` and `forbidden`, whatever the principal: what the documents say of a field. */
export function accessCodes({ access, only, pages, enrolment, stepUp }: PolicyRow): ErrorCode[] {
  switch (access.kind) {
    case 'public':
      return pages === 'own' ? ['FOREIGN_PAGE'] : [];
    case 'parent':
      return [];
    case 'token': {
      const codes = [
        'UNAUTHENTICATED',
        'WRONG_HOST',
        'SUSPENDED',
        'ONBOARDING_INCOMPLETE',
        'PRODUCTION_LOCKED',
      ] as const;
      return [
        ...codes,
        'FORBIDDEN',
        ...(access.service ? (['ACCESS_DISABLED'] as const) : []),
        ...(only === 'uat' ? (['UAT_ONLY'] as const) : []),
      ];
    }
    case 'session':
      return [
        'UNAUTHENTICATED',
        'WRONG_HOST',
        ...(enrolment ? [] : (['SECOND_FACTOR_MISSING'] as const)),
        'FORBIDDEN',
        ...(stepUp ? (['STEP_UP_NEEDED'] as const) : []),
      ];
  }
}

/** The policy of a field; a field may be called `constructor`. */
export function policyOf(type: GraphQLObjectType | null | undefined, field: string): PolicyRow | undefined {
  const fields = type?.getFields() ?? {};
  return Object.hasOwn(fields, field) ? (fields[field]!.extensions.policy as PolicyRow | undefined) : undefined;
}
