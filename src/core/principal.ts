import type { Environment } from './environment.js';
import type { Paise } from './money.js';
import type { Service } from './services.js';

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
 * Multiplier of the account limit for all client tokens of an account in one environment together. It applies to their calls per
 * minute and endpoint, and to the number of valid client tokens.
 */
export const CLIENTS_SHARE = 10;

/** Rights of a token that a server created for a browser or an app. */
export interface ClientGrant {
  scopes: ReadonlySet<ClientScope>;
  /** The only order that the token can read. */
  orderId: string | undefined;
}

/** Caller of an API host. It is read from the database for every request and never cached. */
export interface DeveloperPrincipal {
  kind: 'developer';
  environment: Environment;
  developerId: DeveloperId;
  /**
   * `user.id` of a token and of the current user (interface.md 2.2 and 2.3), an integer. It is only displayed and never
   * identifies an account, because account numbers can be guessed.
   */
  accountNumber: number;
  /** Client ID of the API key that issued the token; null for a test token, which is created in a console session. */
  clientId: string | null;
  name: string;
  email: string;
  onboardingStatus: OnboardingStatus;
  productionUnlocked: boolean;
  /** Whether the account, or the API key of the token, is suspended. */
  suspended: boolean;
  services: ReadonlyMap<Service, ServiceGrant>;
  /** Provider of the white label if there is one, otherwise that of the developer. A name in `providers/registry.ts`. */
  rechargeProvider: string;
  rateLimitPerMinute: number | undefined;
  /**
   * Seconds during which a recharge without an idempotency key is rejected if it repeats a successful one. 0 disables the check.
   */
  duplicateGuardS: number;
  tokenHash: Buffer;
  /** Whether a scenario is set for a future call; UAT only. Scenarios are rare, so other calls avoid a read. */
  hasScenarios: boolean;
  /** Set for a client token. If undefined, the caller has all rights of the account. */
  client?: ClientGrant;
}

/** Roles of staff. */
export const staffRoles = ['admin', 'finance', 'reviewer', 'support'] as const;
export type StaffRole = (typeof staffRoles)[number];

/** Roles of users of the console: a staff role, or `developer`, for which the team role determines the rights. */
export const roles = [...staffRoles, 'developer'] as const;
export type Role = (typeof roles)[number];

/** Roles of users within a developer account. */
export const teamRoles = ['owner', 'builder', 'finance', 'reader'] as const;
export type TeamRole = (typeof teamRoles)[number];

/** Roles that request, resolve and approve movements of money. */
export const moneyRoles: readonly Role[] = ['admin', 'finance'];
export const canManageMoney = (role: Role): boolean => moneyRoles.includes(role);

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
  /** Time the user verified the second factor in this session. It is undefined if the user has none. */
  confirmedAt: Date | undefined;
  /** Whether the session can only be used to add a second factor, because the user must have one and has none. */
  mustEnroll: boolean;
}

/**
 * Minutes without a request after which a session of an account user ends. Owners of the account can set a value in this range.
 */
export const DEFAULT_SESSION_IDLE_MINUTES = 120;
export const SESSION_IDLE_MINUTES = { min: 15, max: 12 * 60 } as const;

/** Time for which a verification of a second factor satisfies step-up verification. */
export const STEP_UP_MS = 5 * 60_000;

/** Cases in which a field requires a recently verified second factor. The service that can determine the case checks it. */
export const stepUpCases = {
  fee: 'a fee changes',
  provider: 'the recharge provider of the account changes',
  email: 'the email address changes',
} as const;
export type StepUpCase = keyof typeof stepUpCases;

/** Returns whether the second factor was verified too long ago. The result is false for a user without a second factor. */
export const isFactorStale = ({ confirmedAt }: Pick<SessionPrincipal, 'confirmedAt'>): boolean =>
  confirmedAt !== undefined && Date.now() - confirmedAt.getTime() > STEP_UP_MS;

export type Principal = DeveloperPrincipal | SessionPrincipal;

/** Values that determine the rights of a console user. */
export type Rights = Pick<SessionPrincipal, 'role' | 'teamRole'>;

/** Returns the fee of one call. It is always zero in UAT. */
export const feeOf = (principal: DeveloperPrincipal, service: Service): Paise =>
  principal.environment === 'uat' ? (0n as Paise) : (principal.services.get(service)?.feePaise ?? (0n as Paise));

/** Returns whether a caller belongs to an approved account. Anyone can create an account that is not approved. */
export const isOfApprovedAccount = (principal: Principal): boolean =>
  principal.kind === 'developer'
    ? principal.onboardingStatus === 'approved' && !principal.suspended
    : principal.isAccountApproved;

/**
 * Returns the key of a caller for limits. All users and tokens of an account share one key. Client tokens of an account have a
 * separate key, because they are used on end-user devices. Each staff member has a separate key.
 */
export function callerOf(principal: Principal): string {
  if (principal.kind === 'session' && principal.developerId === undefined) return `user:${principal.userId}`;
  const isClient = principal.kind === 'developer' && principal.client !== undefined;
  return `${isClient ? 'clients' : 'account'}:${principal.developerId}`;
}
