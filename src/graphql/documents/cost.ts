import {
  type ArgumentNode,
  type DirectiveNode,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isAbstractType,
  isLeafType,
  isListType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  valueFromASTUntyped,
} from 'graphql';
import { AppError } from '../../core/errors.js';
import { type Entries, listEntries, pageEntries, rowsBeside, WITH_PARENT } from '../schema/listed-rows.js';
import { fragmentsOf } from './fields.js';
import { placeOf } from './places.js';

/**
 * The rows that one operation may ask for. The largest screens ask for less: 200 orders with their timelines for 2,200, 200 lines
 * of a statement with their orders for 400, 200 developers with their services, wallets and keys for 3,400. Lists of lists that keep
 * the database busy for seconds come to tens of thousands.
 */
export const MAX_ROWS = 5_000;

/** Sums stop here, because lists in lists would leave the range of numbers. */
const PLENTY = 1_000_000_000;

/** What an operation asks for. */
export interface RowCost {
  rows: number;
  /** Why it may not run. */
  refusal?: AppError;
}

/** What a selection comes to, for one object that it is made of. */
interface Extent {
  /** Entries of the lists inside. */
  rows: number;
  /** What is read for the object besides. It counts where there are many of them: in a list. */
  beside: number;
  /** The list that more rows are of than of any other. */
  most: { rows: number; field: string; node: FieldNode } | undefined;
}

const NOTHING: Extent = { rows: 0, beside: 0, most: undefined };

const capped = (rows: number): number => Math.min(rows, PLENTY);

const together = (one: Extent, other: Extent): Extent => ({
  rows: capped(one.rows + other.rows),
  beside: capped(one.beside + other.beside),
  most: (one.most?.rows ?? 0) >= (other.most?.rows ?? 0) ? one.most : other.most,
});

/** An object is of one type alone. */
const either = (one: Extent, other: Extent): Extent => ({
  ...(one.rows >= other.rows ? one : other),
  beside: Math.max(one.beside, other.beside),
});

/** Tells how many rows operations ask for, before they run. */
export class RowCosts {
  readonly #schema: GraphQLSchema;
  /** Of operations that ask for the same whatever their variables are. */
  readonly #fixed = new WeakMap<OperationDefinitionNode, RowCost>();

  /** Throws when nobody said how many entries a list of the schema has. */
  constructor(schema: GraphQLSchema) {
    this.#schema = schema;
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
    const count = new RowCount(this.#schema, document, operation, variables);
    const { rows, most } = count.total();
    const cost = most && rows > MAX_ROWS ? { rows, refusal: tooMany(rows, most) } : { rows };
    if (!count.readVariables) this.#fixed.set(operation, cost);
    return cost;
  }
}

const tooMany = (rows: number, { rows: share, field, node }: NonNullable<Extent['most']>): AppError =>
  new AppError('INVALID_DOCUMENT', {
    message: `The operation asks for too many rows, ${said(rows)}: at most ${MAX_ROWS} are allowed. The largest part, ${said(share)}, is for ${field}.`,
    locations: [placeOf(node)],
  });

const said = (rows: number): string => (rows < PLENTY ? String(rows) : `${PLENTY} or more`);

/** The sum of one request. Selection sets that are about the same object are added up together, and only once. */
class RowCount {
  /** The rows depend on a variable. */
  readVariables = false;
  readonly #schema: GraphQLSchema;
  readonly #operation: OperationDefinitionNode;
  readonly #fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  /** With the defaults of those that were not given. */
  readonly #variables: Record<string, unknown>;
  readonly #numbers = new Map<SelectionSetNode, number>();
  readonly #known = new Map<string, Extent>();

  constructor(
    schema: GraphQLSchema,
    document: DocumentNode,
    operation: OperationDefinitionNode,
    variables: Readonly<Record<string, unknown>>,
  ) {
    this.#schema = schema;
    this.#operation = operation;
    this.#fragments = fragmentsOf(document);
    // a variable may be called `constructor`
    this.#variables = Object.assign(Object.create(null), variables);
    for (const { variable, defaultValue } of operation.variableDefinitions ?? [])
      if (defaultValue && this.#variables[variable.name.value] === undefined)
        this.#variables[variable.name.value] = valueFromASTUntyped(defaultValue);
  }

  total(): Extent {
    return this.#extentOf(this.#schema.getRootType(this.#operation.operation), [this.#operation.selectionSet]);
  }

  /** Selection sets that are about one object, which may be of any of several types. */
  #extentOf(type: GraphQLNamedType | null | undefined, sets: readonly SelectionSetNode[]): Extent {
    if (isAbstractType(type))
      return this.#schema
        .getPossibleTypes(type)
        .map((possible) => this.#extentOf(possible, sets))
        .reduce(either, NOTHING);
    if (!isObjectType(type)) return NOTHING;
    const key = `${type.name} ${sets.map((set) => this.#numberOf(set)).join()}`;
    let extent = this.#known.get(key);
    if (!extent) {
      extent = [...this.#fieldsIn(type, sets).values()]
        .map((nodes) => this.#extentOfField(type, nodes))
        .reduce(together, NOTHING);
      this.#known.set(key, extent);
    }
    return extent;
  }

  /** Several nodes with one response name are one field. */
  #extentOfField(parent: GraphQLObjectType, nodes: readonly FieldNode[]): Extent {
    const [node] = nodes as [FieldNode];
    const { name } = node;
    const field = parent.getFields()[name.value];
    if (!field) return NOTHING;
    const type = getNamedType(field.type);
    const sets = nodes.flatMap(({ selectionSet }) => selectionSet ?? []);
    const at = `${parent.name}.${name.value}`;
    const beside = rowsBeside[at] ?? 0;
    if (isConnection(type)) {
      const ofEntry = [...this.#fieldsIn(type, sets).values()].map((inner) => ({
        extent: this.#extentOfField(type, inner),
        inEntries: inner[0]!.name.value === EDGES,
      }));
      const sum = (inEntries: boolean): Extent =>
        ofEntry.flatMap((one) => (one.inEntries === inEntries ? [one.extent] : [])).reduce(together, NOTHING);
      return together(
        this.#listed(pageEntries, sum(true), { at, node, beside }),
        // the count, and totals
        sum(false),
      );
    }
    const inner = this.#extentOf(type, sets);
    const entries = listEntries[at];
    if (entries === undefined || entries === WITH_PARENT) return { ...inner, beside: capped(inner.beside + beside) };
    return this.#listed(entries, inner, { at, node, beside });
  }

