import { type ReactNode, useState } from 'react';
import { Leaving } from './leaving.js';
import { Button } from './parts.js';
import { words } from './words.js';

/** Displays a secret that cannot be displayed again. The user must confirm that it is saved before the dialog closes. */
export function ShownOnce({
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
  const [kept, setKept] = useState(false);
  return (
    <>
      {children}
      <label className="tick">
        <input type="checkbox" checked={kept} onChange={() => setKept(!kept)} /> {savedLabel}
      </label>
      <div className="form-actions">
        {extra}
        <Button kind="main" disabled={!kept} onClick={onDone}>
          {submit}
        </Button>
      </div>
      <Leaving on={!kept} title={words.shownOnce.leave} text={words.shownOnce.leaveText} />
    </>
  );
}
