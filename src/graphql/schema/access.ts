import { accountError, type RequestContext, serviceError } from '../../core/context.js';
import { AppError, type ErrorCode } from '../../core/errors.js';
import { type ClientGrant, type DeveloperPrincipal, isFactorStale, type Rights } from '../../core/principal.js';
import { type PolicyRow, policies, type SessionAccess } from './policy.js';

/**
 * Returns whether the user must first add a second factor, in an existing session or in the response that creates the session.
 */
const isEnrolling = (row: PolicyRow, { principal, signedIn }: RequestContext): boolean =>
  principal?.kind === 'session'
    ? principal.mustEnroll
    : !principal && row.nested === true && signedIn?.mustEnroll === true;

/** Returns the rights of the session or, in the response to a sign-in, of the user who has just signed in. */
const rightsFor = ({ nested: isNested }: PolicyRow, { principal, signedIn }: RequestContext): Rights | undefined =>
  principal?.kind === 'session' ? principal : isNested && !principal ? signedIn : undefined;

/** Field names by policy row, for records of rejected calls. */
const fieldNames = new Map(
  Object.values(policies)
    .flatMap((table) => Object.entries(table))
    .flatMap(([type, rows]) =>
      Object.entries(rows).map(([field, row]): [PolicyRow, string] => [
        row,
        /^(Query|Mutation|Subscription)$/.test(type) ? field : `${type}.${field}`,
      ]),
    ),
);

/** Adds the field and its service to the error, for the record of rejected calls. */
const rejectedAt = (row: PolicyRow, { code, details }: AppError): AppError =>
  new AppError(code, {
    ...details,
    rejection: {
      ...details.rejection,
      field: fieldNames.get(row),
      service: row.access.kind === 'token' ? row.access.service : undefined,
    },
  });

/** Returns the error if the credentials of the request are not valid for the field. */
const credentialsError = (row: PolicyRow, { refusal = new AppError('UNAUTHENTICATED') }: RequestContext): AppError =>
  refusal.details.rejection ? rejectedAt(row, refusal) : refusal;

/**
 * Returns the error for an unauthenticated caller, or for a cross-origin page if such pages are not allowed. Returns undefined
 * if the row is public or the caller is authenticated.
 */
export function unauthenticated(row: PolicyRow, context: RequestContext): AppError | undefined {
  switch (row.access.kind) {
    case 'public':
      return row.pages === 'own' && context.isCrossOrigin ? new AppError('CROSS_ORIGIN_FORBIDDEN') : undefined;
    // a sign-in returns the viewer before the session exists, so access is determined by the row of the parent
    case 'parent':
      return undefined;
    case 'token':
      return context.principal?.kind === 'developer' ? undefined : credentialsError(row, context);
    case 'session':
      return rightsFor(row, context) ? undefined : credentialsError(row, context);
  }
}

export const NOT_FOR_CLIENTS =
  'The scopes of this client token do not allow this operation. Use the access token of your server.';

const uatOnly = ({ urls }: RequestContext): AppError =>
  new AppError('UAT_ONLY', urls && { message: `This operation is available only on the UAT host, ${urls.uat}.` });

const isOpenTo = ({ scopes }: ClientGrant, { client }: PolicyRow): boolean =>
  client === 'any' || (client !== undefined && [client].flat().some((scope) => scopes.has(scope)));

const isOneOf = (access: SessionAccess, { role, teamRole }: Rights): boolean =>
  role === 'developer' ? teamRole !== undefined && access.team.includes(teamRole) : access.roles.includes(role);

/** Returns the root fields of the console that a signed-in user can use, in alphabetical order. */
export const permittedRoots = (rights: Rights, mustEnroll: boolean): string[] =>
  (['Query', 'Mutation', 'Subscription'] as const)
    .flatMap((type) => Object.entries(policies.console[type] ?? {}))
    .filter(([, { access, enrolment }]) =>
      access.kind !== 'session' ? true : isOneOf(access, rights) && (!mustEnroll || enrolment === true),
    )
    .map(([name]) => name)
    .toSorted();

