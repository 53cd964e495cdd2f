import { type GraphQLField, type GraphQLSchema, type GraphQLType, getNamedType } from 'graphql';
import { MAX_ROWS } from '../../graphql/documents/cost.js';
import { DOCUMENT_LIMITS } from '../../graphql/documents/size.js';
import { BODY_LIMIT_BYTES } from '../limits/memory.js';
import { anchorOfField, GRAPH_REFERENCE } from './graph-reference.js';
import { code, table } from './tables.js';

/** Returns the type as code, with a link to the GraphQL reference. */
const typeLink = (type: GraphQLType): string =>
  `[${code(String(type))}](${GRAPH_REFERENCE.path}#${getNamedType(type).name})`;

const argumentsOf = ({ args }: GraphQLField<unknown, unknown>): string =>
  args.map(({ name, type }) => `${code(`${name}:`)} ${typeLink(type)}`).join(', ');

const row = (field: GraphQLField<unknown, unknown>, root: string): string[] => [
  `[${code(field.name)}](${GRAPH_REFERENCE.path}#${anchorOfField(root, field.name)})`,
  argumentsOf(field),
  typeLink(field.type),
  field.description ?? '',
];

/** Returns all root fields of the schema, by kind. */
export function rootFields(schema: GraphQLSchema): string {
  const roots = [
    ['Queries', schema.getQueryType()],
    ['Mutations', schema.getMutationType()],
    ['Subscriptions', schema.getSubscriptionType()],
  ] as const;
  return roots
    .flatMap(([title, type]) =>
      type
        ? [
            `### ${title}`,
            table(
              ['Field', 'Arguments', 'Type', 'Description'],
              Object.values(type.getFields()).map((field) => row(field, type.name)),
            ),
          ]
        : [],
    )
    .join('\n\n');
}

const {
  tokens,
  operations,
  spreads,
  directives,
  variables,
  repetitions,
  depth,
  rootFields: roots,
  aliases,
  fields,
} = DOCUMENT_LIMITS;

/** Limits of a document and of an operation. */
export const graphqlLimits = table(
  ['Per document', 'Limit', 'Per operation', 'Limit'],
  [
    ['bytes, including variables', BODY_LIMIT_BYTES, 'levels', depth],
    ['tokens', tokens, 'root fields', roots],
    ['operations', operations, 'aliases', aliases],
    ['fragment spreads', spreads, 'fields', fields],
    ['directives', directives, 'variables', variables],
    ['fields that move money', 'one per operation', 'rows', MAX_ROWS],
    ['repetitions of fields with one name, multiplied by their size', repetitions, '', ''],
  ].map((cells) => cells.map((cell) => (typeof cell === 'number' ? cell.toLocaleString('en-IN') : cell))),
);
