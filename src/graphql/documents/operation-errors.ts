import {
  type DocumentNode,
  type FieldNode,
  type GraphQLError,
  type GraphQLSchema,
  type OperationDefinitionNode,
  valueFromASTUntyped,
} from 'graphql';
import type { RequestContext } from '../../core/context.js';
import { AppError, type DocumentPlace, type FieldProblem, validationError } from '../../core/errors.js';
import type { NotedOperation } from '../../core/scope.js';
import { ownTurn } from '../../core/turns.js';
import { placeOf } from '../../graphql-toolkit/document-value.js';
import { shortened } from '../../graphql-toolkit/input.js';
import { errorBeforeInput, unauthenticatedForEvery } from '../schema/access.js';
import type { RateLimits } from '../schema/limits.js';
import { type PolicyRow, policyOf } from '../schema/policy.js';
import { type Charges, canCharge, chargesOf } from './charges.js';
import { responseName, rootFieldNodes } from './fields.js';
import { inputProblemsOf, neverNullVariables, problemOfVariable } from './values.js';

export interface RequestedOperation {
  document: DocumentNode;
  operation: OperationDefinitionNode;
  variables: Record<string, unknown>;
}

/** Selected field of the root type, including fields in fragments. */
interface RootField {
  type: string;
  name: string;
  /** Policy row. It is undefined for introspection and unknown fields. */
  row: PolicyRow | undefined;
  /** Response key: the alias, or the name if there is no alias. */
  key: string;
  place: DocumentPlace | undefined;
  /** Returns the raw arguments with variables inserted and without coercion. */
  args: (variables: Record<string, unknown>) => Record<string, unknown>;
}

/** Removes inherited properties, because a variable can be called `constructor`. */
const ownValues = (variables: Record<string, unknown>): Record<string, unknown> =>
  Object.assign(Object.create(null), variables);

function rawArguments(node: FieldNode, variables: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    (node.arguments ?? []).map((argument) => [argument.name.value, valueFromASTUntyped(argument.value, variables)]),
  );
}

export function rootFieldsOf(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): RootField[] {
  const type = schema.getRootType(operation.operation);
  return rootFieldNodes(document, operation).map((node) => ({
    type: type?.name ?? '',
    name: node.name.value,
    row: policyOf(type, node.name.value),
    key: responseName(node),
    place: placeOf(node),
    args: (variables) => rawArguments(node, ownValues(variables)),
  }));
}

const NO_CHARGES: Charges = { calls: new Map(), problems: new Map(), fixed: true };

/** Properties of an operation that are independent of its variables. */
export class PreparedOperation {
  readonly roots: readonly { row: PolicyRow; field: RootField }[];
  /** Whether every root field has a policy row (introspection has none). */
  readonly isGoverned: boolean;
  readonly operationNote: NotedOperation;
  readonly #requested: Pick<RequestedOperation, 'document' | 'operation'>;
  #nonNullableVariables: ReadonlySet<string> | undefined;
  #charges: Charges | undefined;

  constructor(
    private readonly schema: GraphQLSchema,
    { document, operation }: Pick<RequestedOperation, 'document' | 'operation'>,
  ) {
    const fields = rootFieldsOf(schema, document, operation);
    this.#requested = { document, operation };
    this.roots = fields.flatMap((field) => (field.row ? [{ row: field.row, field }] : []));
    this.isGoverned = this.roots.length === fields.length;
    this.operationNote = operationNoteOf(operation, fields);
  }

