import { Link } from '@tanstack/react-router';
import { type ReactNode, useEffect, useState } from 'react';
import { useCall } from '../call.js';
import type { Failure } from '../failure.js';
import { CallForm, NewPassword, TextField } from '../form.js';
import { graphql } from '../graphql.js';
import { words } from '../words.js';
import { Outside } from './outside.js';

const VERIFY = graphql(`
  mutation Verify($input: VerifyEmailInput!) {
    verifyEmail(input: $input) {
      viewer {
        user {
          id
        }
      }
    }
  }
`);
const RESET = graphql(`
  mutation Reset($input: ResetPasswordInput!) {
    resetPassword(input: $input) {
      viewer {
        user {
          id
        }
      }
    }
  }
`);

const JOIN = graphql(`
  mutation AcceptInvitation($input: AcceptInvitationInput!) {
    acceptInvitation(input: $input) {
      viewer {
        user {
          id
        }
      }
    }
  }
`);
const CONFIRM_EMAIL = graphql(`
  mutation ConfirmEmail($input: ConfirmEmailInput!) {
    confirmEmail(input: $input) {
      viewer {
        user {
          id
        }
      }
    }
  }
`);

/** The token of a mailed link stands behind the "#", which no browser sends to a server. */
const tokenOfLink = (): string | undefined => new URLSearchParams(location.hash.slice(1)).get('token') ?? undefined;

/** The link is used up: nobody who comes to this machine later needs it. */
const forgetToken = (): void => history.replaceState(null, '', location.pathname);

interface OfLink {
  token: string | undefined;
}

/** A second link that is opened in the same tab changes the address alone: its page begins anew, with nothing of the first one. */
const ofLink = (Page: (given: OfLink) => ReactNode) =>
  function OfLink(): ReactNode {
    const [token, setToken] = useState(tokenOfLink);
    useEffect(() => {
      const look = (): void => setToken(tokenOfLink());
      addEventListener('hashchange', look);
      return () => removeEventListener('hashchange', look);
    }, []);
    return <Page key={token} token={token} />;
  };

function Mailed({
  said,
  token,
  done,
  failure,
  another,
  children,
}: OfLink & {
  said: { title: string; lead: string; done: string };
  done: boolean;
  failure: Failure | undefined;
  /** Where a new link is to be had, for whoever has one that is used or too old. */
  another?: ReactNode;
  children: (token: string) => ReactNode;
}): ReactNode {
  const links = (
    <p className="links">
      {done ? null : another}
      <Link to="/sign-in">{words.mailed.signIn}</Link>
    </p>
  );
  if (done)
    return (
      <Outside title={said.title}>
        <p role="status">{said.done}</p>
        {links}
      </Outside>
    );
  return (
    <Outside title={said.title} {...(token === undefined ? {} : { lead: said.lead })}>
      {token === undefined ? (
        <p role="status" className="form-problem">
          {words.verify.incomplete}
        </p>
      ) : (
        children(token)
      )}
      {token === undefined || failure?.fields.token ? links : null}
    </Outside>
  );
}

export const Verify = ofLink(({ token: given }) => {
  const said = words.verify;
  const call = useCall(VERIFY);
  const [done, setDone] = useState(false);
  async function send(token: string, password: string): Promise<void> {
    const { data } = await call.run({ input: { token, password } });
    if (!data?.verifyEmail) return;
    forgetToken();
    setDone(true);
  }
  return (
    <Mailed
      said={said}
      token={given}
      done={done}
      failure={call.failure}
      another={<Link to="/sign-up">{said.another}</Link>}
    >
      {(token) => (
        <CallForm
          failure={call.failure}
          message={call.failure?.code === 'INVALID_CREDENTIALS' ? said.wrong : undefined}
          busy={call.isRunning}
          submit={said.submit}
          send={({ password }) => void send(token, password!)}
        >
          <TextField
            name="password"
            label={words.common.password}
            type="password"
            autoComplete="current-password"
            maxLength={200}
            required
            autoFocus
          />
        </CallForm>
      )}
    </Mailed>
  );
});

export const ResetPassword = ofLink(({ token: given }) => {
  const said = words.reset;
  const call = useCall(RESET);
  const [done, setDone] = useState(false);
  async function send(token: string, newPassword: string): Promise<void> {
    const { data } = await call.run({ input: { token, newPassword } });
    if (!data?.resetPassword) return;
    forgetToken();
    setDone(true);
  }
  return (
    <Mailed
      said={said}
      token={given}
      done={done}
      failure={call.failure}
      another={<Link to="/forgot-password">{said.another}</Link>}
    >
      {(token) => (
        <CallForm
          failure={call.failure}
          busy={call.isRunning}
          submit={said.submit}
          send={({ newPassword }) => void send(token, newPassword!)}
        >
          <NewPassword name="newPassword" label={said.label} autoFocus />
        </CallForm>
      )}
    </Mailed>
  );
});

export const AcceptInvitation = ofLink(({ token: given }) => {
  const said = words.invitation;
  const call = useCall(JOIN);
  const [done, setDone] = useState(false);
  async function send(token: string, password: string): Promise<void> {
    const { data } = await call.run({ input: { token, password } });
    if (!data?.acceptInvitation) return;
    forgetToken();
    setDone(true);
  }
  return (
    <Mailed said={said} token={given} done={done} failure={call.failure}>
      {(token) => (
        <CallForm
          failure={call.failure}
          busy={call.isRunning}
          submit={said.submit}
          send={({ password }) => void send(token, password!)}
        >
          <NewPassword name="password" label={words.common.password} autoFocus />
        </CallForm>
      )}
    </Mailed>
  );
});

export const ConfirmEmail = ofLink(({ token: given }) => {
  const said = words.newEmail;
  const call = useCall(CONFIRM_EMAIL);
  const [done, setDone] = useState(false);
  async function send(token: string): Promise<void> {
    const { data } = await call.run({ input: { token } });
    if (!data?.confirmEmail) return;
    forgetToken();
    setDone(true);
  }
  return (
    <Mailed
      said={said}
      token={given}
      done={done}
      failure={call.failure}
      another={<Link to="/security">{said.another}</Link>}
    >
      {(token) => (
        <CallForm failure={call.failure} busy={call.isRunning} submit={said.submit} send={() => void send(token)} />
      )}
    </Mailed>
  );
});
