import { MapperKind, mapSchema } from '@graphql-tools/utils';
import {
  defaultFieldResolver,
  type GraphQLField,
  type GraphQLFieldConfig,
  type GraphQLInterfaceType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  GraphQLSchema,
  isObjectType,
  isUnionType,
  specifiedDirectives,
} from 'graphql';
import { buildSchemaSync, type NonEmptyArray, type PubSub } from 'type-graphql';
import type { RequestContext } from '../../core/context.js';
import type { Surface } from '../../core/environment.js';
import { AppError, validationError } from '../../core/errors.js';
import type { LoadNode, NodeLoaders, Resolvers, Sources } from '../../core/room.js';
import { asConsoleRead, asConsoleReads } from '../../db/pool.js';
import { checkArguments } from '../../graphql-toolkit/input.js';
import { type FoundNode, nodeIdOf, nodeKindOf, type UnionMember } from '../../graphql-toolkit/node.js';
import { forbidden } from './access.js';
import { rateLimitDirective, withAccessDirective } from './documented.js';
import { documentedLimit, type RateLimits } from './limits.js';
import { AuditSubjectResolver, NodeResolver } from './node.resolver.js';
import { consoleNodes, type PolicyRow, type PolicyTable, policies } from './policy.js';
import { RateLimitResolver } from './rate-limit.resolver.js';
import { type AnyRule, allow, applyMiddleware, deny, rule, shield } from './shield.js';
import { keyProblems, takesKey, type UsedKeys, withHeaderKey } from './used-keys.js';
import { ViewerPermissionsResolver } from './viewer-permissions.resolver.js';

type ResolverClass = new (...args: never[]) => object;

const ROOT_TYPES = ['Query', 'Mutation', 'Subscription'];

/**
 * Builds the schema of each surface with the rules of its policy table.
 * @param parts resolver instances; each class is instantiated once, in app.ts
 */
export function buildSchemas(
  { resolvers, nodes, sources }: { resolvers: Resolvers; nodes: NodeLoaders; sources: Sources },
  limits: RateLimits,
  knownKeys: UsedKeys,
): Record<Surface, GraphQLSchema> {
  const schemaOf = (surface: Surface, others: readonly GraphQLNamedType[] = []): GraphQLSchema => {
    const loaders = surface === 'console' ? withAccessChecks(nodes.console) : nodes.api;
    const consoleResolvers =
      surface === 'console' ? [new AuditSubjectResolver(loaders), new ViewerPermissionsResolver()] : [];
    const bare = withoutOtherSurfaces(
      bareSchema([
        ...resolvers[surface],
        new NodeResolver(loaders),
        new RateLimitResolver(limits),
        ...consoleResolvers,
      ]),
      surface,
      others,
    );
    const secured = secureSchema(withSources(bare, surface, sources[surface]), surface, limits);
    return withAccessDirective(withNodeIds(secured, nodes[surface]), surface);
  };
  const consoleSchema = schemaOf('console');
  // errors contain their codes in `extensions`, so no field of the API references this type
  const api = schemaOf('api', [consoleSchema.getType('ErrorCode')!]);
  return { api: knownKeys.protect(api), console: consoleSchema };
}

/**
 * Wraps the loaders of nodes. Objects that a user cannot read in a list cannot be read by ID either. Throws for a node that no
 * policy row covers.
 */
function withAccessChecks(loaders: Readonly<Record<string, LoadNode>>): Readonly<Record<string, LoadNode>> {
  const guarded = Object.entries(loaders).map(([type, load]): [string, LoadNode] => {
    const row = consoleNodes[type];
    if (!row) throw new Error(`The policy has no row for reading a ${type} by its ID.`);
    return [type, async (key, context) => (forbidden(row, context) ? undefined : load(key, context))];
  });
  return Object.fromEntries(guarded);
}

/** Resolver of subscriptions, which is never called. Subscriptions get their events from sources; see `withSources`. */
const unused = (): never => {
  throw new Error('Topics are not supported.');
};
const noTopics: PubSub = { publish: unused, subscribe: unused };

