import {
  type DocumentNode,
  type FieldNode,
  type GraphQLSchema,
  type OperationDefinitionNode,
  valueFromASTUntyped,
} from 'graphql';
import type { DocumentPlace } from '../../core/errors.js';
import type { NotedOperation } from '../../core/scope.js';
import { placeOf } from '../../graphql-toolkit/written.js';
import { type PolicyRow, policyOf } from '../schema/policy.js';
import { type Charges, chargesOf, mayCharge } from './charges.js';
import { responseName, rootFieldNodes } from './fields.js';
import { neverNullVariables } from './values.js';

/** One operation as a request asks for it. */
export interface AskedOperation {
  document: DocumentNode;
  operation: OperationDefinitionNode;
  variables: Record<string, unknown>;
}

/** One selected field of the root type, through fragments. */
export interface RootField {
  type: string;
  name: string;
  /** None for questions about the schema, and for what the schema does not have. */
  row: PolicyRow | undefined;
  /** Where its answer stands: the alias, or the name. */
  key: string;
  place: DocumentPlace | undefined;
  /** Its arguments as they came, variables filled in, nothing coerced. */
  args: (variables: Record<string, unknown>) => Record<string, unknown>;
}

/** Without what every object inherits: a variable may be called `constructor`. */
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

/** What is known of an operation of a schema, whatever its variables are. */
export class PreparedOperation {
  readonly roots: readonly { row: PolicyRow; field: RootField }[];
  /** Every root field has a policy row (introspection has none). */
  readonly governed: boolean;
  readonly noted: NotedOperation;
  readonly #asked: Pick<AskedOperation, 'document' | 'operation'>;
  #neverNull: ReadonlySet<string> | undefined;
  #charges: Charges | undefined;

  constructor(
    private readonly schema: GraphQLSchema,
    { document, operation }: Pick<AskedOperation, 'document' | 'operation'>,
  ) {
    const fields = rootFieldsOf(schema, document, operation);
    this.#asked = { document, operation };
    this.roots = fields.flatMap((field) => (field.row ? [{ row: field.row, field }] : []));
    this.governed = this.roots.length === fields.length;
    this.noted = notedOperation(operation, fields);
  }

  /** Variables that may be left out but not be null. */
  get neverNull(): ReadonlySet<string> {
    const { document, operation } = this.#asked;
    return (this.#neverNull ??= neverNullVariables(this.schema, document, operation));
  }

  /** What it may charge with these variables. */
  charges(variables: Record<string, unknown>): Charges {
    if (this.#charges) return this.#charges;
    if (!this.roots.some(({ row }) => mayCharge(row))) return (this.#charges = NO_CHARGES);
    const { document, operation } = this.#asked;
    const charges = chargesOf(this.schema, document, operation, variables);
    if (charges.fixed) this.#charges = charges;
    return charges;
  }
}

const MOST_FIELDS = 10;
const NAME_LENGTH = 60;
/** With fewer digits a name cannot hold somebody's number. */
const MOST_DIGITS = 3;

/** The operation as logs and metrics name it. Aliases are left out: they are the caller's words, and the operation's name is enough of those. */
function notedOperation({ name }: OperationDefinitionNode, roots: readonly RootField[]): NotedOperation {
  const fields = [...new Set(roots.map((root) => root.name))].slice(0, MOST_FIELDS);
  return name ? { name: harmless(name.value), fields } : { fields };
}

function harmless(name: string): string {
  const short = name.slice(0, NAME_LENGTH);
  return short.replace(/\D/g, '').length > MOST_DIGITS ? short.replace(/\d/g, '0') : short;
}