  /** Variables that may be omitted but must not be null. */
  get nonNullableVariables(): ReadonlySet<string> {
    const { document, operation } = this.#requested;
    return (this.#nonNullableVariables ??= neverNullVariables(this.schema, document, operation));
  }

  /** Charges that are possible with these variables. */
  charges(variables: Record<string, unknown>): Charges {
    if (this.#charges) return this.#charges;
    if (!this.roots.some(({ row }) => canCharge(row))) return (this.#charges = NO_CHARGES);
    const { document, operation } = this.#requested;
    const charges = chargesOf(this.schema, document, operation, variables);
    if (charges.fixed) this.#charges = charges;
    return charges;
  }
}

const MAX_FIELDS = 10;
const NAME_LENGTH = 60;
/** Maximum number of digits in a name that is reported, so that it cannot contain a phone or card number. */
const MAX_DIGITS = 3;

/** Returns the operation for logs and metrics. Aliases are omitted because callers choose them, like the operation name. */
function operationNoteOf({ name }: OperationDefinitionNode, roots: readonly RootField[]): NotedOperation {
  const fields = [...new Set(roots.map((root) => root.name))].slice(0, MAX_FIELDS);
  return name ? { name: redactName(name.value), fields } : { fields };
}

function redactName(name: string): string {
  const short = name.slice(0, NAME_LENGTH);
  return short.replace(/\D/g, '').length > MAX_DIGITS ? short.replace(/\d/g, '0') : short;
}

/** Rules that reject an operation before any of its fields run, because of its document, its caller or its values. */
export class OperationErrors {
  readonly schema: GraphQLSchema;
  /**
   * Prepared operations. Entries are removed together with their documents, which are in the document store. The store is
   * bounded.
   */
  readonly #prepared = new WeakMap<OperationDefinitionNode, PreparedOperation>();

  constructor(
    schema: GraphQLSchema,
    private readonly limits: RateLimits,
  ) {
    this.schema = schema;
  }

  prepare(requested: Pick<RequestedOperation, 'document' | 'operation'>): PreparedOperation {
    let prepared = this.#prepared.get(requested.operation);
    if (!prepared) this.#prepared.set(requested.operation, (prepared = new PreparedOperation(this.schema, requested)));
    return prepared;
  }

  /** Returns the error if the caller is anonymous and all fields require authentication. */
  unauthenticated(
    requested: Pick<RequestedOperation, 'document' | 'operation'>,
    context: RequestContext,
  ): AppError | undefined {
    const { roots, isGoverned } = this.prepare(requested);
    if (!isGoverned) return undefined;
    return unauthenticatedForEvery(
      roots.map(({ row }) => row),
      context,
    );
  }

  /** Returns the error of a valid operation, regardless of its values. */
  errorBeforeValues(requested: RequestedOperation, context: RequestContext): AppError | undefined {
    return this.unauthenticated(requested, context) ?? undeclared(requested, context);
  }

  /**
   * Returns the first problem of a variable that must be found before execution: too many values, because an engine would read
   * all of them, or null, because the engines treat it differently.
   */
  problemOfVariables(requested: RequestedOperation): FieldProblem | undefined {
    const { operation, variables } = requested;
    const oversized = oversizedVariable(variables);
    if (oversized !== undefined)
      return problemOfVariable(operation, oversized, 'ITEMS', 'The variables contain too many values.');
    for (const name of this.prepare(requested).nonNullableVariables)
      if (variables[name] === null)
        return problemOfVariable(operation, name, 'NULL', 'Must not be null. Omit it instead.');
    return undefined;
  }

  /**
   * Returns the error for a request with invalid values, including literals that document validation rejected. The usual order of
   * errors applies, with invalid fields last.
   * @param errors errors of an engine or of the validation
   * @param known problems of values that are not in the variables
   */
  async errorOfValues(
    requested: RequestedOperation,
    context: RequestContext,
    { errors = [], known = [] }: { errors?: readonly GraphQLError[]; known?: readonly FieldProblem[] } = {},
  ): Promise<AppError> {
    const { document, operation, variables } = requested;
    const fields = this.prepare(requested).roots.map(({ row, field }) => ({ row, args: field.args(variables) }));
    const rejection = await errorBeforeInput(fields, context, this.limits);
    if (rejection) return rejection;
    await ownTurn(context.host, { isContinued: true });
    const others = inputProblemsOf(this.schema, document, operation, variables);
    const problems = [...known, ...others.filter(({ path }) => !known.some((problem) => problem.path === path))];
    if (problems.length > 0) return validationError(problems);
    const problem = this.problemOfVariables(requested);
    if (problem) return validationError([problem]);
    // an engine rejected a value for an unknown reason; its message is not used because it would quote the value
    const locations = errors.flatMap((error) => error.locations ?? []);
    return new AppError('INVALID_DOCUMENT', { cause: errors[0], locations });
  }
}

/**
 * Returns the error for undeclared variables. The specification allows a service to ignore them, and the API hosts do so. In the
 * console, a misspelled variable would disable a filter, and the page would show all entries next to buttons that change them.
 */
function undeclared({ operation, variables }: RequestedOperation, { host }: RequestContext): AppError | undefined {
  const names = host === 'console' ? undeclaredVariables(operation, variables) : [];
  if (names.length === 0) return undefined;
  const message = `The operation does not declare these variables: ${names.join(', ')}.`;
  return new AppError('INVALID_DOCUMENT', { message, locations: [placeOf(operation)] });
}

/** Maximum number of undeclared variables that are listed. */
const MAX_UNDECLARED = 5;

/** Returns the names of variables that the operation does not declare, truncated to the length that a response may quote. */
function undeclaredVariables(operation: OperationDefinitionNode, variables: Record<string, unknown>): string[] {
  const declared = new Set(operation.variableDefinitions?.map(({ variable }) => variable.name.value));
  return Object.keys(variables)
    .filter((name) => !declared.has(name))
    .slice(0, MAX_UNDECLARED)
    .map(shortened);
}

/**
 * Limits of the variables in a request, regardless of their declared types, because the engine reads all of them, and invalid
 * values are the most expensive.
 */
export const VARIABLE_LIMITS = { values: 2_000, depth: 10 };

/** Returns the variable that exceeds the limits, or undefined if there is none. Counting stops at the limit. */
function oversizedVariable(variables: Readonly<Record<string, unknown>>): string | undefined {
  let values = 0;
  for (const [name, variable] of Object.entries(variables)) {
    const stack: [value: unknown, depth: number][] = [[variable, 0]];
    for (let next = stack.pop(); next; next = stack.pop()) {
      const [value, depth] = next;
      if (++values > VARIABLE_LIMITS.values || depth > VARIABLE_LIMITS.depth) return name;
      if (typeof value !== 'object' || value === null) continue;
      const inner = Array.isArray(value) ? value : Object.values(value);
      if (values + inner.length > VARIABLE_LIMITS.values) return name;
      for (const item of inner) stack.push([item, depth + 1]);
    }
  }
  return undefined;
}
