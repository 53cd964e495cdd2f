/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
/** Role of the owner of a token. */
export type AccountRole =
  /** Calls the API for its own account. */
  | 'DEVELOPER';

/** Lead to create: a customer’s interest in one product. */
export type CreateLeadInput = {
  /** Product category ID. */
  categoryId?: number | null | undefined;
  /** Customer ID from `upsertProfile`. Omit to use the default customer of this environment. */
  customerId?: string | null | undefined;
  /** Product ID from `products`. */
  productId: string;
  /** Requested amount of a loan, in rupees. */
  requiredAmount?: number | null | undefined;
};

/** Settings of a new webhook endpoint. */
export type CreateWebhookEndpointInput = {
  /** Subscribed event types. If omitted, or if all types are listed, the endpoint receives all events, including types added later. */
  types?: Array<WebhookEventType> | null | undefined;
  /** URL that events are sent to. Must use https and a host on the public internet. */
  url: string;
};

/** Kind of customer. */
export type CustomerCategory =
  /** Individual. */
  | 'INDIVIDUAL'
  /** A company or another organization. */
  | 'NON_INDIVIDUAL';

/** Reason why a payment failed or was reversed, mapped from the documented provider codes. */
export type DeclineReason =
  /** The operator does not offer a recharge of this amount. */
  | 'AMOUNT_NOT_OFFERED'
  /** The operator recently processed an identical payment. */
  | 'DUPLICATE_AT_OPERATOR'
  /** The number is not known to the operator. */
  | 'INVALID_NUMBER'
  /** The operator does not currently accept further payments for this number. */
  | 'LIMIT_REACHED'
  /** The payment did not reach the provider. */
  | 'NEVER_SENT'
  /** The number belongs to another operator. */
  | 'NUMBER_NOT_ON_OPERATOR'
  /** The operator cannot be reached at the moment. */
  | 'OPERATOR_UNAVAILABLE'
  /** The provider did not forward the payment to the operator. */
  | 'PROVIDER_REFUSED'
  /** The provider reversed the payment after it had succeeded. */
  | 'REVERSED_BY_PROVIDER'
  /** Support reversed the payment after it had succeeded. The operator may have completed it. */
  | 'REVERSED_BY_SUPPORT'
  /** The provider declined the payment without giving a reason. */
  | 'UNSPECIFIED';

/** DTH subscription to look up. */
export type DthLookupInput = {
  /** Your ID for the lookup. An identical request within 10 minutes returns the same data free of charge. This also applies to identical requests without an ID. */
  clientRequestId?: string | null | undefined;
  /** Subscriber or VC number, at most 32 characters. */
  dthNumber: string;
  /** Opcode of the DTH operator. */
  opcode: DthOpcode;
};

/** Operator code of a DTH operator in plan and customer lookups. */
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

/** Environment of the API. Each environment has its own host, credentials, tokens and wallet. */
export type Environment =
  /** Live providers and real money. */
  | 'PRODUCTION'
  /** Sample data and test funds. No provider is ever called. */
  | 'UAT';

/** Bank, card and mobile number of the credit card bill to fetch. */
export type FetchCardBillInput = {
  /** Last 4 digits of the card, or the identifier that the bank requires. Never send the full card number. */
  card: string;
  /** Idempotency key of the request. The same request within 10 minutes returns the same bill without a fee. */
  clientRequestId: string;
  /** 10-digit mobile number registered with the bank. */
  mobile: string;
  /** Operator code of the bank, passed to the provider unchanged. */
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
  /** API secret, shown once when the API key was created. */
  apiSecret: string;
  /** Client ID. */
  clientId: string;
  /** Free-text label of the device or server. */
  deviceName?: string | null | undefined;
  /** Environment of the API key. Must be the environment of this host. */
  environment: Environment;
};

/** Status of a lead at the provider. */
export type LeadStatus =
  /** The application was approved. The fee per lead is charged when this status is first returned. */
  | 'APPROVED'
  /** The application could not be completed. */
  | 'FAILED'
  /** The lead was created. The customer has not applied yet. */
  | 'PENDING'
  /** The bank rejected the application. */
  | 'REJECTED'
  /** The application was submitted to the bank. */
  | 'SUBMITTED'
  /** The application is complete. No fee. */
  | 'SUCCESS';

/** Operator code of a mobile operator in plan lookups. */
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

/** Mobile number, operator and circle whose plans to list. */
export type MobilePlansInput = {
  /** Code of the circle, as returned by `operatorFind`. */
  circle: string;
  /** Your ID for the lookup. An identical request within 10 minutes returns the same data free of charge. This also applies to identical requests without an ID. */
  clientRequestId?: string | null | undefined;
  /** Mobile number, exactly 10 digits. */
  mobile: string;
  /** Opcode of the operator, as returned by `operatorFind`. */
  opcode: MobileOpcode;
};

