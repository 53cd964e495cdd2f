import { type ReactNode, useState } from 'react';
import { encode } from 'uqr';
import { useCall } from '../call.js';
import { CallForm, Choice, TextField } from '../form.js';
import { graphql } from '../graphql.js';
import { OneTimeDisplay } from '../one-time-display.js';
import { Button, Copy, download, Value } from '../parts.js';
import { createPasskey, hasPasskeys } from '../passkeys.js';
import { words } from '../words.js';

const START_TOTP = graphql(`
  mutation StartTotp($input: StartTotpInput!) {
    startTotp(input: $input) {
      secret
      uri
    }
  }
`);
const CONFIRM_TOTP = graphql(`
  mutation ConfirmTotp($input: ConfirmTotpInput!) {
    confirmTotp(input: $input) {
      recoveryCodes
    }
  }
`);
const START_PASSKEY = graphql(`
  mutation StartPasskey($input: StartPasskeyInput!) {
    startPasskey(input: $input) {
      options
    }
  }
`);
const CONFIRM_PASSKEY = graphql(`
  mutation ConfirmPasskey($input: ConfirmPasskeyInput!) {
    confirmPasskey(input: $input) {
      recoveryCodes
    }
  }
`);

const said = words.factor;

/** Adds an authenticator or a passkey; `onDone` gets the recovery codes, which come with the first factor. */
export function AddFactor({ onDone }: { onDone: (codes: string[]) => void }): ReactNode {
  const [kind, setKind] = useState<'totp' | 'passkey'>('totp');
  return (
    <>
      <fieldset className="choices">
        <legend>{said.choose}</legend>
        {(['totp', 'passkey'] as const).map((one) => (
          <Choice
            key={one}
            name="kind"
            title={said[one]}
            hint={said[`${one}Hint`]}
            checked={kind === one}
            onChange={() => setKind(one)}
          />
        ))}
      </fieldset>
      {kind === 'totp' ? <AddTotp onDone={onDone} /> : <AddPasskey onDone={onDone} />}
    </>
  );
}

const Password = (): ReactNode => (
  <TextField
    name="currentPassword"
    label={said.password}
    type="password"
    autoComplete="current-password"
    maxLength={200}
    required
  />
);

function AddTotp({ onDone }: { onDone: (codes: string[]) => void }): ReactNode {
  const start = useCall(START_TOTP);
  const confirm = useCall(CONFIRM_TOTP);
  const [shown, setShown] = useState<{ secret: string; uri: string }>();
  async function begin(currentPassword: string): Promise<void> {
    const { data } = await start.run({ input: { currentPassword } });
    if (data?.startTotp) setShown(data.startTotp);
  }
  async function end(code: string): Promise<void> {
    const { data } = await confirm.run({ input: { code } });
    if (data?.confirmTotp) onDone(data.confirmTotp.recoveryCodes);
  }
  if (!shown)
    return (
      <CallForm
        key="start"
        failure={start.failure}
        busy={start.isRunning}
        submit={said.start}
        send={({ currentPassword }) => void begin(currentPassword!)}
      >
        <Password />
      </CallForm>
    );
  return (
    <CallForm
      key="confirm"
      failure={confirm.failure}
      message={confirm.failure?.code === 'INVALID_CREDENTIALS' ? words.signIn.wrongCode : undefined}
      busy={confirm.isRunning}
      submit={said.confirm}
      send={({ code }) => void end(code!)}
    >
      <p>{said.scan}</p>
      <QrCode text={shown.uri} />
      <Value label={said.typed} text={shown.secret} />
      <TextField
        name="code"
        label={said.code}
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={20}
        required
        autoFocus
      />
    </CallForm>
  );
}

function AddPasskey({ onDone }: { onDone: (codes: string[]) => void }): ReactNode {
  const start = useCall(START_PASSKEY);
  const confirm = useCall(CONFIRM_PASSKEY);
  const [closed, setClosed] = useState(false);
  if (!hasPasskeys()) return <p>{said.missing}</p>;
  async function make({ currentPassword, name }: Record<string, string>): Promise<void> {
    setClosed(false);
    const { data } = await start.run({ input: { currentPassword: currentPassword! } });
    if (!data?.startPasskey) return;
    const passkey = await createPasskey(data.startPasskey.options);
    if (passkey === undefined) return setClosed(true);
    const made = await confirm.run({ input: { passkey, ...(name ? { name } : {}) } });
    if (made.data?.confirmPasskey) onDone(made.data.confirmPasskey.recoveryCodes);
  }
  return (
    <>
      <CallForm
        failure={start.failure ?? confirm.failure}
        busy={start.isRunning || confirm.isRunning}
        submit={said.start}
        send={(values) => void make(values)}
      >
        <TextField name="name" label={said.name} hint={said.nameHint} maxLength={60} />
        <Password />
      </CallForm>
      {closed ? <p role="status">{said.closed}</p> : null}
    </>
  );
}

const FILE = 'recovery-codes.txt';

/** Under the title that says to keep them. */
export function RecoveryCodes({ codes, onDone }: { codes: string[]; onDone: () => void }): ReactNode {
  const text = codes.join('\n');
  return (
    <div className="form">
      <OneTimeDisplay savedLabel={said.kept} submit={said.done} onDone={onDone}>
        <p>{said.codesText}</p>
        <ul className="codes">
          {codes.map((code) => (
            <li key={code}>
              <code>{code}</code>
            </li>
          ))}
        </ul>
        <div className="row">
          <Copy text={text} />
          <Button onClick={() => download(FILE, `${text}\n`)}>{said.download}</Button>
        </div>
      </OneTimeDisplay>
    </div>
  );
}

/** As a path of squares: no picture is loaded, and nobody else learns the secret. Dark on light in both schemes, for cameras. */
function QrCode({ text }: { text: string }): ReactNode {
  const { data, size } = encode(text, { border: 2 });
  const path = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : []))).join('');
  return (
    <svg className="qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={said.qr} shapeRendering="crispEdges">
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
