import type { ReactNode } from 'react';
import { ActionDialog } from '../action-dialog.js';
import { useCall } from '../call.js';
import { TextField } from '../form.js';
import { graphql } from '../graphql.js';
import { Loaded } from '../loaded.js';
import { Button } from '../parts.js';
import { usePermission, useViewer } from '../people.js';
import { useRead } from '../read.js';
import { showFailure, showMessage } from '../toasts.js';
import { words } from '../words.js';
import { SessionItem } from './sessions.js';
import type { Person } from './team.js';

const SESSIONS = graphql(`
  query PersonSessions($id: ID!) {
    node(id: $id) {
      ... on User {
        id
        sessions {
          id
          lastSeenAt
          address
          userAgent
          current
        }
      }
    }
  }
`);
const REVOKE = graphql(`
  mutation RevokeUserSessions($input: RevokeUserSessionsInput!) {
    revokeUserSessions(input: $input) {
      revokedSessions
    }
  }
`);

const said = words.personSessions;

/** Sessions of another person, for admins, support and the owners of the account. */
export function PersonSessions({ person }: { person: Person }): ReactNode {
  const { user } = useViewer();
  const canRevoke = usePermission('revokeUserSessions');
  const canSee = canRevoke || (user.role === 'SUPPORT' && person.teamRole !== null);
  const [read, again] = useRead({
    query: SESSIONS,
    variables: { id: person.id },
    pause: !canSee,
    requestPolicy: 'cache-and-network',
  });
  const reload = (): void => again({ requestPolicy: 'network-only' });
  const revoke = useCall(REVOKE);
  async function revokeOne(sessionId: string): Promise<void> {
    const { data, failure } = await revoke.run({ input: { userId: person.id, sessionId } });
    if (data) showMessage(said.revoked(person.name, 1));
    if (failure) showFailure(said.title, failure);
    reload();
  }
  if (!canSee) return null;
  return (
    <section className="stack">
      <h3>{said.title}</h3>
      <Loaded read={read} retry={reload} rows={2}>
        {({ node }) => {
          const sessions = (node && 'sessions' in node && node.sessions) || [];
          if (sessions.length === 0) return <p className="quiet">{said.none}</p>;
          return (
            <div className="stack">
              <ul className="list">
                {sessions.map((session) => (
                  <SessionItem key={session.id} session={session}>
                    {canRevoke ? (
                      <Button busy={revoke.isRunning} onClick={() => void revokeOne(session.id)}>
                        {words.security.revoke}
                      </Button>
                    ) : null}
                  </SessionItem>
                ))}
              </ul>
              {canRevoke ? (
                <div className="row">
                  <ActionDialog
                    document={REVOKE}
                    toVariables={({ reason }) => ({ input: { userId: person.id, ...(reason ? { reason } : {}) } })}
                    onDone={({ revokeUserSessions }) => {
                      showMessage(said.revoked(person.name, revokeUserSessions?.revokedSessions ?? 0));
                      reload();
                    }}
                    name={said.revokeAll}
                    title={said.revokeAllTitle(person.name)}
                    text={said.revokeAllText}
                    submit={said.revokeAll}
                    kind="bad"
                    removes
                  >
                    <TextField name="reason" label={said.reason} hint={said.reasonHint} maxLength={500} autoFocus />
                  </ActionDialog>
                </div>
              ) : null}
            </div>
          );
        }}
      </Loaded>
    </section>
  );
}
