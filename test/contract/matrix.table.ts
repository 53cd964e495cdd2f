import { NOBODY } from '../support/ids.js';

/**
 * How a principal fares with a field: served (S), refused for who it is (U: 401) or for what it may (F: 403), or the field does
 * not exist (-). One letter each for: anonymous, UAT token, production token, developer session, support session, admin session.
 */
export const principals = ['anonymous', 'uat', 'production', 'developer', 'support', 'admin'] as const;
export type PrincipalName = (typeof principals)[number];

export type Fates = readonly [uat: string, production: string, console: string];

/** The comments of schema-contract.graphql on who serves what, and the roles of the console, spelled out field by field. */
export const queries: Readonly<Record<string, Fates>> = {
  me: ['USUUUU', 'UUSUUU', '------'],
  wallet: ['USUUUU', 'UUSUUU', '------'],
  order: ['USUUUU', 'UUSUUU', '------'],
  operatorFind: ['USUUUU', 'UUSUUU', '------'],
  mobilePlans: ['USUUUU', 'UUSUUU', '------'],
  dthPlans: ['USUUUU', 'UUSUUU', '------'],
  dthInfo: ['USUUUU', 'UUSUUU', '------'],
  leadStatus: ['USUUUU', 'UUSUUU', '------'],
  productCategories: ['USUUUU', 'UUSUUU', '------'],
  products: ['USUUUU', 'UUSUUU', '------'],
  productDetails: ['USUUUU', 'UUSUUU', '------'],
  leadCompanies: ['USUUUU', 'UUSUUU', '------'],
  leadOccupations: ['USUUUU', 'UUSUUU', '------'],
  leadPincodes: ['USUUUU', 'UUSUUU', '------'],
  viewer: ['------', '------', 'UUUSSS'],
  developers: ['------', '------', 'UUUFSS'],
  developer: ['------', '------', 'UUUSSS'],
  whiteLabels: ['------', '------', 'UUUFSS'],
  auditTrail: ['------', '------', 'UUUFSS'],
  reviewOrders: ['------', '------', 'UUUFSS'],
  proposals: ['------', '------', 'UUUFSS'],
  users: ['------', '------', 'UUUFSS'],
  webhookEndpoints: ['------', '------', 'UUUSSS'],
  webhookDeliveries: ['------', '------', 'UUUSSS'],
};

export const mutations: Readonly<Record<string, Fates>> = {
  issueToken: ['SSSSSS', 'SSSSSS', '------'],
  recharge: ['USUUUU', 'UUSUUU', '------'],
  fetchCardBill: ['USUUUU', 'UUSUUU', '------'],
  payCardBill: ['USUUUU', 'UUSUUU', '------'],
  upsertProfile: ['USUUUU', 'UUSUUU', '------'],
  createLead: ['USUUUU', 'UUSUUU', '------'],
  signUp: ['------', '------', 'SSSSSS'],
  verifyEmail: ['------', '------', 'SSSSSS'],
  signIn: ['------', '------', 'SSSSSS'],
  signOut: ['------', '------', 'UUUSSS'],
  requestPasswordReset: ['------', '------', 'SSSSSS'],
  resetPassword: ['------', '------', 'SSSSSS'],
  changePassword: ['------', '------', 'UUUSSS'],
  endSessions: ['------', '------', 'UUUSSS'],
  uploadKycDocument: ['------', '------', 'UUUSFF'],
  submitKyc: ['------', '------', 'UUUSFF'],
  createCredential: ['------', '------', 'UUUSFF'],
  revokeCredential: ['------', '------', 'UUUSFS'],
  approveDeveloper: ['------', '------', 'UUUFFS'],
  rejectDeveloper: ['------', '------', 'UUUFFS'],
  unlockProduction: ['------', '------', 'UUUFFS'],
  lockProduction: ['------', '------', 'UUUFFS'],
  suspendDeveloper: ['------', '------', 'UUUFFS'],
  reinstateDeveloper: ['------', '------', 'UUUFFS'],
  suspendCredential: ['------', '------', 'UUUFFS'],
  reinstateCredential: ['------', '------', 'UUUFFS'],
  suspendUser: ['------', '------', 'UUUFFS'],
  reinstateUser: ['------', '------', 'UUUFFS'],
  setServiceAccess: ['------', '------', 'UUUFFS'],
  setRateLimit: ['------', '------', 'UUUFFS'],
  setTokenLife: ['------', '------', 'UUUFFS'],
  resetTokenLife: ['------', '------', 'UUUFFS'],
  assignRechargeProvider: ['------', '------', 'UUUFFS'],
  createWhiteLabel: ['------', '------', 'UUUFFS'],
  setWhiteLabel: ['------', '------', 'UUUFFS'],
  creditWallet: ['------', '------', 'UUUFFS'],
  debitWallet: ['------', '------', 'UUUFFS'],
  approveProposal: ['------', '------', 'UUUFFS'],
  refuseProposal: ['------', '------', 'UUUFFS'],
  setDefaultLeadCustomer: ['------', '------', 'UUUFFS'],
  resolveOrder: ['------', '------', 'UUUFFS'],
  resolveOrders: ['------', '------', 'UUUFFS'],
  reverseOrder: ['------', '------', 'UUUFFS'],
  chargeAgain: ['------', '------', 'UUUFFS'],
  askProvider: ['------', '------', 'UUUFFS'],
  createWebhookEndpoint: ['------', '------', 'UUUSFS'],
  rotateWebhookSecret: ['------', '------', 'UUUSFS'],
  disableWebhookEndpoint: ['------', '------', 'UUUSFS'],
  enableWebhookEndpoint: ['------', '------', 'UUUSFS'],
  deleteWebhookEndpoint: ['------', '------', 'UUUSFS'],
  redeliverWebhook: ['------', '------', 'UUUSFS'],
};

