<?php

declare(strict_types=1);

/**
 * Client of the recharge gateway's REST API: one file, PHP 7.4 or newer with ext-curl and ext-json.
 *
 * recharge() and payBill() never throw once a request may have left: they answer success, failed or pending. Give money
 * back to your customer on failed alone. Pending is not failed: call again later with the same order and $again, never
 * a new one. Everything else throws a GatewayException, whose errorCode is one of the service's, NO_ANSWER or NOT_SENT.
 */
final class RechargeGateway
{
    /** HTTP status, status and code of a recharge that failed: the refund is in the wallet, or there was no order. */
    public const NOT_RECHARGED = [
        '400 failed PROVIDER_DECLINED', '400 failed REVERSED', '400 failed VALIDATION_FAILED',
        '400 failed INSUFFICIENT_BALANCE',
    ];
    /** The same of a bill payment: all failures of bill-pay say error. */
    public const NOT_PAID = [
        '400 error PROVIDER_DECLINED', '400 error REVERSED', '422 error VALIDATION_FAILED',
        '400 error INSUFFICIENT_BALANCE',
    ];
    /** Refused before anything was done. */
    public const REFUSED_FIRST = ['RATE_LIMITED', 'OVERLOADED', 'PROVIDER_UNAVAILABLE', 'REQUEST_TIMEOUT'];
    /** Nobody knows how far it came, or whether it is still on its way: only what has an id may be repeated. */
    public const IN_DOUBT = ['NO_ANSWER', 'DEPENDENCY_DOWN', 'INTERNAL'];

    private const RECHARGE = '/api/v1/recharge';
    private const CARD = '/api/v1/bill-payment/credit-card';
    private const PAUSE_SECONDS = ['first' => 1, 'longest' => 30];

    private array $settings;

    /**
     * @param array $settings base_url (such as https://uat.example), client_id, api_secret, environment (uat or
     *   production); tokens: a file that processes share, or a function (callable $renew, ?string $refused) that
     *   returns the token it keeps, and when it has none, or that is $refused, keeps and returns what $renew() gives.
     *   In seconds: timeout of a request (40; the first answer to a payment may take 25), connect_timeout (10), wait
     *   (30): how long a call goes on by itself, asks for a verdict, repeats what was refused.
     *   sleep: a function that is given seconds. curl: more options of curl.
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
     * Recharges once, however often it is called with the same order: who repeats it hears of the first.
     *
     * @param array $order client_request_id (your id of the order: the same for every repetition), account_number,
     *   amount, operator_sp_key, operator_type; circle, geocode, pincode, customer_number if you have them
     * @param int|null $wait seconds
     * @param bool $again an earlier call for the order said pending, or nobody knows what: its request may yet arrive
     * @throws InvalidArgumentException without client_request_id; nothing was sent then
     */
    public function recharge(array $order, ?int $wait = null, bool $again = false): GatewayOutcome
    {
        self::requireText($order, 'client_request_id');
        $place = fn (): array => $this->send('POST', self::RECHARGE, $order);
        return $this->untilVerdict($place, self::NOT_RECHARGED, $wait, $again);
    }

    /**
     * Pays a fetched bill once, however often it is called with the same orderid. $wait and $again as of recharge().
     *
     * @param array $payment orderid (your id of the payment: the same for every repetition), card, mobile, opcode,
     *   amount, fetch_id; pan from 50,000 rupees on
     * @throws InvalidArgumentException without orderid; nothing was sent then
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
        return $this->untilVerdict($place, self::NOT_PAID, $wait, $again);
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

    /** @param array $of card, mobile, opcode, orderid. The answer's data has the fetch_id and the bill. */
    public function fetchBill(array $of): array
    {
        return $this->lookUp(self::CARD . '/bill-fetch', $of);
    }

    /** @param array $of mobile, orderid */
    public function findOperator(array $of): array
    {
        return $this->lookUp('/api/v1/plan/operator-fetch', $of);
    }

