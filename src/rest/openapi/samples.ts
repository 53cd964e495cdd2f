import {
  type GraphQLObjectType,
  type GraphQLOutputType,
  getNullableType,
  isEnumType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  type SelectionSetNode,
} from 'graphql';
import { indianTime, wholeSeconds } from '../../core/clock.js';
import type { JsonSchema } from '../../graphql-toolkit/value-schema.js';
import { leafSchema } from './scalars.js';

/** Sample result of an operation. The output of an envelope for it shows where the envelope puts each field. */
export interface Sample {
  result: unknown;
  /** Schemas of the leaves, by their unique text. */
  leaves: ReadonlyMap<string, JsonSchema>;
}

/** Choices for a sample, keyed by path: enum values, nulls and empty lists. */
interface Choices {
  enums: ReadonlyMap<string, string>;
  isNull: (path: string, kind: 'leaf' | 'object') => boolean;
  /** Returns whether a list is empty. */
  isEmpty: (path: string) => boolean;
}

/** Parts of a selection that can vary. */
interface Open {
  enums: Map<string, readonly string[]>;
  leaves: string[];
  objects: string[];
  lists: string[];
}

const NONE = (): boolean => false;

/**
 * Returns samples that produce every shape of a response: with each enum value, with nulls, and with empty lists.
 * @param accepts returns false for a sample that the envelope does not accept, because such a result cannot occur
 */
export function trySamples(
  type: GraphQLOutputType,
  selected: SelectionSetNode,
  accepts: (sample: Sample) => boolean,
): void {
  const open: Open = { enums: new Map(), leaves: [], objects: [], lists: [] };
  make(type, selected, { enums: new Map(), isNull: NONE, isEmpty: NONE }, open);
  for (const enums of combinations([...open.enums])) {
    const tryWith = (isNull: Choices['isNull'], isEmpty: Choices['isEmpty'] = NONE): boolean =>
      accepts(make(type, selected, { enums, isNull, isEmpty }));
    tryWith(NONE);
    for (const list of open.lists) tryWith(NONE, (path) => path === list);
    for (const object of open.objects) tryWith((path) => path === object);
    if (!tryWith((_path, kind) => kind === 'leaf')) for (const leaf of open.leaves) tryWith((path) => path === leaf);
  }
}

function combinations(enums: readonly [path: string, names: readonly string[]][]): Map<string, string>[] {
  return enums.reduce<Map<string, string>[]>(
    (all, [path, names]) => all.flatMap((chosen) => names.map((name) => new Map(chosen).set(path, name))),
    [new Map()],
  );
}

function make(
  type: GraphQLOutputType,
  selected: SelectionSetNode,
  choices: Choices,
  open: Open = { enums: new Map(), leaves: [], objects: [], lists: [] },
): Sample {
  const leaves = new Map<string, JsonSchema>();
  return { result: new SampleMaker(choices, open, leaves).of(type, selected, ''), leaves };
}

/** First number of the samples. Numbers from here on do not occur in the code of an envelope. */
const FIRST_NUMBER = 1001;

class SampleMaker {
  #next = FIRST_NUMBER;

  constructor(
    private readonly choices: Choices,
    private readonly open: Open,
    private readonly leaves: Map<string, JsonSchema>,
  ) {}

  of(
    type: GraphQLOutputType,
    selected: SelectionSetNode | undefined,
    path: string,
    description?: string | null,
  ): unknown {
    const inner = getNullableType(type);
    const kind = isLeafType(inner) ? 'leaf' : 'object';
    if (!isNonNullType(type) && path !== '') {
      (kind === 'leaf' ? this.open.leaves : this.open.objects).push(path);
      if (this.choices.isNull(path, kind)) return null;
    }
    if (isListType(inner)) {
      this.open.lists.push(path);
      return this.choices.isEmpty(path) ? [] : [this.of(inner.ofType, selected, `${path}.0`, description)];
    }

    if (isEnumType(inner)) {
      const names = inner.getValues().map(({ name }) => name);
      this.open.enums.set(path, names);
      const name = this.choices.enums.get(path) ?? names[0]!;
      return this.#leaf(name, { type: 'string', ...(description ? { description } : {}), enum: [name] });
    }
    if (isLeafType(inner))
      return this.#scalar(inner.name, { ...leafSchema(inner), ...(description ? { description } : {}) });
    if (!isObjectType(inner)) throw new Error('Documents of routes select object types only.');
    return this.#object(inner, selected, path);
  }

  #object(type: GraphQLObjectType, selected: SelectionSetNode | undefined, path: string): Record<string, unknown> {
    const fields = type.getFields();
    return Object.fromEntries(
      (selected?.selections ?? [])
        .filter((node) => node.kind === Kind.FIELD)
        .map((node) => {
          const { type: fieldType, description } = fields[node.name.value]!;
          const key = node.alias?.value ?? node.name.value;
          return [key, this.of(fieldType, node.selectionSet, `${path}.${key}`, description)];
        }),
    );
  }

  #scalar(name: string, schema: JsonSchema): unknown {
    const number = this.#next++;
    if (name === 'DateTime') return this.#instant(number, schema);
    if (name === 'Date') return this.#date(number, schema);
    return schema.type === 'string' ? this.#leaf(`sample ${number}`, schema) : this.#leaf(number, schema);
  }

  #leaf<Value>(value: Value, schema: JsonSchema): Value {
    this.leaves.set(String(value), schema);
    return value;
  }

  /** Returns a sample time. REST can return times in whole seconds. */
  #instant(number: number, schema: JsonSchema): string {
    const text = indianTime(new Date(Date.UTC(2026, 0, 1) + number * 1_001));
    this.#leaf(wholeSeconds(text), schema);
    return this.#leaf(text, schema);
  }

  /** Returns a sample date. REST can return dates as DD/MM/YYYY. */
  #date(number: number, { format: _, ...schema }: JsonSchema): string {
    const [day] = new Date(Date.UTC(2026, 0, number)).toISOString().split('T') as [string];
    const pattern = '^[0-9]{2}/[0-9]{2}/[0-9]{4}$';
    this.#leaf(day.split('-').toReversed().join('/'), { ...schema, pattern });
    return this.#leaf(day, { ...schema, format: 'date' });
  }
}
