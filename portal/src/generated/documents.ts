/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
/** What somebody joins with who can open the mailed link. */
export type AcceptInvitationInput = {
  /** Display name; left out, it is the one of the invitation. */
  name?: string | null | undefined;
  /** At least 12, at most 200 characters. */
  password: string;
  /** From the mailed link; good for 72 hours, once. */
  token: string;
};

/** An account whose KYC is submitted. */
export type ApproveDeveloperInput = {
  /** Id of the developer. */
  developerId: string;
  /** What is enabled in the same act, each service once. The others stay off in both environments. */
  services?: Array<ServiceGrantInput> | null | undefined;
};

/** A new password for the signed-in user. */
export type ChangePasswordInput = {
  /** The present password. */
  currentPassword: string;
  /** At least 12, at most 200 characters. */
  newPassword: string;
};

/** Another address of a user, by the person who can open the mail there. */
export type ConfirmEmailInput = {
  /** From the mailed link; good for an hour, once. */
  token: string;
};

/** A passkey that was made. */
export type ConfirmPasskeyInput = {
  /** How you will know it again in the list of your factors. */
  name?: string | null | undefined;
  /** What toJSON() of the made credential gives, as JSON text. */
  passkey: string;
};

/** A second factor that is shown once more: exactly one of code and passkey. */
export type ConfirmSecondFactorInput = {
  /** A code of the authenticator, or a recovery code. */
  code?: string | null | undefined;
  /** New recovery codes; those of before count no more. */
  newRecoveryCodes?: boolean;
  /** What toJSON() of the shown credential gives, as JSON text. */
  passkey?: string | null | undefined;
};

/** The first code of an authenticator that is being added. */
export type ConfirmTotpInput = {
  /** Six digits, as the authenticator shows them now. */
  code: string;
  /** How you will know it again in the list of your factors. */
  name?: string | null | undefined;
};

/** Which orders are listed: those that fit everything that is given. */
export type ConsoleOrderFilter = {
  /** Of this mobile or subscriber number; of a card payment, the mobile number of its request. */
  accountNumber?: string | null | undefined;
  /** Of exactly this amount, in rupees. */
  amount?: number | null | undefined;
  /** With this id of ours. */
  apiRequestId?: string | null | undefined;
  /** Card payments by a card that ends so: its last 4 characters. */
  cardLast4?: string | null | undefined;
  /** With this key of their caller. */
  clientRequestId?: string | null | undefined;
  /** That have failed or were reversed for one of these reasons. */
  declineReason?: Array<DeclineReason> | null | undefined;
  /** Of this developer; a developer’s user sees its own alone. */
  developerId?: string | null | undefined;
  /** Real money or play money. */
  environment?: Environment | null | undefined;
  /** Accepted at this instant or later. */
  from?: string | null | undefined;
  /** Of one money call. */
  kind?: OrderKind | null | undefined;
  /** Of this amount or less, in rupees. */
  maxAmount?: number | null | undefined;
  /** Of this amount or more, in rupees. */
  minAmount?: number | null | undefined;
  /** Recharges with this reference of the operator. */
  operatorRef?: string | null | undefined;
  /** Recharges with this operator. */
  operatorSpKey?: number | null | undefined;
  /** Who was asked to perform them. */
  provider?: Provider | null | undefined;
  /** With this transaction id of the provider. */
  providerTxnId?: string | null | undefined;
  /** With this reference, whichever it is: its number, our request id, the id of the order, its caller’s key, the operator’s reference, the UTR, or the provider’s transaction id. */
  reference?: string | null | undefined;
  /** With one of these states. */
  status?: Array<OrderStatus> | null | undefined;
  /** Accepted before this instant. */
  to?: string | null | undefined;
  /** Card payments with this payment reference. */
  utr?: string | null | undefined;
};

/** A new key. */
export type CreateCredentialInput = {
  /** Where it works. */
  environment: Environment;
  /** Free label. */
  label?: string | null | undefined;
};

/** A new webhook endpoint. */
export type CreateWebhookEndpointInput = {
  /** Of admins alone: the developer it belongs to. */
  developerId?: string | null | undefined;
  /** The environment whose orders it receives. */
  environment: Environment;
  /** Only these are posted to it. Left out, or with every type: all, also those that come later. */
  types?: Array<WebhookEventType> | null | undefined;
  /** Where events are posted to: https, a host of the public internet. */
  url: string;
};

/** Why a payment was not performed, by the documented codes of its provider. */
export type DeclineReason =
  /** The operator does not offer a recharge of this amount. */
  | 'AMOUNT_NOT_OFFERED'
  /** The operator has just performed the same payment. */
  | 'DUPLICATE_AT_OPERATOR'
  /** The number is not one that the operator knows. */
  | 'INVALID_NUMBER'
  /** The operator takes no more payments for this number for now. */
  | 'LIMIT_REACHED'
  /** The payment did not reach the provider. */
  | 'NEVER_SENT'
  /** The number belongs to another operator. */
  | 'NUMBER_NOT_ON_OPERATOR'
  /** The operator cannot be reached at the moment. */
  | 'OPERATOR_UNAVAILABLE'
  /** The provider refused to pass the payment on. */
  | 'PROVIDER_REFUSED'
  /** The provider took the payment back after it had succeeded. */
  | 'REVERSED_BY_PROVIDER'
  /** The provider declined the payment and did not say why. */
  | 'UNSPECIFIED';

/** Which developers are listed: those that fit everything that is given. */
export type DeveloperFilter = {
  /** Only those whose wallet holds less, in rupees. */
  balanceBelow?: number | null | undefined;
  /** Of `balanceBelow`; Production when left out. */
  environment?: Environment | null | undefined;
  /** Only accounts that wait for live access, or only the others. */
  productionRequested?: boolean | null | undefined;
  /** Only accounts with live access, or only the others. */
  productionUnlocked?: boolean | null | undefined;
  /** Only those whose recharges it performs. */
  rechargeProvider?: RechargeProvider | null | undefined;
  /** Part of the name or e-mail address, or the id or account number. */
  search?: string | null | undefined;
  /** Only those that may call this service. */
  service?: Service | null | undefined;
  /** False: those that may not call the `service`, where nobody has set it too. */
  serviceEnabled?: boolean | null | undefined;
  /** Only accounts in this state. */
  status?: OnboardingStatus | null | undefined;
  /** Only accounts that are suspended, or only the others. */
  suspended?: boolean | null | undefined;
  /** Only those of this white label. */
  whiteLabelId?: string | null | undefined;
};

/** One session that ends. */
export type EndSessionInput = {
  /** Its id, as `sessions` shows it. */
  sessionId: string;
};

/** What becomes of the webhook endpoints that a key made, when it ends. */
export type EndpointsOfKey =
  /** They are disabled in the same instant: of a key that others may have used. */
  | 'END'
  /** They stay as they are, and are no longer of the key: you know all of them. */
  | 'KEEP';

/** The two worlds of the API, each with hosts, credentials, tokens and a wallet of its own. */
export type Environment =
  /** Live providers and real money. */
  | 'PRODUCTION'
  /** Sample data and play money; no provider is ever called. */
  | 'UAT';

/** An account whose live access ends. */
export type LockProductionInput = {
  /** Id of the developer. */
  developerId: string;
  /** Why, for the audit trail; 1 to 500 characters. */
  reason: string;
};