/** The flag without which a token gets 403: the Access column of section 4. */
export const serviceOf: Readonly<Record<string, string>> = {
  operatorFind: 'operator_fetch',
  mobilePlans: 'operator_plan_fetch',
  dthPlans: 'dth_plan_fetch',
  dthInfo: 'dth_info',
  leadStatus: 'lead_generation',
  productCategories: 'lead_generation',
  products: 'lead_generation',
  productDetails: 'lead_generation',
  leadCompanies: 'lead_generation',
  leadOccupations: 'lead_generation',
  leadPincodes: 'lead_generation',
  fetchCardBill: 'credit_card_fetch',
  upsertProfile: 'lead_generation',
  createLead: 'lead_generation',
};

/** One use of each field; input that is refused for its values still shows that the caller was let in. */
export const documents: Readonly<Record<string, string>> = {
  me: '{ me { id } }',
  wallet: '{ wallet { balance } }',
  order: '{ order(kind: RECHARGE, clientKey: "none") { id } }',
  operatorFind: '{ operatorFind(input: {mobile: "1", orderId: "m"}) { fee } }',
  mobilePlans: '{ mobilePlans(input: {mobile: "1", opcode: A, circle: "10", orderId: "m"}) { fee } }',
  dthPlans: '{ dthPlans(input: {dthNumber: "", opcode: ATV, orderId: "m"}) { fee } }',
  dthInfo: '{ dthInfo(input: {dthNumber: "", opcode: ATV, orderId: "m"}) { fee } }',
  leadStatus: '{ leadStatus(leadCode: "") { fee } }',
  productCategories: '{ productCategories { fee } }',
  products: '{ products(categoryId: 4) { fee } }',
  productDetails: '{ productDetails(input: {productId: ""}) { fee } }',
  leadCompanies: '{ leadCompanies(search: "infosys") { id } }',
  leadOccupations: '{ leadOccupations { id } }',
  leadPincodes: '{ leadPincodes(search: "110001") { id } }',
  viewer: '{ viewer { id } }',
  developers: '{ developers(first: 1) { totalCount } }',
  developer: `{ developer(id: "${NOBODY}") { id } }`,
  whiteLabels: '{ whiteLabels { id } }',
  auditTrail: '{ auditTrail(first: 1) { edges { cursor } } }',
  proposals: '{ proposals { edges { cursor } } }',
  users: '{ users { id } }',
  reviewOrders: '{ reviewOrders(first: 1) { edges { cursor } } }',
  webhookEndpoints: `{ webhookEndpoints(developerId: "${NOBODY}") { id } }`,
  webhookDeliveries: '{ webhookDeliveries(endpointId: "none", first: 1) { edges { cursor } } }',
  issueToken:
    'mutation { issueToken(input: {clientId: "$clientId", apiSecret: "$apiSecret", environment: $environment}) { tokenType } }',
  recharge:
    'mutation { recharge(input: {accountNumber: "1", amount: 0, operatorSpKey: 1, operatorType: MOBILE}) { status } }',
  fetchCardBill: 'mutation { fetchCardBill(input: {card: "", mobile: "1", opcode: "", orderId: "m"}) { fee } }',
  payCardBill:
    'mutation { payCardBill(input: {card: "", amount: 0, mobile: "1", opcode: "", orderId: "m", fetchId: ""}) { status } }',
  upsertProfile: 'mutation { upsertProfile(input: {firstName: ""}) { fee } }',
  createLead: 'mutation { createLead(input: {productId: ""}) { fee } }',
  signUp: 'mutation { signUp(input: {name: "", email: "", password: "", mobile: ""}) { accepted } }',
  verifyEmail: 'mutation { verifyEmail(input: {token: "none", password: ""}) { viewer { id } } }',
  signIn: 'mutation { signIn(input: {email: "nobody@test.example", password: "wrong"}) { token } }',
  signOut: 'mutation { signOut { signedOut } }',
  requestPasswordReset: 'mutation { requestPasswordReset(input: {email: ""}) { accepted } }',
  resetPassword: 'mutation { resetPassword(input: {token: "none", newPassword: ""}) { viewer { id } } }',
  changePassword: 'mutation { changePassword(input: {currentPassword: "wrong", newPassword: ""}) { endedSessions } }',
  endSessions: 'mutation { endSessions(input: {which: OTHERS}) { endedSessions } }',
  uploadKycDocument:
    'mutation { uploadKycDocument(input: {kind: "", fileName: "", contentType: "", contentBase64: ""}) }',
  submitKyc:
    'mutation { submitKyc(input: {legalName: "", pan: "", address: "", pincode: "", documentIds: []}) { id } }',
  createCredential: 'mutation { createCredential(environment: UAT, label: "") { clientId } }',
  revokeCredential: 'mutation { revokeCredential(clientId: "none") { id } }',
  approveDeveloper: `mutation { approveDeveloper(developerId: "${NOBODY}") { id } }`,
  rejectDeveloper: `mutation { rejectDeveloper(developerId: "${NOBODY}", reason: "r") { id } }`,
  lockProduction: `mutation { lockProduction(input: {developerId: "${NOBODY}", reason: "r"}) { developer { id } } }`,
  suspendDeveloper: `mutation { suspendDeveloper(input: {developerId: "${NOBODY}", reason: "r"}) { developer { id } } }`,
  reinstateDeveloper: `mutation { reinstateDeveloper(input: {developerId: "${NOBODY}"}) { developer { id } } }`,
  suspendCredential: 'mutation { suspendCredential(input: {clientId: "none", reason: "r"}) { developer { id } } }',
  reinstateCredential: 'mutation { reinstateCredential(input: {clientId: "none"}) { developer { id } } }',
  suspendUser: `mutation { suspendUser(input: {userId: "${NOBODY}", reason: "r"}) { user { id } } }`,
  reinstateUser: `mutation { reinstateUser(input: {userId: "${NOBODY}"}) { user { id } } }`,
  approveProposal: 'mutation { approveProposal(input: {proposalId: "none"}) { replayed } }',
  refuseProposal: 'mutation { refuseProposal(input: {proposalId: "none", reason: "r"}) { proposal { id } } }',
  unlockProduction: `mutation { unlockProduction(developerId: "${NOBODY}") { id } }`,
  setServiceAccess: `mutation { setServiceAccess(input: {developerId: "${NOBODY}", service: DTH_INFO, enabled: true}) { id } }`,
  setRateLimit: `mutation { setRateLimit(developerId: "${NOBODY}", perMinute: 1) { id } }`,
  setTokenLife: `mutation { setTokenLife(input: {developerId: "${NOBODY}", idleDays: 1, maxDays: 1}) { developer { id } } }`,
  resetTokenLife: `mutation { resetTokenLife(input: {developerId: "${NOBODY}"}) { developer { id } } }`,
  assignRechargeProvider: `mutation { assignRechargeProvider(input: {developerId: "${NOBODY}", provider: MOKSHIQ}) { developer { id } } }`,
  createWhiteLabel: 'mutation { createWhiteLabel(name: "", rechargeProvider: ROUNDPAY) { id } }',
  setWhiteLabel: `mutation { setWhiteLabel(developerId: "${NOBODY}") { id } }`,
  creditWallet: `mutation { creditWallet(input: {developerId: "${NOBODY}", environment: UAT, amount: 1, reference: "m"}) { replayed } }`,
  setDefaultLeadCustomer: 'mutation { setDefaultLeadCustomer(environment: UAT, customerId: "") }',
  debitWallet: `mutation { debitWallet(input: {developerId: "${NOBODY}", environment: UAT, amount: 1, reference: "m", reason: "r"}) { replayed } }`,
  resolveOrder: 'mutation { resolveOrder(input: {orderId: "none", outcome: FAILED, reason: "r"}) { replayed } }',
  resolveOrders: 'mutation { resolveOrders(input: {orderIds: ["none"], outcome: FAILED, reason: "r"}) { replayed } }',
  reverseOrder: 'mutation { reverseOrder(input: {orderId: "none", reason: "r"}) { replayed } }',
  chargeAgain: 'mutation { chargeAgain(input: {orderId: "none", reason: "r"}) { replayed } }',
  askProvider: 'mutation { askProvider(input: {orderId: "none"}) { order { id } } }',
  createWebhookEndpoint: 'mutation { createWebhookEndpoint(environment: UAT, url: "none") { id } }',
  rotateWebhookSecret: 'mutation { rotateWebhookSecret(id: "none") { id } }',
  disableWebhookEndpoint: 'mutation { disableWebhookEndpoint(id: "none") { id } }',
  enableWebhookEndpoint: 'mutation { enableWebhookEndpoint(id: "none") { id } }',
  deleteWebhookEndpoint: 'mutation { deleteWebhookEndpoint(id: "none") }',
  redeliverWebhook: 'mutation { redeliverWebhook(deliveryId: "none") { id } }',
};