/** Mobile number whose operator and circle to find. */
export type OperatorFindInput = {
  /** Your ID for the lookup. An identical request within 10 minutes returns the same data free of charge. This also applies to identical requests without an ID. */
  clientRequestId?: string | null | undefined;
  /** Mobile number, exactly 10 digits. */
  mobile: string;
};

/** Type of connection to recharge. */
export type OperatorType =
  /** Satellite TV (DTH) subscription. */
  | 'DTH'
  /** Prepaid mobile number. */
  | 'MOBILE';

/** Filters for orders. An order must match all given fields. */
export type OrderFilter = {
  /** Only orders with this mobile or subscriber number. For card bill payments, the mobile number in the request. */
  accountNumber?: string | null | undefined;
  /** Only orders with exactly this amount, in rupees. */
  amount?: number | null | undefined;
  /** Only the order with this `api_request_id`. */
  apiRequestId?: string | null | undefined;
  /** Only card bill payments with these last 4 characters of the card. */
  cardLast4?: string | null | undefined;
  /** Only orders with this idempotency key. */
  clientRequestId?: string | null | undefined;
  /** Only failed or reversed orders with one of these reasons. */
  declineReason?: Array<DeclineReason> | null | undefined;
  /** Only orders created at or after this time. */
  from?: string | null | undefined;
  /** Only orders of this kind. */
  kind?: OrderKind | null | undefined;
  /** Only orders with at most this amount, in rupees. */
  maxAmount?: number | null | undefined;
  /** Only orders with at least this amount, in rupees. */
  minAmount?: number | null | undefined;
  /** Only recharges with this operator reference. */
  operatorRef?: string | null | undefined;
  /** Only recharges with this operator. */
  operatorSpKey?: number | null | undefined;
  /** Only orders with this provider transaction ID. */
  providerTxnId?: string | null | undefined;
  /** Only orders with this reference. Matches the account number, `apiRequestId`, order ID, idempotency key, operator reference, UTR, provider transaction ID or last 4 digits of the card. */
  reference?: string | null | undefined;
  /** Only orders with one of these statuses. */
  status?: Array<OrderStatus> | null | undefined;
  /** Only orders created before this time. */
  to?: string | null | undefined;
  /** Only card bill payments with this payment reference (UTR). */
  utr?: string | null | undefined;
};

/** Type of an order. */
export type OrderKind =
  /** Credit card bill payment. */
  | 'CARD_PAYMENT'
  /** Mobile or DTH recharge. */
  | 'RECHARGE';

/** Status of a recharge or bill payment. */
export type OrderStatus =
  /** The order failed and the amount was refunded to the wallet. */
  | 'FAILED'
  /** The outcome is not known yet and the amount is held. Never create a new order. Retry the request with the same idempotency key. */
  | 'PENDING'
  /** The order succeeded and was reversed later. The amount was refunded to the wallet. */
  | 'REVERSED'
  /** The order succeeded and the debit is final. */
  | 'SUCCESS';

/** A payment for a fetched credit card bill. */
export type PayCardBillInput = {
  /** Amount in rupees, greater than 0. It may differ from the bill amount. */
  amount: number;
  /** Card, as in the bill fetch. */
  card: string;
  /** Idempotency key of the payment. A retry with the same key returns the first result; a different payment with it is rejected with DUPLICATE_ORDER. */
  clientRequestId: string;
  /** Fetch ID of the bill. Valid for one payment within 24 hours. */
  fetchId: string;
  /** Mobile number, as in the bill fetch. */
  mobile: string;
  /** Operator code of the bank, as in the bill fetch. */
  opcode: string;
  /** PAN of the payer. Required for amounts of 50,000.00 rupees or more. */
  pan?: string | null | undefined;
};

/** Product whose links to fetch. */
export type ProductDetailsInput = {
  /** Card ID, for credit cards only. */
  cardId?: number | null | undefined;
  /** Product category ID. */
  categoryId?: number | null | undefined;
  /** Product ID from `products`. */
  productId: string;
};

/** A recharge of a prepaid mobile number or a DTH subscription. */
export type RechargeInput = {
  /** Account to recharge. Mobile: 10-digit number. DTH: subscriber or account number, 4 to 20 letters, digits and hyphens. */
  accountNumber: string;
  /** Whether to place a recharge without an idempotency key even if it is identical to a recharge of the last few minutes. Has no effect on a request with a key. */
  allowDuplicate?: boolean | null | undefined;
  /** Amount in rupees, greater than 0. */
  amount: number;
  /** Circle name or code from the lookups. Mobile only; ignored for DTH. */
  circle?: string | null | undefined;
  /** Idempotency key of the order. A retry with the same key returns the first result and does not create a second recharge. */
  clientRequestId?: string | null | undefined;
  /** Contact number of the customer. */
  customerNumber?: string | null | undefined;
  /** Latitude and longitude of the point of sale. */
  geocode?: string | null | undefined;
  /** Operator code (SP key). */
  operatorSpKey: number;
  /** Type of the account to recharge. */
  operatorType: OperatorType;
  /** PIN code of the point of sale. */
  pincode?: string | null | undefined;
};

