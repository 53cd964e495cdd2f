/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
/** What the owner of a token may be. */
export type AccountRole =
  /** Calls the API for an account of its own. */
  | 'DEVELOPER';

/** A lead: a customer’s interest in one product. */
export type CreateLeadInput = {
  /** Product category id. */
  categoryId?: number | null | undefined;
  /** From upsertProfile. Without it the default customer of this environment is used. */
  customerId?: string | null | undefined;
  /** From products. */
  productId: string;
  /** Rupees, for loans. */
  requiredAmount?: number | null | undefined;
};

/** A new webhook endpoint. */
export type CreateWebhookEndpointInput = {
  /** Only these are posted to it. Left out, or with every type: all, also those that come later. */
  types?: Array<WebhookEventType> | null | undefined;
  /** Where events are posted to: https, a host of the public internet. */
  url: string;
};

/** What kind of customer applies. */
export type CustomerCategory =
  /** A person. */
  | 'INDIVIDUAL'
  /** A company or another organisation. */
  | 'NON_INDIVIDUAL';

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
  /** The provider reversed the payment after it had succeeded. */
  | 'REVERSED_BY_PROVIDER'
  /** Support reversed the payment after it had succeeded. The operator may have performed it. */
  | 'REVERSED_BY_SUPPORT'
  /** The provider declined the payment and did not say why. */
  | 'UNSPECIFIED';

/** Which DTH subscription is asked about. */
export type DthLookupInput = {
  /** Your id of the lookup: an equal request within ten minutes gets the same data again, free of charge. So do equal requests without one. */
  clientRequestId?: string | null | undefined;
  /** Subscriber or VC number, at most 32 characters. */
  dthNumber: string;
  /** The DTH operator. */
  opcode: DthOpcode;
};

/** DTH operators as plan and customer lookups name them. */
export type DthOpcode =
  /** Airtel Digital TV. */
  | 'ATV'
  /** Dish TV. */
  | 'DTV'
  /** Sun Direct. */
  | 'STV'
  /** Tata Play. */
  | 'TTV'
  /** Videocon d2h. */
  | 'VTV';

/** The two worlds of the API, each with hosts, credentials, tokens and a wallet of its own. */
export type Environment =
  /** Live providers and real money. */
  | 'PRODUCTION'
  /** Sample data and play money; no provider is ever called. */
  | 'UAT';

/** Which credit card bill to fetch. */
export type FetchCardBillInput = {
  /** The last 4 digits, or the identifier that the bank asks for. Never the whole card number. */
  card: string;
  /** Your order id. The same request within 10 minutes gets the same bill for nothing. */
  clientRequestId: string;
  /** The 10-digit mobile number that is registered with the bank. */
  mobile: string;
  /** The bank’s operator code, passed on as it is. */
  opcode: string;
};

/** Gender of a customer. */
export type Gender =
  /** Female. */
  | 'FEMALE'
  /** Male. */
  | 'MALE'
  /** Any other. */
  | 'OTHER';

/** Client credentials of one environment. */
export type IssueTokenInput = {
  /** The API secret that was shown once. */
  apiSecret: string;
  /** Public identifier. */
  clientId: string;
  /** Free label. */
  deviceName?: string | null | undefined;
  /** Must be the environment of this host. */
  environment: Environment;
};

/** Where a lead stands at the provider. */
export type LeadStatus =
  /** Granted. The per-lead fee is charged when this is seen for the first time. */
  | 'APPROVED'
  /** The application could not be completed. */
  | 'FAILED'
  /** Created; the customer has not applied yet. */
  | 'PENDING'
  /** Refused by the bank. */
  | 'REJECTED'
  /** The application is with the bank. */
  | 'SUBMITTED'
  /** The application is complete. No fee. */
  | 'SUCCESS';

/** Mobile operators as plan lookups name them. */
export type MobileOpcode =
  /** Airtel. */
  | 'A'
  /** BSNL Special. */
  | 'BS'
  /** BSNL Topup. */
  | 'BT'
  /** Jio. */
  | 'J'
  /** Vi. */
  | 'V';

/** The plans of which mobile number, operator and circle are asked for. */
export type MobilePlansInput = {
  /** The circle, as operatorFind returns it. */
  circle: string;
  /** Your id of the lookup: an equal request within ten minutes gets the same data again, free of charge. So do equal requests without one. */
  clientRequestId?: string | null | undefined;
  /** Exactly 10 digits. */
  mobile: string;
  /** The operator, as operatorFind returns it. */
  opcode: MobileOpcode;
};

