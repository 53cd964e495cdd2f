/**
 * Client library for the REST API of the recharge gateway: one file without dependencies, for Node.js 18 and newer.
 *
 * `recharge` and `payBill` do not throw after a request may have been sent. They return `success`, `failed` or `pending`.
 * Refund your customer only on `failed`. Pending is not failed: call the method again later with the same order and `again`,
 * never with a new order. Other methods throw a `GatewayError`, whose `code` is one of the API, `NO_ANSWER` or `NOT_SENT`.
 */
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';

export interface Settings {
  /** Base URL of the environment, for example "https://uat.example". */
  baseUrl: string;
  clientId: string;
  apiSecret: string;
  environment: 'uat' | 'production';
  /** Storage for the token. By default, each instance has its own token in memory. */
  tokens?: TokenStore;
  /** Timeout of one request. The first response to a payment can take 25 seconds. Default: 40,000. */
  timeoutMs?: number;
  /** Maximum time that a call spends on retries and status checks. Default: 30,000. */
  waitMs?: number;
  sleep?: (ms: number) => Promise<unknown>;
}

/** Processes with the same store share a token. `account` identifies the credentials: never return the token of another one. */
export type TokenStore = {
  load(account: string): Promise<string | undefined>;
  save(account: string, token: string): Promise<unknown>;
};

/** `client_request_id` is your own ID for the order: unique for each recharge, the same for each retry. Amounts are in rupees. */
export type RechargeOrder = Record<'client_request_id' | 'account_number', string> &
  Record<'amount' | 'operator_sp_key', number | string> & { operator_type: 'mobile' | 'dth' } & Partial<
    Record<'circle' | 'geocode' | 'pincode' | 'customer_number', string>
  >;

/** `orderid` is your own ID for the payment, the same for each retry. `pan` is required from 50,000 rupees. */
export type BillPayment = Record<'orderid' | 'card' | 'mobile' | 'opcode' | 'fetch_id', string> & {
  amount: number | string;
  pan?: string;
};

/** `again`: a request of an earlier call may still be processed, because the call returned `pending` or did not return. */
export type CallOptions = { waitMs?: number; again?: boolean };

/** State of an order. Values that are not known yet are null. */
export interface Outcome<Data> {
  /** `failed`: the order is not charged and will not be processed. `pending`: the outcome is not known yet. */
  status: 'success' | 'failed' | 'pending';
  /** Error code of a failed order. */
  code?: string;
  message?: string;
  data?: Data;
  /** Error because of which the outcome is unknown. If it is not `retryable`, fix its cause. */
  error?: GatewayError;
  body: Body;
}

export type RechargeData = { amount: number } & Record<'created_at' | 'account_number' | 'api_request_id', string> &
  Record<'operator_ref' | 'provider_txn_id' | 'client_request_id', string | null>;
export type PaymentData = { utr: string | null } & Record<'card' | 'mobile' | 'orderid', string> &
  Record<'txid' | 'amount' | 'wallet_balance', number>;

/** Response to a lookup, with the fee that was charged. */
export type Charged<Data> = { fee: number; wallet_balance: number; message: string; data: Data };
export type Bill = Record<'orderid' | 'fetch_id' | 'bill_date' | 'bill_due_date' | 'customer_name', string> &
  Record<'bill_amount' | 'minimum_due', number>;
export type Operator = Record<'circle' | 'circle_code' | 'company' | 'number' | 'orderid', string>;
export type Plan = { rs: number } & Record<'Type' | 'desc' | 'validity', string>;
export type Plans = { plans: Record<string, Plan[]>; orderid: string; operator: string };
type DthCustomer = Record<'VC' | 'Name' | 'Balance' | 'Minimum_recharge', string>;
export type DthLookup = Record<'dth_number' | 'opcode' | 'orderid', string>;
export type DthCustomers = { orderid: string; customer: DthCustomer[] };

/** Data of a webhook: section 6.1 of the interface. Ignore events of unknown types. */
type EventText = 'code' | 'reason' | 'settled_at' | 'reversed_at';
type OrderState = { sequence: number; order_status: 'success' | 'failed' | 'reversed' };
export type WebhookData = { environment: string; status?: Status; test?: true } & Partial<Record<EventText, string>> &
  Partial<OrderState> &
  Partial<Omit<RechargeData, 'created_at'> & Omit<PaymentData, 'wallet_balance'> & { operator_sp_key: number | null }>;
type Body = Record<string, any>;
type Status = Outcome<unknown>['status'];
type Answer = { httpStatus: number; body: Body; retryAfterMs: number; error?: GatewayError };

