import type { Host } from './environment.js';
import { AppError } from './errors.js';
import type { DeveloperPrincipal, Principal, SessionPrincipal } from './principal.js';

/** The tightest limit that a request touched, for the rate-limit headers. */
export interface RateState {
  endpoint: string;
  limit: number;
  remaining: number;
  resetMs: number;
  exceeded: boolean;
}

export type SessionChange = { token: string; expiresAt: Date } | 'clear';

/** Where a request came from. */
export interface Origin {
  readonly requestId: string;
  /** What limits per address count by: the address, or the network that one IPv6 subscriber has; see client-address.ts. */
  readonly addressKey: string;
}

/** What a request knows about itself. One per HTTP request. */
export interface RequestContext extends Origin {
  readonly host: Host;
  readonly principal: Principal | undefined;
  /** Why there is no principal although credentials were sent. */
  readonly refusal: AppError | undefined;
  rate?: RateState;
  /** The answer is that of an earlier, equal request. */
  replayed?: boolean;
  /** Sets or clears the session cookie of the answer; where there is one, on the console. A function, because resolvers get a copy of the context. */
  readonly setSession?: (change: SessionChange) => void;
}

/** The developer of an API call. The policy has made sure that there is one. */
export function developerOf(context: RequestContext): DeveloperPrincipal {
  if (context.principal?.kind !== 'developer') throw context.refusal ?? new AppError('UNAUTHENTICATED');
  return context.principal;
}

/** The signed-in user of a console call. The policy has made sure that there is one. */
export function sessionOf(context: RequestContext): SessionPrincipal {
  if (context.principal?.kind !== 'session') throw context.refusal ?? new AppError('UNAUTHENTICATED');
  return context.principal;
}
