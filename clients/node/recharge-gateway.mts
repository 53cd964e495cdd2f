/**
 * Client of the recharge gateway's REST API: one file without dependencies, for Node.js 18 and newer.
 *
 * `recharge` and `payBill` never throw once a request may have left: they answer `success`, `failed` or `pending`. Give money
 * back to your customer on `failed` alone. Pending is not failed: call again later with the same order and `again`, never with
 * a new one. Everything else throws a `GatewayError`, whose `code` is one of the service's, `NO_ANSWER` or `NOT_SENT`.
 */
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';

export interface Settings {
  /** Of the environment, such as "https://uat.example". */
  baseUrl: string;
  clientId: string;
  apiSecret: string;
  environment: 'uat' | 'production';
  /** Where the token is kept; without one each client has its own. */
  tokens?: TokenStore;
  /** For one request. The first answer to a payment may take 25 seconds. Default 40,000. */
  timeoutMs?: number;
  /** How long a call goes on by itself: asks for a verdict, repeats what was refused. Default 30,000. */
  waitMs?: number;
  sleep?: (ms: number) => Promise<unknown>;
}

/** Processes that share one share a token. `account` is another text for other credentials, whose token must not be given. */
export type TokenStore = {
  load(account: string): Promise<string | undefined>;
  save(account: string, token: string): Promise<unknown>;
};

/** `client_request_id` is your id of the order: one for each recharge, the same for every repetition. Amounts are rupees. */
export type RechargeOrder = Record<'client_request_id' | 'account_number', string> &
  Record<'amount' | 'operator_sp_key', number | string> & { operator_type: 'mobile' | 'dth' } & Partial<
    Record<'circle' | 'geocode' | 'pincode' | 'customer_number', string>
  >;

/** `orderid` is your id of the payment: one for each payment, the same for every repetition. `pan` from 50,000 rupees on. */
export type BillPayment = Record<'orderid' | 'card' | 'mobile' | 'opcode' | 'fetch_id', string> & {
  amount: number | string;
  pan?: string;
};

/** `again`: an earlier call for the order said `pending`, or nobody knows what it said: a request of it may still arrive. */
export type CallOptions = { waitMs?: number; again?: boolean };

/** What is known of an order. Values that are not known yet are null. */
export interface Outcome<Data> {
  /** `failed`: nothing is charged, and nothing will be performed. `pending`: nobody knows yet. */
  status: 'success' | 'failed' | 'pending';
  /** Why it failed. */
  code?: string;
  message?: string;
  data?: Data;
  /** Why no more is known. When it is not `retryable`, a person has to look. */
  error?: GatewayError;
  body: Body;
}

export type RechargeData = { amount: number } & Record<'created_at' | 'account_number' | 'api_request_id', string> &
  Record<'operator_ref' | 'provider_txn_id' | 'client_request_id', string | null>;
export type PaymentData = { utr: string | null } & Record<'card' | 'mobile' | 'orderid', string> &
  Record<'txid' | 'amount' | 'wallet_balance', number>;

/** The answer to a lookup, whose fee has been taken. */
export type Charged<Data> = { fee: number; wallet_balance: number; message: string; data: Data };
export type Bill = Record<'orderid' | 'fetch_id' | 'bill_date' | 'bill_due_date' | 'customer_name', string> &
  Record<'bill_amount' | 'minimum_due', number>;
export type Operator = Record<'circle' | 'circle_code' | 'company' | 'number' | 'orderid', string>;
export type Plan = { rs: number } & Record<'Type' | 'desc' | 'validity', string>;
export type Plans = { plans: Record<string, Plan[]>; orderid: string; operator: string };
type DthCustomer = Record<'VC' | 'Name' | 'Balance' | 'Minimum_recharge', string>;
export type DthLookup = Record<'dth_number' | 'opcode' | 'orderid', string>;
export type DthCustomers = { orderid: string; customer: DthCustomer[] };

