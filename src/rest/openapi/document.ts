import { type GraphQLField, type GraphQLSchema, Kind, type SelectionSetNode } from 'graphql';
import type { Environment } from '../../core/environment.js';
import { docUrlsOf } from '../../core/error-catalogue.js';
import { ownTurn } from '../../core/turns.js';
import type { PolicyRow } from '../../graphql/schema/policy.js';
import type { JsonSchema } from '../../graphql-toolkit/value-schema.js';
import exampleAnswers from '../generated/answers.json' with { type: 'json' };
import { rowsOf } from '../handler.js';
import { STRICT_TEXT } from '../reading-rules.js';
import { exampleOf, operationOf, type RestRoute } from '../route.js';
import { answersOf, type SuccessAnswer } from './answers.js';
import { codesOf } from './codes.js';
import { type DescribedFile, describedFiles } from './files.js';
import { headerComponents, successHeaders } from './headers.js';
import { accessText, limitText, PENDING_NOTICE, PENDING_TEXT, tagOf, tagsOf, tokenNotice } from './prose.js';
import { type Components, refusalResponses, schemaNamed } from './refusals.js';
import { bodySchema, fieldsOf, type Maxima, requestOf } from './requests.js';
import { describedWebhooks } from './webhooks.js';

export interface DescribedApi {
  environment: Environment;
  baseUrl: string;
  consoleUrl: string;
  version: string;
  tokenLifetime: { tokenIdleDays: number; tokenMaxDays: number };
  rateLimitPerMinute: number;
  maxima: Maxima;
  files: readonly DescribedFile[];
}

/** Returns the OpenAPI 3.1 document of all REST paths, derived from the routes, their GraphQL operations and the schema. */
export function openApiDocument(...given: Parameters<typeof written>): JsonSchema {
  const writing = written(...given);
  for (;;) {
    const { done, value } = writing.next();
    if (done) return value;
  }
}

/** Does the same as `openApiDocument`, but yields to other requests after each path, because the document takes about 80 ms. */
export async function openApiInTurns(...given: Parameters<typeof written>): Promise<JsonSchema> {
  const writing = written(...given);
  for (let isContinued = false; ; isContinued = true) {
    await ownTurn(given[2].environment, { isContinued });
    const { done, value } = writing.next();
    if (done) return value;
  }
}

/** Writes the document and yields after each path. */
function* written(
  routes: readonly RestRoute[],
  schema: GraphQLSchema,
  api: DescribedApi,
): Generator<undefined, JsonSchema, undefined> {
  const components: Components = { schemas: {}, responses: {} };
  const paths: Record<string, JsonSchema> = {};
  for (const route of routes) {
    (paths[route.path] ??= {})[route.method.toLowerCase()] = new Described(route, schema, api).in(components);
    yield;
  }
  for (const file of api.files) Object.assign(paths, describedFiles(file, schema, components, api));
  const webhooks = describedWebhooks(api.environment, components);
  const document = {
    openapi: '3.1.0',
    info: {
      title: 'Recharge, bill payment, plan lookup and lead generation',
      version: api.version,
      description: PENDING_NOTICE,
      contact: { name: 'Developer console', url: api.consoleUrl },
      license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
    },
    servers: [{ url: api.baseUrl, description: SERVERS[api.environment] }],
    tags: tagsOf(Object.keys(paths)),
    paths,
    webhooks,
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer', description: tokenNotice(api.tokenLifetime) } },
      headers: headerComponents,
      schemas: components.schemas,
      responses: components.responses,
    },
  };
  return inRestWords(document, routes, schema);
}

const SERVERS: Readonly<Record<Environment, string>> = {
  uat: 'UAT: sample data and test funds. Providers are never called.',
  production: 'Production: live providers and real money.',
};

/** Describes a route as an operation of the document. */
class Described {
  readonly #rows: readonly PolicyRow[];
  readonly #name: string;

  constructor(
    private readonly route: RestRoute,
    private readonly schema: GraphQLSchema,
    private readonly api: DescribedApi,
  ) {
    this.#rows = rowsOf(route, schema);
    this.#name = operationOf(route).name!.value;
  }

