import type { ReactNode } from 'react';
import { useCall } from '../call.js';
import type { SecurityQuery } from '../generated/documents.js';
import { graphql } from '../graphql.js';
import { Badge, Button, Card, Timestamp } from '../parts.js';
import { showFailure, showMessage } from '../toasts.js';
import { userAgentName } from '../user-agent.js';
import { words } from '../words.js';

const REVOKE = graphql(`
  mutation RevokeSession($input: RevokeSessionInput!) {
    revokeSession(input: $input) {
      revokedSessions
    }
  }
`);
const REVOKE_OTHERS = graphql(`
  mutation RevokeOthers {
    revokeSessions(input: { scope: OTHERS }) {
      revokedSessions
    }
  }
`);

const said = words.security;
type Sessions = NonNullable<NonNullable<SecurityQuery['viewer']>['sessions']>;

/** One session, with what may be done to it. */
export const SessionItem = ({
  session: { userAgent, address, lastSeenAt, current },
  children,
}: {
  session: Sessions[number];
  children: ReactNode;
}): ReactNode => (
  <li>
    <div>
      <strong>{(userAgent && userAgentName(userAgent)) ?? said.unknownAgent}</strong>{' '}
      {current ? <Badge tone="good">{said.current}</Badge> : null}
      <p className="quiet small">
        {address === null ? null : (
          <>
            <code>{address}</code> ·{' '}
          </>
        )}
        {said.seen} <Timestamp at={lastSeenAt} />
      </p>
    </div>
    {children}
  </li>
);

/** Where the person is signed in; and the button to revoke each session. */
export function Sessions({ sessions, reload }: { sessions: Sessions; reload: () => void }): ReactNode {
  const revoke = useCall(REVOKE);
  const revokeOthers = useCall(REVOKE_OTHERS);
  async function revokeOne(sessionId: string): Promise<void> {
    const { data, failure } = await revoke.run({ input: { sessionId } });
    if (data) showMessage(said.revoked);
    if (failure) showFailure(said.sessions, failure);
    reload();
  }
  async function revokeAll(): Promise<void> {
    const { data, failure } = await revokeOthers.run({});
    if (data?.revokeSessions) showMessage(said.revokedOthers(data.revokeSessions.revokedSessions));
    if (failure) showFailure(said.sessions, failure);
    reload();
  }
  return (
    <Card
      title={said.sessions}
      side={
        sessions.length > 1 ? (
          <Button busy={revokeOthers.isRunning} onClick={() => void revokeAll()}>
            {said.revokeOthers}
          </Button>
        ) : null
      }
    >
      <ul className="list">
        {sessions.map((session) => (
          <SessionItem key={session.id} session={session}>
            {session.current ? null : (
              <Button busy={revoke.isRunning} onClick={() => void revokeOne(session.id)}>
                {said.revoke}
              </Button>
            )}
          </SessionItem>
        ))}
      </ul>
    </Card>
  );
}
