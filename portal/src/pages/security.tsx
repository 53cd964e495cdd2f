import { type ReactNode, useState } from 'react';
import { ActionDialog } from '../action-dialog.js';
import { useCall } from '../call.js';
import { CallForm, NewPassword, TextField } from '../form.js';
import type { SecurityQuery } from '../generated/documents.js';
import { graphql } from '../graphql.js';
import { Loaded } from '../loaded.js';
import { Button, Card, Empty, PageHead, Timestamp, useTitle, Window } from '../parts.js';
import { useRead } from '../read.js';
import { showMessage } from '../toasts.js';
import { words } from '../words.js';
import { AddFactor, RecoveryCodes } from './add-factor.js';
import { Profile } from './profile.js';
import { Sessions } from './sessions.js';

const SECURITY = graphql(`
  query Security {
    viewer {
      user {
        id
        name
        mobile
        email
        secondFactors {
          id
          kind
          name
          addedAt
          lastUsedAt
        }
      }
      sessions {
        id
        lastSeenAt
        address
        userAgent
        current
      }
    }
  }
`);
const REMOVE = graphql(`
  mutation RemoveFactor($input: RemoveSecondFactorInput!) {
    removeSecondFactor(input: $input) {
      viewer {
        user {
          id
          secondFactors {
            id
            kind
            name
            addedAt
            lastUsedAt
          }
        }
      }
    }
  }
`);
const NEW_CODES = graphql(`
  mutation NewRecoveryCodes($input: ConfirmSecondFactorInput!) {
    confirmSecondFactor(input: $input) {
      recoveryCodes
    }
  }
`);
const CHANGE_PASSWORD = graphql(`
  mutation ChangePassword($input: ChangePasswordInput!) {
    changePassword(input: $input) {
      revokedSessions
    }
  }
`);

const said = words.security;
type Viewer = NonNullable<SecurityQuery['viewer']>;
type Factor = NonNullable<Viewer['user']['secondFactors']>[number];

export function Security(): ReactNode {
  useTitle(said.title);
  const [read, again] = useRead({ query: SECURITY });
  const reload = (): void => again({ requestPolicy: 'network-only' });
  return (
    <>
      <PageHead title={said.title} lead={said.lead} />
      <Loaded read={read} retry={reload}>
        {({ viewer }) =>
          viewer ? (
            <div className="columns">
              <Profile user={viewer.user} />
              <Password reload={reload} />
              <Factors factors={viewer.user.secondFactors ?? []} reload={reload} />
              <Sessions sessions={viewer.sessions ?? []} reload={reload} />
            </div>
          ) : null
        }
      </Loaded>
    </>
  );
}

function Factors({ factors, reload }: { factors: Factor[]; reload: () => void }): ReactNode {
  const [open, setOpen] = useState<'add' | 'codes'>();
  const [codes, setCodes] = useState<string[]>([]);
  const close = (): void => {
    setOpen(undefined);
    reload();
  };
  const added = (made: string[]): void => {
    if (made.length === 0) return close();
    setOpen(undefined);
    setCodes(made);
  };
  return (
    <Card
      title={said.factors}
      side={
        <Button kind="main" onClick={() => setOpen('add')}>
          {said.add}
        </Button>
      }
    >
      {factors.length === 0 ? <Empty>{said.noFactors}</Empty> : null}
      <ul className="list">
        {factors.map((factor) => (
          <li key={factor.id}>
            <div>
              <strong>{words.factors[factor.kind]}</strong> <span className="quiet">{factor.name}</span>
              <p className="quiet small">
                {said.added} <Timestamp at={factor.addedAt} /> ·{' '}
                {factor.lastUsedAt ? (
                  <>
                    {said.used} <Timestamp at={factor.lastUsedAt} />
                  </>
                ) : (
                  said.unused
                )}
              </p>
            </div>
            {factor.kind === 'RECOVERY_CODES' ? (
              <Button onClick={() => setOpen('codes')}>{said.newCodes}</Button>
            ) : (
              <Remove factor={factor} left={factors.filter((one) => one !== factor)} />
            )}
          </li>
        ))}
      </ul>
      <Window title={words.factor.title} text={words.factor.may} open={open === 'add'} onClose={close}>
        <AddFactor onDone={added} />
      </Window>
      <Window title={said.newCodes} open={open === 'codes'} onClose={close}>
        <NewCodes onDone={added} />
      </Window>
      {codes.length === 0 ? null : (
        <Window title={words.factor.codesTitle} open>
          <RecoveryCodes
            codes={codes}
            onDone={() => {
              setCodes([]);
              close();
            }}
          />
        </Window>
      )}
    </Card>
  );
}

/** Says what protects the account afterwards: recovery codes end with the last other factor. */
function Remove({ factor: { id, kind, name }, left }: { factor: Factor; left: readonly Factor[] }): ReactNode {
  const full = said.factorOf(words.factors[kind], name);
  const others = left.filter((one) => one.kind !== 'RECOVERY_CODES');
  return (
    <ActionDialog
      document={REMOVE}
      toVariables={() => ({ input: { id } })}
      onDone={() => showMessage(said.removed(name))}
      name={said.remove}
      title={said.removeTitle(full)}
      text={
        others.length === 0
          ? said.removeLast
          : said.removeText(others.map((one) => said.factorOf(words.factors[one.kind], one.name)).join(', '))
      }
      submit={said.removeSubmit}
      kind="bad"
      removes
    />
  );
}

function NewCodes({ onDone }: { onDone: (codes: string[]) => void }): ReactNode {
  const call = useCall(NEW_CODES);
  async function make(code: string): Promise<void> {
    const { data } = await call.run({ input: { code, newRecoveryCodes: true } });
    if (data?.confirmSecondFactor) onDone(data.confirmSecondFactor.recoveryCodes);
  }
  return (
    <CallForm
      failure={call.failure}
      document={NEW_CODES}
      message={call.failure?.code === 'INVALID_CREDENTIALS' ? words.signIn.wrongCode : undefined}
      busy={call.isRunning}
      submit={said.newCodes}
      send={({ code }) => void make(code!)}
    >
      <TextField
        name="code"
        label={words.stepUp.code}
        hint={words.stepUp.hint}
        autoComplete="one-time-code"
        maxLength={20}
        required
        autoFocus
      />
    </CallForm>
  );
}

function Password({ reload }: { reload: () => void }): ReactNode {
  const call = useCall(CHANGE_PASSWORD);
  const [count, setCount] = useState(0);
  async function change({ currentPassword, newPassword }: Record<string, string>): Promise<void> {
    const { data } = await call.run({
      input: { currentPassword: currentPassword!, newPassword: newPassword! },
    });
    if (!data?.changePassword) return;
    showMessage(said.changed);
    setCount(count + 1);
    reload();
  }
  return (
    <Card title={said.password}>
      <CallForm
        key={count}
        failure={call.failure}
        document={CHANGE_PASSWORD}
        busy={call.isRunning}
        submit={said.change}
        send={(values) => void change(values)}
      >
        <TextField
          name="currentPassword"
          label={said.currentPassword}
          type="password"
          autoComplete="current-password"
          maxLength={200}
          required
        />
        <NewPassword name="newPassword" label={said.newPassword} hint={words.signUp.passwordHint} />
      </CallForm>
    </Card>
  );
}
