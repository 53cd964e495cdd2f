/** Parses a time in the format of a file. Returns undefined for another format. */
export type TimeFormat = (text: string) => Date | undefined;

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const OFFSET = 'Z|[+-]\\d{2}:?\\d{2}';

/** Expressions for the parts of a pattern. All except `MMM`, `A` and `Z` are numbers. */
const PARTS: Readonly<Record<string, string>> = {
  YYYY: '\\d{4}',
  MMM: '[A-Za-z]{3}',
  MM: '\\d{1,2}',
  DD: '\\d{1,2}',
  HH: '\\d{1,2}',
  hh: '\\d{1,2}',
  mm: '\\d{2}',
  ss: '\\d{2}(?:\\.\\d+)?',
  A: '[AaPp][Mm]',
  Z: OFFSET,
};
const PART = new RegExp(Object.keys(PARTS).join('|'), 'g');

/**
 * Creates a parser from a pattern such as "DD/MM/YYYY hh:mm:ss A". Parts: YYYY, MM or MMM (Jan), DD, HH (0 to 23) or hh with A
 * (AM, PM), mm, ss, Z (an offset). Times without an offset are in IST. A pattern with only a day stands for the start of the
 * day. Throws an error if a required part is missing.
 */
export function timeFormatOf(pattern: string): TimeFormat {
  const names: string[] = [];
  const source = pattern.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(PART, (part) => {
    names.push(part);
    return `(${PARTS[part]})`;
  });
  const has = (...parts: string[]): boolean => parts.every((part) => names.includes(part));
  const isTwelveHour = has('hh', 'A');
  const isDay = !['HH', 'hh', 'A', 'mm', 'ss', 'Z'].some((part) => has(part));
  if (!has('YYYY', 'DD') || !(has('MM') || has('MMM')) || !(isDay || (has('mm') && (has('HH') || isTwelveHour))))
    throw new Error(
      'A time format requires YYYY, DD and either MM or MMM. With a time of day, it also requires mm and either HH, or hh and A.',
    );
  const expression = new RegExp(`^${source}$`);
  return (text) => {
    const match = expression.exec(text);
    if (!match) return undefined;
    const part = (name: string): string => (has(name) ? match[names.indexOf(name) + 1]! : '');
    const month = has('MMM') ? MONTHS.indexOf(part('MMM').toLowerCase()) + 1 : Number(part('MM'));
    const hours = isTwelveHour ? hoursOf(Number(part('hh')), part('A')) : Number(part('HH'));
    const twoDigits = (number: number): string => String(number).padStart(2, '0');
    const day = `${part('YYYY')}-${twoDigits(month)}-${twoDigits(Number(part('DD')))}`;
    const offset = part('Z').replace(/^([+-]\d\d)(\d\d)$/, '$1:$2') || '+05:30';
    const instant = new Date(`${day}T${twoDigits(hours)}:${part('mm') || '00'}:${part('ss') || '00'}${offset}`);
    // rejects dates that do not exist, because Date would turn 31 February into 3 March
    const exists = !Number.isNaN(Date.parse(day)) && new Date(day).toISOString().startsWith(day);
    return exists && !Number.isNaN(instant.getTime()) ? instant : undefined;
  };
}

/** Converts 12 AM to 0 and 12 PM to 12. Returns NaN for an invalid hour. */
function hoursOf(hour: number, meridiem: string): number {
  if (hour < 1 || hour > 12) return Number.NaN;
  return (hour % 12) + (meridiem.toLowerCase() === 'pm' ? 12 : 0);
}

/** Common formats. The day precedes the month if both are numbers, as in India. */
const COMMON = [
  ...['YYYY-MM-DD', 'DD/MM/YYYY', 'DD-MM-YYYY', 'DD MMM YYYY', 'DD-MMM-YYYY'].flatMap((day) =>
    ['HH:mm', 'HH:mm:ss', 'HH:mmZ', 'HH:mm:ssZ', 'hh:mm A', 'hh:mm:ss A'].map((time) => `${day} ${time}`),
  ),
  ...['HH:mm', 'HH:mm:ss', 'HH:mmZ', 'HH:mm:ssZ'].map((time) => `YYYY-MM-DDT${time}`),
].map(timeFormatOf);

/**
 * Parses times such as "2026-03-01T10:00:00Z", "2026-03-01 10:00", "01/03/2026 10:00:00", "01/03/2026 02:00:00 PM", "1 Mar 2026
 * 10:00:00 AM" and similar.
 */
export const commonTimes: TimeFormat = (text) => {
  for (const format of COMMON) {
    const instant = format(text);
    if (instant) return instant;
  }
  return undefined;
};