/** ID of the delivery to resend. */
export type RedeliverWebhookInput = {
  /** ID of the delivery. */
  deliveryId: string;
};

/** Filters for the deliveries to resend. A delivery must match all given fields. */
export type RedeliverWebhooksInput = {
  /** ID of the endpoint. */
  endpointId: string;
  /** Only deliveries recorded at or after this time. */
  from: string;
  /** Only deliveries with one of these statuses. If omitted, FAILED and CANCELLED. */
  state?: Array<WebhookDeliveryState> | null | undefined;
  /** Only deliveries recorded before this time. */
  to: string;
  /** Only deliveries of these event types. If omitted, all types. */
  type?: Array<WebhookEventType> | null | undefined;
};

/** Test funds to add to the UAT wallet. */
export type RefillSandboxWalletInput = {
  /** Amount in rupees, at most 1000000. Default: 200000. */
  amount?: number | null | undefined;
};

/** Simulated outcome of a sandbox call. */
export type SandboxOutcome =
  /** The provider declines the payment and the amount is refunded. A lookup fails. */
  | 'DECLINE'
  /** The payment is pending at first. The third status check returns a failure, and the amount is refunded. */
  | 'PENDING_THEN_FAILURE'
  /** The payment is pending at first. The third status check returns success. */
  | 'PENDING_THEN_SUCCESS'
  /** The provider is unavailable. The call fails with PROVIDER_UNAVAILABLE before money moves. */
  | 'PROVIDER_DOWN'
  /** The payment succeeds and is reversed a few seconds later. */
  | 'SUCCESS_THEN_REVERSAL'
  /** The provider does not respond in time, but the payment succeeds. The first status check returns success. A lookup fails. */
  | 'TIMEOUT';

/** ID of the webhook endpoint that receives a test message. */
export type SendTestEventInput = {
  /** ID of the endpoint. */
  endpointId: string;
};

/** Service that an admin can enable for a developer. */
export type Service =
  /** Credit card bill fetch. */
  | 'CREDIT_CARD_FETCH'
  /** DTH customer info. */
  | 'DTH_INFO'
  /** DTH plan fetch. */
  | 'DTH_PLAN_FETCH'
  /** Profiles, leads, lead status, products and categories. */
  | 'LEAD_GENERATION'
  /** Mobile operator lookup. */
  | 'OPERATOR_FETCH'
  /** Mobile plan fetch. */
  | 'OPERATOR_PLAN_FETCH';

/** Simulated outcome of the next call with the given idempotency key or number. */
export type SetSandboxScenarioInput = {
  /** Number of the next call: an account, mobile or DTH number. For a card bill, the mobile number. */
  accountNumber?: string | null | undefined;
  /** Idempotency key of the next call: `client_request_id`, or `orderid` of a bill payment or lookup. */
  clientRequestId?: string | null | undefined;
  /** Simulated outcome. */
  outcome: SandboxOutcome;
  /** Decline reason. Only for DECLINE and PENDING_THEN_FAILURE, and only for payments, because failed lookups return no reason. */
  reason?: DeclineReason | null | undefined;
};

/** Kind of a statement entry. */
export type StatementKind =
  /** A balance that had changed without an entry was corrected. */
  | 'CORRECTION'
  /** An administrator debited the wallet and gave a reason. */
  | 'DEBIT'
  /** The amount or fee of an accepted call was debited. */
  | 'HOLD'
  /** The fee of an approved lead was debited. */
  | 'LEAD_FEE'
  /** The call failed and the held amount was refunded. */
  | 'REFUND'
  /** The refund of a payment was reversed because the provider completed the payment. */
  | 'REFUND_REVERSAL'
  /** A successful payment was reversed and its amount was refunded. */
  | 'REVERSAL'
  /** Funds were added to the wallet. */
  | 'TOP_UP';

/** New subscribed event types of a webhook endpoint. */
export type UpdateWebhookEndpointInput = {
  /** ID of the endpoint. */
  endpointId: string;
  /** Subscribed event types from now on. If all types are listed, the endpoint receives all events, including types added later. */
  types: Array<WebhookEventType>;
};

