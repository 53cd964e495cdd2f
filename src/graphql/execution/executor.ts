import {
  type DocumentNode,
  type ExecutionArgs,
  type ExecutionResult,
  execute,
  type GraphQLError,
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInputType,
  isLeafType,
  isNonNullType,
  isSpecifiedScalarType,
  type OperationDefinitionNode,
  OperationTypeNode,
  parse,
  type SelectionNode,
  subscribe,
  typeFromAST,
  visit,
} from 'graphql';
import { type CompiledQuery, compileQuery, isCompiledQuery } from 'graphql-jit';
import type { RequestContext } from '../../core/context.js';
import { AppError } from '../../core/errors.js';
import { placeOf, RequestVariables } from '../../graphql-toolkit/document-value.js';
import { RowCosts } from '../documents/cost.js';
import { fieldsIn, fragmentsOf, isIncluded } from '../documents/fields.js';
import type { OperationErrors, RequestedOperation } from '../documents/operation-errors.js';
import { measureDocument } from '../documents/size.js';
import type { DocumentCache } from '../documents/store.js';
import { RATE_LIMIT } from '../schema/rate-limit.resolver.js';
import { appErrorOf } from './format-error.js';
import { QueryWallet } from './query-wallet.js';

const STREAM_ONLY =
  'Subscriptions require a stream. Send the request by POST with Accept: text/event-stream or multipart/mixed;subscriptionSpec=1.0.';

/** Result of an execution: data, errors and the number of requested rows, or the error for the whole request. */
export type ExecutionOutcome =
  | { result: ExecutionResult; rows?: number; rejection?: undefined; isValueError?: undefined }
  | { result?: undefined; rows?: undefined; rejection: AppError; isValueError?: boolean };

/**
 * Runs operations of valid documents, both the stored ones of REST and those of clients. It checks authentication first, then
 * runs a compiled query if this is safe, otherwise graphql-js. The engine is selected before anything runs, so that no mutation
 * runs twice.
 */
export class Executor {
  readonly #compiled: CompiledQueries;
  readonly #costs: RowCosts;
  readonly #trusted = new WeakSet<OperationDefinitionNode>();

  /**
   * Creates the executor.
   * @param options kept: documents of callers that are worth compiling; compile: false interprets every document
   */
  constructor(
    private readonly operationErrors: OperationErrors,
    { kept: cache, compile }: { kept?: DocumentCache; compile?: typeof compileQuery | false } = {},
  ) {
    this.#compiled = new CompiledQueries(operationErrors.schema, cache, compile);
    this.#costs = new RowCosts(operationErrors.schema);
  }

  /** Marks one of our own documents. It is compiled for every caller and has no row limit. */
  trust(operation: OperationDefinitionNode): void {
    this.#trusted.add(operation);
    this.#compiled.trust(operation);
  }

