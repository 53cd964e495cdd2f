import { MapperKind, mapSchema } from '@graphql-tools/utils';
import {
  type DocumentNode,
  type ExecutionResult,
  execute,
  GraphQLBoolean,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  getNullableType,
  type OperationDefinitionNode,
  typeFromAST,
} from 'graphql';
import type { RequestContext } from '../../core/context.js';
import type { AppError } from '../../core/errors.js';
import type { PreparedOperation, RequestedOperation } from '../documents/operation-errors.js';
import type { UsedKeys } from '../schema/used-keys.js';

type ResultReaders = ReadonlyMap<string, () => Promise<unknown>>;

/** Responses to operations that are rejected as a whole although some of their fields refer to known orders; see KnownKeys. */
export class ReplayedResults {
  #replaySchema: GraphQLSchema | undefined;

  constructor(
    private readonly schema: GraphQLSchema,
    private readonly knownKeys: UsedKeys,
  ) {}

  /**
   * Returns the known orders for the fields that refer to one, and the error for all other fields. Returns undefined if no field
   * has a known order. The document itself must be valid.
   */
  async replayFor(
    refusal: AppError,
    { document, operation, variables }: RequestedOperation,
    { roots }: PreparedOperation,
    context: RequestContext,
  ): Promise<ExecutionResult | undefined> {
    const answers = new Map<string, () => Promise<unknown>>();
    const mutation = this.schema.getMutationType();
    for (const { field: requested } of roots) {
      const field = requested.type === mutation?.name ? mutation.getFields()[requested.name] : undefined;
      const readResult = field && (await this.knownKeys.find(field, requested.args(variables), true, context, refusal));
      if (readResult) answers.set(requested.key, readResult);
    }
    if (answers.size === 0) return undefined;
    const result = await execute({
      schema: (this.#replaySchema ??= replaySchemaOf(this.schema)),
      document: withConditionsOnly(this.schema, document, operation),
      operationName: operation.name?.value,
      variableValues: variables,
      contextValue: context,
      rootValue: { answers, refusal },
    });
    return result.data === undefined ? undefined : result;
  }
}

/** Returns the schema whose root fields take no arguments and return the orders found for them. */
const replaySchemaOf = (schema: GraphQLSchema): GraphQLSchema =>
  mapSchema(schema, {
    [MapperKind.ROOT_FIELD]: ({ type, description }) => ({ type, description, resolve: resolveReplay }),
  });

function resolveReplay(
  { answers, refusal }: { answers: ResultReaders; refusal: AppError },
  _args: unknown,
  _context: unknown,
  { path }: GraphQLResolveInfo,
): Promise<unknown> {
  const readResult = answers.get(String(path.key));
  if (!readResult) throw refusal;
  return readResult();
}

/**
 * Keeps only the variables that are used as conditions of selections. The other variables belong to arguments, and some of them
 * are invalid.
 */
function withConditionsOnly(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): DocumentNode {
  const variableDefinitions = operation.variableDefinitions?.filter(({ type }) => {
    const declared = typeFromAST(schema, type as never);
    return declared && getNullableType(declared) === GraphQLBoolean;
  });
  return {
    ...document,
    definitions: document.definitions.map((definition) =>
      definition === operation ? { ...operation, variableDefinitions } : definition,
    ),
  };
}
