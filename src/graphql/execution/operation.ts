import { hash as digest } from 'node:crypto';
import {
  type DocumentNode,
  type ExecutionResult,
  type FormattedExecutionResult,
  type GraphQLError,
  type GraphQLFormattedError,
  getOperationAST,
  type OperationDefinitionNode,
  OperationTypeNode,
  parse,
} from 'graphql';
import type { RequestContext } from '../../core/context.js';
import type { DocUrl } from '../../core/error-catalogue.js';
import { AppError, type FieldProblem } from '../../core/errors.js';
import type { Logger } from '../../core/log.js';
import type { RequestNotes } from '../../core/scope.js';
import { policiesAlong, wasCharged } from '../documents/charges.js';
import type { DocumentCheck, DocumentRequest } from '../documents/check.js';
import { MAX_ROWS } from '../documents/cost.js';
import type { OperationErrors, RequestedOperation } from '../documents/operation-errors.js';
import { FieldPlaces } from '../documents/places.js';
import type { StreamRequest } from '../documents/request.js';
import { DOCUMENT_LIMITS } from '../documents/size.js';
import type { DocumentStore } from '../documents/store.js';
import { syntaxMessage } from '../documents/syntax.js';
import type { ExecutionOutcome, Executor } from './executor.js';
import { appErrorOf, formatError, logFailedEvent } from './format-error.js';
import type { ReplayedResults } from './replayed-results.js';

export interface OperationParts {
  check: DocumentCheck;
  operationErrors: OperationErrors;
  executor: Executor;
  replayedResults: ReplayedResults;
  store: DocumentStore;
  /** URL of the documentation of an error code. */
  docUrl: DocUrl;
  log: Logger;
}

/** Response to a client: the result of its operation, or the errors for the whole request. */
export type OperationResponse =
  | { body: FormattedExecutionResult; errors?: undefined }
  | { body?: undefined; errors: readonly AppError[] };

/** Results of a subscription as they occur. Returns the error that ended the subscription, if any. */
export type Results = AsyncGenerator<FormattedExecutionResult, FormattedExecutionResult | void>;

const UNKNOWN_OPERATION = 'operationName must be the name of one of the operations of the document.';

/**
 * Executes one operation from any source: POST or GET through Apollo, an event stream, or a REST path. Only this class combines
 * validation, execution and the lookup of known orders.
 */
export class Operations {
  constructor(private readonly parts: OperationParts) {}

  /** Marks one of our own documents; see Executor. */
  trust(operation: OperationDefinitionNode): void {
    this.parts.executor.trust(operation);
  }

