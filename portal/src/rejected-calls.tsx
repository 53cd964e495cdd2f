import type { ReactNode } from 'react';
import type { Environment, ErrorCode } from './generated/documents.js';
import { Timestamp } from './parts.js';
import { words } from './words.js';

interface RejectedCall {
  environment: Environment;
  at: string;
  code: ErrorCode;
  requestId: string;
  operation: string;
}

/** Last rejected call in each environment. */
export const RejectedCalls = ({ calls }: { calls: readonly RejectedCall[] | null }): ReactNode =>
  calls?.map(({ environment, at, code, requestId, operation }) => (
    <p key={environment} className="rejected quiet small">
      {words.access.lastRejected(words.environments[environment])} <code>{code}</code>, {operation},{' '}
      <Timestamp at={at} />, {words.access.requestId} <code>{requestId}</code>
    </p>
  ));
