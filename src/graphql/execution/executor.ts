import {
  type ExecutionArgs,
  type ExecutionResult,
  execute,
  type GraphQLError,
  type OperationDefinitionNode,
  OperationTypeNode,
  subscribe,
} from 'graphql';
import type { compileQuery } from 'graphql-jit';
import type { RequestContext } from '../../core/context.js';
import { AppError } from '../../core/errors.js';
import { placeOf } from '../../graphql-toolkit/written.js';
import { RowCosts } from '../documents/cost.js';
import type { AskedOperation } from '../documents/prepared.js';
import type { Refusals } from '../documents/refusals.js';
import type { KeptDocuments } from '../documents/store.js';
import { CompiledQueries } from './compile.js';
import { appErrorOf } from './format-error.js';
import { QueryWallet } from './query-wallet.js';

const STREAM_ONLY = 'A subscription is a stream of events: send it by POST with Accept: text/event-stream.';

/** What an execution came to: data and its errors, with the rows that were asked for, or the refusal of the whole request. */
export type Executed =
  | { result: ExecutionResult; rows?: number; refusal?: undefined; ofValues?: undefined }
  | { result?: undefined; rows?: undefined; refusal: AppError; ofValues?: boolean };

/**
 * Runs operations of valid documents, REST's stored ones and clients' own alike: authentication first, then a compiled query where
 * that is safe, else graphql-js. The decision falls before anything runs, so that no mutation runs twice.
 */
export class Executor {
  readonly #compiled: CompiledQueries;
  readonly #costs: RowCosts;
  readonly #own = new WeakSet<OperationDefinitionNode>();

  /** @param options kept: documents of callers that are worth compiling; compile: false interprets every document */
  constructor(
    private readonly refusals: Refusals,
    { kept, compile }: { kept?: KeptDocuments; compile?: typeof compileQuery | false } = {},
  ) {
    this.#compiled = new CompiledQueries(refusals.schema, kept, compile);
    this.#costs = new RowCosts(refusals.schema);
  }

  /** Our own documents are compiled for every caller, and may ask for as many rows as they do. */
  trust(operation: OperationDefinitionNode): void {
    this.#own.add(operation);
    this.#compiled.trust(operation);
  }

  async run(asked: AskedOperation, context: RequestContext): Promise<Executed> {
    const { document, operation, variables } = asked;
    const refusal = this.refusals.beforeValues(asked, context);
    if (refusal) return { refusal };
    if (operation.operation === OperationTypeNode.SUBSCRIPTION)
      return { refusal: new AppError('INVALID_DOCUMENT', { message: STREAM_ONLY, locations: [placeOf(operation)] }) };
    const prepared = this.refusals.prepared(asked);
    const [, second] = prepared.roots.filter(({ row }) => row.money);
    if (second) {
      const message = 'At most one field of an operation may move money.';
      return { refusal: new AppError('INVALID_DOCUMENT', { message, locations: [second.field.place] }) };
    }
    const cost = this.#own.has(operation) ? { rows: 0 } : this.#costs.of(document, operation, variables);
    if (cost.refusal) return { refusal: cost.refusal };
    if (this.refusals.ofVariables(asked)) return this.#refuse(asked, context);
    const charges = prepared.charges(variables);
    if (charges.problems.size > 0) context.wrongBelow = charges.problems;
    if (operation.operation === OperationTypeNode.QUERY && context.host !== 'console')
      context.shownWallet = new QueryWallet(charges.calls);
    const compiled = this.#compiled.of(document, operation);
    const result = compiled
      ? ((await compiled.query(undefined, context, variables)) as ExecutionResult)
      : await execute(this.#argumentsOf(asked, context));
    // without data nothing ran: the variables did not fit
    if (result.data === undefined) return this.#refuse(asked, context, result.errors);
    return { result, rows: cost.rows };
  }

  /** The events of a subscription. Errors: AppError, when it is refused. */
  async subscribe(asked: AskedOperation, context: RequestContext): Promise<AsyncIterable<ExecutionResult>> {
    const refusal =
      this.refusals.beforeValues(asked, context) ??
      this.#costs.of(asked.document, asked.operation, asked.variables).refusal;
    if (refusal) throw refusal;
    if (this.refusals.ofVariables(asked)) throw await this.refusals.ofValues(asked, context);
    const stream = await subscribe(this.#argumentsOf(asked, context));
    if (Symbol.asyncIterator in stream) return stream;
    const { errors } = stream;
    // its source refused it; else its variables did not fit
    if (errors?.[0]?.path) throw appErrorOf(errors[0]);
    throw await this.refusals.ofValues(asked, context, { errors });
  }

  async #refuse(asked: AskedOperation, context: RequestContext, errors?: readonly GraphQLError[]): Promise<Executed> {
    return { refusal: await this.refusals.ofValues(asked, context, { errors }), ofValues: true };
  }

  #argumentsOf({ document, operation, variables }: AskedOperation, contextValue: RequestContext): ExecutionArgs {
    return {
      schema: this.refusals.schema,
      document,
      operationName: operation.name?.value,
      variableValues: variables,
      contextValue,
    };
  }
}
