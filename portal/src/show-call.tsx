import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { TypedDocumentNode } from 'urql';
import { logPlanned, nameOf } from './call-log.js';
import { Icon } from './icons.js';
import { words } from './words.js';

/**
 * Returns a function that opens and closes the drawer of API calls through the URL. The drawer displays the last call with a
 * given name, or the last of all calls.
 */
export function useShowCalls(): (call: string | boolean) => void {
  const navigate = useNavigate();
  return (call) => {
    const search = (current: object) => ({ ...current, calls: call || undefined });
    void navigate({ to: '.', search: search as never, replace: !call });
  };
}

/** Button that displays the API call of a query or form. */
export function ShowCall({ of: document }: { of: TypedDocumentNode<unknown, never> }): ReactNode {
  const show = useShowCalls();
  return (
    <button
      type="button"
      className="show-call"
      onClick={() => {
        logPlanned(document);
        show(nameOf(document));
      }}
    >
      <Icon name="terminal" />
      {words.calls.show}
    </button>
  );
}
