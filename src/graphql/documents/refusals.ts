import type { GraphQLError, GraphQLSchema, OperationDefinitionNode } from 'graphql';
import type { RequestContext } from '../../core/context.js';
import { AppError, type FieldProblem, validationError } from '../../core/errors.js';
import { ownTurn } from '../../core/turns.js';
import { placeOf } from '../../graphql-toolkit/written.js';
import type { RateLimits } from '../schema/limits.js';
import { refusalBeforeInput, unauthenticatedForAll } from '../schema/refusal-order.js';
import { type AskedOperation, PreparedOperation } from './prepared.js';
import { oversizedVariable } from './size.js';
import { inputProblemsOf, problemOfVariable, undeclaredVariables } from './values.js';

/** Why an operation of a schema is refused before any of its fields runs: for its document, who asks, or its values. */
export class Refusals {
  readonly schema: GraphQLSchema;
  /** Documents of callers live in the document store, which is bounded; entries die with them. */
  readonly #prepared = new WeakMap<OperationDefinitionNode, PreparedOperation>();

  constructor(
    schema: GraphQLSchema,
    private readonly limits: RateLimits,
  ) {
    this.schema = schema;
  }

  prepared(asked: Pick<AskedOperation, 'document' | 'operation'>): PreparedOperation {
    let prepared = this.#prepared.get(asked.operation);
    if (!prepared) this.#prepared.set(asked.operation, (prepared = new PreparedOperation(this.schema, asked)));
    return prepared;
  }

  /** Of a caller who may use none of the operation's fields without signing in. */
  unauthenticated(
    asked: Pick<AskedOperation, 'document' | 'operation'>,
    context: RequestContext,
  ): AppError | undefined {
    const { roots, governed } = this.prepared(asked);
    if (!governed) return undefined;
    return unauthenticatedForAll(
      roots.map(({ row }) => row),
      context,
    );
  }

  /** Of a valid operation, whatever its values are. */
  beforeValues(asked: AskedOperation, context: RequestContext): AppError | undefined {
    return this.unauthenticated(asked, context) ?? undeclared(asked, context);
  }

  /** What an engine must not see in the variables: it would read all of them, or the engines disagree about them. */
  ofVariables(asked: AskedOperation): FieldProblem | undefined {
    const { operation, variables } = asked;
    const oversized = oversizedVariable(variables);
    if (oversized !== undefined)
      return problemOfVariable(operation, oversized, 'ITEMS', 'The variables hold too many values.');
    for (const name of this.prepared(asked).neverNull)
      if (variables[name] === null)
        return problemOfVariable(operation, name, 'NULL', 'Must not be null: leave it out.');
    return undefined;
  }

  /**
   * Of a request whose values do not fit: by the order of all refusals, and last for its fields. Also for literals that document
   * validation refused.
   *
   * @param errors what an engine or the validation said
   * @param known problems of values that are not among the variables
   */
  async ofValues(
    asked: AskedOperation,
    context: RequestContext,
    { errors = [], known = [] }: { errors?: readonly GraphQLError[]; known?: readonly FieldProblem[] } = {},
  ): Promise<AppError> {
    const { document, operation, variables } = asked;
    const fields = this.prepared(asked).roots.map(({ row, field }) => ({ row, args: field.args(variables) }));
    const refusal = await refusalBeforeInput(fields, context, this.limits);
    if (refusal) return refusal;
    await ownTurn(context.host, { goesOn: true });
    const others = inputProblemsOf(this.schema, document, operation, variables);
    const problems = [...known, ...others.filter(({ path }) => !known.some((problem) => problem.path === path))];
    if (problems.length > 0) return validationError(problems);
    const problem = this.ofVariables(asked);
    if (problem) return validationError([problem]);
    // an engine refused a value and nobody knows more: its own text would quote the value
    const locations = errors.flatMap((error) => error.locations ?? []);
    return new AppError('INVALID_DOCUMENT', { cause: errors[0], locations });
  }
}

/**
 * The specification lets a service ignore variables that its operation does not declare, and the API hosts do. On the console a
 * misspelt one would make a filter nothing, and the page show everything beside the buttons that decide about it.
 */
function undeclared({ operation, variables }: AskedOperation, { host }: RequestContext): AppError | undefined {
  const names = host === 'console' ? undeclaredVariables(operation, variables) : [];
  if (names.length === 0) return undefined;
  const message = `The operation declares no variable ${names.join(', ')}.`;
  return new AppError('INVALID_DOCUMENT', { message, locations: [placeOf(operation)] });
}
