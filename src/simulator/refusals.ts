import { magicSuffixOf } from '../core/magic-numbers.js';
import { json, type Reply } from './reply.js';

/** The providers that can be asked about a payment. */
export const askedProviders = ['roundpay', 'inspay'] as const;
export type AskedProvider = (typeof askedProviders)[number];

export const refusedCalls = ['payment', 'status_check'] as const;
/**
 * What a refusal repeats: nothing, what the call was asked with, or the transaction as the provider has it: with its reference, amount
 * and id, or with another one of these.
 */
export const echoes = ['none', 'asked', 'transaction', 'other order', 'other amount', 'other transaction'] as const;
export type Echo = (typeof echoes)[number];

/** What a provider says instead of what it knows. */
export interface Refusal {
  httpStatus: number;
  answer: object;
  echo: Echo;
}
type Fields = Readonly<Record<string, unknown>>;

/** A call and its transaction, in the words of the provider's answers. */
export interface Repeatable {
  asked: Fields;
  transaction: Fields;
  /** The fields of `transaction` that have our reference, the amount and the provider's id. */
  names: readonly [reference: string, amount: string, id: string];
}

/** Calls that are refused, by the magic suffix of the account that they are about; what was booked stays booked. */
export class Refusals {
  readonly #refusals = new Map<string, Refusal>();

  /** @param refusal undefined ends it */
  set(provider: AskedProvider, call: string, suffix: string, refusal: Refusal | undefined): void {
    const key = `${provider} ${call} ${suffix}`;
    if (refusal) this.#refusals.set(key, refusal);
    else this.#refusals.delete(key);
  }

  of(provider: AskedProvider, call: (typeof refusedCalls)[number], account: string): Refusal | undefined {
    return this.#refusals.get(`${provider} ${call} ${magicSuffixOf(account)}`);
  }

  clear(): void {
    this.#refusals.clear();
  }
}

export const refusedWith = ({ httpStatus, answer, echo }: Refusal, repeatable: Repeatable): Reply =>
  json({ ...echoed(echo, repeatable), ...answer }, httpStatus);

function echoed(echo: Echo, { asked, transaction, names: [reference, amount, id] }: Repeatable): Fields {
  switch (echo) {
    case 'none':
      return {};
    case 'asked':
      return asked;
    case 'transaction':
      return transaction;
    case 'other order':
      return { ...transaction, [reference]: 'ANOTHERORDER' };
    case 'other amount':
      return { ...transaction, [amount]: 7 };
    case 'other transaction':
      return { ...transaction, [id]: 42 };
  }
}
