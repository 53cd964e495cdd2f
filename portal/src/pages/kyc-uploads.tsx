import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { Failure } from '../failure.js';
import { sizeText } from '../format.js';
import { Icon } from '../icons.js';
import { Button } from '../parts.js';
import { fileProblem, uploadDocument } from '../upload.js';
import { words } from '../words.js';

const said = words.onboarding;

/** What a document of KYC is, in words where the sender chose one of ours. */
export const kindText = (kind: string): string => said.kinds[kind] ?? kind;

/** A file on its way. */
interface Sending {
  number: number;
  file: File;
  kind: string;
  part: number;
  failure?: Failure | undefined;
}

/**
 * Changes of the list, one after the other: the console takes one file of an account at a time, and an answer that comes late would
 * show the list as it was before the next change. What waits when the page is left is not done: somebody else may sign in meanwhile.
 */
export function useTurns() {
  const last = useRef<Promise<unknown>>(Promise.resolve());
  const isHere = useRef(true);
  useEffect(() => {
    isHere.current = true;
    return () => {
      isHere.current = false;
    };
  }, []);
  return (change: () => Promise<void>): void => {
    const turn = last.current.then(() => (isHere.current ? change() : undefined));
    last.current = turn.catch(() => {});
  };
}
export type InTurn = ReturnType<typeof useTurns>;

/** The same file is refused again. */
const HOPELESS: readonly string[] = ['VALIDATION_FAILED', 'PAYLOAD_TOO_LARGE'];

let counted = 0;

export function useUploads(inTurn: InTurn, reload: () => Promise<unknown>) {
  const [files, setFiles] = useState<readonly Sending[]>([]);
  const change = (number: number, by: Partial<Sending>): void =>
    setFiles((all) => all.map((one) => (one.number === number ? { ...one, ...by } : one)));
  const drop = (number: number): void => setFiles((all) => all.filter((one) => one.number !== number));
  async function send({ number, file, kind }: Sending): Promise<void> {
    const failure = await uploadDocument(file, kind, (part) => change(number, { part }));
    if (failure) return change(number, { failure });
    await reload();
    drop(number);
  }
  const add = (given: FileList | null, kind: string): void => {
    const more = [...(given ?? [])].map((file) => ({
      number: ++counted,
      file,
      kind,
      part: 0,
      failure: fileProblem(file),
    }));
    setFiles((all) => [...all, ...more]);
    for (const one of more) if (!one.failure) inTurn(() => send(one));
  };
  const again = (one: Sending): void => {
    change(one.number, { part: 0, failure: undefined });
    inTurn(() => send(one));
  };
  return { files, add, again, drop };
}

export function OnItsWay({
  sending,
  again,
  drop,
}: {
  sending: Sending;
  again: () => void;
  drop: () => void;
}): ReactNode {
  const { file, kind, part, failure } = sending;
  // another file mends what is wrong with this one
  const canHelp = failure && !HOPELESS.includes(failure.code);
  return (
    <li>
      <div>
        <strong>{file.name}</strong>{' '}
        <span className="quiet small">
          {kindText(kind)} · {sizeText(file.size)}
        </span>
        {failure ? (
          <p className="field-error" role="alert">
            {failure.message}
          </p>
        ) : null}
      </div>
      {failure ? (
        <div className="form-actions">
          {canHelp ? (
            <Button onClick={again} aria-label={said.sendAgain(file.name)}>
              {words.common.retry}
            </Button>
          ) : null}
          <button
            type="button"
            className="icon-button"
            aria-label={said.remove(file.name)}
            title={said.remove(file.name)}
            onClick={drop}
          >
            <Icon name="close" />
          </button>
        </div>
      ) : (
        <progress value={part} max={1} aria-label={said.uploading(file.name)} />
      )}
    </li>
  );
}
