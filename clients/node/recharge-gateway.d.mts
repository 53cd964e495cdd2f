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
export type RechargeOrder = Record<'client_request_id' | 'account_number', string> & Record<'amount' | 'operator_sp_key', number | string> & {
    operator_type: 'mobile' | 'dth';
} & Partial<Record<'circle' | 'geocode' | 'pincode' | 'customer_number', string>>;
/** `orderid` is your id of the payment: one for each payment, the same for every repetition. `pan` from 50,000 rupees on. */
export type BillPayment = Record<'orderid' | 'card' | 'mobile' | 'opcode' | 'fetch_id', string> & {
    amount: number | string;
    pan?: string;
};
/** `again`: an earlier call for the order said `pending`, or nobody knows what it said: a request of it may still arrive. */
export type CallOptions = {
    waitMs?: number;
    again?: boolean;
};
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
export type RechargeData = {
    amount: number;
} & Record<'created_at' | 'account_number' | 'api_request_id', string> & Record<'operator_ref' | 'provider_txn_id' | 'client_request_id', string | null>;
export type PaymentData = {
    utr: string | null;
} & Record<'card' | 'mobile' | 'orderid', string> & Record<'txid' | 'amount' | 'wallet_balance', number>;
/** The answer to a lookup, whose fee has been taken. */
export type Charged<Data> = {
    fee: number;
    wallet_balance: number;
    message: string;
    data: Data;
};
export type Bill = Record<'orderid' | 'fetch_id' | 'bill_date' | 'bill_due_date' | 'customer_name', string> & Record<'bill_amount' | 'minimum_due', number>;
export type Operator = Record<'circle' | 'circle_code' | 'company' | 'number' | 'orderid', string>;
export type Plan = {
    rs: number;
} & Record<'Type' | 'desc' | 'validity', string>;
export type Plans = {
    plans: Record<string, Plan[]>;
    orderid: string;
    operator: string;
};
type DthCustomer = Record<'VC' | 'Name' | 'Balance' | 'Minimum_recharge', string>;
export type DthLookup = Record<'dth_number' | 'opcode' | 'orderid', string>;
export type DthCustomers = {
    orderid: string;
    customer: DthCustomer[];
};
/** What a webhook tells: section 6.1 of the interface. Do nothing about a type that you do not know. */
type Told = 'code' | 'reason' | 'settled_at' | 'reversed_at';
type OrderState = {
    sequence: number;
    order_status: 'success' | 'failed' | 'reversed';
};
export type WebhookData = {
    environment: string;
    status?: Verdict;
    test?: true;
} & Partial<Record<Told, string>> & Partial<OrderState> & Partial<Omit<RechargeData, 'created_at'> & Omit<PaymentData, 'wallet_balance'> & {
    operator_sp_key: number | null;
}>;
type Body = Record<string, any>;
type Verdict = Outcome<unknown>['status'];
type Answer = {
    httpStatus: number;
    body: Body;
    retryAfterMs: number;
    error?: GatewayError;
};
/** HTTP status, `status` and `code` of a recharge that failed: the refund is in the wallet, or there was no order. */
export declare const NOT_RECHARGED: string[];
/** The same of a bill payment: all failures of bill-pay say `error`. */
export declare const NOT_PAID: string[];
/** Refused before anything was done. */
export declare const REFUSED_FIRST: string[];
/** Nobody knows how far it came, or whether it is still on its way: only what has an id of its own may be repeated. */
export declare const IN_DOUBT: string[];
/** The identical request may succeed later. */
export declare const RETRYABLE: string[];
/** A refusal, or no usable answer. It says nothing about an order. Quote `requestId` in a question. */
export declare class GatewayError extends Error {
    readonly code: string;
    /** 0 when there was no answer. */
    readonly httpStatus: number;
    /** The whole answer: `api_request_id`, `order_id` and `order_status` where it names an order. */
    readonly body: Body;
    readonly retryAfterMs: number;
    readonly requestId: string;
    readonly retryable: boolean;
    constructor(code: string, message: string, details?: Partial<Answer> & {
        requestId?: string;
        cause?: unknown;
    });
}
export declare class NoAnswerError extends GatewayError {
}
export declare class AccessError extends GatewayError {
}
export declare class RateLimitError extends GatewayError {
}
export declare class ValidationError extends GatewayError {
}
export declare class WebhookError extends Error {
}
export declare class RechargeGateway {
    #private;
    constructor(settings: Settings);
    /**
     * Recharges once, however often it is called with the same order: who repeats it hears of the first.
     * Errors: TypeError without `client_request_id`; nothing was sent then.
     */
    recharge(order: RechargeOrder, options?: CallOptions): Promise<Outcome<RechargeData>>;
    /** Pays a fetched bill once, however often it is called with the same `orderid`. Errors: TypeError without it. */
    payBill(payment: BillPayment, options?: CallOptions): Promise<Outcome<PaymentData>>;
    rechargeStatus(of: {
        client_request_id: string;
    } | {
        api_request_id: string;
    }): Promise<Outcome<RechargeData>>;
    billPaymentStatus(of: {
        orderid: string;
    } | {
        api_request_id: string;
    }): Promise<Outcome<PaymentData>>;
    fetchBill(of: {
        card: string;
        mobile: string;
        opcode: string;
        orderid: string;
    }): Promise<Charged<Bill>>;
    findOperator(of: {
        mobile: string;
        orderid: string;
    }): Promise<Charged<Operator>>;
    mobilePlans(of: {
        mobile: string;
        opcode: string;
        circle: string;
        orderid: string;
    }): Promise<Charged<Plans>>;
    dthPlans(of: DthLookup): Promise<Charged<Plans>>;
    dthInfo(of: DthLookup): Promise<Charged<DthCustomers>>;
    /**
     * Any other call, and the body of its answer. It is repeated after a refusal that came before anything was done; after
     * anything else only when it is `repeatable`: twice does the same as once.
     */
    request(method: 'GET' | 'POST' | 'DELETE', path: string, fields?: object, options?: {
        repeatable?: boolean;
    }): Promise<any>;
}
/** A token that processes of one machine share, in a file for its owner alone. */
export declare function fileTokens(file: string): TokenStore;
/**
 * The event of a webhook that one of the secrets signed: the old or the new one, while one replaces the other. The same id may
 * come twice; do what it says once. A `data.sequence` below the highest of its order is an older event. Errors: WebhookError.
 *
 * @param body as it arrived, before any parsing
 * @param headers with lower-case names, as Node gives them
 */
export declare function verifyWebhook(body: string | Uint8Array, headers: Headers | Record<string, string | string[] | undefined>, secrets: string | readonly string[], { toleranceSeconds, nowMs }?: {
    toleranceSeconds?: number;
    nowMs?: number;
}): {
    id: string;
    type: string;
    timestamp: string;
    data: WebhookData;
};
export {};
