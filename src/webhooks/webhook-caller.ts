import { actorOf } from '../accounts/account.changes.js';
import type { Doer } from '../accounts/account.mails.js';
import { type RequestContext, sessionOf } from '../core/context.js';
import { AppError } from '../core/errors.js';
import type { Owner } from './webhook-endpoint.store.js';

export interface WebhookCaller extends Doer {
  /** Whose endpoints they reach. */
  owner: Owner;
}

/**
 * Who reads or changes webhooks. A token reaches the endpoints of its account in its environment; on the console developers reach
 * their own of both, the operator's people everybody's. Errors: UNAUTHENTICATED, FORBIDDEN.
 */
export function callerOf(context: RequestContext): WebhookCaller {
  const { principal, requestId, addressKey: address } = context;
  if (principal?.kind === 'developer') {
    const { developerId, environment, clientId } = principal;
    const by = { actor: `token:${developerId}`, requestId, address };
    return { owner: { developerId, environment }, by, clientId };
  }
  const { role, developerId } = sessionOf(context);
  const person = { by: actorOf(context), clientId: null };
  if (role !== 'developer') return { owner: undefined, ...person };
  if (developerId === undefined) throw new AppError('FORBIDDEN');
  return { owner: { developerId }, ...person };
}
