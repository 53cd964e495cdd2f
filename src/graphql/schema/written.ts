import { type ConstValueNode, Kind, type OperationDefinitionNode, type ValueNode } from 'graphql';

/** What the variables of a request hold, and what they are when it says nothing of them. */
export class GivenVariables {
  readonly #values: Readonly<Record<string, unknown>>;
  readonly #defaults: ReadonlyMap<string, ConstValueNode | undefined>;

  constructor(operation: OperationDefinitionNode, values: Readonly<Record<string, unknown>>) {
    this.#values = values;
    this.#defaults = new Map(
      operation.variableDefinitions?.map(({ variable, defaultValue }) => [variable.name.value, defaultValue]),
    );
  }

  /** Its value in JSON, or its default as it is written. Undefined when it has neither. */
  of(name: string): unknown {
    // a variable may be called `constructor`
    const value = Object.hasOwn(this.#values, name) ? this.#values[name] : undefined;
    const otherwise = this.#defaults.get(name);
    return value === undefined && otherwise ? new Written(otherwise, this).content : value;
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
  readonly #variables: GivenVariables;

  constructor(node: ValueNode, variables: GivenVariables) {
    this.node = node;
    this.#variables = variables;
  }

  /** What it holds, opened by one level: of a variable its value, of a list and an object what is written in it, else itself. */
  get content(): unknown {
    const { node } = this;
    switch (node.kind) {
      case Kind.VARIABLE:
        return this.#variables.of(node.name.value);
      case Kind.NULL:
        return null;
      case Kind.LIST:
        return node.values.map((value) => new Written(value, this.#variables));
      case Kind.OBJECT:
        return Object.fromEntries(
          node.fields.map(({ name, value }) => [name.value, new Written(value, this.#variables)]),
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
    return this.node.kind === Kind.VARIABLE && !this.#variables.isDeclared(this.node.name.value);
  }
}