/** What a webhook tells: section 6.1 of the interface. Do nothing about a type that you do not know. */
type Told = 'code' | 'reason' | 'settled_at' | 'reversed_at';
type OrderState = { sequence: number; order_status: 'success' | 'failed' | 'reversed' };
export type WebhookData = { environment: string; status?: Verdict; test?: true } & Partial<Record<Told, string>> &
  Partial<OrderState> &
  Partial<Omit<RechargeData, 'created_at'> & Omit<PaymentData, 'wallet_balance'> & { operator_sp_key: number | null }>;
type Body = Record<string, any>;
type Verdict = Outcome<unknown>['status'];
type Answer = { httpStatus: number; body: Body; retryAfterMs: number; error?: GatewayError };

const FAILED = ['PROVIDER_DECLINED', 'REVERSED', 'VALIDATION_FAILED', 'INSUFFICIENT_BALANCE'];
/** HTTP status, `status` and `code` of a recharge that failed: the refund is in the wallet, or there was no order. */
export const NOT_RECHARGED = FAILED.map((code) => `400 failed ${code}`);
/** The same of a bill payment: all failures of bill-pay say `error`. */
export const NOT_PAID = FAILED.map((code) => `${code === 'VALIDATION_FAILED' ? 422 : 400} error ${code}`);
/** Refused before anything was done. */
export const REFUSED_FIRST = ['RATE_LIMITED', 'OVERLOADED', 'PROVIDER_UNAVAILABLE', 'REQUEST_TIMEOUT'];
/** Nobody knows how far it came, or whether it is still on its way: only what has an id of its own may be repeated. */
export const IN_DOUBT = ['NO_ANSWER', 'DEPENDENCY_DOWN', 'INTERNAL'];
const LATER = ['INSUFFICIENT_BALANCE', 'PROVIDER_FAILED', 'BILL_PAYMENT_IN_PROGRESS', 'TOO_MANY_FAILED_EXCHANGES'];
/** The identical request may succeed later. */
export const RETRYABLE = [...REFUSED_FIRST, 'NO_ANSWER', 'DEPENDENCY_DOWN', ...LATER];
/** Of this kit, with the version of its package.json. */
const USER_AGENT = 'recharge-gateway-node/0.1.0';
const RECHARGE = '/api/v1/recharge';
const CARD = '/api/v1/bill-payment/credit-card';

/** A refusal, or no usable answer. It says nothing about an order. Quote `requestId` in a question. */
export class GatewayError extends Error {
  readonly code: string;
  /** 0 when there was no answer. */
  readonly httpStatus: number;
  /** The whole answer: `api_request_id`, `order_id` and `order_status` where it names an order. */
  readonly body: Body;
  readonly retryAfterMs: number;
  readonly requestId: string;
  readonly retryable: boolean;

  constructor(code: string, message: string, details: Partial<Answer> & { requestId?: string; cause?: unknown } = {}) {
    super(message, { cause: details.cause });
    this.name = new.target.name;
    this.code = code;
    this.httpStatus = details.httpStatus ?? 0;
    this.body = details.body ?? {};
    this.retryAfterMs = details.retryAfterMs ?? 0;
    this.requestId = details.requestId ?? '';
    this.retryable = RETRYABLE.includes(code);
  }
}
export class NoAnswerError extends GatewayError {} // nobody knows whether the request arrived
export class AccessError extends GatewayError {} // 401 and 403: the credentials, or what the account may do
export class RateLimitError extends GatewayError {} // 429: not before `retryAfterMs`
export class ValidationError extends GatewayError {} // `body.errors` names the wrong fields
export class WebhookError extends Error {} // not from the service, or too old: answer 400, do nothing

export class RechargeGateway {
  readonly #settings: Required<Settings>;
  readonly #account: string;
  #renewal: Promise<string> | undefined;

  constructor(settings: Settings) {
    const defaults = { timeoutMs: 40_000, waitMs: 30_000, sleep: pause, tokens: ownToken() };
    this.#settings = { ...defaults, ...settings, baseUrl: settings.baseUrl.replace(/\/+$/, '') };
    this.#account = createHash('sha256').update(`${settings.baseUrl} ${settings.clientId}`).digest('hex');
  }

