import { getHeapStatistics } from 'node:v8';
import type { DocumentNode } from 'graphql';
import { LRUCache } from 'lru-cache';
import { callerOf, type Principal } from '../../core/principal.js';

/** Share of V8's heap limit for the documents of all hosts. */
const SHARE_OF_HEAP = 1 / 10;
/** Share of that budget for the documents of one caller. */
const SHARE_OF_CALLER = 1 / 8;

/**
 * Measured memory, consisting of a fixed size per document, the size of the tree per token, and the size of the compiled form.
 */
const DOCUMENT_BYTES = 2_048;
const TOKEN_BYTES = 400;
const COMPILED_TOKEN_BYTES = 1_000;

/** Number of hashes per caller for documents that were used once, and number of callers with stored hashes. */
const USED_ONCE = 64;
const CALLERS = 256;

interface Kept {
  document: DocumentNode;
  caller: string;
  forget: () => void;
}

/** Returns the memory of a parsed document in bytes. */
export const bytesOf = (document: DocumentNode): number => DOCUMENT_BYTES + tokensOf(document) * TOKEN_BYTES;

const tokensOf = (document: DocumentNode): number => (document as DocumentNode & { tokenCount: number }).tokenCount;

/**
 * Memory budget for parsed and compiled documents of callers, shared by all hosts of a process because they share a heap. The
 * least recently used documents are removed first. If a caller exceeds its share, its own documents are removed before those of
 * others.
 */
export class DocumentBudget {
  readonly limitBytes: number;
  /** Documents with their size in bytes. */
  readonly #kept: LRUCache<Kept, number>;
  readonly #byCaller = new Map<string, number>();
  readonly #usedOnce = new LRUCache<string, LRUCache<string, true>>({ max: CALLERS });

  constructor(limitBytes = Math.floor(getHeapStatistics().heap_size_limit * SHARE_OF_HEAP)) {
    this.limitBytes = limitBytes;
    this.#kept = new LRUCache({
      maxSize: limitBytes,
      sizeCalculation: (bytes) => bytes,
      dispose: (bytes, kept, reason) => {
        this.#count(kept, -bytes);
        // reason 'set': the document has grown and is kept
        if (reason !== 'set') kept.forget();
      },
    });
  }

  get bytes(): number {
    return this.#kept.calculatedSize;
  }

  /**
   * Returns whether the caller has used the document before. Callers that insert values into the document text never send the
   * same text again.
   */
  isRepeated(caller: string, hash: string): boolean {
    let once = this.#usedOnce.get(caller);
    if (!once) this.#usedOnce.set(caller, (once = new LRUCache({ max: USED_ONCE })));
    if (once.delete(hash)) return true;
    once.set(hash, true);
    return false;
  }

  use(kept: Kept): void {
    this.#kept.get(kept);
  }

  add(kept: Kept, bytes: number): void {
    const share = this.limitBytes * SHARE_OF_CALLER;
    const own = (): number => (this.#byCaller.get(kept.caller) ?? 0) - (this.#kept.peek(kept) ?? 0) + bytes;
    if (own() > share)
      for (const older of Array.from(this.#kept.rkeys()))
        if (older !== kept && older.caller === kept.caller && own() > share) this.#kept.delete(older);
    if (own() > share) {
      // the document is larger than the share of a caller
      if (!this.#kept.delete(kept)) kept.forget();
      return;
    }
    this.#kept.set(kept, bytes);
    this.#count(kept, bytes);
  }

  grow(kept: Kept, bytes: number): void {
    const before = this.#kept.peek(kept);
    if (before !== undefined) this.add(kept, before + bytes);
  }

  #count({ caller }: Kept, bytes: number): void {
    const own = (this.#byCaller.get(caller) ?? 0) + bytes;
    if (own > 0) this.#byCaller.set(caller, own);
    else this.#byCaller.delete(caller);
  }
}

/** Documents of callers. A document is stored on its second successful use. */
export interface KeptDocuments {
  isKept(document: DocumentNode): boolean;
  compiled(document: DocumentNode): void;
}

/**
 * Parsed and validated documents of a host, by hash. Apollo looks up the document here before it parses. A document is stored on
 * its second use. Only uses by an authenticated caller without errors count, so neither anonymous callers nor rejected documents
 * can fill the store.
 */
export class DocumentStore implements KeptDocuments {
  readonly #byHash = new Map<string, Kept>();
  readonly #byDocument = new WeakMap<DocumentNode, Kept>();

  constructor(private readonly budget: DocumentBudget) {}

  /**
   * Returns the document with a hash.
   * @param key hash with the prefix that Apollo adds
   */
  async get(key: string): Promise<DocumentNode | undefined> {
    const kept = this.#byHash.get(key.slice(key.lastIndexOf(':') + 1));
    if (kept) this.budget.use(kept);
    return kept?.document;
  }

  /** Does nothing. Apollo calls this for documents that it has parsed but that have not been validated yet. */
  async set(): Promise<void> {}

  async delete(): Promise<boolean> {
    return false;
  }

  isKept(document: DocumentNode): boolean {
    return this.#byDocument.has(document);
  }

  /** Called after a document was executed without errors. */
  answered(hash: string, document: DocumentNode, principal: Principal | undefined): void {
    if (!principal || this.#byHash.has(hash)) return;
    const caller = callerOf(principal);
    if (!this.budget.isRepeated(caller, hash)) return;
    const forget = (): void => {
      this.#byHash.delete(hash);
      this.#byDocument.delete(document);
    };
    const kept = { document, caller, forget };
    this.#byHash.set(hash, kept);
    this.#byDocument.set(document, kept);
    this.budget.add(kept, bytesOf(document));
  }

  /** Called when an operation of the document was compiled. */
  compiled(document: DocumentNode): void {
    const kept = this.#byDocument.get(document);
    if (kept) this.budget.grow(kept, tokensOf(document) * COMPILED_TOKEN_BYTES);
  }
}