  in(components: Components): JsonSchema {
    const route = this.route;
    const { field, selected } = this.#root();
    const fields = fieldsOf(route, this.schema, this.api.maxima);
    const body = bodySchema(route, fields);
    const bodyName = `${this.#name}Request`;
    if (body) components.schemas[bodyName] = body;
    const codes = codesOf({
      rows: this.#rows,
      // the body of a DELETE request is read and ignored
      hasBody: route.method !== 'GET',
      hasInput: fields.length > 0 || route.isStrict === true,
      own: route.codes,
    });
    return {
      operationId: this.#name,
      tags: [tagOf(route.path)],
      summary: field.description,
      description: this.#description(),
      security: this.#rows.every(({ access }) => access.kind === 'public') ? [] : [{ token: [] }],
      ...requestOf(route, fields, exampleOf(route, this.api.environment), {
        $ref: `#/components/schemas/${bodyName}`,
      }),
      responses: {
        200: this.#success(answersOf(route, field.type, selected), components),
        ...refusalResponses({ ...route, name: this.#name, codes, docUrl: docUrlsOf(this.api.baseUrl) }, components),
      },
    };
  }

  #root(): { field: GraphQLField<unknown, unknown>; selected: SelectionSetNode } {
    const operation = operationOf(this.route);
    const selection = operation.selectionSet.selections[0]!;
    if (selection.kind !== Kind.FIELD) throw new Error(`The document of ${this.route.path} has no root field.`);
    const field = this.schema.getRootType(operation.operation)!.getFields()[selection.name.value]!;
    return { field, selected: selection.selectionSet! };
  }

  #description(): string {
    const { mayBePending, isStrict } = this.route;
    const { rateLimitPerMinute } = this.api;
    const texts = [
      ...(mayBePending ? [PENDING_TEXT] : []),
      ...(isStrict ? [STRICT_TEXT] : []),
      ...accessText(this.#rows),
      ...limitText(this.#rows, rateLimitPerMinute),
    ];
    return texts.join('\n\n');
  }

  #success(answers: readonly SuccessAnswer[], components: Components): JsonSchema {
    const named = answers.map(({ word, schema }) => {
      const name = `${this.#name}${capitalised(word ?? 'success')}`;
      components.schemas[name] = schema;
      return { word: word ?? '', ref: `#/components/schemas/${name}` };
    });
    return {
      description: answers.map(({ word }) => ABOUT_WORDS[word ?? ''] ?? word).join(' '),
      headers: successHeaders({
        retryAfter: answers.some(({ hasRetryAfter }) => hasRetryAfter),
        replay: this.route.replays ?? false,
        preference: this.route.mayBePending ?? false,
      }),
      content: {
        'application/json': {
          schema: schemaNamed(`${this.#name}Answer`, named, components),
          ...answerExamples(this.#name, this.api.environment, this.api.baseUrl),
        },
      },
    };
  }
}

const capitalised = (word: string): string => `${word.charAt(0).toUpperCase()}${word.slice(1)}`;

const ABOUT_WORDS: Readonly<Record<string, string>> = {
  '': 'Successful response.',
  success: 'success: the request was completed.',
  pending: 'pending: the outcome is not known yet. Check the status again after the time in Retry-After.',
  failed: 'failed: the order failed or was reversed, and the amount was refunded.',
};

const PROSE = new Set(['description', 'summary']);
const VALUES = new Set(['example', 'examples', 'default', 'enum']);

/** Matches references to GraphQL extensions, which are fields of the body in REST. */
const IN_GRAPHQL = / \(extensions\.\w+(, extensions\.\w+)*\)/g;

/**
 * Replaces GraphQL names in descriptions, which come from the schema and the catalog. A root field with a REST path is replaced
 * by the path. Other names get the addition "over GraphQL".
 */
function inRestWords(document: JsonSchema, routes: readonly RestRoute[], schema: GraphQLSchema): JsonSchema {
  const paths = new Map(routes.map((route) => [rootNameOf(route), `${route.method} ${route.path}`]));
  const fields = [schema.getQueryType(), schema.getMutationType()].flatMap((type) =>
    Object.keys(type?.getFields() ?? {}),
  );
  // a name in lower case can be an English word
  const names = fields.filter((name) => /[A-Z]/.test(name));
  const pattern = new RegExp(`\`?\\b(${names.join('|')})\\b\`?`, 'g');
  const reworded = (text: string): string =>
    text
      .replace(IN_GRAPHQL, '')
      .replace(pattern, (_all, name: string) => paths.get(name) ?? `\`${name}\` over GraphQL`);
  const walk = (part: unknown, key: string): unknown => {
    if (typeof part === 'string') return PROSE.has(key) ? reworded(part) : part;
    if (Array.isArray(part) && !VALUES.has(key)) return part.map((item) => walk(item, ''));
    if (part === null || typeof part !== 'object' || VALUES.has(key)) return part;
    return Object.fromEntries(Object.entries(part).map(([name, inner]) => [name, walk(inner, name)]));
  };
  return walk(document, '') as JsonSchema;
}

function rootNameOf(route: RestRoute): string {
  const [selection] = operationOf(route).selectionSet.selections;
  return selection?.kind === Kind.FIELD ? selection.name.value : '';
}

type Answers = Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>>;

const BASE_URL = '{baseUrl}';

/**
 * Returns the responses that a test recorded for the examples of an operation, by `status`. The result is empty if none are
 * recorded.
 */
function answerExamples(operation: string, environment: Environment, baseUrl: string): JsonSchema {
  const shown = (exampleAnswers[environment] as Answers)[operation];
  if (!shown) return {};
  const examples = Object.entries(shown).map(([word, body]) => [
    word,
    { value: JSON.parse(JSON.stringify(body).replaceAll(BASE_URL, baseUrl)) as unknown },
  ]);
  return { examples: Object.fromEntries(examples) };
}