  /**
   * Runs an operation of a valid document.
   *
   * @param known problems of values that are not in the variables
   */
  async run(
    requested: RequestedOperation,
    context: RequestContext,
    known: readonly FieldProblem[] = [],
  ): Promise<ExecutionOutcome> {
    const { executor, operationErrors } = this.parts;
    if (known.length > 0)
      return this.#replayOrReject(
        await operationErrors.errorOfValues(requested, context, { known }),
        requested,
        context,
      );
    const executed = await executor.run(requested, context);
    return executed.isValueError ? this.#replayOrReject(executed.rejection, requested, context) : executed;
  }

  /** Executes an operation in the parsed document of a client. */
  async respond(request: DocumentRequest, hash: string, context: RequestContext): Promise<OperationResponse> {
    try {
      if (request.operation && request.operation.operation !== OperationTypeNode.MUTATION)
        context.leaveMoneyReserve?.();
      const { problems, onlyValues } = await this.parts.check.run(request, context);
      if (problems.length > 0 && !onlyValues) return { errors: problems };
      if (!request.operation) return { errors: [new AppError('INVALID_DOCUMENT', { message: UNKNOWN_OPERATION })] };
      const requested = { ...request, operation: request.operation };
      this.#note(requested, context);
      const { result, rows, rejection } = await (onlyValues
        ? this.#replayOrReject(problems[0]!, requested, context)
        : this.run(requested, context));
      if (rejection) return { errors: [rejection] };
      if (!result.errors) this.parts.store.storeExecuted(hash, request.document, context.principal);
      const body = this.#format(result, requested, context, (error) => context.notes?.addFailure(error));
      const extensions = { ...(context.replayed ? { replayed: true } : {}), ...costOf(rows) };
      return { body: Object.keys(extensions).length > 0 ? { ...body, extensions } : body };
    } catch (thrown) {
      return { errors: [appErrorOf(thrown)] };
    }
  }

  /**
   * Executes an operation as a stream that contains each event of a subscription, or the single result of another operation.
   * Throws AppError.
   */
  async stream(
    { query, operationName, variables = {} }: StreamRequest,
    context: RequestContext,
  ): Promise<Results | FormattedExecutionResult> {
    if (query === undefined) {
      await this.parts.check.admitHash(context);
      throw new AppError('PERSISTED_QUERY_NOT_SUPPORTED');
    }
    const hash = digest('sha256', query);
    const document = (await this.parts.store.get(hash)) ?? (await this.#parse(query, context));
    const operation = getOperationAST(document, operationName) ?? undefined;
    if (operation?.operation === OperationTypeNode.SUBSCRIPTION)
      return this.#subscribe({ document, operation, variables }, hash, context);
    const { body, errors } = await this.respond({ document, operation, variables }, hash, context);
    if (errors) throw errors[0];
    return body;
  }

  async #subscribe(requested: RequestedOperation, hash: string, context: RequestContext): Promise<Results> {
    const { check, executor, store, docUrl, log } = this.parts;
    context.leaveMoneyReserve?.();
    const { problems } = await check.run(requested, context);
    if (problems[0]) throw problems[0];
    this.#note(requested, context);
    const events = await executor.subscribe(requested, context);
    store.storeExecuted(hash, requested.document, context.principal);
    const { requestId } = context;
    const onError = (error: AppError): void => logFailedEvent(error, requestId, log);
    const format = (event: ExecutionResult) => this.#format(event, requested, context, onError);
    return (async function* (): Results {
      try {
        for await (const event of events) yield format(event);
      } catch (thrown) {
        const error = appErrorOf(thrown);
        onError(error);
        return { data: null, errors: [formatError(error, { requestId, docUrl })] };
      }
    })();
  }

  async #parse(query: string, context: RequestContext): Promise<DocumentNode> {
    try {
      return parse(query, { maxTokens: DOCUMENT_LIMITS.tokens });
    } catch (error) {
      await this.parts.check.countUnparsable(context);
      const { locations } = error as GraphQLError;
      throw new AppError('INVALID_DOCUMENT', { message: syntaxMessage((error as GraphQLError).toJSON()), locations });
    }
  }

  /** Returns the results of fields with known orders, otherwise the error for invalid values. */
  async #replayOrReject(
    rejection: AppError,
    requested: RequestedOperation,
    context: RequestContext,
  ): Promise<ExecutionOutcome> {
    const { replayedResults, operationErrors } = this.parts;
    const result = await replayedResults.replayFor(rejection, requested, operationErrors.prepare(requested), context);
    return result ? { result } : { rejection };
  }

  #note(requested: RequestedOperation, { notes }: RequestContext): void {
    if (notes) notes.operation = this.parts.operationErrors.prepare(requested).operationNote;
  }

  /** Formats field errors. Each error is passed to `found`. */
  #format(
    { data = null, errors }: ExecutionResult,
    { document, operation, variables }: RequestedOperation,
    { requestId, notes }: RequestContext,
    onError: (error: AppError) => void,
  ): FormattedExecutionResult {
    if (!errors) return { data };
    const { operationErrors, docUrl } = this.parts;
    const places = new FieldPlaces(document, operation, variables);
    const formatted = errors.map((error): GraphQLFormattedError => {
      const appError = appErrorOf(error);
      onError(appError);
      const rows = policiesAlong(operationErrors.schema, operation, places.nodesAt(error.path));
      return formatError(
        appError,
        { requestId, docUrl },
        {
          path: error.path,
          locations: places.of(error.path),
          charged: wasCharged(appError, rows, notes),
          payment: rows[0]?.money ? (notes?.payment ?? onlyOrderOf(notes)) : undefined,
        },
      );
    });
    return { data, errors: formatted };
  }
}

/** Returns the response extension with the cost of an operation that requests rows. */
const costOf = (rows = 0): { cost?: { rows: number; limit: number } } =>
  rows > 0 ? { cost: { rows, limit: MAX_ROWS } } : {};

/** Returns the order of a payment that was rejected because of an earlier order. */
const onlyOrderOf = ({ orders: [order, another] }: Pick<RequestNotes, 'orders'> = { orders: [] }) =>
  order && !another ? { apiRequestId: order.reference } : undefined;
