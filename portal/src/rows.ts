import { type RefObject, useEffect, useRef } from 'react';

const STEPS: Readonly<Record<string, 1 | -1>> = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 };

/** Where a key is typed into, or belongs to something else that is open above the page. */
const isElsewhere = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('input, select, textarea, .window, [role="menu"]') !== null;

/**
 * The keys up and down, or k and j, move through the links of a table's rows (`data-row`), and Enter opens the one that has the
 * focus. While a row is open (`data-open`) beside the table, k and j open its neighbours; up and down scroll what is open.
 */
export function useRows<Box extends HTMLElement>(): RefObject<Box | null> {
  const box = useRef<Box>(null);
  useEffect(() => {
    const move = (event: KeyboardEvent): void => {
      const step = STEPS[event.key];
      if (!step || event.ctrlKey || event.metaKey || event.altKey || isElsewhere(event.target)) return;
      const rows = [...(box.current?.querySelectorAll<HTMLElement>('[data-row]') ?? [])];
      const isBehind = box.current?.closest('[aria-hidden="true"]') !== null;
      const at = rows.findIndex((row) => (isBehind ? row.closest('[data-open]') : row === document.activeElement));
      if (isBehind && (at === -1 || event.key.startsWith('Arrow'))) return;
      const next = rows[at === -1 ? (step === 1 ? 0 : rows.length - 1) : at + step];
      if (!next) return;
      event.preventDefault();
      if (isBehind) return next.click();
      next.focus();
      next.scrollIntoView({ block: 'nearest' });
    };
    document.addEventListener('keydown', move);
    return () => document.removeEventListener('keydown', move);
  }, []);
  return box;
}