/** How far an account has come. */
export type OnboardingStatus =
  /** May create keys and call the UAT host. */
  | 'APPROVED'
  /** The address is confirmed; KYC is missing. */
  | 'EMAIL_VERIFIED'
  /** Something has to be mended in what was handed in, with a reason; then it is handed in again. */
  | 'KYC_CHANGES_WANTED'
  /** Waits for the decision of an admin or a reviewer. */
  | 'KYC_SUBMITTED'
  /** Signed up; the e-mail address is not confirmed. */
  | 'REGISTERED'
  /** Refused by an admin, with a reason. */
  | 'REJECTED';

/** What happened to an order. */
export type OrderEventKind =
  /** The provider answered, or its answer did not come. */
  | 'ANSWER'
  /** The provider called back. */
  | 'CALLBACK'
  /** The amount was charged again: it was performed after all. */
  | 'CHARGE_AGAIN'
  /** The provider says the opposite of what was decided. */
  | 'CONTRADICTION'
  /** A person decided. */
  | 'DECISION'
  /** The provider was asked what became of it. */
  | 'ENQUIRY'
  /** Its amount left the wallet. */
  | 'HOLD'
  /** The amount is back: it was not performed. */
  | 'REFUND'
  /** The amount is back: it was taken back after it had succeeded. */
  | 'REVERSAL'
  /** It was handed to a person. */
  | 'REVIEW'
  /** The provider was asked to perform it, once. */
  | 'SEND'
  /** The debit became final. */
  | 'SETTLE';

/** Which money call an order belongs to. */
export type OrderKind =
  /** A credit card bill payment. */
  | 'CARD_PAYMENT'
  /** A recharge. */
  | 'RECHARGE';

/** What is known of a recharge or payment. */
export type OrderStatus =
  /** Not performed; the money is in the wallet again. */
  | 'FAILED'
  /** The outcome is not known yet and the money is held. Never create a new order: repeat the request with the same key. */
  | 'PENDING'
  /** Performed, and taken back later; the money is in the wallet again. */
  | 'REVERSED'
  /** Performed; the debit is final. */
  | 'SUCCESS';

/** Who answers the calls of developers. */
export type Provider =
  /** Takes leads. */
  | 'BANKSATHI'
  /** Answers lookups. */
  | 'EKYCHUB'
  /** Fetches and pays card bills. */
  | 'INSPAY'
  /** Operator and circle are mapped to its own names. */
  | 'MOKSHIQ'
  /** Takes operator_sp_key as it is. The default. */
  | 'ROUNDPAY'
  /** Answers for all of them in UAT. */
  | 'SANDBOX';

/** The provider that performs the recharges of a developer or white label. */
export type RechargeProvider =
  /** Operator and circle are mapped to its own names. */
  | 'MOKSHIQ'
  /** Takes operator_sp_key as it is. The default. */
  | 'ROUNDPAY';

/** Which delivery. */
export type RedeliverWebhookInput = {
  /** Id of the delivery. */
  deliveryId: string;
};

/** A stopped account that may go on. */
export type ReinstateDeveloperInput = {
  /** Id of the developer. */
  developerId: string;
  /** Why, for the audit trail; 1 to 500 characters. */
  reason?: string | null | undefined;
};

/** A second factor that is to count no more. */
export type RemoveSecondFactorInput = {
  /** Its id, as secondFactors shows it. */
  id: string;
};

/** Asks for a link to set a new password. */
export type RequestPasswordResetInput = {
  /** E-mail address of the user. */
  email: string;
};

/** A new password for the person who can open the mailed link. */
export type ResetPasswordInput = {
  /** At least 12, at most 200 characters. */
  newPassword: string;
  /** From the mailed link; good for an hour, once. */
  token: string;
};

/** A key that is to end. */
export type RevokeCredentialInput = {
  /** The key. */
  clientId: string;
  /** Needed when the key made webhook endpoints that are still enabled. */
  endpoints?: EndpointsOfKey | null | undefined;
};

/** What a user of the console may be. */
export type Role =
  /** Decides about accounts, access, people and money. */
  | 'ADMIN'
  /** One of a developer’s people: the team role says what they may do within their own account. */
  | 'DEVELOPER'
  /** Decides about money: credits, debits, corrections, reviews and proposals. Nothing about access. */
  | 'FINANCE'
  /** Reads developers and their KYC, and approves or rejects them. Nothing about money. */
  | 'REVIEWER'
  /** Reads, and changes nothing but its own profile, password and sessions. */
  | 'SUPPORT';

/** A key that another one takes the place of. */
export type RotateCredentialInput = {
  /** The key. */
  clientId: string;
  /** How many hours both work, up to 168; 0: the old one ends at once. */
  overlapHours?: number | null | undefined;
};

/** What a user shows beside the password. */
export type SecondFactorKind =
  /** A passkey (WebAuthn) of a device or a security key. It signs in without a password too. */
  | 'PASSKEY'
  /** Codes on paper for whoever has lost the others; each counts once. */
  | 'RECOVERY_CODES'
  /** One-time codes of an authenticator (RFC 6238): six digits, every 30 seconds others. */
  | 'TOTP';

/** Which endpoint a test message is for. */
export type SendTestEventInput = {
  /** Id of the endpoint. */
  endpointId: string;
};

/** What an admin enables per developer. */
export type Service =
  /** Credit card bill fetch. */
  | 'CREDIT_CARD_FETCH'
  /** DTH customer info. */
  | 'DTH_INFO'
  /** DTH plan fetch. */
  | 'DTH_PLAN_FETCH'
  /** Profiles, leads, lead status, products and categories. */
  | 'LEAD_GENERATION'
  /** Mobile operator find. */
  | 'OPERATOR_FETCH'
  /** Mobile plan fetch. */
  | 'OPERATOR_PLAN_FETCH';

/** What is to be of one service of one developer: a switch, a fee or both. What is left out stays. */
export type ServiceAccessChange = {
  /** Id of the developer. */
  developerId: string;
  /** Felt on the next request. */
  enabled?: boolean | null | undefined;
  /** Fee per call in rupees. */
  fee?: number | null | undefined;
  /** The service. */
  service: Service;
};

/** A service that is to be enabled. */
export type ServiceGrantInput = {
  /** Fee per call in rupees; 0 when left out. UAT never has a fee. */
  fee?: number | null | undefined;
  /** The service. */
  service: Service;
};

/** Access of many developers, in one act. */
export type SetServiceAccessManyInput = {
  /** 1 to 200 changes, each service of a developer once. One wrong one, and nothing happens. */
  changes: Array<ServiceAccessChange>;
  /** Why, for the audit trail; 1 to 500 characters. */
  reason?: string | null | undefined;
};

/** Who signs in to the console: with e-mail address and password, and one of code and passkey where the user has a second factor; or with a passkey alone. */
export type SignInInput = {
  /** The code that the authenticator shows now, or a recovery code. Not read where the user has no second factor. */
  code?: string | null | undefined;
  /** E-mail address. */
  email?: string | null | undefined;
  /** What toJSON() of the credential gives that a passkey made of startPasskeySignIn, as JSON text. */
  passkey?: string | null | undefined;
  /** Password. */
  password?: string | null | undefined;
};

/** A new account. */
export type SignUpInput = {
  /** E-mail address; a link to confirm it is mailed there. */
  email: string;
  /** Indian mobile number, 10 digits. */
  mobile: string;
  /** Name of the person or business, at most 100 characters. */
  name: string;
  /** At least 12, at most 200 characters. */
  password: string;
};

/** A passkey that is to be added. */
export type StartPasskeyInput = {
  /** The password of the signed-in user. */
  currentPassword: string;
};

