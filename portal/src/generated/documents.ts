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

/** What others of the staff should know about an account. Its people never read it. */
export type AddNoteInput = {
  /** Id of the developer. */
  developerId: string;
  /** At most 1000 characters, in one or more lines. */
  text: string;
};

/** Change that an approval request makes after approval. */
export type ApprovalRequestAction =
  /** An account or a white label gets another recharge provider, or an account another white label. */
  | 'ASSIGN_PROVIDER'
  /** Correction of a wallet whose balance changed without a transfer; `correction` has the amounts. After approval, `gateway ledger post` posts the correction. */
  | 'CORRECT_WALLET'
  /** Money is added to a wallet. */
  | 'CREDIT'
  /** Money is taken out of a wallet. */
  | 'DEBIT'
  /** A person is invited into an account that has no active owner. */
  | 'INVITE_USER'
  /** Reinstates a suspended member of staff. */
  | 'REINSTATE_USER'
  /** Removes an administrator. */
  | 'REMOVE_USER'
  /** Removes all second factors of a user. */
  | 'RESET_SECOND_FACTORS'
  /** An order in review is decided: `resolution` says how. */
  | 'RESOLVE'
  /** A list of orders in review is decided: `orders` says how. */
  | 'RESOLVE_MANY'
  /** Resumes new orders of an environment. */
  | 'RESUME_ORDERS'
  /** A success is taken back. */
  | 'REVERSE'
  /** The refund of an order is reversed. */
  | 'REVERSE_REFUND'
  /** Services of an account are switched, or get another fee: `changes` says which. */
  | 'SET_FEE'
  /** A provider is switched on again. */
  | 'SET_PROVIDER_AVAILABILITY'
  /** A person gets another role. */
  | 'SET_ROLE'
  /** Suspends an administrator, or confirms an emergency suspension. */
  | 'SUSPEND_USER'
  /** An account gets live access. */
  | 'UNLOCK_PRODUCTION';

/** Filter for approval requests. All given conditions apply. */
export type ApprovalRequestFilter = {
  /** Only requests with one of these actions. */
  action?: Array<ApprovalRequestAction> | null | undefined;
  /** Only requests about this developer. */
  developerId?: string | null | undefined;
  /** true: only requests of the signed-in user. false has no effect. */
  requestedByMe?: boolean | null | undefined;
  /** Only requests in one of these states. Default: PENDING. */
  state?: Array<ApprovalRequestState> | null | undefined;
};

/** State of an approval request. */
export type ApprovalRequestState =
  /** A second person approved the request, and the change is made. */
  | 'APPROVED'
  /** The request was neither approved nor rejected before `expiresAt`. */
  | 'EXPIRED'
  /** A second person has not approved or rejected the request yet. */
  | 'PENDING'
  /** The request was rejected, or the requester withdrew it. */
  | 'REJECTED';

/** Approval request of another user to approve. */
export type ApproveApprovalRequestInput = {
  /** It calls a payment failed that its provider need not show yet, and counts; else that is SENT_RECENTLY. */
  allowRecentSend?: boolean | null | undefined;
  /** ID of the approval request. */
  approvalRequestId: string;
  /** Reason for the audit log; at most 500 characters. */
  reason?: string | null | undefined;
};

/** An account whose KYC is submitted. */
export type ApproveDeveloperInput = {
  /** Id of the developer. */
  developerId: string;
  /** What is enabled in the same act, each service once. The others stay off in both environments. */
  services?: Array<ServiceGrantInput> | null | undefined;
};

/** Whose recharges a provider performs: exactly one of developer and white label. */
export type AssignRechargeProviderInput = {
  /** A platform developer. */
  developerId?: string | null | undefined;
  /** The provider. */
  provider: RechargeProvider;
  /** A white label, with all its developers. */
  whiteLabelId?: string | null | undefined;
};

