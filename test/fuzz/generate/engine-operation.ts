import {
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isInterfaceType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import type { Draw } from './draw.js';
import { inputValue, literal } from './graphql-values.js';

const MAX_DEPTH = 4;

export interface EngineOperation {
  source: string;
  variables: Record<string, unknown>;
}

/**
 * A random operation with features that two engines may handle differently: aliases, fragments, conditions, defaults of
 * variables, null and missing values. Most of the operations are valid.
 */
export class EngineOperations {
  readonly #draw: Draw;
  readonly #schema: GraphQLSchema;
  readonly #declared: string[] = [];
  readonly #variables: Record<string, unknown> = {};
  readonly #fragments = new Map<string, { type: string; text: string }>();

  private constructor(draw: Draw, schema: GraphQLSchema) {
    this.#draw = draw;
    this.#schema = schema;
  }

  static generate(draw: Draw, schema: GraphQLSchema): EngineOperation {
    return new EngineOperations(draw, schema).#operation();
  }

  #operation(): EngineOperation {
    const isMutation = this.#draw.chance(20);
    const root = (isMutation && this.#schema.getMutationType()) || this.#schema.getQueryType()!;
    const body = this.#selections(root, 0);
    const head = this.#declared.length > 0 ? ` Q(${this.#declared.join(', ')})` : ' Q';
    const fragments = [...this.#fragments].map(([name, { type, text }]) => `fragment ${name} on ${type} ${text}`);
    return {
      source: [`${isMutation ? 'mutation' : 'query'}${head} ${body}`, ...fragments].join(' '),
      variables: this.#variables,
    };
  }

  #selections(type: GraphQLObjectType, depth: number): string {
    const draw = this.#draw;
    const fields = Object.values(type.getFields());
    const texts: string[] = draw.chance(10) ? ['__typename'] : [];
    for (let left = 1 + draw.below(depth === 0 ? 2 : 5); left > 0; left--)
      texts.push(this.#field(draw.of(fields), depth));
    if (depth > 0 && draw.chance(12)) texts.push(this.#inline(type, depth));
    if (depth > 0 && draw.chance(12)) texts.push(this.#spread(type, depth));
    return `{ ${texts.join(' ')} }`;
  }

  #field(field: GraphQLField<unknown, unknown>, depth: number): string {
    const type = getNamedType(field.type);
    const inner = isObjectType(type) ? type : undefined;
    if ((inner && depth >= MAX_DEPTH) || isInterfaceType(type)) return '__typename';
    // two uses of a field with arguments must not share a name
    const named = field.args.length > 0 || this.#draw.chance(15);
    const alias = named ? `${this.#draw.chance(3) ? 'a_' : 'a'}${this.#draw.below(10_000)}: ` : '';
    const selections = inner ? ` ${this.#selections(inner, depth + 1)}` : '';
    return `${alias}${field.name}${this.#arguments(field)}${this.#condition()}${selections}`;
  }

  #arguments(field: GraphQLField<unknown, unknown>): string {
    const draw = this.#draw;
    const usedArguments = field.args.filter(({ type }) => isNonNullType(type) || draw.chance(40));
    const texts = usedArguments.map(({ name, type }) => {
      const value = inputValue(draw, type, name, field.name);
      return `${name}: ${draw.chance(50) ? this.#variable(String(type), value) : literal(value)}`;
    });
    return texts.length > 0 ? `(${texts.join(', ')})` : '';
  }

  #variable(type: string, value: unknown): string {
    const draw = this.#draw;
    const name = `v${this.#declared.length}`;
    const hasDefault = draw.chance(20);
    this.#declared.push(`$${name}: ${type}${hasDefault ? ` = ${literal(value)}` : ''}`);
    if (!draw.chance(hasDefault ? 60 : 4)) this.#variables[name] = draw.chance(4) ? null : plain(value);
    return `$${name}`;
  }

  #condition(): string {
    const draw = this.#draw;
    if (!draw.chance(12)) return '';
    const value = draw.chance(50);
    return ` @${draw.chance(50) ? 'include' : 'skip'}(if: ${draw.chance(60) ? this.#variable('Boolean!', value) : value})`;
  }

  #inline(type: GraphQLObjectType, depth: number): string {
    const on = this.#draw.chance(60) ? ` on ${type.name}` : '';
    return `...${on}${this.#condition()} ${this.#selections(type, depth)}`;
  }

  #spread(type: GraphQLObjectType, depth: number): string {
    const fragmentNames = [...this.#fragments].filter(([, { type: on }]) => on === type.name).map(([name]) => name);
    let name = fragmentNames.length > 0 && this.#draw.chance(50) ? this.#draw.of(fragmentNames) : undefined;
    if (name === undefined) {
      const text = this.#selections(type, depth);
      name = `F${this.#fragments.size}`;
      this.#fragments.set(name, { type: type.name, text });
    }
    return `...${name}${this.#condition()}`;
  }
}

/** The value as a request contains it: enum values are strings. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