function bareSchema(resolvers: readonly object[]): GraphQLSchema {
  const instances = new Map(resolvers.map((resolver) => [resolver.constructor, resolver]));
  const schema = buildSchemaSync({
    resolvers: [...instances.keys()] as unknown as NonEmptyArray<ResolverClass>,
    container: { get: (resolverClass) => instances.get(resolverClass) },
    validate: false,
    pubSub: noTopics,
    directives: [...specifiedDirectives, rateLimitDirective],
  });
  return withoutTrivialResolvers(schema);
}

/**
 * Removes what belongs only to the other surface. After the first schema is built, type-graphql permanently keeps field
 * resolvers with their types. This function removes fields that belong only to the other surface from shared types, and types
 * that nothing else references.
 * @param others types to keep although no field references them
 */
function withoutOtherSurfaces(
  schema: GraphQLSchema,
  surface: Surface,
  others: readonly GraphQLNamedType[],
): GraphQLSchema {
  const ownPolicies = policies[surface];
  const policyRows = Object.values(policies).flatMap(rowsOf);
  for (const [name, field] of policyRows) {
    const type = schema.getType(name);
    if (isObjectType(type) && !ROOT_TYPES.includes(name) && !ownPolicies[name]?.[field]) delete type.getFields()[field];
  }
  return new GraphQLSchema({ ...schema.toConfig(), types: others });
}

/** Removes resolvers that only read a property, because the engine reads properties faster. */
function withoutTrivialResolvers(schema: GraphQLSchema): GraphQLSchema {
  for (const [, field] of fieldsOf(schema)) if (field.resolve === defaultFieldResolver) delete field.resolve;
  return schema;
}

/** Returns all "Type.field" names of the object types that the schema defines. */
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

const rowsOf = (table: PolicyTable): [string, string, PolicyRow][] =>
  Object.entries(table).flatMap(([type, rows]) =>
    Object.entries(rows).map(([field, row]): [string, string, PolicyRow] => [type, field, row]),
  );

/** Adds the rules of the surface's policy table to its schema. Throws if the table and the schema have different fields. */
export function secureSchema(bare: GraphQLSchema, surface: Surface, limits: RateLimits): GraphQLSchema {
  checkPolicyCovers(bare, policies[surface]);
  return withRules(bare, surface, policies[surface], limits);
}

/**
 * Adds the rules of a policy table to each field with a resolver and to each subscription. The input check is innermost, followed
 * by access (graphql-shield) and the rate limit. A root field without a row is denied. Throws if a library skips a field with a
 * row.
 */
export function withRules(
  bare: GraphQLSchema,
  surface: Surface,
  table: PolicyTable,
  limits: RateLimits,
): GraphQLSchema {
  const checked = withInputChecks(withSubscribeAsResolve(bare));
  const restricted = withRateLimits(withAccessRules(checked, table), surface, table, limits);
  return withSubscribeAsResolve(surface === 'console' ? withConsoleReads(restricted) : withEndsOfCalls(restricted));
}

/**
 * Swaps `subscribe` and `resolve` of each subscription; a second call restores them. Both libraries wrap only `resolve`, but the
 * checks of a subscription must run once at its start, which is in `subscribe`. Its `resolve` runs for each event.
 */
function withSubscribeAsResolve(schema: GraphQLSchema): GraphQLSchema {
  for (const field of Object.values(schema.getSubscriptionType()?.getFields() ?? {}))
    [field.resolve, field.subscribe] = [field.subscribe, field.resolve];
  return schema;
}

/** Connects each subscription to its event source. Throws if subscriptions and sources have different names. */
function withSources(schema: GraphQLSchema, surface: Surface, sources: Sources[Surface]): GraphQLSchema {
  const fields = schema.getSubscriptionType()?.getFields() ?? {};
  const namesOf = (object: object): string => Object.keys(object).toSorted().join();
  if (namesOf(fields) !== namesOf(sources)) throw new Error('The names of subscriptions and of their sources differ.');
  for (const field of Object.values(fields)) {
    field.subscribe = async (_source, values: Record<string, unknown>, context: RequestContext) => {
      const events = await sources[field.name]!(values, context);
      const row = policies[surface].Subscription![field.name]!;
      return whileAllowed(row, context, surface === 'console' ? asConsoleReads(events) : events);
    };
  }
  return schema;
}