/** Returns the error if a developer or a client token cannot use a field that is not public. */
function developerError(row: PolicyRow, principal: DeveloperPrincipal, context: RequestContext): AppError | undefined {
  const accountProblem = accountError(principal);
  if (accountProblem) return accountProblem;
  if (row.only === 'uat' && principal.environment !== 'uat') return uatOnly(context);
  if (principal.client && !isOpenTo(principal.client, row))
    return new AppError('FORBIDDEN', { message: NOT_FOR_CLIENTS });
  const { access } = row;
  return access.kind === 'token' && access.service ? serviceError(principal, access.service) : undefined;
}

/** Returns the error for a caller that cannot use the field, or undefined if access is allowed. */
export function forbidden(row: PolicyRow, context: RequestContext): AppError | undefined {
  const rejection = unauthenticated(row, context);
  if (rejection) return rejection;
  const { access } = row;
  const { principal } = context;
  if (principal?.kind === 'developer' && access.kind !== 'public') {
    const accessError = developerError(row, principal, context);
    if (accessError) return rejectedAt(row, accessError);
  }
  if (access.kind !== 'public' && !row.enrolment && isEnrolling(row, context))
    return new AppError('SECOND_FACTOR_NOT_ENROLLED');
  const rights = rightsFor(row, context);
  if (access.kind === 'session' && rights && !isOneOf(access, rights)) return new AppError('FORBIDDEN');
  if (row.stepUp === true && principal?.kind === 'session' && isFactorStale(principal))
    return new AppError('STEP_UP_REQUIRED');
  return undefined;
}

/** Returns all codes that `unauthenticated` and `forbidden` can return for a field, for the documentation. */
export function accessCodes({ access, only, pages, enrolment, stepUp }: PolicyRow): ErrorCode[] {
  switch (access.kind) {
    case 'public':
      return pages === 'own' ? ['CROSS_ORIGIN_FORBIDDEN'] : [];
    case 'parent':
      return [];
    case 'token': {
      const codes = [
        'UNAUTHENTICATED',
        'WRONG_HOST',
        'SUSPENDED',
        'ONBOARDING_INCOMPLETE',
        'PRODUCTION_LOCKED',
      ] as const;
      return [
        ...codes,
        'FORBIDDEN',
        ...(access.service ? (['ACCESS_DISABLED'] as const) : []),
        ...(only === 'uat' ? (['UAT_ONLY'] as const) : []),
      ];
    }
    case 'session':
      return [
        'UNAUTHENTICATED',
        'WRONG_HOST',
        ...(enrolment ? [] : (['SECOND_FACTOR_NOT_ENROLLED'] as const)),
        'FORBIDDEN',
        ...(stepUp ? (['STEP_UP_REQUIRED'] as const) : []),
      ];
  }
}

export interface FieldUse {
  row: PolicyRow;
  args: Readonly<Record<string, unknown>>;
}

/**
 * Returns the 401 error for a caller that can use none of the fields without authentication. It takes precedence over all other
 * errors, so that the response contains no other information. Returns undefined if the caller can use one of the fields, or if
 * there are no fields.
 */
export function unauthenticatedForEvery(rows: readonly PolicyRow[], context: RequestContext): AppError | undefined {
  const rejections = rows.map((row) => unauthenticated(row, context));
  return rejections.every(Boolean) ? rejections[0] : undefined;
}

/** Required part of the rate limiter. Throws RATE_LIMITED. */
interface UseCounter {
  count(row: PolicyRow, context: RequestContext, args: Readonly<Record<string, unknown>>): Promise<unknown>;
}

/**
 * Rejects a request before its input is validated, in the same order for REST, GraphQL and downloads: 401, then 429 (each field
 * uses a point), then 403. Invalid input is reported after that. For a request with a known idempotency key, its order replaces
 * any error after 401; see KnownKeys, which checks each of these errors.
 *
 * Only for requests of which no field runs. For a field that runs, the wrappers of `secureSchema` apply the same order.
 */
export async function errorBeforeInput(
  fields: readonly FieldUse[],
  context: RequestContext,
  limits: UseCounter,
): Promise<AppError | undefined> {
  const rows = fields.map(({ row }) => row);
  const rejection = unauthenticatedForEvery(rows, context);
  if (rejection) return rejection;
  try {
    for (const { row, args } of fields) if (!unauthenticated(row, context)) await limits.count(row, context, args);
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  const accessErrors = rows.map((row) => forbidden(row, context));
  return accessErrors.every(Boolean) ? accessErrors[0] : undefined;
}
