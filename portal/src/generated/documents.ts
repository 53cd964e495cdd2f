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

/** A new key. */
export type CreateCredentialInput = {
  /** Where it works. */
  environment: Environment;
  /** Free label. */
  label?: string | null | undefined;
};

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

/** A service that is to be enabled. */
export type ServiceGrantInput = {
  /** Fee per call in rupees; 0 when left out. UAT never has a fee. */
  fee?: number | null | undefined;
  /** The service. */
  service: Service;
};

/** Access of one developer to one service. */
export type SetServiceAccessInput = {
  /** Id of the developer. */
  developerId: string;
  /** Felt on the next request. */
  enabled: boolean;
  /** Fee per call in rupees; left out, it stays as it is. */
  fee?: number | null | undefined;
  /** The service. */
  service: Service;
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

/** Confirms an e-mail address. */
export type VerifyEmailInput = {
  /** The password that was chosen in that sign-up. */
  password: string;
  /** From the mailed link; good for 24 hours. */
  token: string;
};

export type SignedInQueryVariables = Exact<{ [key: string]: never; }>;


export type SignedInQuery = { viewer: { user: { id: string, name: string, email: string, role: Role }, developer: { id: string, name: string, onboardingStatus: OnboardingStatus, productionUnlocked: boolean } | null } | null };

export type SignOutMutationVariables = Exact<{ [key: string]: never; }>;


export type SignOutMutation = { signOut: { signedOut: boolean } | null };

export type AccessQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
  filter?: DeveloperFilter | null | undefined;
}>;


export type AccessQuery = { developers: { pageInfo: { startCursor: string | null, endCursor: string | null, hasNextPage: boolean, hasPreviousPage: boolean }, edges: Array<{ node: { id: string, name: string, services: Array<{ service: Service, enabled: boolean, fee: number }> | null } }> } | null };

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

export type DeveloperQueryVariables = Exact<{
  id: string;
  money: boolean;
}>;


export type DeveloperQuery = { developer: { id: string, name: string, email: string, createdAt: string, approvedAt: string | null, onboardingStatus: OnboardingStatus, productionUnlocked: boolean, suspendedAt: string | null, suspensionReason: string | null, rejectionReason: string | null, rechargeProvider: RechargeProvider, rateLimitPerMinute: number | null, whiteLabel: { id: string, name: string } | null, wallets?: Array<{ id: string, environment: Environment, balance: number, held: number | null }> | null, credentials?: Array<{ id: string, clientId: string, environment: Environment, label: string | null, revokedAt: string | null, lastUsedAt: string | null }> | null, users: Array<{ id: string, name: string, email: string }> | null, services: Array<{ service: Service, enabled: boolean, fee: number }> | null } | null };

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


export type OwnServicesQuery = { viewer: { developer: { id: string, services: Array<{ service: Service, enabled: boolean, fee: number }> | null } | null } | null };

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

export type SetAccessMutationVariables = Exact<{
  input: SetServiceAccessInput;
}>;


export type SetAccessMutation = { setServiceAccess: { proposal: { id: string } | null, developer: { id: string, services: Array<{ service: Service, enabled: boolean, fee: number }> | null } } | null };

export type SearchQueryVariables = Exact<{
  text: string;
}>;


