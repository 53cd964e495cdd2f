import { hash as digest } from 'node:crypto';
import { type DocumentNode, parse } from 'graphql';
import { describe, expect, it } from 'vitest';
import type { DeveloperPrincipal } from '../../src/core/principal.js';
import { bytesOf, DocumentBudget, DocumentStore } from '../../src/graphql/documents/store.js';

const CAPACITY = 64_000;
const developerOf = (developerId: string) => ({ kind: 'developer', developerId }) as DeveloperPrincipal;
const textOf = (n: number): string => `{ a${n}: me { id name email } }`;

/** Stores a document as if it had been used this many times. */
function storeDocument(store: DocumentStore, text: string, times: number, principal = developerOf('a')): DocumentNode {
  let document = parse(text);
  for (let remaining = times; remaining > 0; remaining--)
    store.storeExecuted(digest('sha256', text), (document = parse(text)), principal);
  return document;
}
const isKept = async (store: DocumentStore, text: string): Promise<boolean> =>
  (await store.get(`apollo:${digest('sha256', text)}`)) !== undefined;

describe('a cached document', () => {
  it('is cached from its second use', async () => {
    const store = new DocumentStore(new DocumentBudget(CAPACITY));
    storeDocument(store, textOf(1), 1);
    expect(await isKept(store, textOf(1))).toBe(false);
    const document = storeDocument(store, textOf(1), 1);
    expect(await isKept(store, textOf(1))).toBe(true);
    expect(store.isCached(document)).toBe(true);
  });

  it('is never one of an anonymous caller', async () => {
    const store = new DocumentStore(new DocumentBudget(CAPACITY));
    for (let times = 0; times < 5; times++)
      store.storeExecuted(digest('sha256', textOf(1)), parse(textOf(1)), undefined);
    expect(await isKept(store, textOf(1))).toBe(false);
  });

  it('leaves nothing behind if it is used once, however many there are', async () => {
    const budget = new DocumentBudget(CAPACITY);
    const store = new DocumentStore(budget);
    storeDocument(store, textOf(0), 1);
    for (let n = 1; n < 3_000; n++) storeDocument(store, textOf(n), 1);
    expect(budget.bytes).toBe(0);
    // The first one has been evicted by now.
    storeDocument(store, textOf(0), 1);
    expect(await isKept(store, textOf(0))).toBe(false);
  });
});

describe('all cached documents of a process', () => {
  it('share one budget in bytes across all hosts, and the least recently used are evicted', async () => {
    const budget = new DocumentBudget(CAPACITY);
    const stores = [new DocumentStore(budget), new DocumentStore(budget)];
    for (let n = 0; n < 100; n++) storeDocument(stores[n % 2]!, textOf(n), 2, developerOf(`caller ${n}`));
    expect(budget.bytes).toBeLessThanOrEqual(CAPACITY);
    expect(budget.bytes).toBeGreaterThan(CAPACITY - 2 * bytesOf(parse(textOf(0))));
    expect(await isKept(stores[0]!, textOf(0))).toBe(false);
    expect(await isKept(stores[1]!, textOf(99))).toBe(true);
  });

  it('have a share per caller, so a caller with many documents evicts its own first', async () => {
    const store = new DocumentStore(new DocumentBudget(CAPACITY));
    storeDocument(store, textOf(0), 2, developerOf('quiet'));
    for (let n = 1; n < 200; n++) storeDocument(store, textOf(n), 2, developerOf('loud'));
    expect(await isKept(store, textOf(0))).toBe(true);
    expect(await isKept(store, textOf(1))).toBe(false);
    expect(await isKept(store, textOf(199))).toBe(true);
  });

  it('include what was compiled from them', async () => {
    const budget = new DocumentBudget(10 * CAPACITY);
    const store = new DocumentStore(budget);
    const document = storeDocument(store, textOf(1), 2);
    const bytesBefore = budget.bytes;
    store.noteCompiled(document);
    expect(budget.bytes).toBeGreaterThan(2 * bytesBefore);
    const after = budget.bytes;
    // A document that is not cached has no owner.
    store.noteCompiled(parse(textOf(2)));
    expect(budget.bytes).toBe(after);
  });

  it('use a tenth of the heap by default', () => {
    expect(new DocumentBudget().limitBytes).toBeGreaterThan(8 * 1024 * 1024);
  });
});