/** The operator of which mobile number is looked for. */
export type OperatorFindInput = {
  /** Your id of the lookup: an equal request within ten minutes gets the same data again, free of charge. So do equal requests without one. */
  clientRequestId?: string | null | undefined;
  /** Exactly 10 digits. */
  mobile: string;
};

/** What is recharged. */
export type OperatorType =
  /** A satellite-TV subscription. */
  | 'DTH'
  /** A prepaid mobile number. */
  | 'MOBILE';

/** Which orders are listed: those that fit everything that is given. */
export type OrderFilter = {
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
  /** With this transaction id of the provider. */
  providerTxnId?: string | null | undefined;
  /** With this reference, whichever it is: its number, our request id, the id of the order, its caller’s key, the operator’s reference, the UTR, the provider’s transaction id, or the last 4 digits of its card. */
  reference?: string | null | undefined;
  /** With one of these states. */
  status?: Array<OrderStatus> | null | undefined;
  /** Accepted before this instant. */
  to?: string | null | undefined;
  /** Card payments with this payment reference. */
  utr?: string | null | undefined;
};

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

/** A payment for a fetched credit card bill. */
export type PayCardBillInput = {
  /** Rupees, greater than 0. May differ from the bill. */
  amount: number;
  /** As it was fetched. */
  card: string;
  /** Your unique payment order id: a repetition gets the first answer; another payment with it is refused with DUPLICATE_ORDER. */
  clientRequestId: string;
  /** From the bill; pays once, for 24 hours. */
  fetchId: string;
  /** As it was fetched. */
  mobile: string;
  /** As it was fetched. */
  opcode: string;
  /** The payer’s PAN; required at 50,000.00 rupees or more. */
  pan?: string | null | undefined;
};

/** One product. */
export type ProductDetailsInput = {
  /** Card id; credit cards only. */
  cardId?: number | null | undefined;
  /** Product category id. */
  categoryId?: number | null | undefined;
  /** From products. */
  productId: string;
};

/** A recharge of a prepaid mobile number or a DTH subscription. */
export type RechargeInput = {
  /** Mobile: 10-digit number. DTH: subscriber or account number, 4 to 20 characters. */
  accountNumber: string;
  /** Without a key: perform it although it is equal to a recharge of the last minutes. Of no effect where there is a key. */
  allowDuplicate?: boolean | null | undefined;
  /** Rupees, greater than 0. */
  amount: number;
  /** Mobile: circle name or code from the lookups. Not used for DTH. */
  circle?: string | null | undefined;
  /** Your unique order id: a repetition gets the first answer instead of a second recharge. */
  clientRequestId?: string | null | undefined;
  /** Contact number of the customer. */
  customerNumber?: string | null | undefined;
  /** Latitude and longitude of the sale. */
  geocode?: string | null | undefined;
  /** Operator code (SP key). */
  operatorSpKey: number;
  /** What is recharged. */
  operatorType: OperatorType;
  /** PIN code of the sale. */
  pincode?: string | null | undefined;
};

/** Which delivery. */
export type RedeliverWebhookInput = {
  /** Id of the delivery. */
  deliveryId: string;
};

/** Deliveries of an endpoint to redeliver. A delivery has to match every field. */
export type RedeliverWebhooksInput = {
  /** ID of the endpoint. */
  endpointId: string;
  /** Recorded at this time or later. */
  from: string;
  /** In one of these states; without it FAILED and CANCELLED. */
  state?: Array<WebhookDeliveryState> | null | undefined;
  /** Recorded before this time. */
  to: string;
  /** Of one of these types; without it of every type. */
  type?: Array<WebhookEventType> | null | undefined;
};

/** Play money for the wallet of UAT. */
export type RefillSandboxWalletInput = {
  /** Rupees, up to 1000000; 200000 without it. */
  amount?: number | null | undefined;
};

/** What a call of the sandbox comes to. */
export type SandboxOutcome =
  /** The provider declines; the money comes back. A lookup fails. */
  | 'DECLINE'
  /** The outcome is not known at first; the third status check says that it failed, and the money comes back. */
  | 'PENDING_THEN_FAILURE'
  /** The outcome is not known at first; the third status check says success. */
  | 'PENDING_THEN_SUCCESS'
  /** The provider cannot be reached: PROVIDER_UNAVAILABLE before any money moves. */
  | 'PROVIDER_DOWN'
  /** A success that is taken back a few seconds later. */
  | 'SUCCESS_THEN_REVERSAL'
  /** No answer in time, although it was performed: the first status check says success. A lookup fails. */
  | 'TIMEOUT';

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

