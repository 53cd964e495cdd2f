import { actorOf } from '../accounts/acting-user.js';
import type { Actor } from '../audit/audit.service.js';
import { type RequestContext, sessionOf } from '../core/context.js';
import { AppError } from '../core/errors.js';
import type { Owner } from './webhook-endpoint.store.js';

export interface WebhookCaller {
  /** Whose endpoints they reach. */
  owner: Owner;
  /** Who they are in the audit trail. */
  by: Actor;
}

/**
 * Who reads or changes webhooks. A token reaches the endpoints of its account in its environment; on the console developers reach
 * their own of both, the operator's people everybody's. Errors: UNAUTHENTICATED, FORBIDDEN.
 */
export function callerOf(context: RequestContext): WebhookCaller {
  const { principal, requestId } = context;
  if (principal?.kind === 'developer') {
    const { developerId, environment } = principal;
    return { owner: { developerId, environment }, by: { actor: `token:${developerId}`, requestId } };
  }
  const { role, developerId } = sessionOf(context);
  if (role !== 'developer') return { owner: undefined, by: actorOf(context) };
  if (developerId === undefined) throw new AppError('FORBIDDEN');
  return { owner: { developerId }, by: actorOf(context) };
}
