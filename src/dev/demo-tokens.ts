import type { App } from '../app.js';
import type { DemoFile } from './demo-file.js';

const START = { requestId: 'npm start', addressKey: '127.0.0.1' };

/** A token of the demo's developer in UAT, and a session of its admin, for the links that `npm start` prints. */
export async function demoTokens(app: App, demo: DemoFile): Promise<{ uat: string; console: string }> {
  const { clientId, apiSecret } = demo.uat;
  const { email, password } = demo.console.admin;
  const [{ token }, session] = await Promise.all([
    app.tokens.issue({ clientId, apiSecret, environment: 'uat', deviceName: 'npm start' }, 'uat', START),
    app.users.signIn(email, password, START.addressKey, START.requestId),
  ]);
  return { uat: token, console: session.token };
}
