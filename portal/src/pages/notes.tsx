import { type ReactNode, useRef } from 'react';
import { useCall } from '../call.js';
import { CallForm, TextField } from '../form.js';
import { graphql } from '../graphql.js';
import { Loaded } from '../loaded.js';
import { At, Card, Empty } from '../parts.js';
import { useRead } from '../read.js';
import { words } from '../words.js';

const NOTES = graphql(`
  query Notes($id: ID!) {
    developer(id: $id) {
      id
      notes(first: 20) {
        pageInfo {
          hasNextPage
        }
        edges {
          node {
            id
            text
            createdAt
            author {
              name
            }
          }
        }
      }
    }
  }
`);
const ADD = graphql(`
  mutation AddNote($input: AddNoteInput!) {
    addNote(input: $input) {
      note {
        id
      }
    }
  }
`);

const said = words.notes;

/** What staff write down for one another about an account. */
export function Notes({ developerId }: { developerId: string }): ReactNode {
  const [read, again] = useRead({ query: NOTES, variables: { id: developerId } });
  const reload = (): void => again({ requestPolicy: 'network-only' });
  const call = useCall(ADD);
  const place = useRef<HTMLDivElement>(null);
  async function add(text: string): Promise<void> {
    const { data } = await call.run({ input: { developerId, text } });
    if (!data?.addNote) return;
    place.current?.querySelector('form')?.reset();
    reload();
  }
  return (
    <Card title={said.title}>
      <p className="quiet">{said.text}</p>
      <div ref={place} className="note-form">
        <CallForm failure={call.failure} busy={call.isRunning} submit={said.add} send={({ text }) => void add(text!)}>
          <TextField name="text" label={said.note} maxLength={1_000} required autoComplete="off" />
        </CallForm>
      </div>
      <Loaded read={read} retry={reload} rows={2}>
        {({ developer }) => {
          const notes = developer?.notes?.edges.map(({ node }) => node) ?? [];
          return notes.length === 0 ? (
            <Empty>{said.none}</Empty>
          ) : (
            <ul className="list">
              {notes.map(({ id, text, createdAt, author }) => (
                <li key={id}>
                  <div>
                    <p className="lines">{text}</p>
                    <p className="quiet small">
                      {author.name} · <At at={createdAt} />
                    </p>
                  </div>
                </li>
              ))}
            </ul>
          );
        }}
      </Loaded>
    </Card>
  );
}
