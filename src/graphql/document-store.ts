import type { DocumentNode } from 'graphql';

/** Of all documents together: a node, with its tokens and what is compiled from it, takes half a kilobyte. */
const MAX_NODES = 100_000;

/**
 * Parsed and validated documents by their hash; the least recently used go first. Apollo asks it before it parses. A document is
 * kept once it was judged, and only for callers that are known: strangers cannot fill it.
 */
export class DocumentStore {
  readonly #kept = new Map<string, { document: DocumentNode; nodes: number }>();
  #nodes = 0;

  /** @param key the hash, behind what Apollo puts before it */
  async get(key: string): Promise<DocumentNode | undefined> {
    const hash = hashOf(key);
    const found = this.#kept.get(hash);
    if (!found) return undefined;
    this.#kept.delete(hash);
    this.#kept.set(hash, found);
    return found.document;
  }

  /** Apollo's own attempt to keep what it has parsed, which nobody has judged yet. */
  async set(): Promise<void> {}

  async delete(key: string): Promise<boolean> {
    return this.#drop(hashOf(key));
  }

  keep(hash: string, document: DocumentNode, nodes: number): void {
    this.#drop(hash);
    this.#kept.set(hash, { document, nodes });
    this.#nodes += nodes;
    for (const oldest of this.#kept.keys()) {
      if (this.#nodes <= MAX_NODES) return;
      this.#drop(oldest);
    }
  }

  #drop(hash: string): boolean {
    this.#nodes -= this.#kept.get(hash)?.nodes ?? 0;
    return this.#kept.delete(hash);
  }
}

const hashOf = (key: string): string => key.slice(key.lastIndexOf(':') + 1);
