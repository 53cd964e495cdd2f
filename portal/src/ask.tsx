import { type ReactNode, useRef, useState } from 'react';
import type { AnyVariables, TypedDocumentNode } from 'urql';
import { useCall } from './call.js';
import { CallForm } from './form.js';
import { Button, pageHeading, Window } from './parts.js';

/** A button, the dialog that says what will happen and asks for what is needed, and the call that does it. */
export function Ask<Data, Given extends AnyVariables>({
  document,
  given,
  onDone,
  name,
  title,
  text,
  submit = name,
  kind = 'plain',
  live,
  ready = true,
  removes,
  onOpen,
  children,
}: {
  document: TypedDocumentNode<Data, Given>;
  /** What is sent, of what was typed into the form. */
  given: (values: Record<string, string>) => Given;
  onDone: (data: Data) => void;
  /** Of the button that opens it. */
  name: string;
  title: string;
  text?: string;
  submit?: string;
  kind?: 'plain' | 'main' | 'bad' | 'live';
  /** It is about real money. */
  live?: boolean | undefined;
  /** Whether it may be sent yet. */
  ready?: boolean;
  /** The button goes with what it removes, so it cannot have the focus again. */
  removes?: boolean;
  onOpen?: () => void;
  children?: ReactNode;
}): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const isGone = useRef(false);
  const call = useCall(document);
  const close = (): void => {
    call.reset();
    setOpen(false);
  };
  async function send(values: Record<string, string>): Promise<void> {
    // the answer may take all of this away at once
    isGone.current = removes === true;
    const { data } = await call.run(given(values));
    isGone.current &&= data !== undefined;
    if (!data) return;
    close();
    onDone(data);
  }
  return (
    <>
      <Button
        kind={kind}
        onClick={() => {
          onOpen?.();
          setOpen(true);
        }}
      >
        {name}
      </Button>
      <Window
        title={title}
        {...(text === undefined ? {} : { text })}
        open={isOpen}
        onClose={close}
        focusAfter={removes ? () => (isGone.current ? pageHeading() : null) : undefined}
        {...(live ? { edge: 'live' as const } : {})}
      >
        <CallForm
          failure={call.failure}
          document={document as TypedDocumentNode}
          busy={call.isRunning || !ready}
          submit={submit}
          kind={kind === 'plain' ? 'main' : kind}
          send={(values) => void send(values)}
        >
          {children}
        </CallForm>
      </Window>
    </>
  );
}
