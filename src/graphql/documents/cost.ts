import {
  type DocumentNode,
  type FieldNode,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isAbstractType,
  isLeafType,
  isListType,
  isObjectType,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';
import { AppError } from '../../core/errors.js';
import { rowsOfPage } from '../../graphql-toolkit/connection.js';
import { placeOf, RequestVariables } from '../../graphql-toolkit/document-value.js';
import { type Count, describedCount, type RowExtensions, WITH_PARENT } from '../../graphql-toolkit/rows.js';
import { type Fragments, fieldsIn, fragmentsOf, isIncluded, responseName } from './fields.js';
import { COUNT_CAP, capped } from './size.js';

/**
 * Maximum number of rows that one operation can request. The largest pages of the portal request fewer: 200 orders with their
 * timelines 2,200, 200 statement entries with their orders 400, and 200 developers with their services, wallets and keys 3,400.
 * Nested lists that keep the database busy for seconds request tens of thousands.
 */
export const MAX_ROWS = 5_000;

/** Number of rows that an operation requests. */
export interface RowCost {
  rows: number;
  /** Error if the operation cannot run. */
  rejection?: AppError;
}

/** Rows of a selection for one object. */
interface Rows {
  /** Number of list entries inside the object. */
  rows: number;
  /** Additional reads for the object. They count only if the object is in a list. */
  extraReads: number;
  /** List with the most rows. */
  largest: { rows: number; field: string; node: FieldNode } | undefined;
}

const NO_ROWS: Rows = { rows: 0, extraReads: 0, largest: undefined };

const sum = (first: Rows, second: Rows): Rows => ({
  rows: capped(first.rows + second.rows),
  extraReads: capped(first.extraReads + second.extraReads),
  largest: (first.largest?.rows ?? 0) >= (second.largest?.rows ?? 0) ? first.largest : second.largest,
});

/** Returns the larger of two counts. An object has exactly one type, so the counts are not added. */
const larger = (first: Rows, second: Rows): Rows => ({
  ...(first.rows >= second.rows ? first : second),
  extraReads: Math.max(first.extraReads, second.extraReads),
});

/** Counts the rows that an operation requests before it runs. */
export class RowCosts {
  /** Costs of operations that do not depend on variables. */
  readonly #fixed = new WeakMap<OperationDefinitionNode, RowCost>();

  /** Throws if a list in the schema does not declare its number of entries. */
  constructor(private readonly schema: GraphQLSchema) {
    for (const type of Object.values(schema.getTypeMap()))
      if (isObjectType(type) && !type.name.startsWith('__')) requireEntries(type);
  }

  /** Returns the cost of a valid operation. */
  of(
    document: DocumentNode,
    operation: OperationDefinitionNode,
    variables: Readonly<Record<string, unknown>>,
  ): RowCost {
    const known = this.#fixed.get(operation);
    if (known) return known;
    const count = new RowCount(this.schema, document, operation, variables);
    const { rows, largest } = count.total();
    const cost = largest && rows > MAX_ROWS ? { rows, rejection: tooMany(rows, largest) } : { rows };
    if (count.isFixed) this.#fixed.set(operation, cost);
    return cost;
  }
}

const tooMany = (rows: number, { rows: share, field, node }: NonNullable<Rows['largest']>): AppError =>
  new AppError('INVALID_DOCUMENT', {
    message: `The operation requests too many rows (${rowsText(rows)}). The maximum is ${MAX_ROWS}. The largest part (${rowsText(share)}) is for ${field}.`,
    locations: [placeOf(node)],
  });

const rowsText = (rows: number): string => (rows < COUNT_CAP ? String(rows) : `${COUNT_CAP} or more`);

/** Total rows of one request. Selection sets of the same object are combined and counted once. */
class RowCount {
  readonly #fragments: Fragments;
  readonly #variables: RequestVariables;
  readonly #numbers = new Map<SelectionSetNode, number>();
  readonly #known = new Map<string, Rows>();

  constructor(
    private readonly schema: GraphQLSchema,
    document: DocumentNode,
    private readonly operation: OperationDefinitionNode,
    variables: Readonly<Record<string, unknown>>,
  ) {
    this.#fragments = fragmentsOf(document);
    this.#variables = new RequestVariables(operation, variables);
  }

  /** Whether the total is independent of the variables. */
  get isFixed(): boolean {
    return !this.#variables.isRead;
  }

  total(): Rows {
    return this.#rowsOf(this.schema.getRootType(this.operation.operation), [this.operation.selectionSet]);
  }

  /**
   * Returns the rows of the selection sets of an object. For an abstract type, returns the largest counts of its possible types.
   */
  #rowsOf(type: GraphQLNamedType | null | undefined, sets: readonly SelectionSetNode[]): Rows {
    if (isAbstractType(type))
      return this.schema
        .getPossibleTypes(type)
        .map((possible) => this.#rowsOf(possible, sets))
        .reduce(larger, NO_ROWS);
    if (!isObjectType(type)) return NO_ROWS;
    const key = `${type.name} ${sets.map((set) => this.#numberOf(set)).join()}`;
    let rows = this.#known.get(key);
    if (!rows) {
      rows = [...this.#fieldsIn(type, sets).values()]
        .map((nodes) => this.#rowsOfField(type, nodes))
        .reduce(sum, NO_ROWS);
      this.#known.set(key, rows);
    }
    return rows;
  }

  /** Counts the rows of a field. Nodes with the same response key are one field. */
  #rowsOfField(parent: GraphQLObjectType, nodes: readonly FieldNode[]): Rows {
    const [node] = nodes as [FieldNode];
    const { name } = node;
    const field = parent.getFields()[name.value];
    if (!field) return NO_ROWS;
    const type = getNamedType(field.type);
    const sets = nodes.flatMap(({ selectionSet }) => selectionSet ?? []);
    const at = `${parent.name}.${name.value}`;
    const { entries, extraReads = 0 } = rowsOfField(field);
    if (isConnection(type)) {
      const entryFields = [...this.#fieldsIn(type, sets).values()].map((inner) => ({
        extent: this.#rowsOfField(type, inner),
        inEntries: ENTRY_LISTS.includes(inner[0]!.name.value),
      }));
      const rowsOf = (inEntries: boolean): Rows =>
        entryFields
          .flatMap((entryField) => (entryField.inEntries === inEntries ? [entryField.extent] : []))
          .reduce(sum, NO_ROWS);
      return sum(
        this.#rowsOfList(pageEntries, rowsOf(true), { at, node, beside: extraReads }),
        // these are the other fields, such as the count and totals
        rowsOf(false),
      );
    }
    const inner = this.#rowsOf(type, sets);
    if (entries === undefined || entries === WITH_PARENT)
      return { ...inner, extraReads: capped(inner.extraReads + extraReads) };
    return this.#rowsOfList(entries, inner, { at, node, beside: extraReads });
  }

  #rowsOfList(
    entries: Count,
    each: Rows,
    { at, node, beside: extraReads }: { at: string; node: FieldNode; beside: number },
  ): Rows {
    const count = entries(this.#argumentsOf(node));
    const ownRows = capped(count * (1 + each.extraReads));
    const inside = each.largest && { ...each.largest, rows: capped(count * each.largest.rows) };
    return {
      rows: capped(ownRows + count * each.rows),
      extraReads,
      largest: inside && inside.rows > ownRows ? inside : { rows: ownRows, field: at, node },
    };
  }

  /** Returns the fields by response key, as during execution. */
  #fieldsIn(type: GraphQLObjectType, sets: readonly SelectionSetNode[]): Map<string, FieldNode[]> {
    const fields = fieldsIn(
      sets,
      this.#fragments,
      (selection, part) =>
        isIncluded(selection, this.#variables) && this.#applies(part?.typeCondition?.name.value, type),
    );
    return Map.groupBy(
      fields.map(({ node }) => node),
      responseName,
    );
  }

  #applies(condition: string | undefined, type: GraphQLObjectType): boolean {
    if (condition === undefined || condition === type.name) return true;
    const wider = this.schema.getType(condition);
    return isAbstractType(wider) && this.schema.isSubType(wider, type);
  }

  #argumentsOf(node: FieldNode): Record<string, unknown> {
    return Object.fromEntries(
      (node.arguments ?? []).map(({ name, value }) => [name.value, this.#variables.plain(value)]),
    );
  }

  #numberOf(set: SelectionSetNode): number {
    let number = this.#numbers.get(set);
    if (number === undefined) this.#numbers.set(set, (number = this.#numbers.size));
    return number;
  }
}

