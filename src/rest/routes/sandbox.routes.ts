import { wholeSeconds } from '../../core/clock.js';
import { reasonsToDecline } from '../../providers/sandbox/scenarios.js';
import type { DeclineReason } from '../generated/documents.js';
import { successResponse } from '../responses.js';
import { graphql, type RestRoute, route } from '../route.js';

// the GraphQL enum is created from the same table
const reasons: Readonly<Record<string, DeclineReason>> = Object.fromEntries(
  reasonsToDecline.map((reason) => [reason, reason]),
);

/** Paths for tests in UAT (interface.md 4.24 and 4.25). */
export const sandboxRoutes: readonly RestRoute[] = [
  route({
    method: 'POST',
    path: '/api/v1/sandbox/scenario',
    codes: ['CONFLICT'],
    document: graphql(`
      mutation SandboxScenario($input: SetSandboxScenarioInput!) {
        result: setSandboxScenario(input: $input) { outcome reason clientRequestId accountNumber expiresAt }
      }
    `),
    fields: {
      outcome: {
        to: 'input.outcome',
        kind: {
          decline: 'DECLINE',
          pending_then_success: 'PENDING_THEN_SUCCESS',
          pending_then_failure: 'PENDING_THEN_FAILURE',
          success_then_reversal: 'SUCCESS_THEN_REVERSAL',
          timeout: 'TIMEOUT',
          provider_down: 'PROVIDER_DOWN',
        },
      },
      reason: { to: 'input.reason', kind: reasons, optional: true },
      client_request_id: { to: 'input.clientRequestId', kind: 'text', alsoNumber: true, optional: true },
      account_number: { to: 'input.accountNumber', kind: 'text', optional: true },
    },
    example: { outcome: 'decline', reason: 'AMOUNT_NOT_OFFERED', client_request_id: '#Order29' },
    toResponse: (scenario) =>
      successResponse('The outcome applies to the next call with this client_request_id or number.', {
        outcome: scenario.outcome.toLowerCase(),
        reason: scenario.reason,
        client_request_id: scenario.clientRequestId,
        account_number: scenario.accountNumber,
        expires_at: wholeSeconds(scenario.expiresAt),
      }),
  }),
  route({
    method: 'POST',
    path: '/api/v1/sandbox/refill',
    codes: ['CONFLICT'],
    document: graphql(`
      mutation SandboxRefill($input: RefillSandboxWalletInput!) {
        result: refillSandboxWallet(input: $input) {
          entry { amount reference }
          wallet { balance }
          refillsLeft
        }
      }
    `),
    fields: { amount: { to: 'input.amount', kind: 'number', optional: true } },
    example: { amount: 50_000 },
    toResponse: ({ entry, wallet, refillsLeft }) =>
      successResponse('Wallet refilled with test funds.', {
        amount: entry.amount,
        reference: entry.reference,
        wallet_balance: wallet.balance,
        refills_left: refillsLeft,
      }),
  }),
];
