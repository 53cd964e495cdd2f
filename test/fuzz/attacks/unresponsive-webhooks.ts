import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { rechargeBody } from '../../support/recharges.js';
import { type Attacker, times } from './attacker.js';

const ENDPOINTS_PER_ENVIRONMENT = 5;
const RECHARGES = 50;
const WAIT_MS = 30_000;
const CREATE = `mutation($input: CreateWebhookEndpointInput!) {
  createWebhookEndpoint(input: $input) { endpoint { id } }
}`;

async function startReceiver(reply: boolean, onMessage: () => void): Promise<{ server: Server; url: string }> {
  const server = createServer((request, response) => {
    request.resume();
    onMessage();
    if (reply) response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook` };
}

const recharge = (key: string): object => rechargeBody({ amount: 1, client_request_id: key });

/**
 * The receivers of one account accept connections and never respond. Measures how long another account waits for its own event.
 */
export async function unresponsiveWebhooks(attacker: Attacker): Promise<void> {
  const { values } = attacker.stage;
  let receivedAtMs = 0;
  const unresponsive = await startReceiver(false, () => {});
  const honest = await startReceiver(true, () => (receivedAtMs ||= performance.now()));
  const create = async (environment: string, url: string, account: string): Promise<void> => {
    const input = { environment, url, developerId: values.get(`developer.${account}`) };
    const reply = await attacker.send('console', '/graphql', {
      token: 'admin',
      body: { query: CREATE, variables: { input } },
    });
    if (!reply.includes('"whe_')) throw new Error(`No endpoint was created: ${reply}`);
  };
  try {
    await create('UAT', honest.url, 'owner');
    for (let n = 0; n < ENDPOINTS_PER_ENVIRONMENT; n++)
      for (const environment of ['UAT', 'PRODUCTION']) await create(environment, `${unresponsive.url}/${n}`, 'victim');
    await times(RECHARGES, 16, (n) =>
      attacker.send(n % 2 === 0 ? 'uat' : 'production', '/api/v1/recharge', {
        token: n % 2 === 0 ? 'victim-uat' : 'victim-production',
        body: recharge(`dead-${n}`),
      }),
    );
    await sleep(1_000); // deliveries to the attacker are in progress
    const startedMs = performance.now();
    await attacker.send('uat', '/api/v1/recharge', { token: 'owner-uat', body: recharge('honest-hook') });
    while (receivedAtMs === 0 && performance.now() - startedMs < WAIT_MS) await sleep(20);
    if (receivedAtMs === 0) attacker.failure = `another tenant's message did not come in ${WAIT_MS / 1_000} s`;
    else attacker.note = `another tenant's message came after ${Math.round(receivedAtMs - startedMs)} ms`;
  } finally {
    for (const { server } of [unresponsive, honest]) {
      server.closeAllConnections();
      server.close();
    }
  }
}
