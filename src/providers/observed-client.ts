import type { ProviderAnswer, ProviderHttpClient, ProviderRequest } from './http-client.js';
import type { EnquiryOutcome, Evidence, EvidenceReason } from './outcome.js';

/** What a call came to. `fault`: nobody knows, because of the connection or of an answer that nobody can read. */
export type CallResult = 'success' | 'declined' | 'pending' | 'not_found' | 'not_sent' | 'fault';

/** One finished call, for metrics: no URL, no body, nothing personal. */
export interface CallReport {
  result: CallResult;
  reason: EvidenceReason;
  /** The wait for a place included. */
  durationMs: number;
}

const NOT_SENT: ReadonlySet<EvidenceReason> = new Set(['never_sent', 'breaker_open']);

export function resultOf({
  kind,
  evidence,
}: {
  kind: EnquiryOutcome<unknown>['kind'];
  evidence: Evidence;
}): CallResult {
  switch (kind) {
    case 'accepted':
      return 'success';
    case 'declined':
      return NOT_SENT.has(evidence.reason) ? 'not_sent' : 'declined';
    case 'not_found':
      return 'not_found';
    case 'unknown':
      return evidence.reason === 'provider_pending' ? 'pending' : 'fault';
  }
}

/**
 * A client that tells how each call ended: at once when nothing came back, else when the adapter has judged the answer. An answer
 * that nobody judges is not told.
 */
export function observed(client: ProviderHttpClient, tell: (report: CallReport) => void): ProviderHttpClient {
  return {
    get available() {
      return client.available;
    },
    close: () => client.close(),
    async send(request: ProviderRequest): Promise<ProviderAnswer> {
      const startedAt = performance.now();
      const answer = await client.send(request);
      const durationMs = performance.now() - startedAt;
      if (answer.kind !== 'answer') {
        const { reason } = answer.evidence;
        tell({ result: answer.kind === 'never_sent' ? 'not_sent' : 'fault', reason, durationMs });
        return answer;
      }
      let told = false;
      const judged = (outcome: EnquiryOutcome<unknown>): void => {
        if (told) return;
        told = true;
        tell({ result: resultOf(outcome), reason: outcome.evidence.reason, durationMs });
      };
      return { ...answer, judged };
    },
  };
}
