import type { z } from 'zod';
import type { ProviderAnswer } from './http-client.js';
import type { Evidence, EvidenceReason, Outcome, StatusCheckOutcome } from './outcome.js';
import { wireField, wireWord } from './wire.js';

/** What a provider called the outcome; see `Evidence`. */
export interface Said {
  status?: string;
  code?: string;
  txnId?: string;
}

/**
 * Codes are short words and small numbers ("Success", "ORDER_NOT_FOUND", "501"). Anything else is left out, because texts can
 * echo what was sent: with fewer than four digits it cannot hold a PAN, a mobile number or the end of a card.
 */
const codeOf = (text: string | undefined): string | undefined =>
  text !== undefined && /^[\w-]{1,40}$/.test(text) && text.replace(/\D/g, '').length < 4 ? text : undefined;

const idOf = (text: string | undefined): string | undefined =>
  text !== undefined && /^[\w.-]{1,64}$/.test(text) ? text : undefined;

/** What a provider's word or code says of the call. */
type Meaning = 'success' | 'failure' | 'pending';

/** Turns one parsed answer into an outcome with its evidence. */
export class Verdict {
  constructor(private readonly answer: { httpStatus: number; elapsedMs: number }) {}

  /** A success needs HTTP 2xx as well: an error page that says "success" proves nothing. */
  accepted<T>(value: T, said: Said = {}): Outcome<T> {
    if (!this.#isSuccessful) return this.unknown('http_error', said);
    return { kind: 'accepted', value, evidence: this.#evidence('provider_success', said) };
  }

  /** Only for a listed word or code of final failure. */
  declined(said: Said = {}): Outcome<never> {
    return { kind: 'declined', evidence: this.#evidence('provider_failure', said) };
  }

  unknown(reason: EvidenceReason, said: Said = {}): Outcome<never> {
    return { kind: 'unknown', evidence: this.#evidence(reason, said) };
  }

  /** A shape, word or code that is not listed. */
  unexpected(said: Said = {}): Outcome<never> {
    return this.unknown(this.#isSuccessful ? 'unexpected_answer' : 'http_error', said);
  }

  /** A status check's "no such order". */
  notFound(said: Said = {}): StatusCheckOutcome<never> {
    return { kind: 'not_found', evidence: this.#evidence('provider_not_found', said) };
  }

  /**
   * The outcome that a listed word or code stands for; anything else is unexpected.
   *
   * @param accept what a success amounts to
   */
  concluded<T>(meaning: Meaning | 'unexpected' | undefined, said: Said, accept: () => Outcome<T>): Outcome<T> {
    switch (meaning) {
      case 'success':
        return accept();
      case 'failure':
        return this.declined(said);
      case 'pending':
        return this.unknown('provider_pending', said);
      case 'unexpected':
      case undefined:
        return this.unexpected(said);
    }
  }

  get #isSuccessful(): boolean {
    return this.answer.httpStatus >= 200 && this.answer.httpStatus < 300;
  }

  #evidence(reason: EvidenceReason, said: Said): Evidence {
    const { httpStatus, elapsedMs } = this.answer;
    const evidence: Evidence = { reason, httpStatus, elapsedMs };
    const [status, code, txnId] = [codeOf(said.status), codeOf(said.code), idOf(said.txnId)];
    if (status !== undefined) evidence.providerStatus = status;
    if (code !== undefined) evidence.providerCode = code;
    if (txnId !== undefined) evidence.providerTxnId = txnId;
    return evidence;
  }
}

/**
 * The outcome of a call. What never left this machine is declined; HTTP 5xx is unknown whatever the body says; any other
 * parsed body goes to `judge`.
 */
export function judgeCall<T>(
  answer: ProviderAnswer,
  judge: (body: unknown, verdict: Verdict) => Outcome<T>,
): Outcome<T> {
  if (answer.kind === 'never_sent') return { kind: 'declined', evidence: answer.evidence };
  return judgeArrived(answer, judge);
}

/** The same for a status check: one that never left says nothing about the payment it asks about, so it is unknown. */
export function judgeStatusCheck<T>(
  answer: ProviderAnswer,
  judge: (body: unknown, verdict: Verdict) => StatusCheckOutcome<T>,
): StatusCheckOutcome<T> {
  if (answer.kind === 'never_sent') return { kind: 'unknown', evidence: answer.evidence };
  return judgeArrived(answer, judge);
}

function judgeArrived<O extends StatusCheckOutcome<unknown>>(
  answer: Exclude<ProviderAnswer, { kind: 'never_sent' }>,
  judge: (body: unknown, verdict: Verdict) => O,
): O | Outcome<never> {
  if (answer.kind === 'unknown') return { kind: 'unknown', evidence: answer.evidence };
  const verdict = new Verdict(answer);
  const outcome = answer.httpStatus >= 500 ? verdict.unknown('http_error') : judge(answer.body, verdict);
  answer.judged?.(outcome);
  return outcome;
}

/** An answer with another status is none about a payment: a call that was refused says nothing of what it asked about. */
export const isHttpSuccess = (answer: ProviderAnswer): boolean =>
  answer.kind === 'response' && answer.httpStatus >= 200 && answer.httpStatus < 300;

/** What a provider's status words mean; a word that is not in the map is unknown. */
export type StatusWords = ReadonlyMap<string, Meaning>;

const statusOf = wireField('status', wireWord);

/**
 * The outcome of a call whose `status` says how it went and which proves nothing beyond its own body: lookups, fetches, leads.
 *
 * @param shape the whole body of a success; one that does not fit is unknown
 * @param judge what a fitting success amounts to
 * @param codeOfBody our word for what the body says, where its provider has no codes
 */
export function judgeByStatus<S, T>(
  answer: ProviderAnswer,
  words: StatusWords,
  shape: z.ZodType<S>,
  judge: (value: S, verdict: Verdict, said: Said) => Outcome<T>,
  codeOfBody?: (body: unknown) => string | undefined,
): Outcome<T> {
  return judgeCall(answer, (body, verdict) => {
    const status = statusOf.safeParse(body).data;
    const said = { status, code: codeOfBody?.(body) };
    return verdict.concluded(words.get(status ?? ''), said, () => {
      const parsed = shape.safeParse(body);
      return parsed.success ? judge(parsed.data, verdict, said) : verdict.unexpected(said);
    });
  });
}

/** The same where every fitting success is accepted as it is. */
export const judgeByShape = <T>(answer: ProviderAnswer, words: StatusWords, shape: z.ZodType<T>): Outcome<T> =>
  judgeByStatus(answer, words, shape, (value, verdict, said) => verdict.accepted(value, said));
