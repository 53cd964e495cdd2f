import {
  type DocumentNode,
  type ExecutionResult,
  execute,
  type GraphQLError,
  type GraphQLSchema,
  type OperationDefinitionNode,
  OperationTypeNode,
  subscribe,
} from 'graphql';
import type { compileQuery } from 'graphql-jit';
import type { RequestContext } from '../../core/context.js';
import { AppError, type FieldProblem, validationError } from '../../core/errors.js';
import type { NotedOperation } from '../../core/request-notes.js';
import { ownTurn } from '../../core/turns.js';
import { type Charges, chargesOf, mayCharge } from '../documents/charges.js';
import { RowCosts } from '../documents/cost.js';
import { notedOperation } from '../documents/noted-operation.js';
import { placeOf } from '../documents/places.js';
import {
  inputProblemsOf,
  neverNullVariables,
  problemOfVariable,
  type RootField,
  rootFieldsOf,
  undeclaredVariables,
} from '../documents/values.js';
import { oversizedVariable } from '../documents/variable-size.js';
import type { KnownKeys } from '../schema/known-keys.js';
import type { RateLimits } from '../schema/limits.js';
import type { PolicyRow } from '../schema/policy.js';
import { refusalBeforeInput, unauthenticatedForAll } from '../schema/refusal-order.js';
import { CompiledQueries, type KeptDocuments } from './compile.js';
import { appErrorOf } from './format-error.js';
import { QueryWallet } from './query-wallet.js';

interface Prepared {
  roots: { row: PolicyRow; field: RootField }[];
  /** Every root field has a policy row (introspection has none). */
  governed: boolean;
  noted: NotedOperation;
  /** What it may charge, where that is the same every time. */
  charges?: Charges;
  /** Variables that may be left out but not be null; found out when the operation runs. */
  neverNull?: ReadonlySet<string>;
}

const NO_CHARGES: Charges = { calls: new Map(), problems: new Map(), fixed: true };
const STREAM_ONLY = 'A subscription is a stream of events: send it by POST with Accept: text/event-stream.';

/** What an execution came to: data and its errors, with the rows that were asked for, or the refusal of the whole request. */
export type Executed =
  | { result: ExecutionResult; rows?: number; refusal?: undefined }
  | { result?: undefined; rows?: undefined; refusal: AppError };

/**
 * Runs parsed and validated documents, REST's stored ones and clients' own alike: authentication first, then a compiled query
 * where that is safe, else graphql-js. The decision falls before anything runs, so that no mutation runs twice.
 */
export class Executor {
  readonly #schema: GraphQLSchema;
  readonly #limits: RateLimits;
  readonly #knownKeys: KnownKeys;
  readonly #compiled: CompiledQueries;
  readonly #costs: RowCosts;
  readonly #own = new WeakSet<OperationDefinitionNode>();
  /** Documents of callers live in the document store, which is bounded; entries die with them. */
  readonly #prepared = new WeakMap<OperationDefinitionNode, Prepared>();

  /** @param options kept: documents of callers that are worth compiling; compile: false interprets every document */
  constructor(
    schema: GraphQLSchema,
    limits: RateLimits,
    knownKeys: KnownKeys,
    { kept, compile }: { kept?: KeptDocuments; compile?: typeof compileQuery | false } = {},
  ) {
    this.#schema = schema;
    this.#limits = limits;
    this.#knownKeys = knownKeys;
    this.#compiled = new CompiledQueries(schema, kept, compile);
    this.#costs = new RowCosts(schema);
  }