/** Of the ids that the documents above leave out, a use each. */
export const idDocuments: Readonly<Record<string, string>> = {
  'reviewOrders developerId': '{ reviewOrders(first: 1, filter: {developerId: "none"}) { edges { cursor } } }',
  'users developerId': '{ users(developerId: "none") { id } }',
  'assignRechargeProvider whiteLabelId':
    'mutation { assignRechargeProvider(input: {whiteLabelId: "none", provider: MOKSHIQ}) { whiteLabel { id } } }',
  'setWhiteLabel whiteLabelId': `mutation { setWhiteLabel(developerId: "${NOBODY}", whiteLabelId: "none") { id } }`,
  'resolveOrders orderIds':
    'mutation { resolveOrders(input: {orderIds: ["none"], outcome: FAILED, reason: "r"}) { results { code } } }',
  'createWebhookEndpoint developerId':
    'mutation { createWebhookEndpoint(environment: UAT, url: "https://example.com/", developerId: "none") { id } }',
};

/** Nested fields that call something with a flag of its own: the document needs every flag in the list. */
export const nestedCalls: readonly { document: string; services: readonly string[] }[] = [
  {
    document: '{ operatorFind(input: {mobile: "9876543210", orderId: "n"}) { plans { fee } } }',
    services: ['operator_fetch', 'operator_plan_fetch'],
  },
  {
    document: '{ productCategories { categories { products { title } } } }',
    services: ['lead_generation'],
  },
];

