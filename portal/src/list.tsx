import { useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import { Button } from './parts.js';
import { words } from './words.js';

type Filters = Record<string, unknown>;

/**
 * Returns a function that changes filters in the URL; undefined removes a filter. Resets the list to its first page unless
 * the change contains a page.
 */
export function useFilter(): (change: Filters, replace?: boolean) => void {
  const navigate = useNavigate();
  return useCallback(
    (change, replace = false) => {
      const search = (current: Filters): Filters => ({ ...current, after: undefined, before: undefined, ...change });
      void navigate({ to: '.', search: search as never, replace });
    },
    [navigate],
  );
}

/** Button that removes filters that exclude results. Renders nothing if none of these filters is set. */
export function ShowAll({ without: filters }: { without: readonly string[] }): ReactNode {
  const filter = useFilter();
  const current: Filters = useSearch({ strict: false });
  const names = filters.filter((name) => current[name] !== undefined);
  if (names.length === 0) return null;
  return (
    <Button onClick={() => filter(Object.fromEntries(names.map((name) => [name, undefined])))}>
      {words.common.showAll}
    </Button>
  );
}

/** Filter that is on or off. */
export const Chip = ({
  on: isActive,
  toggle,
  children,
}: {
  on: boolean;
  toggle: () => void;
  children: ReactNode;
}): ReactNode => (
  <button type="button" className="chip" aria-pressed={isActive} onClick={toggle}>
    {children}
  </button>
);

/** Content that is loaded only when the user requests it. */
export function Disclosure({ name, children }: { name: string; children: ReactNode }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  return isOpen ? (
    children
  ) : (
    <p>
      <Button onClick={() => setOpen(true)}>{name}</Button>
    </p>
  );
}

/** Select box for a filter with at most one value. */
export function Select({
  name,
  label,
  emptyLabel,
  selected,
  choices,
  extraFilters,
}: {
  name: string;
  label: string;
  /** Label of the empty option. */
  emptyLabel: string;
  selected: string | undefined;
  choices: readonly (readonly [value: string, text: string])[];
  /** Other filters that are changed together with this one. */
  extraFilters?: Filters;
}): ReactNode {
  const filter = useFilter();
  return (
    <select
      aria-label={label}
      value={selected ?? ''}
      onChange={({ target }) => filter({ [name]: target.value || undefined, ...extraFilters })}
    >
      <option value="">{emptyLabel}</option>
      {choices.map(([value, text]) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </select>
  );
}

const DEBOUNCE_MS = 250;

/**
 * Search box. Writes its text to the search parameter `name` when the user stops typing, and displays a new value if a link
 * changes the parameter.
 */
export function SearchBox({
  value: asked = '',
  label,
  placeholder = label,
  name = 'search',
}: {
  value: string | undefined;
  label: string;
  /** Shorter label, if the label does not fit into the box. */
  placeholder?: string;
  name?: string;
}): ReactNode {
  const filter = useFilter();
  const [text, setText] = useState(asked);
  /** Last value of the search parameter, whether set by this box or by a link. */
  const lastValue = useRef(asked);
  useEffect(() => {
    if (asked === lastValue.current) return;
    lastValue.current = asked;
    setText(asked);
  }, [asked]);
  useEffect(() => {
    if (text === lastValue.current) return;
    const timer = setTimeout(() => {
      lastValue.current = text;
      filter({ [name]: text || undefined }, true);
    }, DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [text, name, filter]);
  return (
    <input
      type="search"
      aria-label={label}
      title={placeholder === label ? undefined : label}
      placeholder={placeholder}
      value={text}
      onChange={({ target }) => setText(target.value)}
    />
  );
}

const PAGE_SIZE = 20;

/** Pagination parameters in the URL. */
export interface PageSearch {
  after?: string | undefined;
  before?: string | undefined;
}

/** Converts the pagination parameters to query variables. */
export const pageOf = ({ after, before }: PageSearch) =>
  before === undefined ? { first: PAGE_SIZE, after } : { last: PAGE_SIZE, before };

interface PageInfo {
  startCursor?: string | null | undefined;
  endCursor?: string | null | undefined;
  hasNextPage: boolean;
  hasPreviousPage: boolean;
}

/** Cursor pagination. A page keeps its rows when new rows are added. */
export function Pager({
  page,
  count,
  total,
}: {
  page: PageInfo;
  count: number;
  total?: number | null | undefined;
}): ReactNode {
  const filter = useFilter();
  return (
    <div className="pager">
      <span className="quiet small">
        {words.common.onPage(count)}
        {typeof total === 'number' ? ` · ${words.common.of(total)}` : null}
      </span>
      <Button disabled={!page.hasPreviousPage} onClick={() => filter({ before: page.startCursor })}>
        {words.common.previous}
      </Button>
      <Button disabled={!page.hasNextPage} onClick={() => filter({ after: page.endCursor })}>
        {words.common.next}
      </Button>
    </div>
  );
}
