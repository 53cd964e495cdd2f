<?php

declare(strict_types=1);

/**
 * Client for the REST API of the recharge gateway: one file, for PHP 7.4 and newer with ext-curl and ext-json.
 *
 * After a request may have been sent, recharge() and payBill() never throw. They return success, failed or pending. Refund your
 * customer only on failed. Pending is not failed: call again later with the same order and $again, never with a new order. All
 * other calls throw a GatewayException. Its errorCode is an error code of the service, NO_ANSWER or NOT_SENT.
 */
final class RechargeGateway
{
    /** HTTP status, status and code of a failed recharge: the amount was refunded, or there was no order. */
    public const NOT_RECHARGED = [
        '400 failed PROVIDER_DECLINED', '400 failed REVERSED', '400 failed VALIDATION_FAILED',
        '400 failed INSUFFICIENT_BALANCE',
    ];
    /** HTTP status, status and code of a failed bill payment. All failures of bill-pay have status error. */
    public const NOT_PAID = [
        '400 error PROVIDER_DECLINED', '400 error REVERSED', '422 error VALIDATION_FAILED',
        '400 error INSUFFICIENT_BALANCE',
    ];
    /** Errors of requests that were rejected before they had an effect. */
    public const REFUSED_FIRST = ['RATE_LIMITED', 'OVERLOADED', 'PROVIDER_UNAVAILABLE', 'REQUEST_TIMEOUT'];
    /** Errors after which the effect of the request is unknown. Only requests with an ID may be retried. */
    public const IN_DOUBT = ['NO_ANSWER', 'DEPENDENCY_DOWN', 'INTERNAL'];

    private const RECHARGE = '/api/v1/recharge';
    private const CARD = '/api/v1/bill-payment/credit-card';
    private const PAUSE_SECONDS = ['first' => 1, 'longest' => 30];

    private array $settings;

    /**
     * @param array $settings base_url (for example https://uat.example), client_id, api_secret, environment (uat or
     *   production); tokens: a file that processes share, or a function (callable $renew, ?string $rejected) that returns
     *   the stored token; if there is none, or it equals $rejected, the function stores and returns the result of $renew().
     *   In seconds: timeout of a request (40; the first response to a payment can take 25), connect_timeout (10), wait
     *   (30): maximum time for automatic retries and for waiting for a final status.
     *   sleep: function called with seconds. curl: additional options of curl.
     */
    public function __construct(array $settings)
    {
        foreach (['base_url', 'client_id', 'api_secret', 'environment', 'tokens'] as $name) {
            is_callable($settings[$name] ?? null) || self::requireText($settings, $name);
        }
        $defaults = ['timeout' => 40, 'connect_timeout' => 10, 'wait' => 30, 'sleep' => 'sleep', 'curl' => []];
        $this->settings = $settings + $defaults;
    }

    /**
     * Recharges once, however often it is called with the same order. Retries return the result of the first request.
     *
     * @param array $order client_request_id (your ID of the order, the same for all retries), account_number,
     *   amount, operator_sp_key, operator_type; optional: circle, geocode, pincode, customer_number
     * @param int|null $wait seconds
     * @param bool $again an earlier call returned pending or its result was lost, so its request may still arrive
     * @throws InvalidArgumentException without client_request_id; nothing is sent in that case
     */
    public function recharge(array $order, ?int $wait = null, bool $again = false): GatewayOutcome
    {
        self::requireText($order, 'client_request_id');
        $place = fn (): array => $this->send('POST', self::RECHARGE, $order);
        return $this->untilFinal($place, self::NOT_RECHARGED, $wait, $again);
    }

    /**
     * Pays a fetched bill once, however often it is called with the same orderid. For $wait and $again, see recharge().
     *
     * @param array $payment orderid (your ID of the payment, the same for all retries), card, mobile, opcode, amount,
     *   fetch_id; pan is required from 50,000 rupees
     * @throws InvalidArgumentException without orderid; nothing is sent in that case
     */
    public function payBill(array $payment, ?int $wait = null, bool $again = false): GatewayOutcome
    {
        self::requireText($payment, 'orderid');
        $place = function () use ($payment): array {
            $paid = $this->send('POST', self::CARD . '/bill-pay', $payment);
            $isKnown = $paid['code'] === 'DUPLICATE_ORDER';
            $of = ['orderid' => $payment['orderid']];
            $found = $isKnown ? $this->send('GET', self::CARD . '/status', $of) : $paid;
            return $found['code'] === 'RECORD_NOT_FOUND' ? $paid : $found;
        };
        return $this->untilFinal($place, self::NOT_PAID, $wait, $again);
    }