    /** @param array $of mobile, opcode, circle (a code, such as '06'), orderid */
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
     * Any other call, and the body of its answer. It is repeated after a refusal that came before anything was done;
     * after anything else only when it is $repeatable: twice does the same as once. By default a GET is.
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
     * The event of a webhook that one of the secrets signed: the old or the new one, while one replaces the other. The
     * same id may come twice; do what it says once. Ignore an event whose `sequence` in data is lower than one that you
     * have received for its order.
     *
     * @param string $body as it arrived: file_get_contents('php://input')
     * @param array $headers getallheaders()
     * @param string|string[] $secrets
     * @return array id, type, timestamp, and in data what a receipt prints: docs/interface.md 6.1
     * @throws WebhookException not from the service, or too old: answer 400 and do nothing
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
            throw new WebhookException('The webhook has no id, or is too old, or a clock is wrong.');
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
        throw new WebhookException('No secret signed the webhook.');
    }

    /** The same orderid and fields within ten minutes get the stored answer, without another fee. */
    private function lookUp(string $path, array $fields): array
    {
        self::requireText($fields, 'orderid');
        return $this->request('POST', $path, $fields, true);
    }

    /** Sends the same order until it has a verdict, or a refusal that no repetition changes, or no time is left. */
    private function untilVerdict(callable $place, array $failures, ?int $wait, bool $isInDoubt): GatewayOutcome
    {
        $pause = $this->pauses($wait ?? $this->settings['wait']);
        do {
            $answer = $place();
            ['code' => $code, 'error' => $error, 'body' => $body] = $answer;
            $isInDoubt = ($isLost = in_array($code, self::IN_DOUBT, true)) || $isInDoubt;
            $verdict = self::verdict($answer, $failures);
            // it says nothing about a request that nobody heard of: that one may still arrive
            $saysNothing = $isInDoubt && $verdict === 'failed' && !isset($body['api_request_id']);
            $outcome = new GatewayOutcome($saysNothing ? null : $verdict, $body, $error);
            $mayChange = $error === null || $error->retryable || $saysNothing || $isLost;
        } while ($outcome->status === 'pending' && $mayChange && $pause($answer['retryAfter']));
        return $outcome;
    }

    /** Growing pauses, none shorter than the service asks for. False when no time is left for one. */
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

    /** With the token that is kept; after a 401, which comes before anything is done, with a new one. Never throws. */
    private function send(string $method, string $path, array $fields): array
    {
        try {
            $token = $this->token(null);
            $answer = $this->exchange($method, $path, $fields, $token);
            $isOld = $answer['httpStatus'] === 401;
            return $isOld ? $this->exchange($method, $path, $fields, $this->token($token)) : $answer;
        } catch (Throwable $error) {
            // no token, or a text that is not UTF-8: the request was not sent, or was refused
            $isRefusal = $error instanceof GatewayException;
            return self::refusal($isRefusal ? $error : new GatewayException('NOT_SENT', $error->getMessage()));
        }
    }

    /** @param string|null $refused the token of a 401, which another process may have renewed meanwhile */
    private function token(?string $refused): string
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
        return is_string($tokens) ? $this->tokenInFile($tokens, $renew, $refused) : $tokens($renew, $refused);
    }

    /** A token in a file for its owner alone. One process renews it, and the others wait for that. */
    private function tokenInFile(string $path, callable $renew, ?string $refused): string
    {
        $account = hash('sha256', "{$this->settings['base_url']} {$this->settings['client_id']}");
        $file = @fopen($path, 'c+');
        if ($file === false || !flock($file, LOCK_EX)) {
            throw new RuntimeException("The file of the token cannot be opened: $path");
        }
        @chmod($path, 0600);
        try {
            $kept = json_decode((string) stream_get_contents($file), true);
            if (($kept['account'] ?? '') !== $account || $kept['token'] === $refused) {
                $kept = ['account' => $account, 'token' => $renew()];
                ftruncate($file, 0);
                rewind($file);
                fwrite($file, json_encode($kept));
            }
            return $kept['token'];
        } finally {
            fclose($file); // with all that was written; and unlocks it
        }
    }

    /** One request and its answer. Never throws. */
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

    /** What an answer says about an order; null when it says nothing. */
    private static function verdict(array $answer, array $failures): ?string
    {
        $status = $answer['body']['status'] ?? null;
        if (in_array("{$answer['httpStatus']} $status {$answer['code']}", $failures, true)) {
            return 'failed';
        }
        $isVerdict = $answer['error'] === null && in_array($status, ['success', 'failed', 'pending'], true);
        return $isVerdict ? $status : null;
    }

    private static function requireText(array $fields, string $name): void
    {
        if (!is_string($fields[$name] ?? null) || trim($fields[$name]) === '') {
            throw new InvalidArgumentException("$name is required.");
        }
    }
}

/** What is known of an order. */
final class GatewayOutcome
{
    /** success, failed (nothing is charged, and nothing will be performed) or pending (nobody knows yet) */
    public string $status;
    /** Why it failed. */
    public ?string $code, $message;
    /** Values that are not known yet are null. */
    public ?array $data;
    /** The whole answer. */
    public array $body;
    /** Why no more is known. When it is not retryable, a person has to look. */
    public ?GatewayException $error;

    public function __construct(?string $verdict, array $body, ?GatewayException $error = null)
    {
        $this->status = $verdict ?? 'pending';
        [$this->code, $this->message] = [$body['code'] ?? null, $body['message'] ?? null];
        [$this->data, $this->body] = [$body['data'] ?? null, $body];
        $this->error = $verdict === null ? $error : null;
    }
}

/** A refusal, or no usable answer. It says nothing about an order. */
class GatewayException extends RuntimeException
{
    /** By code, or by HTTP status. */
    public const TYPES = [
        'NO_ANSWER' => GatewayNoAnswerException::class, 'VALIDATION_FAILED' => GatewayValidationException::class,
        401 => GatewayAccessException::class, 403 => GatewayAccessException::class, 429 => GatewayLimitException::class,
    ];
    /** The identical request may succeed later. */
    public const RETRYABLE = [
        'RATE_LIMITED', 'OVERLOADED', 'PROVIDER_UNAVAILABLE', 'REQUEST_TIMEOUT', 'NO_ANSWER', 'DEPENDENCY_DOWN',
        'INSUFFICIENT_BALANCE', 'PROVIDER_FAILED', 'BILL_PAYMENT_IN_PROGRESS', 'TOO_MANY_FAILED_EXCHANGES',
    ];

    public string $errorCode; // one of the service's; NO_ANSWER: nobody knows whether it arrived; NOT_SENT: it did not
    public bool $retryable;
    public int $httpStatus = 0; // 0 when there was no answer
    public array $body = []; // errors names wrong fields; api_request_id, order_id and order_status an order
    public int $retryAfter = 0; // seconds
    public string $requestId = ''; // quote it in a question

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
