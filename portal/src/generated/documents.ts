/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
/** Token from the emailed link, and the password and name of the new user. */
export type AcceptInvitationInput = {
  /** Display name. Defaults to the name in the invitation. */
  name?: string | null | undefined;
  /** New password, 12 to 200 characters. */
  password: string;
  /** Single-use token from the emailed link, valid for 72 hours. */
  token: string;
};

/** Note on an account. Users of the account cannot read it. */
export type AddNoteInput = {
  /** ID of the developer. */
  developerId: string;
  /** Text of at most 1000 characters. Line breaks are allowed. */
  text: string;
};

/** Action of an approval request: the change that is made after approval. */
export type ApprovalRequestAction =
  /** Changes the recharge provider of an account or a white label, or the white label of an account. */
  | 'ASSIGN_PROVIDER'
  /** Corrects a wallet whose balance changed without a transfer; `correction` has the amounts. After approval, `gateway ledger post` posts the correction. */
  | 'CORRECT_WALLET'
  /** Adds money to a wallet. */
  | 'CREDIT'
  /** Takes money out of a wallet. */
  | 'DEBIT'
  /** Invites a user to an account that has no active owner. */
  | 'INVITE_USER'
  /** Reinstates a suspended staff user. */
  | 'REINSTATE_USER'
  /** Removes an administrator. */
  | 'REMOVE_USER'
  /** Removes all second factors of a user. */
  | 'RESET_SECOND_FACTORS'
  /** Resolves an order in review with the outcome in `resolution`. */
  | 'RESOLVE'
  /** Resolves a list of orders in review with the outcomes in `orders`. */
  | 'RESOLVE_MANY'
  /** Resumes new orders of an environment. */
  | 'RESUME_ORDERS'
  /** Reverses a successful order. */
  | 'REVERSE'
  /** Reverses the refund of an order. */
  | 'REVERSE_REFUND'
  /** Changes the service access or fees of an account, as listed in `changes`. */
  | 'SET_FEE'
  /** Enables a provider again. */
  | 'SET_PROVIDER_AVAILABILITY'
  /** Changes the role of a user. */
  | 'SET_ROLE'
  /** Suspends an administrator, or confirms an emergency suspension. */
  | 'SUSPEND_USER'
  /** Grants Production access to an account. */
  | 'UNLOCK_PRODUCTION';

/** Filter for approval requests. An approval request must match all given conditions. */
export type ApprovalRequestFilter = {
  /** Only approval requests with one of these actions. */
  action?: Array<ApprovalRequestAction> | null | undefined;
  /** Only approval requests about this developer. */
  developerId?: string | null | undefined;
  /** Only approval requests of the signed-in user, if true. False has no effect. */
  requestedByMe?: boolean | null | undefined;
  /** Only approval requests in one of these states. Default: PENDING. */
  state?: Array<ApprovalRequestState> | null | undefined;
};

/** State of an approval request. */
export type ApprovalRequestState =
  /** Approved by a second person. The change was made. */
  | 'APPROVED'
  /** Expired: not approved or rejected before `expiresAt`. */
  | 'EXPIRED'
  /** Pending: not approved or rejected by a second person yet. */
  | 'PENDING'
  /** Rejected by another user, or withdrawn by the requester. */
  | 'REJECTED';

/** Approval request to approve. It must be from another user. */
export type ApproveApprovalRequestInput = {
  /** Allows a payment to be resolved as failed although the provider may not list it yet. If false, such a resolution fails with SENT_RECENTLY. */
  allowRecentSend?: boolean | null | undefined;
  /** ID of the approval request. */
  approvalRequestId: string;
  /** Reason for the audit log; at most 500 characters. */
  reason?: string | null | undefined;
};

/** Account to approve. Its KYC must be submitted. */
export type ApproveDeveloperInput = {
  /** ID of the developer. */
  developerId: string;
  /** Services to enable, each at most once. All other services remain disabled in both environments. */
  services?: Array<ServiceGrantInput> | null | undefined;
};

/** Provider to assign. Set exactly one of `developerId` and `whiteLabelId`. */
export type AssignRechargeProviderInput = {
  /** ID of a platform developer. */
  developerId?: string | null | undefined;
  /** The provider. */
  provider: RechargeProvider;
  /** ID of a white label. The provider applies to all its developers. */
  whiteLabelId?: string | null | undefined;
};

/** Action of an audit entry. */
export type AuditAction =
  /** Approval was requested from a second person. */
  | 'APPROVAL_REQUEST_CREATE'
  /** An approval request was rejected or withdrawn. */
  | 'APPROVAL_REQUEST_REJECT'
  /** The audit log of a period was exported. */
  | 'AUDIT_EXPORT'
  /** An API key was cancelled before it started. */
  | 'CREDENTIAL_CANCEL'
  /** An API key was created. */
  | 'CREDENTIAL_CREATE'
  /** A user created a UAT test token. */
  | 'CREDENTIAL_CREATE_TEST_TOKEN'
  /** A suspended API key was reinstated. */
  | 'CREDENTIAL_REINSTATE'
  /** An API key was revoked. */
  | 'CREDENTIAL_REVOKE'
  /** An API key was rotated. */
  | 'CREDENTIAL_ROTATE'
  /** An API key was suspended. */
  | 'CREDENTIAL_SUSPEND'
  /** Staff added a note to an account. */
  | 'DEVELOPER_ADD_NOTE'
  /** An account was approved. */
  | 'DEVELOPER_APPROVE'
  /** The recharge provider of an account was changed. */
  | 'DEVELOPER_ASSIGN_PROVIDER'
  /** An account was permanently closed. Its data was erased, except records that the law requires to be kept. */
  | 'DEVELOPER_CLOSE'
  /** All data of an account was exported to files. */
  | 'DEVELOPER_EXPORT'
  /** Production access of an account was revoked. */
  | 'DEVELOPER_LOCK_PRODUCTION'
  /** An account was created. */
  | 'DEVELOPER_REGISTER'
  /** A suspended account was reinstated. */
  | 'DEVELOPER_REINSTATE'
  /** An account was rejected. */
  | 'DEVELOPER_REJECT'
  /** Changes to the KYC submission of an account were requested. */
  | 'DEVELOPER_REQUEST_CHANGES'
  /** An account requested Production access. */
  | 'DEVELOPER_REQUEST_PRODUCTION'
  /** The token lifetime of an account was reset to the default. */
  | 'DEVELOPER_RESET_TOKEN_LIFETIME'
  /** The duplicate guard of an account was changed. */
  | 'DEVELOPER_SET_DUPLICATE_GUARD'
  /** The rate limit of an account was changed, or reset to the default. */
  | 'DEVELOPER_SET_RATE_LIMIT'
  /** The session idle limit of an account was changed. */
  | 'DEVELOPER_SET_SESSION_IDLE_LIMIT'
  /** The token lifetime of an account was changed. */
  | 'DEVELOPER_SET_TOKEN_LIFETIME'
  /** An account was added to a white label, or removed from it. */
  | 'DEVELOPER_SET_WHITE_LABEL'
  /** The KYC of an account became ready for review. */
  | 'DEVELOPER_SUBMIT_KYC'
  /** An account was suspended. */
  | 'DEVELOPER_SUSPEND'
  /** Production access was granted to an account. */
  | 'DEVELOPER_UNLOCK_PRODUCTION'
  /** The email address of an account was confirmed. */
  | 'DEVELOPER_VERIFY_EMAIL'
  /** A failed email was resent. */
  | 'EMAIL_RESEND'
  /** Encrypted data was re-encrypted with a new key. */
  | 'ENCRYPTION_ROTATE'
  /** A KYC draft was started. Later changes to the draft have no audit entry. */
  | 'KYC_BEGIN_DRAFT'
  /** A KYC document that was not submitted was deleted. */
  | 'KYC_DELETE_DOCUMENT'
  /** A KYC document was downloaded. */
  | 'KYC_DOWNLOAD_DOCUMENT'
  /** Staff read a KYC submission. */
  | 'KYC_READ'
  /** Staff revealed a PAN or GSTIN. */
  | 'KYC_REVEAL'
  /** KYC was submitted. */
  | 'KYC_SUBMIT'
  /** A KYC document was uploaded. */
  | 'KYC_UPLOAD_DOCUMENT'
  /** Old months of the ledger were archived to a file. */
  | 'LEDGER_ARCHIVE'
  /** New orders of an environment were paused, or the notice of the pause was changed. */
  | 'ORDERS_PAUSE'
  /** New orders of an environment were resumed. */
  | 'ORDERS_RESUME'
  /** Orders were resumed after a restore. */
  | 'ORDERS_RESUME_AFTER_RESTORE'
  /** The status of an order was checked with its provider. */
  | 'ORDER_CHECK_STATUS'
  /** Staff confirmed the final status of an order despite a conflicting provider status. */
  | 'ORDER_CONFIRM'
  /** Staff resolved an order in review. */
  | 'ORDER_RESOLVE'
  /** A successful order was reversed. */
  | 'ORDER_REVERSE'
  /** The refund of an order was reversed, and the wallet was debited again. */
  | 'ORDER_REVERSE_REFUND'
  /** Action of an entry that was written by another version of the service. */
  | 'OTHER'
  /** A provider was enabled or disabled for new orders. */
  | 'PROVIDER_SET_AVAILABILITY'
  /** A difference between a provider statement and the orders was resolved. */
  | 'RECONCILE_RESOLVE'
  /** Orders were compared with a provider statement. */
  | 'RECONCILE_RUN'
  /** New secrets replaced the secrets previously used with the database. Orders are paused. */
  | 'SECRETS_ACCEPT'
  /** A service of an account was enabled or disabled, or its fee was changed. */
  | 'SERVICE_ACCESS_SET'
  /** The default lead customer was changed. */
  | 'SETTING_SET_DEFAULT_LEAD_CUSTOMER'
  /** A user added a second factor. */
  | 'USER_ADD_FACTOR'
  /** Another administrator confirmed an emergency suspension. */
  | 'USER_CONFIRM_SUSPENSION'
  /** A user was created. */
  | 'USER_CREATE'
  /** A user created new recovery codes. */
  | 'USER_CREATE_RECOVERY_CODES'
  /** A user was invited by email. */
  | 'USER_INVITE'
  /** A user was reinstated and can sign in again. */
  | 'USER_REINSTATE'
  /** A user was removed, or an invitation was withdrawn. */
  | 'USER_REMOVE'
  /** A user removed a second factor. */
  | 'USER_REMOVE_FACTOR'
  /** All second factors of a user were removed. */
  | 'USER_RESET_FACTORS'
  /** Sessions of a user were revoked. */
  | 'USER_REVOKE_SESSIONS'
  /** A user confirmed a new email address. */
  | 'USER_SET_EMAIL'
  /** The password of a user was changed. */
  | 'USER_SET_PASSWORD'
  /** The role of a user was changed. */
  | 'USER_SET_ROLE'
  /** A user signed in. */
  | 'USER_SIGN_IN'
  /** A user signed out. */
  | 'USER_SIGN_OUT'
  /** A user was suspended and cannot sign in. */
  | 'USER_SUSPEND'
  /** An administrator suspended another administrator in an emergency, without approval. */
  | 'USER_SUSPEND_IN_EMERGENCY'
  /** A user changed their name or mobile number. */
  | 'USER_UPDATE_PROFILE'
  /** A second person approved the correction of a wallet. Approval does not post it. */
  | 'WALLET_APPROVE_CORRECTION'
  /** The balance correction of a wallet was posted from the command line. */
  | 'WALLET_CORRECT'
  /** Money was added to a wallet. */
  | 'WALLET_CREDIT'
  /** Money was taken out of a wallet. */
  | 'WALLET_DEBIT'
  /** A webhook endpoint was cancelled before it started. */
  | 'WEBHOOK_CANCEL'
  /** A webhook endpoint was created. */
  | 'WEBHOOK_CREATE'
  /** A webhook endpoint was deleted. */
  | 'WEBHOOK_DELETE'
  /** A webhook endpoint was disabled. */
  | 'WEBHOOK_DISABLE'
  /** A webhook endpoint was enabled. */
  | 'WEBHOOK_ENABLE'
  /** A webhook was redelivered. */
  | 'WEBHOOK_REDELIVER'
  /** The webhooks of a time range were redelivered. */
  | 'WEBHOOK_REDELIVER_RANGE'
  /** The secret of a webhook endpoint was rotated. */
  | 'WEBHOOK_ROTATE_SECRET'
  /** A test event was sent to a webhook endpoint. */
  | 'WEBHOOK_SEND_TEST'
  /** The subscribed events of a webhook endpoint were changed. */
  | 'WEBHOOK_UPDATE'
  /** The recharge provider of a white label was changed. */
  | 'WHITE_LABEL_ASSIGN_PROVIDER'
  /** A white label was created. */
  | 'WHITE_LABEL_CREATE'
  /** A white label was disabled. */
  | 'WHITE_LABEL_DISABLE'
  /** A disabled white label was enabled. */
  | 'WHITE_LABEL_ENABLE'
  /** A white label was renamed. */
  | 'WHITE_LABEL_RENAME';

/** Filter for the audit log. An entry must match all given conditions. */
export type AuditFilter = {
  /** Only entries with one of these actions. */
  action?: Array<AuditAction> | null | undefined;
  /** Only entries of this user, of applications of this developer, or of a command such as `system:archive`. */
  actorId?: string | null | undefined;
  /** Only entries written at or after this time. */
  from?: string | null | undefined;
  /** Only entries of this request. */
  requestId?: string | null | undefined;
  /** Only entries about this developer, user, order, wallet, white label or webhook endpoint, including its child records. */
  subjectId?: string | null | undefined;
  /** Only entries written before this time. */
  to?: string | null | undefined;
};

/** Circuit breaker state of a provider. */
export type BreakerState =
  /** Calls are allowed. */
  | 'CLOSED'
  /** One test call is allowed. Other calls are rejected. */
  | 'HALF_OPEN'
  /** Too many calls failed. Calls are rejected immediately. */
  | 'OPEN';

/** API key to cancel. It must not have started. */
export type CancelCredentialInput = {
  /** Client ID of the API key. */
  clientId: string;
};

/** Current and new password of the signed-in user. */
export type ChangePasswordInput = {
  /** Current password. */
  currentPassword: string;
  /** New password, 12 to 200 characters. */
  newPassword: string;
};

/** Order to check with its provider. */
export type CheckOrderStatusInput = {
  /** ID of the order. */
  orderId: string;
};

/** Orders to check with their providers. */
export type CheckOrderStatusesInput = {
  /** IDs of the orders; 1 to 200 distinct IDs. */
  orderIds: Array<string>;
};

/** Token from the email sent to the new address. */
export type ConfirmEmailInput = {
  /** Single-use token from the emailed link, valid for one hour. */
  token: string;
};

/** Passkey created by the browser. */
export type ConfirmPasskeyInput = {
  /** Name of the factor in your list of second factors. */
  name?: string | null | undefined;
  /** `toJSON()` of the created credential, as JSON text. */
  passkey: string;
};

/** Second factor to verify. Set exactly one of `code` and `passkey`. */
export type ConfirmSecondFactorInput = {
  /** Code of the authenticator app, or a recovery code. */
  code?: string | null | undefined;
  /** Whether to create new recovery codes. If true, the previous codes are no longer valid. */
  newRecoveryCodes?: boolean;
  /** `toJSON()` of the credential, as JSON text. */
  passkey?: string | null | undefined;
};

/** First code of the authenticator app. */
export type ConfirmTotpInput = {
  /** Current six-digit code. */
  code: string;
  /** Name of the factor in your list of second factors. */
  name?: string | null | undefined;
};

