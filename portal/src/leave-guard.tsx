import { useBlocker } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Button, Window } from './parts.js';
import { words } from './words.js';

/** Requires confirmation before the user leaves the page and loses unsaved data. */
export function LeaveGuard({ on: isActive, title, text }: { on: boolean; title: string; text: string }): ReactNode {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => isActive && current.pathname !== next.pathname,
    enableBeforeUnload: isActive,
    withResolver: true,
  });
  return (
    <Window title={title} text={text} open={status === 'blocked'} onClose={() => reset?.()}>
      <div className="form-actions">
        <Button onClick={reset}>{words.common.stay}</Button>
        <Button kind="bad" onClick={proceed}>
          {words.common.leave}
        </Button>
      </div>
    </Window>
  );
}