const FAILED = ['PROVIDER_DECLINED', 'REVERSED', 'VALIDATION_FAILED', 'INSUFFICIENT_BALANCE'];
/** HTTP status, `status` and `code` of a failed recharge: the amount was refunded, or no order was created. */
export const NOT_RECHARGED = FAILED.map((code) => `400 failed ${code}`);
/** HTTP status, `status` and `code` of a failed bill payment. All failures of bill-pay have the status `error`. */
export const NOT_PAID = FAILED.map((code) => `${code === 'VALIDATION_FAILED' ? 422 : 400} error ${code}`);
/** Rejected before processing. */
export const REFUSED_FIRST = ['RATE_LIMITED', 'OVERLOADED', 'PROVIDER_UNAVAILABLE', 'REQUEST_TIMEOUT'];
/** The request may have been processed, or may still be. Retry it only if it has its own ID. */
export const IN_DOUBT = ['NO_ANSWER', 'DEPENDENCY_DOWN', 'INTERNAL'];
const LATER = ['INSUFFICIENT_BALANCE', 'PROVIDER_FAILED', 'BILL_PAYMENT_IN_PROGRESS', 'TOO_MANY_FAILED_EXCHANGES'];
/** The same request may succeed later. */
export const RETRYABLE = [...REFUSED_FIRST, 'NO_ANSWER', 'DEPENDENCY_DOWN', ...LATER];
/** The version is that of package.json. */
const USER_AGENT = 'recharge-gateway-node/0.1.0';
const RECHARGE = '/api/v1/recharge';
const CARD = '/api/v1/bill-payment/credit-card';

/** Error response, or no usable response. It does not describe an order. Include `requestId` when you contact support. */
export class GatewayError extends Error {
  readonly code: string;
  /** 0 if there was no response. */
  readonly httpStatus: number;
  /** Complete response. If it names an order, it has `api_request_id` or `order_id`, and `order_status`. */
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
export class NoAnswerError extends GatewayError {} // no usable response: the request may have been processed
export class AccessError extends GatewayError {} // 401 and 403: invalid credentials or missing permission
export class RateLimitError extends GatewayError {} // 429: retry after `retryAfterMs`
export class ValidationError extends GatewayError {} // `body.errors` has the invalid fields
export class WebhookError extends Error {} // invalid signature or timestamp: return 400 and ignore the message

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
   * Recharges once, however often it is called with the same order. A retry returns the first order.
   * Errors: TypeError without `client_request_id`; no request is sent.
   */
  async recharge(order: RechargeOrder, options: CallOptions = {}): Promise<Outcome<RechargeData>> {
    requireId(order.client_request_id, 'client_request_id');
    return this.#untilFinal(() => this.#send('POST', RECHARGE, order), NOT_RECHARGED, options);
  }

  /** Pays a fetched bill once, however often it is called with the same `orderid`. Errors: TypeError without `orderid`. */
  async payBill(payment: BillPayment, options: CallOptions = {}): Promise<Outcome<PaymentData>> {
    requireId(payment.orderid, 'orderid');
    const place = async (): Promise<Answer> => {
      const paid = await this.#send('POST', `${CARD}/bill-pay`, payment);
      if (paid.error?.code !== 'DUPLICATE_ORDER') return paid;
      const current = await this.#send('GET', withQuery(`${CARD}/status`, { orderid: payment.orderid }));
      return current.error?.code === 'RECORD_NOT_FOUND' ? paid : current;
    };
    return this.#untilFinal(place, NOT_PAID, options);
  }

  rechargeStatus(of: { client_request_id: string } | { api_request_id: string }): Promise<Outcome<RechargeData>> {
    return this.#checkStatus(`${RECHARGE}/status`, of);
  }

  billPaymentStatus(of: { orderid: string } | { api_request_id: string }): Promise<Outcome<PaymentData>> {
    return this.#checkStatus(`${CARD}/status`, of);
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
   * Sends any other request and returns the body of the response. Retries it if it was rejected before processing. After other
   * failures, retries it only if it is `repeatable`, that is, idempotent. GET is `repeatable` by default.
   */
  async request(
    method: 'GET' | 'POST' | 'DELETE',
    path: string,
    fields: object = {},
    options: { repeatable?: boolean } = {},
  ): Promise<any> {
    const codes = (options.repeatable ?? method === 'GET') ? [...REFUSED_FIRST, ...IN_DOUBT] : REFUSED_FIRST;
    const [address, sent] = method === 'POST' ? [path, fields] : [withQuery(path, fields), undefined];
    const pauses = this.#backoff();
    for (;;) {
      const { error, body, retryAfterMs } = await this.#send(method, address, sent);
      if (!error) return body;
      if (!codes.includes(error.code) || !(await pauses(retryAfterMs))) throw error;
    }
  }

  /** Within ten minutes, the same orderid and body return the stored response without another fee. */
  async #lookUp<Data>(path: string, fields: { orderid: string }): Promise<Charged<Data>> {
    requireId(fields.orderid, 'orderid');
    return this.request('POST', path, fields, { repeatable: true });
  }