  async run(requested: RequestedOperation, context: RequestContext): Promise<ExecutionOutcome> {
    const { document, operation, variables } = requested;
    const rejection = this.operationErrors.errorBeforeValues(requested, context);
    if (rejection) return { rejection };
    if (operation.operation === OperationTypeNode.SUBSCRIPTION)
      return { rejection: new AppError('INVALID_DOCUMENT', { message: STREAM_ONLY, locations: [placeOf(operation)] }) };
    const prepared = this.operationErrors.prepare(requested);
    const [, secondPayment] = prepared.roots.filter(({ row }) => row.money);
    if (secondPayment) {
      const message = 'An operation can contain at most one field that moves money.';
      return { rejection: new AppError('INVALID_DOCUMENT', { message, locations: [secondPayment.field.place] }) };
    }
    const cost = this.#trusted.has(operation) ? { rows: 0 } : this.#costs.of(document, operation, variables);
    if (cost.rejection) return { rejection: cost.rejection };
    if (this.operationErrors.problemOfVariables(requested)) return this.#reject(requested, context);
    const charges = prepared.charges(variables);
    if (charges.problems.size > 0) context.nestedProblems = charges.problems;
    if (operation.operation === OperationTypeNode.QUERY && context.host !== 'console')
      context.responseWallet = new QueryWallet(charges.calls);
    const compiled = this.#compiled.of(document, operation);
    const result = compiled
      ? ((await compiled.query(undefined, context, variables)) as ExecutionResult)
      : await execute(this.#argumentsOf(requested, context));
    // without data, nothing ran because the variables are invalid
    if (result.data === undefined) return this.#reject(requested, context, result.errors);
    if (result.data && prepared.roots.some(({ field }) => field.name === RATE_LIMIT))
      Object.assign(result.data, await this.#rateLimits(requested, context));
    return { result, rows: cost.rows };
  }

  /** Runs the root fields `rateLimit` again after all other fields have run and were counted. */
  async #rateLimits(requested: RequestedOperation, context: RequestContext): Promise<ExecutionResult['data']> {
    const { document, operation, variables } = requested;
    const requestVariables = new RequestVariables(operation, variables);
    const isRun = (selection: SelectionNode): boolean => isIncluded(selection, requestVariables);
    const selections = fieldsIn([operation.selectionSet], fragmentsOf(document), isRun)
      .map(({ node }) => node)
      .filter(({ name }) => name.value === RATE_LIMIT);
    const limits = { ...operation, selectionSet: { ...operation.selectionSet, selections } };
    const definitions = document.definitions.map((definition) => (definition === operation ? limits : definition));
    const rateLimitRequest = { document: { ...document, definitions }, operation: limits, variables };
    return (await execute(this.#argumentsOf(rateLimitRequest, context))).data;
  }

  /** Returns the events of a subscription. Throws AppError if the subscription is rejected. */
  async subscribe(requested: RequestedOperation, context: RequestContext): Promise<AsyncIterable<ExecutionResult>> {
    const rejection =
      this.operationErrors.errorBeforeValues(requested, context) ??
      this.#costs.of(requested.document, requested.operation, requested.variables).rejection;
    if (rejection) throw rejection;
    if (this.operationErrors.problemOfVariables(requested))
      throw await this.operationErrors.errorOfValues(requested, context);
    const stream = await subscribe(this.#argumentsOf(requested, context));
    if (Symbol.asyncIterator in stream) return stream;
    const { errors } = stream;
    // either the source of the events rejected the subscription, or its variables are invalid
    if (errors?.[0]?.path) throw appErrorOf(errors[0]);
    throw await this.operationErrors.errorOfValues(requested, context, { errors });
  }

  async #reject(
    requested: RequestedOperation,
    context: RequestContext,
    errors?: readonly GraphQLError[],
  ): Promise<ExecutionOutcome> {
    return { rejection: await this.operationErrors.errorOfValues(requested, context, { errors }), isValueError: true };
  }

  #argumentsOf({ document, operation, variables }: RequestedOperation, contextValue: RequestContext): ExecutionArgs {
    return {
      schema: this.operationErrors.schema,
      document,
      operationName: operation.name?.value,
      variableValues: variables,
      contextValue,
    };
  }
}

/**
 * The reasons to use the JIT are in docs/decisions/0001-jit-behind-a-guard.md. `GRAPHQL_JIT=false` disables it. The responses
 * are identical in both cases; `npm run fuzz` compares them for ten thousand random operations.
 */

/**
 * Number of uses before compilation. A document is compiled on its third use, because compiling costs more than interpreting it
 * once.
 */
const COMPILE_AFTER_USES = 2;

const ALL_CACHED: DocumentCache = { isCached: () => true, noteCompiled() {} };

interface Use {
  /** Number of uses; only counted for our own documents. */
  count: number;
  /** Compiled query; null if the operation is always interpreted. */
  compiled?: CompiledQuery | null;
}

/** Compiled operations that are frequently used. */
export class CompiledQueries {
  /**
   * Uses of operations. Entries are removed together with their documents, which are in the document store. The store is
   * bounded.
   */
  readonly #uses = new WeakMap<OperationDefinitionNode, Use>();
  readonly #trusted = new WeakSet<OperationDefinitionNode>();

  /**
   * Creates the cache.
   * @param compile false interprets every document
   */
  constructor(
    private readonly schema: GraphQLSchema,
    private readonly cache: DocumentCache = ALL_CACHED,
    private readonly compile: typeof compileQuery | false = compileQuery,
  ) {}

  /** Marks one of our own documents. It is compiled for every caller. */
  trust(operation: OperationDefinitionNode): void {
    this.#trusted.add(operation);
  }

  /** Returns the compiled query, or undefined if the operation must be interpreted this time. */
  of(document: DocumentNode, operation: OperationDefinitionNode): CompiledQuery | undefined {
    if (!this.compile) return undefined;
    let use = this.#uses.get(operation);
    if (!use) this.#uses.set(operation, (use = { count: 0 }));
    // compiling costs as much as hundreds of requests, so documents of anonymous callers, rejected documents and documents that
    // are used once are never compiled
    if (
      use.compiled === undefined &&
      (this.#trusted.has(operation) ? ++use.count > COMPILE_AFTER_USES : this.cache.isCached(document))
    ) {
      use.compiled = this.#tryCompile(this.compile, document, operation);
      if (use.compiled) this.cache.noteCompiled(document);
    }
    return use.compiled ?? undefined;
  }

  #tryCompile(
    compile: typeof compileQuery,
    document: DocumentNode,
    operation: OperationDefinitionNode,
  ): CompiledQuery | null {
    const source = document.loc?.source.body;
    if (!source || !isCompilable(this.schema, document)) return null;
    try {
      // graphql-jit modifies the tree that it compiles
      const compiled = compile(this.schema, parse(source), operation.name?.value);
      return isCompiledQuery(compiled) ? compiled : null;
    } catch {
      return null;
    }
  }
}

/**
 * Maximum size of a compiled operation. Compile time grows with the square of the number of fields: 60 fields take 3 ms, 180
 * take 40 ms, which is more than compiling would save.
 */
const MAX_COMPILED_FIELDS = 100;

/** Returns whether an input has a required field with a default. graphql-jit rejects an input object that omits such a field. */
function hasRequiredDefault(type: GraphQLInputType, visited = new Set<GraphQLInputType>()): boolean {
  const namedType = getNamedType(type);
  if (!isInputObjectType(namedType) || visited.has(namedType)) return false;
  visited.add(namedType);
  return Object.values(namedType.getFields()).some(
    (field) =>
      (isNonNullType(field.type) && field.defaultValue !== undefined) || hasRequiredDefault(field.type, visited),
  );
}

/**
 * Returns whether graphql-jit compiles the document so that its results are identical to those of graphql-js. graphql-jit joins
 * paths with "_" to name resolve infos, treats variable defaults differently, and does not support introspection. If a document
 * has conditions, it merges repeated selections of an object and loses their conditions; in such a document, no fragment and no
 * object may be selected twice.
 */
function isCompilable(schema: GraphQLSchema, document: DocumentNode): boolean {
  if (measureDocument(document).fields > MAX_COMPILED_FIELDS) return false;
  let compilable = true;
  let conditional = false;
  let isRepeated = false;
  const names = new Set<string>();
  const noteName = (name: string): void => {
    if (names.has(name)) isRepeated = true;
    names.add(name);
  };
  visit(document, {
    Field({ alias, name, selectionSet }) {
      if (selectionSet) noteName(`field ${(alias ?? name).value}`);
      if (alias && /_|^idx\d/.test(alias.value)) compilable = false;
      if (name.value === '__schema' || name.value === '__type') compilable = false;
    },
    VariableDefinition({ defaultValue, type: node }) {
      const type = typeFromAST(schema, node as never);
      if (isInputType(type) && hasRequiredDefault(type)) compilable = false;
      if (!defaultValue) return;
      if (!type || isNonNullType(type) || !isLeafType(type) || !(isEnumType(type) || isSpecifiedScalarType(type)))
        compilable = false;
    },
    Directive({ name }) {
      if (name.value === 'skip' || name.value === 'include') conditional = true;
    },
    FragmentSpread({ name }) {
      noteName(`fragment ${name.value}`);
    },
  });
  return compilable && !(conditional && isRepeated);
}