/** Filters for orders in the console. An order must match all given fields. */
export type ConsoleOrderFilter = {
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
  /** Only orders of this developer. Users of a developer account always see only the orders of that account. */
  developerId?: string | null | undefined;
  /** Only orders of this environment. */
  environment?: Environment | null | undefined;
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
  /** Only orders sent to this provider. */
  provider?: Provider | null | undefined;
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

/** API key to create. */
export type CreateCredentialInput = {
  /** Environment of the API key. */
  environment: Environment;
  /** Free-text label. */
  label?: string | null | undefined;
};

/** Test token for UAT. */
export type CreateTestTokenInput = {
  /** Token lifetime in seconds, from 60 to 3,600. */
  expiresInSeconds?: number | null | undefined;
};

/** Settings of a new webhook endpoint. */
export type CreateWebhookEndpointInput = {
  /** ID of the developer that owns the endpoint. Required for admins; only admins can set it. */
  developerId?: string | null | undefined;
  /** Environment of the orders whose events the endpoint receives. */
  environment: Environment;
  /** Subscribed event types. If omitted, or if all types are listed, the endpoint receives all events, including types added later. */
  types?: Array<WebhookEventType> | null | undefined;
  /** URL that events are sent to. Must use https and a host on the public internet. */
  url: string;
};

/** White label to create. */
export type CreateWhiteLabelInput = {
  /** Unique name. */
  name: string;
  /** Provider that processes the recharges of all developers of the white label. */
  rechargeProvider: RechargeProvider;
};

/** Credit of a wallet. */
export type CreditWalletInput = {
  /** Amount in rupees, greater than 0. */
  amount: number;
  /** ID of the developer. */
  developerId: string;
  /** Environment of the wallet. */
  environment: Environment;
  /** Reason for the audit log. Required in Production without a UTR. */
  reason?: string | null | undefined;
  /** Reference of the source of the money. Each reference can be credited once per wallet. Case and the number of spaces are ignored. In Production without `utr`, a reference in the form of a UTR is used as the UTR: 12 digits, or 16 or 22 letters and digits that begin with four letters and contain at least eight digits. */
  reference: string;
  /** UTR or RRN of the bank transfer, 12 to 22 letters and digits; case and spaces are ignored. Credited once across all Production wallets. A second credit of a UTR, and a Production credit without a UTR, require a reason and a second person. Not stored in UAT. */
  utr?: string | null | undefined;
};

/** Debit of a wallet, for example to undo an incorrect credit. */
export type DebitWalletInput = {
  /** Amount in rupees, greater than 0. */
  amount: number;
  /** ID of the developer. */
  developerId: string;
  /** Environment of the wallet. */
  environment: Environment;
  /** Reason for the audit log, 1 to 500 characters. */
  reason: string;
  /** Reference of the corrected transaction, such as a bank reference. Each reference is debited once per wallet. */
  reference: string;
};

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

/** Uploaded document to delete. It must not be submitted. */
export type DeleteKycDocumentInput = {
  /** ID of the document. */
  documentId: string;
};

/** Filter for developers. A developer must match all given conditions. */
export type DeveloperFilter = {
  /** Only accounts with a wallet balance below this amount, in rupees. */
  balanceBelow?: number | null | undefined;
  /** Only accounts that are (true) or are not (false) permanently closed. Closed accounts are also suspended. */
  closed?: boolean | null | undefined;
  /** Environment of `balanceBelow`. Defaults to Production. */
  environment?: Environment | null | undefined;
  /** Only accounts with (true) or without (false) a pending request for Production access. */
  productionRequested?: boolean | null | undefined;
  /** Only accounts with (true) or without (false) Production access. */
  productionUnlocked?: boolean | null | undefined;
  /** Only accounts whose recharges are processed by this provider. */
  rechargeProvider?: RechargeProvider | null | undefined;
  /** Search text: part of the name or email address, the ID, or the account number. */
  search?: string | null | undefined;
  /** Only accounts that can call this service. */
  service?: Service | null | undefined;
  /** Whether the account can call `service`. False also matches accounts for which access was never set. */
  serviceEnabled?: boolean | null | undefined;
  /** Only accounts in this onboarding state. */
  status?: OnboardingStatus | null | undefined;
  /** Only accounts that are (true) or are not (false) suspended. */
  suspended?: boolean | null | undefined;
  /** Only accounts of this white label. */
  whiteLabelId?: string | null | undefined;
};

/** Sort order of developers. */
export type DeveloperSort =
  /** Newest first. */
  | 'CREATED_DESC'
  /** Earliest KYC submission first. Accounts without a submission come last. */
  | 'KYC_SUBMITTED_ASC'
  /** Most recent recharge or payment first, in either environment. Accounts without orders come last. */
  | 'LAST_ORDER_DESC'
  /** By name. */
  | 'NAME_ASC'
  /** Lowest Production balance first. Accounts without a wallet come last. */
  | 'PRODUCTION_BALANCE_ASC';

/** White label to disable. */
export type DisableWhiteLabelInput = {
  /** Reason for the audit log, 1 to 500 characters. */
  reason: string;
  /** ID of the white label. */
  whiteLabelId: string;
};

/** Reason an email was not delivered. */
export type EmailFailure =
  /** The mail server rejected the user name or password of SMTP_URL. */
  | 'AUTHENTICATION'
  /** The mail server temporarily rejected the email, for example because of a full mailbox. */
  | 'DEFERRED'
  /** Other error. The log has the details. */
  | 'OTHER'
  /** The mail server permanently rejected the email, for example because the address does not exist. */
  | 'REJECTED'
  /** The mail server could not be reached, did not respond, or offered no encrypted connection. */
  | 'UNREACHABLE';

/** White label to enable. */
export type EnableWhiteLabelInput = {
  /** Reason for the audit log, 1 to 500 characters. */
  reason: string;
  /** ID of the white label. */
  whiteLabelId: string;
};

/** Environment of the API. Each environment has its own host, credentials, tokens and wallet. */
export type Environment =
  /** Live providers and real money. */
  | 'PRODUCTION'
  /** Sample data and test funds. No provider is ever called. */
  | 'UAT';

/** Error code in `extensions.code` of an error. New codes can be added. */
export type ErrorCode =
  /** An admin must enable the service named in `message`. */
  | 'ACCESS_DISABLED'
  /** Only one payment for a fetched bill can be in progress at a time. */
  | 'BILL_PAYMENT_IN_PROGRESS'
  /** Another user or request changed the record first, or the record is not in the required state. */
  | 'CONFLICT'
  /** A browser sent a preflight request or a credential exchange from a page whose origin is not allowed on this host. The credentials were not checked, and the request does not count as a failed attempt. */
  | 'CROSS_ORIGIN_FORBIDDEN'
  /** The database could not be reached before money was moved, or new orders are paused. In the second case, the message contains the notice. */
  | 'DEPENDENCY_DOWN'
  /** A payment with this orderid exists. Its status is in order_status (extensions.orderStatus) and in the header X-Order-Status. Do not pay again. */
  | 'DUPLICATE_ORDER'
  /** The signed-in user does not have the role that the field requires, or the client token does not have the required scope. */
  | 'FORBIDDEN'
  /** An idempotency key is bound permanently to one number, amount, operator and type. api_request_id (extensions.apiRequestId) identifies the earlier order. This error does not include its status. */
  | 'IDEMPOTENCY_KEY_REUSED'
  /** The wallet of this environment does not cover the amount or fee. `required` and `available` contain both amounts. The idempotency key can be used again. */
  | 'INSUFFICIENT_BALANCE'
  /** An error in this service. Money may already have been moved. */
  | 'INTERNAL'
  /** The client ID, API secret or password is unknown, wrong or revoked. The response does not state which one. */
  | 'INVALID_CREDENTIALS'
  /** The document cannot be parsed, does not match the schema of this host, or exceeds a limit. The message contains the reason. */
  | 'INVALID_DOCUMENT'
  /** The lead provider declined the profile or the lead. `reason` contains the cause. Nothing was stored or charged. */
  | 'LEAD_REFUSED'
  /** The duplicate guard of the account rejects a recharge without an idempotency key if a recent recharge had the same number, amount, operator and type. api_request_id (extensions.apiRequestId) identifies the earlier order, and order_status (extensions.orderStatus) is its status. */
  | 'LIKELY_DUPLICATE'
  /** The body is not a JSON object, or the GraphQL request does not contain a document. */
  | 'MALFORMED_REQUEST'
  /** The path does not support the HTTP method. The Allow header lists the supported methods. */
  | 'METHOD_NOT_ALLOWED'
  /** GraphQL: the Accept header contains no media type that this service can send. Nothing was executed. */
  | 'NOT_ACCEPTABLE'
  /** The path does not exist on this host. */
  | 'NOT_FOUND'
  /** An account must complete sign-up and KYC and be approved by an admin before it can call the API. */
  | 'ONBOARDING_INCOMPLETE'
  /** The month of the order was moved to the archive. The status of the order is final and is in order_status (extensions.orderStatus). api_request_id (extensions.apiRequestId) identifies the order. */
  | 'ORDER_ARCHIVED'
  /** The service rejected the request because of high load. No money was moved. */
  | 'OVERLOADED'
  /** Request bodies are limited to 64 KiB. KYC documents uploaded in the console are limited to 5 MiB. */
  | 'PAYLOAD_TOO_LARGE'
  /** The GraphQL request contains only the hash of a document (extensions.persistedQuery). This service does not store documents. */
  | 'PERSISTED_QUERY_NOT_SUPPORTED'
  /** An admin must enable Production access after the account is approved. */
  | 'PRODUCTION_LOCKED'
  /** The provider declined the recharge or payment. This outcome is final. `reason` contains the cause, and the amount was refunded. */
  | 'PROVIDER_DECLINED'
  /** A lookup, bill fetch, product or lead call failed at the provider. Any fee was refunded. */
  | 'PROVIDER_FAILED'
  /** The provider is temporarily unavailable: its circuit breaker is open, a required call to it failed, or too many payments sent to it have no final status (exposure limit). */
  | 'PROVIDER_UNAVAILABLE'
  /** The calls to this endpoint, over REST and GraphQL together, exceeded its limit per minute. Retries with a client_request_id that was already used are still served, up to 60 per minute. Beyond that, the error contains api_request_id and order_status (extensions.apiRequestId, extensions.orderStatus). */
  | 'RATE_LIMITED'
  /** The ID is unknown or belongs to another account. */
  | 'RECORD_NOT_FOUND'
  /** The client sent the request too slowly. Nothing was executed. */
  | 'REQUEST_TIMEOUT'
  /** A successful transaction was reversed later. `reason` states whether the provider or support reversed it. */
  | 'REVERSED'
  /** In the console: the user must have a second factor and has not added one yet. This session can only add a second factor. */
  | 'SECOND_FACTOR_NOT_ENROLLED'
  /** In the console: the password is correct, but the user has a second factor that was not verified. */
  | 'SECOND_FACTOR_REQUIRED'
  /** In the console: the order cannot be resolved as failed yet, because its provider may still list the payment as successful. Nothing was changed. */
  | 'SENT_RECENTLY'
  /** The lookup fees of the client token have reached its `maxSpend`. */
  | 'SPENDING_CAP_REACHED'
  /** In the console, actions that affect money, keys or identity require a second factor verified within the last 5 minutes. */
  | 'STEP_UP_REQUIRED'
  /** Last event of a stream that cannot continue. Its server process is stopping, `ordersChanged` or `workChanged` was open for 15 minutes, or the client read more slowly than orders changed. */
  | 'STREAM_ENDED'
  /** Last event of a client-token stream. For each order, only one client-token request can wait for the outcome. A newer request, for example after a page reload, closed this stream. */
  | 'STREAM_REPLACED'
  /** An admin suspended the account or the API key. */
  | 'SUSPENDED'
  /** Within 15 minutes there were 10 failed sign-ins, token exchanges or emailed links for this identifier and IP address, or 100 for this IP address. Token exchanges are counted separately. A correct API secret is never rejected. */
  | 'TOO_MANY_FAILED_EXCHANGES'
  /** This operation exists only in the sandbox (UAT). */
  | 'UAT_ONLY'
  /** The request has no access token, or its token has expired, was revoked or was not issued by this service. */
  | 'UNAUTHENTICATED'
  /** The Content-Type header is missing, is not application/json (REST also accepts form fields) or does not match the body, or the body is compressed. */
  | 'UNSUPPORTED_MEDIA_TYPE'
  /** One or more fields are missing or invalid. The error lists all of them. On recharge, the HTTP status is 400. */
  | 'VALIDATION_FAILED'
  /** UAT credentials and tokens are valid only on the UAT host, and Production credentials and tokens are valid only on the Production host. The message names the correct host. */
  | 'WRONG_HOST';

/** Step from sign-up to the first order in Production. */
export type GoLiveStepName =
  /** The email address was confirmed. */
  | 'EMAIL_CONFIRMED'
  /** Money was added to the Production wallet. */
  | 'FIRST_CREDIT'
  /** A recharge or payment succeeded in UAT. */
  | 'FIRST_UAT_SUCCESS'
  /** The account was approved. API keys for UAT can be created. */
  | 'KYC_APPROVED'
  /** KYC was submitted. Incomplete while changes are requested. */
  | 'KYC_SUBMITTED'
  /** Production access was requested, or granted without a request. */
  | 'PRODUCTION_REQUESTED'
  /** Production access was granted. API keys for Production can be created. */
  | 'PRODUCTION_UNLOCKED';

/** User to invite, to staff or to an account. */
export type InviteUserInput = {
  /** ID of the account that a DEVELOPER joins. Optional for owners, who can invite users only to their own account. */
  developerId?: string | null | undefined;
  /** Email address that receives the link and that the user signs in with. */
  email: string;
  /** Display name. The user can change it when accepting. */
  name: string;
  /** Role of the user: DEVELOPER for a user of an account. All other roles are staff; only administrators can invite staff. */
  role: Role;
  /** Role within the account. Required for DEVELOPER; not allowed for staff. */
  teamRole?: TeamRole | null | undefined;
};

/** Field of a KYC submission that is masked until revealed. */
export type KycField =
  /** GSTIN. */
  | 'GSTIN'
  /** PAN. */
  | 'PAN';

/** Account of the ledger. */
export type LedgerAccount =
  /** Balance changes that were made without a transfer and recorded with the approval of two people. */
  | 'CORRECTION'
  /** Fee income. */
  | 'FEE_INCOME'
  /** Bank account that funds the wallets. */
  | 'FUNDING'
  /** Amounts held for calls without a final status. */
  | 'IN_FLIGHT'
  /** Amounts owed to the provider that completed the payment. */
  | 'PROVIDER_PAYABLE'
  /** Wallet of the developer. */
  | 'WALLET';

/** Account that loses Production access. */
export type LockProductionInput = {
  /** ID of the developer. */
  developerId: string;
  /** Reason for the audit log, 1 to 500 characters. */
  reason: string;
};

/** Developer to move to a white label. */
export type MoveToWhiteLabelInput = {
  /** ID of the developer. */
  developerId: string;
  /** ID of the white label. */
  whiteLabelId: string;
};

/** Onboarding status of an account. */
export type OnboardingStatus =
  /** Approved. The account can create API keys and call the UAT host. */
  | 'APPROVED'
  /** The email address is confirmed. KYC has not been submitted. */
  | 'EMAIL_VERIFIED'
  /** A reviewer requested changes to the KYC submission. The owner submits it again. */
  | 'KYC_CHANGES_REQUESTED'
  /** KYC is submitted and under review. */
  | 'KYC_SUBMITTED'
  /** Signed up. The email address is not confirmed yet. */
  | 'REGISTERED'
  /** An admin rejected the account and gave a reason. */
  | 'REJECTED';

/** Type of connection to recharge. */
export type OperatorType =
  /** Satellite TV (DTH) subscription. */
  | 'DTH'
  /** Prepaid mobile number. */
  | 'MOBILE';

/** Action that an administrator can take on an order. */
export type OrderAction =
  /** `checkOrderStatus` is available. */
  | 'CHECK_STATUS'
  /** `resolveOrder` is available: the order needs review, or its provider reports a conflicting status. */
  | 'RESOLVE'
  /** `reverse` is available: the order is successful. */
  | 'REVERSE'
  /** `reverseRefund` is available: the amount was refunded. */
  | 'REVERSE_REFUND';

/** Type of an order event. */
export type OrderEventKind =
  /** The provider sent a callback. */
  | 'CALLBACK'
  /** The amount was held in the wallet. */
  | 'HOLD'
  /** The payment failed and the amount was refunded. */
  | 'REFUND'
  /** The refund was reversed, because the provider completed the payment. */
  | 'REFUND_REVERSAL'
  /** Staff resolved the order. */
  | 'RESOLUTION'
  /** The provider returned a response, or none arrived in time. */
  | 'RESPONSE'
  /** The payment was reversed after it had succeeded, and the amount was refunded. */
  | 'REVERSAL'
  /** The order entered manual review. */
  | 'REVIEW'
  /** The payment was sent to the provider. A payment is sent only once. */
  | 'SEND'
  /** The debit became final. */
  | 'SETTLE'
  /** The status was checked with the provider. */
  | 'STATUS_CHECK'
  /** The provider reports a status that conflicts with the final status of the order. */
  | 'STATUS_CONFLICT';

/** Type of an order. */
export type OrderKind =
  /** Credit card bill payment. */
  | 'CARD_PAYMENT'
  /** Mobile or DTH recharge. */
  | 'RECHARGE';

/** Result for one order of `resolveOrders`. */
export type OrderResolutionResult =
  /** The resolution requires approval. The approval request contains the order. */
  | 'APPROVAL_REQUESTED'
  /** Nothing was changed. `code` has the reason. */
  | 'REJECTED'
  /** The order was resolved, or its final status was confirmed. */
  | 'RESOLVED';

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

/** Pause of new orders. */
export type PauseOrdersInput = {
  /** Environment whose orders are paused. */
  environment: Environment;
  /** Notice for callers and developers, 1 to 200 characters. If orders are already paused, it replaces the previous notice. */
  notice: string;
  /** Reason for the audit log, 1 to 500 characters. */
  reason?: string | null | undefined;
};

/** Provider that processes the calls of developers. */
export type Provider =
  /** Accepts leads. */
  | 'BANKSATHI'
  /** Provides lookups. */
  | 'EKYCHUB'
  /** Fetches and pays card bills. */
  | 'INSPAY'
  /** Maps operator and circle to the provider’s own names. */
  | 'MOKSHIQ'
  /** Uses operator_sp_key unchanged. Default provider. */
  | 'ROUNDPAY'
  /** Replaces all providers in UAT. */
  | 'SANDBOX';

/** Provider that processes the recharges of a developer or white label. */
export type RechargeProvider =
  /** Maps operator and circle to the provider’s own names. */
  | 'MOKSHIQ'
  /** Uses operator_sp_key unchanged. Default provider. */
  | 'ROUNDPAY';

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

/** Suspended API key to reinstate. */
export type ReinstateCredentialInput = {
  /** Client ID of the API key. */
  clientId: string;
  /** Reason for the audit log, 1 to 500 characters. */
  reason?: string | null | undefined;
};

/** Suspended account to reinstate. */
export type ReinstateDeveloperInput = {
  /** ID of the developer. */
  developerId: string;
  /** Reason for the audit log, 1 to 500 characters. */
  reason?: string | null | undefined;
};

/** User to reinstate. */
export type ReinstateUserInput = {
  /** Reason for the audit log, 1 to 500 characters. */
  reason?: string | null | undefined;
  /** ID of the user. */
  userId: string;
};

/** Approval request to reject. The requester withdraws it with the same mutation. */
export type RejectApprovalRequestInput = {
  /** ID of the approval request. */
  approvalRequestId: string;
  /** Reason for the audit log; 1 to 500 characters. */
  reason: string;
};

/** Account to reject. Its KYC must be submitted. */
export type RejectDeveloperInput = {
  /** ID of the developer. */
  developerId: string;
  /** Reason, sent to the developer and kept in the audit log. */
  reason: string;
};

/** Developer to remove from its white label. */
export type RemoveFromWhiteLabelInput = {
  /** ID of the developer. */
  developerId: string;
};

/** Second factor to remove. */
export type RemoveSecondFactorInput = {
  /** ID of the second factor, from `User.secondFactors`. */
  id: string;
};

/** User to remove. */
export type RemoveUserInput = {
  /** Reason for the audit log, 1 to 500 characters. */
  reason: string;
  /** ID of the user. */
  userId: string;
};

/** New name of a white label. */
export type RenameWhiteLabelInput = {
  /** Unique name. */
  name: string;
  /** ID of the white label. */
  whiteLabelId: string;
};

/** Account whose KYC needs changes. */
export type RequestKycChangesInput = {
  /** ID of the developer. */
  developerId: string;
  /** Requested changes, sent to the developer and shown on the account. */
  reason: string;
};

/** Email address for a password reset. */
export type RequestPasswordResetInput = {
  /** Email address of the user. */
  email: string;
};

/** Request for Production access, for review by an administrator. */
export type RequestProductionInput = {
  /** Planned use, for example the product and the number of orders per day. At most 500 characters. */
  message?: string | null | undefined;
};

/** Failed email to retry. */
export type ResendEmailInput = {
  /** ID of the failed email. */
  emailId: string;
};

/** Token from the emailed link, and the new password. */
export type ResetPasswordInput = {
  /** New password, 12 to 200 characters. */
  newPassword: string;
  /** Single-use token from the emailed link, valid for one hour. */
  token: string;
};

/** Developer whose rate limit is reset to the default. */
export type ResetRateLimitInput = {
  /** ID of the developer. */
  developerId: string;
};

/** User whose second factors are to be removed. */
export type ResetSecondFactorsInput = {
  /** Reason for the audit log, 1 to 500 characters. */
  reason: string;
  /** ID of the user. */
  userId: string;
};

/** Developer whose token lifetime is reset to the default. */
export type ResetTokenLifetimeInput = {
  /** ID of the developer. */
  developerId: string;
};

/** Outcome with which staff resolve an order in review. */
export type Resolution =
  /** The provider did not complete the payment. The amount is refunded. */
  | 'FAILED'
  /** The provider completed the payment. The debit becomes final. */
  | 'SUCCESS';

/** Order in review to resolve. */
export type ResolveOrderInput = {
  /** Allows the outcome FAILED although the provider may not list the payment yet. If false, such a resolution fails with SENT_RECENTLY. */
  allowRecentSend?: boolean | null | undefined;
  /** ID of the order in review. */
  orderId: string;
  /** Outcome of the order. For an order with a conflicting provider status, its final status, which is confirmed. */
  outcome: Resolution;
  /** Evidence for the outcome, for the audit log; 1 to 500 characters. */
  reason: string;
};

/** Orders in review to resolve, all with the same outcome. */
export type ResolveOrdersInput = {
  /** Allows the outcome FAILED for payments that the provider may not list yet. Without it, such orders fail with SENT_RECENTLY. */
  allowRecentSend?: boolean | null | undefined;
  /** IDs of the orders in review; 1 to 200 distinct IDs. */
  orderIds: Array<string>;
  /** Outcome of all the orders. For orders with a conflicting provider status, their final status, which is confirmed. */
  outcome: Resolution;
  /** Evidence for the outcome, for the audit log; 1 to 500 characters. */
  reason: string;
};

/** Difference to resolve, and the reason. */
export type ResolveStatementDifferenceInput = {
  /** ID of the difference. */
  differenceId: string;
  /** Explanation of the difference, for the audit log; 1 to 500 characters. */
  reason: string;
};

/** Environment whose orders are to be resumed. */
export type ResumeOrdersInput = {
  /** Environment whose orders are resumed. */
  environment: Environment;
  /** Reason for the audit log, 1 to 500 characters. */
  reason?: string | null | undefined;
};

/** Field of a KYC submission to reveal. */
export type RevealKycFieldInput = {
  /** Field to reveal. */
  field: KycField;
  /** ID of the submission. It must be the latest one of the account. */
  submissionId: string;
};

/** Successful order to reverse. */
export type ReverseOrderInput = {
  /** ID of the order. */
  orderId: string;
  /** Evidence that the provider did not complete the payment, for the audit log; 1 to 500 characters. */
  reason: string;
};

/** Refunded order whose refund is to be reversed. */
export type ReverseRefundInput = {
  /** ID of the order. */
  orderId: string;
  /** Evidence that the provider completed the payment, for the audit log; 1 to 500 characters. */
  reason: string;
};

/** Filter for the review queue. An order must match all given conditions. */
export type ReviewFilter = {
  /** Whether the provider reports a status that conflicts with the final status. False selects orders without a final status. */
  conflicting?: boolean | null | undefined;
  /** Only orders of this developer. */
  developerId?: string | null | undefined;
  /** Only orders in this environment. */
  environment?: Environment | null | undefined;
  /** Only orders of at most this amount, in rupees. */
  maxAmount?: number | null | undefined;
  /** Only orders of at least this amount, in rupees. */
  minAmount?: number | null | undefined;
  /** Only orders placed before this time. */
  olderThan?: string | null | undefined;
  /** Only this order. Returns nothing if the order is not in review. */
  orderId?: string | null | undefined;
  /** Only orders of this provider. */
  provider?: Provider | null | undefined;
};

/** API key to revoke. */
export type RevokeCredentialInput = {
  /** Client ID of the API key. */
  clientId: string;
  /** Action for the webhook endpoints of the API key. Required if any of them are enabled. */
  endpoints?: RevokedKeyEndpoints | null | undefined;
};

/** Session to revoke. */
export type RevokeSessionInput = {
  /** ID of the session, from `Viewer.sessions`. */
  sessionId: string;
};

/** Sessions of another user to revoke. */
export type RevokeUserSessionsInput = {
  /** Reason for the audit log, 1 to 500 characters. */
  reason?: string | null | undefined;
  /** ID of the session. If omitted, all sessions of the user are revoked. */
  sessionId?: string | null | undefined;
  /** ID of the user. */
  userId: string;
};

/** Action for the webhook endpoints that were created with a revoked API key. */
export type RevokedKeyEndpoints =
  /** Disables the webhook endpoints of the API key immediately. Use this if the API key may be compromised. */
  | 'DISABLE'
  /** Keeps the webhook endpoints of the API key enabled. They no longer belong to an API key. */
  | 'KEEP';

/** Role of a console user. */
export type Role =
  /** Administrator: manages accounts, access, users and money. */
  | 'ADMIN'
  /** User of a developer account. The team role sets the permissions within the account. */
  | 'DEVELOPER'
  /** Manages money: credits, debits, corrections, reviews and approval requests. Cannot manage access. */
  | 'FINANCE'
  /** Reads developers and their KYC, and approves or rejects them. Cannot manage money. */
  | 'REVIEWER'
  /** Read-only access. Can change only their own profile, password and sessions. */
  | 'SUPPORT';

/** API key to rotate. */
export type RotateCredentialInput = {
  /** Client ID of the API key. */
  clientId: string;
  /** Number of hours, up to 168, during which both API keys work. With 0, the old API key expires immediately. */
  overlapHours?: number | null | undefined;
};

/** Current entries of the form, complete or not. Omitted fields are cleared. */
export type SaveKycDraftInput = {
  /** Registered address. */
  address?: string | null | undefined;
  /** GST number, if there is one. */
  gstin?: string | null | undefined;
  /** Name as on the PAN card. */
  legalName?: string | null | undefined;
  /** Permanent account number (PAN). */
  pan?: string | null | undefined;
  /** Postal code. */
  pincode?: string | null | undefined;
};

/** Kind of second factor. */
export type SecondFactorKind =
  /** Passkey (WebAuthn) on a device or security key. Also allows sign-in without a password. */
  | 'PASSKEY'
  /** Single-use recovery codes for a user who has lost the other factors. */
  | 'RECOVERY_CODES'
  /** One-time codes of an authenticator app (RFC 6238): six digits that change every 30 seconds. */
  | 'TOTP';

/** Filter for security events. An event must match all given conditions. */
export type SecurityEventFilter = {
  /** Only attempts from this address, in the form of `SecurityEvent.address`. */
  address?: string | null | undefined;
  /** Only events with a last attempt at or after this time. */
  from?: string | null | undefined;
  /** Only events of these kinds. */
  kind?: Array<SecurityEventKind> | null | undefined;
  /** Only events with a first attempt before this time. */
  to?: string | null | undefined;
  /** Only attempts at secrets of this user. */
  userId?: string | null | undefined;
};

/** Kind of secret that was attempted. */
export type SecurityEventKind =
  /** Invitation link. */
  | 'ACCEPT_INVITATION'
  /** Current password of a signed-in user, in a password change. */
  | 'CHANGE_PASSWORD'
  /** Link that confirms a new email address. */
  | 'CONFIRM_EMAIL'
  /** Secret of an API key, in a token exchange. */
  | 'EXCHANGE'
  /** Link that resets a password. */
  | 'RESET_PASSWORD'
  /** Second factor of a signed-in user, in step-up verification or enrollment. */
  | 'SECOND_FACTOR'
  /** Password of a user, at sign-in. */
  | 'SIGN_IN'
  /** Link that confirms an email address, or the password submitted with it. */
  | 'VERIFY_EMAIL';

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

/** Change of the access of one developer to one service: `enabled`, `fee` or both. Omitted fields stay unchanged. */
export type ServiceAccessChange = {
  /** ID of the developer. */
  developerId: string;
  /** Whether the developer can call the service. Takes effect on the next request. */
  enabled?: boolean | null | undefined;
  /** Fee per call in rupees. */
  fee?: number | null | undefined;
  /** The service. */
  service: Service;
};

/** Service to enable. */
export type ServiceGrantInput = {
  /** Fee per call in rupees. Default: 0. Calls in UAT are free. */
  fee?: number | null | undefined;
  /** The service. */
  service: Service;
};

/** Default lead customer of one environment. */
export type SetDefaultLeadCustomerInput = {
  /** Encrypted customer ID. Used for leads without a customer. */
  customerId: string;
  /** Environment that the default applies to. */
  environment: Environment;
};

/** Period during which repeated recharges of a developer are rejected as duplicates. */
export type SetDuplicateGuardInput = {
  /** ID of the developer. */
  developerId: string;
  /** Duration in seconds, at most 3600. During this time, a recharge without an idempotency key that repeats a successful recharge is rejected with LIKELY_DUPLICATE. With 0, it is processed with a warning. */
  seconds: number;
};

/** New availability of a provider. */
export type SetProviderAvailabilityInput = {
  /** Whether new requests are sent to the provider. */
  available: boolean;
  /** Environment: UAT for the sandbox, PRODUCTION for all other providers. */
  environment: Environment;
  /** Provider to enable or disable. */
  provider: Provider;
  /** Reason for the audit log, 1 to 500 characters. */
  reason: string;
};

/** Rate limit of a developer. */
export type SetRateLimitInput = {
  /** ID of the developer. */
  developerId: string;
  /** Maximum number of calls per minute and endpoint. */
  perMinute: number;
};

/** Changes to the service access of one or more developers. */
export type SetServiceAccessManyInput = {
  /** 1 to 200 changes, with at most one per developer and service. If any change is invalid, nothing is changed. */
  changes: Array<ServiceAccessChange>;
  /** Reason for the audit log, 1 to 500 characters. */
  reason?: string | null | undefined;
};

/** Idle limit of the sessions of users of an account. */
export type SetSessionIdleLimitInput = {
  /** ID of the developer. */
  developerId: string;
  /** Number of minutes without a request after which a session expires: 15 to 720. */
  minutes: number;
};

/** Token lifetime of a developer. Must not exceed the default. */
export type SetTokenLifetimeInput = {
  /** ID of the developer. */
  developerId: string;
  /** Number of days without use after which a token expires. */
  idleDays: number;
  /** Maximum lifetime of a token in days, even if it is used. */
  maxDays: number;
};

/** New role of a user. Set exactly one of `role` and `teamRole`. */
export type SetUserRoleInput = {
  /** New role of a staff user. Only administrators can set it. DEVELOPER is not allowed. */
  role?: Role | null | undefined;
  /** New team role of a user of a developer account. Only owners of the account and administrators can set it. */
  teamRole?: TeamRole | null | undefined;
  /** ID of the user. */
  userId: string;
};

/** Credentials for the console: email address and password, with `code` or `passkey` if the user has a second factor; or only `passkey`. */
export type SignInInput = {
  /** Current code of the authenticator app, or a recovery code. Ignored if the user has no second factor. */
  code?: string | null | undefined;
  /** Email address. */
  email?: string | null | undefined;
  /** Response of the passkey to `startPasskeySignIn`: `toJSON()` of the credential, as JSON text. */
  passkey?: string | null | undefined;
  /** Password. */
  password?: string | null | undefined;
};

/** Details of a new account. */
export type SignUpInput = {
  /** Email address. Receives a confirmation link. */
  email: string;
  /** Indian mobile number, 10 digits. */
  mobile: string;
  /** Name of the person or business, at most 100 characters. */
  name: string;
  /** Password, 12 to 200 characters. */
  password: string;
};

/** Passkey to add. */
export type StartPasskeyInput = {
  /** Password of the signed-in user. */
  currentPassword: string;
};

/** Authenticator app to add. */
export type StartTotpInput = {
  /** Password of the signed-in user. */
  currentPassword: string;
};

/** Filter for differences. A difference must match all given fields. */
export type StatementDifferenceFilter = {
  /** Only differences first found at or after this time. */
  from?: string | null | undefined;
  /** Only differences of one of these kinds. */
  kind?: Array<StatementDifferenceKind> | null | undefined;
  /** Only differences of the order with this ID. */
  orderId?: string | null | undefined;
  /** Only differences of statements of this provider. */
  provider?: Provider | null | undefined;
  /** True for resolved differences only, false for unresolved differences only. */
  resolved?: boolean | null | undefined;
  /** Only differences first found before this time. */
  to?: string | null | undefined;
};

/** Kind of a difference between the statement of a provider and our orders. */
export type StatementDifferenceKind =
  /** The order and the statement line have different amounts. */
  | 'AMOUNT_DIFFERS'
  /** The order of the statement line is archived. The archive file contains the final status of the order. */
  | 'ARCHIVED'
  /** The statement lists a completed payment more than once. */
  | 'DUPLICATE'
  /** The statement has no line for the order. */
  | 'MISSING_AT_PROVIDER'
  /** No order matches the statement line. */
  | 'ORDER_NOT_FOUND'
  /** The order and the statement line have different statuses. */
  | 'STATUS_DIFFERS';

/** Resolution of a difference. */
export type StatementDifferenceResolution =
  /** A later run of `gateway reconcile` no longer found the difference. */
  | 'LATER_RUN'
  /** An administrator or finance user resolved the difference and gave a reason. */
  | 'STAFF';

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

/** Payment status in a line of a provider statement. */
export type StatementStatus =
  /** The payment failed. */
  | 'FAILED'
  /** The payment has no final status. */
  | 'PENDING'
  /** The payment was reversed after it had succeeded. */
  | 'REVERSED'
  /** The payment succeeded. */
  | 'SUCCEEDED';

/** KYC submission for review. */
export type SubmitKycInput = {
  /** Registered address, at most 255 characters. */
  address: string;
  /** Document IDs returned by POST /kyc/documents: 1 to 10 distinct IDs. */
  documentIds: Array<string>;
  /** GST number (GSTIN), 15 characters, if there is one. */
  gstin?: string | null | undefined;
  /** Name as on the PAN card, at most 100 characters. */
  legalName: string;
  /** Permanent account number (PAN): 5 letters, 4 digits, 1 letter. */
  pan: string;
  /** Postal code, 6 digits. */
  pincode: string;
};

/** API key to suspend. */
export type SuspendCredentialInput = {
  /** Client ID of the API key. */
  clientId: string;
  /** Reason for the audit log, 1 to 500 characters. */
  reason: string;
};

/** Account to suspend. */
export type SuspendDeveloperInput = {
  /** ID of the developer. */
  developerId: string;
  /** Reason for the audit log, 1 to 500 characters. */
  reason: string;
};

/** User to suspend. */
export type SuspendUserInput = {
  /** Whether to suspend an administrator immediately, without a second person. All administrators receive an email, and you cannot manage users until another administrator confirms or undoes the suspension. No effect if one person is enough. */
  emergency?: boolean | null | undefined;
  /** Reason for the audit log, 1 to 500 characters. */
  reason: string;
  /** ID of the user. */
  userId: string;
};

/** Role of a user within a developer account. */
export type TeamRole =
  /** Manages API keys, webhooks and the duplicate guard, and can read everything else. Cannot manage users. */
  | 'BUILDER'
  /** Reads orders, wallets and statements. */
  | 'FINANCE'
  /** Full access, including users and KYC. Each account has at least one owner. */
  | 'OWNER'
  /** Reads orders, wallets, statements, API keys and webhooks. */
  | 'READER';

/** Change of accounts, users or providers that can require a second administrator. */
export type TwoPeople =
  /** Sets a service fee above `feeApprovalAbove`. */
  | 'FEES'
  /** Changes the recharge provider or the white label. */
  | 'PROVIDER'
  /** Changes the role of a user. */
  | 'ROLES'
  /** Enables a disabled provider, or resumes paused orders. */
  | 'SWITCHES'
  /** Grants Production access. */
  | 'UNLOCK';

/** Account that gets Production access. */
export type UnlockProductionInput = {
  /** ID of the developer. */
  developerId: string;
};

/** Changes to the profile of the signed-in user. Omitted fields stay unchanged. */
export type UpdateProfileInput = {
  /** Current password. Required to change the email address. */
  currentPassword?: string | null | undefined;
  /** New email address. Takes effect when the user opens the link sent to it. The current address also receives an email. */
  email?: string | null | undefined;
  /** Mobile number, 10 digits. */
  mobile?: string | null | undefined;
  /** Display name. */
  name?: string | null | undefined;
};

/** New subscribed event types of a webhook endpoint. */
export type UpdateWebhookEndpointInput = {
  /** ID of the endpoint. */
  endpointId: string;
  /** Subscribed event types from now on. If all types are listed, the endpoint receives all events, including types added later. */
  types: Array<WebhookEventType>;
};

/** Token from the emailed link, and the password chosen at sign-up. */
export type VerifyEmailInput = {
  /** Password that was chosen at sign-up. */
  password: string;
  /** Single-use token from the emailed link, valid for 24 hours. */
  token: string;
};

/** Filters for deliveries. A delivery must match all given fields. */
export type WebhookDeliveryFilter = {
  /** Only deliveries for the recharge or payment with this `api_request_id`, or for the test message with this reference. */
  apiRequestId?: string | null | undefined;
  /** Only deliveries of this environment. */
  environment?: Environment | null | undefined;
  /** Only deliveries recorded at or after this time. */
  from?: string | null | undefined;
  /** Only deliveries with one of these statuses. */
  state?: Array<WebhookDeliveryState> | null | undefined;
  /** Only deliveries recorded before this time. */
  to?: string | null | undefined;
  /** Only deliveries of these event types. */
  type?: Array<WebhookEventType> | null | undefined;
};

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

/** Kind of work for staff. */
export type WorkKind =
  /** Pending approval requests. Use `approveApprovalRequest` or `rejectApprovalRequest`. */
  | 'APPROVAL_REQUEST'
  /** Failed webhook deliveries of the last 7 days, at most 10,000. Use `redeliverWebhook` when the receiver is available again. */
  | 'FAILED_DELIVERY'
  /** Failed emails of the last 3 days: the mail server rejected them or was unavailable. See `failedEmails`; use `resendEmail`. */
  | 'FAILED_EMAIL'
  /** KYC submissions to review. Use `approveDeveloper`, `requestKycChanges` or `rejectDeveloper`. */
  | 'KYC'
  /** Requests for Production access. Use `unlockProduction`. */
  | 'PRODUCTION_REQUEST'
  /** Payments in review, without a known outcome. Use `resolveOrder` or `resolveOrders`. */
  | 'REVIEW'
  /** Differences between provider statements and orders. See `statementDifferences`; use `resolveStatementDifference`. */
  | 'STATEMENT_DIFFERENCE'
  /** Payments with a conflicting provider status. Use `resolveOrder`, `reverseOrder` or `reverseRefund`. */
  | 'STATUS_CONFLICT';

export type TwoPeopleQueryVariables = Exact<{ [key: string]: never; }>;


export type TwoPeopleQuery = { defaults: { feeApprovalAbove: number, twoPeople: Array<TwoPeople> } | null };

export type StillSignedInQueryVariables = Exact<{ [key: string]: never; }>;


export type StillSignedInQuery = { viewer: { user: { id: string } } | null };

export type SignedInQueryVariables = Exact<{ [key: string]: never; }>;


export type SignedInQuery = { isSignedIn: boolean | null, viewer: { permissions: Array<string>, user: { id: string, name: string, email: string, role: Role }, developer: { id: string, name: string, onboardingStatus: OnboardingStatus, productionUnlocked: boolean } | null } | null };

export type AccessQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
  filter?: DeveloperFilter | null | undefined;
}>;


