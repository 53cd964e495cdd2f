import type { RequestContext } from '../core/context.js';

/** Where a request came from. */
export interface Origin {
  /** What limits per place count by. */
  addressKey: string;
  requestId: string;
}

export const originOf = (context: RequestContext): Origin => ({
  addressKey: context.addressKey,
  requestId: context.requestId,
});
