import type { EnquiryOutcome } from '../outcome.js';

/**
 * What the answers for several days say together. A transaction is filed under one day, so the others do not know it: "not found"
 * counts when every day says so, a failure when no other day may hold a success, and two verdicts that contradict each other are
 * none.
 *
 * @param complete every day that may hold the transaction was asked
 */
export function concludeDays<T>(outcomes: readonly EnquiryOutcome<T>[], complete: boolean): EnquiryOutcome<T> {
  const of = (kind: EnquiryOutcome<T>['kind']): EnquiryOutcome<T> | undefined =>
    outcomes.find((outcome) => outcome.kind === kind);
  const [accepted, declined, unknown] = [of('accepted'), of('declined'), of('unknown')];
  if (accepted && declined) return { kind: 'unknown', evidence: { ...declined.evidence, reason: 'unexpected_answer' } };
  if (accepted) return accepted;
  if (unknown) return unknown;
  if (declined) return declined;
  const [first] = outcomes;
  return first && complete ? first : { kind: 'unknown', evidence: { reason: 'provider_not_found' } };
}
