import { indianTime, startOfIndianDay } from '../core/clock.js';

/** Calendar month (IST): YYYY-MM. */
export type IndianMonth = string;

const MONTH = /^\d{4}-(0[1-9]|1[0-2])$/;

export const isMonth = (text: string): boolean => MONTH.test(text);

export const monthOf = (instant: Date): IndianMonth => indianTime(instant).slice(0, 7);

/** Adds months. A negative count returns an earlier month. */
export function monthsLater(month: IndianMonth, count: number): IndianMonth {
  const [year, number] = month.split('-').map(Number) as [number, number];
  return new Date(Date.UTC(year, number - 1 + count, 1)).toISOString().slice(0, 7);
}

export const startOfMonth = (month: IndianMonth): Date => startOfIndianDay(`${month}-01`);

/** Returns the months from `from` to before `end`. */
export function monthsBetween(from: IndianMonth, end: IndianMonth): IndianMonth[] {
  const months: IndianMonth[] = [];
  for (let month = from; month < end; month = monthsLater(month, 1)) months.push(month);
  return months;
}
