import { Link, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ActionDialog } from '../action-dialog.js';
import { type DifferenceSearch, differenceFilter } from '../difference-search.js';
import { FileLinks } from '../file-link.js';
import { TextField } from '../form.js';
import { rupees } from '../format.js';
import type { StatementDifferencesQuery } from '../generated/documents.js';
import { graphql } from '../graphql.js';
import { Pager, pageOf, Select, ShowAll } from '../list.js';
import { Loaded } from '../loaded.js';
import { Empty, PageHead, TableBox, Timestamp, useTitle } from '../parts.js';
import { usePermission } from '../people.js';
import { daysOf, MAX_DAYS } from '../range.js';
import { useRead } from '../read.js';
import { showMessage } from '../toasts.js';
import { words } from '../words.js';

const DIFFERENCES = graphql(`
  query StatementDifferences(
    $first: Int
    $after: String
    $last: Int
    $before: String
    $filter: StatementDifferenceFilter
  ) {
    statementDifferences(first: $first, after: $after, last: $last, before: $before, filter: $filter) {
      pageInfo {
        startCursor
        endCursor
        hasNextPage
        hasPreviousPage
      }
      edges {
        node {
          id
          provider
          kind
          fileHash
          runAt
          line
          orderId
          reference
          account
          orderStatus
          orderAmount
          lineStatus
          lineAmount
          at
          foundAt
          resolution
          resolvedAt
          resolvedBy {
            id
            name
          }
          reason
        }
      }
    }
  }
`);
const RESOLVE = graphql(`
  mutation ResolveStatementDifference($input: ResolveStatementDifferenceInput!) {
    resolveStatementDifference(input: $input) {
      difference {
        id
        resolution
      }
    }
  }
`);

const t = words.differences;
type Connection = NonNullable<StatementDifferencesQuery['statementDifferences']>;
type Difference = Connection['edges'][number]['node'];

/** Differences between statements of providers and our orders. */
export function Differences(): ReactNode {
  useTitle(t.title);
  const search = useSearch({ from: '/framed/differences' });
  const variables = { ...pageOf(search), filter: differenceFilter(search) };
  const [read, again] = useRead({ query: DIFFERENCES, variables });
  const reload = (): void => again({ requestPolicy: 'network-only' });
  const { from, to } = daysOf({ days: MAX_DAYS });
  return (
    <>
      <PageHead title={t.title} lead={t.lead}>
        <FileLinks
          path="/differences"
          parameters={{ from, to, ...differenceFilter(search) }}
          title={t.fileHint(MAX_DAYS)}
        />
      </PageHead>
      <Filters search={search} />
      <Loaded read={read} retry={reload} rows={8}>
        {({ statementDifferences }) =>
          statementDifferences ? <Table connection={statementDifferences} reload={reload} /> : null
        }
      </Loaded>
    </>
  );
}

const Filters = ({ search }: { search: DifferenceSearch }): ReactNode => (
  <search className="filters">
    <Select
      name="state"
      label={t.state}
      emptyLabel={t.states.open}
      selected={search.state}
      choices={[
        ['resolved', t.states.resolved],
        ['all', t.states.all],
      ]}
    />
    <Select
      name="provider"
      label={t.provider}
      emptyLabel={t.allProviders}
      selected={search.provider}
      choices={Object.entries(words.providerNames)}
    />
    <Select
      name="kind"
      label={t.kind}
      emptyLabel={t.allKinds}
      selected={search.kind}
      choices={Object.entries(t.kinds)}
    />
  </search>
);

function Table({ connection, reload }: { connection: Connection; reload: () => void }): ReactNode {
  if (connection.edges.length === 0)
    return <Empty action={<ShowAll without={['state', 'provider', 'kind']} />}>{t.none}</Empty>;
  return (
    <>
      <TableBox label={t.title}>
        <table className="cards">
          <thead>
            <tr>
              <th scope="col">{t.kind}</th>
              <th scope="col">{t.order}</th>
              <th scope="col">{t.line}</th>
              <th scope="col">{t.at}</th>
              <th scope="col">{t.foundAt}</th>
              <th scope="col">{t.resolution}</th>
            </tr>
          </thead>
          <tbody>
            {connection.edges.map(({ node }) => (
              <Row key={node.id} difference={node} reload={reload} />
            ))}
          </tbody>
        </table>
      </TableBox>
      <Pager page={connection.pageInfo} count={connection.edges.length} />
    </>
  );
}

const Row = ({ difference, reload }: { difference: Difference; reload: () => void }): ReactNode => {
  const { kind, provider, orderId, orderStatus, orderAmount, reference, at, foundAt } = difference;
  return (
    <tr>
      <td className="name-cell">
        <strong>{t.kinds[kind]}</strong>
        <span className="quiet small">
          {words.providerNames[provider as keyof typeof words.providerNames] ?? provider}
        </span>
      </td>
      <td className={orderId ? undefined : 'nothing'} data-name={t.order}>
        {orderId ? (
          <span>
            {orderStatus ? words.orders[orderStatus] : ''} {typeof orderAmount === 'number' ? rupees(orderAmount) : ''}{' '}
            <Link to="/orders" search={{ order: orderId }} data-row={orderId}>
              <code>{reference}</code>
            </Link>
          </span>
        ) : (
          '–'
        )}
      </td>
      <td className={difference.lineStatus ? undefined : 'nothing'} data-name={t.line}>
        <StatementLine difference={difference} />
      </td>
      <td data-name={t.at}>
        <Timestamp at={at} />
      </td>
      <td data-name={t.foundAt}>
        <Timestamp at={foundAt} />
      </td>
      <td data-name={t.resolution}>
        <Resolution difference={difference} reload={reload} />
      </td>
    </tr>
  );
};

function StatementLine({ difference }: { difference: Difference }): ReactNode {
  const { line, lineStatus, lineAmount, account, orderId, reference, fileHash } = difference;
  if (!lineStatus) return '–';
  return (
    <span title={t.file(fileHash)}>
      {t.lineNumber(line ?? 0)}: {t.lineStatuses[lineStatus]} {typeof lineAmount === 'number' ? rupees(lineAmount) : ''}{' '}
      <code>{(orderId ? '' : reference) || account}</code>
    </span>
  );
}

function Resolution({ difference, reload }: { difference: Difference; reload: () => void }): ReactNode {
  const canResolve = usePermission('resolveStatementDifference');
  const { id, resolution, resolvedAt, resolvedBy, reason } = difference;
  if (resolution === 'LATER_RUN') return <span className="quiet small">{t.resolutions[resolution]}</span>;
  if (resolution)
    return (
      <span>
        {reason}{' '}
        <span className="quiet small">
          {resolvedBy?.name} {resolvedAt ? <Timestamp at={resolvedAt} /> : null}
        </span>
      </span>
    );
  if (!canResolve) return <span className="quiet small">{t.states.open}</span>;
  return (
    <ActionDialog
      document={RESOLVE}
      toVariables={({ reason: typed }) => ({ input: { differenceId: id, reason: typed! } })}
      onDone={() => {
        showMessage(t.resolved);
        reload();
      }}
      name={t.resolve}
      title={t.resolveTitle}
      text={t.resolveText}
      removes
    >
      <TextField name="reason" label={words.decisions.reason} hint={t.reasonHint} maxLength={500} required autoFocus />
    </ActionDialog>
  );
}
