import type { GraphQLObjectType } from 'graphql';
import { type RequestContext, serviceRefusal, standingRefusal } from '../../core/context.js';
import type { Surface } from '../../core/environment.js';
import { AppError, type ErrorCode } from '../../core/errors.js';
import type { ClientGrant, ClientScope, Role } from '../../core/principal.js';
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

const anyone = (endpoint: string): PolicyRow => ({ access: { kind: 'public' }, endpoint });
const token = (endpoint: string, service?: Service): PolicyRow => ({
  access: { kind: 'token', ...(service ? { service } : {}) },
  endpoint,
});
const session = (endpoint: string, ...roles: Role[]): PolicyRow => ({ access: { kind: 'session', roles }, endpoint });
const nested = (endpoint: string): PolicyRow => ({ access: { kind: 'parent' }, endpoint });
/** What costs nothing beside its parent. */
const unlimited = (endpoint: string): PolicyRow => ({ ...nested(endpoint), counts: 'never' });
const charged: PolicyTable[string] = { wallet: unlimited('charged/wallet') };
/** A nested call that is charged like the endpoint it stands for, whose limit and flag it shares. */
const nestedCall = (endpoint: string, service: Service): PolicyRow => ({
  ...token(endpoint, service),
  counts: 'each_use',
});
const withFee = (row: PolicyRow): PolicyRow => ({ ...row, fee: true });
const money = (row: PolicyRow): PolicyRow => ({ ...row, money: true });
/** A tool of the sandbox. */
const inUat = (row: PolicyRow): PolicyRow => ({ ...row, only: 'uat' });
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
      node: forClients(['order', 'lookups', 'products'], token('node')),
      me: token('auth/me'),
      order: forClients('order', token('order')),
      ordersByKey: token('orders-by-key'),
      orders: token('orders'),
      wallet: token('wallet'),
      services: forClients('lookups', token('services')),
      clientTokens: token('client-tokens'),
      operators: forClients('lookups', token('operators')),
      circles: forClients('lookups', token('circles')),
      banks: forClients('lookups', token('banks')),
      operatorFind: forClients('lookups', withFee(token('plan/operator-fetch', 'operator_fetch'))),
      mobilePlans: forClients('lookups', withFee(token('plan/operator-plan-fetch', 'operator_plan_fetch'))),
      dthPlans: forClients('lookups', withFee(token('plan/dth-plan-fetch', 'dth_plan_fetch'))),
      dthInfo: forClients('lookups', withFee(token('plan/dth-info', 'dth_info'))),
      leads: token('leads-list', 'lead_generation'),
      leadStatus: withFee(token('leads/status', 'lead_generation')),
      leadCompanies: token('leads/companies', 'lead_generation'),
      leadOccupations: token('leads/occupations', 'lead_generation'),
      leadPincodes: token('leads/pincodes', 'lead_generation'),
      productCategories: forClients('products', token('products/categories', 'lead_generation')),
      products: forClients('products', token('products', 'lead_generation')),
      productDetails: forClients('products', token('products/details', 'lead_generation')),
      webhookEndpoints: token('webhook-endpoints'),
      webhookDeliveries: token('webhook-deliveries'),
    },
    Mutation: {
      issueToken: forOwnPages(anyone('auth/client-credentials')),
      createClientToken: token('create-client-token'),
      revokeClientToken: token('revoke-client-token'),
      recharge: money(token('recharge')),
      fetchCardBill: withFee(token('bill-payment/credit-card/bill-fetch', 'credit_card_fetch')),
      payCardBill: money(token('bill-payment/credit-card/bill-pay')),
      upsertProfile: token('leads/profile', 'lead_generation'),
      createLead: token('leads', 'lead_generation'),
      createWebhookEndpoint: token('create-webhook-endpoint'),
      updateWebhookEndpoint: token('update-webhook-endpoint'),
      rotateWebhookSecret: token('rotate-webhook-secret'),
      disableWebhookEndpoint: token('disable-webhook-endpoint'),
      enableWebhookEndpoint: token('enable-webhook-endpoint'),
      deleteWebhookEndpoint: token('delete-webhook-endpoint'),
      redeliverWebhook: token('redeliver-webhook'),
      sendTestEvent: token('send-test-event'),
      setSandboxScenario: inUat(token('sandbox/scenario')),
      refillSandboxWallet: money(inUat(token('sandbox/refill'))),
    },
    Subscription: {
      orderChanged: forClients('order', token('order-changed')),
      ordersChanged: token('orders-changed'),
    },
    ClientToken: { order: nested('client-token/order') },
    OperatorFindResult: {
      ...charged,
      plans: forClients('lookups', withFee(nestedCall('plan/operator-plan-fetch', 'operator_plan_fetch'))),
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
    ProductCategory: { products: forClients('products', token('products', 'lead_generation')) },
    Product: { details: forClients('products', token('products/details', 'lead_generation')) },
    ...shared,
  },
  console: {
    Query: {
      node: session('node', 'admin', 'support', 'developer'),
      viewer: session('viewer', 'admin', 'support', 'developer'),
      developers: session('developers', 'admin', 'support'),
      developer: session('developer', 'admin', 'support', 'developer'),
      whiteLabels: session('white-labels', 'admin', 'support'),
      auditTrail: session('audit-trail', 'admin', 'support'),
      reviewOrders: session('review-orders', 'admin', 'support'),
      proposals: session('proposals', 'admin', 'support'),
      users: session('users', 'admin', 'support'),
      order: session('order', 'admin', 'support', 'developer'),
      orders: session('orders', 'admin', 'support', 'developer'),
      webhookEndpoints: session('webhook-endpoints', 'admin', 'support', 'developer'),
      webhookDeliveries: session('webhook-deliveries', 'admin', 'support', 'developer'),
    },
    Mutation: {
      signIn: anyone('sign-in'),
      signUp: anyone('sign-up'),
      verifyEmail: anyone('verify-email'),
      requestPasswordReset: anyone('request-password-reset'),
      resetPassword: anyone('reset-password'),
      changePassword: session('change-password', 'admin', 'support', 'developer'),
      endSessions: session('end-sessions', 'admin', 'support', 'developer'),
      submitKyc: session('submit-kyc', 'developer'),
      signOut: session('sign-out', 'admin', 'support', 'developer'),
      createCredential: session('create-credential', 'developer'),
      revokeCredential: session('revoke-credential', 'admin', 'developer'),
      rotateCredential: session('rotate-credential', 'developer'),
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
      resetRateLimit: session('reset-rate-limit', 'admin'),
      setDuplicateGuard: session('set-duplicate-guard', 'admin', 'developer'),
      setTokenLife: session('set-token-life', 'admin'),
      resetTokenLife: session('reset-token-life', 'admin'),
      assignRechargeProvider: session('assign-recharge-provider', 'admin'),
      createWhiteLabel: session('create-white-label', 'admin'),
      moveToWhiteLabel: session('move-to-white-label', 'admin'),
      removeFromWhiteLabel: session('remove-from-white-label', 'admin'),
      creditWallet: money(session('credit-wallet', 'admin')),
      debitWallet: money(session('debit-wallet', 'admin')),
      approveProposal: money(session('approve-proposal', 'admin')),
      refuseProposal: session('refuse-proposal', 'admin'),
      setDefaultLeadCustomer: session('set-default-lead-customer', 'admin'),
      resolveOrder: money(session('resolve-order', 'admin')),
      resolveOrders: money(session('resolve-orders', 'admin')),
      reverseOrder: money(session('reverse-order', 'admin')),
      chargeAgain: money(session('charge-again', 'admin')),
      askProvider: session('ask-provider', 'admin'),
      createWebhookEndpoint: session('create-webhook-endpoint', 'admin', 'developer'),
      updateWebhookEndpoint: session('update-webhook-endpoint', 'admin', 'developer'),
      rotateWebhookSecret: session('rotate-webhook-secret', 'admin', 'developer'),
      disableWebhookEndpoint: session('disable-webhook-endpoint', 'admin', 'developer'),
      enableWebhookEndpoint: session('enable-webhook-endpoint', 'admin', 'developer'),
      deleteWebhookEndpoint: session('delete-webhook-endpoint', 'admin', 'developer'),
      redeliverWebhook: session('redeliver-webhook', 'admin', 'developer'),
      sendTestEvent: session('send-test-event', 'admin', 'developer'),
    },
    Subscription: { orderChanged: session('order-changed', 'admin', 'support', 'developer') },
    Viewer: { user: unlimited('viewer/user'), developer: nested('viewer/developer') },
    User: { developer: nested('user/developer') },
    Developer: {
      services: nested('developer/services'),
      wallets: nested('developer/wallets'),
      credentials: nested('developer/credentials'),
      orders: nested('developer/orders'),
      mobile: nested('developer/mobile'),
      users: nested('developer/users'),
      approvedBy: unlimited('developer/approved-by'),
      audit: session('developer/audit', 'admin', 'support'),
      kyc: session('developer/kyc', 'admin', 'developer'),
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
      provider: session('order/provider', 'admin', 'support'),
      actions: session('order/actions', 'admin', 'support'),
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
  if (access.kind === 'session' && principal?.kind === 'session' && !access.roles.includes(principal.role))
    return new AppError('FORBIDDEN');
  return undefined;
}

/** The codes of `unauthenticated` and `forbidden`, whatever the principal: what the documents say of a field. */
export function accessCodes({ access, only, pages }: PolicyRow): ErrorCode[] {
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
      return ['UNAUTHENTICATED', 'WRONG_HOST', 'FORBIDDEN'];
  }
}

/** The policy of a field; a field may be called `constructor`. */
export function policyOf(type: GraphQLObjectType | null | undefined, field: string): PolicyRow | undefined {
  const fields = type?.getFields() ?? {};
  return Object.hasOwn(fields, field) ? (fields[field]!.extensions.policy as PolicyRow | undefined) : undefined;
}
