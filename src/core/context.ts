import type { Environment, Host } from './environment.js';
import { AppError, type FieldProblem } from './errors.js';
import type { Paise } from './money.js';
import {
  type DeveloperId,
  type DeveloperPrincipal,
  decidesMoney,
  isFactorStale,
  type Principal,
  type Rights,
  type SessionPrincipal,
} from './principal.js';
import type { RequestNotes } from './scope.js';
import type { Service } from './services.js';

/** The tightest limit that a request touched, for the rate-limit headers. */
export interface RateState {
  endpoint: string;
  limit: number;
  remaining: number;
  resetMs: number;
  exceeded: boolean;
}

/** A use of an endpoint, with its limit at that time. */
export interface CountedUse {
  state: RateState;
  resetAtMs: number;
}

export type SessionChange = { token: string; expiresAt: Date } | 'clear';

/** Where a request came from. */
export interface Origin {
  readonly requestId: string;
  /** What limits per address count by: the address, or the network that one IPv6 subscriber has; see addresses.ts. */
  readonly addressKey: string;
  /** What the program says of itself: its User-Agent. Anybody's text, cut off. */
  readonly agent?: string | undefined;
}

/** A wallet at one instant. */
export interface WalletReading {
  balancePaise: Paise;
  /** Grows with every change. */
  version: number;
}

/** The one state of the caller's wallet that the answer to a query shows: that after all its charges. */
export interface ShownWallet {
  /** @param read from the database, where no call of the query says it */
  state(read: () => Promise<WalletReading>): Promise<WalletReading>;
  /** A call of the query changed the wallet. */
  charged(after: WalletReading): void;
  /** Runs a call that has a fee. @param key of a root field; undefined of a call inside one */
  call(run: () => unknown, key?: string): Promise<unknown>;
}

/** What a request knows about itself. One per HTTP request. */
export interface RequestContext extends Origin {
  readonly host: Host;
  readonly principal: Principal | undefined;
  /** Why there is no principal although credentials were sent. */
  readonly refusal: AppError | undefined;
  /** For its log line; resolvers get a copy of the context, and the same notes. */
  readonly notes?: RequestNotes;
  /** The request waits for something that takes none of the service's work: it makes room for others. */
  readonly leaveAdmission?: () => void;
  /** Counts bytes that are held until the request is answered. */
  readonly hold?: (bytes: number) => void;
  /** The operation is a query: from now on its memory does not count as that of a money call. Errors: OVERLOADED. */
  readonly leaveMoneyReserve?: () => void;
  /** Where each host is, for refusals that name the right one. */
  readonly urls?: Readonly<Record<Host, string>>;
  /** Who the caller is now: for an answer that comes later than it was asked for. */
  readonly identifyAgain?: () => Promise<Pick<RequestContext, 'principal' | 'refusal'>>;
  /** A browser sent it on behalf of a page of another site. */
  readonly isCrossOrigin?: boolean;
  /** The caller has gone away. */
  readonly gone?: () => AbortSignal;
  rate?: RateState;
  /** By what was counted: the fields of one selection are one use. */
  uses?: Map<unknown, CountedUse>;
  /** Of who has signed in by this very operation: they read the answer as if they had been before. */
  signedIn?: Rights & { mustEnroll: boolean };
  /** What the header Idempotency-Key of a GraphQL request says; bytes where they are no text. */
  headerKey?: string | Uint8Array | undefined;
  /** Ignored fields and headers of the request whose names resemble the key. */
  likeKeys?: readonly string[];
  /** Earliest instant of the monotonic clock at which the request can have reached this machine. */
  readonly arrivedMs: number;
  /** How long the caller of a payment wants to wait for its outcome: `wait` of the header Prefer. */
  readonly preferredWaitMs?: number | undefined;
  /** Of a query on an API host. */
  shownWallet?: ShownWallet;
  /** What is wrong below root fields that may charge, by their keys: they are refused for it before they run. */
  wrongBelow?: ReadonlyMap<string, FieldProblem[]>;
  /** The answer is that of an earlier, equal request. */
  replayed?: boolean;
  /** Sets or clears the session cookie of the answer; where there is one, on the console. A function, because resolvers get a copy of the context. */
  readonly setSession?: (change: SessionChange) => void;
}

/**
 * Whether a record of a developer is the caller's to see: on the API one's own of the token's environment; on the console any for
 * staff, and one's own for a developer's user.
 */