/** An authenticator that is to be added. */
export type StartTotpInput = {
  /** The password of the signed-in user. */
  currentPassword: string;
};

/** Why money moved. */
export type StatementKind =
  /** A payment whose amount was given back turned out to be performed. */
  | 'CHARGE_AGAIN'
  /** Money was taken out by us, with a reason. */
  | 'DEBIT'
  /** A charged call was accepted: its amount or fee left the wallet. */
  | 'HOLD'
  /** A lead was approved. */
  | 'LEAD_FEE'
  /** The call was not performed: what it held is back. */
  | 'REFUND'
  /** A payment was taken back after it had succeeded: its amount is back. */
  | 'REVERSAL'
  /** Money was paid in. */
  | 'TOP_UP';

/** An account that is to be stopped. */
export type SuspendDeveloperInput = {
  /** Id of the developer. */
  developerId: string;
  /** Why, for the audit trail; 1 to 500 characters. */
  reason: string;
};

/** An account that is to have live access. */
export type UnlockProductionInput = {
  /** Id of the developer. */
  developerId: string;
};

/** What an endpoint gets. */
export type UpdateWebhookEndpointInput = {
  /** Id of the endpoint. */
  endpointId: string;
  /** Only these are posted to it from now on. With every type: all, also those that come later. */
  types: Array<WebhookEventType>;
};

/** Confirms an e-mail address. */
export type VerifyEmailInput = {
  /** The password that was chosen in that sign-up. */
  password: string;
  /** From the mailed link; good for 24 hours. */
  token: string;
};

/** Which deliveries are listed: those that fit everything that is given. */
export type WebhookDeliveryFilter = {
  /** Of the recharge or payment with this id of ours, or of this test. */
  apiRequestId?: string | null | undefined;
  /** Real money or play money. */
  environment?: Environment | null | undefined;
  /** Recorded at this instant or later. */
  from?: string | null | undefined;
  /** In one of these states. */
  state?: Array<WebhookDeliveryState> | null | undefined;
  /** Recorded before this instant. */
  to?: string | null | undefined;
  /** Of one of these types. */
  type?: Array<WebhookEventType> | null | undefined;
};

/** What became of the delivery of one event to one endpoint. */
export type WebhookDeliveryState =
  /** The endpoint was disabled, or the receiver answered 410 Gone. */
  | 'CANCELLED'
  /** Given up after the last retry, about a day. Deliver it again when the receiver works. */
  | 'DEAD'
  /** The receiver answered 2xx. */
  | 'DELIVERED'
  /** Waits for its next attempt. */
  | 'PENDING';

/** Why an endpoint is disabled. */
export type WebhookDisabledReason =
  /** Nothing could be delivered to it for days. */
  | 'FAILING'
  /** The receiver answered 410 Gone. */
  | 'GONE'
  /** A person disabled it. */
  | 'REQUEST';

/** Which webhook endpoint. */
export type WebhookEndpointInput = {
  /** Id of the endpoint. */
  endpointId: string;
};

/** Why an attempt failed, or was not made. */
export type WebhookError =
  /** The address is none of the public internet. */
  | 'ADDRESS_NOT_PUBLIC'
  /** There was no connection, or it was lost. */
  | 'CONNECTION_FAILED'
  /** The name of the host has no address. */
  | 'DNS_FAILED'
  /** Not attempted: the endpoint was disabled. */
  | 'ENDPOINT_DISABLED'
  /** Not attempted: the endpoint does not answer. */
  | 'ENDPOINT_PAUSED'
  /** The receiver answered 410 Gone, which disables the endpoint. */
  | 'GONE'
  /** The receiver answered with something else than 2xx. */
  | 'HTTP_STATUS'
  /** This service was stopped meanwhile; the attempt is made again. */
  | 'INTERRUPTED'
  /** The address is none of https. */
  | 'NOT_HTTPS'
  /** There was no answer within ten seconds. */
  | 'TIMEOUT'
  /** The certificate is wrong, or TLS failed in another way. */
  | 'TLS_FAILED';

/** What a message tells: its `type`, such as recharge.succeeded. */
export type WebhookEventType =
  /** A card payment was not performed; the money is in the wallet again. */
  | 'CARD_PAYMENT_FAILED'
  /** A card payment was performed, and taken back later; the money is in the wallet again. */
  | 'CARD_PAYMENT_REVERSED'
  /** A card payment was performed; the debit is final. */
  | 'CARD_PAYMENT_SUCCEEDED'
  /** A recharge was not performed; the money is in the wallet again. */
  | 'RECHARGE_FAILED'
  /** A recharge was performed, and taken back later; the money is in the wallet again. */
  | 'RECHARGE_REVERSED'
  /** A recharge was performed; the debit is final. */
  | 'RECHARGE_SUCCEEDED'
  /** A message that a person asked for, to try a receiver. It stands for no order. */
  | 'TEST_SENT';

export type SignedInQueryVariables = Exact<{ [key: string]: never; }>;


export type SignedInQuery = { viewer: { may: Array<string>, user: { id: string, name: string, email: string, role: Role }, developer: { id: string, name: string, onboardingStatus: OnboardingStatus, productionUnlocked: boolean } | null } | null };

export type SignOutMutationVariables = Exact<{ [key: string]: never; }>;


export type SignOutMutation = { signOut: { signedOut: boolean } | null };

export type AccessQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
  filter?: DeveloperFilter | null | undefined;
}>;


export type AccessQuery = { developers: { pageInfo: { startCursor: string | null, endCursor: string | null, hasNextPage: boolean, hasPreviousPage: boolean }, edges: Array<{ node: { id: string, name: string, services: Array<{ id: string, service: Service, enabled: boolean, fee: number, changedAt: string | null, changedBy: { name: string } | null }> | null } }> } | null };

export type StartTotpMutationVariables = Exact<{
  input: StartTotpInput;
}>;


export type StartTotpMutation = { startTotp: { secret: string, uri: string } | null };

export type ConfirmTotpMutationVariables = Exact<{
  input: ConfirmTotpInput;
}>;


export type ConfirmTotpMutation = { confirmTotp: { recoveryCodes: Array<string> } | null };

export type StartPasskeyMutationVariables = Exact<{
  input: StartPasskeyInput;
}>;


export type StartPasskeyMutation = { startPasskey: { options: string } | null };

export type ConfirmPasskeyMutationVariables = Exact<{
  input: ConfirmPasskeyInput;
}>;


export type ConfirmPasskeyMutation = { confirmPasskey: { recoveryCodes: Array<string> } | null };

export type WebhookDeliveriesQueryVariables = Exact<{
  endpointId?: string | null | undefined;
  developerId?: string | null | undefined;
  filter?: WebhookDeliveryFilter | null | undefined;
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
}>;


export type WebhookDeliveriesQuery = { webhookDeliveries: { pageInfo: { startCursor: string | null, endCursor: string | null, hasNextPage: boolean, hasPreviousPage: boolean }, edges: Array<{ node: { id: string, type: WebhookEventType, apiRequestId: string, occurredAt: string, state: WebhookDeliveryState, attempts: number, httpStatus: number | null, error: WebhookError | null, nextAttemptAt: string | null } }> } | null };

export type WebhookDeliveryQueryVariables = Exact<{
  endpointId?: string | null | undefined;
  developerId?: string | null | undefined;
  request: string;
}>;