    /** @param array $of ['client_request_id' => …] or ['api_request_id' => …] */
    public function rechargeStatus(array $of): GatewayOutcome
    {
        $body = $this->request('GET', self::RECHARGE . '/status', $of);
        return new GatewayOutcome($body['status'] ?? null, $body);
    }

    /** @param array $of ['orderid' => …] or ['api_request_id' => …] */
    public function billPaymentStatus(array $of): GatewayOutcome
    {
        $body = $this->request('GET', self::CARD . '/status', $of);
        return new GatewayOutcome($body['status'] ?? null, $body);
    }

    /** @param array $of card, mobile, opcode, orderid. The data of the response contains the fetch_id and the bill. */
    public function fetchBill(array $of): array
    {
        return $this->lookUp(self::CARD . '/bill-fetch', $of);
    }

    /** @param array $of mobile, orderid */
    public function findOperator(array $of): array
    {
        return $this->lookUp('/api/v1/plan/operator-fetch', $of);
    }

    /** @param array $of mobile, opcode, circle (a code, for example '06'), orderid */
    public function mobilePlans(array $of): array
    {
        return $this->lookUp('/api/v1/plan/operator-plan-fetch', $of);
    }

    /** @param array $of dth_number, opcode, orderid */
    public function dthPlans(array $of): array
    {
        return $this->lookUp('/api/v1/plan/dth-plan-fetch', $of);
    }

    /** @param array $of dth_number, opcode, orderid */
    public function dthInfo(array $of): array
    {
        return $this->lookUp('/api/v1/plan/dth-info', $of);
    }

    /**
     * Sends any other request and returns the body of the response. Retries if the request was rejected before it had an
     * effect. Retries after other errors only if the request is $repeatable, which means that repeating it has no further
     * effect. Default: true for GET.
     *
     * @throws GatewayException
     */
    public function request(string $method, string $path, array $fields = [], ?bool $repeatable = null): array
    {
        $repeated = array_merge(self::REFUSED_FIRST, $repeatable ?? $method === 'GET' ? self::IN_DOUBT : []);
        $pause = $this->pauses($this->settings['wait']);
        do {
            $answer = $this->send($method, $path, $fields);
            if ($answer['error'] === null) {
                return $answer['body'];
            }
        } while (in_array($answer['code'], $repeated, true) && $pause($answer['retryAfter']));
        throw $answer['error'];
    }