export type AccessQuery = { developers: { pageInfo: { startCursor: string | null, endCursor: string | null, hasNextPage: boolean, hasPreviousPage: boolean }, edges: Array<{ node: { id: string, name: string, services: Array<{ id: string, service: Service, enabled: boolean, fee: number, changedAt: string | null, changedBy: { name: string } | null }> | null } }> } | null };

export type ActivityQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
}>;


export type ActivityQuery = { viewer: { developer: { id: string, activity: { pageInfo: { startCursor: string | null, endCursor: string | null, hasNextPage: boolean, hasPreviousPage: boolean }, edges: Array<{ node: { id: string, at: string, summary: string, subjectText: string, reason: string | null, actor: { name: string } } }> } | null } | null } | null };

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

export type ApproveApprovalRequestMutationVariables = Exact<{
  input: ApproveApprovalRequestInput;
}>;


export type ApproveApprovalRequestMutation = { approveApprovalRequest: { outcome:
      | { approvalRequest: { id: string, state: ApprovalRequestState, resolvedAt: string | null, canApprove: boolean, resolvedBy: { name: string, user: { id: string } | null } | null, order: { id: string, status: OrderStatus } | null }, developer: { id: string, productionUnlocked: boolean, rechargeProvider: RechargeProvider, wallets: Array<{ id: string, balance: number, held: number | null }> | null } | null, results: Array<{ orderId: string, result: OrderResolutionResult, code: ErrorCode | null }> | null }
      | Record<PropertyKey, never>
     } | null };

export type RejectApprovalRequestMutationVariables = Exact<{
  input: RejectApprovalRequestInput;
}>;


export type RejectApprovalRequestMutation = { rejectApprovalRequest: { approvalRequest: { id: string, state: ApprovalRequestState, resolvedAt: string | null, canApprove: boolean, rejectionReason: string | null, resolvedBy: { name: string, user: { id: string } | null } | null } } | null };

export type ApprovalRequestQueryVariables = Exact<{
  id: string;
}>;


export type ApprovalRequestQuery = { node:
    | { id: string, state: ApprovalRequestState, action: ApprovalRequestAction, resolution: Resolution | null, environment: Environment | null, amount: number | null, reference: string, utr: string | null, reason: string, at: string, expiresAt: string, resolvedAt: string | null, canApprove: boolean, rejectionReason: string | null, provider: Provider | null, walletEffect: { balanceAtRequest: number, balance: number | null, balanceAfter: number | null } | null, earlierRequests: Array<{ id: string, state: ApprovalRequestState, action: ApprovalRequestAction, resolution: Resolution | null, environment: Environment | null, amount: number | null, reference: string, utr: string | null, at: string, resolvedAt: string | null, rejectionReason: string | null, provider: Provider | null, requestedBy: { name: string, user: { id: string } | null }, resolvedBy: { name: string, user: { id: string } | null } | null, developer: { id: string, name: string } | null, user: { id: string, name: string } | null, whiteLabel: { id: string, name: string } | null, changes: Array<{ field: string, before: string | null, after: string | null }> }> | null, requestedBy: { name: string, user: { id: string } | null }, resolvedBy: { name: string, user: { id: string } | null } | null, developer: { id: string, name: string } | null, user: { id: string, name: string, email: string, role: Role, teamRole: TeamRole | null } | null, whiteLabel: { id: string, name: string } | null, order: { id: string, status: OrderStatus, accountNumber: string | null, card: string | null } | null, orders: Array<{ orderId: string, outcome: Resolution, amount: number, evidence: { line: number, reference: string, status: StatementStatus, amount: number, at: string } | null }> | null, correction: { fromVersion: number, entries: number, storedBalance: number, computedBalance: number, difference: number, postedAt: string | null } | null, changes: Array<{ field: string, before: string | null, after: string | null }> }
    | Record<PropertyKey, never>
   | null };

