import { MapperKind, mapSchema } from '@graphql-tools/utils';
import {
  type DocumentNode,
  type ExecutionResult,
  execute,
  GraphQLBoolean,
  type GraphQLField,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  getNullableType,
  type OperationDefinitionNode,
  typeFromAST,
} from 'graphql';
import type { RequestContext } from '../../core/context.js';
import { AppError } from '../../core/errors.js';
import type { DeveloperPrincipal } from '../../core/principal.js';
import type { KnownOrder } from '../../orders/earlier-orders.js';
import type { RootField } from '../documents/values.js';
import { keyProblems, withHeaderKey } from './header-key.js';
import { checkArguments } from './input.js';
import type { RateLimits } from './limits.js';

/** Finds the order by a field's arguments as far as they could be read. */
export type FindKnown = (
  principal: DeveloperPrincipal,
  args: Record<string, unknown>,
) => Promise<KnownOrder | undefined>;

type Answers = ReadonlyMap<string, () => Promise<unknown>>;

/**
 * The rule about known keys, for REST and GraphQL: a refusal is about the request and says nothing about an order, so a request
 * that names an existing order is answered with that order, whatever the request would be refused for. It comes right after
 * authentication. The order is read here alone, where a refusal is about to be given; on the ordinary way the hold itself finds it.
 */
export class KnownKeys {
  readonly #limits: RateLimits;
  readonly #finders: Readonly<Record<string, FindKnown>>;
  readonly #answering = new WeakMap<GraphQLSchema, GraphQLSchema>();

  /** @param finders by mutation */
  constructor(limits: RateLimits, finders: Readonly<Record<string, FindKnown>>) {
    this.#limits = limits;
    this.#finders = finders;
  }

  /** Wraps the fields whose requests have keys. Outermost, so that it sees what any other rule refuses. */
  protect(schema: GraphQLSchema): GraphQLSchema {
    for (const name of Object.keys(this.#finders)) {
      const field = schema.getMutationType()?.getFields()[name];
      const resolve = field?.resolve;
      if (!resolve) throw new Error(`There is no mutation ${name} whose keys could be known.`);
      field.resolve = async (source, args, context: RequestContext, info) => {
        const result = await outcomeOf(() => resolve(source, args, context, info));
        if (!(result instanceof Error)) return result;
        const answer = await this.#find(field, args, false, context, result);
        if (!answer) throw result;
        return answer();
      };
    }
    return schema;
  }

  /**
   * The answer to an operation that is refused as a whole, where some of its fields name known orders: those tell of them, the
   * others are refused. Undefined when none does. The document itself must be valid.
   */
  async answerInstead(
    refusal: AppError,
    schema: GraphQLSchema,
    document: DocumentNode,
    operation: OperationDefinitionNode,
    roots: readonly RootField[],
    variables: Record<string, unknown>,
    context: RequestContext,
  ): Promise<ExecutionResult | undefined> {
    const answers = new Map<string, () => Promise<unknown>>();
    for (const { type, name, key, args } of roots) {
      const field = type === schema.getMutationType()?.name ? schema.getMutationType()!.getFields()[name] : undefined;
      const answer = field && (await this.#find(field, args(variables), true, context, refusal));
      if (answer) answers.set(key, answer);
    }
    if (answers.size === 0) return undefined;
    const result = await execute({
      schema: this.#answeringSchema(schema),
      document: withConditionsOnly(schema, document, operation),
      operationName: operation.name?.value,
      variableValues: variables,
      contextValue: context,
      rootValue: { answers, refusal },
    });
    return result.data === undefined ? undefined : result;
  }

  /** Errors: those of the query. Without it nobody may say that there is no order. */
  async #find(
    field: GraphQLField<unknown, RequestContext>,
    given: Readonly<Record<string, unknown>>,
    raw: boolean,
    context: RequestContext,
    refusal: unknown,
  ): Promise<(() => Promise<unknown>) | undefined> {
    const find = this.#finders[field.name];
    const { principal } = context;
    if (!find || principal?.kind !== 'developer' || principal.client || !(refusal instanceof AppError))
      return undefined;
    // it is about an order already
    if (refusal.details.apiRequestId !== undefined) return undefined;
    // two keys name no order
    if (keyProblems(given, context).length > 0) return undefined;
    const known = await find(principal, checkArguments(field.args, withHeaderKey(given, context), {}, raw).values);
    return (
      known &&
      (async () => {
        await this.#limits.countRepetition(known);
        const answer = await known.answer();
        context.replayed = true;
        return answer;
      })
    );
  }

  /** The schema with root fields that take no arguments and give what was found for them. */
  #answeringSchema(schema: GraphQLSchema): GraphQLSchema {
    let answering = this.#answering.get(schema);
    if (!answering) {
      answering = mapSchema(schema, {
        [MapperKind.ROOT_FIELD]: ({ type, description }) => ({ type, description, resolve: answerOf }),
      });
      this.#answering.set(schema, answering);
    }
    return answering;
  }
}

/** What a resolver gives or throws. graphql-shield returns errors instead of throwing them. */
async function outcomeOf(resolve: () => unknown): Promise<unknown> {
  try {
    return await resolve();
  } catch (error) {
    return error instanceof Error ? error : new AppError('INTERNAL', { cause: error });
  }
}

function answerOf(
  { answers, refusal }: { answers: Answers; refusal: AppError },
  _args: unknown,
  _context: unknown,
  { path }: GraphQLResolveInfo,
): Promise<unknown> {
  const answer = answers.get(String(path.key));
  if (!answer) throw refusal;
  return answer();
}

/** Of the variables only the conditions of selections are left: the others belong to arguments, and some of them do not fit. */
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
