import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Ask } from '../ask.js';
import { TextField } from '../form.js';
import type { RechargeProvider, WhiteLabelsQuery } from '../generated/documents.js';
import { graphql } from '../graphql.js';
import { Loaded } from '../loaded.js';
import { Badge, Card, Empty, PageHead, useTitle } from '../parts.js';
import { useMay } from '../people.js';
import { useRead } from '../read.js';
import { say } from '../toasts.js';
import { words } from '../words.js';
import { ProviderField } from './provider-field.js';
import { Enable, LabelActions, MoveOut } from './white-label-forms.js';

const LABELS = graphql(`
  query WhiteLabels {
    whiteLabels {
      id
      name
      rechargeProvider
      disabledAt
    }
  }
`);
const MEMBERS = graphql(`
  query LabelMembers($id: ID!) {
    developers(first: 200, filter: { whiteLabelId: $id, closed: false }) {
      totalCount
      edges {
        node {
          id
          name
          ownRechargeProvider
        }
      }
    }
  }
`);
const CREATE = graphql(`
  mutation CreateWhiteLabel($input: CreateWhiteLabelInput!) {
    createWhiteLabel(input: $input) {
      whiteLabel {
        id
        name
      }
    }
  }
`);
const said = words.whiteLabels;
export type Label = NonNullable<WhiteLabelsQuery['whiteLabels']>[number];

/** Resellers: their developers share one recharge provider. */
export function WhiteLabels(): ReactNode {
  useTitle(said.title);
  const [read, again] = useRead({ query: LABELS });
  const reload = (): void => again({ requestPolicy: 'network-only' });
  const mayCreate = useMay('createWhiteLabel');
  return (
    <>
      <PageHead title={said.title} lead={said.lead}>
        {mayCreate ? (
          <Ask
            document={CREATE}
            given={({ name, rechargeProvider }) => ({
              input: { name: name!, rechargeProvider: rechargeProvider as RechargeProvider },
            })}
            onDone={(data) => {
              say(said.created(data.createWhiteLabel?.whiteLabel.name ?? ''));
              reload();
            }}
            name={said.create}
            title={said.createTitle}
            submit={said.createSubmit}
            kind="main"
          >
            <TextField name="name" label={said.name} maxLength={100} required autoFocus />
            <ProviderField />
          </Ask>
        ) : null}
      </PageHead>
      <Loaded read={read} retry={reload}>
        {({ whiteLabels }) =>
          whiteLabels?.length ? (
            <div className="columns">
              {whiteLabels.map((label) => (
                <LabelCard key={label.id} label={label} reload={reload} />
              ))}
            </div>
          ) : (
            <Empty>{said.none}</Empty>
          )
        }
      </Loaded>
    </>
  );
}

function LabelCard({ label, reload }: { label: Label; reload: () => void }): ReactNode {
  const { id, name, rechargeProvider, disabledAt } = label;
  const [read, again] = useRead({ query: MEMBERS, variables: { id } });
  const mayChange = useMay('renameWhiteLabel');
  const refresh = (): void => again({ requestPolicy: 'network-only' });
  const members = read.data?.developers?.edges.map(({ node }) => node) ?? [];
  return (
    <Card
      title={name}
      side={
        disabledAt ? (
          <Badge tone="quiet">{said.disabled}</Badge>
        ) : (
          <Badge tone="good">{words.providers[rechargeProvider]}</Badge>
        )
      }
    >
      <Loaded read={read} retry={refresh} rows={2}>
        {() => (members.length ? null : <p className="quiet">{said.noMembers}</p>)}
      </Loaded>
      <ul className="list">
        {members.map((member) => (
          <li key={member.id}>
            <div>
              <Link to="/developers/$developerId" params={{ developerId: member.id }}>
                {member.name}
              </Link>
            </div>
            {mayChange ? <MoveOut developer={member} label={label} done={refresh} /> : null}
          </li>
        ))}
      </ul>
      {mayChange && disabledAt ? (
        <div className="form-actions">
          <Enable label={label} />
        </div>
      ) : null}
      {mayChange && !disabledAt ? (
        <LabelActions
          label={label}
          isEmpty={members.length === 0 && !read.fetching}
          reload={reload}
          refresh={refresh}
        />
      ) : null}
    </Card>
  );
}
