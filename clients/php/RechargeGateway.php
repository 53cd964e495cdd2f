<?php

declare(strict_types=1);

/**
 * Client library for the REST API of the recharge gateway: one file, PHP 7.4 or newer with ext-curl and ext-json.
 *
 * recharge() and payBill() do not throw after a request may have been sent. They return success, failed or pending.
 * Refund your customer only on failed. Pending is not failed: call the method again later with the same order and
 * $again, never with a new order. All other methods throw a GatewayException. Its errorCode is an error code of the
 * API, NO_ANSWER or NOT_SENT.
 */
final class RechargeGateway
{
    /** HTTP status, status and code of a failed recharge: the amount was refunded, or no order was created. */
    public const NOT_RECHARGED = [
        '400 failed PROVIDER_DECLINED', '400 failed REVERSED', '400 failed VALIDATION_FAILED',
        '400 failed INSUFFICIENT_BALANCE',
    ];
    /** HTTP status, status and code of a failed bill payment. All failures of bill-pay have the status error. */
    public const NOT_PAID = [
        '400 error PROVIDER_DECLINED', '400 error REVERSED', '422 error VALIDATION_FAILED',
        '400 error INSUFFICIENT_BALANCE',
    ];
    /** Rejected before processing. */
    public const REFUSED_FIRST = ['RATE_LIMITED', 'OVERLOADED', 'PROVIDER_UNAVAILABLE', 'REQUEST_TIMEOUT'];
    /** The request may have been processed, or may still be. Retry it only if it has its own ID. */
    public const IN_DOUBT = ['NO_ANSWER', 'DEPENDENCY_DOWN', 'INTERNAL'];

    private const RECHARGE = '/api/v1/recharge';
    private const CARD = '/api/v1/bill-payment/credit-card';
    private const PAUSE_SECONDS = ['first' => 1, 'longest' => 30];

    private array $settings;

    /**
     * @param array $settings base_url (for example https://uat.example), client_id, api_secret, environment (uat or
     *   production); tokens: a file that processes share, or a function (callable $renew, ?string $rejected) that
     *   returns its stored token. If it has none, or its token is $rejected, it stores and returns $renew().
     *   In seconds: timeout of a request (40; the first response to a payment can take 25), connect_timeout (10), wait
     *   (30; maximum time that a call spends on retries and status checks).
     *   sleep: a function that sleeps for the given seconds. curl: additional curl options.
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
     * Recharges once, however often it is called with the same order. A retry returns the first order.
     *
     * @param array $order client_request_id (your own ID for the order, the same for each retry), account_number,
     *   amount, operator_sp_key, operator_type; optional: circle, geocode, pincode, customer_number
     * @param int|null $wait seconds
     * @param bool $again a request of an earlier call may still be processed: it returned pending, or did not return
     * @throws InvalidArgumentException without client_request_id; no request is sent
     */
    public function recharge(array $order, ?int $wait = null, bool $again = false): GatewayOutcome
    {
        self::requireText($order, 'client_request_id');
        $place = fn (): array => $this->send('POST', self::RECHARGE, $order);
        return $this->untilFinal($place, self::NOT_RECHARGED, $wait, $again);
    }

