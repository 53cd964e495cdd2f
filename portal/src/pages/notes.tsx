import { type ReactNode, useRef } from 'react';
import { useCall } from '../call.js';
import { CallForm, TextField } from '../form.js';
import type { NotesQuery } from '../generated/documents.js';
import { graphql } from '../graphql.js';
import { Disclosure } from '../list.js';
import { Loaded } from '../loaded.js';
import { Card, Empty, Timestamp } from '../parts.js';
import { useRead } from '../read.js';
import { words } from '../words.js';

const NOTES = graphql(`
  query Notes($id: ID!, $after: String) {
    developer(id: $id) {
      id
      notes(first: 20, after: $after) {
        pageInfo {
          endCursor
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
        <CallForm
          failure={call.failure}
          document={ADD}
          busy={call.isRunning}
          submit={said.add}
          send={({ text }) => void add(text!)}
        >
          <TextField name="text" label={said.note} maxLength={1_000} required autoComplete="off" />
        </CallForm>
      </div>
      <Loaded read={read} retry={reload} rows={2}>
        {({ developer }) =>
          developer?.notes?.edges.length ? (
            <Page developerId={developerId} page={developer.notes} />
          ) : (
            <Empty>{said.none}</Empty>
          )
        }
      </Loaded>
    </Card>
  );
}

type Shown = NonNullable<NonNullable<NotesQuery['developer']>['notes']>;

const Page = ({ developerId, page: { edges, pageInfo } }: { developerId: string; page: Shown }): ReactNode => (
  <>
    <ul className="list">
      {edges.map(({ node: { id, text, createdAt, author } }) => (
        <li key={id}>
          <div>
            <p className="lines">{text}</p>
            <p className="quiet small">
              {author.name} · <Timestamp at={createdAt} />
            </p>
          </div>
        </li>
      ))}
    </ul>
    {pageInfo.hasNextPage && pageInfo.endCursor ? (
      <Disclosure name={said.older}>
        <Older developerId={developerId} after={pageInfo.endCursor} />
      </Disclosure>
    ) : null}
  </>
);

function Older({ developerId, after }: { developerId: string; after: string }): ReactNode {
  const [read, again] = useRead({ query: NOTES, variables: { id: developerId, after } });
  return (
    <Loaded read={read} retry={() => again({ requestPolicy: 'network-only' })} rows={2}>
      {({ developer }) => (developer?.notes ? <Page developerId={developerId} page={developer.notes} /> : null)}
    </Loaded>
  );
}
