import {
  type ASTNode,
  type ConstValueNode,
  Kind,
  type OperationDefinitionNode,
  type ValueNode,
  valueFromASTUntyped,
} from 'graphql';
import type { DocumentPlace } from '../core/errors.js';

/** Where a node begins. */
export function placeOf(node: ASTNode | undefined): DocumentPlace | undefined {
  const token = node?.loc?.startToken;
  return token && { line: token.line, column: token.column };
}

/** What the variables of a request hold, and what they are when it says nothing of them. */
export class GivenVariables {
  /** What `plain` gave may be another value in the next request. */
  wereRead = false;
  readonly #defaults: ReadonlyMap<string, ConstValueNode | undefined>;
  #all: Record<string, unknown> | undefined;

  constructor(
    operation: OperationDefinitionNode,
    private readonly values: Readonly<Record<string, unknown>>,
  ) {
    this.#defaults = new Map(
      operation.variableDefinitions?.map(({ variable, defaultValue }) => [variable.name.value, defaultValue]),
    );
  }

  /** Its value in JSON, or its default as it is written. Undefined when it has neither. */
  of(name: string): unknown {
    // a variable may be called `constructor`
    const value = Object.hasOwn(this.values, name) ? this.values[name] : undefined;
    const otherwise = this.#defaults.get(name);
    return value === undefined && otherwise ? new Written(otherwise, this).content : value;
  }

  /** A value of the document with its variables filled in, and nothing coerced. */
  plain(node: ValueNode): unknown {
    if (node.kind !== Kind.VARIABLE && node.kind !== Kind.LIST && node.kind !== Kind.OBJECT)
      return valueFromASTUntyped(node);
    this.wereRead = true;
    return valueFromASTUntyped(node, (this.#all ??= this.#withDefaults()));
  }

  #withDefaults(): Record<string, unknown> {
    // a variable may be called `constructor`
    const all: Record<string, unknown> = Object.assign(Object.create(null), this.values);
    for (const [name, value] of this.#defaults)
      if (value && all[name] === undefined) all[name] = valueFromASTUntyped(value);
    return all;
  }

  isDeclared(name: string): boolean {
    return this.#defaults.has(name);
  }
}

/**
 * A value as it stands in a document. How it is written decides whether it fits: a word in quotes is text and no enum, `3.0` is no
 * whole number; and its place can be named.
 */
export class Written {
  readonly node: ValueNode;

  constructor(
    node: ValueNode,
    private readonly variables: GivenVariables,
  ) {
    this.node = node;
  }

  /** What it holds, opened by one level: of a variable its value, of a list and an object what is written in it, else itself. */
  get content(): unknown {
    const { node } = this;
    switch (node.kind) {
      case Kind.VARIABLE:
        return this.variables.of(node.name.value);
      case Kind.NULL:
        return null;
      case Kind.LIST:
        return node.values.map((value) => new Written(value, this.variables));
      case Kind.OBJECT:
        return Object.fromEntries(
          node.fields.map(({ name, value }) => [name.value, new Written(value, this.variables)]),
        );
      case Kind.INT:
      case Kind.FLOAT:
      case Kind.STRING:
      case Kind.BOOLEAN:
      case Kind.ENUM:
        return this;
    }
  }

  /** A variable that the operation does not declare is a mistake of its own. */
  get isUnknowable(): boolean {
    return this.node.kind === Kind.VARIABLE && !this.variables.isDeclared(this.node.name.value);
  }
}