  async run(
    document: DocumentNode,
    operation: OperationDefinitionNode,
    variables: Record<string, unknown>,
    context: RequestContext,
  ): Promise<Executed> {
    const refusal = this.unauthenticated(document, operation, context) ?? undeclared(operation, variables, context);
    if (refusal) return { refusal };
    if (operation.operation === OperationTypeNode.SUBSCRIPTION)
      return { refusal: new AppError('INVALID_DOCUMENT', { message: STREAM_ONLY, locations: [placeOf(operation)] }) };
    const prepared = this.#prepare(document, operation);
    const [, second] = prepared.roots.filter(({ row }) => row.money);
    if (second) {
      const message = 'At most one field of an operation may move money.';
      return { refusal: new AppError('INVALID_DOCUMENT', { message, locations: [second.field.place] }) };
    }
    const cost = this.#own.has(operation) ? { rows: 0 } : this.#costs.of(document, operation, variables);
    if (cost.refusal) return { refusal: cost.refusal };
    // the engine would read all of them, or disagree about them
    if (oversizedVariable(variables) !== undefined || this.#wrongNull(document, operation, variables) !== undefined)
      return this.refuse(document, operation, variables, [], context);
    const charges = this.#charges(document, operation, variables);
    if (charges.problems.size > 0) context.wrongBelow = charges.problems;
    if (operation.operation === OperationTypeNode.QUERY && context.host !== 'console')
      context.shownWallet = new QueryWallet(charges.calls);
    const compiled = this.#compiled.of(document, operation);
    const result = compiled
      ? ((await compiled.query(undefined, context, variables)) as ExecutionResult)
      : await execute({
          schema: this.#schema,
          document,
          contextValue: context,
          variableValues: variables,
          operationName: operation.name?.value,
        });
    // without data nothing ran: the variables did not fit
    if (result.data === undefined) return this.refuse(document, operation, variables, [], context, result.errors);
    return { result, rows: cost.rows };
  }

  /** The events of a subscription. Errors: AppError, when it is refused. */
  async subscribe(
    document: DocumentNode,
    operation: OperationDefinitionNode,
    variables: Record<string, unknown>,
    context: RequestContext,
  ): Promise<AsyncIterable<ExecutionResult>> {
    const refusal = this.unauthenticated(document, operation, context) ?? undeclared(operation, variables, context);
    if (refusal) throw refusal;
    const cost = this.#costs.of(document, operation, variables);
    if (cost.refusal) throw cost.refusal;
    if (oversizedVariable(variables) !== undefined || this.#wrongNull(document, operation, variables) !== undefined)
      throw await this.refuseInput(document, operation, variables, context);
    const stream = await subscribe({
      schema: this.#schema,
      document,
      contextValue: context,
      variableValues: variables,
      operationName: operation.name?.value,
    });
    if (Symbol.asyncIterator in stream) return stream;
    const [error] = stream.errors ?? [];
    // its source refused it; else its variables did not fit
    if (error?.path) throw appErrorOf(error);
    throw await this.refuseInput(document, operation, variables, context, stream.errors);
  }

  /** Our own documents are compiled for every caller, and may ask for as many rows as they do. */
  trust(operation: OperationDefinitionNode): void {
    this.#own.add(operation);
    this.#compiled.trust(operation);
  }

  /** The operation of a valid document as logs and metrics name it. */
  noted(document: DocumentNode, operation: OperationDefinitionNode): NotedOperation {
    return this.#prepare(document, operation).noted;
  }

  /** The refusal of a caller who may use none of the operation's fields without signing in. */
  unauthenticated(
    document: DocumentNode,
    operation: OperationDefinitionNode,
    context: RequestContext,
  ): AppError | undefined {
    const { roots, governed } = this.#prepare(document, operation);
    if (!governed) return undefined;
    return unauthenticatedForAll(
      roots.map(({ row }) => row),
      context,
    );
  }

  /**
   * The refusal of a request whose values do not fit, or what its fields have to tell of orders that are known.
   *
   * @param known problems of values that are not among the variables
   */
  async refuse(
    document: DocumentNode,
    operation: OperationDefinitionNode,
    variables: Record<string, unknown>,
    known: readonly FieldProblem[],
    context: RequestContext,
    errors?: readonly GraphQLError[],
  ): Promise<Executed> {
    const refusal = await this.refuseInput(document, operation, variables, context, errors, known);
    const result = await this.answerInstead(refusal, document, operation, variables, context);
    return result ? { result } : { refusal };
  }

  /** What a refused operation has to tell of orders that are known; see KnownKeys. */
  answerInstead(
    refusal: AppError,
    document: DocumentNode,
    operation: OperationDefinitionNode,
    variables: Record<string, unknown>,
    context: RequestContext,
  ): Promise<ExecutionResult | undefined> {
    const roots = this.#prepare(document, operation).roots.map(({ field }) => field);
    return this.#knownKeys.answerInstead(refusal, this.#schema, document, operation, roots, variables, context);
  }

  /**
   * Why a request whose values do not fit is refused: by the order of all refusals, and last for its fields. Also for literals that
   * document validation refused.
   */
  async refuseInput(
    document: DocumentNode,
    operation: OperationDefinitionNode,
    variables: Record<string, unknown>,
    context: RequestContext,
    errors: readonly GraphQLError[] = [],
    known: readonly FieldProblem[] = [],
  ): Promise<AppError> {
    const { roots } = this.#prepare(document, operation);
    const asked = roots.map(({ row, field }) => ({ row, args: field.args(variables) }));
    const refusal = await refusalBeforeInput(asked, context, this.#limits);
    if (refusal) return refusal;
    await ownTurn(context.host, { goesOn: true });
    const others = inputProblemsOf(this.#schema, document, operation, variables);
    const problems = [...known, ...others.filter(({ path }) => !known.some((problem) => problem.path === path))];
    if (problems.length > 0) return validationError(problems);
    const oversized = oversizedVariable(variables);
    if (oversized !== undefined)
      return validationError([problemOfVariable(operation, oversized, 'ITEMS', 'The variables hold too many values.')]);
    const missing = this.#wrongNull(document, operation, variables);
    if (missing !== undefined)
      return validationError([problemOfVariable(operation, missing, 'NULL', 'Must not be null: leave it out.')]);
    // an engine refused a value and nobody knows more: its own text would quote the value
    const locations = errors.flatMap((error) => error.locations ?? []);
    return new AppError('INVALID_DOCUMENT', { cause: errors[0], locations });
  }

  #prepare(document: DocumentNode, operation: OperationDefinitionNode): Prepared {
    let prepared = this.#prepared.get(operation);
    if (!prepared) {
      const fields = rootFieldsOf(this.#schema, document, operation);
      const roots = fields.flatMap((field) => (field.row ? [{ row: field.row, field }] : []));
      prepared = { roots, governed: roots.length === fields.length, noted: notedOperation(operation, fields) };
      this.#prepared.set(operation, prepared);
    }
    return prepared;
  }

  #charges(document: DocumentNode, operation: OperationDefinitionNode, variables: Record<string, unknown>): Charges {
    const prepared = this.#prepare(document, operation);
    if (prepared.charges) return prepared.charges;
    if (!prepared.roots.some(({ row }) => mayCharge(row))) return (prepared.charges = NO_CHARGES);
    const charges = chargesOf(this.#schema, document, operation, variables);
    if (charges.fixed) prepared.charges = charges;
    return charges;
  }

  /** A variable that was given as null where that does not mean that it is left out. */
  #wrongNull(
    document: DocumentNode,
    operation: OperationDefinitionNode,
    variables: Record<string, unknown>,
  ): string | undefined {
    const prepared = this.#prepare(document, operation);
    prepared.neverNull ??= neverNullVariables(this.#schema, document, operation);
    return [...prepared.neverNull].find((name) => variables[name] === null);
  }
}

/**
 * The specification lets a service ignore variables that its operation does not declare, and the API hosts do. On the console a
 * misspelt one would make a filter nothing, and the page show everything beside the buttons that decide about it.
 */
function undeclared(
  operation: OperationDefinitionNode,
  variables: Record<string, unknown>,
  { host }: RequestContext,
): AppError | undefined {
  const names = host === 'console' ? undeclaredVariables(operation, variables) : [];
  if (names.length === 0) return undefined;
  const message = `The operation declares no variable ${names.join(', ')}.`;
  return new AppError('INVALID_DOCUMENT', { message, locations: [placeOf(operation)] });
}
