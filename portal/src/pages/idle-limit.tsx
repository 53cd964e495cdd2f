import type { ReactNode } from 'react';
import { ActionDialog } from '../action-dialog.js';
import { TextField } from '../form.js';
import { graphql } from '../graphql.js';
import { Card } from '../parts.js';
import { usePermission } from '../people.js';
import { showMessage } from '../toasts.js';
import { words } from '../words.js';

const SET_LIMIT = graphql(`
  mutation SetSessionIdleLimit($input: SetSessionIdleLimitInput!) {
    setSessionIdleLimit(input: $input) {
      developer {
        id
        sessionIdleMinutes
      }
    }
  }
`);

const said = words.idleLimit;

/** Time without use after which a session of the account's people ends. Its owners choose it. */
export function IdleLimit({
  developer: { id, sessionIdleMinutes },
}: {
  developer: { id: string; sessionIdleMinutes: number };
}): ReactNode {
  const canChange = usePermission('setSessionIdleLimit');
  return (
    <Card
      title={said.title}
      side={
        canChange ? (
          <ActionDialog
            document={SET_LIMIT}
            toVariables={({ minutes }) => ({ input: { developerId: id, minutes: Number(minutes) } })}
            onDone={({ setSessionIdleLimit: done }) =>
              showMessage(said.done(said.state(done?.developer.sessionIdleMinutes ?? sessionIdleMinutes)))
            }
            name={said.change}
            title={said.title}
            text={said.text}
            submit={said.submit}
          >
            <TextField
              name="minutes"
              label={said.minutes}
              hint={said.minutesHint}
              initialValue={String(sessionIdleMinutes)}
              inputMode="numeric"
              pattern="[0-9]{1,9}"
              title={words.limits.whole}
              required
              autoFocus
            />
          </ActionDialog>
        ) : null
      }
    >
      <p className="quiet">{said.lead(said.state(sessionIdleMinutes))}</p>
    </Card>
  );
}