/** Customer of a financial product. All required fields must also be sent for an update. */
export type UpsertProfileInput = {
  /** Address, at most 255 characters. Line breaks become spaces. */
  address: string;
  /** Individual or organization. */
  category: CustomerCategory;
  /** Product category ID from `productCategories`. */
  categoryId: number;
  /** Company ID from `leadCompanies`. */
  company: number;
  /** Customer ID from an earlier `upsertProfile`. Optional for an update, because the mobile number identifies the customer too. */
  customerId?: string | null | undefined;
  /** Date of birth. */
  dob: string;
  /** Email address. */
  email: string;
  /** First name, at most 50 characters. */
  firstName: string;
  /** Gender. */
  gender: Gender;
  /** Income of the last tax return, in rupees. Must be greater than 0 if `occupation` is 2; otherwise ignored and set to 0. */
  itrAmount: number;
  /** Last name, at most 50 characters. */
  lastName: string;
  /** 10-digit Indian mobile number. If the number already belongs to a customer, that customer is updated. */
  mobile: string;
  /** Monthly salary in rupees. Ignored and set to 0 if `occupation` is 2. */
  monthlySalary: number;
  /** Occupation ID from `leadOccupations`. 2 means self-employed. */
  occupation: number;
  /** Permanent account number (PAN), 10 characters. Lowercase letters are accepted. */
  pan: string;
  /** Pincode ID from `leadPincodes`. */
  pincode: number;
};

/** Type of a warning about a call that was completed. */
export type WarningCode =
  /** An identical recharge succeeded in the last three minutes, and neither request has a `clientRequestId`. */
  | 'LIKELY_DUPLICATE'
  /** UAT only: the request has no `clientRequestId`, so a retry creates another recharge. */
  | 'MISSING_KEY'
  /** UAT only: the `operatorSpKey` is not in the operator table. In Production the provider decides whether it is valid. */
  | 'UNKNOWN_OPERATOR'
  /** The request has no `clientRequestId`, but a REST field or header with a similar name, which is ignored. A retry of the request creates another recharge. */
  | 'UNREAD_KEY';

/** Status of the delivery of an event to an endpoint. */
export type WebhookDeliveryState =
  /** The endpoint was disabled, or the receiver returned 410 Gone. */
  | 'CANCELLED'
  /** The receiver returned a 2xx status. */
  | 'DELIVERED'
  /** All retries over about 48 hours failed. Resend the delivery when the receiver works again. */
  | 'FAILED'
  /** The next attempt is scheduled. */
  | 'PENDING';

/** Reason an endpoint is disabled. */
export type WebhookDisabledReason =
  /** All deliveries to the endpoint failed for several days. */
  | 'FAILING'
  /** The receiver returned 410 Gone. */
  | 'GONE'
  /** A user disabled the endpoint. */
  | 'REQUEST';

/** ID of a webhook endpoint. */
export type WebhookEndpointInput = {
  /** ID of the endpoint. */
  endpointId: string;
};

/** Reason an attempt failed or was not made. */
export type WebhookError =
  /** The host resolves to an address that is not on the public internet. */
  | 'ADDRESS_NOT_PUBLIC'
  /** The connection could not be established or was lost. */
  | 'CONNECTION_FAILED'
  /** The host name could not be resolved. */
  | 'DNS_FAILED'
  /** No attempt was made because the endpoint is disabled. */
  | 'ENDPOINT_DISABLED'
  /** No attempt was made because the endpoint is paused after repeated attempts without a response. */
  | 'ENDPOINT_PAUSED'
  /** The receiver returned 410 Gone, which disables the endpoint. */
  | 'GONE'
  /** The receiver returned a status other than 2xx. */
  | 'HTTP_STATUS'
  /** This service was stopped during the attempt. The attempt is repeated. */
  | 'INTERRUPTED'
  /** The URL of the endpoint does not use https. */
  | 'NOT_HTTPS'
  /** The receiver did not respond within 15 seconds. */
  | 'TIMEOUT'
  /** The TLS connection failed, for example because of an invalid certificate. */
  | 'TLS_FAILED';

/** Type of an event, sent as `type` in the message, for example recharge.succeeded. */
export type WebhookEventType =
  /** A card payment failed and the amount was refunded. */
  | 'CARD_PAYMENT_FAILED'
  /** A card payment was reversed after it had succeeded, and the amount was refunded. */
  | 'CARD_PAYMENT_REVERSED'
  /** A card payment succeeded and the debit is final. */
  | 'CARD_PAYMENT_SUCCEEDED'
  /** A recharge failed and the amount was refunded. */
  | 'RECHARGE_FAILED'
  /** A recharge was reversed after it had succeeded, and the amount was refunded. */
  | 'RECHARGE_REVERSED'
  /** A recharge succeeded and the debit is final. */
  | 'RECHARGE_SUCCEEDED'
  /** A test message, sent on request to test a receiver. It does not belong to an order. */
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