/** What was done. */
export type AuditAction =
  /** Approval was requested from a second person. */
  | 'APPROVAL_REQUEST_CREATE'
  /** An approval request was rejected or withdrawn. */
  | 'APPROVAL_REQUEST_REJECT'
  /** The audit log of a period was exported. */
  | 'AUDIT_EXPORT'
  /** An API key was cancelled before it started. */
  | 'CREDENTIAL_CANCEL'
  /** A key was made. */
  | 'CREDENTIAL_CREATE'
  /** A user created a UAT test token. */
  | 'CREDENTIAL_CREATE_TEST_TOKEN'
  /** A key is suspended no more. */
  | 'CREDENTIAL_REINSTATE'
  /** An API key was revoked. */
  | 'CREDENTIAL_REVOKE'
  /** A key was made in the place of another one. */
  | 'CREDENTIAL_ROTATE'
  /** A key was suspended. */
  | 'CREDENTIAL_SUSPEND'
  /** Staff wrote a note about an account. */
  | 'DEVELOPER_ADD_NOTE'
  /** An account was approved. */
  | 'DEVELOPER_APPROVE'
  /** An account got another recharge provider. */
  | 'DEVELOPER_ASSIGN_PROVIDER'
  /** An account was closed for good, and what no law wants kept of it erased. */
  | 'DEVELOPER_CLOSE'
  /** Everything that is kept of an account was written into files. */
  | 'DEVELOPER_EXPORT'
  /** An account lost live access. */
  | 'DEVELOPER_LOCK_PRODUCTION'
  /** An account was made. */
  | 'DEVELOPER_REGISTER'
  /** An account is suspended no more. */
  | 'DEVELOPER_REINSTATE'
  /** An account was rejected. */
  | 'DEVELOPER_REJECT'
  /** Changes to the KYC submission of an account were requested. */
  | 'DEVELOPER_REQUEST_CHANGES'
  /** An account asked for live access. */
  | 'DEVELOPER_REQUEST_PRODUCTION'
  /** The tokens of an account got the usual life again. */
  | 'DEVELOPER_RESET_TOKEN_LIFETIME'
  /** An account changed for how long equal recharges without a key are refused. */
  | 'DEVELOPER_SET_DUPLICATE_GUARD'
  /** An account got another rate limit, or the usual one again. */
  | 'DEVELOPER_SET_RATE_LIMIT'
  /** An account changed the idle limit of the sessions of its people. */
  | 'DEVELOPER_SET_SESSION_IDLE_LIMIT'
  /** The tokens of an account got another life. */
  | 'DEVELOPER_SET_TOKEN_LIFETIME'
  /** An account came under a white label, or left it. */
  | 'DEVELOPER_SET_WHITE_LABEL'
  /** An account waits for a decision about its KYC. */
  | 'DEVELOPER_SUBMIT_KYC'
  /** An account was suspended. */
  | 'DEVELOPER_SUSPEND'
  /** An account got live access. */
  | 'DEVELOPER_UNLOCK_PRODUCTION'
  /** The email address of an account was confirmed. */
  | 'DEVELOPER_VERIFY_EMAIL'
  /** A failed email was sent again. */
  | 'EMAIL_RESEND'
  /** What is encrypted was encrypted with another key. */
  | 'ENCRYPTION_ROTATE'
  /** A draft of KYC was begun; what is changed in it leaves no entry. */
  | 'KYC_BEGIN_DRAFT'
  /** A document of KYC that was not handed in was deleted. */
  | 'KYC_DELETE_DOCUMENT'
  /** Somebody downloaded a document of KYC. */
  | 'KYC_DOWNLOAD_DOCUMENT'
  /** Staff read what was handed in. */
  | 'KYC_READ'
  /** Staff revealed a PAN or GSTIN. */
  | 'KYC_REVEAL'
  /** KYC was handed in. */
  | 'KYC_SUBMIT'
  /** A document of KYC was uploaded. */
  | 'KYC_UPLOAD_DOCUMENT'
  /** Old months of the ledger were written into a file. */
  | 'LEDGER_ARCHIVE'
  /** New orders of an environment were paused, or the notice of the pause was changed. */
  | 'ORDERS_PAUSE'
  /** New orders of an environment were resumed. */
  | 'ORDERS_RESUME'
  /** Orders were resumed after a restore. */
  | 'ORDERS_RESUME_AFTER_RESTORE'
  /** The status of an order was checked with its provider. */
  | 'ORDER_CHECK_STATUS'
  /** A person confirmed what an order had come to, although something contradicts it. */
  | 'ORDER_CONFIRM'
  /** A person decided what became of an order. */
  | 'ORDER_RESOLVE'
  /** A success was taken back. */
  | 'ORDER_REVERSE'
  /** The refund of an order was reversed, and its amount was charged again. */
  | 'ORDER_REVERSE_REFUND'
  /** Written by another version of the service. */
  | 'OTHER'
  /** A provider was switched off or on for everything new. */
  | 'PROVIDER_SET_AVAILABILITY'
  /** A difference between a statement and our orders was resolved. */
  | 'RECONCILE_RESOLVE'
  /** Orders were compared with the statement of a provider. */
  | 'RECONCILE_RUN'
  /** New secrets replaced the secrets that the database was used with. Orders are paused. */
  | 'SECRETS_ACCEPT'
  /** A service of an account was switched, or its fee was set. */
  | 'SERVICE_ACCESS_SET'
  /** The default customer of leads was changed. */
  | 'SETTING_SET_DEFAULT_LEAD_CUSTOMER'
  /** A user added a second factor. */
  | 'USER_ADD_FACTOR'
  /** Another administrator confirmed an emergency suspension. */
  | 'USER_CONFIRM_SUSPENSION'
  /** A user was made. */
  | 'USER_CREATE'
  /** A user created new recovery codes. */
  | 'USER_CREATE_RECOVERY_CODES'
  /** A user was invited by email. */
  | 'USER_INVITE'
  /** A user was reinstated and can sign in again. */
  | 'USER_REINSTATE'
  /** A user was removed, or an invitation was taken back. */
  | 'USER_REMOVE'
  /** A user removed a second factor. */
  | 'USER_REMOVE_FACTOR'
  /** All second factors of a user who had lost them were removed. */
  | 'USER_RESET_FACTORS'
  /** Sessions of a user were revoked. */
  | 'USER_REVOKE_SESSIONS'
  /** A user confirmed a new email address. */
  | 'USER_SET_EMAIL'
  /** A user got a new password. */
  | 'USER_SET_PASSWORD'
  /** A user got another role. */
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
  /** The owner of the tables posted the correction of a wallet. */
  | 'WALLET_CORRECT'
  /** Money was added to a wallet. */
  | 'WALLET_CREDIT'
  /** Money was taken out of a wallet. */
  | 'WALLET_DEBIT'
  /** A webhook endpoint was cancelled before it started. */
  | 'WEBHOOK_CANCEL'
  /** A webhook endpoint was made. */
  | 'WEBHOOK_CREATE'
  /** A webhook endpoint was deleted. */
  | 'WEBHOOK_DELETE'
  /** A webhook endpoint was switched off. */
  | 'WEBHOOK_DISABLE'
  /** A webhook endpoint was switched on. */
  | 'WEBHOOK_ENABLE'
  /** A webhook was sent once more. */
  | 'WEBHOOK_REDELIVER'
  /** The webhooks of a range were redelivered. */
  | 'WEBHOOK_REDELIVER_RANGE'
  /** A webhook endpoint got a new secret. */
  | 'WEBHOOK_ROTATE_SECRET'
  /** A test event was sent to a webhook endpoint. */
  | 'WEBHOOK_SEND_TEST'
  /** A webhook endpoint got other types of events. */
  | 'WEBHOOK_UPDATE'
  /** A white label got another recharge provider. */
  | 'WHITE_LABEL_ASSIGN_PROVIDER'
  /** A white label was made. */
  | 'WHITE_LABEL_CREATE'
  /** A white label takes no more developers. */
  | 'WHITE_LABEL_DISABLE'
  /** A disabled white label takes developers again. */
  | 'WHITE_LABEL_ENABLE'
  /** A white label got another name. */
  | 'WHITE_LABEL_RENAME';

/** Which entries are listed: those that fit everything that is given. */
export type AuditFilter = {
  /** Only these. */
  action?: Array<AuditAction> | null | undefined;
  /** Only what this user did, what programs of this developer did with tokens, or a command such as system:archive. */
  actorId?: string | null | undefined;
  /** Written at this instant or later. */
  from?: string | null | undefined;
  /** Only what this request did. */
  requestId?: string | null | undefined;
  /** Only what was done to this, and to what is below it: a developer, user, order, wallet, white label or webhook endpoint. */
  subjectId?: string | null | undefined;
  /** Written before this instant. */
  to?: string | null | undefined;
};

