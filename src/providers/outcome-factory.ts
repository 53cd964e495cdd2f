import type { z } from 'zod';
import type { ProviderResponse } from './http-client.js';
import type { Evidence, EvidenceReason, Outcome, StatusCheckOutcome } from './outcome.js';
import { wireField, wireWord } from './wire.js';

/** Status, code and transaction ID in a provider response; see `Evidence`. */
export interface Reported {
  status?: string;
  code?: string;
  txnId?: string;
}

/**
 * Returns the text if it is a code. Codes are short words and small numbers ("Success", "ORDER_NOT_FOUND", "501"). Anything else
 * is omitted, because texts can echo the request. With fewer than four digits, a code cannot contain a PAN, a mobile number or
 * the end of a card number.
 */
const codeOf = (text: string | undefined): string | undefined =>
  text !== undefined && /^[\w-]{1,40}$/.test(text) && text.replace(/\D/g, '').length < 4 ? text : undefined;

const idOf = (text: string | undefined): string | undefined =>
  text !== undefined && /^[\w.-]{1,64}$/.test(text) ? text : undefined;

/** Meaning of a status word or code of a provider. */
type Meaning = 'success' | 'failure' | 'pending';

/** Converts a parsed response to an outcome with its evidence. */
export class OutcomeFactory {
  constructor(private readonly response: { httpStatus: number; elapsedMs: number }) {}

  /**
   * Returns the outcome of a success. A success requires HTTP 2xx, because an error page with the word "success" proves nothing.
   */
  accepted<T>(value: T, reported: Reported = {}): Outcome<T> {
    if (!this.#isSuccessful) return this.unknown('http_error', reported);
    return { kind: 'accepted', value, evidence: this.#evidence('provider_success', reported) };
  }

  /** Returns the outcome for a documented word or code of a final failure. */
  declined(reported: Reported = {}): Outcome<never> {
    return { kind: 'declined', evidence: this.#evidence('provider_failure', reported) };
  }

  unknown(reason: EvidenceReason, reported: Reported = {}): Outcome<never> {
    return { kind: 'unknown', evidence: this.#evidence(reason, reported) };
  }

  /** Returns the outcome for an undocumented format, word or code. */
  unexpected(reported: Reported = {}): Outcome<never> {
    return this.unknown(this.#isSuccessful ? 'unexpected_answer' : 'http_error', reported);
  }

  /** Returns the result of a status check that did not find the order. */
  notFound(reported: Reported = {}): StatusCheckOutcome<never> {
    return { kind: 'not_found', evidence: this.#evidence('provider_not_found', reported) };
  }

  /**
   * Returns the outcome for a documented word or code. Anything else is unexpected.
   * @param accept determines the outcome of a success
   */
  fromMeaning<T>(
    meaning: Meaning | 'unexpected' | undefined,
    reported: Reported,
    accept: () => Outcome<T>,
  ): Outcome<T> {
    switch (meaning) {
      case 'success':
        return accept();
      case 'failure':
        return this.declined(reported);
      case 'pending':
        return this.unknown('provider_pending', reported);
      case 'unexpected':
      case undefined:
        return this.unexpected(reported);
    }
  }

  get #isSuccessful(): boolean {
    return this.response.httpStatus >= 200 && this.response.httpStatus < 300;
  }

  #evidence(reason: EvidenceReason, reported: Reported): Evidence {
    const { httpStatus, elapsedMs } = this.response;
    const evidence: Evidence = { reason, httpStatus, elapsedMs };
    const [status, code, txnId] = [codeOf(reported.status), codeOf(reported.code), idOf(reported.txnId)];
    if (status !== undefined) evidence.providerStatus = status;
    if (code !== undefined) evidence.providerCode = code;
    if (txnId !== undefined) evidence.providerTxnId = txnId;
    return evidence;
  }
}

/**
 * Returns the outcome of a call. A request that never left this machine is declined. HTTP 5xx is unknown, whatever the body
 * contains. Any other parsed body is passed to `judge`.
 */
export function judgeCall<T>(
  response: ProviderResponse,
  judge: (body: unknown, outcomes: OutcomeFactory) => Outcome<T>,
): Outcome<T> {
  if (response.kind === 'never_sent') return { kind: 'declined', evidence: response.evidence };
  return judgeSentCall(response, judge);
}

/** Returns the outcome of a status check. If the request was never sent, the status of the payment is unknown. */
export function judgeStatusCheck<T>(
  response: ProviderResponse,
  judge: (body: unknown, outcomes: OutcomeFactory) => StatusCheckOutcome<T>,
): StatusCheckOutcome<T> {
  if (response.kind === 'never_sent') return { kind: 'unknown', evidence: response.evidence };
  return judgeSentCall(response, judge);
}

function judgeSentCall<O extends StatusCheckOutcome<unknown>>(
  response: Exclude<ProviderResponse, { kind: 'never_sent' }>,
  judge: (body: unknown, outcomes: OutcomeFactory) => O,
): O | Outcome<never> {
  if (response.kind === 'unknown') return { kind: 'unknown', evidence: response.evidence };
  const outcomes = new OutcomeFactory(response);
  const outcome = response.httpStatus >= 500 ? outcomes.unknown('http_error') : judge(response.body, outcomes);
  response.onOutcome?.(outcome);
  return outcome;
}

/**
 * Returns whether the HTTP status is successful. A response with another HTTP status proves nothing about a payment, because the
 * call itself was rejected.
 */
export const isHttpSuccess = (response: ProviderResponse): boolean =>
  response.kind === 'response' && response.httpStatus >= 200 && response.httpStatus < 300;

/** Meaning of the status words of a provider. A word that is not in the map is unknown. */
export type StatusWords = ReadonlyMap<string, Meaning>;

const statusOf = wireField('status', wireWord);

/**
 * Returns the outcome of a call that depends only on `status` and the body: lookups, fetches, leads.
 * @param shape complete body of a success. A body that does not match is unknown.
 * @param judge determines the outcome of a matching success.
 * @param codeOfBody our code for the content of the body, if its provider has no codes
 */
export function judgeByStatus<S, T>(
  response: ProviderResponse,
  words: StatusWords,
  shape: z.ZodType<S>,
  judge: (value: S, outcomes: OutcomeFactory, reported: Reported) => Outcome<T>,
  codeOfBody?: (body: unknown) => string | undefined,
): Outcome<T> {
  return judgeCall(response, (body, outcomes) => {
    const status = statusOf.safeParse(body).data;
    const reported = { status, code: codeOfBody?.(body) };
    return outcomes.fromMeaning(words.get(status ?? ''), reported, () => {
      const parsed = shape.safeParse(body);
      return parsed.success ? judge(parsed.data, outcomes, reported) : outcomes.unexpected(reported);
    });
  });
}

/** Works like `judgeByStatus`, but accepts every matching success. */
export const judgeByShape = <T>(response: ProviderResponse, words: StatusWords, shape: z.ZodType<T>): Outcome<T> =>
  judgeByStatus(response, words, shape, (value, outcomes, reported) => outcomes.accepted(value, reported));
