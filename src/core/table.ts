import type { Paise } from './money.js';

/** `time` is an instant, `day` a calendar day (YYYY-MM-DD) in India. Text can have leading zeros and more digits than a number. */
export type ColumnKind = 'text' | 'amount' | 'count' | 'time' | 'day';
export type Columns = Readonly<Record<string, ColumnKind>>;

/** Null is an empty cell. */
export type Cell = string | Paise | number | Date | null;

/** Rows in pages, so that only one page is in memory. */
export type Pages = AsyncGenerator<Cell[][], void, undefined>;
