import {
  type GraphQLArgument,
  type GraphQLInputField,
  type GraphQLInputType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  type SelectionSetNode,
} from 'graphql';
import { errorCatalogue } from '../core/errors.js';
import { storedOperation } from './handler.js';
import { KEY_HEADER } from './header-key.js';
import type { RestField, RestRoute } from './route.js';

type JsonSchema = Record<string, unknown>;

/** What the pages about the API begin with: the one thing that integrators of such services get wrong. */
export const PENDING_NOTICE =
  'A recharge or bill payment whose outcome is not known yet answers 200 with status "pending": the money is held. Never create a new order for it. Ask for its status until it says success or failed: a recharge by repeating the same request with the same client_request_id, or with its api_request_id at /api/v1/recharge/status; a bill payment with its orderid at /api/v1/bill-payment/credit-card/status. Only an order has a verdict: "failed" means that nothing is charged, because the refund is in the wallet or no order was ever placed. "error" is about the request alone and says nothing about an order.';

/** What to do when a token ends, which no client of a service with everlasting tokens expects. */
const tokenNotice = ({ tokenIdleDays, tokenMaxDays }: { tokenIdleDays: number; tokenMaxDays: number }): string =>
  `The token of auth/client-credentials, for this environment only. Keep it: it lives while it is used. It ends after ${tokenIdleDays} days without use, and ${tokenMaxDays} days after the exchange in any case; your account may have shorter limits, and expires_at says when it ends unless it is used. On 401 exchange the credentials again, and repeat the request.`;

/** Every path of the REST layer as OpenAPI 3.1, derived from the routes, the stored operations and the schema. */
export function openApiDocument(
  routes: readonly RestRoute[],
  schema: GraphQLSchema,
  isPublic: (route: RestRoute) => boolean,
  options: { baseUrl: string; version: string; tokenLife: { tokenIdleDays: number; tokenMaxDays: number } },
): JsonSchema {
  const paths: Record<string, JsonSchema> = {};
  for (const route of routes)
    (paths[route.path] ??= {})[route.method.toLowerCase()] = operationOf(route, schema, isPublic(route));
  return {
    openapi: '3.1.0',
    info: {
      title: 'Recharge, bill payment, plan lookup and lead generation',
      version: options.version,
      description: PENDING_NOTICE,
    },
    servers: [{ url: options.baseUrl }],
    paths,
    components: {
      securitySchemes: {
        token: {
          type: 'http',
          scheme: 'bearer',
          description: tokenNotice(options.tokenLife),
        },
      },
      schemas: {
        FailedFailure: failureSchema('failed', codesSaying('failed')),
        ErrorFailure: failureSchema('error', Object.keys(errorCatalogue)),
      },
    },
  };
}

function operationOf(route: RestRoute, schema: GraphQLSchema, isPublic: boolean): JsonSchema {
  const { document, operation } = storedOperation(schema, route.operation);
  const root = schema.getRootType(operation.operation)!;
  const selection = operation.selectionSet.selections[0]!;
  if (selection.kind !== Kind.FIELD)
    throw new Error(`The stored operation ${document.definitions.length} has no root field.`);
  const field = root.getFields()[selection.name.value]!;
  const fields = Object.entries(route.fields).map(([name, rest]) =>
    fieldOf(name, rest, field.args, operation.variableDefinitions?.map(({ variable }) => variable.name.value) ?? []),
  );
  const body = fields.length > 0 && route.method === 'POST' ? { requestBody: requestBody(fields, route) } : {};
  const parameters = route.keyField
    ? { parameters: [keyHeader(route.keyField)] }
    : route.method === 'GET'
      ? {
          parameters: fields.map(({ name, required, schema: type }) => ({
            name,
            in: 'query',
            required,
            schema: type,
            example: route.example?.[name],
          })),
        }
      : {};
  return {
    operationId: route.operation,
    summary: field.description,
    ...(isPublic ? { security: [] } : { security: [{ token: [] }] }),
    ...parameters,
    ...body,
    responses: responsesOf(route, answerSchema(route, field.type, selection.selectionSet!)),
  };
}

const keyHeader = (field: string): JsonSchema => ({
  name: KEY_HEADER,
  in: 'header',
  required: false,
  schema: { type: 'string', maxLength: 100 },
  description: `Counts as ${field} where the body has none.`,
});

interface DescribedField {
  name: string;
  required: boolean;
  schema: JsonSchema;
}