  #listed(
    entries: Entries,
    each: Extent,
    { at, node, beside }: { at: string; node: FieldNode; beside: number },
  ): Extent {
    const count = entries(this.#argumentsOf(node));
    const own = capped(count * (1 + each.beside));
    const inside = each.most && { ...each.most, rows: capped(count * each.most.rows) };
    return {
      rows: capped(own + count * each.rows),
      beside,
      most: inside && inside.rows > own ? inside : { rows: own, field: at, node },
    };
  }

  /** By response name, through fragments; without what a condition leaves out. As it will be executed. */
  #fieldsIn(type: GraphQLObjectType, sets: readonly SelectionSetNode[]): Map<string, FieldNode[]> {
    const fields = new Map<string, FieldNode[]>();
    const spread = new Set<string>();
    const collect = (set: SelectionSetNode): void => {
      for (const selection of set.selections) {
        if (!this.#isIncluded(selection.directives)) continue;
        if (selection.kind === Kind.FIELD) {
          const { value: key } = selection.alias ?? selection.name;
          const nodes = fields.get(key);
          if (nodes) nodes.push(selection);
          else fields.set(key, [selection]);
          continue;
        }
        if (selection.kind === Kind.FRAGMENT_SPREAD) {
          if (spread.has(selection.name.value)) continue;
          spread.add(selection.name.value);
        }
        const part = selection.kind === Kind.FRAGMENT_SPREAD ? this.#fragments.get(selection.name.value) : selection;
        if (part && this.#applies(part.typeCondition?.name.value, type)) collect(part.selectionSet);
      }
    };
    for (const set of sets) collect(set);
    return fields;
  }

  #applies(condition: string | undefined, type: GraphQLObjectType): boolean {
    if (condition === undefined || condition === type.name) return true;
    const wider = this.#schema.getType(condition);
    return isAbstractType(wider) && this.#schema.isSubType(wider, type);
  }

  #isIncluded(directives: readonly DirectiveNode[] = []): boolean {
    return directives.every(({ name, arguments: given }) => {
      if (name.value !== 'skip' && name.value !== 'include') return true;
      return (this.#valueOf(given?.[0]) === true) === (name.value === 'include');
    });
  }

  #argumentsOf(node: FieldNode): Record<string, unknown> {
    return Object.fromEntries((node.arguments ?? []).map((given) => [given.name.value, this.#valueOf(given)]));
  }

  #valueOf(given: ArgumentNode | undefined): unknown {
    if (!given) return undefined;
    const { value } = given;
    if (value.kind === Kind.VARIABLE || value.kind === Kind.LIST || value.kind === Kind.OBJECT)
      this.readVariables = true;
    return valueFromASTUntyped(value, this.#variables);
  }

  #numberOf(set: SelectionSetNode): number {
    let number = this.#numbers.get(set);
    if (number === undefined) this.#numbers.set(set, (number = this.#numbers.size));
    return number;
  }
}

const EDGES = 'edges';

/** A page of a list. */
export const isConnection = (type: GraphQLNamedType): type is GraphQLObjectType =>
  isObjectType(type) && type.getFields()[EDGES] !== undefined;

/** A list that nobody counts would let everything through that is inside of it. */
function requireEntries(type: GraphQLObjectType): void {
  for (const { name, type: fieldType } of Object.values(type.getFields())) {
    const isListOfObjects = isListType(getNullableType(fieldType)) && !isLeafType(getNamedType(fieldType));
    const at = `${type.name}.${name}`;
    if (isListOfObjects && !(name === EDGES && isConnection(type)) && !Object.hasOwn(listEntries, at))
      throw new Error(`Nobody said how many entries ${at} has.`);
  }
}
