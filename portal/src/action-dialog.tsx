import { type ReactNode, useRef, useState } from 'react';
import type { AnyVariables, TypedDocumentNode } from 'urql';
import { useCall } from './call.js';
import { CallForm } from './form.js';
import { Button, pageHeading, Window } from './parts.js';

/** Button that opens a dialog with a form and sends a mutation. */
export function ActionDialog<Data, Variables extends AnyVariables>({
  document,
  toVariables,
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
  document: TypedDocumentNode<Data, Variables>;
  /** Builds the variables of the mutation from the form values. */
  toVariables: (values: Record<string, string>) => Variables;
  onDone: (data: Data) => void;
  /** Label of the button that opens the dialog. */
  name: string;
  title: string;
  text?: string;
  submit?: string;
  kind?: 'plain' | 'main' | 'bad' | 'live';
  /** Whether the mutation affects Production, and therefore real money. */
  live?: boolean | undefined;
  /** Whether the form can be submitted. */
  ready?: boolean;
  /** Whether the mutation also removes the button, so that the focus cannot return to it. */
  removes?: boolean;
  onOpen?: () => void;
  children?: ReactNode;
}): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const isRemoved = useRef(false);
  const call = useCall(document);
  const close = (): void => {
    call.reset();
    setOpen(false);
  };
  async function send(values: Record<string, string>): Promise<void> {
    // The response may unmount this component immediately.
    isRemoved.current = removes === true;
    const { data } = await call.run(toVariables(values));
    isRemoved.current &&= data !== undefined;
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
        focusAfter={removes ? () => (isRemoved.current ? pageHeading() : null) : undefined}
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
