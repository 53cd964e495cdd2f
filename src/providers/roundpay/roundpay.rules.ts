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
/** Final failures of a recharge: a status call that says so needs no transaction. */
const finalFailures: ReadonlySet<string> = new Set(['224', '302', '303', '501']);
/** Any failure, "Duplicate APIRequestID" too. */
const ANY_FAILURE = '302';
/** Our reading of a status call for an id that the provider never booked. */
const notFound = { status: '0', code: '404' };

function statusOf({ status, code }: StatusAndCode): Status {
  if (typeof status === 'string') return statuses.get(status.toUpperCase()) ?? 'unlisted';
  // Nobody documented a boolean: "true" counts only where the code says the same.
  return status && code === '200' ? 'success' : 'unlisted';
}

/**
 * The answer to a recharge. A reference that was used before (its order was lost by a restore) is refused with any failure's code, and
 * what was sent with it then may have been performed: that is asked about.
 *
 * @param more whether it names a transaction of ours, and whether its text says that the reference was used before
 */
export function concludeRecharge(
  answer: StatusAndCode,
  more = { namesTransaction: false, isRepeated: false },
): Exclude<Conclusion, 'not_found'> {
  const { code } = answer;
  switch (statusOf(answer)) {
    case 'success':
      return code === '' || code === '200' ? 'success' : 'unexpected';
    case 'failed':
    case 'refunded':
      if (assents.has(code) || more.isRepeated) return 'unexpected';
      return code === ANY_FAILURE && !more.namesTransaction ? 'unexpected' : 'failure';
    case 'pending':
      return rejections.has(code) ? 'failure' : 'pending';
    case 'missing':
      return rejections.has(code) ? 'failure' : 'unexpected';
    case 'unlisted':
      return 'unexpected';
  }
}

/**
 * The answer to a status call. "Failed" may be the failure of the *status call* while the recharge went through, and a call that
 * was refused may echo what it was asked: so it counts as the recharge's only with a code of final failure, or without any when it
 * shows the transaction that the provider made of our order. A code that nobody listed is never a failure.
 *
 * @param showsTransaction it has our reference, the provider's transaction and something that it was not asked with
 */
export function concludeStatus(answer: StatusAndCode, showsTransaction: boolean): Conclusion {
  const { status, code } = answer;
  switch (statusOf(answer)) {
    case 'success':
      return code === '' || code === '200' ? 'success' : 'unexpected';
    case 'failed':
    case 'refunded':
      if (code === notFound.code) return 'not_found';
      return finalFailures.has(code) || (code === '' && showsTransaction) ? 'failure' : 'unexpected';
    case 'pending':
      return rejections.has(code) ? 'unexpected' : 'pending';
    case 'missing':
      return 'unexpected';
    case 'unlisted':
      return status === notFound.status && code === notFound.code ? 'not_found' : 'unexpected';
  }
}
