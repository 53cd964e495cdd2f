import type { Paise } from './money.js';

/**
 * `time` is a point in time, `day` a calendar day (IST, YYYY-MM-DD). Text can have leading zeros and more digits than a number.
 */
export type ColumnKind = 'text' | 'amount' | 'count' | 'time' | 'day';
export type Columns = Readonly<Record<string, ColumnKind>>;

/** Cell value. Null is an empty cell. */
export type Cell = string | Paise | number | Date | null;

/** Rows in pages, so that only one page is kept in memory. */
export type Pages = AsyncGenerator<Cell[][], void, undefined>;
