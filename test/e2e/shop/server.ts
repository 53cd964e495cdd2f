import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { text } from 'node:stream/consumers';

const FILES: Readonly<Record<string, string>> = { '/': 'page.html', '/page.js': 'page.js' };
const TYPES: Readonly<Record<string, string>> = { html: 'text/html; charset=utf-8', js: 'text/javascript' };

const CLIENT_TOKEN = 'mutation($input: CreateClientTokenInput!) { createClientToken(input: $input) { token } }';
const RECHARGE = `mutation($input: RechargeInput!) {
  recharge(input: $input) { order { id status decline { reason message } } wallet { balance version } }
}`;
const HISTORY = `{
  wallet { balance version }
  orders(first: 10) { edges { node { accountNumber amount status operator { name } decline { reason } } } }
}`;

/** The server of a shop. Only the server has a token that moves money; its page gets tokens that cannot. */
export function startShop(port: number, api: { url: string; token: string }): Server {
  const send = async (query: string, variables?: object): Promise<any> => {
    const response = await fetch(`${api.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${api.token}` },
      body: JSON.stringify({ query, variables }),
    });
    const { data, errors } = (await response.json()) as { data: any; errors?: { message: string }[] };
    if (errors) throw new Error(errors[0]!.message);
    return data;
  };
  const clientToken = async (input: object): Promise<string> =>
    (await send(CLIENT_TOKEN, { input })).createClientToken.token;
  const routes: Readonly<Record<string, (body: object) => Promise<object>>> = {
    'GET /session': async () => ({ apiUrl: api.url, token: await clientToken({ scopes: ['LOOKUPS'] }) }),
    'GET /history': () => send(HISTORY),
    'POST /recharge': async (body) => {
      const { recharge } = await send(RECHARGE, { input: { ...body, operatorType: 'MOBILE' } });
      return { ...recharge, token: await clientToken({ scopes: ['ORDER'], orderId: recharge.order.id }) };
    },
  };
  const responseTo = async (request: IncomingMessage): Promise<[type: string, body: string | Buffer]> => {
    const file = FILES[request.url!];
    if (file) return [TYPES[file.split('.').pop()!]!, readFileSync(new URL(file, import.meta.url))];
    const body = request.method === 'POST' ? JSON.parse(await text(request)) : {};
    return ['application/json', JSON.stringify(await routes[`${request.method} ${request.url}`]!(body))];
  };
  return createServer((request, response) => {
    responseTo(request).then(
      ([type, body]) => response.setHeader('content-type', type).end(body),
      (error: Error) => response.writeHead(500).end(JSON.stringify({ message: error.message })),
    );
  }).listen(port, '127.0.0.1');
}
