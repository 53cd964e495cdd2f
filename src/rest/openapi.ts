import {
  type GraphQLArgument,
  type GraphQLInputField,
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  Kind,
} from 'graphql';
import { errorCatalogue } from '../core/error-catalogue.js';
import { KEY_HEADER } from './header-key.js';
import { markAbsent } from './openapi-absent.js';
import { answerSchema } from './openapi-answers.js';
import { codesSaying, failureSchema, responsesOf } from './openapi-responses.js';
import { type JsonSchema, leafSchema } from './openapi-scalars.js';
import { parametersOf } from './path.js';
import { operationOf, type RestField, type RestRoute } from './route.js';
import { argumentsOf } from './variables.js';

/** What the pages about the API begin with: the one thing that integrators of such services get wrong. */
export const PENDING_NOTICE =
  'A recharge or bill payment whose outcome is not known yet answers 200 with status "pending": the money is held. Never create a new order for it. Ask for its status until it says success or failed: a recharge by repeating the same request with the same client_request_id, or with its api_request_id at /api/v1/recharge/status; a bill payment with its orderid at /api/v1/bill-payment/credit-card/status. Only an order has a verdict: "failed" means that nothing is charged, because the refund is in the wallet or no order was ever placed. "error" is about the request alone and says nothing about an order.';

/** What to do when a token ends, which no client of a service with everlasting tokens expects. */
const tokenNotice = ({ tokenIdleDays, tokenMaxDays }: { tokenIdleDays: number; tokenMaxDays: number }): string =>
  `The token of auth/client-credentials, for this environment only. Keep it: it lives while it is used. It ends after ${tokenIdleDays} days without use, and ${tokenMaxDays} days after the exchange in any case; your account may have shorter limits, and expires_at says when it ends unless it is used. On 401 exchange the credentials again, and repeat the request.`;

/** Every path of the REST layer as OpenAPI 3.1, derived from the routes, their documents and the schema. */
export function openApiDocument(
  routes: readonly RestRoute[],
  schema: GraphQLSchema,
  isPublic: (route: RestRoute) => boolean,
  options: { baseUrl: string; version: string; tokenLife: { tokenIdleDays: number; tokenMaxDays: number } },
): JsonSchema {
  const paths: Record<string, JsonSchema> = {};
  for (const route of routes)
    (paths[route.path] ??= {})[route.method.toLowerCase()] = describedRoute(route, schema, isPublic(route));
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

function describedRoute(route: RestRoute, schema: GraphQLSchema, isPublic: boolean): JsonSchema {
  const operation = operationOf(route);
  const root = schema.getRootType(operation.operation)!;
  const selection = operation.selectionSet.selections[0]!;
  if (selection.kind !== Kind.FIELD) throw new Error(`The document of ${route.path} has no root field.`);
  const field = root.getFields()[selection.name.value]!;
  const selected = selection.selectionSet!;
  const taking = argumentsOf(route.document, schema);
  const fields = Object.entries(route.fields).map(([name, rest]) => fieldOf(name, rest, taking));
  const inPath = parametersOf(route.path);
  const others = fields.filter(({ name }) => !inPath.includes(name));
  const body = others.length > 0 && route.method === 'POST' ? { requestBody: requestBody(others, route) } : {};
  const described = [
    ...(route.keyField ? [keyHeader(route.keyField)] : []),
    ...fields.filter(({ name }) => inPath.includes(name)).map((one) => parameter(one, 'path', route)),
    ...(route.method === 'POST' ? [] : others.map((one) => parameter(one, 'query', route))),
  ];
  const parameters = described.length > 0 || route.method === 'GET' ? { parameters: described } : {};
  return {
    operationId: operation.name!.value,
    summary: field.description,
    ...(isPublic ? { security: [] } : { security: [{ token: [] }] }),
    ...parameters,
    ...body,
    responses: responsesOf(route, markAbsent(answerSchema(route, field.type, selected), route, field.type, selected)),
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

function parameter({ name, required, schema }: DescribedField, where: 'path' | 'query', route: RestRoute): JsonSchema {
  return {
    name,
    in: where,
    required: required || where === 'path',
    ...(route.fields[name]!.list ? { style: 'form', explode: false } : {}),
    schema,
    example: route.example?.[name],
  };
}

function fieldOf(name: string, rest: RestField, taking: ReadonlyMap<string, GraphQLArgument>): DescribedField {
  const [variable, property] = rest.to.split('.') as [string, string?];
  const argument = taking.get(variable);
  if (!argument) throw new Error(`No argument for ${name}.`);
  const declared: GraphQLArgument | GraphQLInputField = property ? inputFieldOf(argument.type, property) : argument;
  const words = typeof rest.kind === 'object' ? { enum: Object.keys(rest.kind) } : {};
  // a day is taken too
  const type = rest.kind === 'from' || rest.kind === 'to' ? { type: 'string' } : inputSchema(declared.type);
  return {
    name,
    required: isNonNullType(declared.type),
    schema: {
      ...(rest.list ? { ...type, items: { ...(type.items as JsonSchema), ...words } } : { ...type, ...words }),
      description: rest.description ?? declared.description,
    },
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

function inputSchema(type: GraphQLInputType): JsonSchema {
  const inner = getNullableType(type);
  if (isListType(inner)) return { type: 'array', items: inputSchema(inner.ofType) };
  return isEnumType(inner) ? { type: 'string' } : leafSchema(getNamedType(inner));
}
