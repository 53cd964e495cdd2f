import { isUncertainResponse, portedStep } from '../recharge/php-sample.js';
import type { newRecharge } from './shop.fixture.js';

export type Order = ReturnType<typeof newRecharge>;

/** Response as parsed by a client; undefined if there was none or it was unreadable. */
export type ClientResponse = { httpStatus: number; body: any } | undefined;

/** The requests of a client, and the pauses between them. */
export interface Way {
  place(order: Order): Promise<ClientResponse>;
  checkStatus(order: Order): Promise<ClientResponse>;
  newToken(): Promise<unknown>;
  /** Returns false when further waiting has no effect and the order stays open. */
  waits(): Promise<boolean>;
}

/** Decision of a client about the money of its own customer. `open`: none yet. */
export type Action = 'done' | 'refund' | 'open';

/** HTTP 200 is done; everything else is refunded. */
const byStatusLine = async (way: Way, order: Order): Promise<Action> =>
  (await way.place(order))?.httpStatus === 200 ? 'done' : 'refund';

/** Checks the status until the order is final, and never sends the order again. */
async function byStatus(way: Way, order: Order): Promise<Action> {
  do {
    const status = (await way.checkStatus(order))?.body.status;
    if (status === 'success') return 'done';
    if (status === 'failed') return 'refund';
  } while (await way.waits());
  return 'open';
}

/** Uses only `status`: success is done, failed is refunded, pending is checked later; anything else leaves the order open. */
async function byStatusField(way: Way, order: Order): Promise<Action> {
  let word = (await way.place(order))?.body.status;
  while (word === 'pending' && (await way.waits())) {
    const status = (await way.checkStatus(order))?.body.status;
    if (status === 'success' || status === 'failed') word = status;
  }
  if (word === 'success') return 'done';
  return word === 'failed' ? 'refund' : 'open';
}

/** The sample of the guide, which retries the request as documented. */
async function byGuide(way: Way, order: Order): Promise<Action> {
  let isUncertain = false;
  do {
    const response = await way.place(order);
    if (response?.httpStatus === 401) await way.newToken();
    const result = [response?.httpStatus ?? 0, response?.body] as const;
    isUncertain ||= isUncertainResponse(...result);
    const step = portedStep([...result, isUncertain]);
    if (step === 'deliver') return 'done';
    if (step === 'refund') return 'refund';
    if (step === 'check status') return byStatus(way, order);
  } while (await way.waits());
  return 'open';
}

/** Typical clients. A and B never retry a request. */
export const clients = { A: byStatusLine, B: byStatusField, C: byGuide } as const;
export type ClientName = keyof typeof clients;
