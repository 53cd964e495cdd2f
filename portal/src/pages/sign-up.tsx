import { Link } from '@tanstack/react-router';
import { type ReactNode, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useCall } from '../call.js';
import { CallForm, NewPassword, TextField } from '../form.js';
import type { SignUpInput } from '../generated/documents.js';
import { graphql } from '../graphql.js';
import { Button } from '../parts.js';
import { words } from '../words.js';
import { Outside } from './outside.js';

const SIGN_UP = graphql(`
  mutation SignUp($input: SignUpInput!) {
    signUp(input: $input) {
      accepted
    }
  }
`);
const FORGOT = graphql(`
  mutation Forgot($input: RequestPasswordResetInput!) {
    requestPasswordReset(input: $input) {
      accepted
    }
  }
`);

export function SignUp(): ReactNode {
  const said = words.signUp;
  const call = useCall(SIGN_UP);
  const [sent, setSent] = useState<SignUpInput>();
  const [isAgain, setAgain] = useState(false);
  const form = useRef<HTMLDivElement>(null);
  async function send(input: SignUpInput): Promise<void> {
    const { data } = await call.run({ input });
    if (!data?.signUp) return;
    setAgain(sent !== undefined);
    setSent(input);
  }
  function toOtherAddress(): void {
    call.reset();
    flushSync(() => setSent(undefined));
    form.current?.querySelector<HTMLInputElement>('input[name="email"]')?.focus();
  }
  return (
    <Outside title={sent ? said.sent : said.title} {...(sent ? {} : { lead: said.lead })}>
      {sent ? (
        <CallForm
          key="sent"
          failure={call.failure}
          busy={call.isRunning}
          submit={said.again}
          send={() => void send(sent)}
          extra={<Button onClick={toOtherAddress}>{said.otherAddress}</Button>}
        >
          <p role="status">{isAgain ? said.sentAgain : said.sentText(sent.email)}</p>
        </CallForm>
      ) : null}
      {/* what was typed is still there for whoever comes back to it */}
      <div ref={form} hidden={sent !== undefined}>
        <CallForm
          failure={sent ? undefined : call.failure}
          busy={call.isRunning}
          submit={said.submit}
          send={({ name, email, mobile, password }) =>
            void send({ name: name!, email: email!, mobile: mobile!, password: password! })
          }
        >
          <TextField name="name" label={said.name} autoComplete="organization" maxLength={100} required autoFocus />
          <TextField name="email" label={words.common.email} type="email" autoComplete="username" required />
          <TextField
            name="mobile"
            label={said.mobile}
            hint={said.mobileHint}
            inputMode="numeric"
            autoComplete="tel-national"
            required
          />
          <NewPassword name="password" label={words.common.password} hint={said.passwordHint} />
        </CallForm>
      </div>
      <p className="links">
        <Link to="/sign-in">{sent ? words.forgot.signIn : said.signIn}</Link>
      </p>
    </Outside>
  );
}

export function Forgot(): ReactNode {
  const said = words.forgot;
  const call = useCall(FORGOT);
  const [sentTo, setSentTo] = useState<string>();
  async function send({ email }: Record<string, string>): Promise<void> {
    const { data } = await call.run({ input: { email: email! } });
    if (data?.requestPasswordReset) setSentTo(email);
  }
  return (
    <Outside title={said.title} lead={said.lead}>
      <CallForm failure={call.failure} busy={call.isRunning} submit={said.submit} send={(values) => void send(values)}>
        <TextField name="email" label={words.common.email} type="email" autoComplete="username" required autoFocus />
        {sentTo === undefined || call.failure ? null : <p role="status">{said.sent(sentTo)}</p>}
      </CallForm>
      <p className="links">
        <Link to="/sign-in">{said.signIn}</Link>
      </p>
    </Outside>
  );
}