/**
 * Passes on events while the caller is allowed to use the field. The caller is identified again before each event, because an
 * event may arrive long after the start of the stream. Throws AppError instead of the event.
 */
async function* whileAllowed(row: PolicyRow, context: RequestContext, events: AsyncIterable<unknown>): AsyncGenerator {
  for await (const event of events) {
    const rejection = forbidden(row, { ...context, ...(await context.reidentify?.()) });
    if (rejection) throw rejection;
    yield event;
  }
}

/**
 * Adds the type prefix to IDs, because source objects contain only the key of their record. Throws for a type without a loader.
 */
function withNodeIds(schema: GraphQLSchema, loaders: Readonly<Record<string, LoadNode>>): GraphQLSchema {
  // this function is synchronous, because the function of type-graphql is asynchronous, and a compiled query does not wait for
  // it
  (schema.getType('Node') as GraphQLInterfaceType).resolveType = ({ nodeType }: FoundNode) => nodeType;
  // this function is synchronous, because the function of type-graphql is asynchronous, and the JIT does not wait for it
  for (const type of Object.values(schema.getTypeMap()))
    if (isUnionType(type)) type.resolveType = ({ unionType }: UnionMember) => unionType;
  for (const type of Object.values(schema.getTypeMap())) {
    const kind = isObjectType(type) ? nodeKindOf(type.name) : undefined;
    if (!kind) continue;
    if (!loaders[type.name]) throw new Error(`There is no loader for a ${type.name} by its ID.`);
    (type as GraphQLObjectType).getFields().id!.resolve = (source) => nodeIdOf(kind, source as object);
  }
  return schema;
}

/** Resolves all fields except mutations over the read connections of the console. */
function withConsoleReads(schema: GraphQLSchema): GraphQLSchema {
  const mutations = new Set(Object.values(schema.getMutationType()?.getFields() ?? {}));
  for (const [, field] of fieldsOf(schema)) {
    const { resolve } = field;
    if (resolve && !mutations.has(field))
      field.resolve = (...parameters) => asConsoleRead(() => resolve(...parameters));
  }
  return schema;
}

/**
 * Makes each charged call report its end, because the response to a query shows the wallet after the last of its charged calls.
 */
function withEndsOfCalls(schema: GraphQLSchema): GraphQLSchema {
  const roots = schema.getQueryType()?.getFields() ?? {};
  for (const [, field] of fieldsOf(schema)) {
    const { resolve } = field;
    if (!resolve || !(field.extensions.policy as PolicyRow | undefined)?.fee) continue;
    const isRoot = roots[field.name] === field;
    field.resolve = (source, args, context, info) => {
      const run = () => resolve(source, args, context, info);
      return context.responseWallet
        ? context.responseWallet.call(run, isRoot ? String(info.path.key) : undefined)
        : run();
    };
  }
  return schema;
}

function checkPolicyCovers(schema: GraphQLSchema, table: PolicyTable): void {
  const resolved = new Set(
    fieldsOf(schema).flatMap(([name, field]) => (field.resolve || field.subscribe ? [name] : [])),
  );
  const policyNames = new Set(rowsOf(table).map(([type, field]) => `${type}.${field}`));
  for (const name of resolved) if (!policyNames.has(name)) throw new Error(`${name} has a resolver but no policy row.`);
  for (const name of policyNames) if (!resolved.has(name)) throw new Error(`The policy row ${name} has no resolver.`);
}

