import { actorOf } from '../accounts/account.changes.js';
import type { Doer } from '../accounts/account.mails.js';
import { type RequestContext, sessionOf } from '../core/context.js';
import { AppError } from '../core/errors.js';
import type { Owner } from './webhook-endpoint.store.js';

export interface WebhookCaller extends Doer {
  /** Owner of the endpoints that the caller can access. */
  owner: Owner;
}

/**
 * Identifies the caller of a webhook operation. A token can access the endpoints of its account in its environment. In the
 * console, users of a developer can access the endpoints of their account in both environments, and staff can access those of
 * all accounts. Throws UNAUTHENTICATED or FORBIDDEN.
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