  async #checkStatus<Data>(path: string, of: object): Promise<Outcome<Data>> {
    return outcomeOf({ httpStatus: 200, body: await this.request('GET', path, of), retryAfterMs: 0 });
  }

  /** Sends the same order until its status is final, an error is not retryable, or no time is left. */
  async #untilFinal<D>(place: () => Promise<Answer>, failures: string[], of: CallOptions): Promise<Outcome<D>> {
    const pauses = this.#backoff(of.waitMs);
    let isInDoubt = of.again ?? false;
    for (;;) {
      const answer = await place();
      const { code = '', retryable = true } = answer.error ?? {};
      isInDoubt ||= IN_DOUBT.includes(code);
      // this error is not about an earlier request without a response, which may still be processed
      const isUnrelated = isInDoubt && statusOf(answer, failures) === 'failed' && !answer.body.api_request_id;
      const outcome = outcomeOf<D>(answer, isUnrelated ? [] : failures);
      const canChange = outcome.status === 'pending' && (retryable || isUnrelated || IN_DOUBT.includes(code));
      if (!canChange || !(await pauses(answer.retryAfterMs))) return outcome;
    }
  }

  /** Returns a function that waits with exponential backoff, at least the given time. It returns false if no time is left. */
  #backoff(waitMs: number = this.#settings.waitMs): (atLeastMs: number) => Promise<boolean> {
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

  /** Sends a request with the stored token. After a 401, retries once with a new token. Never throws. */
  async #send(method: string, path: string, body?: object): Promise<Answer> {
    try {
      const token = await this.#token();
      const answer = await this.#exchange(method, path, body, token);
      if (answer.httpStatus !== 401) return answer;
      return await this.#exchange(method, path, body, await this.#token(token));
    } catch (error) {
      // no token, or a value that JSON does not support: the request was not sent
      if (error instanceof GatewayError) return refusal(error);
      return refusal(new GatewayError('NOT_SENT', 'The request could not be sent.', { cause: error }));
    }
  }

  /** @param rejected token that was rejected with 401. Another call or process may already have renewed it. */
  async #token(rejected?: string): Promise<string> {
    const kept = await this.#settings.tokens.load(this.#account);
    if (kept && kept !== rejected) return kept;
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
      return refusal(new NoAnswerError('NO_ANSWER', 'The service did not respond.', { cause }));
    }
  }
}

function read({ status: httpStatus, headers }: Response, text: string): Answer {
  const retryAfterMs = 1_000 * (Number(headers.get('retry-after')) || 0);
  const details = { httpStatus, retryAfterMs, requestId: headers.get('x-request-id') ?? '' };
  const body = jsonIn(text); // undefined for a proxy's error page or an incomplete response
  if (httpStatus === 200 && body) return { httpStatus, body, retryAfterMs };
  if (!body?.code) return refusal(new NoAnswerError('NO_ANSWER', `Unusable response, HTTP ${httpStatus}.`, details));
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

/** Status of the order in a response. Undefined if the response is not about an order. */
function statusOf({ httpStatus, body: { status }, error }: Answer, failures: string[]): Status | undefined {
  if (failures.includes(`${httpStatus} ${status} ${error?.code}`)) return 'failed';
  return !error && ['success', 'failed', 'pending'].includes(status) ? status : undefined;
}

function outcomeOf<Data>(answer: Answer, failures: string[] = []): Outcome<Data> {
  const status = statusOf(answer, failures);
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

/** Stores the token in a file that only its owner can read, shared by the processes of one machine. */
export function fileTokens(file: string): TokenStore {
  return {
    async load(account) {
      const kept = jsonIn(await readFile(file, 'utf8').catch(() => ''));
      return kept?.account === account ? kept?.token : undefined;
    },
    async save(account, token) {
      // replace the file atomically, because other processes may be reading it
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
 * Verifies the signature of a webhook and returns its event. During a rotation, pass both secrets. Process each ID once. Ignore
 * events whose `data.sequence` is lower than the highest of the order. Errors: WebhookError.
 *
 * @param body raw body, before parsing
 * @param headers with lower-case names, as in Node.js
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
  if (!id || ageSeconds > toleranceSeconds) throw new WebhookError('The ID is missing or the timestamp is invalid.');
  const signatures = header('webhook-signature').split(' ');
  const isSigned = [secrets].flat().some((secret) => {
    const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
    const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64');
    return signatures.some((signature) => isSame(signature, `v1,${expected}`));
  });
  if (!isSigned) throw new WebhookError('The signature is invalid.');
  return { id, ...JSON.parse(Buffer.from(body).toString('utf8')) };
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