function withInputChecks(schema: GraphQLSchema): GraphQLSchema {
  for (const [name, field] of fieldsOf(schema)) {
    const { resolve, args, extensions } = field;
    const isRoot = ROOT_TYPES.includes(name.split('.')[0]!);
    if (!resolve || (args.length === 0 && !isRoot)) continue;
    const canHaveKey = takesKey(field);
    field.resolve = (source, input, context, info) => {
      const requested = canHaveKey ? withHeaderKey(input, context) : input;
      const { values, problems } = checkArguments(args, requested, extensions, false);
      if (canHaveKey) problems.push(...keyProblems(input, context));
      if (isRoot) problems.push(...(context.nestedProblems?.get(String(info.path.key)) ?? []));
      if (problems.length > 0) throw validationError(problems);
      return resolve(source, values, context, info);
    };
  }
  return schema;
}

function withAccessRules(schema: GraphQLSchema, table: PolicyTable): GraphQLSchema {
  const tree: Record<string, Record<string, AnyRule>> = {};
  for (const type of Object.values(schema.getTypeMap()).filter(isObjectType))
    tree[type.name] = ROOT_TYPES.includes(type.name) ? {} : { '*': allow };
  for (const [type, field, row] of rowsOf(table)) {
    const check = (_source: unknown, _args: unknown, context: RequestContext) => forbidden(row, context) ?? true;
    tree[type]![field] = rule(`${type}.${field}`, { cache: 'no_cache' })(check);
  }
  const generated = shield(tree, {
    allowExternalErrors: true,
    fallbackRule: deny,
    fallbackError: () => new AppError('FORBIDDEN'),
  }).generate(schema) as Record<string, Record<string, unknown>>;
  // shield would wrap the fields that '*' allows as well, which costs time without a benefit
  const middleware: Record<string, Record<string, unknown>> = {};
  for (const type of ROOT_TYPES) if (generated[type]) middleware[type] = generated[type];
  for (const [type, field] of rowsOf(table)) (middleware[type] ??= {})[field] = generated[type]![field];
  return requireWrapped(schema, table, (unwrapped) => applyMiddleware(unwrapped, middleware as never));
}

function withRateLimits(
  schema: GraphQLSchema,
  surface: Surface,
  table: PolicyTable,
  limits: RateLimits,
): GraphQLSchema {
  const prepared = mapSchema(schema, {
    [MapperKind.OBJECT_FIELD]: (config: GraphQLFieldConfig<unknown, RequestContext>, name, type) => {
      const row = table[type]?.[name];
      if (!row) return config;
      const options = limits.fieldOptions(row, !ROOT_TYPES.includes(type));
      return {
        ...config,
        extensions: {
          ...config.extensions,
          directives: { rateLimit: documentedLimit(row, surface) },
          rateLimit: options,
          policy: row,
        },
      };
    },
  });
  const limited = requireWrapped(prepared, table, limits.directive().rateLimitDirectiveTransformer);
  for (const [, field] of fieldsOf(limited)) withoutUntrueLimit(field);
  return limited;
}

/**
 * Removes the rate limit from the description of uncounted fields. A field that is never counted has no rate limit, so the
 * schema must not document one.
 */
function withoutUntrueLimit(field: GraphQLField<unknown, RequestContext>): void {
  if ((field.extensions.policy as PolicyRow | undefined)?.counts !== 'never') return;
  const { directives: _limit, ...others } = field.extensions;
  field.extensions = others;
}

/** Throws if a field with a policy row has no new resolver. A wrapper that silently skips a field would leave it unprotected. */
function requireWrapped(
  schema: GraphQLSchema,
  table: PolicyTable,
  wrap: (schema: GraphQLSchema) => GraphQLSchema,
): GraphQLSchema {
  const resolversBefore = new Map(fieldsOf(schema).map(([name, field]) => [name, field.resolve]));
  const wrapped = wrap(schema);
  const resolversAfter = new Map(fieldsOf(wrapped).map(([name, field]) => [name, field.resolve]));
  for (const [type, field] of rowsOf(table)) {
    const name = `${type}.${field}`;
    if (!resolversAfter.get(name) || resolversAfter.get(name) === resolversBefore.get(name))
      throw new Error(`${name} was not wrapped.`);
  }
  return wrapped;
}
