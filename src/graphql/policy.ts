import type { RequestContext } from '../core/context.js';
import type { Host } from '../core/environment.js';
import { AppError } from '../core/errors.js';
import type { Role } from '../core/principal.js';
import type { Service } from '../core/services.js';

/**
 * Who may use a field.
 * public   anyone
 * token    an API token of an approved, active developer; `service` adds the flag that an admin sets
 * session  a signed-in user of the console with one of the roles
 * parent   whoever may read the object that the field belongs to
 */
export type Access =
  | { kind: 'public' }
  | { kind: 'parent' }
  | { kind: 'token'; service?: Service }
  | { kind: 'session'; roles: readonly Role[] };

export interface PolicyRow {
  hosts: readonly Host[];
  access: Access;
  /** What the rate limit counts: REST and GraphQL calls of one endpoint share it. */
  endpoint: string;
  /** Moves money: at most one per operation. */
  money?: true;
}

const api: readonly Host[] = ['uat', 'production'];

const open = (endpoint: string): PolicyRow => ({ hosts: api, access: { kind: 'public' }, endpoint });
const token = (endpoint: string, service?: Service): PolicyRow => ({
  hosts: api,
  access: { kind: 'token', ...(service ? { service } : {}) },
  endpoint,
});
const nested = (endpoint: string): PolicyRow => ({ hosts: [...api, 'console'], access: { kind: 'parent' }, endpoint });
const money = (endpoint: string): PolicyRow => ({ ...token(endpoint), money: true });

/**
 * The one table: every field that has a resolver, who may use it on which host, and what its limit counts. Building the schema
 * fails when a field has no row or a row no field, so access is closed unless it stands here.
 */
export const policy: Readonly<Record<string, Readonly<Record<string, PolicyRow>>>> = {
  Query: {
    me: token('auth/me'),
    order: token('order'),
    wallet: token('wallet'),
  },
  Mutation: {
    issueToken: open('auth/client-credentials'),
    recharge: money('recharge'),
  },
  Order: { timeline: nested('order/timeline') },
  Wallet: { statement: nested('wallet/statement') },
};

/** The refusal of somebody who is not signed in; undefined when the row is public or there is a principal. */
export function unauthenticated(row: PolicyRow, context: RequestContext): AppError | undefined {
  switch (row.access.kind) {
    case 'public':
      return undefined;
    case 'parent':
      return context.principal ? undefined : (context.refusal ?? new AppError('UNAUTHENTICATED'));
    case 'token':
      return context.principal?.kind === 'developer' ? undefined : (context.refusal ?? new AppError('UNAUTHENTICATED'));
    case 'session':
      return context.principal?.kind === 'session' ? undefined : (context.refusal ?? new AppError('UNAUTHENTICATED'));
  }
}

/** The refusal of somebody who may not use the field; undefined when they may. */
export function forbidden(row: PolicyRow, context: RequestContext): AppError | undefined {
  const refusal = unauthenticated(row, context);
  if (refusal) return refusal;
  const { access } = row;
  const { principal } = context;
  if (principal?.kind === 'developer' && access.kind !== 'public') {
    if (principal.suspended) return new AppError('SUSPENDED');
    if (principal.onboardingStatus !== 'approved') return new AppError('ONBOARDING_INCOMPLETE');
    if (principal.environment === 'production' && !principal.productionUnlocked)
      return new AppError('PRODUCTION_LOCKED');
    if (access.kind === 'token' && access.service && !principal.services.get(access.service)?.enabled) {
      return new AppError('ACCESS_DISABLED', { message: `${access.service} is not enabled for this account.` });
    }
  }
  if (access.kind === 'session' && principal?.kind === 'session' && !access.roles.includes(principal.role))
    return new AppError('FORBIDDEN');
  return undefined;
}