export type WebhookDeliveryQuery = { webhookDeliveries: { edges: Array<{ node: { id: string, type: WebhookEventType, apiRequestId: string, occurredAt: string, state: WebhookDeliveryState, attempts: number, httpStatus: number | null, error: WebhookError | null, nextAttemptAt: string | null, body: string | null, tries: Array<{ at: string, httpStatus: number | null, error: WebhookError | null, durationMs: number }> | null, order: { id: string } | null } }> } | null };

export type RedeliverMutationVariables = Exact<{
  input: RedeliverWebhookInput;
}>;


export type RedeliverMutation = { redeliverWebhook: { delivery: { id: string, state: WebhookDeliveryState, attempts: number, nextAttemptAt: string | null, error: WebhookError | null, httpStatus: number | null } } | null };

export type DeveloperQueryVariables = Exact<{
  id: string;
  money: boolean;
}>;


export type DeveloperQuery = { developer: { id: string, name: string, email: string, createdAt: string, approvedAt: string | null, onboardingStatus: OnboardingStatus, productionUnlocked: boolean, suspendedAt: string | null, suspensionReason: string | null, rejectionReason: string | null, rechargeProvider: RechargeProvider, rateLimitPerMinute: number | null, whiteLabel: { id: string, name: string } | null, wallets?: Array<{ id: string, environment: Environment, balance: number, held: number | null }> | null, credentials?: Array<{ id: string, clientId: string, environment: Environment, label: string | null, revokedAt: string | null, lastUsedAt: string | null }> | null, users: Array<{ id: string, name: string, email: string }> | null, services: Array<{ id: string, service: Service, enabled: boolean, fee: number, changedAt: string | null, changedBy: { name: string } | null }> | null } | null };

export type ApproveMutationVariables = Exact<{
  input: ApproveDeveloperInput;
}>;


export type ApproveMutation = { approveDeveloper: { developer: { id: string, onboardingStatus: OnboardingStatus, approvedAt: string | null } } | null };

export type UnlockMutationVariables = Exact<{
  input: UnlockProductionInput;
}>;


export type UnlockMutation = { unlockProduction: { proposal: { id: string } | null, developer: { id: string, productionUnlocked: boolean } } | null };

export type LockMutationVariables = Exact<{
  input: LockProductionInput;
}>;


export type LockMutation = { lockProduction: { developer: { id: string, productionUnlocked: boolean } } | null };

export type SuspendMutationVariables = Exact<{
  input: SuspendDeveloperInput;
}>;


export type SuspendMutation = { suspendDeveloper: { developer: { id: string, suspendedAt: string | null, suspensionReason: string | null } } | null };

export type ReinstateMutationVariables = Exact<{
  input: ReinstateDeveloperInput;
}>;


export type ReinstateMutation = { reinstateDeveloper: { developer: { id: string, suspendedAt: string | null, suspensionReason: string | null } } | null };

export type DevelopersQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
  filter?: DeveloperFilter | null | undefined;
  money: boolean;
}>;


export type DevelopersQuery = { developers: { totalCount: number | null, pageInfo: { startCursor: string | null, endCursor: string | null, hasNextPage: boolean, hasPreviousPage: boolean }, edges: Array<{ node: { id: string, name: string, email: string, onboardingStatus: OnboardingStatus, productionUnlocked: boolean, suspendedAt: string | null, rechargeProvider: RechargeProvider, createdAt: string, wallets?: Array<{ id: string, environment: Environment, balance: number }> | null } }> } | null };

export type HomeQueryVariables = Exact<{ [key: string]: never; }>;


export type HomeQuery = { viewer: { developer: { id: string, name: string, onboardingStatus: OnboardingStatus, productionUnlocked: boolean, suspendedAt: string | null, suspensionReason: string | null, rejectionReason: string | null, wallets: Array<{ id: string, environment: Environment, balance: number, held: number | null }> | null, orders: { edges: Array<{ node: { id: string, createdAt: string, environment: Environment, accountNumber: string | null, card: string | null, amount: number, status: OrderStatus, operator: { id: string, name: string } | null } }> } | null, tried: { edges: Array<{ node: { id: string } }> } | null } | null } | null };

export type WorkQueryVariables = Exact<{
  money: boolean;
}>;


export type WorkQuery = { developers: { totalCount: number | null } | null, reviewOrders?: { totals: Array<{ provider: Provider, count: number, amount: number }> | null } | null, proposals?: { totalCount: number | null } | null };

export type KeysQueryVariables = Exact<{ [key: string]: never; }>;


export type KeysQuery = { environments: Array<{ environment: Environment, baseUrl: string }> | null, viewer: { developer: { id: string, onboardingStatus: OnboardingStatus, productionUnlocked: boolean, credentials: Array<{ id: string, clientId: string, environment: Environment, label: string | null, secretLast4: string, lastUsedAt: string | null, expiresAt: string | null, revokedAt: string | null, suspendedAt: string | null, suspensionReason: string | null }> | null, tried: { edges: Array<{ node: { id: string } }> } | null } | null } | null };

export type CreateKeyMutationVariables = Exact<{
  input: CreateCredentialInput;
}>;


export type CreateKeyMutation = { createCredential: { apiSecret: string, credential: { id: string, clientId: string, environment: Environment } } | null };

export type RotateKeyMutationVariables = Exact<{
  input: RotateCredentialInput;
}>;


export type RotateKeyMutation = { rotateCredential: { apiSecret: string, credential: { id: string, clientId: string, environment: Environment } } | null };

export type RevokeKeyMutationVariables = Exact<{
  input: RevokeCredentialInput;
}>;


export type RevokeKeyMutation = { revokeCredential: { credential: { id: string, revokedAt: string | null } } | null };

export type VerifyMutationVariables = Exact<{
  input: VerifyEmailInput;
}>;


export type VerifyMutation = { verifyEmail: { viewer: { user: { id: string } } } | null };

export type ResetMutationVariables = Exact<{
  input: ResetPasswordInput;
}>;


export type ResetMutation = { resetPassword: { viewer: { user: { id: string } } } | null };

export type AcceptInvitationMutationVariables = Exact<{
  input: AcceptInvitationInput;
}>;


export type AcceptInvitationMutation = { acceptInvitation: { viewer: { user: { id: string } } } | null };

export type ConfirmEmailMutationVariables = Exact<{
  input: ConfirmEmailInput;
}>;


export type ConfirmEmailMutation = { confirmEmail: { viewer: { user: { id: string } } } | null };

export type OrderQueryVariables = Exact<{
  id: string;
  staff: boolean;
  deliveries: boolean;
}>;


export type OrderQuery = { order: { id: string, apiRequestId: string, clientRequestId: string | null, createdAt: string, settledAt: string | null, kind: OrderKind, status: OrderStatus, amount: number, refunded: number, environment: Environment, accountNumber: string | null, mobile: string | null, card: string | null, operatorRef: string | null, providerTxnId: string | null, utr: string | null, txid: number | null, nextCheckAt: string | null, provider?: Provider | null, operator: { id: string, name: string } | null, decline: { reason: DeclineReason, message: string, retryable: boolean } | null, timeline: Array<{ at: string, kind: OrderEventKind, detail: string, amount: number | null, httpStatus: number | null, durationMs: number | null, reference: string | null }> | null, entries: Array<{ id: string, at: string, kind: StatementKind, amount: number, balanceAfter: number }> | null, deliveries?: Array<{ id: string, type: WebhookEventType, state: WebhookDeliveryState, httpStatus: number | null, error: WebhookError | null, attempts: number, occurredAt: string }> | null, developer?: { id: string, name: string } | null } | null };

