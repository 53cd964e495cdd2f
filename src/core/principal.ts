import type { Environment } from './environment.js';
import type { Paise } from './money.js';
import type { Service } from './services.js';

/** UUIDs of version 7. */
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

/** What a client token opens: lookups of operators and plans, the catalogue of products, the state of one order. */
export const clientScopes = ['lookups', 'products', 'order'] as const;
export type ClientScope = (typeof clientScopes)[number];

/**
 * All client tokens of an account in one environment have so many times its limit of a minute: for their calls of an endpoint, and for
 * how many of them may live at once.
 */
export const CLIENTS_SHARE = 10;

/** The rights of a token that a server made for a browser or an app. */
export interface ClientGrant {
  scopes: ReadonlySet<ClientScope>;
  /** The one order that it may see. */
  orderId: string | undefined;
}

/** Who calls an API host, as the database says at this moment. Read anew for every request, never cached. */
export interface DeveloperPrincipal {
  kind: 'developer';
  environment: Environment;
  developerId: DeveloperId;
  /**
   * `user.id` of a token and of the current user (interface.md 2.2 and 2.3), an integer. Shown, and never taken for the id:
   * account numbers can be guessed.
   */
  accountNumber: number;
  /** Of the key that the token came from; null of a test token, which came from a session on the console. */
  clientId: string | null;
  name: string;
  email: string;
  onboardingStatus: OnboardingStatus;
  productionUnlocked: boolean;
  /** The account, or the key that the token came from. */
  suspended: boolean;
  services: ReadonlyMap<Service, ServiceGrant>;
  /** The white label's provider when there is a white label, else the developer's own; a name of `providers/registry.ts`. */
  rechargeProvider: string;
  rateLimitPerMinute: number | undefined;
  /** So many seconds a recharge without a key that repeats a performed one is refused; 0: it is performed. */
  duplicateGuardS: number;
  tokenHash: Buffer;
  /** In UAT: what some next call is to come to is set. It is rare, so that the others need no read for it. */
  hasScenarios: boolean;
  /** Set for a client token; who has none may do all that the account may. */
  client?: ClientGrant;
}

/** What the operator's own people may be. */
export const staffRoles = ['admin', 'finance', 'reviewer', 'support'] as const;
export type StaffRole = (typeof staffRoles)[number];

/** What a user of the console may be: one of the staff, or one of a developer's people, whose team role says the rest. */
export const roles = [...staffRoles, 'developer'] as const;
export type Role = (typeof roles)[number];

/** What a developer's people may be within their own account. */
export const teamRoles = ['owner', 'builder', 'finance', 'reader'] as const;
export type TeamRole = (typeof teamRoles)[number];

/** Who requests, decides and approves what moves money. */
export const moneyRoles: readonly Role[] = ['admin', 'finance'];
export const decidesMoney = (role: Role): boolean => moneyRoles.includes(role);

/** Who calls the console host. */
export interface SessionPrincipal {
  kind: 'session';
  userId: UserId;
  role: Role;
  /** Of a developer's user; undefined for staff. */
  teamRole: TeamRole | undefined;
  name: string;
  email: string;
  developerId: DeveloperId | undefined;
  /** The account of a developer's user is approved; false for staff. */
  isAccountApproved: boolean;
  sessionHash: Buffer;
  /** The user has a second factor, and showed it in this session then. */
  confirmedAt: Date | undefined;
  /** The user must have a second factor and has none: the session can do nothing but add one. */
  mustEnroll: boolean;
}

/** Minutes without a request after which a session of an account's user ends. Owners of the account choose within the range. */
export const DEFAULT_SESSION_IDLE_MINUTES = 120;
export const SESSION_IDLE_MINUTES = { min: 15, max: 12 * 60 } as const;

/** So long what needs a fresh second factor takes the one that was shown last. */
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

/** What somebody on the console may do follows from these. */
export type Rights = Pick<SessionPrincipal, 'role' | 'teamRole'>;

/** The fee of one call: always zero in UAT. */
export const feeOf = (principal: DeveloperPrincipal, service: Service): Paise =>
  principal.environment === 'uat' ? (0n as Paise) : (principal.services.get(service)?.feePaise ?? (0n as Paise));

/** Whether a caller belongs to an approved account. Anybody can create an account that is not approved. */
export const isOfApprovedAccount = (principal: Principal): boolean =>
  principal.kind === 'developer'
    ? principal.onboardingStatus === 'approved' && !principal.suspended
    : principal.isAccountApproved;

/**
 * Key of a caller for limits: the account, whose people and tokens count together. Client tokens of an account count apart, because
 * they run on devices of its customers. Each member of the staff is a caller.
 */
export function callerOf(principal: Principal): string {
  if (principal.kind === 'session' && principal.developerId === undefined) return `user:${principal.userId}`;
  const isClient = principal.kind === 'developer' && principal.client !== undefined;
  return `${isClient ? 'clients' : 'account'}:${principal.developerId}`;
}
