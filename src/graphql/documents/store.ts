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

interface CachedDocument {
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
  readonly #entries: LRUCache<CachedDocument, number>;
  readonly #byCaller = new Map<string, number>();
  readonly #usedOnce = new LRUCache<string, LRUCache<string, true>>({ max: CALLERS });

  constructor(limitBytes = Math.floor(getHeapStatistics().heap_size_limit * SHARE_OF_HEAP)) {
    this.limitBytes = limitBytes;
    this.#entries = new LRUCache({
      maxSize: limitBytes,
      sizeCalculation: (bytes) => bytes,
      dispose: (bytes, entry, reason) => {
        this.#count(entry, -bytes);
        // reason 'set': the document has grown and is kept
        if (reason !== 'set') entry.forget();
      },
    });
  }

  get bytes(): number {
    return this.#entries.calculatedSize;
  }

  /**
   * Returns whether the caller has used the document before. Callers that insert values into the document text never send the
   * same text again.
   */
  isRepeated(caller: string, hash: string): boolean {
    let hashes = this.#usedOnce.get(caller);
    if (!hashes) this.#usedOnce.set(caller, (hashes = new LRUCache({ max: USED_ONCE })));
    if (hashes.delete(hash)) return true;
    hashes.set(hash, true);
    return false;
  }

  use(entry: CachedDocument): void {
    this.#entries.get(entry);
  }

  add(entry: CachedDocument, bytes: number): void {
    const share = this.limitBytes * SHARE_OF_CALLER;
    const callerBytes = (): number =>
      (this.#byCaller.get(entry.caller) ?? 0) - (this.#entries.peek(entry) ?? 0) + bytes;
    if (callerBytes() > share)
      for (const older of Array.from(this.#entries.rkeys()))
        if (older !== entry && older.caller === entry.caller && callerBytes() > share) this.#entries.delete(older);
    if (callerBytes() > share) {
      // the document is larger than the share of a caller
      if (!this.#entries.delete(entry)) entry.forget();
      return;
    }
    this.#entries.set(entry, bytes);
    this.#count(entry, bytes);
  }

  grow(entry: CachedDocument, bytes: number): void {
    const bytesBefore = this.#entries.peek(entry);
    if (bytesBefore !== undefined) this.add(entry, bytesBefore + bytes);
  }

  #count({ caller }: CachedDocument, bytes: number): void {
    const callerBytes = (this.#byCaller.get(caller) ?? 0) + bytes;
    if (callerBytes > 0) this.#byCaller.set(caller, callerBytes);
    else this.#byCaller.delete(caller);
  }
}

/** Documents of callers. A document is stored on its second successful use. */
export interface DocumentCache {
  isCached(document: DocumentNode): boolean;
  noteCompiled(document: DocumentNode): void;
}

/**
 * Parsed and validated documents of a host, by hash. Apollo looks up the document here before it parses. A document is stored on
 * its second use. Only uses by an authenticated caller without errors count, so neither anonymous callers nor rejected documents
 * can fill the store.
 */
export class DocumentStore implements DocumentCache {
  readonly #byHash = new Map<string, CachedDocument>();
  readonly #byDocument = new WeakMap<DocumentNode, CachedDocument>();

  constructor(private readonly budget: DocumentBudget) {}

  /**
   * Returns the document with a hash.
   * @param key hash with the prefix that Apollo adds
   */
  async get(key: string): Promise<DocumentNode | undefined> {
    const entry = this.#byHash.get(key.slice(key.lastIndexOf(':') + 1));
    if (entry) this.budget.use(entry);
    return entry?.document;
  }

  /** Does nothing. Apollo calls this for documents that it has parsed but that have not been validated yet. */
  async set(): Promise<void> {}

  async delete(): Promise<boolean> {
    return false;
  }

  isCached(document: DocumentNode): boolean {
    return this.#byDocument.has(document);
  }

  /** Called after a document was executed without errors. */
  storeExecuted(hash: string, document: DocumentNode, principal: Principal | undefined): void {
    if (!principal || this.#byHash.has(hash)) return;
    const caller = callerOf(principal);
    if (!this.budget.isRepeated(caller, hash)) return;
    const forget = (): void => {
      this.#byHash.delete(hash);
      this.#byDocument.delete(document);
    };
    const entry = { document, caller, forget };
    this.#byHash.set(hash, entry);
    this.#byDocument.set(document, entry);
    this.budget.add(entry, bytesOf(document));
  }

  /** Called when an operation of the document was compiled. */
  noteCompiled(document: DocumentNode): void {
    const entry = this.#byDocument.get(document);
    if (entry) this.budget.grow(entry, tokensOf(document) * COMPILED_TOKEN_BYTES);
  }
}
