import {
  type GraphQLInputType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
} from 'graphql';
import { UNKNOWN_ID } from '../../support/ids.js';
import type { Draw } from './draw.js';
import { validValue } from './valid.js';

/** An enum value: a string in variables, a bare name in a document. */
export class Word {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
  toJSON(): string {
    return this.name;
  }
}

const scalars: Readonly<Record<string, (draw: Draw) => unknown>> = {
  Int: (draw) => draw.below(100),
  Float: (draw) => draw.below(100),
  SafeInt: (draw) => draw.below(100),
  Rupees: (draw) => 1 + draw.below(200),
  Boolean: (draw) => draw.chance(50),
  ID: () => UNKNOWN_ID,
  String: (draw) => draw.uniqueName('text-'),
  Date: () => '2026-01-01',
  DateTime: () => '2026-01-01T00:00:00+05:30',
  CircleCode: () => '96',
};

/** A value of the type, mostly one that suits the name of the field. `owner` is the input type or field that contains it. */
export function inputValue(draw: Draw, type: GraphQLInputType, name: string, owner: string): unknown {
  const inner = getNullableType(type);
  if (isEnumType(inner)) return new Word(draw.of(inner.getValues()).name);
  if (isListType(inner)) {
    const value = validValue(draw, name);
    return Array.isArray(value) ? value : [inputValue(draw, inner.ofType, name, owner)];
  }
  if (isInputObjectType(inner))
    return Object.fromEntries(
      Object.values(inner.getFields())
        .filter((field) => isNonNullType(field.type) || draw.chance(40))
        .map((field) => [field.name, inputValue(draw, field.type, field.name, inner.name)]),
    );
  const value = validValue(draw, name);
  const fits = { Int: 'number', Rupees: 'number', Boolean: 'boolean' }[inner.name] ?? 'string';
  return typeof value === fits ? value : (scalars[inner.name] ?? scalars.String!)(draw);
}

/** A value as a literal in a document. */
export function literal(value: unknown): string {
  if (value instanceof Word) return value.name;
  if (Array.isArray(value)) return `[${value.map(literal).join(',')}]`;
  if (typeof value === 'object' && value !== null)
    return `{${Object.entries(value)
      .map(([name, inner]) => `${name}:${literal(inner)}`)
      .join(',')}}`;
  return JSON.stringify(value) ?? 'null';
}
