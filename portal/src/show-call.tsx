import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { TypedDocumentNode } from 'urql';
import { nameOf, plan } from './call-log.js';
import { Icon } from './icons.js';
import { words } from './words.js';

/** Opens and closes the drawer of calls, whose state is the address: the last call of this name, or the last of all. */
export function useShowCalls(): (shown: string | boolean) => void {
  const navigate = useNavigate();
  return (shown) => {
    const search = (before: object) => ({ ...before, calls: shown || undefined });
    void navigate({ to: '.', search: search as never, replace: !shown });
  };
}

/** Beside what a page has read, and what it sends. */
export function ShowCall({ of }: { of: TypedDocumentNode<unknown, never> }): ReactNode {
  const show = useShowCalls();
  return (
    <button
      type="button"
      className="show-call"
      onClick={() => {
        plan(of);
        show(nameOf(of));
      }}
    >
      <Icon name="terminal" />
      {words.calls.show}
    </button>
  );
}
