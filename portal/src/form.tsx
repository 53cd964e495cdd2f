import { Field } from '@base-ui/react/field';
import { Form } from '@base-ui/react/form';
import { type ComponentProps, type ReactNode, useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { TypedDocumentNode } from 'urql';
import type { Failure } from './failure.js';
import { Button, RequestId } from './parts.js';
import { ShowCall } from './show-call.js';
import { words } from './words.js';

/** Text field of a form. Errors are shown below it. */
export function TextField({
  name,
  label,
  hint,
  initialValue = '',
  ...input
}: {
  name: string;
  label: string;
  hint?: string;
  initialValue?: string;
} & Omit<ComponentProps<'input'>, 'name' | 'defaultValue'>): ReactNode {
  return (
    <Field.Root name={name} className="field">
      <Field.Label>{label}</Field.Label>
      <Field.Control {...input} defaultValue={initialValue} />
      {hint === undefined ? null : <Field.Description className="quiet small">{hint}</Field.Description>}
      <Field.Validity>
        {({ validity }) => {
          const error = validationMessage(validity, input);
          return <Field.Error className="field-error" {...(error === undefined ? {} : { children: error })} />;
        }}
      </Field.Validity>
    </Field.Root>
  );
}

/** Validation message of the portal. The messages of browsers differ in language and text. */
function validationMessage(
  validity: Omit<Partial<ValidityState>, 'valid'>,
  { title, minLength = 0, min, max }: Partial<ComponentProps<'input'>>,
): string | undefined {
  const t = words.field;
  if (validity.valueMissing) return t.missing;
  if (validity.typeMismatch) return t.email;
  if (validity.badInput) return t.number;
  if (validity.patternMismatch || validity.stepMismatch) return title ?? t.pattern;
  if (validity.tooShort) return t.tooShort(minLength);
  if (validity.rangeUnderflow) return t.least(String(min));
  return validity.rangeOverflow ? t.most(String(max)) : undefined;
}

/** Field for a new password. */
export const NewPassword = (props: { name: string; label: string; hint?: string; autoFocus?: boolean }): ReactNode => (
  <TextField type="password" autoComplete="new-password" minLength={12} maxLength={200} required {...props} />
);

/** Radio button with a description. */
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

const INVALID = 'input:invalid, select:invalid, textarea:invalid';

/** Form of a mutation. Field errors are displayed at the fields, all other errors above the buttons. */
export function CallForm({
  failure,
  message,
  send,
  children,
  submit,
  busy,
  kind = 'main',
  isResolution,
  document,
  extra,
}: {
  failure: Failure | undefined;
  /** Message that replaces the one of the console. */
  message?: string | undefined;
  send: (values: Record<string, string>) => void;
  children?: ReactNode;
  submit: string;
  busy: boolean;
  kind?: 'main' | 'bad' | 'live';
  /** Whether the shortcut to resolve an item focuses the submit button, because the form is always open. */
  isResolution?: boolean;
  /** Mutation that the form sends, for the API call drawer. */
  document?: TypedDocumentNode<unknown, never>;
  extra?: ReactNode;
}): ReactNode {
  // The field errors are kept until the form is submitted again, because a change of another field may fix them.
  const [submittedFailure, setSubmittedFailure] = useState<Failure>();
  const fields = failure === undefined || failure === submittedFailure ? {} : failure.fields;
  return (
    <Form
      className="form"
      errors={fields}
      onSubmitCapture={() => flushSync(() => setSubmittedFailure(failure))}
      onSubmit={(event) => {
        event.preventDefault();
        // Text fields display their own errors; the browser displays the errors of other inputs.
        const invalid = [...event.currentTarget.querySelectorAll<HTMLInputElement>(INVALID)];
        if (invalid.length > 0) return void invalid.find((input) => !input.closest('.field'))?.reportValidity();
        send(Object.fromEntries(new FormData(event.currentTarget)) as Record<string, string>);
      }}
    >
      {children}
      <FormProblem failure={failure} message={message} />
      <div className="form-actions">
        {document ? <ShowCall of={document} /> : null}
        {extra}
        <Button type="submit" kind={kind} busy={busy} data-decide={isResolution ? 'here' : undefined}>
          {submit}
        </Button>
      </div>
    </Form>
  );
}

/** Codes that the user can fix without support, so that no request ID is displayed. */
const FIXED_BY_USER: readonly string[] = [
  'INVALID_CREDENTIALS',
  'RATE_LIMITED',
  'TOO_MANY_FAILED_EXCHANGES',
  'VALIDATION_FAILED',
];

/**
 * Displays an error that no field of the form displays. The request ID is included if the user cannot fix the error in this form.
 */
function FormProblem({ failure, message }: { failure: Failure | undefined; message: string | undefined }): ReactNode {
  const paragraph = useRef<HTMLParagraphElement>(null);
  const [text, setText] = useState<string>();
  const [hasUnknownField, setUnknownField] = useState(false);
  const needsSupport = ({ code }: Failure): boolean => hasUnknownField || !FIXED_BY_USER.includes(code);
  useEffect(() => {
    const form = paragraph.current?.closest('form');
    const fields = Object.entries(failure?.fields ?? {});
    const unknownField = fields.find(([name]) => !form?.elements.namedItem(name));
    const isInField = fields.length > 0 && unknownField === undefined && message === undefined;
    setText(isInField ? undefined : (message ?? unknownField?.[1] ?? failure?.message));
    setUnknownField(unknownField !== undefined);
  }, [failure, message]);
  return (
    <p ref={paragraph} role="status" className="form-problem">
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
      {text !== undefined && failure?.requestId && needsSupport(failure) && message === undefined ? (
        <span className="quiet small">
          {' '}
          <code>{failure.code}</code> · <RequestId id={failure.requestId} />
        </span>
      ) : null}
    </p>
  );
}
