import { type RequestContext, serviceRefusal, standingRefusal } from '../../core/context.js';
import { AppError, type ErrorCode } from '../../core/errors.js';
import { type ClientGrant, type DeveloperPrincipal, isFactorStale, type Rights } from '../../core/principal.js';
import { type PolicyRow, policies, type SessionAccess } from './policy.js';

/** Whether the caller has to add a second factor first: in the session, or within the answer that opens it. */
const isEnrolling = (row: PolicyRow, { principal, signedIn }: RequestContext): boolean =>
  principal?.kind === 'session'
    ? principal.mustEnroll
    : !principal && row.nested === true && signedIn?.mustEnroll === true;

/** Whose rights count on the console: of the session, or within an answer of who has just signed in. */
const rightsFor = ({ nested: isNested }: PolicyRow, { principal, signedIn }: RequestContext): Rights | undefined =>
  principal?.kind === 'session' ? principal : isNested && !principal ? signedIn : undefined;

/** Fields by their rows, as records of rejected calls name them. */
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

/** With the field and its service, for the record of rejected calls. */
const rejectedAt = (row: PolicyRow, { code, details }: AppError): AppError =>
  new AppError(code, {
    ...details,
    rejection: {
      ...details.rejection,
      field: fieldNames.get(row),
      service: row.access.kind === 'token' ? row.access.service : undefined,
    },
  });

/** Why credentials that were sent are not valid for the field. */
const refusalOfCredentials = (
  row: PolicyRow,
  { refusal = new AppError('UNAUTHENTICATED') }: RequestContext,
): AppError => (refusal.details.rejection ? rejectedAt(row, refusal) : refusal);

/**
 * The refusal of somebody who is not signed in, or of a page that may not try to; undefined when the row is public or there is a
 * principal.
 */
export function unauthenticated(row: PolicyRow, context: RequestContext): AppError | undefined {
  switch (row.access.kind) {
    case 'public':
      return row.pages === 'own' && context.isCrossOrigin ? new AppError('CROSS_ORIGIN_FORBIDDEN') : undefined;
    // who signs in sees the viewer of the session, but has none yet: the parent's own row has decided
    case 'parent':
      return undefined;
    case 'token':
      return context.principal?.kind === 'developer' ? undefined : refusalOfCredentials(row, context);
    case 'session':
      return rightsFor(row, context) ? undefined : refusalOfCredentials(row, context);
  }
}

export const NOT_FOR_CLIENTS = 'A client token of these scopes does not reach this: a server asks with its own token.';

const uatOnly = ({ urls }: RequestContext): AppError =>
  new AppError('UAT_ONLY', urls && { message: `This is there on the UAT host alone, ${urls.uat}.` });

const isOpenTo = ({ scopes }: ClientGrant, { client }: PolicyRow): boolean =>
  client === 'any' || (client !== undefined && [client].flat().some((scope) => scopes.has(scope)));

const isOneOf = (access: SessionAccess, { role, teamRole }: Rights): boolean =>
  role === 'developer' ? teamRole !== undefined && access.team.includes(teamRole) : access.roles.includes(role);

/** The root fields of the console that somebody who is signed in may use, in the order of the alphabet. */
export const rootsOpenTo = (rights: Rights, mustEnroll: boolean): string[] =>
  (['Query', 'Mutation', 'Subscription'] as const)
    .flatMap((type) => Object.entries(policies.console[type] ?? {}))
    .filter(([, { access, enrolment }]) =>
      access.kind !== 'session' ? true : isOneOf(access, rights) && (!mustEnroll || enrolment === true),
    )
    .map(([name]) => name)
    .toSorted();

/** Why a developer or a client token may not use a field that is not public. */
function refusalOfDeveloper(
  row: PolicyRow,
  principal: DeveloperPrincipal,
  context: RequestContext,
): AppError | undefined {
  const standing = standingRefusal(principal);
  if (standing) return standing;
  if (row.only === 'uat' && principal.environment !== 'uat') return uatOnly(context);
  if (principal.client && !isOpenTo(principal.client, row))
    return new AppError('FORBIDDEN', { message: NOT_FOR_CLIENTS });
  const { access } = row;
  return access.kind === 'token' && access.service ? serviceRefusal(principal, access.service) : undefined;
}

/** The refusal of somebody who may not use the field; undefined when they may. */
export function forbidden(row: PolicyRow, context: RequestContext): AppError | undefined {
  const refusal = unauthenticated(row, context);
  if (refusal) return refusal;
  const { access } = row;
  const { principal } = context;
  if (principal?.kind === 'developer' && access.kind !== 'public') {
    const closed = refusalOfDeveloper(row, principal, context);
    if (closed) return rejectedAt(row, closed);
  }
  if (access.kind !== 'public' && !row.enrolment && isEnrolling(row, context))
    return new AppError('SECOND_FACTOR_NOT_ENROLLED');
  const rights = rightsFor(row, context);
  if (access.kind === 'session' && rights && !isOneOf(access, rights)) return new AppError('FORBIDDEN');
  if (row.stepUp === true && principal?.kind === 'session' && isFactorStale(principal))
    return new AppError('STEP_UP_REQUIRED');
  return undefined;
}

/** The codes of `unauthenticated` and `forbidden`, whatever the principal: what the documents say of a field. */
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

/** A field that is asked for, with its arguments as they came. */
export interface Asked {
  row: PolicyRow;
  args: Readonly<Record<string, unknown>>;
}

/**
 * The refusal of a caller who may use none of the fields without signing in: 401. It comes before everything else, so that nobody
 * learns more. Undefined when one of them is open to the caller, or when there is none.
 */
export function unauthenticatedForAll(rows: readonly PolicyRow[], context: RequestContext): AppError | undefined {
  const refusals = rows.map((row) => unauthenticated(row, context));
  return refusals.every(Boolean) ? refusals[0] : undefined;
}

/** The rate limit, as far as a refusal needs it. Errors: RATE_LIMITED. */
interface CountsUses {
  count(row: PolicyRow, context: RequestContext, args: Readonly<Record<string, unknown>>): Promise<unknown>;
}

/**
 * The order in which a request is refused before its input is looked at, for REST, GraphQL and downloads: 401, then 429 (it
 * costs a point of every field), then 403. What is wrong with the input comes after that. A known key is answered instead of
 * whatever comes after 401: see KnownKeys, which is asked about each of these refusals.
 *
 * This is for requests of which no field runs. A field that runs is refused in the same order by what `secureSchema` wraps it in.
 */
export async function refusalBeforeInput(
  fields: readonly Asked[],
  context: RequestContext,
  limits: CountsUses,
): Promise<AppError | undefined> {
  const rows = fields.map(({ row }) => row);
  const refusal = unauthenticatedForAll(rows, context);
  if (refusal) return refusal;
  try {
    for (const { row, args } of fields) if (!unauthenticated(row, context)) await limits.count(row, context, args);
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  const closed = rows.map((row) => forbidden(row, context));
  return closed.every(Boolean) ? closed[0] : undefined;
}
