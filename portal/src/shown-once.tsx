import { type ReactNode, useState } from 'react';
import { Leaving } from './leaving.js';
import { Button } from './parts.js';
import { words } from './words.js';

/** What nobody can show again. Whoever goes on has said that it is kept; until then it is not closed, and leaving the page asks first. */
export function ShownOnce({
  iHaveIt,
  submit,
  onDone,
  extra,
  children,
}: {
  iHaveIt: string;
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
        <input type="checkbox" checked={kept} onChange={() => setKept(!kept)} /> {iHaveIt}
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