export type ApprovalRequestsQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
  filter?: ApprovalRequestFilter | null | undefined;
}>;


export type ApprovalRequestsQuery = { approvalRequests: { totalCount: number | null, pageInfo: { startCursor: string | null, endCursor: string | null, hasNextPage: boolean, hasPreviousPage: boolean }, edges: Array<{ node: { id: string, state: ApprovalRequestState, action: ApprovalRequestAction, resolution: Resolution | null, environment: Environment | null, amount: number | null, reference: string, at: string, expiresAt: string, resolvedAt: string | null, provider: Provider | null, requestedBy: { name: string, user: { id: string } | null }, resolvedBy: { name: string, user: { id: string } | null } | null, developer: { id: string, name: string } | null, user: { id: string, name: string } | null, whiteLabel: { id: string, name: string } | null, correction: { difference: number } | null, changes: Array<{ field: string, before: string | null, after: string | null }> } }> } | null };

export type AuditEntryQueryVariables = Exact<{
  id: string;
}>;


export type AuditEntryQuery = { node:
    | { id: string, number: number, at: string, action: AuditAction, summary: string, subjectText: string, reason: string | null, requestId: string, address: string | null, requestedBy: { name: string } | null, actor: { name: string, user: { id: string, email: string } | null }, subject:
        | { id: string }
        | { id: string }
        | { id: string }
        | { name: string, id: string }
        | { id: string }
        | { id: string }
        | { id: string }
        | { id: string }
        | { id: string }
        | { id: string }
        | { id: string }
        | { id: string }
        | { id: string }
        | { id: string }
        | { name: string, id: string }
        | { id: string }
        | { id: string }
        | { name: string, id: string }
       | null, changes: Array<{ field: string, before: string | null, after: string | null }> }
    | Record<PropertyKey, never>
   | null };

export type AuditLogQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
  filter?: AuditFilter | null | undefined;
}>;


export type AuditLogQuery = { auditLog: { pageInfo: { startCursor: string | null, endCursor: string | null, hasNextPage: boolean, hasPreviousPage: boolean }, edges: Array<{ node: { id: string, at: string, summary: string, subjectText: string, reason: string | null, actor: { name: string }, subject:
          | { id: string }
          | { id: string }
          | { id: string }
          | { name: string, id: string }
          | { id: string }
          | { id: string }
          | { id: string }
          | { id: string }
          | { id: string }
          | { apiRequestId: string, id: string }
          | { id: string }
          | { id: string }
          | { id: string }
          | { id: string }
          | { name: string, id: string }
          | { id: string }
          | { id: string }
          | { name: string, id: string }
         | null } }> } | null };

export type KeyToCancelQueryVariables = Exact<{
  id: string;
}>;


export type KeyToCancelQuery = { node:
    | { id: string, clientId: string, environment: Environment, label: string | null, createdAt: string, startsAt: string | null, revokedAt: string | null }
    | Record<PropertyKey, never>
   | null };

export type EndpointToCancelQueryVariables = Exact<{
  id: string;
}>;


export type EndpointToCancelQuery = { node:
    | { id: string, url: string, environment: Environment, createdAt: string, startsAt: string | null }
    | Record<PropertyKey, never>
   | null };

export type CancelKeyMutationVariables = Exact<{
  input: CancelCredentialInput;
}>;


export type CancelKeyMutation = { cancelCredential: { credential: { id: string, revokedAt: string | null } } | null };

export type CancelEndpointMutationVariables = Exact<{
  input: WebhookEndpointInput;
}>;


export type CancelEndpointMutation = { cancelWebhookEndpoint: { deletedEndpointId: string } | null };

export type WebhookDeliveriesQueryVariables = Exact<{
  endpointId?: string | null | undefined;
  developerId?: string | null | undefined;
  filter?: WebhookDeliveryFilter | null | undefined;
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
  ofAll: boolean;
}>;


export type WebhookDeliveriesQuery = { webhookDeliveries: { pageInfo: { startCursor: string | null, endCursor: string | null, hasNextPage: boolean, hasPreviousPage: boolean }, edges: Array<{ node: { id: string, type: WebhookEventType, apiRequestId: string, occurredAt: string, state: WebhookDeliveryState, attemptCount: number, httpStatus: number | null, error: WebhookError | null, nextAttemptAt: string | null, developer?: { id: string, name: string } | null } }> } | null };

export type WebhookDeliveryQueryVariables = Exact<{
  endpointId?: string | null | undefined;
  developerId?: string | null | undefined;
  request: string;
}>;


export type WebhookDeliveryQuery = { webhookDeliveries: { edges: Array<{ node: { id: string, type: WebhookEventType, apiRequestId: string, occurredAt: string, state: WebhookDeliveryState, attemptCount: number, httpStatus: number | null, error: WebhookError | null, nextAttemptAt: string | null, body: string | null, attempts: Array<{ at: string, httpStatus: number | null, error: WebhookError | null, durationMs: number }> | null, order: { id: string } | null } }> } | null };

export type RedeliverMutationVariables = Exact<{
  input: RedeliverWebhookInput;
}>;


export type RedeliverMutation = { redeliverWebhook: { delivery: { id: string, state: WebhookDeliveryState, attemptCount: number, nextAttemptAt: string | null, error: WebhookError | null, httpStatus: number | null } } | null };

export type UnlockMutationVariables = Exact<{
  input: UnlockProductionInput;
}>;


export type UnlockMutation = { unlockProduction: { approvalRequest: { id: string } | null, developer: { id: string, productionUnlocked: boolean, productionRequest: { requestedAt: string, message: string | null } | null } } | null };

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

export type SuspendKeyMutationVariables = Exact<{
  input: SuspendCredentialInput;
}>;


export type SuspendKeyMutation = { suspendCredential: { credential: { id: string, suspendedAt: string | null, suspensionReason: string | null } } | null };

export type ReinstateKeyMutationVariables = Exact<{
  input: ReinstateCredentialInput;
}>;


export type ReinstateKeyMutation = { reinstateCredential: { credential: { id: string, suspendedAt: string | null, suspensionReason: string | null } } | null };

export type LimitsQueryVariables = Exact<{ [key: string]: never; }>;


export type LimitsQuery = { defaults: { rateLimitPerMinute: number, tokenIdleDays: number, tokenMaxDays: number, twoPeople: Array<TwoPeople> } | null };

export type SetRateLimitMutationVariables = Exact<{
  input: SetRateLimitInput;
}>;


export type SetRateLimitMutation = { setRateLimit: { developer: { id: string, rateLimitPerMinute: number | null } } | null };

export type ResetRateLimitMutationVariables = Exact<{
  input: ResetRateLimitInput;
}>;


export type ResetRateLimitMutation = { resetRateLimit: { developer: { id: string, rateLimitPerMinute: number | null } } | null };

export type SetTokenLifetimeMutationVariables = Exact<{
  input: SetTokenLifetimeInput;
}>;


export type SetTokenLifetimeMutation = { setTokenLifetime: { developer: { id: string, tokenIdleDays: number | null, tokenMaxDays: number | null } } | null };

export type ResetTokenLifetimeMutationVariables = Exact<{
  input: ResetTokenLifetimeInput;
}>;


export type ResetTokenLifetimeMutation = { resetTokenLifetime: { developer: { id: string, tokenIdleDays: number | null, tokenMaxDays: number | null } } | null };

export type AssignToDeveloperMutationVariables = Exact<{
  input: AssignRechargeProviderInput;
}>;


export type AssignToDeveloperMutation = { assignRechargeProvider: { developer: { id: string, rechargeProvider: RechargeProvider } | null, approvalRequest: { id: string } | null } | null };

export type CreditAllowanceQueryVariables = Exact<{ [key: string]: never; }>;


export type CreditAllowanceQuery = { viewer: { allowance: { credit: number } | null } | null };

export type CreditWalletMutationVariables = Exact<{
  input: CreditWalletInput;
}>;


export type CreditWalletMutation = { creditWallet: { outcome:
      | { __typename: 'ApprovalRequestApproved' }
      | { __typename: 'ApprovalRequestCreated', replayed: boolean, approvalRequest: { id: string, state: ApprovalRequestState } }
      | { __typename: 'OrderUnchanged' }
      | { __typename: 'WalletUpdated', replayed: boolean, wallet: { id: string, balance: number, held: number | null } | null }
     } | null };

export type DebitWalletMutationVariables = Exact<{
  input: DebitWalletInput;
}>;


export type DebitWalletMutation = { debitWallet: { outcome:
      | { __typename: 'ApprovalRequestApproved' }
      | { __typename: 'ApprovalRequestCreated', replayed: boolean, approvalRequest: { id: string, state: ApprovalRequestState } }
      | { __typename: 'OrderUnchanged' }
      | { __typename: 'WalletUpdated', replayed: boolean, wallet: { id: string, balance: number, held: number | null } | null }
     } | null };

export type DeveloperQueryVariables = Exact<{
  id: string;
  money: boolean;
  staff: boolean;
  approvalRequests: boolean;
}>;


export type DeveloperQuery = { approvalRequests?: { edges: Array<{ node: { id: string, action: ApprovalRequestAction } }> } | null, developer: { id: string, name: string, email: string, mobile?: string | null, createdAt: string, kycSubmittedAt: string | null, approvedAt: string | null, onboardingStatus: OnboardingStatus, productionUnlocked: boolean, suspendedAt: string | null, closedAt: string | null, suspensionReason: string | null, rejectionReason: string | null, accountNumber: number, rechargeProvider: RechargeProvider, rateLimitPerMinute: number | null, tokenIdleDays: number | null, tokenMaxDays: number | null, duplicateGuardSeconds: number, approvedBy?: { name: string } | null, productionRequest: { requestedAt: string, message: string | null } | null, whiteLabel: { id: string, name: string } | null, wallets?: Array<{ id: string, environment: Environment, balance: number, held: number | null }> | null, credentials?: Array<{ id: string, clientId: string, environment: Environment, label: string | null, revokedAt: string | null, lastUsedAt: string | null, suspendedAt: string | null, suspensionReason: string | null }> | null, users: Array<{ id: string, name: string, email: string }> | null, services: Array<{ id: string, service: Service, enabled: boolean, fee: number, changedAt: string | null, changedBy: { name: string } | null, lastRejectedCalls: Array<{ environment: Environment, at: string, code: ErrorCode, requestId: string, operation: string }> | null }> | null, lastRejectedCalls: Array<{ environment: Environment, at: string, code: ErrorCode, requestId: string, operation: string }> | null } | null };

export type DevelopersQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
  filter?: DeveloperFilter | null | undefined;
  sort?: DeveloperSort | null | undefined;
  money: boolean;
}>;


export type DevelopersQuery = { developers: { totalCount: number | null, pageInfo: { startCursor: string | null, endCursor: string | null, hasNextPage: boolean, hasPreviousPage: boolean }, edges: Array<{ node: { id: string, name: string, email: string, onboardingStatus: OnboardingStatus, productionUnlocked: boolean, suspendedAt: string | null, closedAt: string | null, rechargeProvider: RechargeProvider, createdAt: string, wallets?: Array<{ id: string, environment: Environment, balance: number }> | null } }> } | null };

export type StatementDifferencesQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
  filter?: StatementDifferenceFilter | null | undefined;
}>;


export type StatementDifferencesQuery = { statementDifferences: { pageInfo: { startCursor: string | null, endCursor: string | null, hasNextPage: boolean, hasPreviousPage: boolean }, edges: Array<{ node: { id: string, provider: Provider, kind: StatementDifferenceKind, fileHash: string, runAt: string, line: number | null, orderId: string | null, reference: string, account: string | null, orderStatus: OrderStatus | null, orderAmount: number | null, lineStatus: StatementStatus | null, lineAmount: number | null, at: string, foundAt: string, resolution: StatementDifferenceResolution | null, resolvedAt: string | null, reason: string | null, resolvedBy: { id: string, name: string } | null } }> } | null };

export type ResolveStatementDifferenceMutationVariables = Exact<{
  input: ResolveStatementDifferenceInput;
}>;


export type ResolveStatementDifferenceMutation = { resolveStatementDifference: { difference: { id: string, resolution: StatementDifferenceResolution | null } } | null };

export type SetDuplicateGuardMutationVariables = Exact<{
  input: SetDuplicateGuardInput;
}>;


export type SetDuplicateGuardMutation = { setDuplicateGuard: { developer: { id: string, duplicateGuardSeconds: number } } | null };

export type FailedAttemptsQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
  filter?: SecurityEventFilter | null | undefined;
}>;


export type FailedAttemptsQuery = { securityEvents: { pageInfo: { startCursor: string | null, endCursor: string | null, hasNextPage: boolean, hasPreviousPage: boolean }, edges: Array<{ node: { kind: SecurityEventKind, identifier: string | null, address: string, count: number, at: string, lastAt: string, reason: string, requestId: string, user: { id: string, name: string, developer: { id: string, name: string } | null } | null } }> } | null };

export type FailedEmailsQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
}>;


export type FailedEmailsQuery = { failedEmails: { pageInfo: { startCursor: string | null, endCursor: string | null, hasNextPage: boolean, hasPreviousPage: boolean }, edges: Array<{ node: { id: string, to: string | null, subject: string | null, createdAt: string, lastAttemptAt: string | null, failure: EmailFailure | null, response: string | null, linkExpiresAt: string | null } }> } | null };

export type ResendEmailMutationVariables = Exact<{
  input: ResendEmailInput;
}>;


export type ResendEmailMutation = { resendEmail: { emailId: string } | null };

export type HomeQueryVariables = Exact<{
  environment: Environment;
  builds: boolean;
}>;


export type HomeQuery = { viewer: { developer: { id: string, name: string, onboardingStatus: OnboardingStatus, productionUnlocked: boolean, suspendedAt: string | null, suspensionReason: string | null, rejectionReason: string | null, wallets: Array<{ id: string, environment: Environment, balance: number, held: number | null }> | null, orders: { edges: Array<{ node: { id: string, createdAt: string, kind: OrderKind, status: OrderStatus, amount: number, environment: Environment, accountNumber: string | null, card: string | null, operator: { id: string, name: string } | null, decline: { reason: DeclineReason } | null } }> } | null, goLive: Array<{ step: GoLiveStepName, completedAt: string | null, isInReview: boolean }> | null, credentials?: Array<{ id: string, clientId: string, environment: Environment, label: string | null, lastUsedAt: string | null, expiresAt: string | null, revokedAt: string | null }> | null } | null } | null, webhookEndpoints?: Array<{ id: string, url: string, environment: Environment, disabledAt: string | null, disabledReason: WebhookDisabledReason | null }> | null };

export type SetSessionIdleLimitMutationVariables = Exact<{
  input: SetSessionIdleLimitInput;
}>;


export type SetSessionIdleLimitMutation = { setSessionIdleLimit: { developer: { id: string, sessionIdleMinutes: number } } | null };

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

export type KeysQueryVariables = Exact<{ [key: string]: never; }>;


export type KeysQuery = { environments: Array<{ environment: Environment, baseUrl: string }> | null, viewer: { developer: { id: string, onboardingStatus: OnboardingStatus, productionUnlocked: boolean, credentials: Array<{ id: string, clientId: string, environment: Environment, label: string | null, secretLast4: string, lastUsedAt: string | null, startsAt: string | null, expiresAt: string | null, revokedAt: string | null, suspendedAt: string | null, suspensionReason: string | null }> | null, goLive: Array<{ step: GoLiveStepName, completedAt: string | null, isInReview: boolean }> | null } | null } | null };

export type NextKycQueryVariables = Exact<{ [key: string]: never; }>;


export type NextKycQuery = { developers: { edges: Array<{ node: { id: string } }> } | null };

export type ApproveKycMutationVariables = Exact<{
  input: ApproveDeveloperInput;
}>;


export type ApproveKycMutation = { approveDeveloper: { approvalRequest: { id: string } | null, developer: { id: string, onboardingStatus: OnboardingStatus, approvedAt: string | null } } | null };

export type WantChangesMutationVariables = Exact<{
  input: RequestKycChangesInput;
}>;


export type WantChangesMutation = { requestKycChanges: { developer: { id: string, onboardingStatus: OnboardingStatus, rejectionReason: string | null } } | null };

export type RejectKycMutationVariables = Exact<{
  input: RejectDeveloperInput;
}>;


export type RejectKycMutation = { rejectDeveloper: { developer: { id: string, onboardingStatus: OnboardingStatus, rejectionReason: string | null } } | null };

export type DeleteDocumentMutationVariables = Exact<{
  input: DeleteKycDocumentInput;
}>;


export type DeleteDocumentMutation = { deleteKycDocument: { documentId: string, developer: { id: string, kycDraft: { remainingDocuments: number, documents: Array<{ id: string, kind: string, fileName: string, sizeBytes: number }> } | null } } | null };

export type SaveDraftMutationVariables = Exact<{
  input: SaveKycDraftInput;
}>;


export type SaveDraftMutation = { saveKycDraft: { developer: { id: string, kycDraft: { legalName: string | null, pan: string | null, gstin: string | null, address: string | null, pincode: string | null } | null } } | null };

export type HandInMutationVariables = Exact<{
  input: SubmitKycInput;
}>;


export type HandInMutation = { submitKyc: { developer: { id: string, onboardingStatus: OnboardingStatus } } | null };

export type KycReviewQueryVariables = Exact<{
  id: string;
}>;


export type KycReviewQuery = { developer: { id: string, name: string, email: string, mobile: string | null, createdAt: string, onboardingStatus: OnboardingStatus, productionUnlocked: boolean, suspendedAt: string | null, closedAt: string | null, rejectionReason: string | null, kycSubmittedAt: string | null, kyc: { id: string, legalName: string, pan: string, gstin: string | null, address: string, pincode: string, developersWithSamePan: number | null, documents: Array<{ id: string, kind: string, fileName: string, contentType: string, sizeBytes: number, downloadUrl: string | null }> } | null } | null };

export type RevealKycFieldMutationVariables = Exact<{
  input: RevealKycFieldInput;
}>;


export type RevealKycFieldMutation = { revealKycField: { value: string | null } | null };

export type KycQueueQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
}>;


export type KycQueueQuery = { developers: { totalCount: number | null, pageInfo: { startCursor: string | null, endCursor: string | null, hasNextPage: boolean, hasPreviousPage: boolean }, edges: Array<{ node: { id: string, name: string, email: string, kycSubmittedAt: string | null, kycSummary: { documents: number, developersWithSamePan: number } | null } }> } | null };

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

export type NotesQueryVariables = Exact<{
  id: string;
  after?: string | null | undefined;
}>;


export type NotesQuery = { developer: { id: string, notes: { pageInfo: { endCursor: string | null, hasNextPage: boolean }, edges: Array<{ node: { id: string, text: string, createdAt: string, author: { name: string } } }> } | null } | null };

export type AddNoteMutationVariables = Exact<{
  input: AddNoteInput;
}>;


export type AddNoteMutation = { addNote: { note: { id: string } } | null };

export type OnboardingQueryVariables = Exact<{
  owner: boolean;
}>;


export type OnboardingQuery = { viewer: { developer: { id: string, onboardingStatus: OnboardingStatus, rejectionReason: string | null, productionUnlocked: boolean, productionRequest: { requestedAt: string, message: string | null } | null, goLive: Array<{ step: GoLiveStepName, completedAt: string | null, isInReview: boolean }> | null, kyc?: { id: string, legalName: string, pan: string, gstin: string | null, address: string, pincode: string, submittedAt: string, documents: Array<{ id: string, kind: string, fileName: string, sizeBytes: number }> } | null, kycDraft?: { remainingDocuments: number, legalName: string | null, pan: string | null, gstin: string | null, address: string | null, pincode: string | null, documents: Array<{ id: string, kind: string, fileName: string, sizeBytes: number }> } | null } | null } | null };

export type AskForLiveMutationVariables = Exact<{
  input: RequestProductionInput;
}>;


export type AskForLiveMutation = { requestProduction: { developer: { id: string, productionRequest: { requestedAt: string, message: string | null } | null } } | null };

export type OrderActionsQueryVariables = Exact<{
  id: string;
}>;


export type OrderActionsQuery = { order: { id: string, amount: number, environment: Environment, actions: Array<OrderAction> | null, approvalRequest: { id: string, action: ApprovalRequestAction } | null, developer: { id: string, name: string } | null } | null };

