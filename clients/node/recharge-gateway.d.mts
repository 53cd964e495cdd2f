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
export type RechargeOrder = Record<'client_request_id' | 'account_number', string> & Record<'amount' | 'operator_sp_key', number | string> & {
    operator_type: 'mobile' | 'dth';
} & Partial<Record<'circle' | 'geocode' | 'pincode' | 'customer_number', string>>;
/** `orderid` is your own ID for the payment, the same for each retry. `pan` is required from 50,000 rupees. */
export type BillPayment = Record<'orderid' | 'card' | 'mobile' | 'opcode' | 'fetch_id', string> & {
    amount: number | string;
    pan?: string;
};
/** `again`: a request of an earlier call may still be processed, because the call returned `pending` or did not return. */
export type CallOptions = {
    waitMs?: number;
    again?: boolean;
};
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
export type RechargeData = {
    amount: number;
} & Record<'created_at' | 'account_number' | 'api_request_id', string> & Record<'operator_ref' | 'provider_txn_id' | 'client_request_id', string | null>;
export type PaymentData = {
    utr: string | null;
} & Record<'card' | 'mobile' | 'orderid', string> & Record<'txid' | 'amount' | 'wallet_balance', number>;
/** Response to a lookup, with the fee that was charged. */
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
/** Data of a webhook: section 6.1 of the interface. Ignore events of unknown types. */
type EventText = 'code' | 'reason' | 'settled_at' | 'reversed_at';
type OrderState = {
    sequence: number;
    order_status: 'success' | 'failed' | 'reversed';
};
export type WebhookData = {
    environment: string;
    status?: Status;
    test?: true;
} & Partial<Record<EventText, string>> & Partial<OrderState> & Partial<Omit<RechargeData, 'created_at'> & Omit<PaymentData, 'wallet_balance'> & {
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
/** HTTP status, `status` and `code` of a failed recharge: the amount was refunded, or no order was created. */
export declare const NOT_RECHARGED: string[];
/** HTTP status, `status` and `code` of a failed bill payment. All failures of bill-pay have the status `error`. */
export declare const NOT_PAID: string[];
/** Rejected before processing. */
export declare const REFUSED_FIRST: string[];
/** The request may have been processed, or may still be. Retry it only if it has its own ID. */
export declare const IN_DOUBT: string[];
/** The same request may succeed later. */
export declare const RETRYABLE: string[];
/** Error response, or no usable response. It does not describe an order. Include `requestId` when you contact support. */
export declare class GatewayError extends Error {
    readonly code: string;
    /** 0 if there was no response. */
    readonly httpStatus: number;
    /** Complete response. If it names an order, it has `api_request_id` or `order_id`, and `order_status`. */
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
     * Recharges once, however often it is called with the same order. A retry returns the first order.
     * Errors: TypeError without `client_request_id`; no request is sent.
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
     * Sends any other request and returns the body of the response. Retries it if it was rejected before processing. After other
     * failures, retries it only if it is `repeatable`, that is, idempotent. GET is `repeatable` by default.
     */
    request(method: 'GET' | 'POST' | 'DELETE', path: string, fields?: object, options?: {
        repeatable?: boolean;
    }): Promise<any>;
}
/** Stores the token in a file that only its owner can read, shared by the processes of one machine. */
export declare function fileTokens(file: string): TokenStore;
/**
 * Verifies the signature of a webhook and returns its event. During a rotation, pass both secrets. Process each ID once. Ignore
 * events whose `data.sequence` is lower than the highest of the order. Errors: WebhookError.
 *
 * @param body raw body, before parsing
 * @param headers with lower-case names, as in Node.js
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
