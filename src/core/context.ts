import type { Environment, Host } from './environment.js';
import { AppError, type FieldProblem } from './errors.js';
import type { Paise } from './money.js';
import {
  canManageMoney,
  type DeveloperId,
  type DeveloperPrincipal,
  isFactorStale,
  type Principal,
  type Rights,
  type SessionPrincipal,
} from './principal.js';
import type { RequestNotes } from './scope.js';
import type { Service } from './services.js';

/** Limit closest to exhaustion in a request, for the rate-limit headers. */
export interface RateState {
  endpoint: string;
  limit: number;
  remaining: number;
  resetMs: number;
  exceeded: boolean;
}

export interface CountedUse {
  state: RateState;
  resetAtMs: number;
}

export type SessionChange = { token: string; expiresAt: Date } | 'clear';

export interface Origin {
  readonly requestId: string;
  /** Key of limits per address: the address, or the network of one IPv6 subscriber; see addresses.ts. */
  readonly addressKey: string;
  /** User-Agent of the client. It is truncated and cannot be trusted. */
  readonly agent?: string | undefined;
}

/** State of a wallet at a given time. */
export interface WalletReading {
  balancePaise: Paise;
  /** Version of the wallet, which increases with every change. */
  version: number;
}

/** State of the caller's wallet in the response to a query, after all charges of the query. */
export interface ResponseWallet {
  /**
   * Returns the state.
   * @param read reads the wallet from the database if no call of the query has returned its state
   */
  state(read: () => Promise<WalletReading>): Promise<WalletReading>;
  /** Called when a call of the query has changed the wallet. */
  update(after: WalletReading): void;
  /**
   * Runs a charged call.
   * @param key response key of a root field; undefined for a call inside one
   */
  call(run: () => unknown, key?: string): Promise<unknown>;
}

/** Data of one HTTP request. */
export interface RequestContext extends Origin {
  readonly host: Host;
  readonly principal: Principal | undefined;
  /** Reason why the credentials were rejected; undefined if none were sent. */
  readonly refusal: AppError | undefined;
  /** Notes for the log line. Resolvers get a copy of the context that shares the same notes. */
  readonly notes?: RequestNotes;
  /** Called when the request only waits, so that it no longer counts as running and other requests are admitted. */
  readonly leaveAdmission?: () => void;
  /** Counts bytes that are held until the response is sent. */
  readonly hold?: (bytes: number) => void;
  /**
   * Called when the operation is known to be a query. Its memory then no longer counts as that of a charged call. Throws
   * OVERLOADED.
   */
  readonly leaveMoneyReserve?: () => void;
  /** URL of each host, for errors that contain the correct one. */
  readonly urls?: Readonly<Record<Host, string>>;
  /** Identifies the caller again, for a response that is sent much later than its request. */
  readonly reidentify?: () => Promise<Pick<RequestContext, 'principal' | 'refusal'>>;
  /** Whether a browser sent the request on behalf of a page of another site. */
  readonly isCrossOrigin?: boolean;
  /** Signal that is aborted when the caller has disconnected. */
  readonly disconnectSignal?: () => AbortSignal;
  rate?: RateState;
  /** Uses by counted unit. All fields of one selection are one use. */
  uses?: Map<unknown, CountedUse>;
  /** Rights that a sign-in mutation sets, so that the other fields of the same operation run with the rights of the new user. */
  signedIn?: Rights & { mustEnroll: boolean };
  /** Value of the Idempotency-Key header in a GraphQL request; bytes if it is not text. */
  headerKey?: string | Uint8Array | undefined;
  /** Ignored fields and headers of the request whose names are similar to the idempotency key. */
  likeKeys?: readonly string[];
  /** Earliest time, by the monotonic clock, at which the request can have reached this machine. */
  readonly arrivedMs: number;
  /** Time that the caller of a payment wants to wait for the outcome: `wait` in the Prefer header. */
  readonly preferredWaitMs?: number | undefined;
  /** Set for a query on an API host. */
  responseWallet?: ResponseWallet;
  /** Problems below root fields that can charge, by response key. They reject the root fields before these run. */
  nestedProblems?: ReadonlyMap<string, FieldProblem[]>;
  /** Whether the response is that of an earlier, identical request. */
  replayed?: boolean;
  /**
   * Sets or clears the session cookie of the response. It exists only on the console. It is a function because resolvers get a
   * copy of the context.
   */
  readonly setSession?: (change: SessionChange) => void;
}

/**
 * Returns whether the caller can see a record of a developer. API callers see records of their own account in the environment of
 * the token. On the console, staff see all records, and other users those of their own account.
 */
