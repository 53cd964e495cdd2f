<?php

declare(strict_types=1);

// Runs the PHP client library for a test and exchanges one JSON text per line. The first input is the settings. Each later input
// is a call, for which the result or the thrown error is written. Each pause is reported and ends when the test replies.
require __DIR__ . '/../../clients/php/RechargeGateway.php';

error_reporting(E_ALL);
set_error_handler(static function (int $level, string $message): bool {
    throw new ErrorException($message, 0, $level);
});

$read = static fn (): ?array => ($line = fgets(STDIN)) === false ? null : json_decode($line, true);
$write = static function (array $said): void {
    fwrite(STDOUT, json_encode($said, JSON_THROW_ON_ERROR | JSON_PRESERVE_ZERO_FRACTION) . "\n");
};
$shown = static fn (GatewayException $error): array => [
    'type' => get_class($error), 'code' => $error->errorCode, 'httpStatus' => $error->httpStatus,
    'retryable' => $error->retryable, 'retryAfter' => $error->retryAfter, 'body' => $error->body,
    'requestId' => $error->requestId,
];

$kept = null;
$inMemory = static function (callable $renew, ?string $refused) use (&$kept): string {
    return $kept === null || $kept === $refused ? $kept = $renew() : $kept;
};
$settings = $read();
$gateway = new RechargeGateway($settings + [
    'tokens' => $inMemory,
    'sleep' => static function (int $seconds) use ($read, $write): void {
        $write(['pause' => $seconds]);
        $read();
    },
]);

while (($call = $read()) !== null) {
    try {
        $result = $call['name'] === 'verifyWebhook'
            ? RechargeGateway::verifyWebhook(...$call['arguments'])
            : $gateway->{$call['name']}(...$call['arguments']);
        $write(['returned' => $result instanceof GatewayOutcome
            ? ['error' => $result->error === null ? null : $shown($result->error)] + get_object_vars($result)
            : $result]);
    } catch (GatewayException $error) {
        $write(['thrown' => $shown($error)]);
    } catch (Throwable $error) {
        $write(['thrown' => ['type' => get_class($error), 'message' => $error->getMessage()]]);
    }
}
