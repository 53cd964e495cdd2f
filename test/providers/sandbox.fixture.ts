import { paise } from '../../src/core/money.js';
import type { EvidenceReason, StatusCheckOutcome } from '../../src/providers/outcome.js';
import type { SandboxOptions } from '../../src/providers/sandbox/sandbox.options.js';

export const NOW = new Date('2026-03-15T06:30:00Z');

/** Short timeouts for tests; slow responses still arrive in time. */
export const quick: SandboxOptions = { responseTimeoutMs: 40, slowResponseMs: 10, clock: { now: () => NOW } };

export const AMOUNT = paise(199_00);
export const reference = (n: number) => String(n).padStart(25, 'R');

/** Outcome and reason in one string, for example "accepted provider_success". */
export const outcomeText = (outcome: StatusCheckOutcome<unknown>) => `${outcome.kind} ${outcome.evidence.reason}`;

const accepted = 'accepted provider_success';
const declined = 'declined provider_failure';
const pending = 'unknown provider_pending';
const notFound = 'not_found provider_not_found';

interface PaymentCase {
  suffix: string;
  sent: string;
  /** Outcomes of the first, second and third status check, a minute after the order was placed. */
  checked: readonly [string, string, string];
}

const always = (outcome: string) => [outcome, outcome, outcome] as const;
const unknownWith = (reason: EvidenceReason) => `unknown ${reason}`;

/** Magic numbers of payments as documented in simulator.md. */
export const paymentCases: readonly PaymentCase[] = [
  { suffix: '543210', sent: accepted, checked: always(accepted) },
  { suffix: '540000', sent: accepted, checked: always(accepted) },
  { suffix: '540001', sent: declined, checked: always(declined) },
  { suffix: '540002', sent: unknownWith('timeout'), checked: always(accepted) },
  { suffix: '540003', sent: unknownWith('timeout'), checked: always(declined) },
  { suffix: '540004', sent: unknownWith('timeout'), checked: always(notFound) },
  { suffix: '540005', sent: pending, checked: [pending, pending, accepted] },
  { suffix: '540006', sent: pending, checked: [pending, pending, declined] },
  { suffix: '540007', sent: unknownWith('http_error'), checked: always(accepted) },
  { suffix: '540008', sent: unknownWith('not_json'), checked: always(accepted) },
  { suffix: '540009', sent: accepted, checked: always(accepted) },
  { suffix: '540010', sent: accepted, checked: always(declined) },
  { suffix: '540011', sent: unknownWith('amount_mismatch'), checked: always(accepted) },
  { suffix: '540012', sent: unknownWith('connection_lost'), checked: always(accepted) },
  { suffix: '540013', sent: accepted, checked: always(accepted) },
];

/** Magic numbers of lookups. */
export const lookupCases: readonly { suffix: string; verdict: string }[] = [
  { suffix: '543210', verdict: accepted },
  { suffix: '540001', verdict: declined },
  { suffix: '540002', verdict: unknownWith('timeout') },
  { suffix: '540003', verdict: unknownWith('timeout') },
  { suffix: '540004', verdict: unknownWith('timeout') },
  { suffix: '540005', verdict: accepted },
  { suffix: '540006', verdict: accepted },
  { suffix: '540007', verdict: unknownWith('http_error') },
  { suffix: '540008', verdict: unknownWith('not_json') },
  { suffix: '540009', verdict: accepted },
  { suffix: '540010', verdict: accepted },
  { suffix: '540011', verdict: accepted },
  { suffix: '540012', verdict: unknownWith('connection_lost') },
  { suffix: '540013', verdict: accepted },
];

/** The value of an outcome that must be accepted. */
export function valueOf<T>(outcome: StatusCheckOutcome<T>): T {
  if (outcome.kind !== 'accepted') throw new Error(`expected an accepted outcome, got ${outcomeText(outcome)}`);
  return outcome.value;
}
