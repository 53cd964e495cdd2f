import { MapperKind, mapSchema, pruneSchema } from '@graphql-tools/utils';
import {
  DirectiveLocation,
  defaultFieldResolver,
  GraphQLDirective,
  type GraphQLField,
  type GraphQLFieldConfig,
  GraphQLInt,
  GraphQLNonNull,
  type GraphQLObjectType,
  type GraphQLSchema,
  isObjectType,
  specifiedDirectives,
} from 'graphql';
import { buildSchemaSync, type NonEmptyArray } from 'type-graphql';
import type { RequestContext } from '../core/context.js';
import type { Host } from '../core/environment.js';
import { validationError } from '../core/errors.js';
import { checkArguments } from './input.js';
import type { KnownKeys } from './known-keys.js';
import { documentedLimit, type RateLimits } from './limits.js';
import { forbidden, type PolicyRow, policy } from './policy.js';
import { allow, applyMiddleware, rule, shield } from './shield.js';

type ResolverClass = new (...args: never[]) => object;

const ROOT_TYPES = ['Query', 'Mutation'];
const positive = new GraphQLNonNull(GraphQLInt);

const rateLimitDirective = new GraphQLDirective({
  name: 'rateLimit',
  description: 'How often an account may use the field. REST calls of the same endpoint count too.',
  locations: [DirectiveLocation.FIELD_DEFINITION],
  args: {
    limit: { type: positive, defaultValue: 60, description: 'Uses per window.' },
    duration: { type: positive, defaultValue: 60, description: 'Length of the window in seconds.' },
  },
});

/** The union of all hosts' schemas, without rules. `resolvers` are instances; each class is built once, in app.ts. */
export function buildBareSchema(resolvers: readonly object[]): GraphQLSchema {
  const instances = new Map(resolvers.map((resolver) => [resolver.constructor, resolver]));
  const schema = buildSchemaSync({
    resolvers: [...instances.keys()] as unknown as NonEmptyArray<ResolverClass>,
    container: { get: (resolverClass) => instances.get(resolverClass) },
    validate: false,
    directives: [...specifiedDirectives, rateLimitDirective],
  });
  return withoutTrivialResolvers(schema);
}

/** Fields that only read a property need no resolver: the engine reads it faster itself. */
function withoutTrivialResolvers(schema: GraphQLSchema): GraphQLSchema {
  for (const [, field] of fieldsOf(schema)) if (field.resolve === defaultFieldResolver) delete field.resolve;
  return schema;
}

/** Every "Type.field" of the schema's own object types. */
function fieldsOf(schema: GraphQLSchema) {
  return Object.values(schema.getTypeMap())
    .filter((type): type is GraphQLObjectType => isObjectType(type) && !type.name.startsWith('__'))
    .flatMap((type) =>
      Object.values(type.getFields()).map((field): [string, GraphQLField<unknown, RequestContext>] => [
        `${type.name}.${field.name}`,
        field,
      ]),
    );
}

const policyRows = (): [string, string, PolicyRow][] =>
  Object.entries(policy).flatMap(([type, rows]) =>
    Object.entries(rows).map(([field, row]): [string, string, PolicyRow] => [type, field, row]),
  );

/**
 * Adds the rules of the policy table to every field that has a resolver: input check innermost, then access by graphql-shield,
 * then the rate limit, and outermost what is answered instead of a refusal. Throws when table and schema disagree, or when a rule
 * was dropped on the way.
 */
export function secureSchema(bare: GraphQLSchema, limits: RateLimits, knownKeys: KnownKeys): GraphQLSchema {
  checkPolicyCovers(bare);
  const checked = withInputChecks(bare);
  const shielded = withAccessRules(checked);
  return knownKeys.protect(withRateLimits(shielded, limits));
}

function checkPolicyCovers(schema: GraphQLSchema): void {
  const resolved = new Set(fieldsOf(schema).flatMap(([name, field]) => (field.resolve ? [name] : [])));
  const ruled = new Set(policyRows().map(([type, field]) => `${type}.${field}`));
  for (const name of resolved) if (!ruled.has(name)) throw new Error(`${name} has a resolver but no policy row.`);
  for (const name of ruled) if (!resolved.has(name)) throw new Error(`The policy row ${name} has no resolver.`);
}

