import { useNavigate } from '@tanstack/react-router';
import { type RefObject, useEffect, useRef } from 'react';

const STEPS: Readonly<Record<string, 1 | -1>> = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 };

/** Whether a key was pressed in an input, or in a dialog or menu above the page. */
const isElsewhere = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('input, select, textarea, .window, [role="menu"]') !== null;

/** Forwards a click on a row (`.opens`) to its link, unless another control was clicked or the user is selecting text. */
function openRow({ target, ctrlKey, metaKey, shiftKey }: MouseEvent): void {
  if (!(target instanceof Element) || target.closest('a, button, input, label, select')) return;
  if (!getSelection()?.isCollapsed) return;
  const link = target.closest('.opens')?.querySelector('[data-row]');
  link?.dispatchEvent(new MouseEvent('click', { ctrlKey, metaKey, shiftKey, bubbles: true, cancelable: true }));
}

/**
 * Keyboard navigation of a table. Up and down, or k and j, move the focus through the links of the rows (`data-row`); Enter
 * or a click anywhere in a row opens it. While a row is open (`data-open`) in the drawer, k and j open its neighbors and
 * replace the history entry, and up and down scroll the drawer.
 */
export function useRows<Box extends HTMLElement>(): RefObject<Box | null> {
  const box = useRef<Box>(null);
  const navigate = useNavigate();
  useEffect(() => {
    const move = (event: KeyboardEvent): void => {
      const step = STEPS[event.key];
      if (!step || event.ctrlKey || event.metaKey || event.altKey || isElsewhere(event.target)) return;
      const rows = [...(box.current?.querySelectorAll<HTMLElement>('[data-row]') ?? [])];
      const isBehind = box.current?.closest('[aria-hidden="true"]') !== null;
      const index = rows.findIndex((row) => (isBehind ? row.closest('[data-open]') : row === document.activeElement));
      if (isBehind && (index === -1 || event.key.startsWith('Arrow'))) return;
      const next = rows[index === -1 ? (step === 1 ? 0 : rows.length - 1) : index + step];
      if (!next) return;
      event.preventDefault();
      if (isBehind) return void navigate({ href: next.getAttribute('href')!, replace: true });
      next.focus();
      next.scrollIntoView({ block: 'nearest' });
    };
    const open = (event: MouseEvent): void => {
      if (box.current?.contains(event.target as Node)) openRow(event);
    };
    document.addEventListener('keydown', move);
    document.addEventListener('click', open);
    return () => {
      document.removeEventListener('keydown', move);
      document.removeEventListener('click', open);
    };
  }, [navigate]);
  return box;
}