/** What the next call with a key, or about a number, comes to. */
export type SetSandboxScenarioInput = {
  /** The next call about this number: an account, mobile or DTH number, of a bill the mobile. */
  accountNumber?: string | null | undefined;
  /** The next call with this key of yours: client_request_id, or the orderid of a bill payment or lookup. */
  clientRequestId?: string | null | undefined;
  /** What it comes to. */
  outcome: SandboxOutcome;
  /** Why it is declined: of DECLINE and PENDING_THEN_FAILURE. Lookups that fail name none. */
  reason?: DeclineReason | null | undefined;
};

/** Why money moved. */
export type StatementKind =
  /** Correction of a balance that had changed without an entry. */
  | 'CORRECTION'
  /** Money was taken out by us, with a reason. */
  | 'DEBIT'
  /** A charged call was accepted: its amount or fee left the wallet. */
  | 'HOLD'
  /** A lead was approved. */
  | 'LEAD_FEE'
  /** The call was not performed: what it held is back. */
  | 'REFUND'
  /** The refund of a payment was reversed because the provider completed the payment. */
  | 'REFUND_REVERSAL'
  /** A payment was taken back after it had succeeded: its amount is back. */
  | 'REVERSAL'
  /** Money was paid in. */
  | 'TOP_UP';

/** What an endpoint gets. */
export type UpdateWebhookEndpointInput = {
  /** Id of the endpoint. */
  endpointId: string;
  /** Only these are posted to it from now on. With every type: all, also those that come later. */
  types: Array<WebhookEventType>;
};

/** A customer of a financial product. Every field is needed again when the customer is updated. */
export type UpsertProfileInput = {
  /** At most 255 characters. Line breaks become spaces. */
  address: string;
  /** A person or an organisation. */
  category: CustomerCategory;
  /** Product category id, see productCategories. */
  categoryId: number;
  /** Company id, see leadCompanies. */
  company: number;
  /** From a previous profile call. A known mobile number is updated without it, too. */
  customerId?: string | null | undefined;
  /** Date of birth. */
  dob: string;
  /** Email address. */
  email: string;
  /** At most 50 characters. */
  firstName: string;
  /** Gender. */
  gender: Gender;
  /** Rupees, the income of the last tax return: greater than 0 when occupation is 2. Counts as 0 otherwise. */
  itrAmount: number;
  /** At most 50 characters. */
  lastName: string;
  /** 10-digit Indian mobile number. A number that is known already updates its customer. */
  mobile: string;
  /** Rupees. Counts as 0 when occupation is 2. */
  monthlySalary: number;
  /** Occupation id, see leadOccupations; 2 means self-employed. */
  occupation: number;
  /** Permanent account number, 10 characters; lower case is accepted. */
  pan: string;
  /** Pincode id, see leadPincodes. */
  pincode: number;
};

/** What may be wrong with a call that was done all the same. */
export type WarningCode =
  /** An equal recharge was performed in the last three minutes, and neither has a clientRequestId. */
  | 'LIKELY_DUPLICATE'
  /** In UAT: the request has no clientRequestId, so that the same request again is another recharge. */
  | 'MISSING_KEY'
  /** In UAT: no operator is known by this operatorSpKey. In production the provider decides about it. */
  | 'UNKNOWN_OPERATOR'
  /** The request has no clientRequestId, and a field of REST or a header that is named like one. It is not read: the same request again is another recharge. */
  | 'UNREAD_KEY';

/** What became of the delivery of one event to one endpoint. */
export type WebhookDeliveryState =
  /** The endpoint was disabled, or the receiver answered 410 Gone. */
  | 'CANCELLED'
  /** The receiver answered 2xx. */
  | 'DELIVERED'
  /** All retries over about 48 hours failed. Send the delivery again when the receiver works. */
  | 'FAILED'
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
  /** The receiver did not respond within 15 seconds. */
  | 'TIMEOUT'
  /** The certificate is wrong, or TLS failed in another way. */
  | 'TLS_FAILED';

/** What a message reports: its `type`, such as recharge.succeeded. */
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

export type IssueTokenMutationVariables = Exact<{
  input: IssueTokenInput;
}>;


export type IssueTokenMutation = { result: { token: string, tokenType: string, environment: Environment, baseUrl: string, expiresAt: string, account: { accountNumber: number, name: string, email: string } } | null };

export type MeQueryVariables = Exact<{ [key: string]: never; }>;


export type MeQuery = { result: { accountNumber: number, name: string, email: string, roles: Array<AccountRole>, permissions: Array<Service> } | null };

export type FetchCardBillMutationVariables = Exact<{
  input: FetchCardBillInput;
}>;


