import type { Environment } from './generated/documents.js';

interface Key {
  baseUrl: string;
  clientId: string;
  environment: Environment;
}

/** Sample code that exchanges an API key for a token and uses the token, as in the guides. REST uses lowercase values. */
const snippets = {
  curl: ({ baseUrl, clientId, environment }) => `curl ${baseUrl}/api/v1/auth/client-credentials \\
  -H 'content-type: application/json' \\
  -d '{"client_id": "${clientId}", "api_secret": "YOUR_SECRET", "environment": "${environment.toLowerCase()}"}'

# with the token from the response
curl ${baseUrl}/api/v1/auth/me -H 'authorization: Bearer YOUR_TOKEN'`,

  GraphQL: ({ baseUrl, clientId, environment }) => `curl ${baseUrl}/graphql -H 'content-type: application/json' -d '{
  "query": "mutation($input: IssueTokenInput!) { issueToken(input: $input) { token expiresAt } }",
  "variables": { "input": { "clientId": "${clientId}", "apiSecret": "YOUR_SECRET", "environment": "${environment}" } }
}'

# with the token from the response
curl ${baseUrl}/graphql -H 'authorization: Bearer YOUR_TOKEN' -H 'content-type: application/json' \\
  -d '{ "query": "{ wallet { balance held } }" }'`,

  'Node.js': ({ baseUrl, clientId, environment }) => `const baseUrl = '${baseUrl}';
async function call(path, token, body) {
  const response = await fetch(baseUrl + path, {
    method: body ? 'POST' : 'GET',
    headers: { 'content-type': 'application/json', ...(token ? { authorization: \`Bearer \${token}\` } : {}) },
    body: body && JSON.stringify(body),
  });
  return response.json();
}

const keys = { client_id: '${clientId}', api_secret: 'YOUR_SECRET', environment: '${environment.toLowerCase()}' };
const { token } = await call('/api/v1/auth/client-credentials', undefined, keys);
console.log(await call('/api/v1/auth/me', token));`,

  PHP: ({ baseUrl, clientId, environment }) => `$baseUrl = '${baseUrl}';
function call(string $path, ?string $token, ?array $body = null): array {
    global $baseUrl;
    $curl = curl_init($baseUrl . $path);
    $headers = $token === null ? [] : ["Authorization: Bearer $token"];
    if ($body !== null) {
        $headers[] = 'Content-Type: application/json';
        curl_setopt($curl, CURLOPT_POSTFIELDS, json_encode($body));
    }
    curl_setopt_array($curl, [CURLOPT_HTTPHEADER => $headers, CURLOPT_RETURNTRANSFER => true, CURLOPT_TIMEOUT => 60]);
    return json_decode((string) curl_exec($curl), true) ?? [];
}

$keys = ['client_id' => '${clientId}', 'api_secret' => 'YOUR_SECRET', 'environment' => '${environment.toLowerCase()}'];
$token = call('/api/v1/auth/client-credentials', null, $keys)['token'];
print_r(call('/api/v1/auth/me', $token));`,
} satisfies Record<string, (key: Key) => string>;

export type SnippetName = keyof typeof snippets;
export const SNIPPET_NAMES = Object.keys(snippets) as SnippetName[];
export const firstCall = (name: SnippetName, key: Key): string => snippets[name](key);
