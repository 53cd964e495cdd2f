import {
  type ASTNode,
  type ConstValueNode,
  Kind,
  type OperationDefinitionNode,
  type ValueNode,
  valueFromASTUntyped,
} from 'graphql';
import type { DocumentPlace } from '../core/errors.js';

/** Returns the start location of a node. */
export function placeOf(node: ASTNode | undefined): DocumentPlace | undefined {
  const token = node?.loc?.startToken;
  return token && { line: token.line, column: token.column };
}

/** Variables of a request, with the defaults of missing variables. */
export class RequestVariables {
  /** Whether `plain` used variables, so that its result can differ for the next request. */
  isRead = false;
  readonly #defaults: ReadonlyMap<string, ConstValueNode | undefined>;
  #mergedValues: Record<string, unknown> | undefined;

  constructor(
    operation: OperationDefinitionNode,
    private readonly values: Readonly<Record<string, unknown>>,
  ) {
    this.#defaults = new Map(
      operation.variableDefinitions?.map(({ variable, defaultValue }) => [variable.name.value, defaultValue]),
    );
  }

  /** Returns the value of a variable as JSON, or its default as written in the document. Returns undefined if it has neither. */
  of(name: string): unknown {
    // a variable can be called `constructor`
    const value = Object.hasOwn(this.values, name) ? this.values[name] : undefined;
    const defaultValue = this.#defaults.get(name);
    return value === undefined && defaultValue ? new DocumentValue(defaultValue, this).content : value;
  }

  /** Returns a value of the document with variables inserted and without coercion. */
  plain(node: ValueNode): unknown {
    if (node.kind !== Kind.VARIABLE && node.kind !== Kind.LIST && node.kind !== Kind.OBJECT)
      return valueFromASTUntyped(node);
    this.isRead = true;
    return valueFromASTUntyped(node, (this.#mergedValues ??= this.#withDefaults()));
  }

  #withDefaults(): Record<string, unknown> {
    // a variable can be called `constructor`
    const merged: Record<string, unknown> = Object.assign(Object.create(null), this.values);
    for (const [name, value] of this.#defaults)
      if (value && merged[name] === undefined) merged[name] = valueFromASTUntyped(value);
    return merged;
  }

  isDeclared(name: string): boolean {
    return this.#defaults.has(name);
  }
}

/**
 * Value as written in a document. Its syntax determines whether it is valid: a quoted word is text and not an enum value, and
 * `3.0` is not an integer. Its location is known.
 */
export class DocumentValue {
  readonly node: ValueNode;

  constructor(
    node: ValueNode,
    private readonly variables: RequestVariables,
  ) {
    this.node = node;
  }

  /**
   * Content of the value, one level deep. It is the value of a variable, the items of a list, the fields of an object, otherwise
   * this value.
   */
  get content(): unknown {
    const { node } = this;
    switch (node.kind) {
      case Kind.VARIABLE:
        return this.variables.of(node.name.value);
      case Kind.NULL:
        return null;
      case Kind.LIST:
        return node.values.map((value) => new DocumentValue(value, this.variables));
      case Kind.OBJECT:
        return Object.fromEntries(
          node.fields.map(({ name, value }) => [name.value, new DocumentValue(value, this.variables)]),
        );
      case Kind.INT:
      case Kind.FLOAT:
      case Kind.STRING:
      case Kind.BOOLEAN:
      case Kind.ENUM:
        return this;
    }
  }

  /** Whether this is a variable that the operation does not declare. Such variables are reported as a separate error. */
  get isUnknowable(): boolean {
    return this.node.kind === Kind.VARIABLE && !this.variables.isDeclared(this.node.name.value);
  }
}
