export interface Settings {
    /** Base URL of the environment, for example "https://uat.example". */
    baseUrl: string;
    clientId: string;
    apiSecret: string;
    environment: 'uat' | 'production';
    /** Store for the token. By default, each client has its own token. */
    tokens?: TokenStore;
    /** Timeout of one request. The first response to a payment can take 25 seconds. Default: 40,000. */
    timeoutMs?: number;
    /** Maximum time for automatic retries and for waiting for a final status. Default: 30,000. */
    waitMs?: number;
    sleep?: (ms: number) => Promise<unknown>;
}
/** Store for a token that processes can share. Never return the token of another `account`, which identifies the credentials. */
export type TokenStore = {
    load(account: string): Promise<string | undefined>;
    save(account: string, token: string): Promise<unknown>;
};
/** `client_request_id` is your ID of the order: one per recharge, the same for all retries. Amounts are in rupees. */
export type RechargeOrder = Record<'client_request_id' | 'account_number', string> & Record<'amount' | 'operator_sp_key', number | string> & {
    operator_type: 'mobile' | 'dth';
} & Partial<Record<'circle' | 'geocode' | 'pincode' | 'customer_number', string>>;
/** `orderid` is your ID of the payment: one per payment, the same for all retries. `pan` is required from 50,000 rupees. */
export type BillPayment = Record<'orderid' | 'card' | 'mobile' | 'opcode' | 'fetch_id', string> & {
    amount: number | string;
    pan?: string;
};
/** `again`: an earlier call for the order returned `pending` or its result was lost, so its request may still arrive. */
export type CallOptions = {
    waitMs?: number;
    again?: boolean;
};
/** State of an order. Values that are not known yet are null. */
export interface Outcome<Data> {
    /** `failed`: nothing is charged, and the payment will not be made. `pending`: the final status is not known yet. */
    status: 'success' | 'failed' | 'pending';
    /** Error code of a failure. */
    code?: string;
    message?: string;
    data?: Data;
    /** Error that prevents a final status. If it is not `retryable`, manual action is required. */
    error?: GatewayError;
    body: Body;
}
export type RechargeData = {
    amount: number;
} & Record<'created_at' | 'account_number' | 'api_request_id', string> & Record<'operator_ref' | 'provider_txn_id' | 'client_request_id', string | null>;
export type PaymentData = {
    utr: string | null;
} & Record<'card' | 'mobile' | 'orderid', string> & Record<'txid' | 'amount' | 'wallet_balance', number>;
/** Response to a lookup, whose fee has been charged. */
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
/** Data of a webhook, see section 6.1 of the interface. Ignore unknown types. */
type EventField = 'code' | 'reason' | 'settled_at' | 'reversed_at';
type OrderState = {
    sequence: number;
    order_status: 'success' | 'failed' | 'reversed';
};
export type WebhookData = {
    environment: string;
    status?: Status;
    test?: true;
} & Partial<Record<EventField, string>> & Partial<OrderState> & Partial<Omit<RechargeData, 'created_at'> & Omit<PaymentData, 'wallet_balance'> & {
    operator_sp_key: number | null;
}>;
type Body = Record<string, any>;
type Status = Outcome<unknown>['status'];
type Answer = {
    httpStatus: number;
    body: Body;
    retryAfterMs: number;
    error?: GatewayError;
};
/** HTTP status, `status` and `code` of a failed recharge: the amount was refunded, or there was no order. */
export declare const NOT_RECHARGED: string[];
/** HTTP status, `status` and `code` of a failed bill payment. All failures of bill-pay have status `error`. */
export declare const NOT_PAID: string[];
/** Errors of requests that were rejected before they had an effect. */
export declare const REFUSED_FIRST: string[];
/** Errors after which the effect of the request is unknown. Only requests with an ID may be retried. */
export declare const IN_DOUBT: string[];
/** Errors after which an identical request can succeed later. */
export declare const RETRYABLE: string[];
/** Error response, or no usable response. Not a final status of an order. Include `requestId` when you contact support. */
export declare class GatewayError extends Error {
    readonly code: string;
    /** 0 if there was no response. */
    readonly httpStatus: number;
    /** Complete response. Contains `api_request_id`, `order_id` and `order_status` if it is about an order. */
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
     * Recharges once, however often it is called with the same order. Retries return the result of the first request.
     * Errors: TypeError without `client_request_id`; nothing is sent in that case.
     */
    recharge(order: RechargeOrder, options?: CallOptions): Promise<Outcome<RechargeData>>;
    /** Pays a fetched bill once, however often it is called with the same `orderid`. Errors: TypeError without `orderid`. */
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
     * Sends any other request and returns the body of the response. Retries if the request was rejected before it had an effect.
     * Retries after other errors only if the request is `repeatable`, which means that repeating it has no further effect.
     */
    request(method: 'GET' | 'POST' | 'DELETE', path: string, fields?: object, options?: {
        repeatable?: boolean;
    }): Promise<any>;
}
/** Store for a token that the processes of a machine share, in a file that only its owner can read. */
export declare function fileTokens(file: string): TokenStore;
/**
 * Verifies a webhook with any of the secrets (old and new during a rotation) and returns the event. Process each ID once, even
 * if it is delivered again. An event with a `data.sequence` below the highest of its order is outdated. Errors: WebhookError.
 *
 * @param body raw body, before any parsing
 * @param headers with lowercase names, as provided by Node
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
