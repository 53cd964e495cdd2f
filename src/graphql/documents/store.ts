import { getHeapStatistics } from 'node:v8';
import type { DocumentNode } from 'graphql';
import { callerOf, type Principal } from '../../core/principal.js';

/** Of the heap that V8 may use, for the documents of all hosts. */
const SHARE_OF_HEAP = 1 / 10;
/** Of that, for those that one caller brought. */
const SHARE_OF_CALLER = 1 / 8;

/** Measured: a tree with its tokens, by token, and what is known of any document; the compiled form besides. */
const DOCUMENT_BYTES = 2_048;
const TOKEN_BYTES = 400;
const COMPILED_TOKEN_BYTES = 1_000;

/** Documents of one caller that were used once, by their hash; and callers of whom some are known. */
const USED_ONCE = 64;
const CALLERS = 256;

interface Kept {
  document: DocumentNode;
  caller: string;
  bytes: number;
  forget: () => void;
}

/** What a parsed document takes, in bytes. */
export const bytesOf = (document: DocumentNode): number => DOCUMENT_BYTES + tokensOf(document) * TOKEN_BYTES;

const tokensOf = (document: DocumentNode): number => (document as DocumentNode & { tokenCount: number }).tokenCount;

/**
 * What the documents of callers take, parsed and compiled: one budget for all hosts of a process, because they share one heap. The
 * least recently used go first, and those of a caller who has more than a share before all others.
 */
export class DocumentBudget {
  readonly limitBytes: number;
  /** In the order in which they were used. */
  readonly #kept = new Set<Kept>();
  readonly #byCaller = new Map<string, number>();
  readonly #usedOnce = new Map<string, Set<string>>();
  #bytes = 0;

  constructor(limitBytes = getHeapStatistics().heap_size_limit * SHARE_OF_HEAP) {
    this.limitBytes = limitBytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Whether the caller has used it before: who writes values into the text never sends the same one again. */
  isRepeated(caller: string, hash: string): boolean {
    const once = this.#usedOnce.get(caller) ?? new Set();
    // the newest of them from now on
    this.#usedOnce.delete(caller);
    this.#usedOnce.set(caller, once);
    forgetOldest(this.#usedOnce, CALLERS);
    if (once.delete(hash)) return true;
    once.add(hash);
    forgetOldest(once, USED_ONCE);
    return false;
  }

  use(kept: Kept): void {
    this.#kept.delete(kept);
    this.#kept.add(kept);
  }

  add(kept: Kept): void {
    this.#kept.add(kept);
    this.#count(kept, kept.bytes);
    this.#makeRoom(kept.caller);
  }

  grow(kept: Kept, bytes: number): void {
    if (!this.#kept.has(kept)) return;
    kept.bytes += bytes;
    this.#count(kept, bytes);
    this.#makeRoom(kept.caller);
  }

  #makeRoom(caller: string): void {
    for (const kept of this.#kept) {
      if ((this.#byCaller.get(caller) ?? 0) <= this.limitBytes * SHARE_OF_CALLER) break;
      if (kept.caller === caller) this.#drop(kept);
    }
    for (const kept of this.#kept) {
      if (this.#bytes <= this.limitBytes) return;
      this.#drop(kept);
    }
  }

  #drop(kept: Kept): void {
    this.#kept.delete(kept);
    this.#count(kept, -kept.bytes);
    kept.forget();
  }

  #count({ caller }: Kept, bytes: number): void {
    this.#bytes += bytes;
    const own = (this.#byCaller.get(caller) ?? 0) + bytes;
    if (own > 0) this.#byCaller.set(caller, own);
    else this.#byCaller.delete(caller);
  }
}

/** Documents of callers. One is kept when it has been answered twice. */
export interface KeptDocuments {
  isKept(document: DocumentNode): boolean;
  compiled(document: DocumentNode): void;
}

/**
 * Parsed and validated documents of one host by their hash. Apollo asks it before it parses. A document is kept from its second use
 * on, and a use is an answer without a refusal to somebody who is known: neither strangers nor what was refused can fill it.
 */
export class DocumentStore implements KeptDocuments {
  readonly #budget: DocumentBudget;
  readonly #byHash = new Map<string, Kept>();
  readonly #byDocument = new WeakMap<DocumentNode, Kept>();

  constructor(budget: DocumentBudget) {
    this.#budget = budget;
  }

  /** @param key the hash, behind what Apollo puts before it */
  async get(key: string): Promise<DocumentNode | undefined> {
    const kept = this.#byHash.get(key.slice(key.lastIndexOf(':') + 1));
    if (kept) this.#budget.use(kept);
    return kept?.document;
  }

  /** Apollo's own attempt to keep what it has parsed, which nobody has judged yet. */
  async set(): Promise<void> {}

  async delete(): Promise<boolean> {
    return false;
  }

  isKept(document: DocumentNode): boolean {
    return this.#byDocument.has(document);
  }

  /** It was answered, and nothing was refused. */
  answered(hash: string, document: DocumentNode, principal: Principal | undefined): void {
    if (!principal || this.#byHash.has(hash)) return;
    const caller = callerOf(principal);
    if (!this.#budget.isRepeated(caller, hash)) return;
    const forget = (): void => {
      this.#byHash.delete(hash);
      this.#byDocument.delete(document);
    };
    const kept = { document, caller, bytes: bytesOf(document), forget };
    this.#byHash.set(hash, kept);
    this.#byDocument.set(document, kept);
    this.#budget.add(kept);
  }

  /** One of its operations was compiled. */
  compiled(document: DocumentNode): void {
    const kept = this.#byDocument.get(document);
    if (kept) this.#budget.grow(kept, tokensOf(document) * COMPILED_TOKEN_BYTES);
  }
}

function forgetOldest(all: Map<string, unknown> | Set<string>, most: number): void {
  for (const oldest of all.keys()) {
    if (all.size <= most) return;
    all.delete(oldest);
  }
}
