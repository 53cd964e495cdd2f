import { type ReactNode, useEffect, useState } from 'react';
import { useFilter } from './list.js';
import { words } from './words.js';

const t = words.range;
const DAY_MS = 86_400_000;
const INDIA_MS = 330 * 60_000;
/** Maximum date range in which the service filters records without an index. */
export const MAX_DAYS = 92;

/** Search parameters of the date range: the last days, or two calendar days (IST). */
export const RANGE_KEYS: readonly (keyof RangeSearch)[] = ['days', 'from', 'to'];

export interface RangeSearch {
  days?: Preset | undefined;
  from?: string | undefined;
  to?: string | undefined;
}
type Preset = 1 | 7 | 30 | 92;
const PRESETS: readonly Preset[] = [1, 7, 30, MAX_DAYS];

const dayIn = (value: unknown): string | undefined =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value)) ? value : undefined;

/** Reads the date range. It is always in the URL, so that a shared link displays the same range. */
export function rangeSearch({ days, from, to }: Record<string, unknown>): RangeSearch {
  const custom = { from: dayIn(from), to: dayIn(to) };
  const isCustom = custom.from !== undefined || custom.to !== undefined;
  return isCustom
    ? { ...custom, days: undefined }
    : { days: PRESETS.find((preset) => preset === days) ?? 7, ...custom };
}

const dayOf = (at: number): string => new Date(at + INDIA_MS).toISOString().slice(0, 10);
const today = (): string => dayOf(Date.now());
const daysAfter = (from: string, days: number): string => dayOf(Date.parse(startOf(from)) + days * DAY_MS);
const startOf = (from: string): string => `${from}T00:00:00+05:30`;

/** First and last day, both inclusive, for file downloads. */
export function daysOf({ days, from, to = today() }: RangeSearch): { from: string; to: string } {
  return { from: days === undefined ? (from ?? daysAfter(to, 1 - MAX_DAYS)) : daysAfter(today(), 1 - days), to };
}

/** Start and end time for queries. Without an end date, the range includes new records. */
export function instantsOf(search: RangeSearch): { from?: string; to?: string } {
  const from = search.days === undefined ? search.from : daysOf(search).from;
  return {
    ...(from === undefined ? {} : { from: startOf(from) }),
    ...(search.to === undefined ? {} : { to: startOf(daysAfter(search.to, 1)) }),
  };
}

/** Message if the custom date range is invalid. */
export function rangeProblem(search: RangeSearch): string | undefined {
  const { from, to } = daysOf(search);
  if (from > to) return t.backwards;
  return daysAfter(from, MAX_DAYS - 1) < to ? t.tooLong(MAX_DAYS) : undefined;
}

const CUSTOM = 'chosen';

/** Date range filter: preset days or a custom range. */
export function Range({ asked: range }: { asked: RangeSearch }): ReactNode {
  const filter = useFilter();
  const choose = (value: string): void =>
    value === CUSTOM
      ? filter({ days: undefined, ...daysOf(range) })
      : filter({ days: Number(value), from: undefined, to: undefined });
  return (
    <>
      <select aria-label={t.label} value={range.days ?? CUSTOM} onChange={({ target }) => choose(target.value)}>
        {PRESETS.map((days) => (
          <option key={days} value={days}>
            {t.last(days)}
          </option>
        ))}
        <option value={CUSTOM}>{t.chosen}</option>
      </select>
      {range.days === undefined ? (
        <span className="pair">
          <FilterInput name="from" label={t.from} type="date" value={range.from} />
          <FilterInput name="to" label={t.to} type="date" value={range.to} />
        </span>
      ) : null}
    </>
  );
}

/** Text filter, which is applied on blur or Enter. */
export function FilterInput({
  name,
  label,
  fullLabel = label,
  type,
  value,
}: {
  name: string;
  label: string;
  /** Longer label for screen readers and the tooltip. */
  fullLabel?: string;
  type: 'date' | 'number';
  value: string | number | undefined;
}): ReactNode {
  const filter = useFilter();
  const currentText = value === undefined ? '' : String(value);
  const [text, setText] = useState(currentText);
  useEffect(() => setText(currentText), [currentText]);
  const apply = (input: HTMLInputElement): void => {
    if (text === currentText) return;
    // Restores the applied value, for example after a negative amount was entered.
    if (!input.checkValidity()) return setText(currentText);
    const parsed = type === 'number' ? Number(text) : text;
    filter({ [name]: text === '' ? undefined : parsed });
  };
  return (
    <input
      className="typed"
      name={name}
      type={type}
      aria-label={fullLabel}
      title={fullLabel}
      placeholder={label}
      min={type === 'number' ? 0.01 : undefined}
      step={type === 'number' ? 0.01 : undefined}
      value={text}
      onChange={({ target }) => setText(target.value)}
      onBlur={({ currentTarget }) => apply(currentTarget)}
      onKeyDown={({ key, currentTarget }) => key === 'Enter' && apply(currentTarget)}
    />
  );
}
