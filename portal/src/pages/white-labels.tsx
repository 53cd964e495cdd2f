import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ActionDialog } from '../action-dialog.js';
import { TextField } from '../form.js';
import type { LabelMembersQuery, RechargeProvider, WhiteLabelsQuery } from '../generated/documents.js';
import { graphql } from '../graphql.js';
import { Disclosure } from '../list.js';
import { Loaded } from '../loaded.js';
import { Badge, Card, Empty, PageHead, useTitle } from '../parts.js';
import { usePermission } from '../people.js';
import { useRead } from '../read.js';
import { showMessage } from '../toasts.js';
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
  query LabelMembers($id: ID!, $after: String) {
    developers(first: 200, after: $after, filter: { whiteLabelId: $id, closed: false }) {
      totalCount
      pageInfo {
        endCursor
        hasNextPage
      }
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
  const canCreate = usePermission('createWhiteLabel');
  return (
    <>
      <PageHead title={said.title} lead={said.lead}>
        {canCreate ? (
          <ActionDialog
            document={CREATE}
            toVariables={({ name, rechargeProvider }) => ({
              input: { name: name!, rechargeProvider: rechargeProvider as RechargeProvider },
            })}
            onDone={(data) => {
              showMessage(said.created(data.createWhiteLabel?.whiteLabel.name ?? ''));
              reload();
            }}
            name={said.create}
            title={said.createTitle}
            submit={said.createSubmit}
            kind="main"
          >
            <TextField name="name" label={said.name} maxLength={100} required autoFocus />
            <ProviderField />
          </ActionDialog>
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
  const canChange = usePermission('renameWhiteLabel');
  const refresh = (): void => again({ requestPolicy: 'network-only' });
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
        {({ developers }) =>
          developers?.edges.length ? (
            <Members label={label} page={developers} before={0} refresh={refresh} />
          ) : (
            <p className="quiet">{said.noMembers}</p>
          )
        }
      </Loaded>
      {canChange && disabledAt ? (
        <div className="form-actions">
          <Enable label={label} />
        </div>
      ) : null}
      {canChange && !disabledAt ? (
        <LabelActions
          label={label}
          isEmpty={!read.data?.developers?.edges.length && !read.fetching}
          reload={reload}
          refresh={refresh}
        />
      ) : null}
    </Card>
  );
}

interface OfLabel {
  label: Label;
  /** How many are shown above. */
  before: number;
  refresh: () => void;
}

function Members({
  page: { edges, pageInfo, totalCount },
  ...of
}: OfLabel & { page: NonNullable<LabelMembersQuery['developers']> }): ReactNode {
  const { label, before, refresh } = of;
  const canChange = usePermission('renameWhiteLabel');
  const shown = before + edges.length;
  return (
    <>
      <ul className="list">
        {edges.map(({ node: member }) => (
          <li key={member.id}>
            <div>
              <Link to="/developers/$developerId" params={{ developerId: member.id }}>
                {member.name}
              </Link>
            </div>
            {canChange ? <MoveOut developer={member} label={label} done={refresh} /> : null}
          </li>
        ))}
      </ul>
      {pageInfo.hasNextPage && pageInfo.endCursor ? (
        <>
          <p className="quiet small">{said.shown(shown, totalCount ?? shown)}</p>
          <Disclosure name={said.showMore}>
            <FurtherMembers {...of} before={shown} after={pageInfo.endCursor} />
          </Disclosure>
        </>
      ) : null}
    </>
  );
}

function FurtherMembers({ after, refresh, ...of }: OfLabel & { after: string }): ReactNode {
  const [read, again] = useRead({ query: MEMBERS, variables: { id: of.label.id, after } });
  const reload = (): void => again({ requestPolicy: 'network-only' });
  const both = (): void => {
    refresh();
    reload();
  };
  return (
    <Loaded read={read} retry={reload} rows={2}>
      {({ developers }) => (developers ? <Members {...of} page={developers} refresh={both} /> : null)}
    </Loaded>
  );
}