  /**
   * Recharges once, however often it is called with the same order: who repeats it hears of the first.
   * Errors: TypeError without `client_request_id`; nothing was sent then.
   */
  async recharge(order: RechargeOrder, options: CallOptions = {}): Promise<Outcome<RechargeData>> {
    requireId(order.client_request_id, 'client_request_id');
    return this.#untilVerdict(() => this.#send('POST', RECHARGE, order), NOT_RECHARGED, options);
  }

  /** Pays a fetched bill once, however often it is called with the same `orderid`. Errors: TypeError without it. */
  async payBill(payment: BillPayment, options: CallOptions = {}): Promise<Outcome<PaymentData>> {
    requireId(payment.orderid, 'orderid');
    const place = async (): Promise<Answer> => {
      const paid = await this.#send('POST', `${CARD}/bill-pay`, payment);
      if (paid.error?.code !== 'DUPLICATE_ORDER') return paid;
      const asked = await this.#send('GET', withQuery(`${CARD}/status`, { orderid: payment.orderid }));
      return asked.error?.code === 'RECORD_NOT_FOUND' ? paid : asked;
    };
    return this.#untilVerdict(place, NOT_PAID, options);
  }

  rechargeStatus(of: { client_request_id: string } | { api_request_id: string }): Promise<Outcome<RechargeData>> {
    return this.#asked(`${RECHARGE}/status`, of);
  }

  billPaymentStatus(of: { orderid: string } | { api_request_id: string }): Promise<Outcome<PaymentData>> {
    return this.#asked(`${CARD}/status`, of);
  }

  fetchBill(of: { card: string; mobile: string; opcode: string; orderid: string }): Promise<Charged<Bill>> {
    return this.#lookUp(`${CARD}/bill-fetch`, of);
  }

  findOperator(of: { mobile: string; orderid: string }): Promise<Charged<Operator>> {
    return this.#lookUp('/api/v1/plan/operator-fetch', of);
  }

  mobilePlans(of: { mobile: string; opcode: string; circle: string; orderid: string }): Promise<Charged<Plans>> {
    return this.#lookUp('/api/v1/plan/operator-plan-fetch', of);
  }

  dthPlans(of: DthLookup): Promise<Charged<Plans>> {
    return this.#lookUp('/api/v1/plan/dth-plan-fetch', of);
  }

  dthInfo(of: DthLookup): Promise<Charged<DthCustomers>> {
    return this.#lookUp('/api/v1/plan/dth-info', of);
  }

  /**
   * Any other call, and the body of its answer. It is repeated after a refusal that came before anything was done; after
   * anything else only when it is `repeatable`: twice does the same as once.
   */
  async request(
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    fields: object = {},
    options: { repeatable?: boolean } = {},
  ): Promise<any> {
    const codes = (options.repeatable ?? method === 'GET') ? [...REFUSED_FIRST, ...IN_DOUBT] : REFUSED_FIRST;
    const [address, sent] = method === 'POST' ? [path, fields] : [withQuery(path, fields), undefined];
    const pauses = this.#pauses();
    for (;;) {
      const { error, body, retryAfterMs } = await this.#send(method, address, sent);
      if (!error) return body;
      if (!codes.includes(error.code) || !(await pauses(retryAfterMs))) throw error;
    }
  }

