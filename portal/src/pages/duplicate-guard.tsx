import type { ReactNode } from 'react';
import { ActionDialog } from '../action-dialog.js';
import { TextField } from '../form.js';
import { graphql } from '../graphql.js';
import { usePermission } from '../people.js';
import { showMessage } from '../toasts.js';
import { words } from '../words.js';

const SET_GUARD = graphql(`
  mutation SetDuplicateGuard($input: SetDuplicateGuardInput!) {
    setDuplicateGuard(input: $input) {
      developer {
        id
        duplicateGuardSeconds
      }
    }
  }
`);

const said = words.guard;

export interface Guarded {
  id: string;
  duplicateGuardSeconds: number;
}

/** For admins, and for those of an account who build with it. */
export function SetDuplicateGuard({ developer: { id, duplicateGuardSeconds } }: { developer: Guarded }): ReactNode {
  if (!usePermission('setDuplicateGuard')) return null;
  return (
    <ActionDialog
      document={SET_GUARD}
      toVariables={({ seconds }) => ({ input: { developerId: id, seconds: Number(seconds) } })}
      onDone={({ setDuplicateGuard }) =>
        showMessage(said.done(said.state(setDuplicateGuard?.developer.duplicateGuardSeconds ?? 0)))
      }
      name={said.change}
      title={said.title}
      text={said.text}
      submit={said.submit}
    >
      <TextField
        name="seconds"
        label={said.seconds}
        hint={said.secondsHint}
        initialValue={String(duplicateGuardSeconds)}
        inputMode="numeric"
        pattern="[0-9]{1,9}"
        title={words.limits.whole}
        required
        autoFocus
      />
    </ActionDialog>
  );
}