function fieldOf(
  name: string,
  rest: RestField,
  args: readonly GraphQLArgument[],
  variables: readonly string[],
): DescribedField {
  const [variable, property] = rest.to.split('.') as [string, string?];
  const argument = args.find((candidate) => candidate.name === variable) ?? args[variables.indexOf(variable)];
  if (!argument) throw new Error(`No argument for ${name}.`);
  const declared: GraphQLArgument | GraphQLInputField = property ? inputFieldOf(argument.type, property) : argument;
  const words = typeof rest.kind === 'object' ? { enum: Object.keys(rest.kind) } : {};
  return {
    name,
    required: isNonNullType(declared.type),
    schema: { ...inputSchema(declared.type), ...words, description: declared.description },
  };
}

function inputFieldOf(type: GraphQLInputType, property: string): GraphQLInputField {
  const input = getNullableType(type);
  const field = isInputObjectType(input) ? input.getFields()[property] : undefined;
  if (!field) throw new Error(`No input field ${property}.`);
  return field;
}

function requestBody(fields: readonly DescribedField[], route: RestRoute): JsonSchema {
  return {
    required: true,
    description:
      'JSON. The fields of an application/x-www-form-urlencoded or multipart/form-data body are taken too, as text: numbers are plain decimal text, files are refused.',
    content: {
      'application/json': {
        schema: {
          type: 'object',
          properties: Object.fromEntries(fields.map(({ name, schema }) => [name, schema])),
          required: fields.filter(({ required }) => required).map(({ name }) => name),
        },
        ...(route.example ? { example: route.example } : {}),
      },
    },
  };
}

const SCALARS: Record<string, JsonSchema> = {
  Int: { type: 'integer' },
  SafeInt: { type: 'integer' },
  Float: { type: 'number' },
  Rupees: { type: 'number' },
  Boolean: { type: 'boolean' },
  Date: { type: 'string', format: 'date' },
  DateTime: { type: 'string', format: 'date-time' },
  CircleCode: { type: 'string', pattern: '^[0-9]{2,3}$' },
};

const leafSchema = (type: { name: string }): JsonSchema => SCALARS[type.name] ?? { type: 'string' };

function inputSchema(type: GraphQLInputType): JsonSchema {
  const inner = getNullableType(type);
  if (isListType(inner)) return { type: 'array', items: inputSchema(inner.ofType) };
  return isEnumType(inner) ? { type: 'string' } : leafSchema(getNamedType(inner));
}

/**
 * The shape of an answer, found by giving the row's envelope a sample of what the operation selects: each leaf of the sample
 * is recognisable, so that the schema type and description behind every key of the body are known.
 */
function answerSchema(route: RestRoute, type: GraphQLOutputType, selected: SelectionSetNode): JsonSchema {
  const leaves = new Map<unknown, JsonSchema>();
  const sample = sampleOf(type, selected, leaves, { next: 1001 });
  return shapeOf(route.answer(sample as never).body, leaves);
}

function sampleOf(
  type: GraphQLOutputType,
  selected: SelectionSetNode | undefined,
  leaves: Map<unknown, JsonSchema>,
  counter: { next: number },
  description?: string,
): unknown {
  const inner = getNullableType(type);
  if (isListType(inner)) return [sampleOf(inner.ofType, selected, leaves, counter, description)];
  if (isLeafType(inner)) {
    const { type: leafType, ...leaf } = leafSchema(inner);
    const schema: JsonSchema = {
      type: isNonNullType(type) ? leafType : [leafType, 'null'],
      ...leaf,
      ...(description ? { description } : {}),
    };
    const value = isEnumType(inner)
      ? inner.getValues().find(({ name }) => name !== 'PENDING')!.name
      : leafType === 'string'
        ? sampleText(inner.name, counter)
        : counter.next++;
    leaves.set(value, schema);
    return value;
  }
  const fields = (inner as GraphQLObjectType).getFields();
  const nodes = selected?.selections.filter((node) => node.kind === Kind.FIELD) ?? [];
  if (!isObjectType(inner)) throw new Error('Stored operations select object types only.');
  return Object.fromEntries(
    nodes.map((node) => {
      const field = fields[node.name.value]!;
      return [
        node.alias?.value ?? node.name.value,
        sampleOf(field.type, node.selectionSet, leaves, counter, field.description ?? undefined),
      ];
    }),
  );
}

