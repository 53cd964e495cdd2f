/** Log fields about the service itself. Values chosen by callers (operation names, IDs) and keys are not included. */
const KEPT_FIELDS = new Set(
  `level time msg requestId traceId host method path httpStatus ms developerId userId fields code moreCodes type stack orderId
  moreOrderIds apiRequestId moreApiRequestIds replayed provider call result reason providerStatus providerCode loop err error
  moreErrs hosts workers providers deleted sum made own available claimed processes violations rules developerIds emailId deliveryId
  kinds refusal says variables attempt offsetMs waitedMs`.split(/\s+/),
);
const DEPTH = 4;

/** Patterns that are kept, then patterns that are replaced. The first match applies. */
const PATTERNS: readonly (readonly [RegExp, string | undefined])[] = [
  // our own IDs, and times
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/i, undefined],
  [/\b20\d{2}-[01]\d-[0-3]\d(?:T[\d:.]+Z?)?\b/, undefined],
  [/[\w.+-]+@[\w-]+(?:\.[\w-]+)+/, '[email]'],
  // credentials in a URL
  [/(?<=:\/\/)[^\s/@]+@/, ''],
  // keys, tokens and hashes: long, and not a word or path
  [/(?=[\w+/=-]*\d)(?=[\w+/=-]*[A-Za-z])[\w+=-]{20,}(?:\/[\w+=-]{8,})*/, '[token]'],
  [/\b[A-Z]{5}\d{4}[A-Z]\b/i, '[pan]'],
  [/\+?\d(?:[\s-]?\d){5,}/, '[number]'],
];
const ALL = new RegExp(PATTERNS.map(([{ source }]) => `(${source})`).join('|'), 'gi');

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
/** Minimum length, because shorter names and secrets would match within other words. */
const MIN_LETTERS = 4;
const WORDS_PER_PATTERN = 2_000;

function patternsOf(words: Iterable<string>, within: (words: string) => string): RegExp[] {
  // words are sorted from longest to shortest, because one word can be the start of another
  const known = [...new Set(words)].filter(({ length }) => length >= MIN_LETTERS);
  known.sort((a, b) => b.length - a.length);
  const count = Math.ceil(known.length / WORDS_PER_PATTERN);
  return Array.from({ length: count }, (_, n) => known.slice(n * WORDS_PER_PATTERN, (n + 1) * WORDS_PER_PATTERN)).map(
    (some) => new RegExp(within(some.map(escaped).join('|')), 'giu'),
  );
}

/**
 * Removes personal data and secrets from text: numbers, email addresses, tokens and keys by their format, and the given words.
 * Secrets are removed everywhere, names only as whole words.
 */
export function scrubber(secrets: Iterable<string>, names: Iterable<string> = []): (text: string) => string {
  const patterns = [
    ...patternsOf(secrets, (words) => words),
    ...patternsOf(names, (words) => `(?<![\\p{L}\\d])(?:${words})(?![\\p{L}\\d])`),
  ];
  return (text) => {
    const unnamed = patterns.reduce((rest, pattern) => rest.replace(pattern, '[removed]'), text);
    return unnamed.replace(ALL, (found: string, ...groups: unknown[]) => {
      const index = groups.findIndex((group) => group !== undefined);
      return PATTERNS[index]?.[1] ?? found;
    });
  };
}

function keptOf(value: unknown, scrub: (text: string) => string, depth = 0): unknown {
  if (typeof value === 'string') return scrub(value);
  if (typeof value === 'number') return Number.isSafeInteger(value) && value >= 1e6 ? '[number]' : value;
  if (typeof value !== 'object' || value === null) return value;
  if (depth === DEPTH) return '[deeper]';
  if (Array.isArray(value)) return value.map((item) => keptOf(item, scrub, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) =>
      KEPT_FIELDS.has(name) ? [name, keptOf(field, scrub, depth + 1)] : [scrub(name), '[left out]'],
    ),
  );
}

/** Lines that Node and V8 print when a process crashes. */
const OF_NODE = /^(\s+at |FATAL ERROR: |<--- |Node\.js v\d|\[\d+:0x[0-9a-f]+\] )/;

/** Reduces a log line to information about the service: known fields of our own lines, and the text of Node's lines. */
export function scrubLine(line: string, scrub: (text: string) => string): string {
  try {
    const fields: unknown = JSON.parse(line);
    if (typeof fields === 'object' && fields !== null) return JSON.stringify(keptOf(fields, scrub));
  } catch {
    // the line is not a log line of the service
  }
  return OF_NODE.test(line) ? scrub(line) : `[${line.length} characters that are not a log line of the service]`;
}
