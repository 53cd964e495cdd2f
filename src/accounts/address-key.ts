import type { RequestContext } from '../core/context.js';

/** What limits per place count by. */
export const addressKeyOf = (context: RequestContext): string => context.address;