export function canSee(
  context: RequestContext,
  owner: { developerId: DeveloperId; environment: Environment },
): boolean {
  if (context.principal?.kind !== 'developer') return canSeeAccount(context, owner.developerId);
  return context.principal.developerId === owner.developerId && context.principal.environment === owner.environment;
}

/** Whether the caller has a client token, which runs on a customer's device. */
export const isClientToken = ({ principal }: Pick<RequestContext, 'principal'>): boolean =>
  principal?.kind === 'developer' && principal.client !== undefined;

/** Whether an order is the caller's to see: a client token sees the one that it was made for. */
export function canSeeOrder(
  context: RequestContext,
  order: { id: string; developerId: DeveloperId; environment: Environment },
): boolean {
  const client = context.principal?.kind === 'developer' ? context.principal.client : undefined;
  return canSee(context, order) && (client === undefined || client.orderId === order.id);
}

/** Whether an account is the caller's to see on the console: any for staff, one's own for a developer's user. */
export const canSeeAccount = ({ principal }: RequestContext, developerId: DeveloperId): boolean =>
  principal?.kind === 'session' && (principal.role !== 'developer' || principal.developerId === developerId);

/** Staff see no whole number of a customer, and no more does what runs on a customer's device. */
export const seesMasked = ({ principal }: RequestContext): boolean =>
  principal?.kind === 'session' ? principal.role !== 'developer' : isClientToken({ principal });

/** Staff who resolve orders see the keys of clients whole; the others see no card number in them. */
export const seesMaskedKeys = ({ principal }: RequestContext): boolean =>
  principal?.kind === 'session' && principal.role !== 'developer' && !decidesMoney(principal.role);

/** The developer of an API call. The policy has made sure that there is one. */
export function developerOf(context: RequestContext): DeveloperPrincipal {
  if (context.principal?.kind !== 'developer') throw context.refusal ?? new AppError('UNAUTHENTICATED');
  return context.principal;
}

/** Why an account may call nothing of an API host for now. */
export function standingRefusal(developer: DeveloperPrincipal): AppError | undefined {
  if (developer.suspended) return new AppError('SUSPENDED');
  if (developer.onboardingStatus !== 'approved') return new AppError('ONBOARDING_INCOMPLETE');
  if (developer.environment === 'production' && !developer.productionUnlocked) return new AppError('PRODUCTION_LOCKED');
  return undefined;
}

/** Why an account may not use a service. */
export const serviceRefusal = (developer: DeveloperPrincipal, service: Service): AppError | undefined =>
  developer.services.get(service)?.enabled
    ? undefined
    : new AppError('ACCESS_DISABLED', {
        message: `${service} is not enabled for this account.`,
        rejection: { service },
      });

/**
 * Before the answer of a call that has waited: a key or token may have ended meanwhile. Errors: UNAUTHENTICATED, and those of
 * `standingRefusal`, when the developer may not call any more.
 */
export async function requireDeveloperStill(context: RequestContext): Promise<void> {
  if (!context.identifyAgain) return;
  const refusal = standingRefusal(developerOf({ ...context, ...(await context.identifyAgain()) }));
  if (refusal) throw refusal;
}

/** The signed-in user of a console call. The policy has made sure that there is one. */
export function sessionOf(context: RequestContext): SessionPrincipal {
  if (context.principal?.kind !== 'session') throw context.refusal ?? new AppError('UNAUTHENTICATED');
  return context.principal;
}

/** Errors: STEP_UP_REQUIRED. */
export function requireFreshFactor(session: Pick<SessionPrincipal, 'confirmedAt'>): void {
  if (isFactorStale(session)) throw new AppError('STEP_UP_REQUIRED');
}

/** As `requireDeveloperStill`, on the console. Errors: UNAUTHENTICATED when the session has ended, FORBIDDEN when its user has another role. */
export async function requireSessionStill(context: RequestContext): Promise<void> {
  if (!context.identifyAgain) return;
  const [before, now] = [sessionOf(context), sessionOf({ ...context, ...(await context.identifyAgain()) })];
  if (now.role !== before.role || now.teamRole !== before.teamRole) throw new AppError('FORBIDDEN');
}

/** The account of the signed-in developer. Errors: FORBIDDEN for anybody without one. */
export function ownAccountOf(context: RequestContext): DeveloperId {
  const { developerId } = sessionOf(context);
  if (developerId === undefined) throw new AppError('FORBIDDEN');
  return developerId;
}
