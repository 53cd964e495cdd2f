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
import { type Count, counted, type RowExtensions, WITH_PARENT } from '../../graphql-toolkit/rows.js';
import { RequestVariables, placeOf } from '../../graphql-toolkit/document-value.js';
import { type Fragments, fieldsIn, fragmentsOf, isIncluded, responseName } from './fields.js';
import { capped, PLENTY } from './size.js';

/**
 * The rows that one operation may ask for. The largest screens ask for less: 200 orders with their timelines for 2,200, 200 lines
 * of a statement with their orders for 400, 200 developers with their services, wallets and keys for 3,400. Lists of lists that keep
 * the database busy for seconds come to tens of thousands.
 */
export const MAX_ROWS = 5_000;

/** What an operation asks for. */
export interface RowCost {
  rows: number;
  /** Why it may not run. */
  refusal?: AppError;
}

/** What a selection comes to, for one object that it is made of. */
interface Rows {
  /** Entries of the lists inside. */
  rows: number;
  /** What is read for the object besides. It counts where there are many of them: in a list. */
  beside: number;
  /** The list that more rows are of than of any other. */
  most: { rows: number; field: string; node: FieldNode } | undefined;
}

const NO_ROWS: Rows = { rows: 0, beside: 0, most: undefined };

const sum = (one: Rows, other: Rows): Rows => ({
  rows: capped(one.rows + other.rows),
  beside: capped(one.beside + other.beside),
  most: (one.most?.rows ?? 0) >= (other.most?.rows ?? 0) ? one.most : other.most,
});

/** An object is of one type alone. */
const larger = (one: Rows, other: Rows): Rows => ({
  ...(one.rows >= other.rows ? one : other),
  beside: Math.max(one.beside, other.beside),
});

/** How many rows operations ask for, counted before they run. */
export class RowCosts {
  /** Of operations that ask for the same whatever their variables are. */
  readonly #fixed = new WeakMap<OperationDefinitionNode, RowCost>();

  /** Throws when nobody said how many entries a list of the schema has. */
  constructor(private readonly schema: GraphQLSchema) {
    for (const type of Object.values(schema.getTypeMap()))
      if (isObjectType(type) && !type.name.startsWith('__')) requireEntries(type);
  }

  /** Of a valid operation. */
  of(
    document: DocumentNode,
    operation: OperationDefinitionNode,
    variables: Readonly<Record<string, unknown>>,
  ): RowCost {
    const known = this.#fixed.get(operation);
    if (known) return known;
    const count = new RowCount(this.schema, document, operation, variables);
    const { rows, most } = count.total();
    const cost = most && rows > MAX_ROWS ? { rows, refusal: tooMany(rows, most) } : { rows };
    if (count.isFixed) this.#fixed.set(operation, cost);
    return cost;
  }
}

const tooMany = (rows: number, { rows: share, field, node }: NonNullable<Rows['most']>): AppError =>
  new AppError('INVALID_DOCUMENT', {
    message: `The operation asks for too many rows, ${said(rows)}: at most ${MAX_ROWS} are allowed. The largest part, ${said(share)}, is for ${field}.`,
    locations: [placeOf(node)],
  });

const said = (rows: number): string => (rows < PLENTY ? String(rows) : `${PLENTY} or more`);

/** The sum of one request. Selection sets that are about the same object are added up together, and only once. */
class RowCount {
  readonly #fragments: Fragments;
  readonly #given: RequestVariables;
  readonly #numbers = new Map<SelectionSetNode, number>();
  readonly #known = new Map<string, Rows>();

  constructor(
    private readonly schema: GraphQLSchema,
    document: DocumentNode,
    private readonly operation: OperationDefinitionNode,
    variables: Readonly<Record<string, unknown>>,
  ) {
    this.#fragments = fragmentsOf(document);
    this.#given = new RequestVariables(operation, variables);
  }

  /** The same in every request, whatever its variables are. */
  get isFixed(): boolean {
    return !this.#given.wereRead;
  }

  total(): Rows {
    return this.#rowsOf(this.schema.getRootType(this.operation.operation), [this.operation.selectionSet]);
  }

  /** Selection sets that are about one object, which may be of any of several types. */
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

  /** Several nodes with one response name are one field. */
  #rowsOfField(parent: GraphQLObjectType, nodes: readonly FieldNode[]): Rows {
    const [node] = nodes as [FieldNode];
    const { name } = node;
    const field = parent.getFields()[name.value];
    if (!field) return NO_ROWS;
    const type = getNamedType(field.type);
    const sets = nodes.flatMap(({ selectionSet }) => selectionSet ?? []);
    const at = `${parent.name}.${name.value}`;
    const { entries, rowsBeside: beside = 0 } = rowsOfField(field);
    if (isConnection(type)) {
      const ofEntry = [...this.#fieldsIn(type, sets).values()].map((inner) => ({
        extent: this.#rowsOfField(type, inner),
        inEntries: ENTRY_LISTS.includes(inner[0]!.name.value),
      }));
      const rowsOf = (inEntries: boolean): Rows =>
        ofEntry.flatMap((one) => (one.inEntries === inEntries ? [one.extent] : [])).reduce(sum, NO_ROWS);
      return sum(
        this.#listed(pageEntries, rowsOf(true), { at, node, beside }),
        // the count, and totals
        rowsOf(false),
      );
    }
    const inner = this.#rowsOf(type, sets);
    if (entries === undefined || entries === WITH_PARENT) return { ...inner, beside: capped(inner.beside + beside) };
    return this.#listed(entries, inner, { at, node, beside });
  }

  #listed(entries: Count, each: Rows, { at, node, beside }: { at: string; node: FieldNode; beside: number }): Rows {
    const count = entries(this.#argumentsOf(node));
    const own = capped(count * (1 + each.beside));
    const inside = each.most && { ...each.most, rows: capped(count * each.most.rows) };
    return {
      rows: capped(own + count * each.rows),
      beside,
      most: inside && inside.rows > own ? inside : { rows: own, field: at, node },
    };
  }

  /** By response name, as it will be executed. */
  #fieldsIn(type: GraphQLObjectType, sets: readonly SelectionSetNode[]): Map<string, FieldNode[]> {
    const fields = fieldsIn(
      sets,
      this.#fragments,
      (selection, part) => isIncluded(selection, this.#given) && this.#applies(part?.typeCondition?.name.value, type),
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
    return Object.fromEntries((node.arguments ?? []).map(({ name, value }) => [name.value, this.#given.plain(value)]));
  }

  #numberOf(set: SelectionSetNode): number {
    let number = this.#numbers.get(set);
    if (number === undefined) this.#numbers.set(set, (number = this.#numbers.size));
    return number;
  }
}

/** What a field says of its rows. */
export const rowsOfField = ({ extensions }: Pick<GraphQLField<unknown, unknown>, 'extensions'>): RowExtensions =>
  extensions;

/** A list that is read page by page. Arguments that are going to be refused ask for nothing. */
export const pageEntries = counted(
  `a row for each entry that first or last asks for, ${rowsOfPage({})} without them`,
  rowsOfPage,
);

const EDGES = 'edges';
/** The fields of a page that have its entries. */
const ENTRY_LISTS = [EDGES, 'nodes'];

/** A page of a list. */
export const isConnection = (type: GraphQLNamedType): type is GraphQLObjectType =>
  isObjectType(type) && type.getFields()[EDGES] !== undefined;

/** A list that nobody counts would let everything through that is inside of it. */
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
      throw new Error(`Nobody said how many entries ${at} has.`);
  }
}
