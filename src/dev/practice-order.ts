import type { App } from '../app.js';
import type { DemoFile } from './demo-file.js';

/** Account whose provider completes the recharge and returns an error page; see `magicNumbers`. */
const ACCOUNT = '9876540007';
const AMOUNT_RUPEES = 199;
/** Idempotency key that prevents a second order if an interrupted seed is repeated. */
const CLIENT_REQUEST_ID = 'practice-review';

const START = { requestId: 'npm start', addressKey: '127.0.0.1' };

/**
 * Places an order that needs manual review, for practice: its provider has no status check, and the statement of the simulator
 * lists the order as successful. The order goes through the Production host like every order.
 */
export async function placePracticeOrder(
  app: App,
  { clientId, apiSecret, baseUrl }: DemoFile['mokshiq'],
): Promise<void> {
  const keys = { clientId, apiSecret, environment: 'production', deviceName: 'npm start' } as const;
  const { token } = await app.tokens.issue(keys, 'production', START);
  const response = await fetch(`${baseUrl}/api/v1/recharge`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      account_number: ACCOUNT,
      amount: AMOUNT_RUPEES,
      operator_sp_key: 116,
      operator_type: 'mobile',
      client_request_id: CLIENT_REQUEST_ID,
    }),
  });
  const { status } = (await response.json()) as { status?: string };
  if (status !== 'pending')
    throw new Error(`The practice order is not pending: ${status ?? 'no status'} (HTTP ${response.status}).`);
}