export type OrdersQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
  filter?: ConsoleOrderFilter | null | undefined;
  staff: boolean;
}>;


export type OrdersQuery = { orders: { searchedFrom: string | null, pageInfo: { startCursor: string | null, endCursor: string | null, hasNextPage: boolean, hasPreviousPage: boolean }, edges: Array<{ node: { id: string, createdAt: string, kind: OrderKind, status: OrderStatus, amount: number, environment: Environment, accountNumber: string | null, card: string | null, provider?: Provider | null, operator: { id: string, name: string } | null, decline: { reason: DeclineReason } | null, developer?: { id: string, name: string } | null } }> } | null };

export type SecurityQueryVariables = Exact<{ [key: string]: never; }>;


export type SecurityQuery = { viewer: { user: { id: string, secondFactors: Array<{ id: string, kind: SecondFactorKind, name: string, addedAt: string, lastUsedAt: string | null }> | null }, sessions: Array<{ id: string, lastSeenAt: string, address: string | null, agent: string | null, current: boolean }> | null } | null };

export type RemoveFactorMutationVariables = Exact<{
  input: RemoveSecondFactorInput;
}>;


export type RemoveFactorMutation = { removeSecondFactor: { viewer: { user: { id: string, secondFactors: Array<{ id: string, kind: SecondFactorKind, name: string, addedAt: string, lastUsedAt: string | null }> | null } } } | null };

export type NewRecoveryCodesMutationVariables = Exact<{
  input: ConfirmSecondFactorInput;
}>;


export type NewRecoveryCodesMutation = { confirmSecondFactor: { recoveryCodes: Array<string> } | null };

export type EndSessionMutationVariables = Exact<{
  input: EndSessionInput;
}>;


export type EndSessionMutation = { endSession: { endedSessions: number } | null };

export type EndOthersMutationVariables = Exact<{ [key: string]: never; }>;


export type EndOthersMutation = { endSessions: { endedSessions: number } | null };

export type ChangePasswordMutationVariables = Exact<{
  input: ChangePasswordInput;
}>;


export type ChangePasswordMutation = { changePassword: { endedSessions: number } | null };

export type OwnServicesQueryVariables = Exact<{ [key: string]: never; }>;


export type OwnServicesQuery = { viewer: { developer: { id: string, services: Array<{ id: string, service: Service, enabled: boolean, fee: number }> | null } | null } | null };

export type SignInMutationVariables = Exact<{
  input: SignInInput;
}>;


export type SignInMutation = { signIn: { mustEnrol: boolean } | null };

export type PasskeyToSignInMutationVariables = Exact<{ [key: string]: never; }>;


export type PasskeyToSignInMutation = { startPasskeySignIn: { options: string } | null };

export type SignUpMutationVariables = Exact<{
  input: SignUpInput;
}>;


export type SignUpMutation = { signUp: { accepted: boolean } | null };

export type ForgotMutationVariables = Exact<{
  input: RequestPasswordResetInput;
}>;


export type ForgotMutation = { requestPasswordReset: { accepted: boolean } | null };

export type StatementQueryVariables = Exact<{
  id: string;
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
  from?: string | null | undefined;
  to?: string | null | undefined;
  kinds?: Array<StatementKind> | StatementKind | null | undefined;
  reference?: string | null | undefined;
}>;


export type StatementQuery = { node:
    | { id: string, statement: { pageInfo: { startCursor: string | null, endCursor: string | null, hasNextPage: boolean, hasPreviousPage: boolean }, edges: Array<{ node: { id: string, at: string, kind: StatementKind, amount: number, balanceAfter: number, reference: string, order: { id: string } | null } }> } | null }
    | Record<PropertyKey, never>
   | null };

export type WalletDaysQueryVariables = Exact<{
  id: string;
  from: string;
  to: string;
}>;


export type WalletDaysQuery = { node:
    | { id: string, days: Array<{ date: string, opening: number, credits: number, debits: number, closing: number }> | null }
    | Record<PropertyKey, never>
   | null };

export type WalletsQueryVariables = Exact<{
  id: string;
}>;


export type WalletsQuery = { developer: { id: string, name: string, wallets: Array<{ id: string, environment: Environment, balance: number, held: number | null }> | null } | null };

export type CreateWebhookMutationVariables = Exact<{
  input: CreateWebhookEndpointInput;
}>;


export type CreateWebhookMutation = { createWebhookEndpoint: { secret: string, endpoint: { id: string } } | null };

export type UpdateWebhookMutationVariables = Exact<{
  input: UpdateWebhookEndpointInput;
}>;


export type UpdateWebhookMutation = { updateWebhookEndpoint: { endpoint: { id: string, types: Array<WebhookEventType> } } | null };

export type RotateWebhookSecretMutationVariables = Exact<{
  input: WebhookEndpointInput;
}>;


export type RotateWebhookSecretMutation = { rotateWebhookSecret: { secret: string, endpoint: { id: string, previousSecretUntil: string | null } } | null };

export type DisableWebhookMutationVariables = Exact<{
  input: WebhookEndpointInput;
}>;


export type DisableWebhookMutation = { disableWebhookEndpoint: { endpoint: { id: string, disabledAt: string | null, disabledReason: WebhookDisabledReason | null } } | null };

export type DeleteWebhookMutationVariables = Exact<{
  input: WebhookEndpointInput;
}>;


export type DeleteWebhookMutation = { deleteWebhookEndpoint: { deletedEndpointId: string } | null };

export type WebhookEndpointsQueryVariables = Exact<{
  developerId?: string | null | undefined;
}>;


export type WebhookEndpointsQuery = { webhookEndpoints: Array<{ id: string, url: string, environment: Environment, types: Array<WebhookEventType>, createdAt: string, disabledAt: string | null, disabledReason: WebhookDisabledReason | null, previousSecretUntil: string | null, health: { delivered: number, failed: number, dead: number, p95Ms: number | null, pausedUntil: string | null } | null }> | null };

export type EnableWebhookMutationVariables = Exact<{
  input: WebhookEndpointInput;
}>;


export type EnableWebhookMutation = { enableWebhookEndpoint: { endpoint: { id: string, disabledAt: string | null, disabledReason: WebhookDisabledReason | null } } | null };

export type SendTestMutationVariables = Exact<{
  input: SendTestEventInput;
}>;


export type SendTestMutation = { sendTestEvent: { delivery: { id: string, apiRequestId: string, state: WebhookDeliveryState } } | null };

export type SearchQueryVariables = Exact<{
  text: string;
}>;


export type SearchQuery = { search: Array<{ title: string, detail: string, matched: string, node:
      | { id: string, kind: 'AuditEntry' }
      | { id: string, kind: 'Credential' }
      | { id: string, kind: 'Developer' }
      | { id: string, kind: 'KycDocument' }
      | { id: string, kind: 'KycSubmission' }
      | { id: string, kind: 'Lead' }
      | { id: string, kind: 'Note' }
      | { id: string, kind: 'Operator' }
      | { status: OrderStatus, amount: number, environment: Environment, id: string, kind: 'Order' }
      | { id: string, kind: 'Product' }
      | { id: string, kind: 'Proposal' }
      | { id: string, kind: 'ServiceAccess' }
      | { id: string, kind: 'Session' }
      | { id: string, kind: 'StatementEntry' }
      | { id: string, kind: 'User', developer: { id: string, name: string } | null }
      | { id: string, kind: 'Wallet' }
      | { id: string, kind: 'WebhookEndpoint' }
      | { id: string, kind: 'WhiteLabel' }
     }> | null };

