import { type ReactNode, useEffect, useState } from 'react';
import { useFilter } from './list.js';
import { words } from './words.js';

const said = words.range;
const DAY_MS = 86_400_000;
const INDIA_MS = 330 * 60_000;
/** The service looks so far back, and no farther, for what it sifts one by one. */
export const MOST_DAYS = 92;

/** Of an address: the last so many days, or chosen ones, which are days of India. */
/** What of an address says which days. */
export const RANGE: readonly (keyof RangeSearch)[] = ['days', 'from', 'to'];

export interface RangeSearch {
  days?: Preset | undefined;
  from?: string | undefined;
  to?: string | undefined;
}
type Preset = 1 | 7 | 30 | 92;
const PRESETS: readonly Preset[] = [1, 7, 30, MOST_DAYS];

const day = (value: unknown): string | undefined =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value)) ? value : undefined;

/** A range is in the address at all times: a link shows what its sender saw. */
export function rangeSearch({ days, from, to }: Record<string, unknown>): RangeSearch {
  const chosen = { from: day(from), to: day(to) };
  const isChosen = chosen.from !== undefined || chosen.to !== undefined;
  return isChosen ? { ...chosen, days: undefined } : { days: PRESETS.find((one) => one === days) ?? 7, ...chosen };
}

const dayOf = (at: number): string => new Date(at + INDIA_MS).toISOString().slice(0, 10);
const today = (): string => dayOf(Date.now());
const after = (from: string, days: number): string => dayOf(Date.parse(startOf(from)) + days * DAY_MS);
const startOf = (from: string): string => `${from}T00:00:00+05:30`;

/** The days, both included; for a file, which has a beginning and an end. */
export function daysOf({ days, from, to = today() }: RangeSearch): { from: string; to: string } {
  return { from: days === undefined ? (from ?? after(to, 1 - MOST_DAYS)) : after(today(), 1 - days), to };
}

/** The same as lists take it. What has no end includes what happens while it is looked at. */
export function instantsOf(search: RangeSearch): { from?: string; to?: string } {
  const from = search.days === undefined ? search.from : daysOf(search).from;
  return {
    ...(from === undefined ? {} : { from: startOf(from) }),
    ...(search.to === undefined ? {} : { to: startOf(after(search.to, 1)) }),
  };
}

/** What is wrong with chosen days, for people. */
export function rangeProblem(search: RangeSearch): string | undefined {
  const { from, to } = daysOf(search);
  if (from > to) return said.backwards;
  return after(from, MOST_DAYS - 1) < to ? said.tooLong(MOST_DAYS) : undefined;
}

const CHOSEN = 'chosen';

/** The last days, or two dates of one's own. */
export function Range({ asked }: { asked: RangeSearch }): ReactNode {
  const filter = useFilter();
  const choose = (value: string): void =>
    value === CHOSEN
      ? filter({ days: undefined, ...daysOf(asked) })
      : filter({ days: Number(value), from: undefined, to: undefined });
  return (
    <>
      <select aria-label={said.label} value={asked.days ?? CHOSEN} onChange={({ target }) => choose(target.value)}>
        {PRESETS.map((days) => (
          <option key={days} value={days}>
            {said.last(days)}
          </option>
        ))}
        <option value={CHOSEN}>{said.chosen}</option>
      </select>
      {asked.days === undefined ? (
        <span className="pair">
          <Typed name="from" label={said.from} type="date" value={asked.from} />
          <Typed name="to" label={said.to} type="date" value={asked.to} />
        </span>
      ) : null}
    </>
  );
}

/** A filter that is typed: it counts once its line is left, or Enter is pressed. */
export function Typed({
  name,
  label,
  whole = label,
  type,
  value,
}: {
  name: string;
  label: string;
  /** The same in more words than there is room for. */
  whole?: string;
  type: 'date' | 'number';
  value: string | number | undefined;
}): ReactNode {
  const filter = useFilter();
  const shown = value === undefined ? '' : String(value);
  const [text, setText] = useState(shown);
  useEffect(() => setText(shown), [shown]);
  const put = (input: HTMLInputElement): void => {
    if (text === shown) return;
    // such as an amount below zero: what counts stands there again
    if (!input.checkValidity()) return setText(shown);
    const typed = type === 'number' ? Number(text) : text;
    filter({ [name]: text === '' ? undefined : typed });
  };
  return (
    <input
      className="typed"
      type={type}
      aria-label={whole}
      title={whole}
      placeholder={label}
      min={type === 'number' ? 0.01 : undefined}
      step={type === 'number' ? 0.01 : undefined}
      value={text}
      onChange={({ target }) => setText(target.value)}
      onBlur={({ currentTarget }) => put(currentTarget)}
      onKeyDown={({ key, currentTarget }) => key === 'Enter' && put(currentTarget)}
    />
  );
}