/** Dates keep their form, because envelopes rewrite them. */
function sampleText(type: string, counter: { next: number }): string {
  const n = counter.next++;
  return type === 'Date' ? `2026-01-${String((n % 28) + 1).padStart(2, '0')}` : `sample ${n}`;
}

function shapeOf(value: unknown, leaves: Map<unknown, JsonSchema>): JsonSchema {
  const known = leaves.get(value);
  if (known) return known;
  if (Array.isArray(value)) return { type: 'array', items: value.length > 0 ? shapeOf(value[0], leaves) : {} };
  if (value !== null && typeof value === 'object') {
    const entries = Object.entries(value);
    // a key that is itself sample data stands for any key, as the names of plan groups do
    const open = entries.find(([key]) => leaves.has(key));
    if (open) return { type: 'object', additionalProperties: shapeOf(open[1], leaves) };
    return {
      type: 'object',
      properties: Object.fromEntries(entries.map(([key, inner]) => [key, shapeOf(inner, leaves)])),
      required: entries.map(([key]) => key),
    };
  }
  return value === null ? {} : { type: typeof value };
}

/** The codes whose failures say a word on the path that has both. */
const codesSaying = (word: 'failed' | 'error'): string[] =>
  Object.entries(errorCatalogue).flatMap(([code, { onRecharge }]) => (onRecharge === word ? [code] : []));

function failureSchema(status: 'failed' | 'error', codes: readonly string[]): JsonSchema {
  return {
    type: 'object',
    required: ['status', 'message', 'code'],
    properties: {
      status: { const: status },
      message: { type: 'string', description: 'Human-readable text.' },
      code: { type: 'string', enum: codes, description: 'Stable code; see the error reference.' },
      errors: {
        type: 'object',
        description: 'Wrong fields by name.',
        additionalProperties: { type: 'array', items: { type: 'string' } },
      },
      order_id: { type: 'string', description: 'The orderid of a duplicate bill payment.' },
      api_request_id: {
        type: 'string',
        description: 'Our id of the order that the failure is about, or that a refused repetition names.',
      },
      order_status: {
        type: 'string',
        enum: ['success', 'pending', 'failed', 'reversed'],
        description: 'The state of the order that a refused repetition names.',
      },
      request_id: { type: 'string', description: 'Quote it when you report a fault.' },
    },
  };
}

/** The failures that a path can answer, one response per status, with the codes that it stands for and the word of each. */
function responsesOf(route: RestRoute, answer: JsonSchema): JsonSchema {
  const byStatus = new Map<number, Record<'failed' | 'error', string[]>>();
  for (const [code, { httpStatus, onRecharge }] of Object.entries(errorCatalogue)) {
    const status = code === 'VALIDATION_FAILED' ? route.validationStatus : httpStatus;
    if (status === 404 || status === 405) continue;
    const words = byStatus.get(status) ?? { failed: [], error: [] };
    words[route.mayHaveFailed ? onRecharge : 'error'].push(code);
    byStatus.set(status, words);
  }
  return {
    200: {
      description: route.mayBePending
        ? 'Success; or, with status "pending" and a Retry-After, the outcome is not known yet: the same keys, unknown ones null. Never create a new order.'
        : 'Success.',
      content: { 'application/json': { schema: route.mayBePending ? orPending(answer) : answer } },
    },
    ...Object.fromEntries(
      [...byStatus].toSorted(([a], [b]) => a - b).map(([status, words]) => [status, failureResponse(words)]),
    ),
  };
}

function failureResponse(words: Record<'failed' | 'error', string[]>): JsonSchema {
  const { failed, error } = words;
  const refs = [
    ...(failed.length > 0 ? [{ $ref: '#/components/schemas/FailedFailure' }] : []),
    ...(error.length > 0 ? [{ $ref: '#/components/schemas/ErrorFailure' }] : []),
  ];
  return {
    description:
      failed.length === 0
        ? error.join(', ')
        : [`failed: ${failed.join(', ')}`, ...(error.length > 0 ? [`error: ${error.join(', ')}`] : [])].join('; '),
    content: { 'application/json': { schema: refs.length === 1 ? refs[0] : { oneOf: refs } } },
  };
}

/** An answer whose `status` may also say that the outcome is not known yet. */
function orPending(answer: JsonSchema): JsonSchema {
  const properties = answer.properties as Record<string, JsonSchema>;
  return { ...answer, properties: { ...properties, status: { ...properties.status, enum: ['success', 'pending'] } } };
}
