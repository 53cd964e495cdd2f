/**
 * What is read of a provider's answer: a provider that was taken over, or has a defect, must not fill memory,
 * stop the process or put characters into stores, consoles and spreadsheets that nobody sees. Checked before anything is mapped.
 */
export const MAX_BODY_BYTES = 256 * 1024;
const MAX_DEPTH = 32;
/** Of a body; two thousand plans have some ten thousand. */
const MAX_VALUES = 50_000;
const MAX_TEXT = 500;
/** A link that is cut leads nowhere, so it may be longer. */
const LINK = /^https?:\/\/[\x21-\x7e]{1,2000}$/i;

/** What a pass over the bytes of a JSON text shows, before anything is built of it. */
interface Survey {
  /** It nests no deeper and holds no more values than any answer does. */
  isModest: boolean;
  /** All its texts are short and of printable ASCII: `withReadableTexts` would change nothing. */
  isReadable: boolean;
}

export function surveyOf(json: Uint8Array): Survey {
  let depth = 0;
  let values = 0;
  let textStart = NONE;
  let isReadable = true;
  for (let index = 0; index < json.length; index++) {
    const byte = json[index]!;
    if (textStart !== NONE) {
      if (byte === QUOTE) {
        if (index - textStart > MAX_TEXT) isReadable = false;
        textStart = NONE;
      } else if (byte < BLANK || byte > TILDE) isReadable = false;
      else if (byte === BACKSLASH) {
        index++;
        if (json[index] !== QUOTE && json[index] !== BACKSLASH && json[index] !== SLASH) isReadable = false;
      }
    } else if (byte === QUOTE) textStart = index + 1;
    else if (byte === COMMA) values++;
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      values++;
      depth++;
      if (depth > MAX_DEPTH) return { isModest: false, isReadable };
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth--;
    if (values > MAX_VALUES) return { isModest: false, isReadable };
  }
  return { isModest: true, isReadable };
}

const NONE = -1;
const [BLANK, TILDE, SLASH] = [0x20, 0x7e, 0x2f];
const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Most texts: nothing to look at. */
const PLAIN = /^[\x20-\x7e]*$/;
const LINE_BREAKS = /[\t\n\v\f\r\u0085\u2028\u2029]/g;
/** Controls, NUL among them, and what turns the direction of writing or has no width. Indian scripts need the two joiners. */
const UNSEEN = /[\p{Cc}\p{Cf}]/gu;
const JOINERS = new Set(['\u200c', '\u200d']);

/**
 * The text as it may be stored and shown: well-formed, of one line, printable, at most 500 characters. A character is replaced
 * and never removed, so that no text becomes a word that the provider did not say.
 */
function readable(text: string): string {
  const short = text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT - 1)}…` : text;
  return short
    .toWellFormed()
    .replace(LINE_BREAKS, ' ')
    .replace(UNSEEN, (character) => (JOINERS.has(character) ? character : '\ufffd'));
}

/** A parsed answer with every text in it, keys included, made readable, and how many were cut. The answer itself is changed. */
export function withReadableTexts(body: unknown): { body: unknown; textsCut: number } {
  let textsCut = 0;
  const tidy = (value: unknown): unknown => {
    if (typeof value === 'string') {
      if (value.length > MAX_TEXT) {
        if (LINK.test(value)) return value;
        textsCut++;
      } else if (PLAIN.test(value)) return value;
      return readable(value);
    }
    if (value === null || typeof value !== 'object') return value;
    if (Array.isArray(value)) {
      for (let index = 0; index < value.length; index++) value[index] = tidy(value[index]);
      return value;
    }
    const fields = value as Record<string, unknown>;
    const keys = Object.keys(fields);
    if (!keys.every((key) => key.length <= MAX_TEXT && PLAIN.test(key)))
      return Object.fromEntries(keys.map((key) => [tidy(key), tidy(fields[key])]));
    for (const key of keys) fields[key] = tidy(fields[key]);
    return fields;
  };
  return { body: tidy(body), textsCut };
}
