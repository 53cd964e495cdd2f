import { useNavigate, useSearch } from '@tanstack/react-router';
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import { Button } from './parts.js';
import { words } from './words.js';

/** What stands in an address behind the question mark. */
type Filters = Record<string, unknown>;

/**
 * Puts a change of filters into this page's address, where undefined takes one away. The list begins at its first page again,
 * unless the change names another one.
 */
export function useFilter(): (change: Filters, replace?: boolean) => void {
  const navigate = useNavigate();
  return useCallback(
    (change, replace = false) => {
      const search = (shown: Filters): Filters => ({ ...shown, after: undefined, before: undefined, ...change });
      void navigate({ to: '.', search: search as never, replace });
    },
    [navigate],
  );
}

/** Takes filters away that leave no row; nothing where the address has none of them. */
export function ShowAll({ without }: { without: readonly string[] }): ReactNode {
  const filter = useFilter();
  const shown: Filters = useSearch({ strict: false });
  const names = without.filter((name) => shown[name] !== undefined);
  if (names.length === 0) return null;
  return (
    <Button onClick={() => filter(Object.fromEntries(names.map((name) => [name, undefined])))}>
      {words.common.showAll}
    </Button>
  );
}

/** A filter that is on or off. */
export const Chip = ({ on, toggle, children }: { on: boolean; toggle: () => void; children: ReactNode }): ReactNode => (
  <button type="button" className="chip" aria-pressed={on} onClick={toggle}>
    {children}
  </button>
);

/** What is read on request below what is shown already. */
export function Further({ name, children }: { name: string; children: ReactNode }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  return isOpen ? (
    children
  ) : (
    <p>
      <Button onClick={() => setOpen(true)}>{name}</Button>
    </p>
  );
}

/** A filter with one value of several, or none. */
export function Select({
  name,
  label,
  none,
  asked,
  choices,
  also,
}: {
  name: string;
  label: string;
  /** The words for no choice. */
  none: string;
  asked: string | undefined;
  choices: readonly (readonly [value: string, text: string])[];
  /** What else changes with it. */
  also?: Filters;
}): ReactNode {
  const filter = useFilter();
  return (
    <select
      aria-label={label}
      value={asked ?? ''}
      onChange={({ target }) => filter({ [name]: target.value || undefined, ...also })}
    >
      <option value="">{none}</option>
      {choices.map(([value, text]) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </select>
  );
}

const TYPED_MS = 250;

/**
 * The text that is looked for stands in the address, at `name`, once the person stops typing. A link that changes it there changes
 * the box too.
 */
export function SearchBox({
  asked = '',
  label,
  name = 'search',
}: {
  asked: string | undefined;
  label: string;
  name?: string;
}): ReactNode {
  const filter = useFilter();
  const [text, setText] = useState(asked);
  /** What the address had last, by this box or by a link. */
  const known = useRef(asked);
  useEffect(() => {
    if (asked === known.current) return;
    known.current = asked;
    setText(asked);
  }, [asked]);
  useEffect(() => {
    if (text === known.current) return;
    const timer = setTimeout(() => {
      known.current = text;
      filter({ [name]: text || undefined }, true);
    }, TYPED_MS);
    return () => clearTimeout(timer);
  }, [text, name, filter]);
  return (
    <input
      type="search"
      aria-label={label}
      placeholder={label}
      value={text}
      onChange={({ target }) => setText(target.value)}
    />
  );
}

const ON_PAGE = 20;

/** Where a list begins, as an address has it. */
export interface Where {
  after?: string | undefined;
  before?: string | undefined;
}

/** The same as a list takes it. */
export const pageOf = ({ after, before }: Where) =>
  before === undefined ? { first: ON_PAGE, after } : { last: ON_PAGE, before };

interface PageInfo {
  startCursor?: string | null | undefined;
  endCursor?: string | null | undefined;
  hasNextPage: boolean;
  hasPreviousPage: boolean;
}

/** By cursor: where new rows come in, a page stays where it was. */
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