function withInputChecks(schema: GraphQLSchema): GraphQLSchema {
  for (const [, field] of fieldsOf(schema)) {
    const { resolve, args, extensions } = field;
    if (!resolve || args.length === 0) continue;
    field.resolve = (source, given, context, info) => {
      const { values, problems } = checkArguments(args, given, extensions, false);
      if (problems.length > 0) throw validationError(problems);
      return resolve(source, values, context, info);
    };
  }
  return schema;
}

function withAccessRules(schema: GraphQLSchema): GraphQLSchema {
  const tree: Record<string, Record<string, ReturnType<ReturnType<typeof rule>>>> = {};
  for (const [type, field, row] of policyRows()) {
    const check = (_source: unknown, _args: unknown, context: RequestContext) => forbidden(row, context) ?? true;
    (tree[type] ??= {})[field] = rule(`${type}.${field}`, { cache: 'no_cache' })(check);
  }
  const generated = shield(tree, { allowExternalErrors: true, fallbackRule: allow }).generate(schema) as Record<
    string,
    Record<string, unknown>
  >;
  // shield wraps every field of every type; only those with a row are kept, the others would pay for nothing
  const middleware: Record<string, Record<string, unknown>> = {};
  for (const [type, field] of policyRows()) (middleware[type] ??= {})[field] = generated[type]?.[field];
  return requireWrapped(schema, (unwrapped) => applyMiddleware(unwrapped, middleware as never));
}

function withRateLimits(schema: GraphQLSchema, limits: RateLimits): GraphQLSchema {
  const prepared = mapSchema(schema, {
    [MapperKind.OBJECT_FIELD]: (config: GraphQLFieldConfig<unknown, RequestContext>, name, type) => {
      const row = policy[type]?.[name];
      if (!row) return config;
      const options = limits.fieldOptions(row, !ROOT_TYPES.includes(type));
      return {
        ...config,
        extensions: {
          ...config.extensions,
          directives: { rateLimit: documentedLimit(row) },
          rateLimit: options,
        },
      };
    },
  });
  return requireWrapped(prepared, limits.directive().rateLimitDirectiveTransformer);
}

/** A wrapper that silently skips a field would open it: every policy row must have a new resolver afterwards. */
function requireWrapped(schema: GraphQLSchema, wrap: (schema: GraphQLSchema) => GraphQLSchema): GraphQLSchema {
  const before = new Map(fieldsOf(schema).map(([name, field]) => [name, field.resolve]));
  const wrapped = wrap(schema);
  const after = new Map(fieldsOf(wrapped).map(([name, field]) => [name, field.resolve]));
  for (const [type, field] of policyRows()) {
    const name = `${type}.${field}`;
    if (!after.get(name) || after.get(name) === before.get(name)) throw new Error(`${name} was not wrapped.`);
  }
  return wrapped;
}

/** The part of the schema that each host serves: the other hosts' fields do not exist there. Hosts with the same fields share it. */
export function schemasByHost(schema: GraphQLSchema): Record<Host, GraphQLSchema> {
  const ofFields = new Map<string, GraphQLSchema>();
  const partFor = (host: Host): GraphQLSchema => {
    const fields = policyRows().flatMap(([type, field, { hosts }]) =>
      hosts.includes(host) ? [`${type}.${field}`] : [],
    );
    const part = ofFields.get(fields.join()) ?? schemaForHost(schema, host);
    ofFields.set(fields.join(), part);
    return part;
  };
  return { uat: partFor('uat'), production: partFor('production'), console: partFor('console') };
}

function schemaForHost(schema: GraphQLSchema, host: Host): GraphQLSchema {
  const visible = mapSchema(schema, {
    [MapperKind.ROOT_FIELD]: (config, name, type) => (policy[type]?.[name]?.hosts.includes(host) ? config : null),
  });
  return pruneSchema(visible, { skipUnimplementedInterfacesPruning: true });
}
