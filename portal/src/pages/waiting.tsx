import { Link } from '@tanstack/react-router';
import { Fragment, type ReactNode } from 'react';
import type { ProposalAction } from '../generated/documents.js';
import { words } from '../words.js';

/** What waits for a second person about something that is shown, each with a link to it. */
export const Waiting = ({ proposals }: { proposals: readonly { id: string; action: ProposalAction }[] }): ReactNode =>
  proposals.length === 0 ? null : (
    <p className="notice asks">
      {words.proposals.waits}{' '}
      {proposals.map(({ id, action }, index) => (
        <Fragment key={id}>
          {index > 0 ? ', ' : null}
          <Link to="/proposals" search={{ proposal: id }}>
            {words.proposalActions[action]}
          </Link>
        </Fragment>
      ))}
    </p>
  );