export type FetchCardBillMutation = { result: { fee: number, clientRequestId: string, wallet: { balance: number } | null, bill: { fetchId: string, billDate: string, billAmount: number, minimumDue: number, billDueDate: string, customerName: string } } | null };

export type PayCardBillMutationVariables = Exact<{
  input: PayCardBillInput;
}>;


export type PayCardBillMutation = { result: { order: { status: OrderStatus, apiRequestId: string, amount: number, clientRequestId: string | null, mobile: string | null, card: string | null, utr: string | null, txid: number | null, decline: { reason: DeclineReason } | null }, wallet: { balance: number } | null } | null };

export type CardPaymentStatusQueryVariables = Exact<{
  clientRequestId?: string | null | undefined;
  apiRequestId?: string | null | undefined;
}>;


export type CardPaymentStatusQuery = { result: { status: OrderStatus, amount: number, clientRequestId: string | null, mobile: string | null, card: string | null, utr: string | null, txid: number | null, decline: { reason: DeclineReason } | null, wallet: { balance: number } | null } | null };

export type OperatorsQueryVariables = Exact<{
  type?: OperatorType | null | undefined;
}>;


export type OperatorsQuery = { result: Array<{ name: string, type: OperatorType, spKey: number, opcode: string | null, available: boolean, maxAmount: number | null }> | null };

export type CirclesQueryVariables = Exact<{ [key: string]: never; }>;


export type CirclesQuery = { result: Array<{ code: string, name: string }> | null };

export type BanksQueryVariables = Exact<{ [key: string]: never; }>;


export type BanksQuery = { result: Array<{ opcode: string, name: string }> | null };

export type UpsertProfileMutationVariables = Exact<{
  input: UpsertProfileInput;
}>;


export type UpsertProfileMutation = { result: { fee: number, wallet: { balance: number } | null, customer: { mobile: string, customerId: string, categoryId: number, productId: string | null } } | null };

export type CreateLeadMutationVariables = Exact<{
  input: CreateLeadInput;
}>;


export type CreateLeadMutation = { result: { fee: number, campaignUrl: string, wallet: { balance: number } | null, lead: { leadCode: string } } | null };

export type LeadStatusQueryVariables = Exact<{
  leadCode: string;
}>;


export type LeadStatusQuery = { result: { fee: number, wallet: { balance: number } | null, lead: { leadCode: string, status: LeadStatus } } | null };

export type OrdersQueryVariables = Exact<{
  filter?: OrderFilter | null | undefined;
  first?: number | null | undefined;
  after?: string | null | undefined;
}>;


