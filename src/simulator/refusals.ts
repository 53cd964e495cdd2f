import { magicSuffixOf } from '../core/magic-numbers.js';
import { json, type Reply } from './reply.js';

/** Providers with a status check for payments. */
export const askedProviders = ['roundpay', 'inspay'] as const;
export type AskedProvider = (typeof askedProviders)[number];

export const refusedCalls = ['payment', 'status_check'] as const;
/**
 * Content that a simulated error response repeats: nothing, the request, or the transaction as stored by the provider, either
 * unchanged or with a different reference, amount or ID.
 */
export const echoes = ['none', 'asked', 'transaction', 'other order', 'other amount', 'other transaction'] as const;
export type Echo = (typeof echoes)[number];

/** Error response that a provider returns instead of the actual result. */
export interface Refusal {
  httpStatus: number;
  answer: object;
  echo: Echo;
}
type Fields = Readonly<Record<string, unknown>>;

/** Request and transaction, with the field names of the provider's responses. */
export interface Repeatable {
  asked: Fields;
  transaction: Fields;
  /** Names of the fields of `transaction` with our reference, the amount and the provider's ID. */
  names: readonly [reference: string, amount: string, id: string];
}

/** Calls with a simulated error response, by the magic suffix of their account. Bookings are not affected. */
export class Refusals {
  readonly #refusals = new Map<string, Refusal>();

  /** Sets the error response of a call; undefined removes it. */
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
