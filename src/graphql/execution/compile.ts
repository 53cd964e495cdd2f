/*
 * Everything about the JIT; docs/decisions/0001-jit-behind-a-guard.md says why there is one. `GRAPHQL_JIT=false` does without:
 * the answers are the same, and `npm run fuzz` compares them on ten thousand random operations.
 */
import {
  type DocumentNode,
  type GraphQLSchema,
  isEnumType,
  isLeafType,
  isNonNullType,
  isSpecifiedScalarType,
  type OperationDefinitionNode,
  parse,
  typeFromAST,
  visit,
} from 'graphql';
import { type CompiledQuery, compileQuery, isCompiledQuery } from 'graphql-jit';
import { measureDocument } from '../documents/size.js';
import type { KeptDocuments } from '../documents/store.js';

/** A document is compiled when it is used for the third time: compiling costs more than interpreting once. */
const COMPILE_AFTER_USES = 2;

const ALL: KeptDocuments = { isKept: () => true, compiled() {} };

interface Use {
  /** Of our own documents. */
  count: number;
  /** null: interpret for ever. */
  compiled?: CompiledQuery | null;
}

/** Compiled forms of the operations that are used often. */
export class CompiledQueries {
  /** Documents of callers live in the document store, which is bounded; entries die with them. */
  readonly #uses = new WeakMap<OperationDefinitionNode, Use>();
  readonly #own = new WeakSet<OperationDefinitionNode>();

  /** @param compile false interprets every document */
  constructor(
    private readonly schema: GraphQLSchema,
    private readonly kept: KeptDocuments = ALL,
    private readonly compile: typeof compileQuery | false = compileQuery,
  ) {}

  /** Our own documents are compiled for every caller. */
  trust(operation: OperationDefinitionNode): void {
    this.#own.add(operation);
  }

  /** Undefined when the operation is to be interpreted, this time at least. */
  of(document: DocumentNode, operation: OperationDefinitionNode): CompiledQuery | undefined {
    if (!this.compile) return undefined;
    let use = this.#uses.get(operation);
    if (!use) this.#uses.set(operation, (use = { count: 0 }));
    // it costs as much as hundreds of requests: of a stranger nothing is compiled, and nothing that was refused or is used once
    if (
      use.compiled === undefined &&
      (this.#own.has(operation) ? ++use.count > COMPILE_AFTER_USES : this.kept.isKept(document))
    ) {
      use.compiled = this.#tryCompile(this.compile, document, operation);
      if (use.compiled) this.kept.compiled(document);
    }
    return use.compiled ?? undefined;
  }

  #tryCompile(
    compile: typeof compileQuery,
    document: DocumentNode,
    operation: OperationDefinitionNode,
  ): CompiledQuery | null {
    const source = document.loc?.source.body;
    if (!source || !isCompilable(this.schema, document)) return null;
    try {
      // graphql-jit writes into the tree that it compiles
      const compiled = compile(this.schema, parse(source), operation.name?.value);
      return isCompiledQuery(compiled) ? compiled : null;
    } catch {
      return null;
    }
  }
}

/** Compiling takes the square of the fields: 60 take 3 ms, 180 take 40 ms, more than they would ever save. */
const MAX_COMPILED_FIELDS = 100;

/**
 * What graphql-jit compiles to the same answers as graphql-js. It names its resolve infos by joining paths with "_", treats
 * variable defaults differently, and does not introspect. Where a document has conditions, it merges selections of one object that
 * stand at several places, and forgets which condition was whose: neither a fragment nor an object is selected twice then.
 */
function isCompilable(schema: GraphQLSchema, document: DocumentNode): boolean {
  if (measureDocument(document).fields > MAX_COMPILED_FIELDS) return false;
  let compilable = true;
  let conditional = false;
  let repeated = false;
  const seen = new Set<string>();
  const repeats = (what: string): void => {
    if (seen.has(what)) repeated = true;
    seen.add(what);
  };
  visit(document, {
    Field({ alias, name, selectionSet }) {
      if (selectionSet) repeats(`field ${(alias ?? name).value}`);
      if (alias && /_|^idx\d/.test(alias.value)) compilable = false;
      if (name.value === '__schema' || name.value === '__type') compilable = false;
    },
    VariableDefinition({ defaultValue, type: node }) {
      if (!defaultValue) return;
      const type = typeFromAST(schema, node as never);
      if (!type || isNonNullType(type) || !isLeafType(type) || !(isEnumType(type) || isSpecifiedScalarType(type)))
        compilable = false;
    },
    Directive({ name }) {
      if (name.value === 'skip' || name.value === 'include') conditional = true;
    },
    FragmentSpread({ name }) {
      repeats(`fragment ${name.value}`);
    },
  });
  return compilable && !(conditional && repeated);
}