    /**
     * Verifies the signature of a webhook with any of the secrets (the old and the new one during a rotation) and returns
     * the event. The same ID can be delivered more than once; process it once. Ignore an event whose `sequence` in data is
     * lower than one that you have received for its order.
     *
     * @param string $body raw body: file_get_contents('php://input')
     * @param array $headers getallheaders()
     * @param string|string[] $secrets
     * @return array id, type, timestamp and data, which contains the values for a receipt: docs/interface.md 6.1
     * @throws WebhookException not from the service, or too old: return 400 and ignore it
     */
    public static function verifyWebhook(
        string $body,
        array $headers,
        $secrets,
        int $tolerance = 300,
        ?int $now = null
    ): array {
        $given = array_change_key_case($headers);
        $id = $given['webhook-id'] ?? '';
        $timestamp = $given['webhook-timestamp'] ?? '';
        $isTime = preg_match('/^\d{1,12}$/D', $timestamp) === 1;
        if ($id === '' || !$isTime || abs(($now ?? time()) - (int) $timestamp) > $tolerance) {
            throw new WebhookException('The webhook has no ID or is too old, or a clock is wrong.');
        }
        foreach ((array) $secrets as $secret) {
            $key = base64_decode(preg_replace('/^whsec_/', '', $secret));
            $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));
            foreach (explode(' ', (string) ($given['webhook-signature'] ?? '')) as $signature) {
                if (hash_equals($expected, $signature)) {
                    return ['id' => $id] + json_decode($body, true);
                }
            }
        }
        throw new WebhookException('The signature of the webhook does not match any secret.');
    }

    /** The same orderid and fields within ten minutes return the stored response without another fee. */
    private function lookUp(string $path, array $fields): array
    {
        self::requireText($fields, 'orderid');
        return $this->request('POST', $path, $fields, true);
    }

    /** Sends the same order until it has a final status, the error is not retryable, or the time is over. */
    private function untilFinal(callable $place, array $failures, ?int $wait, bool $isInDoubt): GatewayOutcome
    {
        $pause = $this->pauses($wait ?? $this->settings['wait']);
        do {
            $answer = $place();
            ['code' => $code, 'error' => $error, 'body' => $body] = $answer;
            $isInDoubt = ($isLost = in_array($code, self::IN_DOUBT, true)) || $isInDoubt;
            $status = self::orderStatus($answer, $failures);
            // a failure without an order ID is not conclusive, because an earlier request may still arrive
            $isInconclusive = $isInDoubt && $status === 'failed' && !isset($body['api_request_id']);
            $outcome = new GatewayOutcome($isInconclusive ? null : $status, $body, $error);
            $mayChange = $error === null || $error->retryable || $isInconclusive || $isLost;
        } while ($outcome->status === 'pending' && $mayChange && $pause($answer['retryAfter']));
        return $outcome;
    }

    /** Increasing pauses, at least as long as the service requests. False if the time is over. */
    private function pauses(int $wait): callable
    {
        $end = microtime(true) + $wait;
        $next = self::PAUSE_SECONDS['first'];
        return function (int $atLeast) use ($end, &$next): bool {
            $seconds = max($atLeast, $next);
            $next = min($next * 2, self::PAUSE_SECONDS['longest']);
            if (microtime(true) + $seconds > $end) {
                return false;
            }
            ($this->settings['sleep'])($seconds);
            return true;
        };
    }

    /** Sends a request with the stored token. Retries with a new token after a 401, which has no effect. Never throws. */
    private function send(string $method, string $path, array $fields): array
    {
        try {
            $token = $this->token(null);
            $answer = $this->exchange($method, $path, $fields, $token);
            $isOld = $answer['httpStatus'] === 401;
            return $isOld ? $this->exchange($method, $path, $fields, $this->token($token)) : $answer;
        } catch (Throwable $error) {
            // no token, or a text that is not UTF-8: the request was not sent, or the token request was rejected
            $isKnown = $error instanceof GatewayException;
            return self::failed($isKnown ? $error : new GatewayException('NOT_SENT', $error->getMessage()));
        }
    }

    /** @param string|null $rejected token that was rejected with 401; another process may have renewed it in the meantime */
    private function token(?string $rejected): string
    {
        $renew = function (): string {
            $needed = array_flip(['client_id', 'api_secret', 'environment']);
            $credentials = array_intersect_key($this->settings, $needed);
            $answer = $this->exchange('POST', '/api/v1/auth/client-credentials', $credentials, null);
            if ($answer['error'] !== null) {
                throw $answer['error'];
            }
            return $answer['body']['token'];
        };
        $tokens = $this->settings['tokens'];
        return is_string($tokens) ? $this->tokenInFile($tokens, $renew, $rejected) : $tokens($renew, $rejected);
    }

    /** Token in a file that only its owner can read. One process renews it while the others wait. */
    private function tokenInFile(string $path, callable $renew, ?string $rejected): string
    {
        $account = hash('sha256', "{$this->settings['base_url']} {$this->settings['client_id']}");
        $file = @fopen($path, 'c+');
        if ($file === false || !flock($file, LOCK_EX)) {
            throw new RuntimeException("The token file cannot be opened: $path");
        }
        @chmod($path, 0600);
        try {
            $kept = json_decode((string) stream_get_contents($file), true);
            if (($kept['account'] ?? '') !== $account || $kept['token'] === $rejected) {
                $kept = ['account' => $account, 'token' => $renew()];
                ftruncate($file, 0);
                rewind($file);
                fwrite($file, json_encode($kept));
            }
            return $kept['token'];
        } finally {
            fclose($file); // flushes and unlocks the file
        }
    }

    /** Sends one request and returns the response. Never throws. */
    private function exchange(string $method, string $path, array $fields, ?string $token): array
    {
        $isPost = $method === 'POST';
        $query = $isPost || $fields === [] ? '' : '?' . http_build_query($fields);
        $body = $isPost ? [CURLOPT_POSTFIELDS => json_encode((object) $fields, JSON_THROW_ON_ERROR)] : [];
        $type = $isPost ? ['Content-Type: application/json', 'Expect:'] : [];
        $bearer = $token === null ? [] : ["Authorization: Bearer $token"];
        $received = [];
        $curl = curl_init(rtrim($this->settings['base_url'], '/') . $path . $query);
        curl_setopt_array($curl, $this->settings['curl'] + $body + [
            CURLOPT_CUSTOMREQUEST => $method,
            CURLOPT_HTTPHEADER => array_merge(['Accept: application/json', 'User-Agent: recharge-gateway-php/0.1.0'], $type, $bearer),
            CURLOPT_RETURNTRANSFER => true,
            CURLOPT_FOLLOWLOCATION => false,
            CURLOPT_CONNECTTIMEOUT_MS => (int) (1000 * $this->settings['connect_timeout']),
            CURLOPT_TIMEOUT_MS => (int) (1000 * $this->settings['timeout']),
            CURLOPT_HEADERFUNCTION => static function ($_, string $line) use (&$received): int {
                [$name, $value] = explode(':', $line, 2) + ['', ''];
                $received[strtolower(trim($name))] = trim($value);
                return strlen($line);
            },
        ]);
        $text = curl_exec($curl);
        $status = (int) curl_getinfo($curl, CURLINFO_RESPONSE_CODE);
        $reason = curl_error($curl);
        $answer = $text === false ? null : json_decode($text, true, 512, JSON_BIGINT_AS_STRING);
        $retryAfter = (int) ($received['retry-after'] ?? 0);
        if (is_array($answer) && $status === 200) {
            return ['httpStatus' => 200, 'code' => '', 'body' => $answer, 'retryAfter' => $retryAfter, 'error' => null];
        }
        $body = is_array($answer) && isset($answer['code'], $answer['message']) ? $answer : [];
        $code = $body['code'] ?? 'NO_ANSWER';
        $type = GatewayException::TYPES[$code] ?? GatewayException::TYPES[$status] ?? GatewayException::class;
        $error = new $type($code, $body['message'] ?? "HTTP $status $reason");
        [$error->httpStatus, $error->body, $error->retryAfter] = [$status, $body, $retryAfter];
        $error->requestId = $received['x-request-id'] ?? '';
        return self::failed($error);
    }

    private static function failed(GatewayException $error): array
    {
        return ['error' => $error, 'code' => $error->errorCode] + get_object_vars($error);
    }

    /** Status of an order in a response. Null if the response is not conclusive. */
    private static function orderStatus(array $answer, array $failures): ?string
    {
        $status = $answer['body']['status'] ?? null;
        if (in_array("{$answer['httpStatus']} $status {$answer['code']}", $failures, true)) {
            return 'failed';
        }
        $isStatus = $answer['error'] === null && in_array($status, ['success', 'failed', 'pending'], true);
        return $isStatus ? $status : null;
    }

    private static function requireText(array $fields, string $name): void
    {
        if (!is_string($fields[$name] ?? null) || trim($fields[$name]) === '') {
            throw new InvalidArgumentException("$name is required.");
        }
    }
}