export type ReverseOrderMutationVariables = Exact<{
  input: ReverseOrderInput;
}>;


export type ReverseOrderMutation = { reverseOrder: { outcome:
      | { __typename: 'ApprovalRequestApproved' }
      | { __typename: 'ApprovalRequestCreated', replayed: boolean, approvalRequest: { id: string, state: ApprovalRequestState, order: { id: string, approvalRequest: { id: string, action: ApprovalRequestAction } | null } | null } }
      | { __typename: 'OrderUnchanged' }
      | { __typename: 'WalletUpdated', replayed: boolean, wallet: { id: string, balance: number, held: number | null } | null, order: { id: string, status: OrderStatus, actions: Array<OrderAction> | null } | null }
     } | null };

export type ReverseRefundMutationVariables = Exact<{
  input: ReverseRefundInput;
}>;


export type ReverseRefundMutation = { reverseRefund: { outcome:
      | { __typename: 'ApprovalRequestApproved' }
      | { __typename: 'ApprovalRequestCreated', replayed: boolean, approvalRequest: { id: string, state: ApprovalRequestState, order: { id: string, approvalRequest: { id: string, action: ApprovalRequestAction } | null } | null } }
      | { __typename: 'OrderUnchanged' }
      | { __typename: 'WalletUpdated', replayed: boolean, wallet: { id: string, balance: number, held: number | null } | null, order: { id: string, status: OrderStatus, actions: Array<OrderAction> | null } | null }
     } | null };

export type OrderDecisionsQueryVariables = Exact<{
  id: string;
}>;


export type OrderDecisionsQuery = { auditLog: { edges: Array<{ node: { id: string, action: AuditAction, at: string, actor: { name: string } } }> } | null };

export type OrderQueryVariables = Exact<{
  id: string;
  staff: boolean;
  deliveries: boolean;
}>;


export type OrderQuery = { order: { id: string, apiRequestId: string, clientRequestId: string | null, createdAt: string, settledAt: string | null, kind: OrderKind, status: OrderStatus, amount: number, refunded: number, environment: Environment, accountNumber: string | null, mobile: string | null, card: string | null, operatorRef: string | null, providerTxnId: string | null, utr: string | null, txid: number | null, nextCheckAt: string | null, reviewAt: string | null, provider?: Provider | null, operator: { id: string, name: string, spKey: number, type: OperatorType } | null, decline: { reason: DeclineReason, message: string, retryable: boolean } | null, timeline: Array<{ at: string, kind: OrderEventKind, summary: string, detail: string, amount: number | null, httpStatus: number | null, durationMs: number | null, reference: string | null }> | null, entries: Array<{ id: string, at: string, kind: StatementKind, amount: number, balanceAfter: number }> | null, deliveries?: Array<{ id: string, type: WebhookEventType, state: WebhookDeliveryState, httpStatus: number | null, error: WebhookError | null, attemptCount: number, occurredAt: string }> | null, developer?: { id: string, name: string } | null } | null };

export type PauseOrdersMutationVariables = Exact<{
  input: PauseOrdersInput;
}>;


export type PauseOrdersMutation = { pauseOrders: { environment: { environment: Environment, orderPause: { notice: string, since: string } | null } } | null };

export type ResumeOrdersMutationVariables = Exact<{
  input: ResumeOrdersInput;
}>;


export type ResumeOrdersMutation = { resumeOrders: { environment: { environment: Environment, orderPause: { notice: string, since: string } | null }, approvalRequest: { id: string } | null } | null };

export type CheckOrderStatusMutationVariables = Exact<{
  input: CheckOrderStatusInput;
}>;


export type CheckOrderStatusMutation = { checkOrderStatus: { order: { id: string, actions: Array<OrderAction> | null, timeline: Array<{ kind: OrderEventKind, at: string, summary: string, detail: string, amount: number | null, httpStatus: number | null, durationMs: number | null, reference: string | null }> | null } } | null };

export type CheckOrderStatusesMutationVariables = Exact<{
  input: CheckOrderStatusesInput;
}>;


export type CheckOrderStatusesMutation = { checkOrderStatuses: { results: Array<{ orderId: string, code: ErrorCode | null }> } | null };

export type OrdersQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
  filter?: ConsoleOrderFilter | null | undefined;
  staff: boolean;
}>;


export type OrdersQuery = { orders: { searchedFrom: string | null, pageInfo: { startCursor: string | null, endCursor: string | null, hasNextPage: boolean, hasPreviousPage: boolean }, edges: Array<{ node: { id: string, createdAt: string, kind: OrderKind, status: OrderStatus, amount: number, environment: Environment, accountNumber: string | null, card: string | null, provider?: Provider | null, operator: { id: string, name: string } | null, decline: { reason: DeclineReason } | null, developer?: { id: string, name: string } | null } }> } | null };

export type OperatorsQueryVariables = Exact<{ [key: string]: never; }>;


export type OperatorsQuery = { operators: Array<{ id: string, name: string, spKey: number }> | null };

export type InviteUserMutationVariables = Exact<{
  input: InviteUserInput;
}>;


export type InviteUserMutation = { inviteUser: { approvalRequest: { id: string } | null, user: { id: string, invitedUntil: string | null } } | null };

export type SetUserRoleMutationVariables = Exact<{
  input: SetUserRoleInput;
}>;


export type SetUserRoleMutation = { setUserRole: { approvalRequest: { id: string } | null, user: { id: string, role: Role, teamRole: TeamRole | null } } | null };

export type SuspendUserMutationVariables = Exact<{
  input: SuspendUserInput;
}>;


export type SuspendUserMutation = { suspendUser: { approvalRequest: { id: string } | null, user: { id: string, suspendedAt: string | null, emergencySuspension: boolean } } | null };

export type ReinstateUserMutationVariables = Exact<{
  input: ReinstateUserInput;
}>;


export type ReinstateUserMutation = { reinstateUser: { approvalRequest: { id: string } | null, user: { id: string, suspendedAt: string | null, emergencySuspension: boolean } } | null };

export type ResetSecondFactorsMutationVariables = Exact<{
  input: ResetSecondFactorsInput;
}>;


export type ResetSecondFactorsMutation = { resetSecondFactors: { approvalRequest: { id: string } | null, user: { id: string, secondFactors: Array<{ kind: SecondFactorKind, name: string }> | null } } | null };

export type RemoveUserMutationVariables = Exact<{
  input: RemoveUserInput;
}>;


export type RemoveUserMutation = { removeUser: { removedUserId: string, approvalRequest: { id: string } | null } | null };

export type PersonSessionsQueryVariables = Exact<{
  id: string;
}>;


export type PersonSessionsQuery = { node:
    | { id: string, sessions: Array<{ id: string, lastSeenAt: string, address: string | null, userAgent: string | null, current: boolean }> | null }
    | Record<PropertyKey, never>
   | null };

export type RevokeUserSessionsMutationVariables = Exact<{
  input: RevokeUserSessionsInput;
}>;


export type RevokeUserSessionsMutation = { revokeUserSessions: { revokedSessions: number } | null };

export type UpdateProfileMutationVariables = Exact<{
  input: UpdateProfileInput;
}>;


export type UpdateProfileMutation = { updateProfile: { user: { id: string, name: string, mobile: string | null, email: string } } | null };

export type ProvidersQueryVariables = Exact<{ [key: string]: never; }>;


export type ProvidersQuery = { providers: Array<{ provider: Provider, environment: Environment, available: boolean, unavailableReason: string | null, breaker: BreakerState, successRate: number | null, p95Ms: number | null, pendingPayments: number, pendingAmount: number, oldestPendingAt: string | null, exposureLimit: number | null, float: number | null, floatAt: string | null }> | null, defaults: { twoPeople: Array<TwoPeople> } | null, approvalRequests: { totalCount: number | null } | null, resumptions: { totalCount: number | null } | null, environments: Array<{ environment: Environment, orderPause: { notice: string, since: string } | null }> | null };

export type SwitchProviderMutationVariables = Exact<{
  input: SetProviderAvailabilityInput;
}>;


export type SwitchProviderMutation = { setProviderAvailability: { health: { provider: Provider, environment: Environment, available: boolean, unavailableReason: string | null }, approvalRequest: { id: string } | null } | null };

export type ResolveOrderMutationVariables = Exact<{
  input: ResolveOrderInput;
}>;


export type ResolveOrderMutation = { resolveOrder: { outcome:
      | { __typename: 'ApprovalRequestApproved' }
      | { __typename: 'ApprovalRequestCreated', replayed: boolean, approvalRequest: { id: string, state: ApprovalRequestState } }
      | { __typename: 'OrderUnchanged', replayed: boolean, order: { id: string, status: OrderStatus } | null }
      | { __typename: 'WalletUpdated', replayed: boolean, wallet: { id: string, balance: number, held: number | null } | null, order: { id: string, status: OrderStatus } | null }
     } | null };

export type ResolveOrdersMutationVariables = Exact<{
  input: ResolveOrdersInput;
}>;


export type ResolveOrdersMutation = { resolveOrders: { approvalRequest: { id: string, state: ApprovalRequestState } | null, results: Array<{ orderId: string, result: OrderResolutionResult, code: ErrorCode | null }> } | null };

export type EvidenceQueryVariables = Exact<{
  id: string;
}>;


export type EvidenceQuery = { reviewOrders: { edges: Array<{ node: { environment: Environment, provider: Provider, inReviewSince: string, statusConflictAt: string | null, sentRecentlyUntil: string | null, developer: { id: string, name: string } | null, approvalRequest: { id: string } | null, preview: Array<{ resolution: Resolution, requiresApproval: boolean, entries: Array<{ kind: OrderEventKind, from: LedgerAccount, to: LedgerAccount, amount: number }> }> | null, order: { id: string, createdAt: string, amount: number, accountNumber: string | null, card: string | null, apiRequestId: string, providerTxnId: string | null, actions: Array<OrderAction> | null, timeline: Array<{ kind: OrderEventKind, at: string, summary: string, detail: string, amount: number | null, httpStatus: number | null, durationMs: number | null, reference: string | null }> | null } } }> } | null };

export type ReviewQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
  filter?: ReviewFilter | null | undefined;
}>;


export type ReviewQuery = { viewer: { allowance: { resolve: number } | null } | null, reviewOrders: { totalCount: number | null, totals: Array<{ provider: Provider, count: number, amount: number }> | null, pageInfo: { startCursor: string | null, endCursor: string | null, hasNextPage: boolean, hasPreviousPage: boolean }, edges: Array<{ node: { environment: Environment, provider: Provider, inReviewSince: string, statusConflictAt: string | null, sentRecentlyUntil: string | null, developer: { id: string, name: string } | null, approvalRequest: { id: string } | null, preview: Array<{ resolution: Resolution, requiresApproval: boolean, entries: Array<{ kind: OrderEventKind, from: LedgerAccount, to: LedgerAccount, amount: number }> }> | null, order: { id: string, amount: number, accountNumber: string | null, card: string | null, timeline: Array<{ kind: OrderEventKind, at: string, detail: string }> | null } } }> } | null };

export type SecurityQueryVariables = Exact<{ [key: string]: never; }>;


export type SecurityQuery = { viewer: { user: { id: string, name: string, mobile: string | null, email: string, secondFactors: Array<{ id: string, kind: SecondFactorKind, name: string, addedAt: string, lastUsedAt: string | null }> | null }, sessions: Array<{ id: string, lastSeenAt: string, address: string | null, userAgent: string | null, current: boolean }> | null } | null };

export type RemoveFactorMutationVariables = Exact<{
  input: RemoveSecondFactorInput;
}>;


export type RemoveFactorMutation = { removeSecondFactor: { viewer: { user: { id: string, secondFactors: Array<{ id: string, kind: SecondFactorKind, name: string, addedAt: string, lastUsedAt: string | null }> | null } } } | null };

export type NewRecoveryCodesMutationVariables = Exact<{
  input: ConfirmSecondFactorInput;
}>;


export type NewRecoveryCodesMutation = { confirmSecondFactor: { recoveryCodes: Array<string> } | null };

export type ChangePasswordMutationVariables = Exact<{
  input: ChangePasswordInput;
}>;


export type ChangePasswordMutation = { changePassword: { revokedSessions: number } | null };

export type OwnServicesQueryVariables = Exact<{ [key: string]: never; }>;


export type OwnServicesQuery = { viewer: { developer: { id: string, duplicateGuardSeconds: number, services: Array<{ id: string, service: Service, enabled: boolean, fee: number, lastRejectedCalls: Array<{ environment: Environment, at: string, code: ErrorCode, requestId: string, operation: string }> | null }> | null, lastRejectedCalls: Array<{ environment: Environment, at: string, code: ErrorCode, requestId: string, operation: string }> | null } | null } | null };

export type RevokeSessionMutationVariables = Exact<{
  input: RevokeSessionInput;
}>;


export type RevokeSessionMutation = { revokeSession: { revokedSessions: number } | null };

export type RevokeOthersMutationVariables = Exact<{ [key: string]: never; }>;


export type RevokeOthersMutation = { revokeSessions: { revokedSessions: number } | null };

export type SettingsQueryVariables = Exact<{ [key: string]: never; }>;


export type SettingsQuery = { defaultLeadCustomers: Array<{ environment: Environment, customerId: string | null }> | null, defaults: { rateLimitPerMinute: number, tokenIdleDays: number, tokenMaxDays: number, creditApprovalAbove: number, creditDailyLimit: number, resolutionApprovalAbove: number, feeApprovalAbove: number, twoPeople: Array<TwoPeople> } | null };

export type SetDefaultLeadCustomerMutationVariables = Exact<{
  input: SetDefaultLeadCustomerInput;
}>;


export type SetDefaultLeadCustomerMutation = { setDefaultLeadCustomer: { environment: Environment, customerId: string } | null };

export type SignInMutationVariables = Exact<{
  input: SignInInput;
}>;


export type SignInMutation = { signIn: { mustEnroll: boolean } | null };

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
    | { id: string, statement: { pageInfo: { startCursor: string | null, endCursor: string | null, hasNextPage: boolean, hasPreviousPage: boolean }, edges: Array<{ node: { id: string, at: string, kind: StatementKind, amount: number, balanceAfter: number, reference: string, order: { id: string, kind: OrderKind, status: OrderStatus } | null } }> } | null }
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

export type TeamQueryVariables = Exact<{
  id: string;
}>;


export type TeamQuery = { developer: { id: string, name: string, closedAt: string | null, sessionIdleMinutes: number, users: Array<{ id: string, name: string, email: string, mobile: string | null, role: Role, teamRole: TeamRole | null, createdAt: string, lastSignInAt: string | null, suspendedAt: string | null, emergencySuspension: boolean, invitedUntil: string | null, secondFactors: Array<{ kind: SecondFactorKind, name: string }> | null }> | null } | null };

export type StaffPeopleQueryVariables = Exact<{ [key: string]: never; }>;


export type StaffPeopleQuery = { users: Array<{ id: string, name: string, email: string, mobile: string | null, role: Role, teamRole: TeamRole | null, createdAt: string, lastSignInAt: string | null, suspendedAt: string | null, emergencySuspension: boolean, invitedUntil: string | null, secondFactors: Array<{ kind: SecondFactorKind, name: string }> | null }> | null };

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

export type RedeliverWebhooksMutationVariables = Exact<{
  input: RedeliverWebhooksInput;
}>;


export type RedeliverWebhooksMutation = { redeliverWebhooks: { count: number, nextFrom: string | null } | null };

export type DeleteWebhookMutationVariables = Exact<{
  input: WebhookEndpointInput;
}>;


export type DeleteWebhookMutation = { deleteWebhookEndpoint: { deletedEndpointId: string } | null };

export type WebhookEndpointsQueryVariables = Exact<{
  developerId?: string | null | undefined;
}>;


export type WebhookEndpointsQuery = { webhookEndpoints: Array<{ id: string, url: string, environment: Environment, types: Array<WebhookEventType>, createdAt: string, startsAt: string | null, disabledAt: string | null, disabledReason: WebhookDisabledReason | null, previousSecretUntil: string | null, health: { delivered: number, failedAttempts: number, failedDeliveries: number, p95Ms: number | null, pausedUntil: string | null } | null }> | null };

export type EnableWebhookMutationVariables = Exact<{
  input: WebhookEndpointInput;
}>;


export type EnableWebhookMutation = { enableWebhookEndpoint: { endpoint: { id: string, disabledAt: string | null, disabledReason: WebhookDisabledReason | null } } | null };

export type SendTestMutationVariables = Exact<{
  input: SendTestEventInput;
}>;


export type SendTestMutation = { sendTestEvent: { delivery: { id: string, apiRequestId: string, state: WebhookDeliveryState } } | null };

export type LabelCandidatesQueryVariables = Exact<{
  search: string;
}>;


export type LabelCandidatesQuery = { developers: { edges: Array<{ node: { id: string, name: string, email: string, rechargeProvider: RechargeProvider, whiteLabel: { id: string, name: string } | null } }> } | null };

export type RenameWhiteLabelMutationVariables = Exact<{
  input: RenameWhiteLabelInput;
}>;


export type RenameWhiteLabelMutation = { renameWhiteLabel: { whiteLabel: { id: string, name: string } } | null };

export type DisableWhiteLabelMutationVariables = Exact<{
  input: DisableWhiteLabelInput;
}>;


export type DisableWhiteLabelMutation = { disableWhiteLabel: { whiteLabel: { id: string, disabledAt: string | null } } | null };

export type EnableWhiteLabelMutationVariables = Exact<{
  input: EnableWhiteLabelInput;
}>;


export type EnableWhiteLabelMutation = { enableWhiteLabel: { whiteLabel: { id: string, disabledAt: string | null } } | null };

export type AssignToLabelMutationVariables = Exact<{
  input: AssignRechargeProviderInput;
}>;


export type AssignToLabelMutation = { assignRechargeProvider: { whiteLabel: { id: string, rechargeProvider: RechargeProvider } | null, approvalRequest: { id: string } | null } | null };

export type MoveToWhiteLabelMutationVariables = Exact<{
  input: MoveToWhiteLabelInput;
}>;


export type MoveToWhiteLabelMutation = { moveToWhiteLabel: { approvalRequest: { id: string } | null, developer: { id: string, rechargeProvider: RechargeProvider, whiteLabel: { id: string, name: string } | null } } | null };

export type RemoveFromWhiteLabelMutationVariables = Exact<{
  input: RemoveFromWhiteLabelInput;
}>;


export type RemoveFromWhiteLabelMutation = { removeFromWhiteLabel: { approvalRequest: { id: string } | null, developer: { id: string, rechargeProvider: RechargeProvider, whiteLabel: { id: string, name: string } | null } } | null };

export type WhiteLabelsQueryVariables = Exact<{ [key: string]: never; }>;


export type WhiteLabelsQuery = { whiteLabels: Array<{ id: string, name: string, rechargeProvider: RechargeProvider, disabledAt: string | null }> | null };

export type LabelMembersQueryVariables = Exact<{
  id: string;
  after?: string | null | undefined;
}>;


export type LabelMembersQuery = { developers: { totalCount: number | null, pageInfo: { endCursor: string | null, hasNextPage: boolean }, edges: Array<{ node: { id: string, name: string, ownRechargeProvider: RechargeProvider } }> } | null };

export type CreateWhiteLabelMutationVariables = Exact<{
  input: CreateWhiteLabelInput;
}>;


export type CreateWhiteLabelMutation = { createWhiteLabel: { whiteLabel: { id: string, name: string } } | null };

export type SearchQueryVariables = Exact<{
  text: string;
}>;