/** Whether calls are let through to a provider. */
export type BreakerState =
  /** Calls go through. */
  | 'CLOSED'
  /** One call is tried, the others are refused. */
  | 'HALF_OPEN'
  /** Too many calls failed: they are refused at once. */
  | 'OPEN';

/** API key that has not started and is to be cancelled. */
export type CancelCredentialInput = {
  /** The key. */
  clientId: string;
};

/** A new password for the signed-in user. */
export type ChangePasswordInput = {
  /** The present password. */
  currentPassword: string;
  /** At least 12, at most 200 characters. */
  newPassword: string;
};

/** An order that its provider is to be asked about. */
export type CheckOrderStatusInput = {
  /** The order. */
  orderId: string;
};

/** Orders that their providers are to be asked about. */
export type CheckOrderStatusesInput = {
  /** The orders; 1 to 200 different ones. */
  orderIds: Array<string>;
};

/** Another address of a user, by the person who can open the email there. */
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
  /** With this reference, whichever it is: its number, our request id, the id of the order, its caller’s key, the operator’s reference, the UTR, the provider’s transaction id, or the last 4 digits of its card. */
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

/** A token to try things with in UAT. */
export type CreateTestTokenInput = {
  /** How long it lives: 60 to 3,600 seconds. */
  expiresInSeconds?: number | null | undefined;
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

/** A new white label. */
export type CreateWhiteLabelInput = {
  /** Unique name. */
  name: string;
  /** Performs the recharges of all its developers. */
  rechargeProvider: RechargeProvider;
};

/** Money that arrived for a developer. */
export type CreditWalletInput = {
  /** Rupees, greater than 0. */
  amount: number;
  /** Id of the developer. */
  developerId: string;
  /** Which wallet. */
  environment: Environment;
  /** Reason for the audit log. Required in production without a UTR. */
  reason?: string | null | undefined;
  /** Source of the money: credited once per wallet. Case and the number of spaces are ignored. In production without `utr`, a reference that has the form of a UTR is used as the UTR: 12 digits, or 16 or 22 letters and digits that begin with four letters and have at least eight digits. */
  reference: string;
  /** UTR or RRN of the bank transfer, 12 to 22 letters and digits; case and spaces are ignored. Credited once over all production wallets. A second credit of a UTR, and a production credit without a UTR, require a reason and a second person. Not stored in UAT. */
  utr?: string | null | undefined;
};

/** Money that is to leave a wallet, such as a credit that was mistyped. */
export type DebitWalletInput = {
  /** Rupees, greater than 0. */
  amount: number;
  /** Id of the developer. */
  developerId: string;
  /** Which wallet. */
  environment: Environment;
  /** Why, for the audit log; 1 to 500 characters. */
  reason: string;
  /** What it corrects, such as a bank reference: debited once per wallet. */
  reference: string;
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
  /** The provider reversed the payment after it had succeeded. */
  | 'REVERSED_BY_PROVIDER'
  /** Support reversed the payment after it had succeeded. The operator may have performed it. */
  | 'REVERSED_BY_SUPPORT'
  /** The provider declined the payment and did not say why. */
  | 'UNSPECIFIED';

/** A document that was uploaded and not handed in. */
export type DeleteKycDocumentInput = {
  /** Id of the document. */
  documentId: string;
};

/** Which developers are listed: those that fit everything that is given. */
export type DeveloperFilter = {
  /** Only those whose wallet holds less, in rupees. */
  balanceBelow?: number | null | undefined;
  /** Only accounts that were closed for good, which are suspended too, or only the others. */
  closed?: boolean | null | undefined;
  /** Of `balanceBelow`; Production when left out. */
  environment?: Environment | null | undefined;
  /** Only accounts that wait for live access, or only the others. */
  productionRequested?: boolean | null | undefined;
  /** Only accounts with live access, or only the others. */
  productionUnlocked?: boolean | null | undefined;
  /** Only those whose recharges it performs. */
  rechargeProvider?: RechargeProvider | null | undefined;
  /** Part of the name or email address, or the id or account number. */
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

/** In which order developers are listed. */
export type DeveloperSort =
  /** Newest first. */
  | 'CREATED_DESC'
  /** Who handed in KYC first; who never did comes last. */
  | 'KYC_SUBMITTED_ASC'
  /** Who placed a recharge or payment last, in either environment; who never did comes last. */
  | 'LAST_ORDER_DESC'
  /** By name. */
  | 'NAME_ASC'
  /** Who has the least money in Production; who has no wallet comes last. */
  | 'PRODUCTION_BALANCE_ASC';

/** A white label that is to take no more developers. */
export type DisableWhiteLabelInput = {
  /** Why, for the audit log; 1 to 500 characters. */
  reason: string;
  /** The white label. */
  whiteLabelId: string;
};

/** Why an email was not delivered. */
export type EmailFailure =
  /** The mail server rejected the user name or password of SMTP_URL. */
  | 'AUTHENTICATION'
  /** The mail server put it off, such as for a full mailbox. */
  | 'DEFERRED'
  /** Something else; the log says what. */
  | 'OTHER'
  /** The mail server permanently rejected the email, for example because the address does not exist. */
  | 'REJECTED'
  /** The mail server could not be reached or did not respond, or not over an encrypted connection. */
  | 'UNREACHABLE';

/** A disabled white label that is to take developers again. */
export type EnableWhiteLabelInput = {
  /** Why, for the audit log; 1 to 500 characters. */
  reason: string;
  /** The white label. */
  whiteLabelId: string;
};

/** The two worlds of the API, each with hosts, credentials, tokens and a wallet of its own. */
export type Environment =
  /** Live providers and real money. */
  | 'PRODUCTION'
  /** Sample data and play money; no provider is ever called. */
  | 'UAT';

/** Error code: a value of `extensions.code` of an error. Codes can be added. */
export type ErrorCode =
  /** An admin has to enable the service key named in the message. */
  | 'ACCESS_DISABLED'
  /** One payment at a time for a fetched bill; look at the first payment before trying again. */
  | 'BILL_PAYMENT_IN_PROGRESS'
  /** Somebody else was faster, or the record has moved on. */
  | 'CONFLICT'
  /** A browser sent a preflight request or a credential exchange for a page of an origin that this host does not list. Credentials were not checked, and the request does not count as a failed attempt. */
  | 'CROSS_ORIGIN_FORBIDDEN'
  /** The database could not be reached before money moved, or new orders are paused, and the message has the notice. */
  | 'DEPENDENCY_DOWN'
  /** A payment with this orderid exists. order_status and the header X-Order-Status (extensions.orderStatus) have its state; do not pay again. */
  | 'DUPLICATE_ORDER'
  /** The signed-in user lacks the role that the field needs, or the client token its scope. */
  | 'FORBIDDEN'
  /** A key stands for one number, amount, operator and type for ever; a different recharge needs a key of its own. api_request_id (extensions.apiRequestId) names the earlier order, whose state this does not tell. */
  | 'IDEMPOTENCY_KEY_REUSED'
  /** The wallet of this environment cannot pay the amount or fee; required and available say how far. The idempotency key is not consumed. */
  | 'INSUFFICIENT_BALANCE'
  /** A defect of this service, which may have come after money moved. Quote the request id. */
  | 'INTERNAL'
  /** Client id, API secret or password is unknown, wrong or revoked; the answer never says which. */
  | 'INVALID_CREDENTIALS'
  /** The document does not parse, does not fit the schema of this host, or is over a limit; the message says which. */
  | 'INVALID_DOCUMENT'
  /** The lead provider refused the profile or the lead as it was sent; reason says why. Nothing was stored, and nothing costs a fee. */
  | 'LEAD_REFUSED'
  /** The account has a duplicate guard: without a key, the number, amount, operator and type of a recent recharge are refused. api_request_id (extensions.apiRequestId) names the earlier one, and order_status (extensions.orderStatus) its state. */
  | 'LIKELY_DUPLICATE'
  /** The body could not be read as a JSON object, or the GraphQL request has no usable document. */
  | 'MALFORMED_REQUEST'
  /** The Allow header lists the methods of the path. */
  | 'METHOD_NOT_ALLOWED'
  /** GraphQL: the Accept header has no media type that this service sends. Nothing was executed. */
  | 'NOT_ACCEPTABLE'
  /** The path does not exist on this host. */
  | 'NOT_FOUND'
  /** Sign-up, KYC and admin approval come before the first call. */
  | 'ONBOARDING_INCOMPLETE'
  /** The order is so old that its month has left for the archive. It is over, and nothing about it changes any more: order_status (extensions.orderStatus) says how it ended, api_request_id (extensions.apiRequestId) which it is. */
  | 'ORDER_ARCHIVED'
  /** Admission control refused the call before money moved. */
  | 'OVERLOADED'
  /** Bodies are limited to 64 KiB; on the console, a document of KYC to 5 MiB. */
  | 'PAYLOAD_TOO_LARGE'
  /** A GraphQL request has only the hash of a document (extensions.persistedQuery). The service stores no documents. */
  | 'PERSISTED_QUERY_NOT_SUPPORTED'
  /** An admin unlocks Production for an approved account. */
  | 'PRODUCTION_LOCKED'
  /** The provider refused the recharge or payment for good; reason says why. The debit is refunded. */
  | 'PROVIDER_DECLINED'
  /** A lookup, bill fetch, product or lead call failed at the provider. A fee is refunded. */
  | 'PROVIDER_FAILED'
  /** The breaker of the provider is open, it could not be asked for something the request needs, or its exposure limit is reached: too many payments sent to it have no final status. */
  | 'PROVIDER_UNAVAILABLE'
  /** More calls per minute than the limit of this endpoint, over REST and GraphQL together. A repetition of a known client_request_id is answered all the same, 60 times a minute; above that api_request_id and order_status (extensions.apiRequestId, extensions.orderStatus) tell the state of its order. */
  | 'RATE_LIMITED'
  /** The id is unknown, or belongs to somebody else. */
  | 'RECORD_NOT_FOUND'
  /** The client was too slow in sending it; nothing was done. The same request may be sent again. */
  | 'REQUEST_TIMEOUT'
  /** A success that was reversed later; reason says whether the provider or support reversed it. */
  | 'REVERSED'
  /** On the console: the user must have a second factor and has none yet. */
  | 'SECOND_FACTOR_NOT_ENROLLED'
  /** On the console: the password is right, and the user has a second factor that was not shown. */
  | 'SECOND_FACTOR_REQUIRED'
  /** On the console: an order was called failed although its provider may only show later that it performed it. Nothing changed. */
  | 'SENT_RECENTLY'
  /** The lookups of the client token have cost as much as maxSpend allows. */
  | 'SPENDING_CAP_REACHED'
  /** On the console: a change of money, keys or identity requires a second factor that was verified within the last 5 minutes. */
  | 'STEP_UP_REQUIRED'
  /** The last event of a stream that cannot go on: its process ends, ordersChanged or workChanged was open for a quarter of an hour, or its reader was slower than orders change. */
  | 'STREAM_ENDED'
  /** The last event of a stream of a client token: of each order one request of client tokens waits at a time, and a newer one, such as that of a page that was loaded again, takes the place of the older. */
  | 'STREAM_REPLACED'
  /** An admin has suspended the account or the key. */
  | 'SUSPENDED'
  /** Ten failed sign-ins, token exchanges or links in 15 minutes for this identifier and address, or a hundred for this address; exchanges are counted apart, and a right API secret is never refused. */
  | 'TOO_MANY_FAILED_EXCHANGES'
  /** A tool of the sandbox, which production has not. */
  | 'UAT_ONLY'
  /** There is no token, or it has ended, or this service did not make it. */
  | 'UNAUTHENTICATED'
  /** The Content-Type header is missing, is not application/json (REST takes form fields too) or calls JSON a form; or the body is compressed. */
  | 'UNSUPPORTED_MEDIA_TYPE'
  /** One or more fields are missing or wrong; every one of them is named. On recharge the HTTP status is 400. */
  | 'VALIDATION_FAILED'
  /** UAT credentials and tokens work only on the UAT host, Production ones only on the Production host. The message names the right one. */
  | 'WRONG_HOST';

/** A step from the sign-up to the first order in Production. */
export type GoLiveStepName =
  /** The email address is confirmed. */
  | 'EMAIL_CONFIRMED'
  /** Money was put into the wallet of Production. */
  | 'FIRST_CREDIT'
  /** A recharge or payment has succeeded in UAT. */
  | 'FIRST_UAT_SUCCESS'
  /** The account is approved: keys for UAT may be made. */
  | 'KYC_APPROVED'
  /** KYC is handed in. Not done while something in it has to be mended. */
  | 'KYC_SUBMITTED'
  /** Live access was asked for, or unlocked without. */
  | 'PRODUCTION_REQUESTED'
  /** Live access is unlocked: keys for Production may be made. */
  | 'PRODUCTION_UNLOCKED';

/** Somebody who is asked to join the operator’s people, or those of an account. */
export type InviteUserInput = {
  /** The account that a DEVELOPER joins. An owner invites to the own account and may leave it out. */
  developerId?: string | null | undefined;
  /** Where the link is mailed to, and what they sign in with. */
  email: string;
  /** Display name; the person may write it otherwise. */
  name: string;
  /** DEVELOPER for the people of an account; any other one is staff, whom admins alone invite. */
  role: Role;
  /** What a DEVELOPER may do; for nobody else. */
  teamRole?: TeamRole | null | undefined;
};

/** Field of a KYC submission that is masked until it is revealed. */
export type KycField =
  /** GSTIN. */
  | 'GSTIN'
  /** PAN. */
  | 'PAN';

/** Where money is, as the ledger has it. */
export type LedgerAccount =
  /** Balance changes without a transfer that two people approved to record. */
  | 'CORRECTION'
  /** Fees that were earned. */
  | 'FEE_INCOME'
  /** The bank account that wallets are filled from. */
  | 'FUNDING'
  /** Held for calls whose outcome is not known. */
  | 'IN_FLIGHT'
  /** Owed to the provider that performed it. */
  | 'PROVIDER_PAYABLE'
  /** The developer’s wallet. */
  | 'WALLET';

/** An account whose live access ends. */
export type LockProductionInput = {
  /** Id of the developer. */
  developerId: string;
  /** Why, for the audit log; 1 to 500 characters. */
  reason: string;
};

/** A developer that is to belong to a white label. */
export type MoveToWhiteLabelInput = {
  /** Id of the developer. */
  developerId: string;
  /** Id of the white label. */
  whiteLabelId: string;
};

/** How far an account has come. */
export type OnboardingStatus =
  /** May create keys and call the UAT host. */
  | 'APPROVED'
  /** The address is confirmed; KYC is missing. */
  | 'EMAIL_VERIFIED'
  /** A reviewer requested changes to the KYC submission. The owner submits it again. */
  | 'KYC_CHANGES_REQUESTED'
  /** Waits for the decision of an admin or a reviewer. */
  | 'KYC_SUBMITTED'
  /** Signed up; the email address is not confirmed. */
  | 'REGISTERED'
  /** Refused by an admin, with a reason. */
  | 'REJECTED';

/** What is recharged. */
export type OperatorType =
  /** A satellite-TV subscription. */
  | 'DTH'
  /** A prepaid mobile number. */
  | 'MOBILE';

/** What admins may do to an order. */
export type OrderAction =
  /** checkOrderStatus. */
  | 'CHECK_STATUS'
  /** resolveOrder: it waits for a decision, or its provider contradicts the one that was made. */
  | 'RESOLVE'
  /** reverseOrder: it is a success. */
  | 'REVERSE'
  /** reverseRefund, because the amount was refunded. */
  | 'REVERSE_REFUND';

/** What happened to an order. */
export type OrderEventKind =
  /** The provider called back. */
  | 'CALLBACK'
  /** Its amount left the wallet. */
  | 'HOLD'
  /** The amount is back: it was not performed. */
  | 'REFUND'
  /** The refund was reversed, because the provider completed the payment. */
  | 'REFUND_REVERSAL'
  /** Staff resolved the order. */
  | 'RESOLUTION'
  /** The provider returned a response, or none arrived in time. */
  | 'RESPONSE'
  /** The amount is back: it was taken back after it had succeeded. */
  | 'REVERSAL'
  /** It was handed to a person. */
  | 'REVIEW'
  /** The provider was asked to perform it, once. */
  | 'SEND'
  /** The debit became final. */
  | 'SETTLE'
  /** The status was checked with the provider. */
  | 'STATUS_CHECK'
  /** The provider reports a status that conflicts with the final status of the order. */
  | 'STATUS_CONFLICT';

/** Which money call an order belongs to. */
export type OrderKind =
  /** A credit card bill payment. */
  | 'CARD_PAYMENT'
  /** A recharge. */
  | 'RECHARGE';

/** Result of the resolution of one order of a list. */
export type OrderResolutionResult =
  /** Approval is requested. The request contains the order. */
  | 'APPROVAL_REQUESTED'
  /** Nothing changed. `code` has the reason. */
  | 'REJECTED'
  /** The order is resolved, or its resolution is confirmed. */
  | 'RESOLVED';

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

/** Pause of new orders. */
export type PauseOrdersInput = {
  /** Environment whose orders are paused. */
  environment: Environment;
  /** Notice for callers and developers, 1 to 200 characters. A new notice for paused orders replaces the notice. */
  notice: string;
  /** Why, for the audit log; 1 to 500 characters. */
  reason?: string | null | undefined;
};

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

/** A stopped key that may go on. */
export type ReinstateCredentialInput = {
  /** The key. */
  clientId: string;
  /** Why, for the audit log; 1 to 500 characters. */
  reason?: string | null | undefined;
};

/** A stopped account that may go on. */
export type ReinstateDeveloperInput = {
  /** Id of the developer. */
  developerId: string;
  /** Why, for the audit log; 1 to 500 characters. */
  reason?: string | null | undefined;
};

/** Somebody who may sign in again. */
export type ReinstateUserInput = {
  /** Why, for the audit log; 1 to 500 characters. */
  reason?: string | null | undefined;
  /** Id of the user. */
  userId: string;
};

/** Approval request to reject. The requester withdraws the request with it. */
export type RejectApprovalRequestInput = {
  /** ID of the approval request. */
  approvalRequestId: string;
  /** Reason for the audit log; 1 to 500 characters. */
  reason: string;
};

/** An account whose KYC is refused. */
export type RejectDeveloperInput = {
  /** Id of the developer. */
  developerId: string;
  /** Sent to the developer and kept in the audit log. */
  reason: string;
};

/** A developer that is to belong to no white label. */
export type RemoveFromWhiteLabelInput = {
  /** Id of the developer. */
  developerId: string;
};

/** A second factor that is to count no more. */
export type RemoveSecondFactorInput = {
  /** Its id, as secondFactors shows it. */
  id: string;
};

/** Somebody who is to be a user no more. */
export type RemoveUserInput = {
  /** Why, for the audit log; 1 to 500 characters. */
  reason: string;
  /** Id of the user. */
  userId: string;
};

/** Another name of a white label. */
export type RenameWhiteLabelInput = {
  /** Unique name. */
  name: string;
  /** The white label. */
  whiteLabelId: string;
};

/** An account whose KYC has something to mend. */
export type RequestKycChangesInput = {
  /** Id of the developer. */
  developerId: string;
  /** What has to be mended: sent to the developer, and shown on the account. */
  reason: string;
};

/** Asks for a link to set a new password. */
export type RequestPasswordResetInput = {
  /** Email address of the user. */
  email: string;
};

/** What an admin reads before live access is unlocked. */
export type RequestProductionInput = {
  /** What is planned: where the service will be used, how many orders a day. At most 500 characters. */
  message?: string | null | undefined;
};

/** An email that is to be sent again. */
export type ResendEmailInput = {
  /** The mail. */
  emailId: string;
};

/** A new password for the person who can open the mailed link. */
export type ResetPasswordInput = {
  /** At least 12, at most 200 characters. */
  newPassword: string;
  /** From the mailed link; good for an hour, once. */
  token: string;
};

/** A developer that is to have the usual rate limit. */
export type ResetRateLimitInput = {
  /** Id of the developer. */
  developerId: string;
};

/** Somebody who has lost every second factor. */
export type ResetSecondFactorsInput = {
  /** Why, for the audit log; 1 to 500 characters. */
  reason: string;
  /** Id of the user. */
  userId: string;
};

/** A developer whose tokens live as long as usual again. */
export type ResetTokenLifetimeInput = {
  /** Id of the developer. */
  developerId: string;
};

/** What a person decides about an order that nobody else could decide. */
export type Resolution =
  /** The provider did not perform it: the money goes back. */
  | 'FAILED'
  /** The provider performed it: the debit becomes final. */
  | 'SUCCESS';

/** What became of an order that waits for a person. */
export type ResolveOrderInput = {
  /** FAILED counts although the provider need not show the payment yet; else that is SENT_RECENTLY. */
  allowRecentSend?: boolean | null | undefined;
  /** The order, as the review queue names it. */
  orderId: string;
  /** Outcome of the order. For an order with a status conflict: the outcome that it has, which is confirmed. */
  outcome: Resolution;
  /** How you know, for the audit log; 1 to 500 characters. */
  reason: string;
};

/** What became of orders that wait for a person: the same of all of them. */
export type ResolveOrdersInput = {
  /** FAILED counts although providers need not show the payments yet; else such ones are SENT_RECENTLY. */
  allowRecentSend?: boolean | null | undefined;
  /** The orders, as the review queue names them; 1 to 200 different ones. */
  orderIds: Array<string>;
  /** Outcome of all of the orders. For orders with a status conflict: the outcome that they have, which is confirmed. */
  outcome: Resolution;
  /** How you know, for the audit log; 1 to 500 characters. */
  reason: string;
};

/** Difference to resolve, and the reason. */
export type ResolveStatementDifferenceInput = {
  /** ID of the difference. */
  differenceId: string;
  /** Explanation of the difference, for the audit log; 1 to 500 characters. */
  reason: string;
};

/** Resumption of paused orders. */
export type ResumeOrdersInput = {
  /** Environment whose orders are resumed. */
  environment: Environment;
  /** Why, for the audit log; 1 to 500 characters. */
  reason?: string | null | undefined;
};

/** Field of a KYC submission to reveal. */
export type RevealKycFieldInput = {
  /** Field to reveal. */
  field: KycField;
  /** ID of the submission, which must be the last one of its account. */
  submissionId: string;
};

/** A success that is to be taken back. */
export type ReverseOrderInput = {
  /** The order. */
  orderId: string;
  /** How you know that it was not performed, for the audit log; 1 to 500 characters. */
  reason: string;
};

/** An order that was given back and is to be charged all the same. */
export type ReverseRefundInput = {
  /** The order. */
  orderId: string;
  /** How you know that it was performed, for the audit log; 1 to 500 characters. */
  reason: string;
};

/** Which orders of the review queue; what is left out does not matter. */
export type ReviewFilter = {
  /** True: decided orders alone, whose provider says the opposite. False: those alone that nobody has decided. */
  conflicting?: boolean | null | undefined;
  /** Whose orders. */
  developerId?: string | null | undefined;
  /** Real money or play money. */
  environment?: Environment | null | undefined;
  /** Rupees; not more than that. */
  maxAmount?: number | null | undefined;
  /** Rupees; not less than that. */
  minAmount?: number | null | undefined;
  /** Placed before that instant. */
  olderThan?: string | null | undefined;
  /** This order alone; nothing when it does not wait for a person. */
  orderId?: string | null | undefined;
  /** Who was asked to perform it. */
  provider?: Provider | null | undefined;
};

/** A key that is to end. */
export type RevokeCredentialInput = {
  /** The key. */
  clientId: string;
  /** Needed when the key made webhook endpoints that are still enabled. */
  endpoints?: RevokedKeyEndpoints | null | undefined;
};

/** Session to revoke. */
export type RevokeSessionInput = {
  /** ID of the session, from `Viewer.sessions`. */
  sessionId: string;
};

/** Sessions of another user to revoke. */
export type RevokeUserSessionsInput = {
  /** Why, for the audit log; 1 to 500 characters. */
  reason?: string | null | undefined;
  /** ID of the session; all sessions of the user when it is left out. */
  sessionId?: string | null | undefined;
  /** ID of the user. */
  userId: string;
};

/** Action for the webhook endpoints that were created with a revoked API key. */
export type RevokedKeyEndpoints =
  /** Disables the webhook endpoints of the key immediately. Use this if the key may be compromised. */
  | 'DISABLE'
  /** Keeps the webhook endpoints of the key enabled, without the key. */
  | 'KEEP';

/** What a user of the console may be. */
export type Role =
  /** Decides about accounts, access, people and money. */
  | 'ADMIN'
  /** One of a developer’s people: the team role says what they may do within their own account. */
  | 'DEVELOPER'
  /** Decides about money: credits, debits, corrections, reviews and approval requests. Nothing about access. */
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

/** What is typed so far, whole or not. What is left out is empty. */
export type SaveKycDraftInput = {
  /** Registered address. */
  address?: string | null | undefined;
  /** GST number, where there is one. */
  gstin?: string | null | undefined;
  /** Name as the PAN has it. */
  legalName?: string | null | undefined;
  /** Permanent account number. */
  pan?: string | null | undefined;
  /** Postal code. */
  pincode?: string | null | undefined;
};

/** What a user shows beside the password. */
export type SecondFactorKind =
  /** A passkey (WebAuthn) of a device or a security key. It signs in without a password too. */
  | 'PASSKEY'
  /** Codes on paper for whoever has lost the others; each counts once. */
  | 'RECOVERY_CODES'
  /** One-time codes of an authenticator (RFC 6238): six digits, every 30 seconds others. */
  | 'TOTP';

/** Which events are listed: those that fit everything that is given. */
export type SecurityEventFilter = {
  /** Only from this address, as an event names it. */
  address?: string | null | undefined;
  /** The last attempt was at this instant or later. */
  from?: string | null | undefined;
  /** Only these. */
  kind?: Array<SecurityEventKind> | null | undefined;
  /** The first attempt was before this instant. */
  to?: string | null | undefined;
  /** Only attempts at the secrets of this user. */
  userId?: string | null | undefined;
};

/** Which secret was tried. */
export type SecurityEventKind =
  /** A link that invites somebody. */
  | 'ACCEPT_INVITATION'
  /** The present password of a signed-in user, to change it. */
  | 'CHANGE_PASSWORD'
  /** A link that confirms a new email address. */
  | 'CONFIRM_EMAIL'
  /** The secret of a key, for a token. */
  | 'EXCHANGE'
  /** A link that resets a password. */
  | 'RESET_PASSWORD'
  /** A second factor of a signed-in user, to show it again or to add it. */
  | 'SECOND_FACTOR'
  /** The password of a user, to sign in. */
  | 'SIGN_IN'
  /** A link that confirms an email address, or the password with it. */
  | 'VERIFY_EMAIL';

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

/** The customer that leads are created for when a request names none. */
export type SetDefaultLeadCustomerInput = {
  /** The encrypted customer id that leads without one are created for. */
  customerId: string;
  /** Where it applies. */
  environment: Environment;
};

/** How long a developer is guarded against recharging twice without a key. */
export type SetDuplicateGuardInput = {
  /** Id of the developer. */
  developerId: string;
  /** At most 3600: so many seconds a recharge without a key that is equal to a performed one is refused with LIKELY_DUPLICATE. 0: it is performed, with a warning. */
  seconds: number;
};

/** A provider that is to get nothing new, or to get it again. */
export type SetProviderAvailabilityInput = {
  /** Whether anything new is sent to it. */
  available: boolean;
  /** Where: UAT for the sandbox, PRODUCTION for all others. */
  environment: Environment;
  /** Which provider. */
  provider: Provider;
  /** Why, for the audit log; 1 to 500 characters. */
  reason: string;
};

/** A rate limit of one developer’s own. */
export type SetRateLimitInput = {
  /** Id of the developer. */
  developerId: string;
  /** Calls per minute and endpoint. */
  perMinute: number;
};

/** Access of many developers, in one act. */
export type SetServiceAccessManyInput = {
  /** 1 to 200 changes, each service of a developer once. One wrong one, and nothing happens. */
  changes: Array<ServiceAccessChange>;
  /** Why, for the audit log; 1 to 500 characters. */
  reason?: string | null | undefined;
};

/** Idle limit of the sessions of an account’s users. */
export type SetSessionIdleLimitInput = {
  /** Id of the developer. */
  developerId: string;
  /** Minutes without a request after which a session ends: 15 to 720. */
  minutes: number;
};

/** How long the tokens of one developer live; at most as long as usual. */
export type SetTokenLifetimeInput = {
  /** Id of the developer. */
  developerId: string;
  /** Days without use after which a token ends. */
  idleDays: number;
  /** Days after which it ends although it is used. */
  maxDays: number;
};

/** Another role of somebody: exactly one of role and teamRole. */
export type SetUserRoleInput = {
  /** For one of the operator’s people, by an admin. Not DEVELOPER: nobody changes sides. */
  role?: Role | null | undefined;
  /** For one of a developer’s people, by an owner of the account or an admin. */
  teamRole?: TeamRole | null | undefined;
  /** Id of the user. */
  userId: string;
};

/** Who signs in to the console: with email address and password, and one of code and passkey where the user has a second factor; or with a passkey alone. */
export type SignInInput = {
  /** The code that the authenticator shows now, or a recovery code. Not read where the user has no second factor. */
  code?: string | null | undefined;
  /** Email address. */
  email?: string | null | undefined;
  /** What toJSON() of the credential gives that a passkey made of startPasskeySignIn, as JSON text. */
  passkey?: string | null | undefined;
  /** Password. */
  password?: string | null | undefined;
};

/** A new account. */
export type SignUpInput = {
  /** Email address; a link to confirm it is mailed there. */
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

/** Only differences that match all fields. */
export type StatementDifferenceFilter = {
  /** Only differences first found at or after this time. */
  from?: string | null | undefined;
  /** Any of these kinds. */
  kind?: Array<StatementDifferenceKind> | null | undefined;
  /** ID of the order. */
  orderId?: string | null | undefined;
  /** Provider of the statement. */
  provider?: Provider | null | undefined;
  /** True: resolved differences. False: unresolved differences. */
  resolved?: boolean | null | undefined;
  /** Only differences first found before this time. */
  to?: string | null | undefined;
};

/** Kind of a difference between the statement of a provider and our orders. */
export type StatementDifferenceKind =
  /** Order and line have different amounts. */
  | 'AMOUNT_DIFFERS'
  /** The order of the line is archived. The archive file has its final status. */
  | 'ARCHIVED'
  /** The statement lists a completed payment more than once. */
  | 'DUPLICATE'
  /** The statement has no line for the order. */
  | 'MISSING_AT_PROVIDER'
  /** No order matches the line. */
  | 'ORDER_NOT_FOUND'
  /** Order and line have different statuses. */
  | 'STATUS_DIFFERS';

/** Resolution of a difference. */
export type StatementDifferenceResolution =
  /** A later run of `gateway reconcile` no longer found the difference. */
  | 'LATER_RUN'
  /** An administrator or finance user resolved the difference and gave a reason. */
  | 'STAFF';

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

/** Status of a payment in a line of a provider’s statement. */
export type StatementStatus =
  /** The payment failed. */
  | 'FAILED'
  /** The payment has no final status. */
  | 'PENDING'
  /** The payment was reversed after it had succeeded. */
  | 'REVERSED'
  /** The payment succeeded. */
  | 'SUCCEEDED';

/** What an admin decides on. */
export type SubmitKycInput = {
  /** Registered address, at most 255 characters. */
  address: string;
  /** What POST /kyc/documents returned: 1 to 10 documents. */
  documentIds: Array<string>;
  /** GST number, 15 characters, where there is one. */
  gstin?: string | null | undefined;
  /** Name as the PAN has it, at most 100 characters. */
  legalName: string;
  /** Permanent account number: 5 letters, 4 digits, 1 letter. */
  pan: string;
  /** Postal code, 6 digits. */
  pincode: string;
};

/** A key that is to be stopped. */
export type SuspendCredentialInput = {
  /** The key. */
  clientId: string;
  /** Why, for the audit log; 1 to 500 characters. */
  reason: string;
};

/** An account that is to be stopped. */
export type SuspendDeveloperInput = {
  /** Id of the developer. */
  developerId: string;
  /** Why, for the audit log; 1 to 500 characters. */
  reason: string;
};

/** Somebody who may not sign in any more. */
export type SuspendUserInput = {
  /** True: an administrator is suspended at once, without a second person. Every administrator gets an email, and you cannot change people until another administrator confirms or undoes it. Without effect where one person is enough. */
  emergency?: boolean | null | undefined;
  /** Why, for the audit log; 1 to 500 characters. */
  reason: string;
  /** Id of the user. */
  userId: string;
};

/** What a developer’s user may be within the own account. */
export type TeamRole =
  /** Keys, webhooks and the duplicate guard, and reads the rest; nothing about people. */
  | 'BUILDER'
  /** Reads orders, wallets and statements. */
  | 'FINANCE'
  /** Everything, the people of the account and its KYC included. Each account has at least one. */
  | 'OWNER'
  /** Reads orders, wallets, statements, keys and webhooks. */
  | 'READER';

/** What of accounts, people and providers can take two admins. */
export type TwoPeople =
  /** A fee of a service above the configured one. */
  | 'FEES'
  /** Another recharge provider, or another white label. */
  | 'PROVIDER'
  /** Another role of a person. */
  | 'ROLES'
  /** Enables a disabled provider, or resumes paused orders. */
  | 'SWITCHES'
  /** unlockProduction. */
  | 'UNLOCK';

/** An account that is to have live access. */
export type UnlockProductionInput = {
  /** Id of the developer. */
  developerId: string;
};

/** What the signed-in user changes of themselves; what is left out stays. */
export type UpdateProfileInput = {
  /** The present password; needed for a new email. */
  currentPassword?: string | null | undefined;
  /** Counts once the link that is mailed there is used; the former address gets an email, too. */
  email?: string | null | undefined;
  /** Mobile number, 10 digits. */
  mobile?: string | null | undefined;
  /** Display name. */
  name?: string | null | undefined;
};

/** What an endpoint gets. */
export type UpdateWebhookEndpointInput = {
  /** Id of the endpoint. */
  endpointId: string;
  /** Only these are posted to it from now on. With every type: all, also those that come later. */
  types: Array<WebhookEventType>;
};

/** Confirms an email address. */
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

/** What waits for staff. */
export type WorkKind =
  /** Pending approval requests: approveApprovalRequest or rejectApprovalRequest. */
  | 'APPROVAL_REQUEST'
  /** Webhooks of the last seven days that were given up, counted up to 10,000: redeliverWebhook, once the receiver works again. */
  | 'FAILED_DELIVERY'
  /** Emails whose retries were exhausted in the last three days: their mail server rejects them or is unavailable. failedEmails, resendEmail. */
  | 'FAILED_EMAIL'
  /** KYC that was handed in: approveDeveloper, requestKycChanges or rejectDeveloper. */
  | 'KYC'
  /** Accounts that ask for live access: unlockProduction. */
  | 'PRODUCTION_REQUEST'
  /** Payments whose outcome nobody could find out: resolveOrder or resolveOrders. */
  | 'REVIEW'
  /** Differences between statements of providers and our orders: statementDifferences, resolveStatementDifference. */
  | 'STATEMENT_DIFFERENCE'
  /** Payments with a conflicting provider status: resolveOrder, reverseOrder or reverseRefund. */
  | 'STATUS_CONFLICT';

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

export type TwoPeopleQueryVariables = Exact<{ [key: string]: never; }>;


export type TwoPeopleQuery = { defaults: { feeApprovalAbove: number, twoPeople: Array<TwoPeople> } | null };

export type CreateTestTokenMutationVariables = Exact<{
  input: CreateTestTokenInput;
}>;


export type CreateTestTokenMutation = { createTestToken: { token: string, expiresAt: string, baseUrl: string } | null };

export type WorkQueryVariables = Exact<{ [key: string]: never; }>;


export type WorkQuery = { work: Array<{ kind: WorkKind, count: number, uatCount: number, amount: number | null, oldestAt: string | null }> | null };

export type WorkChangedSubscriptionVariables = Exact<{ [key: string]: never; }>;


export type WorkChangedSubscription = { workChanged: Array<{ kind: WorkKind, count: number, uatCount: number, amount: number | null, oldestAt: string | null }> };

export interface Documents {
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
  "\n  query TwoPeople {\n    defaults {\n      feeApprovalAbove\n      twoPeople\n    }\n  }\n": { data: TwoPeopleQuery; variables: TwoPeopleQueryVariables };
  "\n  mutation CreateTestToken($input: CreateTestTokenInput!) {\n    createTestToken(input: $input) {\n      token\n      expiresAt\n      baseUrl\n    }\n  }\n": { data: CreateTestTokenMutation; variables: CreateTestTokenMutationVariables };
  "\n  query Work {\n    work {\n      kind\n      count\n      uatCount\n      amount\n      oldestAt\n    }\n  }\n": { data: WorkQuery; variables: WorkQueryVariables };
  "\n  subscription WorkChanged {\n    workChanged {\n      kind\n      count\n      uatCount\n      amount\n      oldestAt\n    }\n  }\n": { data: WorkChangedSubscription; variables: WorkChangedSubscriptionVariables };
}