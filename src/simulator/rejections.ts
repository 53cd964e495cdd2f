import { magicSuffixOf } from '../core/magic-numbers.js';
import { json, type Reply } from './reply.js';

/** Providers with a status check for payments. */
export const statusCheckProviders = ['roundpay', 'inspay'] as const;
export type StatusCheckProvider = (typeof statusCheckProviders)[number];

export const rejectableCalls = ['payment', 'status_check'] as const;
/**
 * Content that a simulated error response repeats: nothing, the request, or the transaction as stored by the provider, either
 * unchanged or with a different reference, amount or ID.
 */
export const echoes = ['none', 'asked', 'transaction', 'other order', 'other amount', 'other transaction'] as const;
export type Echo = (typeof echoes)[number];

/** Error response that a provider returns instead of the actual result. */
export interface Rejection {
  httpStatus: number;
  answer: object;
  echo: Echo;
}
type Fields = Readonly<Record<string, unknown>>;

/** Request and transaction, with the field names of the provider's responses. */
export interface EchoFields {
  request: Fields;
  transaction: Fields;
  /** Names of the fields of `transaction` with our reference, the amount and the provider's ID. */
  names: readonly [reference: string, amount: string, id: string];
}

/** Calls with a simulated error response, by the magic suffix of their account. Bookings are not affected. */
export class Rejections {
  readonly #rejections = new Map<string, Rejection>();

  /** Sets the error response of a call; undefined removes it. */
  set(provider: StatusCheckProvider, call: string, suffix: string, rejection: Rejection | undefined): void {
    const key = `${provider} ${call} ${suffix}`;
    if (rejection) this.#rejections.set(key, rejection);
    else this.#rejections.delete(key);
  }

  of(provider: StatusCheckProvider, call: (typeof rejectableCalls)[number], account: string): Rejection | undefined {
    return this.#rejections.get(`${provider} ${call} ${magicSuffixOf(account)}`);
  }

  clear(): void {
    this.#rejections.clear();
  }
}

export const replyWithRejection = ({ httpStatus, answer, echo }: Rejection, echoFields: EchoFields): Reply =>
  json({ ...fieldsToEcho(echo, echoFields), ...answer }, httpStatus);

function fieldsToEcho(echo: Echo, { request, transaction, names: [reference, amount, id] }: EchoFields): Fields {
  switch (echo) {
    case 'none':
      return {};
    case 'asked':
      return request;
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
