import { startOfIndianDay } from '../core/clock.js';

/** Said of what is neither. */
export const RANGE_END = 'Must be a day in the form YYYY-MM-DD, or an ISO 8601 instant with a UTC offset.';

const DAY = /^\d{4}-\d{2}-\d{2}$/;
/** In a query "+" means a blank, and hardly anybody encodes the one of an offset. */
const OFFSET_OF_QUERY = /^(\S+T\S+) (\d{2}:\d{2})$/;

/** One end of a range as GraphQL takes it, whose last instant is not part of it: of a day, the beginning of the next one. */
export function endOfRange(text: string, end: 'from' | 'to'): string {
  if (!DAY.test(text)) return text.replace(OFFSET_OF_QUERY, '$1+$2');
  const instant = startOfIndianDay(text, end === 'from' ? 0 : 1);
  // a day that the calendar does not have stays as it is, and is refused
  return Number.isNaN(instant.getTime()) || !isDay(text) ? text : instant.toISOString();
}

const isDay = (text: string): boolean => new Date(`${text}T00:00:00Z`).toISOString().startsWith(text);
