/**
 * Small shops that recharge with a generated client, one for each generator. Each reads BASE_URL, TOKEN and KEY from the
 * environment and prints `status amount` of the response as its generator parsed it.
 */

const ORDER = `{ account_number: '9876543210', amount: 19.99, operator_sp_key: 116, operator_type: 'mobile' as const, client_request_id: KEY }`;
const HEAD = `const { BASE_URL = '', TOKEN = '', KEY = '' } = process.env;\nconst order = ${ORDER};\nconst headers = { authorization: \`Bearer \${TOKEN}\` };\n`;

/** TypeScript shops by the directory of the generated client, or `./client.js` if it is a single file. */
export const shopsInTypeScript: Readonly<Record<string, string>> = {
  'openapi-typescript 3.1': `import createClient from 'openapi-fetch';
import type { paths } from './client.js';
${HEAD}const client = createClient<paths>({ baseUrl: BASE_URL, headers });
const { data } = await client.POST('/api/v1/recharge', { body: order });
console.log(data?.status satisfies 'success' | 'pending' | undefined, data?.data.amount);
if (data?.status === 'success') data.data.operator_ref satisfies string;`,
  'openapi-typescript 3.0': `import createClient from 'openapi-fetch';
import type { paths } from './client.js';
${HEAD}const client = createClient<paths>({ baseUrl: BASE_URL, headers });
const { data } = await client.POST('/api/v1/recharge', { body: order });
console.log(data?.status satisfies 'success' | 'pending' | undefined, data?.data.amount);`,
  'hey-api': `import { client } from './client/client.gen.js';
import { recharge } from './client/sdk.gen.js';
${HEAD}client.setConfig({ baseUrl: BASE_URL, auth: TOKEN, headers });
const { data } = await recharge({ body: order });
console.log(data?.status satisfies 'success' | 'pending' | undefined, data?.data.amount);`,
  'orval fetch': `import { recharge } from './client.js';
${HEAD}const { data } = await recharge(order, { headers });
if (!('data' in data)) throw new Error(data.code);
console.log(data.status satisfies 'success' | 'pending', data.data.amount);`,
  'orval zod': `import { rechargeBody, rechargeResponse } from './client.js';
${HEAD}const body = JSON.stringify(rechargeBody.parse(order));
const answer = await fetch(\`\${BASE_URL}/api/v1/recharge\`, { method: 'POST', body, headers: { ...headers, 'content-type': 'application/json' } });
const { status, data } = rechargeResponse.parse(await answer.json());
console.log(status satisfies 'success' | 'pending', data.amount);
if (rechargeBody.safeParse({ ...order, amount: 10.005 }).success) throw new Error('It takes parts of a paisa.');`,
  'openapi-zod-client': `import { createApiClient } from './client.js';
${HEAD}// the types of so many calls are too deep for a compiler; what is checked is what runs
const client = createApiClient(BASE_URL) as unknown as Record<'post', (...words: unknown[]) => Promise<any>>;
const { status, data } = await client.post('/api/v1/recharge', order, { headers });
console.log(status, data.amount);`,
  'swagger-typescript-api': `import { Api } from './client.js';
${HEAD}const { data } = await new Api({ baseUrl: BASE_URL, baseApiParams: { headers } }).api.recharge(order);
console.log(data.status satisfies 'success' | 'pending', data.data.amount);`,
};

export const SHOP_IN_JAVA = `import java.math.BigDecimal;
import org.openapitools.client.ApiClient;
import org.openapitools.client.api.RechargesApi;
import org.openapitools.client.model.*;

class Shop {
  public static void main(String[] words) throws Exception {
    java.net.URI base = java.net.URI.create(System.getenv("BASE_URL"));
    ApiClient client = new ApiClient().setScheme(base.getScheme()).setHost(base.getHost()).setPort(base.getPort());
    client.setRequestInterceptor(request -> request.header("authorization", "Bearer " + System.getenv("TOKEN")));
    RechargeRequest order = new RechargeRequest().accountNumber("9876543210").amount(new BigDecimal("19.99"))
        .operatorSpKey(116).operatorType(RechargeRequest.OperatorTypeEnum.MOBILE).clientRequestId(System.getenv("KEY"));
    RechargeAnswer answer = new RechargesApi(client).recharge(order, null, null);
    System.out.println(answer.getStatus().getValue() + " " + answer.getData().getAmount());
  }
}
`;

/**
 * Java sources that are required to compile the client and missing in the registry: annotations without effect, and an unused
 * module.
 */
export const STAND_INS_IN_JAVA: Readonly<Record<string, string>> = {
  'javax/annotation/Generated.java':
    'package javax.annotation; public @interface Generated { String[] value(); String date() default ""; }',
  'javax/annotation/Nullable.java': 'package javax.annotation; public @interface Nullable {}',
  'javax/annotation/Nonnull.java': 'package javax.annotation; public @interface Nonnull {}',
  'org/openapitools/jackson/nullable/JsonNullableModule.java':
    'package org.openapitools.jackson.nullable; public class JsonNullableModule extends com.fasterxml.jackson.databind.module.SimpleModule {}',
};

/**
 * The client sends through Guzzle, which is in a separate registry. Here PHP sends the request, and the client only parses the
 * response.
 */
export const SHOP_IN_PHP = `<?php
spl_autoload_register(function (string $class): void {
    $file = $argv[1] ?? $GLOBALS['argv'][1];
    $file .= '/lib/' . str_replace(['OpenAPI\\\\Client\\\\', '\\\\'], ['', '/'], $class) . '.php';
    if (is_file($file)) require $file;
});
$order = new OpenAPI\\Client\\Model\\RechargeRequest(['account_number' => '9876543210', 'amount' => 19.99,
    'operator_sp_key' => 116, 'operator_type' => 'mobile', 'client_request_id' => getenv('KEY')]);
if (!$order->valid()) exit(implode("\\n", $order->listInvalidProperties()));
$body = json_encode(OpenAPI\\Client\\ObjectSerializer::sanitizeForSerialization($order));
$headers = "content-type: application/json\\r\\nauthorization: Bearer " . getenv('TOKEN');
$context = stream_context_create(['http' => ['method' => 'POST', 'header' => $headers, 'content' => $body]]);
$text = file_get_contents(getenv('BASE_URL') . '/api/v1/recharge', false, $context);
$answer = OpenAPI\\Client\\ObjectSerializer::deserialize(json_decode($text), '\\OpenAPI\\Client\\Model\\RechargeAnswer');
echo $answer->getStatus(), ' ', $answer->getData()->getAmount(), "\\n";
`;
