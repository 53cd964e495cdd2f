import { setTimeout as sleep } from 'node:timers/promises';
import type { Account } from '../support/accounts.js';
import { graphqlRecharge, plainMobile, restRecharge, scriptedMobile } from '../support/recharges.js';
import type { Call, Reply, Station } from '../support/station.js';

/** One recharge that a client wants to make, with all replies to it. */
export interface SoakCall {
  kind: 'recharge' | 'bill pay' | 'lookup';
  account: Account;
  mobile: string;
  replies: (Reply | undefined)[];
}

/**
 * Endings of the numbers for one fifth of the calls; all other calls succeed. The reversal of 0010 is not announced, because no
 * callback arrives here.
 */
const SCRIPTS = ['0001', '0002', '0003', '0005', '0006', '0007', '0008', '0009', '0010', '0011', '0012', '0013'];
const PAUSE_MS = 20;
const MAX_ATTEMPTS = 4;

let serial = 0;
let scripted = 0;

/**
 * A client as developers write them: it retries with the same idempotency key a few times, at any process, until it knows the
 * outcome.
 */
export class SoakClient {
  readonly calls: SoakCall[] = [];
  readonly #account: Account;
  readonly #stations: readonly Station[];

  constructor(account: Account, stations: readonly Station[]) {
    this.#account = account;
    this.#stations = stations;
  }

  async run(isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      const n = ++serial;
      if (n % 10 === 0) await this.#payBill(n);
      else if (n % 10 < 3) await this.#lookUp(n);
      else await this.#recharge(n);
      await sleep(PAUSE_MS);
    }
  }

  async #recharge(n: number): Promise<void> {
    const script = n % 5 === 0 ? SCRIPTS[scripted++ % SCRIPTS.length] : undefined;
    const mobile = script ? scriptedMobile(script, Math.floor(scripted / SCRIPTS.length)) : plainMobile(n);
    const recharge = { account: this.#account, mobile, key: `soak-${n}` };
    await this.#callUntilFinal('recharge', mobile, n % 2 ? restRecharge(recharge) : graphqlRecharge(recharge));
  }

  async #payBill(n: number): Promise<void> {
    const { token } = this.#account;
    const mobile = plainMobile(n);
    const card = { card: '1234', mobile, opcode: 'HDFC' };
    const path = '/api/v1/bill-payment/credit-card';
    const fetched = await this.#callOnce({
      method: 'POST',
      path: `${path}/bill-fetch`,
      token,
      body: { ...card, orderid: `f${n}` },
    });
    const fetchId = fetched?.body.data?.fetch_id;
    if (!fetchId) return;
    const body = { ...card, amount: 10, fetch_id: fetchId, orderid: `p${n}` };
    await this.#callUntilFinal('bill pay', mobile, { method: 'POST', path: `${path}/bill-pay`, token, body });
  }

  async #lookUp(n: number): Promise<void> {
    const mobile = plainMobile(n);
    const body = { mobile, orderid: `l${n}` };
    await this.#callUntilFinal('lookup', mobile, {
      method: 'POST',
      path: '/api/v1/plan/operator-fetch',
      token: this.#account.token,
      body,
    });
  }

  async #callUntilFinal(kind: SoakCall['kind'], mobile: string, call: Call): Promise<void> {
    const soakCall: SoakCall = { kind, account: this.#account, mobile, replies: [] };
    this.calls.push(soakCall);
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const reply = await this.#callOnce(call);
      soakCall.replies.push(reply);
      const pending =
        !reply || reply.body.status === 'pending' || reply.status === 503 || codeOf(reply) === 'DEPENDENCY_DOWN';
      if (!pending) return;
      await sleep(reply ? 200 : 50);
    }
  }

  #callOnce(call: Call): Promise<Reply | undefined> {
    return this.#stations[Math.floor(Math.random() * this.#stations.length)]!.call(call);
  }
}

/** Error code of an error response over either protocol. */
export const codeOf = ({ body }: Reply): string | undefined => body.code ?? body.errors?.[0]?.extensions?.code;
