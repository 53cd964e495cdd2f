// Keeps the API secret and places recharges. For lookups and the order status, the page calls the gateway with client tokens.
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';

const { GATEWAY_URL = 'http://127.0.0.1:4000', CLIENT_ID, API_SECRET, PORT = '5173' } = process.env;

const post = async (path, body, headers = {}) => {
  const sent = {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  };
  return (await fetch(GATEWAY_URL + path, sent)).json();
};
let token;
const exchange = async () => {
  const key = { client_id: CLIENT_ID, api_secret: API_SECRET, environment: 'uat' };
  const answer = await post('/api/v1/auth/client-credentials', key);
  if (!answer.token) throw new Error(`The gateway rejected the API key: ${answer.message}`);
  token = answer.token;
};
const graphql = async (query, variables) => {
  const isNew = !token;
  if (isNew) await exchange();
  const { data, errors } = await post('/graphql', { query, variables }, { authorization: `Bearer ${token}` });
  if (!errors) return data;
  const isExpired = errors[0].extensions.code === 'UNAUTHENTICATED';
  if (isExpired) token = undefined;
  if (isExpired && !isNew) return graphql(query, variables);
  throw new Error(errors[0].message);
};
const actions = {
  '/lookup-token': () => graphql('mutation { createClientToken(input: { scopes: [LOOKUPS] }) { token expiresAt } }'),
  // A real shop authenticates the customer, checks the price and collects the payment first. Never forward other fields.
  // A retry with the same `clientRequestId` returns the same order.
  '/recharge': ({ accountNumber, amount, operatorSpKey, clientRequestId }) =>
    graphql(
      `mutation Recharge($input: RechargeInput!, $order: OrderKeyInput!) {
        recharge(input: $input) { order { id } }
        createClientToken(input: { scopes: [ORDER], order: $order }) { token expiresAt }
      }`,
      {
        input: { accountNumber, amount, operatorSpKey, operatorType: 'MOBILE', clientRequestId },
        order: { kind: 'RECHARGE', clientRequestId },
      },
    ),
};
const TYPES = { html: 'text/html; charset=utf-8', js: 'text/javascript', json: 'application/json' };

createServer(async (request, response) => {
  try {
    const action = request.method === 'POST' ? actions[request.url] : undefined;
    if (!action) {
      const file = /^\/assets\/[\w.-]+$/.test(request.url) ? request.url : '/index.html';
      const content = await readFile(new URL(`dist${file}`, import.meta.url));
      return response.setHeader('content-type', TYPES[file.split('.').at(-1)] ?? 'text/plain').end(content);
    }
    const body = (await request.toArray()).join('');
    const answer = JSON.stringify(await action(body ? JSON.parse(body) : {}));
    response.setHeader('content-type', TYPES.json).end(answer);
  } catch (error) {
    response.writeHead(502, { 'content-type': TYPES.json }).end(JSON.stringify({ error: error.message }));
  }
}).listen(Number(PORT), '127.0.0.1', () => console.log(`http://127.0.0.1:${PORT}`));