export type SearchQuery = { search: Array<{ title: string, detail: string, matched: string, node:
      | { id: string, kind: 'Account' }
      | { id: string, kind: 'AuditEntry' }
      | { id: string, kind: 'ClientToken' }
      | { id: string, kind: 'Credential' }
      | { id: string, kind: 'Developer' }
      | { id: string, kind: 'KycDocument' }
      | { id: string, kind: 'KycSubmission' }
      | { id: string, kind: 'Lead' }
      | { id: string, kind: 'Note' }
      | { id: string, kind: 'Operator' }
      | { status: OrderStatus, amount: number, environment: Environment, id: string, kind: 'Order' }
      | { id: string, kind: 'Product' }
      | { id: string, kind: 'ProductCategory' }
      | { id: string, kind: 'Proposal' }
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

export type ShowFactorAgainMutationVariables = Exact<{
  input: ConfirmSecondFactorInput;
}>;


export type ShowFactorAgainMutation = { confirmSecondFactor: { confirmedUntil: string } | null };

export type PasskeyToConfirmMutationVariables = Exact<{ [key: string]: never; }>;


export type PasskeyToConfirmMutation = { startPasskeySignIn: { options: string } | null };

export interface Documents {
  "\n  query SignedIn {\n    viewer {\n      user {\n        id\n        name\n        email\n        role\n      }\n      developer {\n        id\n        name\n        onboardingStatus\n        productionUnlocked\n      }\n    }\n  }\n": { data: SignedInQuery; variables: SignedInQueryVariables };
  "\n  mutation SignOut {\n    signOut {\n      signedOut\n    }\n  }\n": { data: SignOutMutation; variables: SignOutMutationVariables };
  "\n  query Access($first: Int, $after: String, $last: Int, $before: String, $filter: DeveloperFilter) {\n    developers(first: $first, after: $after, last: $last, before: $before, filter: $filter, sort: NAME_ASC) {\n      pageInfo {\n        startCursor\n        endCursor\n        hasNextPage\n        hasPreviousPage\n      }\n      edges {\n        node {\n          id\n          name\n          services {\n            service\n            enabled\n            fee\n          }\n        }\n      }\n    }\n  }\n": { data: AccessQuery; variables: AccessQueryVariables };
  "\n  mutation StartTotp($input: StartTotpInput!) {\n    startTotp(input: $input) {\n      secret\n      uri\n    }\n  }\n": { data: StartTotpMutation; variables: StartTotpMutationVariables };
  "\n  mutation ConfirmTotp($input: ConfirmTotpInput!) {\n    confirmTotp(input: $input) {\n      recoveryCodes\n    }\n  }\n": { data: ConfirmTotpMutation; variables: ConfirmTotpMutationVariables };
  "\n  mutation StartPasskey($input: StartPasskeyInput!) {\n    startPasskey(input: $input) {\n      options\n    }\n  }\n": { data: StartPasskeyMutation; variables: StartPasskeyMutationVariables };
  "\n  mutation ConfirmPasskey($input: ConfirmPasskeyInput!) {\n    confirmPasskey(input: $input) {\n      recoveryCodes\n    }\n  }\n": { data: ConfirmPasskeyMutation; variables: ConfirmPasskeyMutationVariables };
  "\n  query Developer($id: ID!, $money: Boolean!) {\n    developer(id: $id) {\n      id\n      name\n      email\n      createdAt\n      approvedAt\n      onboardingStatus\n      productionUnlocked\n      suspendedAt\n      suspensionReason\n      rejectionReason\n      rechargeProvider\n      rateLimitPerMinute\n      whiteLabel {\n        id\n        name\n      }\n      wallets @include(if: $money) {\n        id\n        environment\n        balance\n        held\n      }\n      credentials @include(if: $money) {\n        id\n        clientId\n        environment\n        label\n        revokedAt\n        lastUsedAt\n      }\n      users {\n        id\n        name\n        email\n      }\n      services {\n        service\n        enabled\n        fee\n      }\n    }\n  }\n": { data: DeveloperQuery; variables: DeveloperQueryVariables };
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
  "\n  query Security {\n    viewer {\n      user {\n        id\n        secondFactors {\n          id\n          kind\n          name\n          addedAt\n          lastUsedAt\n        }\n      }\n      sessions {\n        id\n        lastSeenAt\n        address\n        agent\n        current\n      }\n    }\n  }\n": { data: SecurityQuery; variables: SecurityQueryVariables };
  "\n  mutation RemoveFactor($input: RemoveSecondFactorInput!) {\n    removeSecondFactor(input: $input) {\n      viewer {\n        user {\n          id\n          secondFactors {\n            id\n            kind\n            name\n            addedAt\n            lastUsedAt\n          }\n        }\n      }\n    }\n  }\n": { data: RemoveFactorMutation; variables: RemoveFactorMutationVariables };
  "\n  mutation NewRecoveryCodes($input: ConfirmSecondFactorInput!) {\n    confirmSecondFactor(input: $input) {\n      recoveryCodes\n    }\n  }\n": { data: NewRecoveryCodesMutation; variables: NewRecoveryCodesMutationVariables };
  "\n  mutation EndSession($input: EndSessionInput!) {\n    endSession(input: $input) {\n      endedSessions\n    }\n  }\n": { data: EndSessionMutation; variables: EndSessionMutationVariables };
  "\n  mutation EndOthers {\n    endSessions(input: { which: OTHERS }) {\n      endedSessions\n    }\n  }\n": { data: EndOthersMutation; variables: EndOthersMutationVariables };
  "\n  mutation ChangePassword($input: ChangePasswordInput!) {\n    changePassword(input: $input) {\n      endedSessions\n    }\n  }\n": { data: ChangePasswordMutation; variables: ChangePasswordMutationVariables };
  "\n  query OwnServices {\n    viewer {\n      developer {\n        id\n        services {\n          service\n          enabled\n          fee\n        }\n      }\n    }\n  }\n": { data: OwnServicesQuery; variables: OwnServicesQueryVariables };
  "\n  mutation SignIn($input: SignInInput!) {\n    signIn(input: $input) {\n      mustEnrol\n    }\n  }\n": { data: SignInMutation; variables: SignInMutationVariables };
  "\n  mutation PasskeyToSignIn {\n    startPasskeySignIn(input: { use: SIGN_IN }) {\n      options\n    }\n  }\n": { data: PasskeyToSignInMutation; variables: PasskeyToSignInMutationVariables };
  "\n  mutation SignUp($input: SignUpInput!) {\n    signUp(input: $input) {\n      accepted\n    }\n  }\n": { data: SignUpMutation; variables: SignUpMutationVariables };
  "\n  mutation Forgot($input: RequestPasswordResetInput!) {\n    requestPasswordReset(input: $input) {\n      accepted\n    }\n  }\n": { data: ForgotMutation; variables: ForgotMutationVariables };
  "\n  mutation SetAccess($input: SetServiceAccessInput!) {\n    setServiceAccess(input: $input) {\n      proposal {\n        id\n      }\n      developer {\n        id\n        services {\n          service\n          enabled\n          fee\n        }\n      }\n    }\n  }\n": { data: SetAccessMutation; variables: SetAccessMutationVariables };
  "\n  query Search($text: String!) {\n    search(text: $text) {\n      title\n      detail\n      matched\n      node {\n        kind: __typename\n        id\n        ... on User {\n          developer {\n            id\n            name\n          }\n        }\n        ... on Order {\n          status\n          amount\n          environment\n        }\n      }\n    }\n  }\n": { data: SearchQuery; variables: SearchQueryVariables };
  "\n  query FindOrder($reference: String!) {\n    orders(first: 5, filter: { reference: $reference }) {\n      edges {\n        node {\n          id\n          apiRequestId\n          status\n          amount\n          environment\n        }\n      }\n    }\n  }\n": { data: FindOrderQuery; variables: FindOrderQueryVariables };
  "\n  mutation ShowFactorAgain($input: ConfirmSecondFactorInput!) {\n    confirmSecondFactor(input: $input) {\n      confirmedUntil\n    }\n  }\n": { data: ShowFactorAgainMutation; variables: ShowFactorAgainMutationVariables };
  "\n  mutation PasskeyToConfirm {\n    startPasskeySignIn(input: { use: CONFIRM }) {\n      options\n    }\n  }\n": { data: PasskeyToConfirmMutation; variables: PasskeyToConfirmMutationVariables };
}