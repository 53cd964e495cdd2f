import type { ReactNode } from 'react';
import { useCall } from '../call.js';
import type { SecurityQuery } from '../generated/documents.js';
import { graphql } from '../graphql.js';
import { At, Badge, Button, Card } from '../parts.js';
import { programOf } from '../program.js';
import { say, sayFailure } from '../toasts.js';
import { words } from '../words.js';

const END = graphql(`
  mutation EndSession($input: EndSessionInput!) {
    endSession(input: $input) {
      endedSessions
    }
  }
`);
const END_OTHERS = graphql(`
  mutation EndOthers {
    endSessions(input: { which: OTHERS }) {
      endedSessions
    }
  }
`);

const said = words.security;
type Sessions = NonNullable<NonNullable<SecurityQuery['viewer']>['sessions']>;

/** One session, with what may be done to it. */
export const SessionItem = ({
  session: { agent, address, lastSeenAt, current },
  children,
}: {
  session: Sessions[number];
  children: ReactNode;
}): ReactNode => (
  <li>
    <div>
      <strong>{(agent && programOf(agent)) ?? said.unknownAgent}</strong>{' '}
      {current ? <Badge tone="good">{said.current}</Badge> : null}
      <p className="quiet small">
        {address === null ? null : (
          <>
            <code>{address}</code> ·{' '}
          </>
        )}
        {said.seen} <At at={lastSeenAt} />
      </p>
    </div>
    {children}
  </li>
);

/** Where the person is signed in; any of them can be ended. */
export function Sessions({ sessions, reload }: { sessions: Sessions; reload: () => void }): ReactNode {
  const end = useCall(END);
  const endOthers = useCall(END_OTHERS);
  async function endOne(sessionId: string): Promise<void> {
    const { data, failure } = await end.run({ input: { sessionId } });
    if (data) say(said.ended);
    if (failure) sayFailure(said.sessions, failure);
    reload();
  }
  async function endAll(): Promise<void> {
    const { data, failure } = await endOthers.run({});
    if (data?.endSessions) say(said.endedOthers(data.endSessions.endedSessions));
    if (failure) sayFailure(said.sessions, failure);
    reload();
  }
  return (
    <Card
      title={said.sessions}
      side={
        sessions.length > 1 ? (
          <Button busy={endOthers.isRunning} onClick={() => void endAll()}>
            {said.endOthers}
          </Button>
        ) : null
      }
    >
      <ul className="list">
        {sessions.map((session) => (
          <SessionItem key={session.id} session={session}>
            {session.current ? null : (
              <Button busy={end.isRunning} onClick={() => void endOne(session.id)}>
                {said.end}
              </Button>
            )}
          </SessionItem>
        ))}
      </ul>
    </Card>
  );
}