export type FindOrderQueryVariables = Exact<{
  reference: string;
}>;


export type FindOrderQuery = { orders: { edges: Array<{ node: { id: string, apiRequestId: string, status: OrderStatus, amount: number, environment: Environment } }> } | null };

export type SetAccessMutationVariables = Exact<{
  input: SetServiceAccessManyInput;
}>;


export type SetAccessMutation = { setServiceAccessMany: { access: Array<{ id: string, service: Service, enabled: boolean, fee: number, changedAt: string | null, changedBy: { name: string } | null }>, undo: Array<{ developerId: string, service: Service, enabled: boolean, fee: number }>, proposals: Array<{ id: string }> } | null };

export type ShowFactorAgainMutationVariables = Exact<{
  input: ConfirmSecondFactorInput;
}>;


export type ShowFactorAgainMutation = { confirmSecondFactor: { confirmedUntil: string } | null };

export type PasskeyToConfirmMutationVariables = Exact<{ [key: string]: never; }>;


export type PasskeyToConfirmMutation = { startPasskeySignIn: { options: string } | null };

export interface Documents {
  "\n  query SignedIn {\n    viewer {\n      user {\n        id\n        name\n        email\n        role\n      }\n      developer {\n        id\n        name\n        onboardingStatus\n        productionUnlocked\n      }\n      may\n    }\n  }\n": { data: SignedInQuery; variables: SignedInQueryVariables };
  "\n  mutation SignOut {\n    signOut {\n      signedOut\n    }\n  }\n": { data: SignOutMutation; variables: SignOutMutationVariables };
  "\n  query Access($first: Int, $after: String, $last: Int, $before: String, $filter: DeveloperFilter) {\n    developers(first: $first, after: $after, last: $last, before: $before, filter: $filter, sort: NAME_ASC) {\n      pageInfo {\n        startCursor\n        endCursor\n        hasNextPage\n        hasPreviousPage\n      }\n      edges {\n        node {\n          id\n          name\n          services {\n            id\n            service\n            enabled\n            fee\n            changedAt\n            changedBy {\n              name\n            }\n          }\n        }\n      }\n    }\n  }\n": { data: AccessQuery; variables: AccessQueryVariables };
  "\n  mutation StartTotp($input: StartTotpInput!) {\n    startTotp(input: $input) {\n      secret\n      uri\n    }\n  }\n": { data: StartTotpMutation; variables: StartTotpMutationVariables };
  "\n  mutation ConfirmTotp($input: ConfirmTotpInput!) {\n    confirmTotp(input: $input) {\n      recoveryCodes\n    }\n  }\n": { data: ConfirmTotpMutation; variables: ConfirmTotpMutationVariables };
  "\n  mutation StartPasskey($input: StartPasskeyInput!) {\n    startPasskey(input: $input) {\n      options\n    }\n  }\n": { data: StartPasskeyMutation; variables: StartPasskeyMutationVariables };
  "\n  mutation ConfirmPasskey($input: ConfirmPasskeyInput!) {\n    confirmPasskey(input: $input) {\n      recoveryCodes\n    }\n  }\n": { data: ConfirmPasskeyMutation; variables: ConfirmPasskeyMutationVariables };
  "\n  query WebhookDeliveries(\n    $endpointId: ID\n    $developerId: ID\n    $filter: WebhookDeliveryFilter\n    $first: Int\n    $after: String\n    $last: Int\n    $before: String\n  ) {\n    webhookDeliveries(\n      endpointId: $endpointId\n      developerId: $developerId\n      filter: $filter\n      first: $first\n      after: $after\n      last: $last\n      before: $before\n    ) {\n      pageInfo {\n        startCursor\n        endCursor\n        hasNextPage\n        hasPreviousPage\n      }\n      edges {\n        node {\n          id\n          type\n          apiRequestId\n          occurredAt\n          state\n          attempts\n          httpStatus\n          error\n          nextAttemptAt\n        }\n      }\n    }\n  }\n": { data: WebhookDeliveriesQuery; variables: WebhookDeliveriesQueryVariables };
  "\n  query WebhookDelivery($endpointId: ID, $developerId: ID, $request: String!) {\n    webhookDeliveries(\n      endpointId: $endpointId\n      developerId: $developerId\n      filter: { apiRequestId: $request }\n      first: 100\n    ) {\n      edges {\n        node {\n          id\n          type\n          apiRequestId\n          occurredAt\n          state\n          attempts\n          httpStatus\n          error\n          nextAttemptAt\n          body\n          tries {\n            at\n            httpStatus\n            error\n            durationMs\n          }\n          order {\n            id\n          }\n        }\n      }\n    }\n  }\n": { data: WebhookDeliveryQuery; variables: WebhookDeliveryQueryVariables };
  "\n  mutation Redeliver($input: RedeliverWebhookInput!) {\n    redeliverWebhook(input: $input) {\n      delivery {\n        id\n        state\n        attempts\n        nextAttemptAt\n        error\n        httpStatus\n      }\n    }\n  }\n": { data: RedeliverMutation; variables: RedeliverMutationVariables };
  "\n  query Developer($id: ID!, $money: Boolean!) {\n    developer(id: $id) {\n      id\n      name\n      email\n      createdAt\n      approvedAt\n      onboardingStatus\n      productionUnlocked\n      suspendedAt\n      suspensionReason\n      rejectionReason\n      rechargeProvider\n      rateLimitPerMinute\n      whiteLabel {\n        id\n        name\n      }\n      wallets @include(if: $money) {\n        id\n        environment\n        balance\n        held\n      }\n      credentials @include(if: $money) {\n        id\n        clientId\n        environment\n        label\n        revokedAt\n        lastUsedAt\n      }\n      users {\n        id\n        name\n        email\n      }\n      services {\n        id\n        service\n        enabled\n        fee\n        changedAt\n        changedBy {\n          name\n        }\n      }\n    }\n  }\n": { data: DeveloperQuery; variables: DeveloperQueryVariables };
  "\n  mutation Approve($input: ApproveDeveloperInput!) {\n    approveDeveloper(input: $input) {\n      developer {\n        id\n        onboardingStatus\n        approvedAt\n      }\n    }\n  }\n": { data: ApproveMutation; variables: ApproveMutationVariables };
  "\n  mutation Unlock($input: UnlockProductionInput!) {\n    unlockProduction(input: $input) {\n      proposal {\n        id\n      }\n      developer {\n        id\n        productionUnlocked\n      }\n    }\n  }\n": { data: UnlockMutation; variables: UnlockMutationVariables };
  "\n  mutation Lock($input: LockProductionInput!) {\n    lockProduction(input: $input) {\n      developer {\n        id\n        productionUnlocked\n      }\n    }\n  }\n": { data: LockMutation; variables: LockMutationVariables };
  "\n  mutation Suspend($input: SuspendDeveloperInput!) {\n    suspendDeveloper(input: $input) {\n      developer {\n        id\n        suspendedAt\n        suspensionReason\n      }\n    }\n  }\n": { data: SuspendMutation; variables: SuspendMutationVariables };
  "\n  mutation Reinstate($input: ReinstateDeveloperInput!) {\n    reinstateDeveloper(input: $input) {\n      developer {\n        id\n        suspendedAt\n        suspensionReason\n      }\n    }\n  }\n": { data: ReinstateMutation; variables: ReinstateMutationVariables };
  "\n  query Developers($first: Int, $after: String, $last: Int, $before: String, $filter: DeveloperFilter, $money: Boolean!) {\n    developers(first: $first, after: $after, last: $last, before: $before, filter: $filter) {\n      totalCount\n      pageInfo {\n        startCursor\n        endCursor\n        hasNextPage\n        hasPreviousPage\n      }\n      edges {\n        node {\n          id\n          name\n          email\n          onboardingStatus\n          productionUnlocked\n          suspendedAt\n          rechargeProvider\n          createdAt\n          wallets @include(if: $money) {\n            id\n            environment\n            balance\n          }\n        }\n      }\n    }\n  }\n": { data: DevelopersQuery; variables: DevelopersQueryVariables };
  "\n  query Home {\n    viewer {\n      developer {\n        id\n        name\n        onboardingStatus\n        productionUnlocked\n        suspendedAt\n        suspensionReason\n        rejectionReason\n        wallets {\n          id\n          environment\n          balance\n          held\n        }\n        orders(first: 5) {\n          edges {\n            node {\n              id\n              createdAt\n              environment\n              accountNumber\n              card\n              amount\n              status\n              operator {\n                id\n                name\n              }\n            }\n          }\n        }\n        tried: orders(first: 1, filter: { environment: UAT, status: [SUCCESS] }) {\n          edges {\n            node {\n              id\n            }\n          }\n        }\n      }\n    }\n  }\n": { data: HomeQuery; variables: HomeQueryVariables };
  "\n  query Work($money: Boolean!) {\n    developers(first: 1, filter: { status: KYC_SUBMITTED }) {\n      totalCount\n    }\n    reviewOrders(first: 1) @include(if: $money) {\n      totals {\n        provider\n        count\n        amount\n      }\n    }\n    proposals(first: 1, filter: { state: [WAITING] }) @include(if: $money) {\n      totalCount\n    }\n  }\n": { data: WorkQuery; variables: WorkQueryVariables };
  "\n  query Keys {\n    environments {\n      environment\n      baseUrl\n    }\n    viewer {\n      developer {\n        id\n        onboardingStatus\n        productionUnlocked\n        credentials {\n          id\n          clientId\n          environment\n          label\n          secretLast4\n          lastUsedAt\n          expiresAt\n          revokedAt\n          suspendedAt\n          suspensionReason\n        }\n        tried: orders(first: 1, filter: { environment: UAT, status: [SUCCESS] }) {\n          edges {\n            node {\n              id\n            }\n          }\n        }\n      }\n    }\n  }\n": { data: KeysQuery; variables: KeysQueryVariables };
  "\n  mutation CreateKey($input: CreateCredentialInput!) {\n    createCredential(input: $input) {\n      apiSecret\n      credential {\n        id\n        clientId\n        environment\n      }\n    }\n  }\n": { data: CreateKeyMutation; variables: CreateKeyMutationVariables };
  "\n  mutation RotateKey($input: RotateCredentialInput!) {\n    rotateCredential(input: $input) {\n      apiSecret\n      credential {\n        id\n        clientId\n        environment\n      }\n    }\n  }\n": { data: RotateKeyMutation; variables: RotateKeyMutationVariables };
  "\n  mutation RevokeKey($input: RevokeCredentialInput!) {\n    revokeCredential(input: $input) {\n      credential {\n        id\n        revokedAt\n      }\n    }\n  }\n": { data: RevokeKeyMutation; variables: RevokeKeyMutationVariables };
  "\n  mutation Verify($input: VerifyEmailInput!) {\n    verifyEmail(input: $input) {\n      viewer {\n        user {\n          id\n        }\n      }\n    }\n  }\n": { data: VerifyMutation; variables: VerifyMutationVariables };
  "\n  mutation Reset($input: ResetPasswordInput!) {\n    resetPassword(input: $input) {\n      viewer {\n        user {\n          id\n        }\n      }\n    }\n  }\n": { data: ResetMutation; variables: ResetMutationVariables };
  "\n  mutation AcceptInvitation($input: AcceptInvitationInput!) {\n    acceptInvitation(input: $input) {\n      viewer {\n        user {\n          id\n        }\n      }\n    }\n  }\n": { data: AcceptInvitationMutation; variables: AcceptInvitationMutationVariables };
  "\n  mutation ConfirmEmail($input: ConfirmEmailInput!) {\n    confirmEmail(input: $input) {\n      viewer {\n        user {\n          id\n        }\n      }\n    }\n  }\n": { data: ConfirmEmailMutation; variables: ConfirmEmailMutationVariables };
  "\n  query Order($id: ID!, $staff: Boolean!, $deliveries: Boolean!) {\n    order(id: $id) {\n      id\n      apiRequestId\n      clientRequestId\n      createdAt\n      settledAt\n      kind\n      status\n      amount\n      refunded\n      environment\n      accountNumber\n      mobile\n      card\n      operatorRef\n      providerTxnId\n      utr\n      txid\n      nextCheckAt\n      operator {\n        id\n        name\n      }\n      decline {\n        reason\n        message\n        retryable\n      }\n      timeline {\n        at\n        kind\n        detail\n        amount\n        httpStatus\n        durationMs\n        reference\n      }\n      entries {\n        id\n        at\n        kind\n        amount\n        balanceAfter\n      }\n      deliveries @include(if: $deliveries) {\n        id\n        type\n        state\n        httpStatus\n        error\n        attempts\n        occurredAt\n      }\n      provider @include(if: $staff)\n      developer @include(if: $staff) {\n        id\n        name\n      }\n    }\n  }\n": { data: OrderQuery; variables: OrderQueryVariables };
  "\n  query Orders($first: Int, $after: String, $last: Int, $before: String, $filter: ConsoleOrderFilter, $staff: Boolean!) {\n    orders(first: $first, after: $after, last: $last, before: $before, filter: $filter) {\n      searchedFrom\n      pageInfo {\n        startCursor\n        endCursor\n        hasNextPage\n        hasPreviousPage\n      }\n      edges {\n        node {\n          id\n          createdAt\n          kind\n          status\n          amount\n          environment\n          accountNumber\n          card\n          operator {\n            id\n            name\n          }\n          decline {\n            reason\n          }\n          provider @include(if: $staff)\n          developer @include(if: $staff) {\n            id\n            name\n          }\n        }\n      }\n    }\n  }\n": { data: OrdersQuery; variables: OrdersQueryVariables };
  "\n  query Security {\n    viewer {\n      user {\n        id\n        secondFactors {\n          id\n          kind\n          name\n          addedAt\n          lastUsedAt\n        }\n      }\n      sessions {\n        id\n        lastSeenAt\n        address\n        agent\n        current\n      }\n    }\n  }\n": { data: SecurityQuery; variables: SecurityQueryVariables };
  "\n  mutation RemoveFactor($input: RemoveSecondFactorInput!) {\n    removeSecondFactor(input: $input) {\n      viewer {\n        user {\n          id\n          secondFactors {\n            id\n            kind\n            name\n            addedAt\n            lastUsedAt\n          }\n        }\n      }\n    }\n  }\n": { data: RemoveFactorMutation; variables: RemoveFactorMutationVariables };
  "\n  mutation NewRecoveryCodes($input: ConfirmSecondFactorInput!) {\n    confirmSecondFactor(input: $input) {\n      recoveryCodes\n    }\n  }\n": { data: NewRecoveryCodesMutation; variables: NewRecoveryCodesMutationVariables };
  "\n  mutation EndSession($input: EndSessionInput!) {\n    endSession(input: $input) {\n      endedSessions\n    }\n  }\n": { data: EndSessionMutation; variables: EndSessionMutationVariables };
  "\n  mutation EndOthers {\n    endSessions(input: { which: OTHERS }) {\n      endedSessions\n    }\n  }\n": { data: EndOthersMutation; variables: EndOthersMutationVariables };
  "\n  mutation ChangePassword($input: ChangePasswordInput!) {\n    changePassword(input: $input) {\n      endedSessions\n    }\n  }\n": { data: ChangePasswordMutation; variables: ChangePasswordMutationVariables };
  "\n  query OwnServices {\n    viewer {\n      developer {\n        id\n        services {\n          id\n          service\n          enabled\n          fee\n        }\n      }\n    }\n  }\n": { data: OwnServicesQuery; variables: OwnServicesQueryVariables };
  "\n  mutation SignIn($input: SignInInput!) {\n    signIn(input: $input) {\n      mustEnrol\n    }\n  }\n": { data: SignInMutation; variables: SignInMutationVariables };
  "\n  mutation PasskeyToSignIn {\n    startPasskeySignIn(input: { use: SIGN_IN }) {\n      options\n    }\n  }\n": { data: PasskeyToSignInMutation; variables: PasskeyToSignInMutationVariables };
  "\n  mutation SignUp($input: SignUpInput!) {\n    signUp(input: $input) {\n      accepted\n    }\n  }\n": { data: SignUpMutation; variables: SignUpMutationVariables };
  "\n  mutation Forgot($input: RequestPasswordResetInput!) {\n    requestPasswordReset(input: $input) {\n      accepted\n    }\n  }\n": { data: ForgotMutation; variables: ForgotMutationVariables };
  "\n  query Statement(\n    $id: ID!\n    $first: Int\n    $after: String\n    $last: Int\n    $before: String\n    $from: DateTime\n    $to: DateTime\n    $kinds: [StatementKind!]\n    $reference: String\n  ) {\n    node(id: $id) {\n      ... on Wallet {\n        id\n        statement(\n          first: $first\n          after: $after\n          last: $last\n          before: $before\n          from: $from\n          to: $to\n          kinds: $kinds\n          reference: $reference\n        ) {\n          pageInfo {\n            startCursor\n            endCursor\n            hasNextPage\n            hasPreviousPage\n          }\n          edges {\n            node {\n              id\n              at\n              kind\n              amount\n              balanceAfter\n              reference\n              order {\n                id\n              }\n            }\n          }\n        }\n      }\n    }\n  }\n": { data: StatementQuery; variables: StatementQueryVariables };
  "\n  query WalletDays($id: ID!, $from: Date!, $to: Date!) {\n    node(id: $id) {\n      ... on Wallet {\n        id\n        days(from: $from, to: $to) {\n          date\n          opening\n          credits\n          debits\n          closing\n        }\n      }\n    }\n  }\n": { data: WalletDaysQuery; variables: WalletDaysQueryVariables };
  "\n  query Wallets($id: ID!) {\n    developer(id: $id) {\n      id\n      name\n      wallets {\n        id\n        environment\n        balance\n        held\n      }\n    }\n  }\n": { data: WalletsQuery; variables: WalletsQueryVariables };
  "\n  mutation CreateWebhook($input: CreateWebhookEndpointInput!) {\n    createWebhookEndpoint(input: $input) {\n      secret\n      endpoint {\n        id\n      }\n    }\n  }\n": { data: CreateWebhookMutation; variables: CreateWebhookMutationVariables };
  "\n  mutation UpdateWebhook($input: UpdateWebhookEndpointInput!) {\n    updateWebhookEndpoint(input: $input) {\n      endpoint {\n        id\n        types\n      }\n    }\n  }\n": { data: UpdateWebhookMutation; variables: UpdateWebhookMutationVariables };
  "\n  mutation RotateWebhookSecret($input: WebhookEndpointInput!) {\n    rotateWebhookSecret(input: $input) {\n      secret\n      endpoint {\n        id\n        previousSecretUntil\n      }\n    }\n  }\n": { data: RotateWebhookSecretMutation; variables: RotateWebhookSecretMutationVariables };
  "\n  mutation DisableWebhook($input: WebhookEndpointInput!) {\n    disableWebhookEndpoint(input: $input) {\n      endpoint {\n        id\n        disabledAt\n        disabledReason\n      }\n    }\n  }\n": { data: DisableWebhookMutation; variables: DisableWebhookMutationVariables };
  "\n  mutation DeleteWebhook($input: WebhookEndpointInput!) {\n    deleteWebhookEndpoint(input: $input) {\n      deletedEndpointId\n    }\n  }\n": { data: DeleteWebhookMutation; variables: DeleteWebhookMutationVariables };
  "\n  query WebhookEndpoints($developerId: ID) {\n    webhookEndpoints(developerId: $developerId) {\n      id\n      url\n      environment\n      types\n      createdAt\n      disabledAt\n      disabledReason\n      previousSecretUntil\n      health {\n        delivered\n        failed\n        dead\n        p95Ms\n        pausedUntil\n      }\n    }\n  }\n": { data: WebhookEndpointsQuery; variables: WebhookEndpointsQueryVariables };
  "\n  mutation EnableWebhook($input: WebhookEndpointInput!) {\n    enableWebhookEndpoint(input: $input) {\n      endpoint {\n        id\n        disabledAt\n        disabledReason\n      }\n    }\n  }\n": { data: EnableWebhookMutation; variables: EnableWebhookMutationVariables };
  "\n  mutation SendTest($input: SendTestEventInput!) {\n    sendTestEvent(input: $input) {\n      delivery {\n        id\n        apiRequestId\n        state\n      }\n    }\n  }\n": { data: SendTestMutation; variables: SendTestMutationVariables };
  "\n  query Search($text: String!) {\n    search(text: $text) {\n      title\n      detail\n      matched\n      node {\n        kind: __typename\n        id\n        ... on User {\n          developer {\n            id\n            name\n          }\n        }\n        ... on Order {\n          status\n          amount\n          environment\n        }\n      }\n    }\n  }\n": { data: SearchQuery; variables: SearchQueryVariables };
  "\n  query FindOrder($reference: String!) {\n    orders(first: 5, filter: { reference: $reference }) {\n      edges {\n        node {\n          id\n          apiRequestId\n          status\n          amount\n          environment\n        }\n      }\n    }\n  }\n": { data: FindOrderQuery; variables: FindOrderQueryVariables };
  "\n  mutation SetAccess($input: SetServiceAccessManyInput!) {\n    setServiceAccessMany(input: $input) {\n      access {\n        id\n        service\n        enabled\n        fee\n        changedAt\n        changedBy {\n          name\n        }\n      }\n      undo {\n        developerId\n        service\n        enabled\n        fee\n      }\n      proposals {\n        id\n      }\n    }\n  }\n": { data: SetAccessMutation; variables: SetAccessMutationVariables };
  "\n  mutation ShowFactorAgain($input: ConfirmSecondFactorInput!) {\n    confirmSecondFactor(input: $input) {\n      confirmedUntil\n    }\n  }\n": { data: ShowFactorAgainMutation; variables: ShowFactorAgainMutationVariables };
  "\n  mutation PasskeyToConfirm {\n    startPasskeySignIn(input: { use: CONFIRM }) {\n      options\n    }\n  }\n": { data: PasskeyToConfirmMutation; variables: PasskeyToConfirmMutationVariables };
}