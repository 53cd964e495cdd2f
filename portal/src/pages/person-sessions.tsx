import type { ReactNode } from 'react';
import { Ask } from '../ask.js';
import { useCall } from '../call.js';
import { TextField } from '../form.js';
import { graphql } from '../graphql.js';
import { Loaded } from '../loaded.js';
import { Button } from '../parts.js';
import { useMay, useViewer } from '../people.js';
import { useRead } from '../read.js';
import { say, sayFailure } from '../toasts.js';
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
          agent
          current
        }
      }
    }
  }
`);
const END = graphql(`
  mutation EndUserSessions($input: EndUserSessionsInput!) {
    endUserSessions(input: $input) {
      endedSessions
    }
  }
`);

const said = words.personSessions;

/** Sessions of another person, for admins, support and the owners of the account. */
export function PersonSessions({ person }: { person: Person }): ReactNode {
  const { user } = useViewer();
  const mayEnd = useMay('endUserSessions');
  const maySee = mayEnd || (user.role === 'SUPPORT' && person.teamRole !== null);
  const [read, again] = useRead({
    query: SESSIONS,
    variables: { id: person.id },
    pause: !maySee,
    requestPolicy: 'cache-and-network',
  });
  const reload = (): void => again({ requestPolicy: 'network-only' });
  const end = useCall(END);
  async function endOne(sessionId: string): Promise<void> {
    const { data, failure } = await end.run({ input: { userId: person.id, sessionId } });
    if (data) say(said.ended(person.name, 1));
    if (failure) sayFailure(said.title, failure);
    reload();
  }
  if (!maySee) return null;
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
                    {mayEnd ? (
                      <Button busy={end.isRunning} onClick={() => void endOne(session.id)}>
                        {words.security.end}
                      </Button>
                    ) : null}
                  </SessionItem>
                ))}
              </ul>
              {mayEnd ? (
                <div className="row">
                  <Ask
                    document={END}
                    given={({ reason }) => ({ input: { userId: person.id, ...(reason ? { reason } : {}) } })}
                    onDone={({ endUserSessions }) => {
                      say(said.ended(person.name, endUserSessions?.endedSessions ?? 0));
                      reload();
                    }}
                    name={said.endAll}
                    title={said.endAllTitle(person.name)}
                    text={said.endAllText}
                    submit={said.endAll}
                    kind="bad"
                    removes
                  >
                    <TextField name="reason" label={said.reason} hint={said.reasonHint} maxLength={500} autoFocus />
                  </Ask>
                </div>
              ) : null}
            </div>
          );
        }}
      </Loaded>
    </section>
  );
}