/** Returns the declared rows of a field. */
export const rowsOfField = ({ extensions }: Pick<GraphQLField<unknown, unknown>, 'extensions'>): RowExtensions =>
  extensions;

/** Number of entries of a paginated list. It is 0 for arguments that will be rejected. */
export const pageEntries = describedCount(
  `one row per entry requested with first or last, ${rowsOfPage({})} by default`,
  rowsOfPage,
);

const EDGES = 'edges';
/** Fields of a connection that contain its entries. */
const ENTRY_LISTS = [EDGES, 'nodes'];

export const isConnection = (type: GraphQLNamedType): type is GraphQLObjectType =>
  isObjectType(type) && type.getFields()[EDGES] !== undefined;

/** Requires every list to declare its number of entries. Otherwise, the selections inside the list would have no limit. */
function requireEntries(type: GraphQLObjectType): void {
  for (const field of Object.values(type.getFields())) {
    const { name, type: fieldType } = field;
    const isListOfObjects = isListType(getNullableType(fieldType)) && !isLeafType(getNamedType(fieldType));
    const at = `${type.name}.${name}`;
    if (
      isListOfObjects &&
      !(ENTRY_LISTS.includes(name) && isConnection(type)) &&
      rowsOfField(field).entries === undefined
    )
      throw new Error(`${at} does not declare how many entries it has.`);
  }
}
