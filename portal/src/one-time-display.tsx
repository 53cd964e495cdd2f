import { type ReactNode, useState } from 'react';
import { LeaveGuard } from './leave-guard.js';
import { Button } from './parts.js';
import { words } from './words.js';

/** Displays a secret that cannot be displayed again. The user must confirm that it is saved before the dialog closes. */
export function OneTimeDisplay({
  savedLabel,
  submit,
  onDone,
  extra,
  children,
}: {
  savedLabel: string;
  submit: string;
  onDone: () => void;
  extra?: ReactNode;
  children: ReactNode;
}): ReactNode {
  const [isSaved, setSaved] = useState(false);
  return (
    <>
      {children}
      <label className="tick">
        <input type="checkbox" checked={isSaved} onChange={() => setSaved(!isSaved)} /> {savedLabel}
      </label>
      <div className="form-actions">
        {extra}
        <Button kind="main" disabled={!isSaved} onClick={onDone}>
          {submit}
        </Button>
      </div>
      <LeaveGuard on={!isSaved} title={words.shownOnce.leave} text={words.shownOnce.leaveText} />
    </>
  );
}
