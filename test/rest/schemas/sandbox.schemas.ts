import { exactly, filledText, instant, integer, nullable, number, reason } from './common.js';
import { successResponse } from './lists.schemas.js';

/** Sandbox (interface.md 4.24). */
export const scenario = successResponse(
  exactly({
    outcome: {
      enum: [
        'decline',
        'pending_then_success',
        'pending_then_failure',
        'success_then_reversal',
        'timeout',
        'provider_down',
      ],
    },
    reason: { anyOf: [reason, { type: 'null' }] },
    client_request_id: nullable(filledText),
    account_number: nullable(filledText),
    expires_at: instant,
  }),
);

/** Sandbox (interface.md 4.25). */
export const refill = successResponse(
  exactly({ amount: number, reference: filledText, wallet_balance: number, refills_left: integer }),
);