  /** The same orderid and body within ten minutes get the stored answer, without another fee. */
  async #lookUp<Data>(path: string, fields: { orderid: string }): Promise<Charged<Data>> {
    requireId(fields.orderid, 'orderid');
    return this.request('POST', path, fields, { repeatable: true });
  }

  async #asked<Data>(path: string, of: object): Promise<Outcome<Data>> {
    return outcomeOf({ httpStatus: 200, body: await this.request('GET', path, of), retryAfterMs: 0 });
  }

  /** Sends the same order until it has a verdict, or a refusal that no repetition changes, or no time is left. */
  async #untilVerdict<D>(place: () => Promise<Answer>, failures: string[], of: CallOptions): Promise<Outcome<D>> {
    const pauses = this.#pauses(of.waitMs);
    let isInDoubt = of.again ?? false;
    for (;;) {
      const answer = await place();
      const { code = '', retryable = true } = answer.error ?? {};
      isInDoubt ||= IN_DOUBT.includes(code);
      // it says nothing about a request that nobody heard of: that one may still arrive
      const saysNothing = isInDoubt && verdictOf(answer, failures) === 'failed' && !answer.body.api_request_id;
      const outcome = outcomeOf<D>(answer, saysNothing ? [] : failures);
      const mayChange = outcome.status === 'pending' && (retryable || saysNothing || IN_DOUBT.includes(code));
      if (!mayChange || !(await pauses(answer.retryAfterMs))) return outcome;
    }
  }

  /** Growing pauses, none shorter than the service asks for. False when no time is left for one. */
  #pauses(waitMs: number = this.#settings.waitMs): (atLeastMs: number) => Promise<boolean> {
    const end = Date.now() + waitMs;
    let next = 1_000;
    return async (atLeastMs) => {
      const ms = Math.max(atLeastMs, next);
      next = Math.min(next * 2, 30_000);
      if (Date.now() + ms > end) return false;
      await this.#settings.sleep(ms);
      return true;
    };
  }

  /** With the token that is kept; after a 401, which comes before anything is done, with a new one, once. Never throws. */
  async #send(method: string, path: string, body?: object): Promise<Answer> {
    try {
      const token = await this.#token();
      const answer = await this.#exchange(method, path, body, token);
      if (answer.httpStatus !== 401) return answer;
      return await this.#exchange(method, path, body, await this.#token(token));
    } catch (error) {
      // no token, or a value that JSON has not: the request was not sent, or was refused
      if (error instanceof GatewayError) return refusal(error);
      return refusal(new GatewayError('NOT_SENT', 'The request could not be sent.', { cause: error }));
    }
  }

  /** @param refused the token that was answered with 401; another call, or process, may have renewed it meanwhile */
  async #token(refused?: string): Promise<string> {
    const kept = await this.#settings.tokens.load(this.#account);
    if (kept && kept !== refused) return kept;
    this.#renewal ??= this.#newToken().finally(() => (this.#renewal = undefined));
    return this.#renewal;
  }

  async #newToken(): Promise<string> {
    const { clientId: client_id, apiSecret: api_secret, environment, tokens } = this.#settings;
    const credentials = { client_id, api_secret, environment };
    const { error, body } = await this.#exchange('POST', '/api/v1/auth/client-credentials', credentials);
    if (error) throw error;
    await tokens.save(this.#account, body.token);
    return body.token;
  }

  async #exchange(method: string, path: string, fields?: object, token?: string): Promise<Answer> {
    const { baseUrl, timeoutMs } = this.#settings;
    const body = fields && JSON.stringify(fields);
    try {
      const response = await fetch(baseUrl + path, {
        method,
        headers: {
          accept: 'application/json',
          'user-agent': USER_AGENT,
          ...(body ? { 'content-type': 'application/json' } : {}),
          ...(token ? { authorization: `Bearer ${token}` } : {}),
        },
        ...(body ? { body } : {}),
        redirect: 'manual',
        signal: AbortSignal.timeout(timeoutMs),
      });
      return read(response, await response.text());
    } catch (cause) {
      return refusal(new NoAnswerError('NO_ANSWER', 'The service did not answer.', { cause }));
    }
  }
}

function read({ status: httpStatus, headers }: Response, text: string): Answer {
  const retryAfterMs = 1_000 * (Number(headers.get('retry-after')) || 0);
  const details = { httpStatus, retryAfterMs, requestId: headers.get('x-request-id') ?? '' };
  const body = jsonIn(text); // a page of a proxy, or half an answer, is none
  if (httpStatus === 200 && body) return { httpStatus, body, retryAfterMs };
  if (!body?.code) return refusal(new NoAnswerError('NO_ANSWER', `HTTP ${httpStatus} without an answer.`, details));
  return refusal(new (errorOf(body.code, httpStatus))(body.code, body.message, { ...details, body }));
}

