import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Icon } from './icons.js';
import { words } from './words.js';

/** Opens and closes the drawer of calls, whose state is the address. */
export function useShowCalls(): (shown: boolean) => void {
  const navigate = useNavigate();
  return (shown) => {
    const search = (before: object) => ({ ...before, calls: shown || undefined });
    void navigate({ to: '.', search: search as never, replace: !shown });
  };
}

/** Beside what a page has read. */
export function ShowCall(): ReactNode {
  const show = useShowCalls();
  return (
    <button type="button" className="show-call" onClick={() => show(true)}>
      <Icon name="terminal" />
      {words.calls.show}
    </button>
  );
}