export function canSee(
  context: RequestContext,
  owner: { developerId: DeveloperId; environment: Environment },
): boolean {
  if (context.principal?.kind !== 'developer') return canSeeAccount(context, owner.developerId);
  return context.principal.developerId === owner.developerId && context.principal.environment === owner.environment;
}

/** Returns whether the caller has a client token, which is used on an end-user device. */
export const isClientToken = ({ principal }: Pick<RequestContext, 'principal'>): boolean =>
  principal?.kind === 'developer' && principal.client !== undefined;

/** Returns whether the caller can see an order. A client token sees only the order that it was created for. */
export function canSeeOrder(
  context: RequestContext,
  order: { id: string; developerId: DeveloperId; environment: Environment },
): boolean {
  const client = context.principal?.kind === 'developer' ? context.principal.client : undefined;
  return canSee(context, order) && (client === undefined || client.orderId === order.id);
}

/** Returns whether the caller can see an account in the console. Staff see all accounts, other users only their own. */
export const canSeeAccount = ({ principal }: RequestContext, developerId: DeveloperId): boolean =>
  principal?.kind === 'session' && (principal.role !== 'developer' || principal.developerId === developerId);

/**
 * Returns whether the caller sees only masked customer numbers. This applies to staff and to client tokens, which are used on
 * end-user devices.
 */
export const mustMaskNumbers = ({ principal }: RequestContext): boolean =>
  principal?.kind === 'session' ? principal.role !== 'developer' : isClientToken({ principal });

/**
 * Returns whether card numbers in idempotency keys are masked. Staff who resolve orders see full keys, other staff see masked
 * keys.
 */
export const mustMaskKeys = ({ principal }: RequestContext): boolean =>
  principal?.kind === 'session' && principal.role !== 'developer' && !canManageMoney(principal.role);

/** Returns the developer of an API call. The policy ensures that there is one. */
export function developerOf(context: RequestContext): DeveloperPrincipal {
  if (context.principal?.kind !== 'developer') throw context.refusal ?? new AppError('UNAUTHENTICATED');
  return context.principal;
}

/** Returns the error if the account cannot call an API host at this time. */
export function accountError(developer: DeveloperPrincipal): AppError | undefined {
  if (developer.suspended) return new AppError('SUSPENDED');
  if (developer.onboardingStatus !== 'approved') return new AppError('ONBOARDING_INCOMPLETE');
  if (developer.environment === 'production' && !developer.productionUnlocked) return new AppError('PRODUCTION_LOCKED');
  return undefined;
}

/** Returns the error if the account cannot use a service. */
export const serviceError = (developer: DeveloperPrincipal, service: Service): AppError | undefined =>
  developer.services.get(service)?.enabled
    ? undefined
    : new AppError('ACCESS_DISABLED', {
        message: `${service} is not enabled for this account.`,
        rejection: { service },
      });

/**
 * Checks the caller again before the response to a call that has waited, because an API key or token may have expired. Throws
 * UNAUTHENTICATED and the errors of `accountError` if the developer can no longer call the API.
 */
export async function recheckDeveloper(context: RequestContext): Promise<void> {
  if (!context.reidentify) return;
  const error = accountError(developerOf({ ...context, ...(await context.reidentify()) }));
  if (error) throw error;
}

/** Returns the signed-in user of a console call. The policy ensures that there is one. */
export function sessionOf(context: RequestContext): SessionPrincipal {
  if (context.principal?.kind !== 'session') throw context.refusal ?? new AppError('UNAUTHENTICATED');
  return context.principal;
}

/** Requires a recently verified second factor. Throws STEP_UP_REQUIRED. */
export function requireFreshFactor(session: Pick<SessionPrincipal, 'confirmedAt'>): void {
  if (isFactorStale(session)) throw new AppError('STEP_UP_REQUIRED');
}

/**
 * Works like `recheckDeveloper`, but for the console. Throws UNAUTHENTICATED if the session has ended, or FORBIDDEN if the
 * role of the user has changed.
 */
export async function recheckSession(context: RequestContext): Promise<void> {
  if (!context.reidentify) return;
  const [previous, current] = [sessionOf(context), sessionOf({ ...context, ...(await context.reidentify()) })];
  if (current.role !== previous.role || current.teamRole !== previous.teamRole) throw new AppError('FORBIDDEN');
}

/** Returns the account of the signed-in developer. Throws FORBIDDEN for users without an account. */
export function ownAccountOf(context: RequestContext): DeveloperId {
  const { developerId } = sessionOf(context);
  if (developerId === undefined) throw new AppError('FORBIDDEN');
  return developerId;
}
