import type { Environment } from './environment.js';
import type { Paise } from './money.js';
import type { Service } from './services.js';

/** Version 7 UUIDs. */
export type DeveloperId = string & { readonly __brand: 'DeveloperId' };
export type UserId = string & { readonly __brand: 'UserId' };

export const onboardingStatuses = [
  'registered',
  'email_verified',
  'kyc_submitted',
  'kyc_changes_requested',
  'approved',
  'rejected',
] as const;
export type OnboardingStatus = (typeof onboardingStatuses)[number];

export interface ServiceGrant {
  enabled: boolean;
  feePaise: Paise;
}

/** Scopes of a client token: lookups of operators and plans, the product catalog, the status of one order. */
export const clientScopes = ['lookups', 'products', 'order'] as const;
export type ClientScope = (typeof clientScopes)[number];

/**
 * Factor of the account's limit per minute that all client tokens of an account in one environment share: for their calls to an
 * endpoint, and for the number of valid client tokens.
 */
export const CLIENTS_SHARE = 10;

/** The rights of a token that a server created for a browser or an app. */
export interface ClientGrant {
  scopes: ReadonlySet<ClientScope>;
  /** The only order that the token can read. */
  orderId: string | undefined;
}

/** The caller of an API host, read from the database for every request and never cached. */
export interface DeveloperPrincipal {
  kind: 'developer';
  environment: Environment;
  developerId: DeveloperId;
  /**
   * `user.id` of a token and of the current user (interface.md 2.2 and 2.3), an integer. Only shown and never used as an
   * identifier, because account numbers can be guessed.
   */
  accountNumber: number;
  /** Client ID of the API key of the token; null for a test token, which was created in a session on the console. */
  clientId: string | null;
  name: string;
  email: string;
  onboardingStatus: OnboardingStatus;
  productionUnlocked: boolean;
  /** Whether the account, or the API key of the token, is suspended. */
  suspended: boolean;
  services: ReadonlyMap<Service, ServiceGrant>;
  /** The provider of the white label if there is one, otherwise that of the developer; a name of `providers/registry.ts`. */
  rechargeProvider: string;
  rateLimitPerMinute: number | undefined;
  /**
   * Number of seconds for which a recharge without an idempotency key that repeats a successful one is rejected; 0: it is
   * processed.
   */
  duplicateGuardS: number;
  tokenHash: Buffer;
  /** UAT only: whether a scenario is set for a future call. Scenarios are rare, so other calls avoid a read. */
  hasScenarios: boolean;
  /** Set for a client token. Without it, the caller has all rights of the account. */
  client?: ClientGrant;
}

/** Roles of staff. */
export const staffRoles = ['admin', 'finance', 'reviewer', 'support'] as const;
export type StaffRole = (typeof staffRoles)[number];

/** Roles of users of the console: a staff role, or `developer`, for which the team role determines the rights. */
export const roles = [...staffRoles, 'developer'] as const;
export type Role = (typeof roles)[number];

/** Roles of users within the account of a developer. */
export const teamRoles = ['owner', 'builder', 'finance', 'reader'] as const;
export type TeamRole = (typeof teamRoles)[number];

/** Roles that request, resolve and approve movements of money. */
export const moneyRoles: readonly Role[] = ['admin', 'finance'];
export const decidesMoney = (role: Role): boolean => moneyRoles.includes(role);

/** The caller of the console host. */
export interface SessionPrincipal {
  kind: 'session';
  userId: UserId;
  role: Role;
  /** Set for users of a developer account; undefined for staff. */
  teamRole: TeamRole | undefined;
  name: string;
  email: string;
  developerId: DeveloperId | undefined;
  /** Whether the account of the user is approved; false for staff. */
  isAccountApproved: boolean;
  sessionHash: Buffer;
  /** Time the user verified the second factor in this session. Undefined for a user without one. */
  confirmedAt: Date | undefined;
  /** The user must have a second factor and has none: the session can only add one. */
  mustEnroll: boolean;
}

/**
 * Minutes without a request after which a session of a user of an account ends. Owners of the account can set a value in the
 * range.
 */
export const DEFAULT_SESSION_IDLE_MINUTES = 120;
export const SESSION_IDLE_MINUTES = { min: 15, max: 12 * 60 } as const;

/** Time for which a verification of a second factor satisfies step-up verification. */
export const STEP_UP_MS = 5 * 60_000;

/** Cases in which a field requires a fresh second factor. The service that knows the case checks it. */
export const stepUpCases = {
  fee: 'a fee changes',
  provider: 'the recharge provider of the account changes',
  email: 'the email address changes',
} as const;
export type StepUpCase = keyof typeof stepUpCases;

/** Whether the second factor was verified too long ago; false for a user without one. */
export const isFactorStale = ({ confirmedAt }: Pick<SessionPrincipal, 'confirmedAt'>): boolean =>
  confirmedAt !== undefined && Date.now() - confirmedAt.getTime() > STEP_UP_MS;

export type Principal = DeveloperPrincipal | SessionPrincipal;

/** The data that determine the rights of a user of the console. */
export type Rights = Pick<SessionPrincipal, 'role' | 'teamRole'>;

/** The fee of one call: always zero in UAT. */
export const feeOf = (principal: DeveloperPrincipal, service: Service): Paise =>
  principal.environment === 'uat' ? (0n as Paise) : (principal.services.get(service)?.feePaise ?? (0n as Paise));

/** Whether a caller belongs to an approved account. Anyone can create an account that is not approved. */
export const isOfApprovedAccount = (principal: Principal): boolean =>
  principal.kind === 'developer'
    ? principal.onboardingStatus === 'approved' && !principal.suspended
    : principal.isAccountApproved;

/**
 * Key of a caller for limits: the account, whose users and tokens count together. Client tokens of an account count separately,
 * because they are used on devices of its customers. Each staff member is a caller.
 */
export function callerOf(principal: Principal): string {
  if (principal.kind === 'session' && principal.developerId === undefined) return `user:${principal.userId}`;
  const isClient = principal.kind === 'developer' && principal.client !== undefined;
  return `${isClient ? 'clients' : 'account'}:${principal.developerId}`;
}
