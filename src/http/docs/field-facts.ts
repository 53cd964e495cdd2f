import type { GraphQLField } from 'graphql';
import { getNamedType } from 'graphql';
import type { Surface } from '../../core/environment.js';
import { STEP_UP_MS, stepUpCases } from '../../core/principal.js';
import { isConnection, pageEntries, rowsOfField } from '../../graphql/documents/cost.js';
import { documentedLimit } from '../../graphql/schema/limits.js';
import type { PolicyRow, SessionAccess } from '../../graphql/schema/policy.js';
import { WITH_PARENT } from '../../graphql-toolkit/rows.js';

/** Access rules and cost of a field, as text with code in backticks. */
export interface FieldFacts {
  who?: string;
  costs: string[];
}

/**
 * Returns the facts of a field, from the tables that the service uses. A field without a row has the access rules of its parent.
 */
export function factsOf(typeName: string, field: GraphQLField<unknown, unknown>, surface: Surface): FieldFacts {
  const row = field.extensions.policy as PolicyRow | undefined;
  const who = row && accessText(row);
  return {
    ...(who === undefined ? {} : { who }),
    costs: [...(row ? [...moneyOf(row), ...limitOf(row, typeName, surface)] : []), ...rowsOf(field)],
  };
}

function accessText(row: PolicyRow): string | undefined {
  const { access, client, only, pages, stepUp } = row;
  switch (access.kind) {
    case 'public':
      return pages === 'own' ? 'anyone, except cross-origin pages' : 'anyone';
    case 'parent':
      return undefined;
    case 'session':
      return `a session with ${sessionsOf(access)}${stepUpOf(stepUp)}`;
    case 'token':
      return [
        'an API token',
        ...(access.service ? [`of an account for which \`${access.service}\` is enabled`] : []),
        ...(client
          ? [
              client === 'any'
                ? '; also any client token'
                : `; also a client token with the scope ${[client]
                    .flat()
                    .map((scope) => `\`${scope.toUpperCase()}\``)
                    .join(' or ')}`,
            ]
          : []),
        ...(only === 'uat' ? ['; only on the UAT host'] : []),
      ]
        .join(' ')
        .replaceAll(' ;', ';');
  }
}

const stepUpOf = (stepUp: PolicyRow['stepUp']): string =>
  stepUp === undefined
    ? ''
    : `; requires a second factor verified within the last ${STEP_UP_MS / 60_000} minutes${stepUp === true ? '' : ` if ${stepUpCases[stepUp]}`}`;

const moneyOf = ({ fee, money }: PolicyRow): string[] => [
  ...(fee ? ['a fee, if an admin has set one'] : []),
  ...(money ? ['moves money: only one such field per operation'] : []),
];

const ROOTS = ['Query', 'Mutation', 'Subscription'];

function limitOf(row: PolicyRow, typeName: string, surface: Surface): string[] {
  if (row.counts === 'never') return [];
  const { limit, duration } = documentedLimit(row, surface);
  const often = `${limit} uses per ${duration} seconds, counted as \`${row.endpoint}\``;
  return [
    ROOTS.includes(typeName) || row.counts === 'each_use' ? often : `${often}, once per selection in the document`,
  ];
}

function rowsOf(field: GraphQLField<unknown, unknown>): string[] {
  const { entries: own, extraReads } = rowsOfField(field);
  const entries = isConnection(getNamedType(field.type)) ? pageEntries : own;
  return [
    ...(entries && entries !== WITH_PARENT ? [entries.inWords] : []),
    ...(extraReads ? [`in a list, ${extraReads} additional ${extraReads === 1 ? 'row' : 'rows'} per entry`] : []),
  ];
}

/** Returns the staff roles and team roles. */
function sessionsOf({ roles, team }: SessionAccess): string {
  const [staff, people] = [roles, team].map((names) => listed(names.map((name) => `\`${name.toUpperCase()}\``)));
  const parts = [...(staff ? [`the role ${staff}`] : []), ...(people ? [`the team role ${people}`] : [])];
  return parts.join(', or ');
}

const listed = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
