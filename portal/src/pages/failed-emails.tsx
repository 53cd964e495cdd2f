import { useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useCall } from '../call.js';
import type { FailedEmailsQuery } from '../generated/documents.js';
import { graphql } from '../graphql.js';
import { Pager, pageOf } from '../list.js';
import { Loaded } from '../loaded.js';
import { Button, Empty, PageHead, TableBox, Timestamp, useTitle } from '../parts.js';
import { usePermission } from '../people.js';
import { useRead } from '../read.js';
import { showFailure, showMessage } from '../toasts.js';
import { words } from '../words.js';

const MAILS = graphql(`
  query FailedEmails($first: Int, $after: String, $last: Int, $before: String) {
    failedEmails(first: $first, after: $after, last: $last, before: $before) {
      pageInfo {
        startCursor
        endCursor
        hasNextPage
        hasPreviousPage
      }
      edges {
        node {
          id
          to
          subject
          createdAt
          lastAttemptAt
          failure
          response
          linkExpiresAt
        }
      }
    }
  }
`);
const RESEND = graphql(`
  mutation ResendEmail($input: ResendEmailInput!) {
    resendEmail(input: $input) {
      emailId
    }
  }
`);

const said = words.failedEmails;
type Found = NonNullable<FailedEmailsQuery['failedEmails']>;
type Mail = Found['edges'][number]['node'];

/** Mails that no mail server took: whom they were for, why, and one more attempt. */
export function FailedEmails(): ReactNode {
  useTitle(said.title);
  const asked = useSearch({ from: '/framed/failed-emails' });
  const [read, again] = useRead({ query: MAILS, variables: pageOf(asked) });
  const reload = (): void => again({ requestPolicy: 'network-only' });
  return (
    <>
      <PageHead title={said.title} lead={said.lead} />
      <Loaded read={read} retry={reload} rows={6}>
        {({ failedEmails }) => (failedEmails ? <Table found={failedEmails} reload={reload} /> : null)}
      </Loaded>
    </>
  );
}

function Table({ found, reload }: { found: Found; reload: () => void }): ReactNode {
  const canResend = usePermission('resendEmail');
  if (found.edges.length === 0) return <Empty>{said.none}</Empty>;
  return (
    <>
      <TableBox label={said.title}>
        <table className="cards">
          <thead>
            <tr>
              <th scope="col">{said.about}</th>
              <th scope="col">{said.at}</th>
              <th scope="col">{said.reason}</th>
              <th scope="col">{said.last}</th>
              {canResend ? <th scope="col">{said.action}</th> : null}
            </tr>
          </thead>
          <tbody>
            {found.edges.map(({ node }) => (
              <Row key={node.id} mail={node} canResend={canResend} reload={reload} />
            ))}
          </tbody>
        </table>
      </TableBox>
      <Pager page={found.pageInfo} count={found.edges.length} />
    </>
  );
}

const Row = ({ mail, canResend, reload }: { mail: Mail; canResend: boolean; reload: () => void }): ReactNode => (
  <tr>
    <td className="name-cell">
      <strong>{mail.subject ?? said.unreadable}</strong>
      <span className="quiet small">{mail.to ?? mail.id}</span>
    </td>
    <td data-name={said.at}>
      <Timestamp at={mail.createdAt} />
    </td>
    <td data-name={said.reason}>
      <span>
        {mail.failure ? words.emailFailures[mail.failure] : said.interrupted}{' '}
        {mail.response ? <code>{mail.response}</code> : null}
      </span>
    </td>
    <td className={mail.lastAttemptAt ? undefined : 'nothing'} data-name={said.last}>
      {mail.lastAttemptAt ? <Timestamp at={mail.lastAttemptAt} /> : '–'}
    </td>
    {canResend ? (
      <td data-name={said.action}>
        <Again mail={mail} reload={reload} />
      </td>
    ) : null}
  </tr>
);

/** What would reach nobody, or help nobody, is not sent: it says what helps. */
function Again({ mail: { id, to, subject, linkExpiresAt }, reload }: { mail: Mail; reload: () => void }): ReactNode {
  const call = useCall(RESEND);
  if (to === null) return <span className="quiet small">{said.keyRemoved}</span>;
  if (linkExpiresAt && Date.parse(linkExpiresAt) <= Date.now())
    return <span className="quiet small">{said.linkExpired}</span>;
  async function send(): Promise<void> {
    const { failure } = await call.run({ input: { emailId: id } });
    if (failure) showFailure(said.notSent, failure);
    else showMessage(said.sent(to!));
    reload();
  }
  return (
    <Button busy={call.isRunning} onClick={() => void send()} aria-label={said.sendTo(subject ?? '', to)}>
      {said.send}
    </Button>
  );
}
