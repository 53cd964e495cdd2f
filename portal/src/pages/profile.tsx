import type { ReactNode } from 'react';
import { ActionDialog } from '../action-dialog.js';
import { useCall } from '../call.js';
import { CallForm, TextField } from '../form.js';
import { graphql } from '../graphql.js';
import { Card } from '../parts.js';
import { showMessage } from '../toasts.js';
import { words } from '../words.js';

const UPDATE = graphql(`
  mutation UpdateProfile($input: UpdateProfileInput!) {
    updateProfile(input: $input) {
      user {
        id
        name
        mobile
        email
      }
    }
  }
`);

const said = words.profile;
interface Self {
  name: string;
  mobile: string | null;
  email: string;
}

/** Who one is here. A name and a number count at once; an address does when somebody has opened the mail there. */
export function Profile({ user: { name, mobile, email } }: { user: Self }): ReactNode {
  const call = useCall(UPDATE);
  async function save(typed: Record<string, string>): Promise<void> {
    // whoever has no number need not give one
    const number = typed.mobile === '' && mobile === null ? undefined : typed.mobile;
    const { data } = await call.run({ input: { name: typed.name, mobile: number } });
    if (data) showMessage(said.saved);
  }
  return (
    <Card title={said.title}>
      <div className="stack">
        <ul className="list">
          <li>
            <div>
              <strong>{said.email}</strong> <span className="quiet">{email}</span>
            </div>
            <ChangeEmail />
          </li>
        </ul>
        <CallForm
          failure={call.failure}
          document={UPDATE}
          busy={call.isRunning}
          submit={said.save}
          send={(typed) => void save(typed)}
        >
          <TextField name="name" label={said.name} initialValue={name} autoComplete="name" maxLength={100} required />
          <TextField
            name="mobile"
            label={said.mobile}
            hint={said.mobileHint}
            initialValue={mobile ?? ''}
            type="tel"
            autoComplete="tel-national"
            maxLength={10}
            required={mobile !== null}
          />
        </CallForm>
      </div>
    </Card>
  );
}

const ChangeEmail = (): ReactNode => (
  <ActionDialog
    document={UPDATE}
    toVariables={({ email, currentPassword }) => ({ input: { email, currentPassword } })}
    onDone={() => showMessage(said.emailSent)}
    name={said.changeEmail}
    title={said.emailTitle}
    text={said.emailText}
    submit={said.emailSubmit}
  >
    <TextField name="email" label={said.newEmail} type="email" autoComplete="off" maxLength={254} required autoFocus />
    <TextField
      name="currentPassword"
      label={words.security.currentPassword}
      type="password"
      autoComplete="current-password"
      maxLength={200}
      required
    />
  </ActionDialog>
);
