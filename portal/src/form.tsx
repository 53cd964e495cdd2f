import { Field } from '@base-ui/react/field';
import { Form } from '@base-ui/react/form';
import { type ComponentProps, type ReactNode, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { TypedDocumentNode } from 'urql';
import type { Failure } from './failure.js';
import { Button, RequestId } from './parts.js';
import { ShowCall } from './show-call.js';
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
      <Field.Validity>
        {({ validity }) => {
          const own = ownWords(validity, input);
          return <Field.Error className="field-error" {...(own === undefined ? {} : { children: own })} />;
        }}
      </Field.Validity>
    </Field.Root>
  );
}

/** A browser would say it in a language and in words of its own. */
function ownWords(
  is: Omit<Partial<ValidityState>, 'valid'>,
  { title, minLength = 0, min, max }: Partial<ComponentProps<'input'>>,
): string | undefined {
  const said = words.field;
  if (is.valueMissing) return said.missing;
  if (is.typeMismatch) return said.email;
  if (is.badInput) return said.number;
  if (is.patternMismatch || is.stepMismatch) return title ?? said.pattern;
  if (is.tooShort) return said.tooShort(minLength);
  if (is.rangeUnderflow) return said.least(String(min));
  return is.rangeOverflow ? said.most(String(max)) : undefined;
}

/** A password of one's own, of the right length. */
export const NewPassword = (given: { name: string; label: string; hint?: string; autoFocus?: boolean }): ReactNode => (
  <TextField type="password" autoComplete="new-password" minLength={12} maxLength={200} required {...given} />
);

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

const WRONG = 'input:invalid, select:invalid, textarea:invalid';

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
  document,
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
  /** What it sends, to be shown. */
  document?: TypedDocumentNode<unknown, never>;
  extra?: ReactNode;
}): ReactNode {
  // what the console said of a field holds until it is asked again: another field may be what mends it
  const [answered, setAnswered] = useState<Failure>();
  const fields = failure === undefined || failure === answered ? {} : failure.fields;
  return (
    <Form
      className="form"
      errors={fields}
      onSubmitCapture={() => flushSync(() => setAnswered(failure))}
      onSubmit={(event) => {
        event.preventDefault();
        // fields have said it below themselves; what is none is said by the browser
        const wrong = [...event.currentTarget.querySelectorAll<HTMLInputElement>(WRONG)];
        if (wrong.length > 0) return void wrong.find((one) => !one.closest('.field'))?.reportValidity();
        send(Object.fromEntries(new FormData(event.currentTarget)) as Record<string, string>);
      }}
    >
      {children}
      <FormProblem failure={failure} message={message} />
      <div className="form-actions">
        {document ? <ShowCall of={document} /> : null}
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