    /**
     * Pays a fetched bill once, however often it is called with the same orderid. $wait and $again are as in recharge().
     *
     * @param array $payment orderid (your own ID for the payment, the same for each retry), card, mobile, opcode,
     *   amount, fetch_id; pan, which is required from 50,000 rupees.
     * @throws InvalidArgumentException without orderid; no request is sent
     */
    public function payBill(array $payment, ?int $wait = null, bool $again = false): GatewayOutcome
    {
        self::requireText($payment, 'orderid');
        $place = function () use ($payment): array {
            $paid = $this->send('POST', self::CARD . '/bill-pay', $payment);
            $isKnown = $paid['code'] === 'DUPLICATE_ORDER';
            $of = ['orderid' => $payment['orderid']];
            $asked = $isKnown ? $this->send('GET', self::CARD . '/status', $of) : $paid;
            return $asked['code'] === 'RECORD_NOT_FOUND' ? $paid : $asked;
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

    /** @param array $of card, mobile, opcode, orderid. The data of the response has the fetch_id and the bill. */
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
     * Sends any other request and returns the body of the response. Retries it if it was rejected before processing.
     * After other failures, retries it only if it is $repeatable, that is, idempotent. By default, only GET is.
     *
     * @throws GatewayException
     */
    public function request(string $method, string $path, array $fields = [], ?bool $repeatable = null): array
    {
        $repeated = array_merge(self::REFUSED_FIRST, $repeatable ?? $method === 'GET' ? self::IN_DOUBT : []);
        $pause = $this->backoff($this->settings['wait']);
        do {
            $answer = $this->send($method, $path, $fields);
            if ($answer['error'] === null) {
                return $answer['body'];
            }
        } while (in_array($answer['code'], $repeated, true) && $pause($answer['retryAfter']));
        throw $answer['error'];
    }

    /**
     * Verifies the signature of a webhook and returns its event. During a rotation, pass the old and the new secret.
     * The same ID can arrive twice: process it once. Ignore an event whose `sequence` in data is lower than the highest
     * one that you have received for its order.
     *
     * @param string $body raw body: file_get_contents('php://input')
     * @param array $headers getallheaders()
     * @param string|string[] $secrets
     * @return array `id`, type, timestamp and data: docs/interface.md 6.1
     * @throws WebhookException invalid signature or timestamp: return 400 and ignore the message
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
            throw new WebhookException('The webhook ID is missing, or the timestamp is too far from the current time.');
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
        throw new WebhookException('The signature is invalid.');
    }

    /** Within ten minutes, the same orderid and fields return the stored response without another fee. */
    private function lookUp(string $path, array $fields): array
    {
        self::requireText($fields, 'orderid');
        return $this->request('POST', $path, $fields, true);
    }

    /** Sends the same order until its status is final, an error is not retryable, or no time is left. */
    private function untilFinal(callable $place, array $failures, ?int $wait, bool $isInDoubt): GatewayOutcome
    {
        $pause = $this->backoff($wait ?? $this->settings['wait']);
        do {
            $answer = $place();
            ['code' => $code, 'error' => $error, 'body' => $body] = $answer;
            $isInDoubt = ($isLost = in_array($code, self::IN_DOUBT, true)) || $isInDoubt;
            $status = self::status($answer, $failures);
            // this error is not about an earlier request without a response, which may still be processed
            $isUnrelated = $isInDoubt && $status === 'failed' && !isset($body['api_request_id']);
            $outcome = new GatewayOutcome($isUnrelated ? null : $status, $body, $error);
            $canChange = $error === null || $error->retryable || $isUnrelated || $isLost;
        } while ($outcome->status === 'pending' && $canChange && $pause($answer['retryAfter']));
        return $outcome;
    }

    /** Returns a function that waits with exponential backoff, at least the given time; false if no time is left. */
    private function backoff(int $wait): callable
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

    /** Sends a request with the stored token. After a 401, retries once with a new token. Never throws. */
    private function send(string $method, string $path, array $fields): array
    {
        try {
            $token = $this->token(null);
            $answer = $this->exchange($method, $path, $fields, $token);
            $isOld = $answer['httpStatus'] === 401;
            return $isOld ? $this->exchange($method, $path, $fields, $this->token($token)) : $answer;
        } catch (Throwable $error) {
            // no token, or text that is not UTF-8: the request was not sent
            $isRefusal = $error instanceof GatewayException;
            return self::refusal($isRefusal ? $error : new GatewayException('NOT_SENT', $error->getMessage()));
        }
    }

    /** @param string|null $rejected token that was rejected with 401; another process may already have renewed it */
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

    /** Stores the token in a file that only its owner can read. One process renews it while the others wait. */
    private function tokenInFile(string $path, callable $renew, ?string $rejected): string
    {
        $account = hash('sha256', "{$this->settings['base_url']} {$this->settings['client_id']}");
        $file = @fopen($path, 'c+');
        if ($file === false || !flock($file, LOCK_EX)) {
            throw new RuntimeException("Cannot open the token file: $path");
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

    /** Sends one request. Never throws. */
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
        return self::refusal($error);
    }

    private static function refusal(GatewayException $error): array
    {
        return ['error' => $error, 'code' => $error->errorCode] + get_object_vars($error);
    }

    /** Status of the order in a response. Null if the response is not about an order. */
    private static function status(array $answer, array $failures): ?string
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
    /** success, failed (not charged, and will not be processed) or pending (outcome not known yet) */
    public string $status;
    /** Error code and message of a failed order. */
    public ?string $code, $message;
    /** Values that are not known yet are null. */
    public ?array $data;
    /** Complete response. */
    public array $body;
    /** Error because of which the outcome is unknown. If it is not retryable, fix its cause. */
    public ?GatewayException $error;

    public function __construct(?string $status, array $body, ?GatewayException $error = null)
    {
        $this->status = $status ?? 'pending';
        [$this->code, $this->message] = [$body['code'] ?? null, $body['message'] ?? null];
        [$this->data, $this->body] = [$body['data'] ?? null, $body];
        $this->error = $status === null ? $error : null;
    }
}

/** Error response, or no usable response. It does not describe an order. */
class GatewayException extends RuntimeException
{
    /** Exception classes by error code or HTTP status. */
    public const TYPES = [
        'NO_ANSWER' => GatewayNoAnswerException::class, 'VALIDATION_FAILED' => GatewayValidationException::class,
        401 => GatewayAccessException::class, 403 => GatewayAccessException::class, 429 => GatewayLimitException::class,
    ];
    /** The same request may succeed later. */
    public const RETRYABLE = [
        'RATE_LIMITED', 'OVERLOADED', 'PROVIDER_UNAVAILABLE', 'REQUEST_TIMEOUT', 'NO_ANSWER', 'DEPENDENCY_DOWN',
        'INSUFFICIENT_BALANCE', 'PROVIDER_FAILED', 'BILL_PAYMENT_IN_PROGRESS', 'TOO_MANY_FAILED_EXCHANGES',
    ];

    public string $errorCode; // code of the API; NO_ANSWER: no usable response; NOT_SENT: request not sent
    public bool $retryable;
    public int $httpStatus = 0; // 0 if there was no response
    public array $body = []; // complete response: errors, api_request_id, order_id, order_status
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
