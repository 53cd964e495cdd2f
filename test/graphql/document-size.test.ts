import { type DocumentNode, Lexer, parse, Source, TokenKind } from 'graphql';
import { describe, expect, it } from 'vitest';
import { DOCUMENT_LIMITS, measureDocument } from '../../src/graphql/documents/size.js';
import { doublingFragments, worstDocuments } from '../support/worst-documents.js';

function tokensOf(source: string): number {
  const lexer = new Lexer(new Source(source));
  let count = 0;
  while (lexer.advance().kind !== TokenKind.EOF) count++;
  return count;
}

/** Parses the source like a host; undefined if it is rejected. */
function parsed(source: string): DocumentNode | undefined {
  try {
    return parse(source, { maxTokens: DOCUMENT_LIMITS.tokens });
  } catch {
    return undefined;
  }
}

describe('measuring the size of a document', () => {
  const readable = worstDocuments.flatMap(({ name, source }) => {
    const document = parsed(source);
    return document ? [{ name, source, document }] : [];
  });

  it('is tested with documents that parse, some of them within the limits', () => {
    expect(readable.length).toBeGreaterThan(30);
    expect(readable.filter(({ document }) => !measureDocument(document).problem).length).toBeGreaterThan(15);
  });

  it.each(readable)('visits at most as many nodes as the document has tokens: $name', ({ source, document }) => {
    expect(measureDocument(document).visited).toBeLessThanOrEqual(tokensOf(source));
  });

  it('takes linear time where expanding the fragments would never end', () => {
    const source = doublingFragments(1_000);
    expect(measureDocument(parse(source)).visited).toBeLessThanOrEqual(tokensOf(source));
  });
});

describe('the size of a document', () => {
  const problem = (source: string): string | undefined => measureDocument(parse(source)).problem;
  const times = (count: number, text: (n: number) => string): string =>
    Array.from({ length: count }, (_, n) => text(n)).join(' ');

  it.each([
    ['operations', (n: number) => times(n, (m) => `query q${m} { __typename }`), DOCUMENT_LIMITS.operations],
    ['fragment spreads', (n: number) => `{ ${times(n, (m) => `...f${m}`)} }`, DOCUMENT_LIMITS.spreads],
    ['directives', (n: number) => `{ me ${times(n, () => '@skip(if: false)')} { id } }`, DOCUMENT_LIMITS.directives],
    ['variables', (n: number) => `query(${times(n, (m) => `$v${m}: Int`)}) { __typename }`, DOCUMENT_LIMITS.variables],
    ['root fields', (n: number) => `{ ${times(n, (m) => `f${m}`)} }`, DOCUMENT_LIMITS.rootFields],
    ['fields', (n: number) => `{ me { ${times(n - 1, (m) => `f${m}`)} } }`, DOCUMENT_LIMITS.fields],
    ['aliases', (n: number) => `{ me { ${times(n, (m) => `a${m}: id`)} } }`, DOCUMENT_LIMITS.aliases],
    ['levels', (n: number) => `${'{ a '.repeat(n)}${'}'.repeat(n)}`, DOCUMENT_LIMITS.depth],
  ])('is accepted up to the limit of %s and rejected above it', (name, documentOf, limit) => {
    expect(problem(documentOf(limit))).toBeUndefined();
    expect(problem(documentOf(limit + 1))).toMatch(new RegExp(`too many ${name}\\. The maximum is ${limit}\\.`));
  });

  it('includes a fragment each time it is spread', () => {
    const source = (spreads: number): string =>
      `{ ${times(spreads, (n) => `m${n}: me { ...F }`)} } fragment F on Account { ${times(4, (n) => `i${n}: id`)} }`;
    expect(problem(source(3))).toBeUndefined();
    expect(problem(source(4))).toMatch(/too many aliases/);
  });

  it('includes unused fragments once', () => {
    expect(problem(`{ me { id } } fragment F on Account { ${times(102, () => 'id')} }`)).toMatch(
      /repeats fields of the same name/,
    );
    expect(problem('{ me { id } } fragment F on Account { ...F }')).toMatch(/form a cycle/);
  });

  it('is larger for a field with long arguments than for one without', () => {
    const source = (items: number): string => `{ ${times(15, () => `me(a: [${times(items, () => '1')}]) { id }`)} }`;
    expect(problem(source(10))).toBeUndefined();
    expect(problem(source(60))).toMatch(/repeats fields of the same name/);
  });
});
