import { paise } from '../../src/core/money.js';
import type { EvidenceReason, StatusCheckOutcome } from '../../src/providers/outcome.js';
import type { SandboxOptions } from '../../src/providers/sandbox/sandbox.options.js';

export const NOW = new Date('2026-03-15T06:30:00Z');

/** Short timeouts for tests; slow responses still arrive in time. */
export const quick: SandboxOptions = { answerTimeoutMs: 40, slowAnswerMs: 10, clock: { now: () => NOW } };

export const AMOUNT = paise(199_00);
export const reference = (n: number) => String(n).padStart(25, 'R');

/** Outcome and reason in one string, for example "accepted provider_success". */
export const verdictOf = (outcome: StatusCheckOutcome<unknown>) => `${outcome.kind} ${outcome.evidence.reason}`;

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

const always = (verdict: string) => [verdict, verdict, verdict] as const;
const unknownFor = (reason: EvidenceReason) => `unknown ${reason}`;

/** Magic numbers of payments as documented in simulator.md. */
export const paymentCases: readonly PaymentCase[] = [
  { suffix: '543210', sent: accepted, checked: always(accepted) },
  { suffix: '540000', sent: accepted, checked: always(accepted) },
  { suffix: '540001', sent: declined, checked: always(declined) },
  { suffix: '540002', sent: unknownFor('timeout'), checked: always(accepted) },
  { suffix: '540003', sent: unknownFor('timeout'), checked: always(declined) },
  { suffix: '540004', sent: unknownFor('timeout'), checked: always(notFound) },
  { suffix: '540005', sent: pending, checked: [pending, pending, accepted] },
  { suffix: '540006', sent: pending, checked: [pending, pending, declined] },
  { suffix: '540007', sent: unknownFor('http_error'), checked: always(accepted) },
  { suffix: '540008', sent: unknownFor('not_json'), checked: always(accepted) },
  { suffix: '540009', sent: accepted, checked: always(accepted) },
  { suffix: '540010', sent: accepted, checked: always(declined) },
  { suffix: '540011', sent: unknownFor('amount_mismatch'), checked: always(accepted) },
  { suffix: '540012', sent: unknownFor('connection_lost'), checked: always(accepted) },
  { suffix: '540013', sent: accepted, checked: always(accepted) },
];

/** Magic numbers of lookups. */
export const lookupCases: readonly { suffix: string; verdict: string }[] = [
  { suffix: '543210', verdict: accepted },
  { suffix: '540001', verdict: declined },
  { suffix: '540002', verdict: unknownFor('timeout') },
  { suffix: '540003', verdict: unknownFor('timeout') },
  { suffix: '540004', verdict: unknownFor('timeout') },
  { suffix: '540005', verdict: accepted },
  { suffix: '540006', verdict: accepted },
  { suffix: '540007', verdict: unknownFor('http_error') },
  { suffix: '540008', verdict: unknownFor('not_json') },
  { suffix: '540009', verdict: accepted },
  { suffix: '540010', verdict: accepted },
  { suffix: '540011', verdict: accepted },
  { suffix: '540012', verdict: unknownFor('connection_lost') },
  { suffix: '540013', verdict: accepted },
];

/** The value of an outcome that must be accepted. */
export function valueOf<T>(outcome: StatusCheckOutcome<T>): T {
  if (outcome.kind !== 'accepted') throw new Error(`expected an accepted outcome, got ${verdictOf(outcome)}`);
  return outcome.value;
}
