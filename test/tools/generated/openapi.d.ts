export interface paths {
    "/api/v1/auth/client-credentials": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["IssueToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["Me"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/recharge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["Recharge"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/recharge/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["RechargeStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/bill-payment/credit-card/bill-fetch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["FetchCardBill"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/bill-payment/credit-card/bill-pay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["PayCardBill"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/bill-payment/credit-card/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["CardPaymentStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/plan/operator-fetch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["OperatorFind"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/plan/operator-plan-fetch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["MobilePlans"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/plan/dth-plan-fetch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["DthPlans"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/plan/dth-info": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["DthInfo"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/products/categories": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["ProductCategories"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/products": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["Products"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/products/details": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["ProductDetails"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/leads/profile": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["UpsertProfile"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/leads": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["CreateLead"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/leads/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["LeadStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/operators": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["Operators"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/circles": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["Circles"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/banks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["Banks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/wallet/balance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["WalletBalance"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/wallet/statement": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["WalletStatement"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["Orders"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["ListWebhooks"];
        put?: never;
        post: operations["CreateWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{id}/update": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["UpdateWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["RotateWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{id}/disable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["DisableWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{id}/enable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["EnableWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["TestWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["WebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/deliveries/{id}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["RedeliverWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhooks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["DeleteWebhook"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sandbox/scenario": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["SandboxScenario"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sandbox/refill": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["SandboxRefill"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/wallet/statement.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["WalletStatementFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orders.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["OrdersFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/leads.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["LeadsFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    "recharge.succeeded": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["RechargeSucceededEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "recharge.failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["RechargeFailedEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "recharge.reversed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["RechargeReversedEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "card_payment.succeeded": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["CardPaymentSucceededEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "card_payment.failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["CardPaymentFailedEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "card_payment.reversed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["CardPaymentReversedEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "test.sent": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["TestSentEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        IssueTokenRequest: {
            client_id: string;
            api_secret: string;
            environment: "uat" | "production";
            device_name?: string;
        };
        IssueTokenSuccess: {
            token: string;
            token_type: string;
            environment: "uat" | "production";
            base_url: string;
            expires_at: string;
            user: {
                id: number;
                name: string;
                email: string;
            };
        };
        MalformedRequest: {
            status: "error";
            message: string;
            code: "MALFORMED_REQUEST";
            doc_url: string;
        };
        IssueTokenRefused401: {
            status: "error";
            message: string;
            code: "INVALID_CREDENTIALS" | "WRONG_HOST";
            doc_url: string;
        };
        IssueTokenRefused403: {
            status: "error";
            message: string;
            code: "ONBOARDING_INCOMPLETE" | "PRODUCTION_LOCKED" | "SUSPENDED" | "FOREIGN_PAGE";
            doc_url: string;
        };
        RequestTimeout: {
            status: "error";
            message: string;
            code: "REQUEST_TIMEOUT";
            doc_url: string;
        };
        PayloadTooLarge: {
            status: "error";
            message: string;
            code: "PAYLOAD_TOO_LARGE";
            doc_url: string;
        };
        UnsupportedMediaType: {
            status: "error";
            message: string;
            code: "UNSUPPORTED_MEDIA_TYPE";
            doc_url: string;
        };
        ValidationFailed: {
            status: "error";
            message: string;
            code: "VALIDATION_FAILED";
            doc_url: string;
            errors?: {
                [key: string]: string[];
            };
        };
        IssueTokenRefused429: {
            status: "error";
            message: string;
            code: "TOO_MANY_FAILED_EXCHANGES" | "RATE_LIMITED";
            doc_url: string;
        };
        InternalError: {
            status: "error";
            message: string;
            code: "INTERNAL";
            doc_url: string;
            request_id?: string;
        };
        Unavailable: {
            status: "error";
            message: string;
            code: "OVERLOADED" | "DEPENDENCY_DOWN";
            doc_url: string;
            request_id?: string;
        };
        MeSuccess: {
            id: number;
            name: string;
            email: string;
            roles: "developer"[];
            permissions: ("credit_card_fetch" | "operator_fetch" | "operator_plan_fetch" | "dth_plan_fetch" | "dth_info" | "lead_generation")[];
        };
        Unauthenticated: {
            status: "error";
            message: string;
            code: "UNAUTHENTICATED" | "WRONG_HOST";
            doc_url: string;
        };
        Forbidden: {
            status: "error";
            message: string;
            code: "ONBOARDING_INCOMPLETE" | "PRODUCTION_LOCKED" | "SUSPENDED" | "FORBIDDEN";
            doc_url: string;
        };
        TooManyRequests: {
            status: "error";
            message: string;
            code: "RATE_LIMITED";
            doc_url: string;
        };
        RechargeRequest: {
            account_number: string;
            amount: number;
            operator_sp_key: number;
            operator_type: "mobile" | "dth";
            client_request_id?: string;
            circle?: string;
            geocode?: string;
            pincode?: string;
            customer_number?: string;
            allow_duplicate?: boolean;
        };
        RechargeSuccess: {
            status: "success";
            message: string;
            warnings?: {
                code: "LIKELY_DUPLICATE";
                message: string;
                api_request_id: string | null;
            }[];
            data: {
                amount: number;
                created_at: string;
                operator_ref: string;
                account_number: string;
                api_request_id: string;
                provider_txn_id: string;
                client_request_id: string;
            };
        };
        RechargePending: {
            status: "pending";
            message: string;
            warnings?: {
                code: "LIKELY_DUPLICATE";
                message: string;
                api_request_id: string | null;
            }[];
            data: {
                amount: number;
                created_at: string;
                operator_ref: string | null;
                account_number: string;
                api_request_id: string;
                provider_txn_id: string | null;
                client_request_id: string | null;
            };
        };
        RechargeAnswer: components["schemas"]["RechargeSuccess"] | components["schemas"]["RechargePending"];
        RechargeRefused400Failed: {
            status: "failed";
            message: string;
            code: "VALIDATION_FAILED" | "INSUFFICIENT_BALANCE" | "PROVIDER_DECLINED" | "REVERSED";
            doc_url: string;
            errors?: {
                [key: string]: string[];
            };
            api_request_id?: string;
            reason?: "INVALID_NUMBER" | "NUMBER_NOT_ON_OPERATOR" | "AMOUNT_NOT_OFFERED" | "OPERATOR_UNAVAILABLE" | "DUPLICATE_AT_OPERATOR" | "LIMIT_REACHED" | "PROVIDER_REFUSED" | "NEVER_SENT" | "REVERSED_BY_PROVIDER" | "UNSPECIFIED";
            required?: number;
            available?: number;
        };
        RechargeRefused400Error: {
            status: "error";
            message: string;
            code: "MALFORMED_REQUEST";
            doc_url: string;
        };
        RechargeRefused400: components["schemas"]["RechargeRefused400Failed"] | components["schemas"]["RechargeRefused400Error"];
        RechargeRefused409: {
            status: "error";
            message: string;
            code: "IDEMPOTENCY_KEY_REUSED" | "LIKELY_DUPLICATE";
            doc_url: string;
            api_request_id?: string;
            order_status?: "success" | "pending" | "failed" | "reversed";
        };
        RechargeRefused429: {
            status: "error";
            message: string;
            code: "RATE_LIMITED";
            doc_url: string;
            api_request_id?: string;
            order_status?: "success" | "pending" | "failed" | "reversed";
        };
        ProviderUnavailable: {
            status: "error";
            message: string;
            code: "PROVIDER_UNAVAILABLE" | "OVERLOADED" | "DEPENDENCY_DOWN";
            doc_url: string;
            request_id?: string;
        };
        RechargeStatusSuccess: {
            status: "success";
            message: string;
            data: {
                amount: number;
                created_at: string;
                operator_ref: string;
                account_number: string;
                api_request_id: string;
                provider_txn_id: string;
                client_request_id: string;
            };
        };
        RechargeStatusPending: {
            status: "pending";
            message: string;
            data: {
                amount: number;
                created_at: string;
                operator_ref: string | null;
                account_number: string;
                api_request_id: string;
                provider_txn_id: string | null;
                client_request_id: string | null;
            };
        };
        RechargeStatusFailed: {
            status: "failed";
            message: string;
            code: "PROVIDER_DECLINED" | "REVERSED";
            reason?: "INVALID_NUMBER" | "NUMBER_NOT_ON_OPERATOR" | "AMOUNT_NOT_OFFERED" | "OPERATOR_UNAVAILABLE" | "DUPLICATE_AT_OPERATOR" | "LIMIT_REACHED" | "PROVIDER_REFUSED" | "NEVER_SENT" | "REVERSED_BY_PROVIDER" | "UNSPECIFIED";
            data: {
                amount: number;
                created_at: string;
                operator_ref: string;
                account_number: string;
                api_request_id: string;
                provider_txn_id: string;
                client_request_id: string;
            };
        };
        RechargeStatusAnswer: components["schemas"]["RechargeStatusSuccess"] | components["schemas"]["RechargeStatusPending"] | components["schemas"]["RechargeStatusFailed"];
        RecordNotFound: {
            status: "error";
            message: string;
            code: "RECORD_NOT_FOUND";
            doc_url: string;
        };
        OrderArchived: {
            status: "error";
            message: string;
            code: "ORDER_ARCHIVED";
            doc_url: string;
            api_request_id?: string;
            order_status?: "success" | "pending" | "failed" | "reversed";
        };
        FetchCardBillRequest: {
            card: string;
            mobile: string;
            opcode: string;
            orderid: string;
        };
        FetchCardBillSuccess: {
            fee: number;
            data: {
                orderid: string;
                fetch_id: string;
                bill_date: string;
                bill_amount: number;
                minimum_due: number;
                bill_due_date: string;
                customer_name: string;
            };
            status: "success";
            message: string;
            wallet_balance: number;
        };
        ChargedCallFailed: {
            status: "error";
            message: string;
            code: "INSUFFICIENT_BALANCE" | "PROVIDER_FAILED" | "MALFORMED_REQUEST";
            doc_url: string;
            required?: number;
            available?: number;
        };
        ServiceForbidden: {
            status: "error";
            message: string;
            code: "ONBOARDING_INCOMPLETE" | "ACCESS_DISABLED" | "PRODUCTION_LOCKED" | "SUSPENDED" | "FORBIDDEN";
            doc_url: string;
        };
        PayCardBillRequest: {
            card: string;
            amount: number;
            mobile: string;
            opcode: string;
            orderid: string;
            fetch_id: string;
            pan?: string;
        };
        PayCardBillSuccess: {
            status: "success";
            message: string;
            data: {
                utr: string;
                card: string;
                txid: number;
                amount: number;
                mobile: string;
                orderid: string;
                wallet_balance: number;
            };
        };
        PayCardBillPending: {
            status: "pending";
            message: string;
            data: {
                utr: string | null;
                card: string;
                txid: number | null;
                amount: number;
                mobile: string;
                orderid: string;
                wallet_balance: number;
            };
        };
        PayCardBillAnswer: components["schemas"]["PayCardBillSuccess"] | components["schemas"]["PayCardBillPending"];
        PayCardBillRefused400: {
            status: "error";
            message: string;
            code: "INSUFFICIENT_BALANCE" | "PROVIDER_DECLINED" | "REVERSED" | "MALFORMED_REQUEST";
            doc_url: string;
            api_request_id?: string;
            reason?: "INVALID_NUMBER" | "NUMBER_NOT_ON_OPERATOR" | "AMOUNT_NOT_OFFERED" | "OPERATOR_UNAVAILABLE" | "DUPLICATE_AT_OPERATOR" | "LIMIT_REACHED" | "PROVIDER_REFUSED" | "NEVER_SENT" | "REVERSED_BY_PROVIDER" | "UNSPECIFIED";
            required?: number;
            available?: number;
        };
        PayCardBillRefused409: {
            status: "error";
            message: string;
            code: "DUPLICATE_ORDER" | "BILL_PAYMENT_IN_PROGRESS";
            doc_url: string;
            order_id?: string;
            order_status?: "success" | "pending" | "failed" | "reversed";
        };
        CardPaymentStatusSuccess: {
            status: "success";
            message: string;
            data: {
                utr: string;
                card: string;
                txid: number;
                amount: number;
                mobile: string;
                orderid: string;
                wallet_balance: number;
            };
        };
        CardPaymentStatusPending: {
            status: "pending";
            message: string;
            data: {
                utr: string | null;
                card: string;
                txid: number | null;
                amount: number;
                mobile: string;
                orderid: string;
                wallet_balance: number;
            };
        };
        CardPaymentStatusFailed: {
            status: "failed";
            message: string;
            code: "PROVIDER_DECLINED" | "REVERSED";
            reason?: "INVALID_NUMBER" | "NUMBER_NOT_ON_OPERATOR" | "AMOUNT_NOT_OFFERED" | "OPERATOR_UNAVAILABLE" | "DUPLICATE_AT_OPERATOR" | "LIMIT_REACHED" | "PROVIDER_REFUSED" | "NEVER_SENT" | "REVERSED_BY_PROVIDER" | "UNSPECIFIED";
            data: {
                utr: string;
                card: string;
                txid: number;
                amount: number;
                mobile: string;
                orderid: string;
                wallet_balance: number;
            };
        };
        CardPaymentStatusAnswer: components["schemas"]["CardPaymentStatusSuccess"] | components["schemas"]["CardPaymentStatusPending"] | components["schemas"]["CardPaymentStatusFailed"];
        OperatorFindRequest: {
            mobile: string;
            orderid: string;
        };
        OperatorFindSuccess: {
            fee: number;
            data: {
                circle: string;
                circle_code: string;
                company: string;
                number: string;
                orderid: string | null;
            };
            status: "success";
            message: string;
            wallet_balance: number;
        };
        MobilePlansRequest: {
            mobile: string;
            opcode: "A" | "V" | "J" | "BT" | "BS";
            circle: "105" | "104" | "103" | "102" | "101" | "100" | "99" | "49" | "95" | "94" | "40" | "06" | "52" | "16" | "56" | "53" | "51" | "31" | "70" | "93" | "98" | "90" | "92" | "54" | "55" | "96" | "03" | "02" | "97" | "10";
            orderid: string;
        };
        MobilePlansSuccess: {
            fee: number;
            data: {
                plans: {
                    [key: string]: {
                        rs: number;
                        Type: string;
                        desc: string;
                        validity: string;
                    }[];
                };
                orderid: string | null;
                operator: string;
            };
            status: "success";
            message: string;
            wallet_balance: number;
        };
        DthPlansRequest: {
            dth_number: string;
            opcode: "ATV" | "STV" | "DTV" | "TTV" | "VTV";
            orderid: string;
        };
        DthPlansSuccess: {
            fee: number;
            data: {
                plans: {
                    [key: string]: {
                        rs: number;
                        Type: string;
                        desc: string;
                        validity: string;
                    }[];
                };
                orderid: string | null;
                operator: string;
            };
            status: "success";
            message: string;
            wallet_balance: number;
        };
        DthInfoRequest: {
            dth_number: string;
            opcode: "ATV" | "STV" | "DTV" | "TTV" | "VTV";
            orderid: string;
        };
        DthInfoSuccess: {
            fee: number;
            data: {
                orderid: string | null;
                customer: {
                    VC: string;
                    Name: string;
                    Balance: string;
                    Minimum_recharge: string;
                }[];
            };
            status: "success";
            message: string;
            wallet_balance: number;
        };
        ProductCategoriesSuccess: {
            fee: number;
            data: {
                id: number;
                title: string;
            }[];
            status: "success";
            message: string;
            wallet_balance: number;
        };
        FreeCallFailed: {
            status: "error";
            message: string;
            code: "PROVIDER_FAILED" | "MALFORMED_REQUEST";
            doc_url: string;
        };
        ProductsSuccess: {
            fee: number;
            data: {
                product_id: string;
                title: string;
                sub_title: string;
                logo: string;
            }[];
            status: "success";
            message: string;
            wallet_balance: number;
        };
        ProductDetailsRequest: {
            product_id: string;
            category_id?: number;
            card_id?: number;
        };
        ProductDetailsSuccess: {
            fee: number;
            data: {
                url: string;
                campaign_url: string;
            };
            status: "success";
            message: string;
            wallet_balance: number;
        };
        UpsertProfileRequest: {
            first_name: string;
            last_name: string;
            mobile_no: string;
            email: string;
            dob: string;
            company: number;
            occupation: number;
            monthly_salary: number;
            itr_amount: number;
            gender: "Male" | "Female" | "Other";
            pincode: number;
            address: string;
            category: "Individual" | "Non-Individual";
            category_id: number;
            pan: string;
            customer_id?: string;
        };
        UpsertProfileSuccess: {
            fee: number;
            data: {
                mobile_no: string;
                customer_id: string;
                category_id: string;
                product_id: string | null;
            };
            status: "success";
            message: string;
            wallet_balance: number;
        };
        LeadCallFailed: {
            status: "error";
            message: string;
            code: "PROVIDER_FAILED" | "LEAD_REFUSED" | "MALFORMED_REQUEST";
            doc_url: string;
            reason?: "PAN_ON_OTHER_NUMBER" | "UNSPECIFIED";
        };
        CreateLeadRequest: {
            product_id: string;
            customer_id?: string;
            category_id?: number;
            required_amount?: number;
        };
        CreateLeadSuccess: {
            fee: number;
            data: {
                lead_code: string;
                campaign_url: string;
            };
            status: "success";
            message: string;
            wallet_balance: number;
        };
        LeadStatusSuccess: {
            fee: number;
            data: {
                lead_code: string;
                lead_status: "pending" | "submitted" | "success" | "approved" | "failed" | "rejected";
            };
            status: "success";
            message: string;
            wallet_balance: number;
        };
        OperatorsSuccess: {
            status: "success";
            message: string;
            data: {
                name: string;
                operator_type: "mobile" | "dth";
                operator_sp_key: number;
                opcode: string | null;
                available: boolean;
                max_amount: number | null;
            }[];
        };
        CirclesSuccess: {
            status: "success";
            message: string;
            data: {
                code: string;
                name: string;
            }[];
        };
        BanksSuccess: {
            status: "success";
            message: string;
            data: {
                opcode: string;
                name: string;
            }[];
        };
        WalletBalanceSuccess: {
            status: "success";
            message: string;
            data: {
                balance: number;
                held: number | null;
                environment: "uat" | "production";
            };
        };
        WalletStatementSuccess: {
            status: "success";
            message: string;
            data: {
                id: string;
                at: string;
                kind: "hold" | "refund" | "reversal" | "charge_again" | "lead_fee" | "top_up" | "debit";
                amount: number;
                balance_after: number;
                reference: string;
            }[];
            next_cursor: string | null;
        };
        OrdersSuccess: {
            status: "success";
            message: string;
            data: {
                api_request_id: string;
                client_request_id: string | null;
                kind: "recharge" | "card_payment";
                status: "pending" | "success" | "failed" | "reversed";
                code: ("PROVIDER_DECLINED" | "REVERSED") | null;
                reason: ("INVALID_NUMBER" | "NUMBER_NOT_ON_OPERATOR" | "AMOUNT_NOT_OFFERED" | "OPERATOR_UNAVAILABLE" | "DUPLICATE_AT_OPERATOR" | "LIMIT_REACHED" | "PROVIDER_REFUSED" | "NEVER_SENT" | "REVERSED_BY_PROVIDER" | "UNSPECIFIED") | null;
                amount: number;
                refunded: number;
                account_number: string | null;
                operator: string | null;
                operator_sp_key: number | null;
                operator_ref: string | null;
                card: string | null;
                mobile: string | null;
                utr: string | null;
                txid: number | null;
                provider_txn_id: string | null;
                created_at: string;
                settled_at: string | null;
                reversed_at: string | null;
            }[];
            next_cursor: string | null;
            searched_from: string | null;
        };
        CreateWebhookRequest: {
            url: string;
            types?: ("recharge.succeeded" | "recharge.failed" | "recharge.reversed" | "card_payment.succeeded" | "card_payment.failed" | "card_payment.reversed")[];
        };
        CreateWebhookSuccess: {
            status: "success";
            message: string;
            data: {
                id: string;
                url: string;
                types: ("recharge.succeeded" | "recharge.failed" | "recharge.reversed" | "card_payment.succeeded" | "card_payment.failed" | "card_payment.reversed" | "test.sent")[];
                created_at: string;
                previous_secret_until: string | null;
                disabled_at: string | null;
                disabled_reason: ("request" | "gone" | "failing") | null;
                secret: string;
            };
        };
        CreateWebhookRefused409: {
            status: "error";
            message: string;
            code: "CONFLICT";
            doc_url: string;
            errors?: {
                [key: string]: string[];
            };
        };
        ListWebhooksSuccess: {
            status: "success";
            message: string;
            data: {
                id: string;
                url: string;
                types: ("recharge.succeeded" | "recharge.failed" | "recharge.reversed" | "card_payment.succeeded" | "card_payment.failed" | "card_payment.reversed" | "test.sent")[];
                created_at: string;
                previous_secret_until: string | null;
                disabled_at: string | null;
                disabled_reason: ("request" | "gone" | "failing") | null;
            }[];
        };
        UpdateWebhookRequest: {
            types: ("recharge.succeeded" | "recharge.failed" | "recharge.reversed" | "card_payment.succeeded" | "card_payment.failed" | "card_payment.reversed")[];
        };
        UpdateWebhookSuccess: {
            status: "success";
            message: string;
            data: {
                id: string;
                url: string;
                types: ("recharge.succeeded" | "recharge.failed" | "recharge.reversed" | "card_payment.succeeded" | "card_payment.failed" | "card_payment.reversed" | "test.sent")[];
                created_at: string;
                previous_secret_until: string | null;
                disabled_at: string | null;
                disabled_reason: ("request" | "gone" | "failing") | null;
            };
        };
        RotateWebhookSuccess: {
            status: "success";
            message: string;
            data: {
                id: string;
                url: string;
                types: ("recharge.succeeded" | "recharge.failed" | "recharge.reversed" | "card_payment.succeeded" | "card_payment.failed" | "card_payment.reversed" | "test.sent")[];
                created_at: string;
                previous_secret_until: string | null;
                disabled_at: string | null;
                disabled_reason: ("request" | "gone" | "failing") | null;
                secret: string;
            };
        };
        DisableWebhookSuccess: {
            status: "success";
            message: string;
            data: {
                id: string;
                url: string;
                types: ("recharge.succeeded" | "recharge.failed" | "recharge.reversed" | "card_payment.succeeded" | "card_payment.failed" | "card_payment.reversed" | "test.sent")[];
                created_at: string;
                previous_secret_until: string | null;
                disabled_at: string | null;
                disabled_reason: ("request" | "gone" | "failing") | null;
            };
        };
        DisableWebhookRefused409: {
            status: "error";
            message: string;
            code: "CONFLICT";
            doc_url: string;
            errors?: {
                [key: string]: string[];
            };
        };
        EnableWebhookSuccess: {
            status: "success";
            message: string;
            data: {
                id: string;
                url: string;
                types: ("recharge.succeeded" | "recharge.failed" | "recharge.reversed" | "card_payment.succeeded" | "card_payment.failed" | "card_payment.reversed" | "test.sent")[];
                created_at: string;
                previous_secret_until: string | null;
                disabled_at: string | null;
                disabled_reason: ("request" | "gone" | "failing") | null;
            };
        };
        EnableWebhookRefused409: {
            status: "error";
            message: string;
            code: "CONFLICT";
            doc_url: string;
            errors?: {
                [key: string]: string[];
            };
        };
        TestWebhookSuccess: {
            status: "success";
            message: string;
            data: {
                id: string;
                endpoint_id: string;
                type: "recharge.succeeded" | "recharge.failed" | "recharge.reversed" | "card_payment.succeeded" | "card_payment.failed" | "card_payment.reversed" | "test.sent";
                api_request_id: string;
                occurred_at: string;
                state: "pending" | "delivered" | "dead" | "cancelled";
                attempts: number;
                last_attempt_at: string | null;
                next_attempt_at: string | null;
                http_status: number | null;
                error: ("not_https" | "timeout" | "address_not_public" | "dns_failed" | "tls_failed" | "connection_failed" | "interrupted" | "http_status" | "gone" | "endpoint_disabled" | "endpoint_paused") | null;
            };
        };
        TestWebhookRefused409: {
            status: "error";
            message: string;
            code: "CONFLICT";
            doc_url: string;
            errors?: {
                [key: string]: string[];
            };
        };
        WebhookDeliveriesSuccess: {
            status: "success";
            message: string;
            data: {
                id: string;
                endpoint_id: string;
                type: "recharge.succeeded" | "recharge.failed" | "recharge.reversed" | "card_payment.succeeded" | "card_payment.failed" | "card_payment.reversed" | "test.sent";
                api_request_id: string;
                occurred_at: string;
                state: "pending" | "delivered" | "dead" | "cancelled";
                attempts: number;
                last_attempt_at: string | null;
                next_attempt_at: string | null;
                http_status: number | null;
                error: ("not_https" | "timeout" | "address_not_public" | "dns_failed" | "tls_failed" | "connection_failed" | "interrupted" | "http_status" | "gone" | "endpoint_disabled" | "endpoint_paused") | null;
            }[];
            next_cursor: string | null;
        };
        RedeliverWebhookSuccess: {
            status: "success";
            message: string;
            data: {
                id: string;
                endpoint_id: string;
                type: "recharge.succeeded" | "recharge.failed" | "recharge.reversed" | "card_payment.succeeded" | "card_payment.failed" | "card_payment.reversed" | "test.sent";
                api_request_id: string;
                occurred_at: string;
                state: "pending" | "delivered" | "dead" | "cancelled";
                attempts: number;
                last_attempt_at: string | null;
                next_attempt_at: string | null;
                http_status: number | null;
                error: ("not_https" | "timeout" | "address_not_public" | "dns_failed" | "tls_failed" | "connection_failed" | "interrupted" | "http_status" | "gone" | "endpoint_disabled" | "endpoint_paused") | null;
            };
        };
        RedeliverWebhookRefused409: {
            status: "error";
            message: string;
            code: "CONFLICT";
            doc_url: string;
            errors?: {
                [key: string]: string[];
            };
        };
        DeleteWebhookSuccess: {
            status: "success";
            message: string;
            data: {
                id: string;
            };
        };
        SandboxScenarioRequest: {
            outcome: "decline" | "pending_then_success" | "pending_then_failure" | "success_then_reversal" | "timeout" | "provider_down";
            reason?: "INVALID_NUMBER" | "NUMBER_NOT_ON_OPERATOR" | "AMOUNT_NOT_OFFERED" | "OPERATOR_UNAVAILABLE" | "DUPLICATE_AT_OPERATOR" | "LIMIT_REACHED" | "PROVIDER_REFUSED" | "NEVER_SENT" | "UNSPECIFIED";
            client_request_id?: string;
            account_number?: string;
        };
        SandboxScenarioSuccess: {
            status: "success";
            message: string;
            data: {
                outcome: "decline" | "pending_then_success" | "pending_then_failure" | "success_then_reversal" | "timeout" | "provider_down";
                reason: ("INVALID_NUMBER" | "NUMBER_NOT_ON_OPERATOR" | "AMOUNT_NOT_OFFERED" | "OPERATOR_UNAVAILABLE" | "DUPLICATE_AT_OPERATOR" | "LIMIT_REACHED" | "PROVIDER_REFUSED" | "NEVER_SENT" | "REVERSED_BY_PROVIDER" | "UNSPECIFIED") | null;
                client_request_id: string | null;
                account_number: string | null;
                expires_at: string;
            };
        };
        SandboxScenarioRefused403: {
            status: "error";
            message: string;
            code: "ONBOARDING_INCOMPLETE" | "PRODUCTION_LOCKED" | "SUSPENDED" | "UAT_ONLY" | "FORBIDDEN";
            doc_url: string;
        };
        SandboxScenarioRefused409: {
            status: "error";
            message: string;
            code: "CONFLICT";
            doc_url: string;
            errors?: {
                [key: string]: string[];
            };
        };
        SandboxRefillRequest: {
            amount?: number;
        };
        SandboxRefillSuccess: {
            status: "success";
            message: string;
            data: {
                amount: number;
                reference: string;
                wallet_balance: number;
                refills_left: number;
            };
        };
        SandboxRefillRefused403: {
            status: "error";
            message: string;
            code: "ONBOARDING_INCOMPLETE" | "PRODUCTION_LOCKED" | "SUSPENDED" | "UAT_ONLY" | "FORBIDDEN";
            doc_url: string;
        };
        SandboxRefillRefused409: {
            status: "error";
            message: string;
            code: "CONFLICT";
            doc_url: string;
            errors?: {
                [key: string]: string[];
            };
        };
        RechargeSucceededEvent: {
            type: "recharge.succeeded";
            timestamp: string;
            data: {
                api_request_id: string;
                environment: "uat" | "production";
                amount: number;
                client_request_id: string | null;
                account_number: string | null;
                operator_sp_key: number | null;
                operator_ref: string | null;
                status: "success";
                provider_txn_id: string | null;
                settled_at: string;
            };
        };
        RechargeFailedEvent: {
            type: "recharge.failed";
            timestamp: string;
            data: {
                api_request_id: string;
                environment: "uat" | "production";
                amount: number;
                client_request_id: string | null;
                account_number: string | null;
                operator_sp_key: number | null;
                operator_ref: string | null;
                status: "failed";
                code: "PROVIDER_DECLINED";
                reason: "INVALID_NUMBER" | "NUMBER_NOT_ON_OPERATOR" | "AMOUNT_NOT_OFFERED" | "OPERATOR_UNAVAILABLE" | "DUPLICATE_AT_OPERATOR" | "LIMIT_REACHED" | "PROVIDER_REFUSED" | "NEVER_SENT" | "REVERSED_BY_PROVIDER" | "UNSPECIFIED";
                provider_txn_id: string | null;
                settled_at: string;
            };
        };
        RechargeReversedEvent: {
            type: "recharge.reversed";
            timestamp: string;
            data: {
                api_request_id: string;
                environment: "uat" | "production";
                amount: number;
                client_request_id: string | null;
                account_number: string | null;
                operator_sp_key: number | null;
                operator_ref: string | null;
                status: "failed";
                code: "REVERSED";
                reason: "INVALID_NUMBER" | "NUMBER_NOT_ON_OPERATOR" | "AMOUNT_NOT_OFFERED" | "OPERATOR_UNAVAILABLE" | "DUPLICATE_AT_OPERATOR" | "LIMIT_REACHED" | "PROVIDER_REFUSED" | "NEVER_SENT" | "REVERSED_BY_PROVIDER" | "UNSPECIFIED";
                reversed_at: string;
                provider_txn_id: string | null;
                settled_at: string;
            };
        };
        CardPaymentSucceededEvent: {
            type: "card_payment.succeeded";
            timestamp: string;
            data: {
                api_request_id: string;
                environment: "uat" | "production";
                amount: number;
                orderid: string | null;
                card: string | null;
                mobile: string | null;
                utr: string | null;
                txid: number | null;
                status: "success";
                provider_txn_id: string | null;
                settled_at: string;
            };
        };
        CardPaymentFailedEvent: {
            type: "card_payment.failed";
            timestamp: string;
            data: {
                api_request_id: string;
                environment: "uat" | "production";
                amount: number;
                orderid: string | null;
                card: string | null;
                mobile: string | null;
                utr: string | null;
                txid: number | null;
                status: "failed";
                code: "PROVIDER_DECLINED";
                reason: "INVALID_NUMBER" | "NUMBER_NOT_ON_OPERATOR" | "AMOUNT_NOT_OFFERED" | "OPERATOR_UNAVAILABLE" | "DUPLICATE_AT_OPERATOR" | "LIMIT_REACHED" | "PROVIDER_REFUSED" | "NEVER_SENT" | "REVERSED_BY_PROVIDER" | "UNSPECIFIED";
                provider_txn_id: string | null;
                settled_at: string;
            };
        };
        CardPaymentReversedEvent: {
            type: "card_payment.reversed";
            timestamp: string;
            data: {
                api_request_id: string;
                environment: "uat" | "production";
                amount: number;
                orderid: string | null;
                card: string | null;
                mobile: string | null;
                utr: string | null;
                txid: number | null;
                status: "failed";
                code: "REVERSED";
                reason: "INVALID_NUMBER" | "NUMBER_NOT_ON_OPERATOR" | "AMOUNT_NOT_OFFERED" | "OPERATOR_UNAVAILABLE" | "DUPLICATE_AT_OPERATOR" | "LIMIT_REACHED" | "PROVIDER_REFUSED" | "NEVER_SENT" | "REVERSED_BY_PROVIDER" | "UNSPECIFIED";
                reversed_at: string;
                provider_txn_id: string | null;
                settled_at: string;
            };
        };
        TestSentEvent: {
            type: "test.sent";
            timestamp: string;
            data: {
                test: true;
                environment: "uat" | "production";
            };
        };
    };
    responses: {
        MalformedRequest: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["MalformedRequest"];
            };
        };
        RequestTimeout: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["RequestTimeout"];
            };
        };
        PayloadTooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["PayloadTooLarge"];
            };
        };
        UnsupportedMediaType: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["UnsupportedMediaType"];
            };
        };
        InternalError: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["InternalError"];
            };
        };
        Unavailable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "Retry-After": number;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Unavailable"];
            };
        };
        Unauthenticated: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Unauthenticated"];
            };
        };
        Forbidden: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Forbidden"];
            };
        };
        TooManyRequests: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "Retry-After": number;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["TooManyRequests"];
            };
        };
        ProviderUnavailable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "Retry-After": number;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ProviderUnavailable"];
            };
        };
        RecordNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["RecordNotFound"];
            };
        };
        OrderArchived: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-Order-Status": components["headers"]["X-Order-Status"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["OrderArchived"];
            };
        };
        ChargedCallFailed: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ChargedCallFailed"];
            };
        };
        ServiceForbidden: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ServiceForbidden"];
            };
        };
        FreeCallFailed: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["FreeCallFailed"];
            };
        };
        LeadCallFailed: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["LeadCallFailed"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: {
        "X-Request-Id": string;
        "X-Correlation-Id": string;
        "Retry-After": number;
        RateLimit: string;
        "RateLimit-Policy": string;
        "X-RateLimit-Limit": number;
        "X-RateLimit-Remaining": number;
        "Idempotent-Replayed": "true";
        "Preference-Applied": string;
        "X-Order-Status": "success" | "pending" | "failed" | "reversed";
        "Content-Disposition": string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    IssueToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["IssueTokenRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IssueTokenSuccess"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IssueTokenRefused401"];
                };
            };
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IssueTokenRefused403"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailed"];
                };
            };
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "Retry-After": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IssueTokenRefused429"];
                };
            };
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    Me: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MeSuccess"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    Recharge: {
        parameters: {
            query?: never;
            header?: {
                "Idempotency-Key"?: string;
                Prefer?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RechargeRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RechargeAnswer"];
                };
            };
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RechargeRefused400"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["RequestTimeout"];
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-Order-Status": components["headers"]["X-Order-Status"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RechargeRefused409"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "Retry-After": number;
                    "X-Order-Status": components["headers"]["X-Order-Status"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RechargeRefused429"];
                };
            };
            500: components["responses"]["InternalError"];
            503: components["responses"]["ProviderUnavailable"];
        };
    };
    RechargeStatus: {
        parameters: {
            query?: {
                client_request_id?: string;
                api_request_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RechargeStatusAnswer"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["RecordNotFound"];
            410: components["responses"]["OrderArchived"];
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailed"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    FetchCardBill: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FetchCardBillRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FetchCardBillSuccess"];
                };
            };
            400: components["responses"]["ChargedCallFailed"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ServiceForbidden"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailed"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ProviderUnavailable"];
        };
    };
    PayCardBill: {
        parameters: {
            query?: never;
            header?: {
                Prefer?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PayCardBillRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "Preference-Applied": components["headers"]["Preference-Applied"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayCardBillAnswer"];
                };
            };
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayCardBillRefused400"];
                };
            };
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["RequestTimeout"];
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "Retry-After": components["headers"]["Retry-After"];
                    "X-Order-Status": components["headers"]["X-Order-Status"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PayCardBillRefused409"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailed"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ProviderUnavailable"];
        };
    };
    CardPaymentStatus: {
        parameters: {
            query?: {
                orderid?: string;
                api_request_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CardPaymentStatusAnswer"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["RecordNotFound"];
            410: components["responses"]["OrderArchived"];
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailed"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    OperatorFind: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OperatorFindRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorFindSuccess"];
                };
            };
            400: components["responses"]["ChargedCallFailed"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ServiceForbidden"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailed"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ProviderUnavailable"];
        };
    };
    MobilePlans: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MobilePlansRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MobilePlansSuccess"];
                };
            };
            400: components["responses"]["ChargedCallFailed"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ServiceForbidden"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailed"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ProviderUnavailable"];
        };
    };
    DthPlans: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DthPlansRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DthPlansSuccess"];
                };
            };
            400: components["responses"]["ChargedCallFailed"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ServiceForbidden"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailed"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ProviderUnavailable"];
        };
    };
    DthInfo: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DthInfoRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DthInfoSuccess"];
                };
            };
            400: components["responses"]["ChargedCallFailed"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ServiceForbidden"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailed"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ProviderUnavailable"];
        };
    };
    ProductCategories: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProductCategoriesSuccess"];
                };
            };
            400: components["responses"]["FreeCallFailed"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ServiceForbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ProviderUnavailable"];
        };
    };
    Products: {
        parameters: {
            query: {
                category_id: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProductsSuccess"];
                };
            };
            400: components["responses"]["FreeCallFailed"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ServiceForbidden"];
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailed"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ProviderUnavailable"];
        };
    };
    ProductDetails: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProductDetailsRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProductDetailsSuccess"];
                };
            };
            400: components["responses"]["FreeCallFailed"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ServiceForbidden"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailed"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ProviderUnavailable"];
        };
    };
    UpsertProfile: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpsertProfileRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UpsertProfileSuccess"];
                };
            };
            400: components["responses"]["LeadCallFailed"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ServiceForbidden"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailed"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ProviderUnavailable"];
        };
    };
    CreateLead: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateLeadRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateLeadSuccess"];
                };
            };
            400: components["responses"]["LeadCallFailed"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ServiceForbidden"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailed"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ProviderUnavailable"];
        };
    };
    LeadStatus: {
        parameters: {
            query: {
                lead_code: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LeadStatusSuccess"];
                };
            };
            400: components["responses"]["ChargedCallFailed"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ServiceForbidden"];
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailed"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["ProviderUnavailable"];
        };
    };
    Operators: {
        parameters: {
            query?: {
                operator_type?: "mobile" | "dth";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperatorsSuccess"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailed"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    Circles: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CirclesSuccess"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    Banks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BanksSuccess"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    WalletBalance: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WalletBalanceSuccess"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    WalletStatement: {
        parameters: {
            query?: {
                from?: string;
                to?: string;
                kinds?: ("hold" | "refund" | "reversal" | "charge_again" | "lead_fee" | "top_up" | "debit")[];
                reference?: string;
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WalletStatementSuccess"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailed"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    Orders: {
        parameters: {
            query?: {
                kind?: "recharge" | "card_payment";
                status?: ("success" | "pending" | "failed" | "reversed")[];
                from?: string;
                to?: string;
                amount?: number;
                min_amount?: number;
                max_amount?: number;
                operator_sp_key?: number;
                decline_reason?: ("INVALID_NUMBER" | "NUMBER_NOT_ON_OPERATOR" | "AMOUNT_NOT_OFFERED" | "OPERATOR_UNAVAILABLE" | "DUPLICATE_AT_OPERATOR" | "LIMIT_REACHED" | "PROVIDER_REFUSED" | "NEVER_SENT" | "REVERSED_BY_PROVIDER" | "UNSPECIFIED")[];
                reference?: string;
                account_number?: string;
                card_last4?: string;
                client_request_id?: string;
                api_request_id?: string;
                operator_ref?: string;
                utr?: string;
                provider_txn_id?: string;
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrdersSuccess"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailed"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    ListWebhooks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListWebhooksSuccess"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    CreateWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateWebhookRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateWebhookSuccess"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            408: components["responses"]["RequestTimeout"];
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateWebhookRefused409"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailed"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    UpdateWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateWebhookRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UpdateWebhookSuccess"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["RecordNotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailed"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    RotateWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RotateWebhookSuccess"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["RecordNotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailed"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    DisableWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DisableWebhookSuccess"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["RecordNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DisableWebhookRefused409"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailed"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    EnableWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EnableWebhookSuccess"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["RecordNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EnableWebhookRefused409"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailed"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    TestWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TestWebhookSuccess"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["RecordNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TestWebhookRefused409"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailed"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    WebhookDeliveries: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDeliveriesSuccess"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["RecordNotFound"];
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailed"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    RedeliverWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RedeliverWebhookSuccess"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["RecordNotFound"];
            408: components["responses"]["RequestTimeout"];
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RedeliverWebhookRefused409"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailed"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    DeleteWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeleteWebhookSuccess"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["RecordNotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailed"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    SandboxScenario: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SandboxScenarioRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SandboxScenarioSuccess"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SandboxScenarioRefused403"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SandboxScenarioRefused409"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailed"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    SandboxRefill: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SandboxRefillRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SandboxRefillSuccess"];
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SandboxRefillRefused403"];
                };
            };
            408: components["responses"]["RequestTimeout"];
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SandboxRefillRefused409"];
                };
            };
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailed"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    WalletStatementFile: {
        parameters: {
            query: {
                from: string;
                to: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailed"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    OrdersFile: {
        parameters: {
            query: {
                from: string;
                to: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["Forbidden"];
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailed"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    LeadsFile: {
        parameters: {
            query: {
                from: string;
                to: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            400: components["responses"]["MalformedRequest"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ServiceForbidden"];
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "X-Correlation-Id": components["headers"]["X-Correlation-Id"];
                    RateLimit: components["headers"]["RateLimit"];
                    "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidationFailed"];
                };
            };
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    RechargeSucceededEvent: {
        parameters: {
            query?: never;
            header: {
                "webhook-id": string;
                "webhook-timestamp": string;
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RechargeSucceededEvent"];
            };
        };
        responses: {
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    RechargeFailedEvent: {
        parameters: {
            query?: never;
            header: {
                "webhook-id": string;
                "webhook-timestamp": string;
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RechargeFailedEvent"];
            };
        };
        responses: {
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    RechargeReversedEvent: {
        parameters: {
            query?: never;
            header: {
                "webhook-id": string;
                "webhook-timestamp": string;
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RechargeReversedEvent"];
            };
        };
        responses: {
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    CardPaymentSucceededEvent: {
        parameters: {
            query?: never;
            header: {
                "webhook-id": string;
                "webhook-timestamp": string;
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CardPaymentSucceededEvent"];
            };
        };
        responses: {
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    CardPaymentFailedEvent: {
        parameters: {
            query?: never;
            header: {
                "webhook-id": string;
                "webhook-timestamp": string;
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CardPaymentFailedEvent"];
            };
        };
        responses: {
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    CardPaymentReversedEvent: {
        parameters: {
            query?: never;
            header: {
                "webhook-id": string;
                "webhook-timestamp": string;
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CardPaymentReversedEvent"];
            };
        };
        responses: {
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    TestSentEvent: {
        parameters: {
            query?: never;
            header: {
                "webhook-id": string;
                "webhook-timestamp": string;
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TestSentEvent"];
            };
        };
        responses: {
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
