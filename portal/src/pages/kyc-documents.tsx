import { useBlocker } from '@tanstack/react-router';
import { type ChangeEvent, type DragEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { useCall } from '../call.js';
import type { Failure } from '../failure.js';
import { graphql } from '../graphql.js';
import { Icon } from '../icons.js';
import { Button, Window } from '../parts.js';
import { sayFailure } from '../toasts.js';
import { uploadDocument } from '../upload.js';
import { words } from '../words.js';

const DELETE = graphql(`
  mutation DeleteDocument($input: DeleteKycDocumentInput!) {
    deleteKycDocument(input: $input) {
      documentId
      developer {
        id
        kycDraft {
          left
          documents {
            id
            kind
            fileName
            sizeBytes
          }
        }
      }
    }
  }
`);

const said = words.onboarding;

export interface Document {
  id: string;
  kind: string;
  fileName: string;
  sizeBytes: number;
}

const KB = 1_024;
const MB = KB * KB;
export const sizeText = (bytes: number): string =>
  bytes < MB ? `${Math.max(1, Math.round(bytes / KB))} kB` : `${(bytes / MB).toFixed(1)} MB`;

/** What a document is, in words where the sender chose one of ours. */
export const kindText = (kind: string): string => said.kinds[kind] ?? kind;

export const Handed = ({ document }: { document: Document }): ReactNode => (
  <div>
    <strong>{document.fileName}</strong>{' '}
    <span className="quiet small">
      {kindText(document.kind)} · {sizeText(document.sizeBytes)}
    </span>
  </div>
);

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
function useTurns() {
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
type InTurn = ReturnType<typeof useTurns>;

let counted = 0;

function useUploads(inTurn: InTurn, reload: () => Promise<unknown>) {
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
    const more = [...(given ?? [])].map((file) => ({ number: ++counted, file, kind, part: 0 }));
    setFiles((all) => [...all, ...more]);
    for (const one of more) inTurn(() => send(one));
  };
  const again = (one: Sending): void => {
    change(one.number, { part: 0, failure: undefined });
    inTurn(() => send(one));
  };
  return { files, add, again, drop };
}

const KINDS = Object.keys(said.kinds);

/** What is handed in: documents of before, those of the draft, and those on their way. */
export function Documents({
  draft,
  earlier,
  isLeft,
  toggle,
  reload,
}: {
  draft: { left: number; documents: readonly Document[] };
  earlier: readonly Document[];
  isLeft: (id: string) => boolean;
  toggle: (id: string) => void;
  reload: () => Promise<unknown>;
}): ReactNode {
  const inTurn = useTurns();
  const { files, add, again, drop } = useUploads(inTurn, reload);
  const missing = KINDS.find((kind) => ![...earlier, ...draft.documents].some((one) => one.kind === kind));
  return (
    <>
      <p className="quiet">{said.documentsText}</p>
      <ul className="list">
        {earlier.map((document) => (
          <li key={document.id}>
            <label className="tick">
              <input
                type="checkbox"
                checked={!isLeft(document.id)}
                onChange={() => toggle(document.id)}
                aria-label={said.useAgain(document.fileName)}
              />
              <Handed document={document} />
            </label>
            <span className="quiet small">{said.earlier}</span>
          </li>
        ))}
        {draft.documents.map((document) => (
          <Uploaded key={document.id} document={document} inTurn={inTurn} />
        ))}
        {files.map((one) => (
          <OnItsWay key={one.number} sending={one} again={() => again(one)} drop={() => drop(one.number)} />
        ))}
      </ul>
      <Leaving isSending={files.some(({ failure }) => !failure)} />
      {draft.left > 0 ? (
        <Drop left={draft.left} suggested={missing ?? KINDS[0]!} add={add} />
      ) : (
        <p className="quiet">{said.full}</p>
      )}
    </>
  );
}

function Uploaded({ document, inTurn }: { document: Document; inTurn: InTurn }): ReactNode {
  const call = useCall(DELETE);
  const [isLeaving, setLeaving] = useState(false);
  const { id, fileName } = document;
  async function remove(): Promise<void> {
    const { failure } = await call.run({ input: { documentId: id } });
    if (!failure) return;
    setLeaving(false);
    sayFailure(fileName, failure);
  }
  return (
    <li>
      <Handed document={document} />
      <button
        type="button"
        className="icon-button"
        aria-label={said.remove(fileName)}
        title={said.remove(fileName)}
        disabled={isLeaving}
        onClick={() => {
          setLeaving(true);
          inTurn(remove);
        }}
      >
        <Icon name="close" />
      </button>
    </li>
  );
}

/** Asks whoever leaves the page before all is sent. */
function Leaving({ isSending }: { isSending: boolean }): ReactNode {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => isSending && current.pathname !== next.pathname,
    enableBeforeUnload: isSending,
    withResolver: true,
  });
  return (
    <Window title={said.leave} text={said.leaveText} open={status === 'blocked'} onClose={() => reset?.()}>
      <div className="form-actions">
        <Button onClick={reset}>{said.stay}</Button>
        <Button kind="bad" onClick={proceed}>
          {said.leaveAnyway}
        </Button>
      </div>
    </Window>
  );
}

function OnItsWay({ sending, again, drop }: { sending: Sending; again: () => void; drop: () => void }): ReactNode {
  const { file, kind, part, failure } = sending;
  // another file mends what is wrong with this one
  const mayHelp = failure && failure.code !== 'VALIDATION_FAILED';
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
          {mayHelp ? (
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

function Drop({
  left,
  suggested,
  add,
}: {
  left: number;
  suggested: string;
  add: (files: FileList | null, kind: string) => void;
}): ReactNode {
  const [chosen, setChosen] = useState<string>();
  const [isOver, setOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const kind = chosen ?? suggested;
  const take = (files: FileList | null): void => {
    add(files, kind);
    setChosen(undefined);
  };
  const dropped = (event: DragEvent): void => {
    event.preventDefault();
    setOver(false);
    take(event.dataTransfer.files);
  };
  const picked = ({ target }: ChangeEvent<HTMLInputElement>): void => {
    take(target.files);
    // the same file may be chosen again
    target.value = '';
  };
  return (
    <div
      className="drop"
      data-over={isOver || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={dropped}
    >
      <label className="field">
        <span>{said.kind}</span>
        <select value={kind} onChange={({ target }) => setChosen(target.value)}>
          {KINDS.map((one) => (
            <option key={one} value={one}>
              {kindText(one)}
            </option>
          ))}
        </select>
      </label>
      <Button onClick={() => input.current?.click()}>{said.choose}</Button>
      <input
        ref={input}
        type="file"
        className="hidden-file"
        tabIndex={-1}
        aria-label={said.choose}
        accept="application/pdf,image/jpeg,image/png"
        multiple
        onChange={picked}
      />
      <span className="quiet small">
        {said.drop} · {said.left(left)}
      </span>
    </div>
  );
}
