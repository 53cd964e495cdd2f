import { Link } from '@tanstack/react-router';
import { Fragment, type ReactNode } from 'react';
import type { ApprovalRequestAction } from '../generated/documents.js';
import { words } from '../words.js';

/** Pending approval requests about the record that is shown, each with a link. */
export const Waiting = ({
  approvalRequests,
}: {
  approvalRequests: readonly { id: string; action: ApprovalRequestAction }[];
}): ReactNode =>
  approvalRequests.length === 0 ? null : (
    <p className="notice asks">
      {words.approvalRequests.pending}{' '}
      {approvalRequests.map(({ id, action }, index) => (
        <Fragment key={id}>
          {index > 0 ? ', ' : null}
          <Link to="/approval-requests" search={{ approvalRequest: id }}>
            {words.approvalRequestActions[action]}
          </Link>
        </Fragment>
      ))}
    </p>
  );
