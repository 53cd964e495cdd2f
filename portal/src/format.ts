const INDIA = 'Asia/Kolkata';
const rupee = new Intl.NumberFormat('en-IN', { style: 'currency', currency: 'INR' });
const day = new Intl.DateTimeFormat('en-IN', { day: 'numeric', month: 'short', timeZone: INDIA });
const dayOfYear = new Intl.DateTimeFormat('en-IN', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: INDIA,
});
const time = new Intl.DateTimeFormat('en-GB', {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  timeZone: INDIA,
});
const year = new Intl.DateTimeFormat('en-IN', { year: 'numeric', timeZone: INDIA });

/** Formats rupees: `₹1,23,456.78`, with a minus sign instead of a hyphen for negative amounts. */
export const rupees = (amount: number): string => rupee.format(amount).replace('-', '−');

const wholeNumber = new Intl.NumberFormat('en-IN');

/** `10,000`. */
export const numberText = (value: number): string => wholeNumber.format(value);

/** Time in IST: `23 Nov, 22:20:25`. Includes the year if it is not the current year. */
export function moment(at: string, now = new Date()): string {
  const date = new Date(at);
  const isThisYear = year.format(date) === year.format(now);
  return `${(isThisYear ? day : dayOfYear).format(date)}, ${time.format(date)}`;
}

/** Formats a calendar day: `2026-11-23` → `23 Nov 2026`. */
export const dayText = (date: string): string => dayOfYear.format(new Date(`${date}T00:00:00+05:30`));

/** Formats the exact time, for tooltips. */
export const instant = (at: string): string => `${moment(at)} IST · ${new Date(at).toISOString()}`;

const UNITS: readonly [ms: number, name: string][] = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
  [1_000, 's'],
];

/** Formats a duration: `180 ms`, `1.2 s`, `4 min`. */
export const duration = (ms: number): string => elapsedText(ms).slice(1);

/** Formats the time since the start: `+5 ms`, `+1.2 s`, `+4 min`. Milliseconds show the order of events. */
export function elapsedText(ms: number): string {
  const [size, name] = UNITS.find(([unitMs]) => ms >= unitMs) ?? [1, 'ms'];
  return `+${name === 's' ? (ms / size).toFixed(1) : Math.round(ms / size)} ${name}`;
}

const KB = 1_024;
const MB = KB * KB;
/** Formats a file size: `0 kB`, `12 kB`, `1.4 MB`. */
export const sizeText = (bytes: number): string =>
  bytes < MB ? `${bytes === 0 ? 0 : Math.max(1, Math.round(bytes / KB))} kB` : `${(bytes / MB).toFixed(1)} MB`;
