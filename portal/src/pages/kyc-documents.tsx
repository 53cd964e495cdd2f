import { type ChangeEvent, type DragEvent, type ReactNode, useRef, useState } from 'react';
import { useCall } from '../call.js';
import { sizeText } from '../format.js';
import { graphql } from '../graphql.js';
import { Icon } from '../icons.js';
import { LeaveGuard } from '../leave-guard.js';
import { Button } from '../parts.js';
import { showFailure } from '../toasts.js';
import { ACCEPTED } from '../upload.js';
import { words } from '../words.js';
import { type InTurn, kindText, OnItsWay, useTurns, useUploads } from './kyc-uploads.js';

const DELETE = graphql(`
  mutation DeleteDocument($input: DeleteKycDocumentInput!) {
    deleteKycDocument(input: $input) {
      documentId
      developer {
        id
        kycDraft {
          remainingDocuments
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

export const Handed = ({ document }: { document: Document }): ReactNode => (
  <div>
    <strong>{document.fileName}</strong>{' '}
    <span className="quiet small">
      {kindText(document.kind)} · {sizeText(document.sizeBytes)}
    </span>
  </div>
);

const KINDS = Object.keys(said.kinds);

/** What is handed in: documents of before, those of the draft, and those on their way. */
export function Documents({
  draft,
  earlier,
  isLeft,
  toggle,
  reload,
}: {
  draft: { remainingDocuments: number; documents: readonly Document[] };
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
                aria-label={said.resubmitDocument(document.fileName)}
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
      <LeaveGuard on={files.some(({ failure }) => !failure)} title={said.leave} text={said.leaveText} />
      {draft.remainingDocuments > 0 ? (
        <Drop remaining={draft.remainingDocuments} suggested={missing ?? KINDS[0]!} add={add} />
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
    showFailure(fileName, failure);
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

function Drop({
  remaining,
  suggested,
  add,
}: {
  remaining: number;
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
        accept={ACCEPTED}
        multiple
        onChange={picked}
      />
      <span className="quiet small">
        {said.drop} · {said.remaining(remaining)}
      </span>
    </div>
  );
}