/** The REST rows of section 4 with their Access column; an empty body shows that the caller was let in. */
export const restRows: readonly [method: 'GET' | 'POST', path: string, service: string | undefined][] = [
  ['POST', '/api/v1/auth/client-credentials', undefined],
  ['GET', '/api/v1/auth/me', undefined],
  ['POST', '/api/v1/recharge', undefined],
  ['POST', '/api/v1/bill-payment/credit-card/bill-fetch', 'credit_card_fetch'],
  ['POST', '/api/v1/bill-payment/credit-card/bill-pay', undefined],
  ['POST', '/api/v1/plan/operator-fetch', 'operator_fetch'],
  ['POST', '/api/v1/plan/operator-plan-fetch', 'operator_plan_fetch'],
  ['POST', '/api/v1/plan/dth-plan-fetch', 'dth_plan_fetch'],
  ['POST', '/api/v1/plan/dth-info', 'dth_info'],
  ['POST', '/api/v1/leads/profile', 'lead_generation'],
  ['POST', '/api/v1/leads', 'lead_generation'],
  ['GET', '/api/v1/leads/status', 'lead_generation'],
  ['POST', '/api/v1/products/details', 'lead_generation'],
  ['GET', '/api/v1/products', 'lead_generation'],
  ['GET', '/api/v1/products/categories', 'lead_generation'],
];
