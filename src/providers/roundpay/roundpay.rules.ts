/** What an answer amounts to, before it is compared with our order. */
export type Conclusion = 'success' | 'failure' | 'pending' | 'not_found' | 'unexpected';

export interface StatusAndCode {
  /** As it came: text (numbers too) or boolean; "" when missing. */
  status: string | boolean;
  /** ERRORCODE; "" when missing. */
  code: string;
}

type Status = 'pending' | 'success' | 'failed' | 'refunded' | 'missing' | 'unlisted';

/** STATUS by number, and by the words that the provider's callback uses. */
const statuses: ReadonlyMap<string, Status> = new Map([
  ['', 'missing'],
  ['1', 'pending'],
  ['2', 'success'],
  ['3', 'failed'],
  ['4', 'refunded'],
  ['5', 'pending'],
  ['SUCCESS', 'success'],
  ['FAILED', 'failed'],
]);

/** Bad token, bad parameter: the request was rejected and nothing was booked, even where STATUS says pending. */
const rejections: ReadonlySet<string> = new Set(['101', '102']);
/** Accepted, ok: no failure says that. */
const assents: ReadonlySet<string> = new Set(['100', '200']);
/** What may be said about the status call itself: bad token, bad parameter, service down. */
const aboutTheCall: ReadonlySet<string> = new Set(['101', '102', '152']);
/** Our reading of a status call for an id that the provider never booked. */
const notFound = { status: '0', code: '404' };

function statusOf({ status, code }: StatusAndCode): Status {
  if (typeof status === 'string') return statuses.get(status.toUpperCase()) ?? 'unlisted';
  // Nobody documented a boolean: "true" counts only where the code says the same.
  return status && code === '200' ? 'success' : 'unlisted';
}

/** The answer to a recharge. */
export function concludeRecharge(answer: StatusAndCode): Exclude<Conclusion, 'not_found'> {
  const { code } = answer;
  switch (statusOf(answer)) {
    case 'success':
      return code === '' || code === '200' ? 'success' : 'unexpected';
    case 'failed':
    case 'refunded':
      return assents.has(code) ? 'unexpected' : 'failure';
    case 'pending':
      return rejections.has(code) ? 'failure' : 'pending';
    case 'missing':
      return rejections.has(code) ? 'failure' : 'unexpected';
    case 'unlisted':
      return 'unexpected';
  }
}

/**
 * The answer to a status call. A rejection here may be the rejection of the *status call* (a token that was changed since, say)
 * while the recharge went through: it counts as the recharge's failure only when the answer names our order.
 */
export function concludeStatus(answer: StatusAndCode, namesOurOrder: boolean): Conclusion {
  const { status, code } = answer;
  switch (statusOf(answer)) {
    case 'success':
      return code === '' || code === '200' ? 'success' : 'unexpected';
    case 'failed':
    case 'refunded':
      if (code === notFound.code) return 'not_found';
      return assents.has(code) || (aboutTheCall.has(code) && !namesOurOrder) ? 'unexpected' : 'failure';
    case 'pending':
      return rejections.has(code) ? 'unexpected' : 'pending';
    case 'missing':
      return 'unexpected';
    case 'unlisted':
      return status === notFound.status && code === notFound.code ? 'not_found' : 'unexpected';
  }
}
