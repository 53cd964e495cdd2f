import { Field } from '@base-ui/react/field';
import { Form } from '@base-ui/react/form';
import { type ComponentProps, type ReactNode, useEffect, useRef, useState } from 'react';
import type { Failure } from './failure.js';
import { Button, RequestId } from './parts.js';
import { words } from './words.js';

/** One line of a form. Problems that the console has with it stand below. */
export function TextField({
  name,
  label,
  hint,
  start = '',
  ...input
}: {
  name: string;
  label: string;
  hint?: string;
  /** What stands in it at first. */
  start?: string;
} & Omit<ComponentProps<'input'>, 'name' | 'defaultValue'>): ReactNode {
  return (
    <Field.Root name={name} className="field">
      <Field.Label>{label}</Field.Label>
      <Field.Control {...input} defaultValue={start} />
      {hint === undefined ? null : <Field.Description className="quiet small">{hint}</Field.Description>}
      <Field.Error className="field-error" />
    </Field.Root>
  );
}

/** One of several, with what it means below its name. */
export const Choice = ({
  title,
  hint,
  ...input
}: { title: string; hint?: string | undefined } & Omit<ComponentProps<'input'>, 'type' | 'title'>): ReactNode => (
  <label className="choice">
    <input type="radio" {...input} />
    <span>
      <strong>{title}</strong>
      {hint === undefined ? null : <span className="quiet small">{hint}</span>}
    </span>
  </label>
);

/** A form whose fields show what the console says of them; what no field owns stands above the button. */
export function CallForm({
  failure,
  message,
  send,
  children,
  submit,
  busy,
  kind = 'main',
  decides,
  extra,
}: {
  failure: Failure | undefined;
  /** In other words than the console's, where it knows less of this page. */
  message?: string | undefined;
  send: (values: Record<string, string>) => void;
  children?: ReactNode;
  submit: string;
  busy: boolean;
  kind?: 'main' | 'bad' | 'live';
  /** It stands open on the page: the key that decides leads to it. */
  decides?: boolean;
  extra?: ReactNode;
}): ReactNode {
  const fields = failure?.fields ?? {};
  return (
    <Form
      className="form"
      errors={fields}
      onSubmit={(event) => {
        event.preventDefault();
        if (!event.currentTarget.checkValidity()) return;
        send(Object.fromEntries(new FormData(event.currentTarget)) as Record<string, string>);
      }}
    >
      {children}
      <FormProblem failure={failure} message={message} />
      <div className="form-actions">
        {extra}
        <Button type="submit" kind={kind} busy={busy} data-decide={decides ? 'here' : undefined}>
          {submit}
        </Button>
      </div>
    </Form>
  );
}

/** What a person mends without us has no number to tell us. */
const MENDED: readonly string[] = [
  'INVALID_CREDENTIALS',
  'RATE_LIMITED',
  'TOO_MANY_FAILED_EXCHANGES',
  'VALIDATION_FAILED',
];

/** What no field of the form shows already. What is wrong with a field that the form does not have nobody can mend there. */
function FormProblem({ failure, message }: { failure: Failure | undefined; message: string | undefined }): ReactNode {
  const place = useRef<HTMLParagraphElement>(null);
  const [text, setText] = useState<string>();
  const [isForeign, setForeign] = useState(false);
  const isOurs = ({ code }: Failure): boolean => isForeign || !MENDED.includes(code);
  useEffect(() => {
    const form = place.current?.closest('form');
    const fields = Object.entries(failure?.fields ?? {});
    const foreign = fields.find(([name]) => !form?.elements.namedItem(name));
    const isShown = fields.length > 0 && foreign === undefined && message === undefined;
    setText(isShown ? undefined : (message ?? foreign?.[1] ?? failure?.message));
    setForeign(foreign !== undefined);
  }, [failure, message]);
  return (
    <p ref={place} role="status" className="form-problem">
      {text}
      {failure?.code === 'UNAUTHENTICATED' && message === undefined ? (
        <>
          {' '}
          {words.failure.signedOut}{' '}
          <a href="/sign-in" target="_blank">
            {words.failure.signIn}
          </a>
        </>
      ) : null}
      {text !== undefined && failure?.requestId && isOurs(failure) && message === undefined ? (
        <span className="quiet small">
          {' '}
          <code>{failure.code}</code> · <RequestId id={failure.requestId} />
        </span>
      ) : null}
    </p>
  );
}