/** State of an order. */
final class GatewayOutcome
{
    /** success, failed (nothing is charged, and the payment will not be made) or pending (no final status yet) */
    public string $status;
    /** Error code and message of a failure. */
    public ?string $code, $message;
    /** Values that are not known yet are null. */
    public ?array $data;
    /** Complete response. */
    public array $body;
    /** Error that prevents a final status. If it is not retryable, manual action is required. */
    public ?GatewayException $error;

    public function __construct(?string $status, array $body, ?GatewayException $error = null)
    {
        $this->status = $status ?? 'pending';
        [$this->code, $this->message] = [$body['code'] ?? null, $body['message'] ?? null];
        [$this->data, $this->body] = [$body['data'] ?? null, $body];
        $this->error = $status === null ? $error : null;
    }
}

/** Error response, or no usable response. Not a final status of an order. */
class GatewayException extends RuntimeException
{
    /** Exception classes by code or HTTP status. */
    public const TYPES = [
        'NO_ANSWER' => GatewayNoAnswerException::class, 'VALIDATION_FAILED' => GatewayValidationException::class,
        401 => GatewayAccessException::class, 403 => GatewayAccessException::class, 429 => GatewayLimitException::class,
    ];
    /** Errors after which an identical request can succeed later. */
    public const RETRYABLE = [
        'RATE_LIMITED', 'OVERLOADED', 'PROVIDER_UNAVAILABLE', 'REQUEST_TIMEOUT', 'NO_ANSWER', 'DEPENDENCY_DOWN',
        'INSUFFICIENT_BALANCE', 'PROVIDER_FAILED', 'BILL_PAYMENT_IN_PROGRESS', 'TOO_MANY_FAILED_EXCHANGES',
    ];

    public string $errorCode; // of the service; NO_ANSWER: it may have arrived; NOT_SENT: it was not sent
    public bool $retryable;
    public int $httpStatus = 0; // 0 if there was no response
    public array $body = []; // errors: invalid fields; api_request_id, order_id, order_status: the order
    public int $retryAfter = 0; // seconds
    public string $requestId = ''; // include it when you contact support

    public function __construct(string $errorCode, string $message)
    {
        parent::__construct($message);
        $this->errorCode = $errorCode;
        $this->retryable = in_array($errorCode, self::RETRYABLE, true);
    }
}
final class GatewayNoAnswerException extends GatewayException {}
final class GatewayAccessException extends GatewayException {}
final class GatewayLimitException extends GatewayException {}
final class GatewayValidationException extends GatewayException {}
final class WebhookException extends RuntimeException {}
