import { type DocumentNode, type GraphQLSchema, type OperationDefinitionNode, parse } from 'graphql';
import { type CompiledQuery, compileQuery, isCompiledQuery } from 'graphql-jit';
import type { Principal } from '../core/principal.js';
import { isCompilable } from './document.js';

/** A document is compiled when it is used for the third time: compiling costs more than interpreting once. */
const COMPILE_AFTER_USES = 2;

interface Use {
  /** By callers that we know, unless the document is our own. */
  count: number;
  /** null: interpret for ever. */
  compiled?: CompiledQuery | null;
}

/** Compiled forms of the operations that are used often. */
export class CompiledQueries {
  readonly #schema: GraphQLSchema;
  readonly #compile: typeof compileQuery | false;
  /** Documents of callers live in the document store, which is bounded; entries die with them. */
  readonly #uses = new WeakMap<OperationDefinitionNode, Use>();
  readonly #own = new WeakSet<OperationDefinitionNode>();

  /** @param compile false interprets every document */
  constructor(schema: GraphQLSchema, compile: typeof compileQuery | false = compileQuery) {
    this.#schema = schema;
    this.#compile = compile;
  }

  /** Our own documents are compiled for every caller. */
  trust(operation: OperationDefinitionNode): void {
    this.#own.add(operation);
  }

  /** Undefined when the operation is to be interpreted, this time at least. */
  of(
    document: DocumentNode,
    operation: OperationDefinitionNode,
    principal: Principal | undefined,
  ): CompiledQuery | undefined {
    if (!this.#compile) return undefined;
    let use = this.#uses.get(operation);
    if (!use) this.#uses.set(operation, (use = { count: 0 }));
    // a stranger has nothing compiled: it costs as much as hundreds of requests
    const counts = principal !== undefined || this.#own.has(operation);
    if (use.compiled === undefined && counts && ++use.count > COMPILE_AFTER_USES)
      use.compiled = this.#tryCompile(this.#compile, document, operation);
    return use.compiled ?? undefined;
  }

  #tryCompile(
    compile: typeof compileQuery,
    document: DocumentNode,
    operation: OperationDefinitionNode,
  ): CompiledQuery | null {
    const source = document.loc?.source.body;
    if (!source || !isCompilable(this.#schema, document)) return null;
    try {
      // graphql-jit writes into the tree that it compiles
      const compiled = compile(this.#schema, parse(source), operation.name?.value);
      return isCompiledQuery(compiled) ? compiled : null;
    } catch {
      return null;
    }
  }
}
