import type { Actor } from '../audit/audit.service.js';
import { type RequestContext, sessionOf } from '../core/context.js';

/** The signed-in user as the audit trail names them. */
export const actorOf = (context: RequestContext): Actor => ({
  actor: `user:${sessionOf(context).userId}`,
  requestId: context.requestId,
});