export type OrdersQuery = { result: { searchedFrom: string | null, edges: Array<{ node: { apiRequestId: string, clientRequestId: string | null, kind: OrderKind, status: OrderStatus, amount: number, refunded: number, accountNumber: string | null, operatorRef: string | null, card: string | null, mobile: string | null, utr: string | null, txid: number | null, providerTxnId: string | null, createdAt: string, settledAt: string | null, reversedAt: string | null, decline: { reason: DeclineReason } | null, operator: { name: string, spKey: number } | null } }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null };

export type OperatorFindQueryVariables = Exact<{
  input: OperatorFindInput;
}>;


export type OperatorFindQuery = { result: { fee: number, clientRequestId: string | null, mobile: string, operatorName: string, wallet: { balance: number } | null, circle: { code: string, name: string } } | null };

export type MobilePlansQueryVariables = Exact<{
  input: MobilePlansInput;
}>;


export type MobilePlansQuery = { result: { fee: number, clientRequestId: string | null, operatorName: string, wallet: { balance: number } | null, groups: Array<{ name: string, plans: Array<{ price: number, type: string, description: string, validity: string }> }> } | null };

export type DthPlansQueryVariables = Exact<{
  input: DthLookupInput;
}>;


export type DthPlansQuery = { result: { fee: number, clientRequestId: string | null, operatorName: string, wallet: { balance: number } | null, groups: Array<{ name: string, plans: Array<{ price: number, type: string, description: string, validity: string }> }> } | null };

export type DthInfoQueryVariables = Exact<{
  input: DthLookupInput;
}>;


export type DthInfoQuery = { result: { fee: number, clientRequestId: string | null, wallet: { balance: number } | null, customers: Array<{ subscriberNumber: string, name: string, balance: number, minimumRecharge: number | null }> } | null };

export type ProductCategoriesQueryVariables = Exact<{ [key: string]: never; }>;


export type ProductCategoriesQuery = { result: { fee: number, wallet: { balance: number } | null, categories: Array<{ categoryId: number, title: string }> } | null };

export type ProductsQueryVariables = Exact<{
  categoryId: number;
}>;


export type ProductsQuery = { result: { fee: number, wallet: { balance: number } | null, products: Array<{ productId: string, title: string, subTitle: string, logo: string }> } | null };

export type ProductDetailsQueryVariables = Exact<{
  input: ProductDetailsInput;
}>;


export type ProductDetailsQuery = { result: { fee: number, url: string, campaignUrl: string, wallet: { balance: number } | null } | null };

export type RechargeMutationVariables = Exact<{
  input: RechargeInput;
}>;


export type RechargeMutation = { result: { replayed: boolean, order: { status: OrderStatus, amount: number, createdAt: string, operatorRef: string | null, accountNumber: string | null, apiRequestId: string, providerTxnId: string | null, clientRequestId: string | null, decline: { reason: DeclineReason } | null }, warnings: Array<{ code: WarningCode, message: string, apiRequestId: string | null }> } | null };

export type RechargeStatusQueryVariables = Exact<{
  clientRequestId?: string | null | undefined;
  apiRequestId?: string | null | undefined;
}>;


export type RechargeStatusQuery = { result: { status: OrderStatus, amount: number, createdAt: string, operatorRef: string | null, accountNumber: string | null, apiRequestId: string, providerTxnId: string | null, clientRequestId: string | null, decline: { reason: DeclineReason } | null } | null };

export type SandboxScenarioMutationVariables = Exact<{
  input: SetSandboxScenarioInput;
}>;


export type SandboxScenarioMutation = { result: { outcome: SandboxOutcome, reason: DeclineReason | null, clientRequestId: string | null, accountNumber: string | null, expiresAt: string } | null };

export type SandboxRefillMutationVariables = Exact<{
  input: RefillSandboxWalletInput;
}>;


export type SandboxRefillMutation = { result: { refillsLeft: number, entry: { amount: number, reference: string }, wallet: { balance: number } } | null };

export type WalletBalanceQueryVariables = Exact<{ [key: string]: never; }>;


export type WalletBalanceQuery = { result: { balance: number, held: number | null, environment: Environment } | null };

export type WalletStatementQueryVariables = Exact<{
  from?: string | null | undefined;
  to?: string | null | undefined;
  kinds?: Array<StatementKind> | StatementKind | null | undefined;
  reference?: string | null | undefined;
  first?: number | null | undefined;
  after?: string | null | undefined;
}>;


export type WalletStatementQuery = { result: { statement: { edges: Array<{ node: { id: string, at: string, kind: StatementKind, amount: number, balanceAfter: number, reference: string } }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null } | null };

export type CreateWebhookMutationVariables = Exact<{
  input: CreateWebhookEndpointInput;
}>;


export type CreateWebhookMutation = { result: { secret: string, endpoint: { id: string, url: string, types: Array<WebhookEventType>, createdAt: string, previousSecretUntil: string | null, disabledAt: string | null, disabledReason: WebhookDisabledReason | null } } | null };

export type ListWebhooksQueryVariables = Exact<{ [key: string]: never; }>;


export type ListWebhooksQuery = { result: Array<{ id: string, url: string, types: Array<WebhookEventType>, createdAt: string, previousSecretUntil: string | null, disabledAt: string | null, disabledReason: WebhookDisabledReason | null }> | null };

export type UpdateWebhookMutationVariables = Exact<{
  input: UpdateWebhookEndpointInput;
}>;


export type UpdateWebhookMutation = { result: { endpoint: { id: string, url: string, types: Array<WebhookEventType>, createdAt: string, previousSecretUntil: string | null, disabledAt: string | null, disabledReason: WebhookDisabledReason | null } } | null };

export type RotateWebhookMutationVariables = Exact<{
  input: WebhookEndpointInput;
}>;


export type RotateWebhookMutation = { result: { secret: string, endpoint: { id: string, url: string, types: Array<WebhookEventType>, createdAt: string, previousSecretUntil: string | null, disabledAt: string | null, disabledReason: WebhookDisabledReason | null } } | null };

export type DisableWebhookMutationVariables = Exact<{
  input: WebhookEndpointInput;
}>;


export type DisableWebhookMutation = { result: { endpoint: { id: string, url: string, types: Array<WebhookEventType>, createdAt: string, previousSecretUntil: string | null, disabledAt: string | null, disabledReason: WebhookDisabledReason | null } } | null };

export type EnableWebhookMutationVariables = Exact<{
  input: WebhookEndpointInput;
}>;


export type EnableWebhookMutation = { result: { endpoint: { id: string, url: string, types: Array<WebhookEventType>, createdAt: string, previousSecretUntil: string | null, disabledAt: string | null, disabledReason: WebhookDisabledReason | null } } | null };

export type TestWebhookMutationVariables = Exact<{
  input: SendTestEventInput;
}>;


export type TestWebhookMutation = { result: { delivery: { id: string, endpointId: string, type: WebhookEventType, apiRequestId: string, occurredAt: string, state: WebhookDeliveryState, attemptCount: number, lastAttemptAt: string | null, nextAttemptAt: string | null, httpStatus: number | null, error: WebhookError | null } } | null };

export type WebhookDeliveriesQueryVariables = Exact<{
  endpointId: string;
  first?: number | null | undefined;
  after?: string | null | undefined;
}>;


export type WebhookDeliveriesQuery = { result: { edges: Array<{ node: { id: string, endpointId: string, type: WebhookEventType, apiRequestId: string, occurredAt: string, state: WebhookDeliveryState, attemptCount: number, lastAttemptAt: string | null, nextAttemptAt: string | null, httpStatus: number | null, error: WebhookError | null } }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } | null };

export type RedeliverWebhookMutationVariables = Exact<{
  input: RedeliverWebhookInput;
}>;


export type RedeliverWebhookMutation = { result: { delivery: { id: string, endpointId: string, type: WebhookEventType, apiRequestId: string, occurredAt: string, state: WebhookDeliveryState, attemptCount: number, lastAttemptAt: string | null, nextAttemptAt: string | null, httpStatus: number | null, error: WebhookError | null } } | null };

export type RedeliverWebhooksMutationVariables = Exact<{
  input: RedeliverWebhooksInput;
}>;


export type RedeliverWebhooksMutation = { result: { count: number, nextFrom: string | null } | null };

export type DeleteWebhookMutationVariables = Exact<{
  input: WebhookEndpointInput;
}>;


export type DeleteWebhookMutation = { result: { deletedEndpointId: string } | null };

export interface Documents {
  "\n      mutation IssueToken($input: IssueTokenInput!) {\n        result: issueToken(input: $input) {\n          token\n          tokenType\n          environment\n          baseUrl\n          expiresAt\n          account { accountNumber name email }\n        }\n      }\n    ": { data: IssueTokenMutation; variables: IssueTokenMutationVariables };
  "\n      query Me {\n        result: me { accountNumber name email roles permissions }\n      }\n    ": { data: MeQuery; variables: MeQueryVariables };
  "\n      mutation FetchCardBill($input: FetchCardBillInput!) {\n        result: fetchCardBill(input: $input) {\n          fee\n          wallet { balance }\n          clientRequestId\n          bill { fetchId billDate billAmount minimumDue billDueDate customerName }\n        }\n      }\n    ": { data: FetchCardBillMutation; variables: FetchCardBillMutationVariables };
  "\n      mutation PayCardBill($input: PayCardBillInput!) {\n        result: payCardBill(input: $input) {\n          order { status apiRequestId amount clientRequestId mobile card utr txid decline { reason } }\n          wallet { balance }\n        }\n      }\n    ": { data: PayCardBillMutation; variables: PayCardBillMutationVariables };
  "\n      query CardPaymentStatus($clientRequestId: String, $apiRequestId: String) {\n        result: order(kind: CARD_PAYMENT, clientRequestId: $clientRequestId, apiRequestId: $apiRequestId) {\n          status\n          amount\n          clientRequestId\n          mobile\n          card\n          utr\n          txid\n          decline { reason }\n          wallet { balance }\n        }\n      }\n    ": { data: CardPaymentStatusQuery; variables: CardPaymentStatusQueryVariables };
  "\n      query Operators($type: OperatorType) {\n        result: operators(type: $type) { name type spKey opcode available maxAmount }\n      }\n    ": { data: OperatorsQuery; variables: OperatorsQueryVariables };
  "\n      query Circles {\n        result: circles { code name }\n      }\n    ": { data: CirclesQuery; variables: CirclesQueryVariables };
  "\n      query Banks {\n        result: banks { opcode name }\n      }\n    ": { data: BanksQuery; variables: BanksQueryVariables };
  "\n      mutation UpsertProfile($input: UpsertProfileInput!) {\n        result: upsertProfile(input: $input) {\n          fee\n          wallet { balance }\n          customer { mobile customerId categoryId productId }\n        }\n      }\n    ": { data: UpsertProfileMutation; variables: UpsertProfileMutationVariables };
  "\n      mutation CreateLead($input: CreateLeadInput!) {\n        result: createLead(input: $input) {\n          fee\n          wallet { balance }\n          lead { leadCode }\n          campaignUrl\n        }\n      }\n    ": { data: CreateLeadMutation; variables: CreateLeadMutationVariables };
  "\n      query LeadStatus($leadCode: String!) {\n        result: leadStatus(leadCode: $leadCode) {\n          fee\n          wallet { balance }\n          lead { leadCode status }\n        }\n      }\n    ": { data: LeadStatusQuery; variables: LeadStatusQueryVariables };
  "\n      query Orders($filter: OrderFilter, $first: Int, $after: String) {\n        result: orders(filter: $filter, first: $first, after: $after) {\n          edges {\n            node {\n              apiRequestId clientRequestId kind status decline { reason } amount refunded\n              accountNumber operator { name spKey } operatorRef card mobile utr txid providerTxnId\n              createdAt settledAt reversedAt\n            }\n          }\n          pageInfo { hasNextPage endCursor }\n          searchedFrom\n        }\n      }\n    ": { data: OrdersQuery; variables: OrdersQueryVariables };
  "\n      query OperatorFind($input: OperatorFindInput!) {\n        result: operatorFind(input: $input) {\n          fee\n          wallet { balance }\n          clientRequestId\n          mobile\n          operatorName\n          circle { code name }\n        }\n      }\n    ": { data: OperatorFindQuery; variables: OperatorFindQueryVariables };
  "\n      query MobilePlans($input: MobilePlansInput!) {\n        result: mobilePlans(input: $input) {\n          fee\n          wallet { balance }\n          clientRequestId\n          operatorName\n          groups { name plans { price type description validity } }\n        }\n      }\n    ": { data: MobilePlansQuery; variables: MobilePlansQueryVariables };
  "\n      query DthPlans($input: DthLookupInput!) {\n        result: dthPlans(input: $input) {\n          fee\n          wallet { balance }\n          clientRequestId\n          operatorName\n          groups { name plans { price type description validity } }\n        }\n      }\n    ": { data: DthPlansQuery; variables: DthPlansQueryVariables };
  "\n      query DthInfo($input: DthLookupInput!) {\n        result: dthInfo(input: $input) {\n          fee\n          wallet { balance }\n          clientRequestId\n          customers { subscriberNumber name balance minimumRecharge }\n        }\n      }\n    ": { data: DthInfoQuery; variables: DthInfoQueryVariables };
  "\n      query ProductCategories {\n        result: productCategories {\n          fee\n          wallet { balance }\n          categories { categoryId title }\n        }\n      }\n    ": { data: ProductCategoriesQuery; variables: ProductCategoriesQueryVariables };
  "\n      query Products($categoryId: Int!) {\n        result: products(categoryId: $categoryId) {\n          fee\n          wallet { balance }\n          products { productId title subTitle logo }\n        }\n      }\n    ": { data: ProductsQuery; variables: ProductsQueryVariables };
  "\n      query ProductDetails($input: ProductDetailsInput!) {\n        result: productDetails(input: $input) {\n          fee\n          wallet { balance }\n          url\n          campaignUrl\n        }\n      }\n    ": { data: ProductDetailsQuery; variables: ProductDetailsQueryVariables };
  "\n      mutation Recharge($input: RechargeInput!) {\n        result: recharge(input: $input) {\n          order {\n            status amount createdAt operatorRef accountNumber apiRequestId providerTxnId clientRequestId\n            decline { reason }\n          }\n          replayed\n          warnings { code message apiRequestId }\n        }\n      }\n    ": { data: RechargeMutation; variables: RechargeMutationVariables };
  "\n      query RechargeStatus($clientRequestId: String, $apiRequestId: String) {\n        result: order(kind: RECHARGE, clientRequestId: $clientRequestId, apiRequestId: $apiRequestId) {\n          status\n          amount\n          createdAt\n          operatorRef\n          accountNumber\n          apiRequestId\n          providerTxnId\n          clientRequestId\n          decline { reason }\n        }\n      }\n    ": { data: RechargeStatusQuery; variables: RechargeStatusQueryVariables };
  "\n      mutation SandboxScenario($input: SetSandboxScenarioInput!) {\n        result: setSandboxScenario(input: $input) { outcome reason clientRequestId accountNumber expiresAt }\n      }\n    ": { data: SandboxScenarioMutation; variables: SandboxScenarioMutationVariables };
  "\n      mutation SandboxRefill($input: RefillSandboxWalletInput!) {\n        result: refillSandboxWallet(input: $input) {\n          entry { amount reference }\n          wallet { balance }\n          refillsLeft\n        }\n      }\n    ": { data: SandboxRefillMutation; variables: SandboxRefillMutationVariables };
  "\n      query WalletBalance {\n        result: wallet { balance held environment }\n      }\n    ": { data: WalletBalanceQuery; variables: WalletBalanceQueryVariables };
  "\n      query WalletStatement(\n        $from: DateTime, $to: DateTime, $kinds: [StatementKind!], $reference: String, $first: Int, $after: String\n      ) {\n        result: wallet {\n          statement(from: $from, to: $to, kinds: $kinds, reference: $reference, first: $first, after: $after) {\n            edges { node { id at kind amount balanceAfter reference } }\n            pageInfo { hasNextPage endCursor }\n          }\n        }\n      }\n    ": { data: WalletStatementQuery; variables: WalletStatementQueryVariables };
  "\n      mutation CreateWebhook($input: CreateWebhookEndpointInput!) {\n        result: createWebhookEndpoint(input: $input) {\n          secret\n          endpoint { id url types createdAt previousSecretUntil disabledAt disabledReason }\n        }\n      }\n    ": { data: CreateWebhookMutation; variables: CreateWebhookMutationVariables };
  "\n      query ListWebhooks {\n        result: webhookEndpoints { id url types createdAt previousSecretUntil disabledAt disabledReason }\n      }\n    ": { data: ListWebhooksQuery; variables: ListWebhooksQueryVariables };
  "\n      mutation UpdateWebhook($input: UpdateWebhookEndpointInput!) {\n        result: updateWebhookEndpoint(input: $input) {\n          endpoint { id url types createdAt previousSecretUntil disabledAt disabledReason }\n        }\n      }\n    ": { data: UpdateWebhookMutation; variables: UpdateWebhookMutationVariables };
  "\n      mutation RotateWebhook($input: WebhookEndpointInput!) {\n        result: rotateWebhookSecret(input: $input) {\n          secret\n          endpoint { id url types createdAt previousSecretUntil disabledAt disabledReason }\n        }\n      }\n    ": { data: RotateWebhookMutation; variables: RotateWebhookMutationVariables };
  "\n      mutation DisableWebhook($input: WebhookEndpointInput!) {\n        result: disableWebhookEndpoint(input: $input) {\n          endpoint { id url types createdAt previousSecretUntil disabledAt disabledReason }\n        }\n      }\n    ": { data: DisableWebhookMutation; variables: DisableWebhookMutationVariables };
  "\n      mutation EnableWebhook($input: WebhookEndpointInput!) {\n        result: enableWebhookEndpoint(input: $input) {\n          endpoint { id url types createdAt previousSecretUntil disabledAt disabledReason }\n        }\n      }\n    ": { data: EnableWebhookMutation; variables: EnableWebhookMutationVariables };
  "\n      mutation TestWebhook($input: SendTestEventInput!) {\n        result: sendTestEvent(input: $input) {\n          delivery {\n            id endpointId type apiRequestId occurredAt state attemptCount lastAttemptAt nextAttemptAt httpStatus error\n          }\n        }\n      }\n    ": { data: TestWebhookMutation; variables: TestWebhookMutationVariables };
  "\n      query WebhookDeliveries($endpointId: ID!, $first: Int, $after: String) {\n        result: webhookDeliveries(endpointId: $endpointId, first: $first, after: $after) {\n          edges {\n            node {\n              id endpointId type apiRequestId occurredAt state attemptCount lastAttemptAt nextAttemptAt httpStatus error\n            }\n          }\n          pageInfo { hasNextPage endCursor }\n        }\n      }\n    ": { data: WebhookDeliveriesQuery; variables: WebhookDeliveriesQueryVariables };
  "\n      mutation RedeliverWebhook($input: RedeliverWebhookInput!) {\n        result: redeliverWebhook(input: $input) {\n          delivery {\n            id endpointId type apiRequestId occurredAt state attemptCount lastAttemptAt nextAttemptAt httpStatus error\n          }\n        }\n      }\n    ": { data: RedeliverWebhookMutation; variables: RedeliverWebhookMutationVariables };
  "\n      mutation RedeliverWebhooks($input: RedeliverWebhooksInput!) {\n        result: redeliverWebhooks(input: $input) { count nextFrom }\n      }\n    ": { data: RedeliverWebhooksMutation; variables: RedeliverWebhooksMutationVariables };
  "\n      mutation DeleteWebhook($input: WebhookEndpointInput!) {\n        result: deleteWebhookEndpoint(input: $input) { deletedEndpointId }\n      }\n    ": { data: DeleteWebhookMutation; variables: DeleteWebhookMutationVariables };
}