/** Queries of two frontends: a recharge shop, and the account page in the console. */

const PURSE = 'fragment Purse on Wallet { id environment balance version held }';
const PAGE = 'fragment Page on PageInfo { hasNextPage hasPreviousPage startCursor endCursor }';
const PERSON = 'fragment Person on Actor { kind name user { id name suspendedAt } }';
const LINE = `fragment Line on Order {
  id status amount refunded accountNumber createdAt settledAt decline { reason message } operator { id name }
}`;

export const SHOP = `query {
  operators(type: MOBILE) { id name spKey available minAmount maxAmount }
  circles { code name }
  services { id service enabled fee }
  wallet { ...Purse }
} ${PURSE}`;

export const FIND = `query($input: OperatorFindInput!) {
  operatorFind(input: $input) {
    fee replayed clientRequestId operatorName circle { code name } operator { id name spKey mobileOpcode } wallet { ...Purse }
  }
} ${PURSE}`;

export const PLANS = `query($input: MobilePlansInput!) {
  mobilePlans(input: $input) {
    fee replayed operator { id name } groups { name plans { id price validity description } } wallet { ...Purse }
  }
} ${PURSE}`;

export const STATEMENT = `query {
  wallet {
    ...Purse
    statement(first: 5) {
      edges { cursor node { id at kind amount balanceAfter reference order { ...Line } } }
      pageInfo { ...Page }
    }
  }
} ${PURSE} ${LINE} ${PAGE}`;

export const HISTORY = `query {
  orders(first: 5) { edges { cursor node { ...Line wallet { ...Purse } } } pageInfo { ...Page } }
} ${LINE} ${PURSE} ${PAGE}`;

export const RECHARGE = `mutation($input: RechargeInput!) {
  recharge(input: $input) { replayed order { ...Line timeline { at kind detail } } wallet { ...Purse } }
} ${LINE} ${PURSE}`;

export const ORDER = `query($id: ID!, $waitMs: Int) {
  order(id: $id, waitMs: $waitMs) { ...Line timeline { at kind detail } }
} ${LINE}`;

export const DEVELOPERS = `query($search: String!) {
  developers(first: 5, sort: NAME_ASC, filter: { search: $search }) {
    edges { cursor node { id name onboardingStatus rechargeProvider whiteLabel { id name } } }
    pageInfo { ...Page }
    totalCount
  }
} ${PAGE}`;

export const DEVELOPER = `query($id: ID!) {
  developer(id: $id) {
    id name email onboardingStatus
    wallets { ...Purse }
    credentials { id clientId label revokedAt lastUsedAt }
    services { id service enabled fee }
    approvedBy { ...Person }
    users { id name suspendedAt }
    kyc { id legalName pan documents { id kind fileName } }
    orders(first: 5) { edges { cursor node { ...Line } } pageInfo { ...Page } }
  }
  webhookEndpoints(developerId: $id) { id url disabledAt disabledReason }
} ${PERSON} ${PURSE} ${LINE} ${PAGE}`;

export const AUDIT_LOG = `query($id: ID!) {
  auditLog(first: 20, filter: { subjectId: $id }) {
    edges { cursor node { id at actor { ...Person } action subject { id } changes { field before after } reason } }
    pageInfo { ...Page }
  }
} ${PERSON} ${PAGE}`;

export const CREDIT = `mutation($input: CreditWalletInput!) {
  creditWallet(input: $input) {
    outcome {
      ... on WalletUpdated { replayed entry { id at kind amount balanceAfter reference } wallet { ...Purse } }
      ... on ApprovalRequestCreated { replayed approvalRequest { id } }
    }
  }
} ${PURSE}`;

export const REVOKE = `mutation($input: RevokeCredentialInput!) {
  revokeCredential(input: $input) { credential { id clientId label revokedAt lastUsedAt } developer { id } }
}`;

export const DISABLE = `mutation($input: WebhookEndpointInput!) {
  disableWebhookEndpoint(input: $input) { endpoint { id disabledAt disabledReason } }
}`;

export const SUSPEND_USER = `mutation($input: SuspendUserInput!) {
  suspendUser(input: $input) { user { id suspendedAt } }
}`;