function refusal(error: GatewayError): Answer {
  const { httpStatus, body, retryAfterMs } = error;
  return { httpStatus, body, retryAfterMs, error };
}

function errorOf(code: string, httpStatus: number): typeof GatewayError {
  if (code === 'VALIDATION_FAILED') return ValidationError;
  if (httpStatus === 401 || httpStatus === 403) return AccessError;
  return httpStatus === 429 ? RateLimitError : GatewayError;
}

/** What an answer says about an order; undefined when it says nothing. */
function verdictOf({ httpStatus, body: { status }, error }: Answer, failures: string[]): Verdict | undefined {
  if (failures.includes(`${httpStatus} ${status} ${error?.code}`)) return 'failed';
  return !error && ['success', 'failed', 'pending'].includes(status) ? status : undefined;
}

function outcomeOf<Data>(answer: Answer, failures: string[] = []): Outcome<Data> {
  const status = verdictOf(answer, failures);
  const { body, error } = answer;
  const { code, message, data } = body;
  return { status: status ?? 'pending', code, message, data, ...(status ? {} : { error }), body };
}

function requireId(id: unknown, name: string): void {
  if (typeof id !== 'string' || id.trim() === '') throw new TypeError(`${name} is required.`);
}

const withQuery = (path: string, query: object): string => `${path}?${new URLSearchParams(Object.entries(query))}`;

function ownToken(): TokenStore {
  let own: string | undefined;
  return { load: async () => own, save: async (_account, token) => (own = token) };
}

/** A token that processes of one machine share, in a file for its owner alone. */
export function fileTokens(file: string): TokenStore {
  return {
    async load(account) {
      const kept = jsonIn(await readFile(file, 'utf8').catch(() => ''));
      return kept?.account === account ? kept?.token : undefined;
    },
    async save(account, token) {
      // whole or not at all, for those who read meanwhile
      const written = `${file}.${randomBytes(6).toString('hex')}`;
      await writeFile(written, JSON.stringify({ account, token }), { mode: 0o600 });
      await rename(written, file);
    },
  };
}

function jsonIn(text: string): Body | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * The event of a webhook that one of the secrets signed: the old or the new one, while one replaces the other. The same id may
 * come twice; do what it says once. A `data.sequence` below the highest of its order is an older event. Errors: WebhookError.
 *
 * @param body as it arrived, before any parsing
 * @param headers with lower-case names, as Node gives them
 */
export function verifyWebhook(
  body: string | Uint8Array,
  headers: Headers | Record<string, string | string[] | undefined>,
  secrets: string | readonly string[],
  { toleranceSeconds = 300, nowMs = Date.now() }: { toleranceSeconds?: number; nowMs?: number } = {},
): { id: string; type: string; timestamp: string; data: WebhookData } {
  const all = headers instanceof Headers ? Object.fromEntries(headers) : headers;
  const header = (name: string): string => String(all[name] ?? '');
  const [id, timestamp] = [header('webhook-id'), header('webhook-timestamp')];
  const ageSeconds = /^\d{1,12}$/.test(timestamp) ? Math.abs(nowMs / 1_000 - Number(timestamp)) : Infinity;
  if (!id || ageSeconds > toleranceSeconds) throw new WebhookError('No id, or too old, or a clock is wrong.');
  const signatures = header('webhook-signature').split(' ');
  const isSigned = [secrets].flat().some((secret) => {
    const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
    const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64');
    return signatures.some((signature) => isSame(signature, `v1,${expected}`));
  });
  if (!isSigned) throw new WebhookError('No secret signed the webhook.');
  return { id, ...JSON.parse(Buffer.from(body).toString('utf8')) };
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