export type SearchQuery = { search: Array<{ title: string, detail: string, matchedText: string, node:
      | { id: string, kind: 'ApprovalRequest' }
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

export type PausedOrdersQueryVariables = Exact<{ [key: string]: never; }>;


export type PausedOrdersQuery = { environments: Array<{ environment: Environment, orderPause: { notice: string, since: string } | null }> | null };

export type WhoIsSignedInQueryVariables = Exact<{ [key: string]: never; }>;


export type WhoIsSignedInQuery = { viewer: { user: { id: string } } | null };

export type SetAccessMutationVariables = Exact<{
  input: SetServiceAccessManyInput;
}>;


export type SetAccessMutation = { setServiceAccessMany: { access: Array<{ id: string, service: Service, enabled: boolean, fee: number, changedAt: string | null, changedBy: { name: string } | null }>, undo: Array<{ developerId: string, service: Service, enabled: boolean, fee: number }>, approvalRequests: Array<{ id: string }> } | null };

export type SignOutMutationVariables = Exact<{ [key: string]: never; }>;


export type SignOutMutation = { signOut: { signedOut: boolean } | null };

export type ShowFactorAgainMutationVariables = Exact<{
  input: ConfirmSecondFactorInput;
}>;


export type ShowFactorAgainMutation = { confirmSecondFactor: { confirmedUntil: string } | null };

export type PasskeyToConfirmMutationVariables = Exact<{ [key: string]: never; }>;


export type PasskeyToConfirmMutation = { startPasskeySignIn: { options: string } | null };

export type CreateTestTokenMutationVariables = Exact<{
  input: CreateTestTokenInput;
}>;


export type CreateTestTokenMutation = { createTestToken: { token: string, expiresAt: string, baseUrl: string } | null };

export type WorkQueryVariables = Exact<{ [key: string]: never; }>;


export type WorkQuery = { work: Array<{ kind: WorkKind, count: number, uatCount: number, amount: number | null, oldestAt: string | null }> | null };

export type WorkChangedSubscriptionVariables = Exact<{ [key: string]: never; }>;


export type WorkChangedSubscription = { workChanged: Array<{ kind: WorkKind, count: number, uatCount: number, amount: number | null, oldestAt: string | null }> };

export interface Documents {
  "\n  query TwoPeople {\n    defaults {\n      feeApprovalAbove\n      twoPeople\n    }\n  }\n": { data: TwoPeopleQuery; variables: TwoPeopleQueryVariables };
  "\n  query StillSignedIn {\n    viewer {\n      user {\n        id\n      }\n    }\n  }\n": { data: StillSignedInQuery; variables: StillSignedInQueryVariables };
  "\n  query SignedIn {\n    isSignedIn\n    viewer {\n      user {\n        id\n        name\n        email\n        role\n      }\n      developer {\n        id\n        name\n        onboardingStatus\n        productionUnlocked\n      }\n      permissions\n    }\n  }\n": { data: SignedInQuery; variables: SignedInQueryVariables };
  "\n  query Access($first: Int, $after: String, $last: Int, $before: String, $filter: DeveloperFilter) {\n    developers(first: $first, after: $after, last: $last, before: $before, filter: $filter, sort: NAME_ASC) {\n      pageInfo {\n        startCursor\n        endCursor\n        hasNextPage\n        hasPreviousPage\n      }\n      edges {\n        node {\n          id\n          name\n          services {\n            id\n            service\n            enabled\n            fee\n            changedAt\n            changedBy {\n              name\n            }\n          }\n        }\n      }\n    }\n  }\n": { data: AccessQuery; variables: AccessQueryVariables };
  "\n  query Activity($first: Int, $after: String, $last: Int, $before: String) {\n    viewer {\n      developer {\n        id\n        activity(first: $first, after: $after, last: $last, before: $before) {\n          pageInfo {\n            startCursor\n            endCursor\n            hasNextPage\n            hasPreviousPage\n          }\n          edges {\n            node {\n              id\n              at\n              summary\n              subjectText\n              reason\n              actor {\n                name\n              }\n            }\n          }\n        }\n      }\n    }\n  }\n": { data: ActivityQuery; variables: ActivityQueryVariables };
  "\n  mutation StartTotp($input: StartTotpInput!) {\n    startTotp(input: $input) {\n      secret\n      uri\n    }\n  }\n": { data: StartTotpMutation; variables: StartTotpMutationVariables };
  "\n  mutation ConfirmTotp($input: ConfirmTotpInput!) {\n    confirmTotp(input: $input) {\n      recoveryCodes\n    }\n  }\n": { data: ConfirmTotpMutation; variables: ConfirmTotpMutationVariables };
  "\n  mutation StartPasskey($input: StartPasskeyInput!) {\n    startPasskey(input: $input) {\n      options\n    }\n  }\n": { data: StartPasskeyMutation; variables: StartPasskeyMutationVariables };
  "\n  mutation ConfirmPasskey($input: ConfirmPasskeyInput!) {\n    confirmPasskey(input: $input) {\n      recoveryCodes\n    }\n  }\n": { data: ConfirmPasskeyMutation; variables: ConfirmPasskeyMutationVariables };
  "\n  mutation ApproveApprovalRequest($input: ApproveApprovalRequestInput!) {\n    approveApprovalRequest(input: $input) {\n      outcome {\n        ... on ApprovalRequestApproved {\n          approvalRequest {\n            id\n            state\n            resolvedAt\n            canApprove\n            resolvedBy {\n              name\n              user {\n                id\n              }\n            }\n            order {\n              id\n              status\n            }\n          }\n          developer {\n            id\n            productionUnlocked\n            rechargeProvider\n            wallets {\n              id\n              balance\n              held\n            }\n          }\n          results {\n            orderId\n            result\n            code\n          }\n        }\n      }\n    }\n  }\n": { data: ApproveApprovalRequestMutation; variables: ApproveApprovalRequestMutationVariables };
  "\n  mutation RejectApprovalRequest($input: RejectApprovalRequestInput!) {\n    rejectApprovalRequest(input: $input) {\n      approvalRequest {\n        id\n        state\n        resolvedAt\n        canApprove\n        resolvedBy {\n          name\n          user {\n            id\n          }\n        }\n        rejectionReason\n      }\n    }\n  }\n": { data: RejectApprovalRequestMutation; variables: RejectApprovalRequestMutationVariables };
  "\n  query ApprovalRequest($id: ID!) {\n    node(id: $id) {\n      ... on ApprovalRequest {\n        id\n        state\n        action\n        resolution\n        environment\n        amount\n        reference\n        utr\n        reason\n        walletEffect {\n          balanceAtRequest\n          balance\n          balanceAfter\n        }\n        earlierRequests {\n          id\n          state\n          action\n          resolution\n          environment\n          amount\n          reference\n          utr\n          at\n          resolvedAt\n          rejectionReason\n          requestedBy {\n            name\n            user {\n              id\n            }\n          }\n          resolvedBy {\n            name\n            user {\n              id\n            }\n          }\n          developer {\n            id\n            name\n          }\n          user {\n            id\n            name\n          }\n          whiteLabel {\n            id\n            name\n          }\n          provider\n          changes {\n            field\n            before\n            after\n          }\n        }\n        at\n        expiresAt\n        resolvedAt\n        canApprove\n        requestedBy {\n          name\n          user {\n            id\n          }\n        }\n        resolvedBy {\n          name\n          user {\n            id\n          }\n        }\n        rejectionReason\n        developer {\n          id\n          name\n        }\n        user {\n          id\n          name\n          email\n          role\n          teamRole\n        }\n        whiteLabel {\n          id\n          name\n        }\n        provider\n        order {\n          id\n          status\n          accountNumber\n          card\n        }\n        orders {\n          orderId\n          outcome\n          amount\n          evidence {\n            line\n            reference\n            status\n            amount\n            at\n          }\n        }\n        correction {\n          fromVersion\n          entries\n          storedBalance\n          computedBalance\n          difference\n          postedAt\n        }\n        changes {\n          field\n          before\n          after\n        }\n      }\n    }\n  }\n": { data: ApprovalRequestQuery; variables: ApprovalRequestQueryVariables };
  "\n  query ApprovalRequests($first: Int, $after: String, $last: Int, $before: String, $filter: ApprovalRequestFilter) {\n    approvalRequests(first: $first, after: $after, last: $last, before: $before, filter: $filter) {\n      totalCount\n      pageInfo {\n        startCursor\n        endCursor\n        hasNextPage\n        hasPreviousPage\n      }\n      edges {\n        node {\n          id\n          state\n          action\n          resolution\n          environment\n          amount\n          reference\n          at\n          expiresAt\n          resolvedAt\n          requestedBy {\n            name\n            user {\n              id\n            }\n          }\n          resolvedBy {\n            name\n            user {\n              id\n            }\n          }\n          developer {\n            id\n            name\n          }\n          user {\n            id\n            name\n          }\n          whiteLabel {\n            id\n            name\n          }\n          provider\n          correction {\n            difference\n          }\n          changes {\n            field\n            before\n            after\n          }\n        }\n      }\n    }\n  }\n": { data: ApprovalRequestsQuery; variables: ApprovalRequestsQueryVariables };
  "\n  query AuditEntry($id: ID!) {\n    node(id: $id) {\n      ... on AuditEntry {\n        id\n        number\n        at\n        action\n        summary\n        requestedBy {\n          name\n        }\n        subjectText\n        reason\n        requestId\n        address\n        actor {\n          name\n          user {\n            id\n            email\n          }\n        }\n        subject {\n          id\n          ... on Developer {\n            name\n          }\n          ... on User {\n            name\n          }\n          ... on WhiteLabel {\n            name\n          }\n        }\n        changes {\n          field\n          before\n          after\n        }\n      }\n    }\n  }\n": { data: AuditEntryQuery; variables: AuditEntryQueryVariables };
  "\n  query AuditLog($first: Int, $after: String, $last: Int, $before: String, $filter: AuditFilter) {\n    auditLog(first: $first, after: $after, last: $last, before: $before, filter: $filter) {\n      pageInfo {\n        startCursor\n        endCursor\n        hasNextPage\n        hasPreviousPage\n      }\n      edges {\n        node {\n          id\n          at\n          summary\n          subjectText\n          reason\n          actor {\n            name\n          }\n          subject {\n            id\n            ... on Developer {\n              name\n            }\n            ... on User {\n              name\n            }\n            ... on WhiteLabel {\n              name\n            }\n            ... on Order {\n              apiRequestId\n            }\n          }\n        }\n      }\n    }\n  }\n": { data: AuditLogQuery; variables: AuditLogQueryVariables };
  "\n  query KeyToCancel($id: ID!) {\n    node(id: $id) {\n      ... on Credential {\n        id\n        clientId\n        environment\n        label\n        createdAt\n        startsAt\n        revokedAt\n      }\n    }\n  }\n": { data: KeyToCancelQuery; variables: KeyToCancelQueryVariables };
  "\n  query EndpointToCancel($id: ID!) {\n    node(id: $id) {\n      ... on WebhookEndpoint {\n        id\n        url\n        environment\n        createdAt\n        startsAt\n      }\n    }\n  }\n": { data: EndpointToCancelQuery; variables: EndpointToCancelQueryVariables };
  "\n  mutation CancelKey($input: CancelCredentialInput!) {\n    cancelCredential(input: $input) {\n      credential {\n        id\n        revokedAt\n      }\n    }\n  }\n": { data: CancelKeyMutation; variables: CancelKeyMutationVariables };
  "\n  mutation CancelEndpoint($input: WebhookEndpointInput!) {\n    cancelWebhookEndpoint(input: $input) {\n      deletedEndpointId\n    }\n  }\n": { data: CancelEndpointMutation; variables: CancelEndpointMutationVariables };
  "\n  query WebhookDeliveries(\n    $endpointId: ID\n    $developerId: ID\n    $filter: WebhookDeliveryFilter\n    $first: Int\n    $after: String\n    $last: Int\n    $before: String\n    $ofAll: Boolean!\n  ) {\n    webhookDeliveries(\n      endpointId: $endpointId\n      developerId: $developerId\n      filter: $filter\n      first: $first\n      after: $after\n      last: $last\n      before: $before\n    ) {\n      pageInfo {\n        startCursor\n        endCursor\n        hasNextPage\n        hasPreviousPage\n      }\n      edges {\n        node {\n          id\n          type\n          apiRequestId\n          occurredAt\n          state\n          attemptCount\n          httpStatus\n          error\n          nextAttemptAt\n          developer @include(if: $ofAll) {\n            id\n            name\n          }\n        }\n      }\n    }\n  }\n": { data: WebhookDeliveriesQuery; variables: WebhookDeliveriesQueryVariables };
  "\n  query WebhookDelivery($endpointId: ID, $developerId: ID, $request: String!) {\n    webhookDeliveries(\n      endpointId: $endpointId\n      developerId: $developerId\n      filter: { apiRequestId: $request }\n      first: 100\n    ) {\n      edges {\n        node {\n          id\n          type\n          apiRequestId\n          occurredAt\n          state\n          attemptCount\n          httpStatus\n          error\n          nextAttemptAt\n          body\n          attempts {\n            at\n            httpStatus\n            error\n            durationMs\n          }\n          order {\n            id\n          }\n        }\n      }\n    }\n  }\n": { data: WebhookDeliveryQuery; variables: WebhookDeliveryQueryVariables };
  "\n  mutation Redeliver($input: RedeliverWebhookInput!) {\n    redeliverWebhook(input: $input) {\n      delivery {\n        id\n        state\n        attemptCount\n        nextAttemptAt\n        error\n        httpStatus\n      }\n    }\n  }\n": { data: RedeliverMutation; variables: RedeliverMutationVariables };
  "\n  mutation Unlock($input: UnlockProductionInput!) {\n    unlockProduction(input: $input) {\n      approvalRequest {\n        id\n      }\n      developer {\n        id\n        productionUnlocked\n        productionRequest {\n          requestedAt\n          message\n        }\n      }\n    }\n  }\n": { data: UnlockMutation; variables: UnlockMutationVariables };
  "\n  mutation Lock($input: LockProductionInput!) {\n    lockProduction(input: $input) {\n      developer {\n        id\n        productionUnlocked\n      }\n    }\n  }\n": { data: LockMutation; variables: LockMutationVariables };
  "\n  mutation Suspend($input: SuspendDeveloperInput!) {\n    suspendDeveloper(input: $input) {\n      developer {\n        id\n        suspendedAt\n        suspensionReason\n      }\n    }\n  }\n": { data: SuspendMutation; variables: SuspendMutationVariables };
  "\n  mutation Reinstate($input: ReinstateDeveloperInput!) {\n    reinstateDeveloper(input: $input) {\n      developer {\n        id\n        suspendedAt\n        suspensionReason\n      }\n    }\n  }\n": { data: ReinstateMutation; variables: ReinstateMutationVariables };
  "\n  mutation SuspendKey($input: SuspendCredentialInput!) {\n    suspendCredential(input: $input) {\n      credential {\n        id\n        suspendedAt\n        suspensionReason\n      }\n    }\n  }\n": { data: SuspendKeyMutation; variables: SuspendKeyMutationVariables };
  "\n  mutation ReinstateKey($input: ReinstateCredentialInput!) {\n    reinstateCredential(input: $input) {\n      credential {\n        id\n        suspendedAt\n        suspensionReason\n      }\n    }\n  }\n": { data: ReinstateKeyMutation; variables: ReinstateKeyMutationVariables };
  "\n  query Limits {\n    defaults {\n      rateLimitPerMinute\n      tokenIdleDays\n      tokenMaxDays\n      twoPeople\n    }\n  }\n": { data: LimitsQuery; variables: LimitsQueryVariables };
  "\n  mutation SetRateLimit($input: SetRateLimitInput!) {\n    setRateLimit(input: $input) {\n      developer {\n        id\n        rateLimitPerMinute\n      }\n    }\n  }\n": { data: SetRateLimitMutation; variables: SetRateLimitMutationVariables };
  "\n  mutation ResetRateLimit($input: ResetRateLimitInput!) {\n    resetRateLimit(input: $input) {\n      developer {\n        id\n        rateLimitPerMinute\n      }\n    }\n  }\n": { data: ResetRateLimitMutation; variables: ResetRateLimitMutationVariables };
  "\n  mutation SetTokenLifetime($input: SetTokenLifetimeInput!) {\n    setTokenLifetime(input: $input) {\n      developer {\n        id\n        tokenIdleDays\n        tokenMaxDays\n      }\n    }\n  }\n": { data: SetTokenLifetimeMutation; variables: SetTokenLifetimeMutationVariables };
  "\n  mutation ResetTokenLifetime($input: ResetTokenLifetimeInput!) {\n    resetTokenLifetime(input: $input) {\n      developer {\n        id\n        tokenIdleDays\n        tokenMaxDays\n      }\n    }\n  }\n": { data: ResetTokenLifetimeMutation; variables: ResetTokenLifetimeMutationVariables };
  "\n  mutation AssignToDeveloper($input: AssignRechargeProviderInput!) {\n    assignRechargeProvider(input: $input) {\n      developer {\n        id\n        rechargeProvider\n      }\n      approvalRequest {\n        id\n      }\n    }\n  }\n": { data: AssignToDeveloperMutation; variables: AssignToDeveloperMutationVariables };
  "\n  query CreditAllowance {\n    viewer {\n      allowance {\n        credit\n      }\n    }\n  }\n": { data: CreditAllowanceQuery; variables: CreditAllowanceQueryVariables };
  "\n  mutation CreditWallet($input: CreditWalletInput!) {\n    creditWallet(input: $input) {\n      outcome {\n        __typename\n        ... on WalletUpdated {\n          replayed\n          wallet {\n            id\n            balance\n            held\n          }\n        }\n        ... on ApprovalRequestCreated {\n          replayed\n          approvalRequest {\n            id\n            state\n          }\n        }\n      }\n    }\n  }\n": { data: CreditWalletMutation; variables: CreditWalletMutationVariables };
  "\n  mutation DebitWallet($input: DebitWalletInput!) {\n    debitWallet(input: $input) {\n      outcome {\n        __typename\n        ... on WalletUpdated {\n          replayed\n          wallet {\n            id\n            balance\n            held\n          }\n        }\n        ... on ApprovalRequestCreated {\n          replayed\n          approvalRequest {\n            id\n            state\n          }\n        }\n      }\n    }\n  }\n": { data: DebitWalletMutation; variables: DebitWalletMutationVariables };
  "\n  query Developer($id: ID!, $money: Boolean!, $staff: Boolean!, $approvalRequests: Boolean!) {\n    approvalRequests(first: 20, filter: { developerId: $id }) @include(if: $approvalRequests) {\n      edges {\n        node {\n          id\n          action\n        }\n      }\n    }\n    developer(id: $id) {\n      id\n      name\n      email\n      mobile @include(if: $staff)\n      createdAt\n      kycSubmittedAt\n      approvedAt\n      approvedBy @include(if: $staff) {\n        name\n      }\n      onboardingStatus\n      productionUnlocked\n      suspendedAt\n      closedAt\n      suspensionReason\n      rejectionReason\n      accountNumber\n      productionRequest {\n        requestedAt\n        message\n      }\n      rechargeProvider\n      rateLimitPerMinute\n      tokenIdleDays\n      tokenMaxDays\n      duplicateGuardSeconds\n      whiteLabel {\n        id\n        name\n      }\n      wallets @include(if: $money) {\n        id\n        environment\n        balance\n        held\n      }\n      credentials @include(if: $money) {\n        id\n        clientId\n        environment\n        label\n        revokedAt\n        lastUsedAt\n        suspendedAt\n        suspensionReason\n      }\n      users {\n        id\n        name\n        email\n      }\n      services {\n        id\n        service\n        enabled\n        fee\n        changedAt\n        changedBy {\n          name\n        }\n        lastRejectedCalls {\n          environment\n          at\n          code\n          requestId\n          operation\n        }\n      }\n      lastRejectedCalls {\n        environment\n        at\n        code\n        requestId\n        operation\n      }\n    }\n  }\n": { data: DeveloperQuery; variables: DeveloperQueryVariables };
  "\n  query Developers(\n    $first: Int\n    $after: String\n    $last: Int\n    $before: String\n    $filter: DeveloperFilter\n    $sort: DeveloperSort\n    $money: Boolean!\n  ) {\n    developers(first: $first, after: $after, last: $last, before: $before, filter: $filter, sort: $sort) {\n      totalCount\n      pageInfo {\n        startCursor\n        endCursor\n        hasNextPage\n        hasPreviousPage\n      }\n      edges {\n        node {\n          id\n          name\n          email\n          onboardingStatus\n          productionUnlocked\n          suspendedAt\n          closedAt\n          rechargeProvider\n          createdAt\n          wallets @include(if: $money) {\n            id\n            environment\n            balance\n          }\n        }\n      }\n    }\n  }\n": { data: DevelopersQuery; variables: DevelopersQueryVariables };
  "\n  query StatementDifferences(\n    $first: Int\n    $after: String\n    $last: Int\n    $before: String\n    $filter: StatementDifferenceFilter\n  ) {\n    statementDifferences(first: $first, after: $after, last: $last, before: $before, filter: $filter) {\n      pageInfo {\n        startCursor\n        endCursor\n        hasNextPage\n        hasPreviousPage\n      }\n      edges {\n        node {\n          id\n          provider\n          kind\n          fileHash\n          runAt\n          line\n          orderId\n          reference\n          account\n          orderStatus\n          orderAmount\n          lineStatus\n          lineAmount\n          at\n          foundAt\n          resolution\n          resolvedAt\n          resolvedBy {\n            id\n            name\n          }\n          reason\n        }\n      }\n    }\n  }\n": { data: StatementDifferencesQuery; variables: StatementDifferencesQueryVariables };
  "\n  mutation ResolveStatementDifference($input: ResolveStatementDifferenceInput!) {\n    resolveStatementDifference(input: $input) {\n      difference {\n        id\n        resolution\n      }\n    }\n  }\n": { data: ResolveStatementDifferenceMutation; variables: ResolveStatementDifferenceMutationVariables };
  "\n  mutation SetDuplicateGuard($input: SetDuplicateGuardInput!) {\n    setDuplicateGuard(input: $input) {\n      developer {\n        id\n        duplicateGuardSeconds\n      }\n    }\n  }\n": { data: SetDuplicateGuardMutation; variables: SetDuplicateGuardMutationVariables };
  "\n  query FailedAttempts($first: Int, $after: String, $last: Int, $before: String, $filter: SecurityEventFilter) {\n    securityEvents(first: $first, after: $after, last: $last, before: $before, filter: $filter) {\n      pageInfo {\n        startCursor\n        endCursor\n        hasNextPage\n        hasPreviousPage\n      }\n      edges {\n        node {\n          kind\n          identifier\n          address\n          count\n          at\n          lastAt\n          reason\n          requestId\n          user {\n            id\n            name\n            developer {\n              id\n              name\n            }\n          }\n        }\n      }\n    }\n  }\n": { data: FailedAttemptsQuery; variables: FailedAttemptsQueryVariables };
  "\n  query FailedEmails($first: Int, $after: String, $last: Int, $before: String) {\n    failedEmails(first: $first, after: $after, last: $last, before: $before) {\n      pageInfo {\n        startCursor\n        endCursor\n        hasNextPage\n        hasPreviousPage\n      }\n      edges {\n        node {\n          id\n          to\n          subject\n          createdAt\n          lastAttemptAt\n          failure\n          response\n          linkExpiresAt\n        }\n      }\n    }\n  }\n": { data: FailedEmailsQuery; variables: FailedEmailsQueryVariables };
  "\n  mutation ResendEmail($input: ResendEmailInput!) {\n    resendEmail(input: $input) {\n      emailId\n    }\n  }\n": { data: ResendEmailMutation; variables: ResendEmailMutationVariables };
  "\n  query Home($environment: Environment!, $builds: Boolean!) {\n    viewer {\n      developer {\n        id\n        name\n        onboardingStatus\n        productionUnlocked\n        suspendedAt\n        suspensionReason\n        rejectionReason\n        wallets {\n          id\n          environment\n          balance\n          held\n        }\n        orders(first: 5, filter: { environment: $environment }) {\n          edges {\n            node {\n              id\n              createdAt\n              kind\n              status\n              amount\n              environment\n              accountNumber\n              card\n              operator {\n                id\n                name\n              }\n              decline {\n                reason\n              }\n            }\n          }\n        }\n        goLive {\n          step\n          completedAt\n          isInReview\n        }\n        credentials @include(if: $builds) {\n          id\n          clientId\n          environment\n          label\n          lastUsedAt\n          expiresAt\n          revokedAt\n        }\n      }\n    }\n    webhookEndpoints @include(if: $builds) {\n      id\n      url\n      environment\n      disabledAt\n      disabledReason\n    }\n  }\n": { data: HomeQuery; variables: HomeQueryVariables };
  "\n  mutation SetSessionIdleLimit($input: SetSessionIdleLimitInput!) {\n    setSessionIdleLimit(input: $input) {\n      developer {\n        id\n        sessionIdleMinutes\n      }\n    }\n  }\n": { data: SetSessionIdleLimitMutation; variables: SetSessionIdleLimitMutationVariables };
  "\n  mutation CreateKey($input: CreateCredentialInput!) {\n    createCredential(input: $input) {\n      apiSecret\n      credential {\n        id\n        clientId\n        environment\n      }\n    }\n  }\n": { data: CreateKeyMutation; variables: CreateKeyMutationVariables };
  "\n  mutation RotateKey($input: RotateCredentialInput!) {\n    rotateCredential(input: $input) {\n      apiSecret\n      credential {\n        id\n        clientId\n        environment\n      }\n    }\n  }\n": { data: RotateKeyMutation; variables: RotateKeyMutationVariables };
  "\n  mutation RevokeKey($input: RevokeCredentialInput!) {\n    revokeCredential(input: $input) {\n      credential {\n        id\n        revokedAt\n      }\n    }\n  }\n": { data: RevokeKeyMutation; variables: RevokeKeyMutationVariables };
  "\n  query Keys {\n    environments {\n      environment\n      baseUrl\n    }\n    viewer {\n      developer {\n        id\n        onboardingStatus\n        productionUnlocked\n        credentials {\n          id\n          clientId\n          environment\n          label\n          secretLast4\n          lastUsedAt\n          startsAt\n          expiresAt\n          revokedAt\n          suspendedAt\n          suspensionReason\n        }\n        goLive {\n          step\n          completedAt\n          isInReview\n        }\n      }\n    }\n  }\n": { data: KeysQuery; variables: KeysQueryVariables };
  "\n  query NextKyc {\n    developers(first: 2, filter: { status: KYC_SUBMITTED }, sort: KYC_SUBMITTED_ASC) {\n      edges {\n        node {\n          id\n        }\n      }\n    }\n  }\n": { data: NextKycQuery; variables: NextKycQueryVariables };
  "\n  mutation ApproveKyc($input: ApproveDeveloperInput!) {\n    approveDeveloper(input: $input) {\n      approvalRequest {\n        id\n      }\n      developer {\n        id\n        onboardingStatus\n        approvedAt\n      }\n    }\n  }\n": { data: ApproveKycMutation; variables: ApproveKycMutationVariables };
  "\n  mutation WantChanges($input: RequestKycChangesInput!) {\n    requestKycChanges(input: $input) {\n      developer {\n        id\n        onboardingStatus\n        rejectionReason\n      }\n    }\n  }\n": { data: WantChangesMutation; variables: WantChangesMutationVariables };
  "\n  mutation RejectKyc($input: RejectDeveloperInput!) {\n    rejectDeveloper(input: $input) {\n      developer {\n        id\n        onboardingStatus\n        rejectionReason\n      }\n    }\n  }\n": { data: RejectKycMutation; variables: RejectKycMutationVariables };
  "\n  mutation DeleteDocument($input: DeleteKycDocumentInput!) {\n    deleteKycDocument(input: $input) {\n      documentId\n      developer {\n        id\n        kycDraft {\n          remainingDocuments\n          documents {\n            id\n            kind\n            fileName\n            sizeBytes\n          }\n        }\n      }\n    }\n  }\n": { data: DeleteDocumentMutation; variables: DeleteDocumentMutationVariables };
  "\n  mutation SaveDraft($input: SaveKycDraftInput!) {\n    saveKycDraft(input: $input) {\n      developer {\n        id\n        kycDraft {\n          legalName\n          pan\n          gstin\n          address\n          pincode\n        }\n      }\n    }\n  }\n": { data: SaveDraftMutation; variables: SaveDraftMutationVariables };
  "\n  mutation HandIn($input: SubmitKycInput!) {\n    submitKyc(input: $input) {\n      developer {\n        id\n        onboardingStatus\n      }\n    }\n  }\n": { data: HandInMutation; variables: HandInMutationVariables };
  "\n  query KycReview($id: ID!) {\n    developer(id: $id) {\n      id\n      name\n      email\n      mobile\n      createdAt\n      onboardingStatus\n      productionUnlocked\n      suspendedAt\n      closedAt\n      rejectionReason\n      kycSubmittedAt\n      kyc {\n        id\n        legalName\n        pan\n        gstin\n        address\n        pincode\n        developersWithSamePan\n        documents {\n          id\n          kind\n          fileName\n          contentType\n          sizeBytes\n          downloadUrl\n        }\n      }\n    }\n  }\n": { data: KycReviewQuery; variables: KycReviewQueryVariables };
  "\n  mutation RevealKycField($input: RevealKycFieldInput!) {\n    revealKycField(input: $input) {\n      value\n    }\n  }\n": { data: RevealKycFieldMutation; variables: RevealKycFieldMutationVariables };
  "\n  query KycQueue($first: Int, $after: String, $last: Int, $before: String) {\n    developers(\n      first: $first\n      after: $after\n      last: $last\n      before: $before\n      filter: { status: KYC_SUBMITTED, closed: false }\n      sort: KYC_SUBMITTED_ASC\n    ) {\n      totalCount\n      pageInfo {\n        startCursor\n        endCursor\n        hasNextPage\n        hasPreviousPage\n      }\n      edges {\n        node {\n          id\n          name\n          email\n          kycSubmittedAt\n          kycSummary {\n            documents\n            developersWithSamePan\n          }\n        }\n      }\n    }\n  }\n": { data: KycQueueQuery; variables: KycQueueQueryVariables };
  "\n  mutation Verify($input: VerifyEmailInput!) {\n    verifyEmail(input: $input) {\n      viewer {\n        user {\n          id\n        }\n      }\n    }\n  }\n": { data: VerifyMutation; variables: VerifyMutationVariables };
  "\n  mutation Reset($input: ResetPasswordInput!) {\n    resetPassword(input: $input) {\n      viewer {\n        user {\n          id\n        }\n      }\n    }\n  }\n": { data: ResetMutation; variables: ResetMutationVariables };
  "\n  mutation AcceptInvitation($input: AcceptInvitationInput!) {\n    acceptInvitation(input: $input) {\n      viewer {\n        user {\n          id\n        }\n      }\n    }\n  }\n": { data: AcceptInvitationMutation; variables: AcceptInvitationMutationVariables };
  "\n  mutation ConfirmEmail($input: ConfirmEmailInput!) {\n    confirmEmail(input: $input) {\n      viewer {\n        user {\n          id\n        }\n      }\n    }\n  }\n": { data: ConfirmEmailMutation; variables: ConfirmEmailMutationVariables };
  "\n  query Notes($id: ID!, $after: String) {\n    developer(id: $id) {\n      id\n      notes(first: 20, after: $after) {\n        pageInfo {\n          endCursor\n          hasNextPage\n        }\n        edges {\n          node {\n            id\n            text\n            createdAt\n            author {\n              name\n            }\n          }\n        }\n      }\n    }\n  }\n": { data: NotesQuery; variables: NotesQueryVariables };
  "\n  mutation AddNote($input: AddNoteInput!) {\n    addNote(input: $input) {\n      note {\n        id\n      }\n    }\n  }\n": { data: AddNoteMutation; variables: AddNoteMutationVariables };
  "\n  query Onboarding($owner: Boolean!) {\n    viewer {\n      developer {\n        id\n        onboardingStatus\n        rejectionReason\n        productionUnlocked\n        productionRequest {\n          requestedAt\n          message\n        }\n        goLive {\n          step\n          completedAt\n          isInReview\n        }\n        kyc @include(if: $owner) {\n          id\n          legalName\n          pan\n          gstin\n          address\n          pincode\n          submittedAt\n          documents {\n            id\n            kind\n            fileName\n            sizeBytes\n          }\n        }\n        kycDraft @include(if: $owner) {\n          remainingDocuments\n          legalName\n          pan\n          gstin\n          address\n          pincode\n          documents {\n            id\n            kind\n            fileName\n            sizeBytes\n          }\n        }\n      }\n    }\n  }\n": { data: OnboardingQuery; variables: OnboardingQueryVariables };
  "\n  mutation AskForLive($input: RequestProductionInput!) {\n    requestProduction(input: $input) {\n      developer {\n        id\n        productionRequest {\n          requestedAt\n          message\n        }\n      }\n    }\n  }\n": { data: AskForLiveMutation; variables: AskForLiveMutationVariables };
  "\n  query OrderActions($id: ID!) {\n    order(id: $id) {\n      id\n      amount\n      environment\n      actions\n      approvalRequest {\n        id\n        action\n      }\n      developer {\n        id\n        name\n      }\n    }\n  }\n": { data: OrderActionsQuery; variables: OrderActionsQueryVariables };
  "\n  mutation ReverseOrder($input: ReverseOrderInput!) {\n    reverseOrder(input: $input) {\n      outcome {\n        __typename\n        ... on WalletUpdated {\n          replayed\n          wallet {\n            id\n            balance\n            held\n          }\n          order {\n            id\n            status\n            actions\n          }\n        }\n        ... on ApprovalRequestCreated {\n          replayed\n          approvalRequest {\n            id\n            state\n            order {\n              id\n              approvalRequest {\n                id\n                action\n              }\n            }\n          }\n        }\n      }\n    }\n  }\n": { data: ReverseOrderMutation; variables: ReverseOrderMutationVariables };
  "\n  mutation ReverseRefund($input: ReverseRefundInput!) {\n    reverseRefund(input: $input) {\n      outcome {\n        __typename\n        ... on WalletUpdated {\n          replayed\n          wallet {\n            id\n            balance\n            held\n          }\n          order {\n            id\n            status\n            actions\n          }\n        }\n        ... on ApprovalRequestCreated {\n          replayed\n          approvalRequest {\n            id\n            state\n            order {\n              id\n              approvalRequest {\n                id\n                action\n              }\n            }\n          }\n        }\n      }\n    }\n  }\n": { data: ReverseRefundMutation; variables: ReverseRefundMutationVariables };
  "\n  query OrderDecisions($id: ID!) {\n    auditLog(\n      first: 5\n      filter: { subjectId: $id, action: [ORDER_RESOLVE, ORDER_CONFIRM, ORDER_REVERSE, ORDER_REVERSE_REFUND] }\n    ) {\n      edges {\n        node {\n          id\n          action\n          at\n          actor {\n            name\n          }\n        }\n      }\n    }\n  }\n": { data: OrderDecisionsQuery; variables: OrderDecisionsQueryVariables };
  "\n  query Order($id: ID!, $staff: Boolean!, $deliveries: Boolean!) {\n    order(id: $id) {\n      id\n      apiRequestId\n      clientRequestId\n      createdAt\n      settledAt\n      kind\n      status\n      amount\n      refunded\n      environment\n      accountNumber\n      mobile\n      card\n      operatorRef\n      providerTxnId\n      utr\n      txid\n      nextCheckAt\n      reviewAt\n      operator {\n        id\n        name\n        spKey\n        type\n      }\n      decline {\n        reason\n        message\n        retryable\n      }\n      timeline {\n        at\n        kind\n        summary\n        detail\n        amount\n        httpStatus\n        durationMs\n        reference\n      }\n      entries {\n        id\n        at\n        kind\n        amount\n        balanceAfter\n      }\n      deliveries @include(if: $deliveries) {\n        id\n        type\n        state\n        httpStatus\n        error\n        attemptCount\n        occurredAt\n      }\n      provider @include(if: $staff)\n      developer @include(if: $staff) {\n        id\n        name\n      }\n    }\n  }\n": { data: OrderQuery; variables: OrderQueryVariables };
  "\n  mutation PauseOrders($input: PauseOrdersInput!) {\n    pauseOrders(input: $input) {\n      environment {\n        environment\n        orderPause {\n          notice\n          since\n        }\n      }\n    }\n  }\n": { data: PauseOrdersMutation; variables: PauseOrdersMutationVariables };
  "\n  mutation ResumeOrders($input: ResumeOrdersInput!) {\n    resumeOrders(input: $input) {\n      environment {\n        environment\n        orderPause {\n          notice\n          since\n        }\n      }\n      approvalRequest {\n        id\n      }\n    }\n  }\n": { data: ResumeOrdersMutation; variables: ResumeOrdersMutationVariables };
  "\n  mutation CheckOrderStatus($input: CheckOrderStatusInput!) {\n    checkOrderStatus(input: $input) {\n      order {\n        id\n        actions\n        timeline {\n          kind\n          at\n          summary\n          detail\n          amount\n          httpStatus\n          durationMs\n          reference\n        }\n      }\n    }\n  }\n": { data: CheckOrderStatusMutation; variables: CheckOrderStatusMutationVariables };
  "\n  mutation CheckOrderStatuses($input: CheckOrderStatusesInput!) {\n    checkOrderStatuses(input: $input) {\n      results {\n        orderId\n        code\n      }\n    }\n  }\n": { data: CheckOrderStatusesMutation; variables: CheckOrderStatusesMutationVariables };
  "\n  query Orders($first: Int, $after: String, $last: Int, $before: String, $filter: ConsoleOrderFilter, $staff: Boolean!) {\n    orders(first: $first, after: $after, last: $last, before: $before, filter: $filter) {\n      searchedFrom\n      pageInfo {\n        startCursor\n        endCursor\n        hasNextPage\n        hasPreviousPage\n      }\n      edges {\n        node {\n          id\n          createdAt\n          kind\n          status\n          amount\n          environment\n          accountNumber\n          card\n          operator {\n            id\n            name\n          }\n          decline {\n            reason\n          }\n          provider @include(if: $staff)\n          developer @include(if: $staff) {\n            id\n            name\n          }\n        }\n      }\n    }\n  }\n": { data: OrdersQuery; variables: OrdersQueryVariables };
  "\n  query Operators {\n    operators {\n      id\n      name\n      spKey\n    }\n  }\n": { data: OperatorsQuery; variables: OperatorsQueryVariables };
  "\n  mutation InviteUser($input: InviteUserInput!) {\n    inviteUser(input: $input) {\n      approvalRequest {\n        id\n      }\n      user {\n        id\n        invitedUntil\n      }\n    }\n  }\n": { data: InviteUserMutation; variables: InviteUserMutationVariables };
  "\n  mutation SetUserRole($input: SetUserRoleInput!) {\n    setUserRole(input: $input) {\n      approvalRequest {\n        id\n      }\n      user {\n        id\n        role\n        teamRole\n      }\n    }\n  }\n": { data: SetUserRoleMutation; variables: SetUserRoleMutationVariables };
  "\n  mutation SuspendUser($input: SuspendUserInput!) {\n    suspendUser(input: $input) {\n      approvalRequest {\n        id\n      }\n      user {\n        id\n        suspendedAt\n        emergencySuspension\n      }\n    }\n  }\n": { data: SuspendUserMutation; variables: SuspendUserMutationVariables };
  "\n  mutation ReinstateUser($input: ReinstateUserInput!) {\n    reinstateUser(input: $input) {\n      approvalRequest {\n        id\n      }\n      user {\n        id\n        suspendedAt\n        emergencySuspension\n      }\n    }\n  }\n": { data: ReinstateUserMutation; variables: ReinstateUserMutationVariables };
  "\n  mutation ResetSecondFactors($input: ResetSecondFactorsInput!) {\n    resetSecondFactors(input: $input) {\n      approvalRequest {\n        id\n      }\n      user {\n        id\n        secondFactors {\n          kind\n          name\n        }\n      }\n    }\n  }\n": { data: ResetSecondFactorsMutation; variables: ResetSecondFactorsMutationVariables };
  "\n  mutation RemoveUser($input: RemoveUserInput!) {\n    removeUser(input: $input) {\n      approvalRequest {\n        id\n      }\n      removedUserId\n    }\n  }\n": { data: RemoveUserMutation; variables: RemoveUserMutationVariables };
  "\n  query PersonSessions($id: ID!) {\n    node(id: $id) {\n      ... on User {\n        id\n        sessions {\n          id\n          lastSeenAt\n          address\n          userAgent\n          current\n        }\n      }\n    }\n  }\n": { data: PersonSessionsQuery; variables: PersonSessionsQueryVariables };
  "\n  mutation RevokeUserSessions($input: RevokeUserSessionsInput!) {\n    revokeUserSessions(input: $input) {\n      revokedSessions\n    }\n  }\n": { data: RevokeUserSessionsMutation; variables: RevokeUserSessionsMutationVariables };
  "\n  mutation UpdateProfile($input: UpdateProfileInput!) {\n    updateProfile(input: $input) {\n      user {\n        id\n        name\n        mobile\n        email\n      }\n    }\n  }\n": { data: UpdateProfileMutation; variables: UpdateProfileMutationVariables };
  "\n  query Providers {\n    providers {\n      provider\n      environment\n      available\n      unavailableReason\n      breaker\n      successRate\n      p95Ms\n      pendingPayments\n      pendingAmount\n      oldestPendingAt\n      exposureLimit\n      float\n      floatAt\n    }\n    defaults {\n      twoPeople\n    }\n    approvalRequests(first: 1, filter: { state: [PENDING], action: [SET_PROVIDER_AVAILABILITY] }) {\n      totalCount\n    }\n    resumptions: approvalRequests(first: 1, filter: { state: [PENDING], action: [RESUME_ORDERS] }) {\n      totalCount\n    }\n    environments {\n      environment\n      orderPause {\n        notice\n        since\n      }\n    }\n  }\n": { data: ProvidersQuery; variables: ProvidersQueryVariables };
  "\n  mutation SwitchProvider($input: SetProviderAvailabilityInput!) {\n    setProviderAvailability(input: $input) {\n      health {\n        provider\n        environment\n        available\n        unavailableReason\n      }\n      approvalRequest {\n        id\n      }\n    }\n  }\n": { data: SwitchProviderMutation; variables: SwitchProviderMutationVariables };
  "\n  mutation ResolveOrder($input: ResolveOrderInput!) {\n    resolveOrder(input: $input) {\n      outcome {\n        __typename\n        ... on WalletUpdated {\n          replayed\n          wallet {\n            id\n            balance\n            held\n          }\n          order {\n            id\n            status\n          }\n        }\n        ... on ApprovalRequestCreated {\n          replayed\n          approvalRequest {\n            id\n            state\n          }\n        }\n        ... on OrderUnchanged {\n          replayed\n          order {\n            id\n            status\n          }\n        }\n      }\n    }\n  }\n": { data: ResolveOrderMutation; variables: ResolveOrderMutationVariables };
  "\n  mutation ResolveOrders($input: ResolveOrdersInput!) {\n    resolveOrders(input: $input) {\n      approvalRequest {\n        id\n        state\n      }\n      results {\n        orderId\n        result\n        code\n      }\n    }\n  }\n": { data: ResolveOrdersMutation; variables: ResolveOrdersMutationVariables };
  "\n  query Evidence($id: ID!) {\n    reviewOrders(first: 1, filter: { orderId: $id }) {\n      edges {\n        node {\n          environment\n          provider\n          inReviewSince\n          statusConflictAt\n          sentRecentlyUntil\n          developer {\n            id\n            name\n          }\n          approvalRequest {\n            id\n          }\n          preview {\n            resolution\n            requiresApproval\n            entries {\n              kind\n              from\n              to\n              amount\n            }\n          }\n          order {\n            id\n            createdAt\n            amount\n            accountNumber\n            card\n            apiRequestId\n            providerTxnId\n            actions\n            timeline {\n              kind\n              at\n              summary\n              detail\n              amount\n              httpStatus\n              durationMs\n              reference\n            }\n          }\n        }\n      }\n    }\n  }\n": { data: EvidenceQuery; variables: EvidenceQueryVariables };
  "\n  query Review($first: Int, $after: String, $last: Int, $before: String, $filter: ReviewFilter) {\n    viewer {\n      allowance {\n        resolve\n      }\n    }\n    reviewOrders(first: $first, after: $after, last: $last, before: $before, filter: $filter) {\n      totalCount\n      totals {\n        provider\n        count\n        amount\n      }\n      pageInfo {\n        startCursor\n        endCursor\n        hasNextPage\n        hasPreviousPage\n      }\n      edges {\n        node {\n          environment\n          provider\n          inReviewSince\n          statusConflictAt\n          sentRecentlyUntil\n          developer {\n            id\n            name\n          }\n          approvalRequest {\n            id\n          }\n          preview {\n            resolution\n            requiresApproval\n            entries {\n              kind\n              from\n              to\n              amount\n            }\n          }\n          order {\n            id\n            amount\n            accountNumber\n            card\n            timeline {\n              kind\n              at\n              detail\n            }\n          }\n        }\n      }\n    }\n  }\n": { data: ReviewQuery; variables: ReviewQueryVariables };
  "\n  query Security {\n    viewer {\n      user {\n        id\n        name\n        mobile\n        email\n        secondFactors {\n          id\n          kind\n          name\n          addedAt\n          lastUsedAt\n        }\n      }\n      sessions {\n        id\n        lastSeenAt\n        address\n        userAgent\n        current\n      }\n    }\n  }\n": { data: SecurityQuery; variables: SecurityQueryVariables };
  "\n  mutation RemoveFactor($input: RemoveSecondFactorInput!) {\n    removeSecondFactor(input: $input) {\n      viewer {\n        user {\n          id\n          secondFactors {\n            id\n            kind\n            name\n            addedAt\n            lastUsedAt\n          }\n        }\n      }\n    }\n  }\n": { data: RemoveFactorMutation; variables: RemoveFactorMutationVariables };
  "\n  mutation NewRecoveryCodes($input: ConfirmSecondFactorInput!) {\n    confirmSecondFactor(input: $input) {\n      recoveryCodes\n    }\n  }\n": { data: NewRecoveryCodesMutation; variables: NewRecoveryCodesMutationVariables };
  "\n  mutation ChangePassword($input: ChangePasswordInput!) {\n    changePassword(input: $input) {\n      revokedSessions\n    }\n  }\n": { data: ChangePasswordMutation; variables: ChangePasswordMutationVariables };
  "\n  query OwnServices {\n    viewer {\n      developer {\n        id\n        duplicateGuardSeconds\n        services {\n          id\n          service\n          enabled\n          fee\n          lastRejectedCalls {\n            environment\n            at\n            code\n            requestId\n            operation\n          }\n        }\n        lastRejectedCalls {\n          environment\n          at\n          code\n          requestId\n          operation\n        }\n      }\n    }\n  }\n": { data: OwnServicesQuery; variables: OwnServicesQueryVariables };
  "\n  mutation RevokeSession($input: RevokeSessionInput!) {\n    revokeSession(input: $input) {\n      revokedSessions\n    }\n  }\n": { data: RevokeSessionMutation; variables: RevokeSessionMutationVariables };
  "\n  mutation RevokeOthers {\n    revokeSessions(input: { scope: OTHERS }) {\n      revokedSessions\n    }\n  }\n": { data: RevokeOthersMutation; variables: RevokeOthersMutationVariables };
  "\n  query Settings {\n    defaultLeadCustomers {\n      environment\n      customerId\n    }\n    defaults {\n      rateLimitPerMinute\n      tokenIdleDays\n      tokenMaxDays\n      creditApprovalAbove\n      creditDailyLimit\n      resolutionApprovalAbove\n      feeApprovalAbove\n      twoPeople\n    }\n  }\n": { data: SettingsQuery; variables: SettingsQueryVariables };
  "\n  mutation SetDefaultLeadCustomer($input: SetDefaultLeadCustomerInput!) {\n    setDefaultLeadCustomer(input: $input) {\n      environment\n      customerId\n    }\n  }\n": { data: SetDefaultLeadCustomerMutation; variables: SetDefaultLeadCustomerMutationVariables };
  "\n  mutation SignIn($input: SignInInput!) {\n    signIn(input: $input) {\n      mustEnroll\n    }\n  }\n": { data: SignInMutation; variables: SignInMutationVariables };
  "\n  mutation PasskeyToSignIn {\n    startPasskeySignIn(input: { use: SIGN_IN }) {\n      options\n    }\n  }\n": { data: PasskeyToSignInMutation; variables: PasskeyToSignInMutationVariables };
  "\n  mutation SignUp($input: SignUpInput!) {\n    signUp(input: $input) {\n      accepted\n    }\n  }\n": { data: SignUpMutation; variables: SignUpMutationVariables };
  "\n  mutation Forgot($input: RequestPasswordResetInput!) {\n    requestPasswordReset(input: $input) {\n      accepted\n    }\n  }\n": { data: ForgotMutation; variables: ForgotMutationVariables };
  "\n  query Statement(\n    $id: ID!\n    $first: Int\n    $after: String\n    $last: Int\n    $before: String\n    $from: DateTime\n    $to: DateTime\n    $kinds: [StatementKind!]\n    $reference: String\n  ) {\n    node(id: $id) {\n      ... on Wallet {\n        id\n        statement(\n          first: $first\n          after: $after\n          last: $last\n          before: $before\n          from: $from\n          to: $to\n          kinds: $kinds\n          reference: $reference\n        ) {\n          pageInfo {\n            startCursor\n            endCursor\n            hasNextPage\n            hasPreviousPage\n          }\n          edges {\n            node {\n              id\n              at\n              kind\n              amount\n              balanceAfter\n              reference\n              order {\n                id\n                kind\n                status\n              }\n            }\n          }\n        }\n      }\n    }\n  }\n": { data: StatementQuery; variables: StatementQueryVariables };
  "\n  query WalletDays($id: ID!, $from: Date!, $to: Date!) {\n    node(id: $id) {\n      ... on Wallet {\n        id\n        days(from: $from, to: $to) {\n          date\n          opening\n          credits\n          debits\n          closing\n        }\n      }\n    }\n  }\n": { data: WalletDaysQuery; variables: WalletDaysQueryVariables };
  "\n  query Team($id: ID!) {\n    developer(id: $id) {\n      id\n      name\n      closedAt\n      sessionIdleMinutes\n      users {\n        id\n        name\n        email\n        mobile\n        role\n        teamRole\n        createdAt\n        lastSignInAt\n        suspendedAt\n        emergencySuspension\n        invitedUntil\n        secondFactors {\n          kind\n          name\n        }\n      }\n    }\n  }\n": { data: TeamQuery; variables: TeamQueryVariables };
  "\n  query StaffPeople {\n    users {\n      id\n      name\n      email\n      mobile\n      role\n      teamRole\n      createdAt\n      lastSignInAt\n      suspendedAt\n      emergencySuspension\n      invitedUntil\n      secondFactors {\n        kind\n        name\n      }\n    }\n  }\n": { data: StaffPeopleQuery; variables: StaffPeopleQueryVariables };
  "\n  query Wallets($id: ID!) {\n    developer(id: $id) {\n      id\n      name\n      wallets {\n        id\n        environment\n        balance\n        held\n      }\n    }\n  }\n": { data: WalletsQuery; variables: WalletsQueryVariables };
  "\n  mutation CreateWebhook($input: CreateWebhookEndpointInput!) {\n    createWebhookEndpoint(input: $input) {\n      secret\n      endpoint {\n        id\n      }\n    }\n  }\n": { data: CreateWebhookMutation; variables: CreateWebhookMutationVariables };
  "\n  mutation UpdateWebhook($input: UpdateWebhookEndpointInput!) {\n    updateWebhookEndpoint(input: $input) {\n      endpoint {\n        id\n        types\n      }\n    }\n  }\n": { data: UpdateWebhookMutation; variables: UpdateWebhookMutationVariables };
  "\n  mutation RotateWebhookSecret($input: WebhookEndpointInput!) {\n    rotateWebhookSecret(input: $input) {\n      secret\n      endpoint {\n        id\n        previousSecretUntil\n      }\n    }\n  }\n": { data: RotateWebhookSecretMutation; variables: RotateWebhookSecretMutationVariables };
  "\n  mutation DisableWebhook($input: WebhookEndpointInput!) {\n    disableWebhookEndpoint(input: $input) {\n      endpoint {\n        id\n        disabledAt\n        disabledReason\n      }\n    }\n  }\n": { data: DisableWebhookMutation; variables: DisableWebhookMutationVariables };
  "\n  mutation RedeliverWebhooks($input: RedeliverWebhooksInput!) {\n    redeliverWebhooks(input: $input) {\n      count\n      nextFrom\n    }\n  }\n": { data: RedeliverWebhooksMutation; variables: RedeliverWebhooksMutationVariables };
  "\n  mutation DeleteWebhook($input: WebhookEndpointInput!) {\n    deleteWebhookEndpoint(input: $input) {\n      deletedEndpointId\n    }\n  }\n": { data: DeleteWebhookMutation; variables: DeleteWebhookMutationVariables };
  "\n  query WebhookEndpoints($developerId: ID) {\n    webhookEndpoints(developerId: $developerId) {\n      id\n      url\n      environment\n      types\n      createdAt\n      startsAt\n      disabledAt\n      disabledReason\n      previousSecretUntil\n      health {\n        delivered\n        failedAttempts\n        failedDeliveries\n        p95Ms\n        pausedUntil\n      }\n    }\n  }\n": { data: WebhookEndpointsQuery; variables: WebhookEndpointsQueryVariables };
  "\n  mutation EnableWebhook($input: WebhookEndpointInput!) {\n    enableWebhookEndpoint(input: $input) {\n      endpoint {\n        id\n        disabledAt\n        disabledReason\n      }\n    }\n  }\n": { data: EnableWebhookMutation; variables: EnableWebhookMutationVariables };
  "\n  mutation SendTest($input: SendTestEventInput!) {\n    sendTestEvent(input: $input) {\n      delivery {\n        id\n        apiRequestId\n        state\n      }\n    }\n  }\n": { data: SendTestMutation; variables: SendTestMutationVariables };
  "\n  query LabelCandidates($search: String!) {\n    developers(first: 10, filter: { search: $search, closed: false }) {\n      edges {\n        node {\n          id\n          name\n          email\n          rechargeProvider\n          whiteLabel {\n            id\n            name\n          }\n        }\n      }\n    }\n  }\n": { data: LabelCandidatesQuery; variables: LabelCandidatesQueryVariables };
  "\n  mutation RenameWhiteLabel($input: RenameWhiteLabelInput!) {\n    renameWhiteLabel(input: $input) {\n      whiteLabel {\n        id\n        name\n      }\n    }\n  }\n": { data: RenameWhiteLabelMutation; variables: RenameWhiteLabelMutationVariables };
  "\n  mutation DisableWhiteLabel($input: DisableWhiteLabelInput!) {\n    disableWhiteLabel(input: $input) {\n      whiteLabel {\n        id\n        disabledAt\n      }\n    }\n  }\n": { data: DisableWhiteLabelMutation; variables: DisableWhiteLabelMutationVariables };
  "\n  mutation EnableWhiteLabel($input: EnableWhiteLabelInput!) {\n    enableWhiteLabel(input: $input) {\n      whiteLabel {\n        id\n        disabledAt\n      }\n    }\n  }\n": { data: EnableWhiteLabelMutation; variables: EnableWhiteLabelMutationVariables };
  "\n  mutation AssignToLabel($input: AssignRechargeProviderInput!) {\n    assignRechargeProvider(input: $input) {\n      whiteLabel {\n        id\n        rechargeProvider\n      }\n      approvalRequest {\n        id\n      }\n    }\n  }\n": { data: AssignToLabelMutation; variables: AssignToLabelMutationVariables };
  "\n  mutation MoveToWhiteLabel($input: MoveToWhiteLabelInput!) {\n    moveToWhiteLabel(input: $input) {\n      approvalRequest {\n        id\n      }\n      developer {\n        id\n        rechargeProvider\n        whiteLabel {\n          id\n          name\n        }\n      }\n    }\n  }\n": { data: MoveToWhiteLabelMutation; variables: MoveToWhiteLabelMutationVariables };
  "\n  mutation RemoveFromWhiteLabel($input: RemoveFromWhiteLabelInput!) {\n    removeFromWhiteLabel(input: $input) {\n      approvalRequest {\n        id\n      }\n      developer {\n        id\n        rechargeProvider\n        whiteLabel {\n          id\n          name\n        }\n      }\n    }\n  }\n": { data: RemoveFromWhiteLabelMutation; variables: RemoveFromWhiteLabelMutationVariables };
  "\n  query WhiteLabels {\n    whiteLabels {\n      id\n      name\n      rechargeProvider\n      disabledAt\n    }\n  }\n": { data: WhiteLabelsQuery; variables: WhiteLabelsQueryVariables };
  "\n  query LabelMembers($id: ID!, $after: String) {\n    developers(first: 200, after: $after, filter: { whiteLabelId: $id, closed: false }) {\n      totalCount\n      pageInfo {\n        endCursor\n        hasNextPage\n      }\n      edges {\n        node {\n          id\n          name\n          ownRechargeProvider\n        }\n      }\n    }\n  }\n": { data: LabelMembersQuery; variables: LabelMembersQueryVariables };
  "\n  mutation CreateWhiteLabel($input: CreateWhiteLabelInput!) {\n    createWhiteLabel(input: $input) {\n      whiteLabel {\n        id\n        name\n      }\n    }\n  }\n": { data: CreateWhiteLabelMutation; variables: CreateWhiteLabelMutationVariables };
  "\n  query Search($text: String!) {\n    search(text: $text) {\n      title\n      detail\n      matchedText\n      node {\n        kind: __typename\n        id\n        ... on User {\n          developer {\n            id\n            name\n          }\n        }\n        ... on Order {\n          status\n          amount\n          environment\n        }\n      }\n    }\n  }\n": { data: SearchQuery; variables: SearchQueryVariables };
  "\n  query FindOrder($reference: String!) {\n    orders(first: 5, filter: { reference: $reference }) {\n      edges {\n        node {\n          id\n          apiRequestId\n          status\n          amount\n          environment\n        }\n      }\n    }\n  }\n": { data: FindOrderQuery; variables: FindOrderQueryVariables };
  "\n  query PausedOrders {\n    environments {\n      environment\n      orderPause {\n        notice\n        since\n      }\n    }\n  }\n": { data: PausedOrdersQuery; variables: PausedOrdersQueryVariables };
  "\n  query WhoIsSignedIn {\n    viewer {\n      user {\n        id\n      }\n    }\n  }\n": { data: WhoIsSignedInQuery; variables: WhoIsSignedInQueryVariables };
  "\n  mutation SetAccess($input: SetServiceAccessManyInput!) {\n    setServiceAccessMany(input: $input) {\n      access {\n        id\n        service\n        enabled\n        fee\n        changedAt\n        changedBy {\n          name\n        }\n      }\n      undo {\n        developerId\n        service\n        enabled\n        fee\n      }\n      approvalRequests {\n        id\n      }\n    }\n  }\n": { data: SetAccessMutation; variables: SetAccessMutationVariables };
  "\n  mutation SignOut {\n    signOut {\n      signedOut\n    }\n  }\n": { data: SignOutMutation; variables: SignOutMutationVariables };
  "\n  mutation ShowFactorAgain($input: ConfirmSecondFactorInput!) {\n    confirmSecondFactor(input: $input) {\n      confirmedUntil\n    }\n  }\n": { data: ShowFactorAgainMutation; variables: ShowFactorAgainMutationVariables };
  "\n  mutation PasskeyToConfirm {\n    startPasskeySignIn(input: { use: CONFIRM }) {\n      options\n    }\n  }\n": { data: PasskeyToConfirmMutation; variables: PasskeyToConfirmMutationVariables };
  "\n  mutation CreateTestToken($input: CreateTestTokenInput!) {\n    createTestToken(input: $input) {\n      token\n      expiresAt\n      baseUrl\n    }\n  }\n": { data: CreateTestTokenMutation; variables: CreateTestTokenMutationVariables };
  "\n  query Work {\n    work {\n      kind\n      count\n      uatCount\n      amount\n      oldestAt\n    }\n  }\n": { data: WorkQuery; variables: WorkQueryVariables };
  "\n  subscription WorkChanged {\n    workChanged {\n      kind\n      count\n      uatCount\n      amount\n      oldestAt\n    }\n  }\n": { data: WorkChangedSubscription; variables: WorkChangedSubscriptionVariables };
}