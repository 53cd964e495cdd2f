import { LOOPBACK_ORIGINS, type OriginPattern } from '../core/addresses.js';
import type { DemoFile } from './demo-file.js';

const exchange = ({ baseUrl, clientId, apiSecret }: DemoFile['uat'], environment: string): string =>
  `curl -s ${baseUrl}/api/v1/auth/client-credentials -H 'content-type: application/json' -d '{"client_id":"${clientId}","api_secret":"${apiSecret}","environment":"${environment}"}'`;

/**
 * Returns the shell expression for the token in the response to a call. A response without a token, such as an error response,
 * is printed unchanged.
 */
const tokenOf = (call: string): string =>
  `$(${call} | sed -n -e 's/.*"token":"\\([^"]*\\)".*/\\1/p' -e t -e 'w /dev/stderr')`;

const originsIn = (patterns: readonly OriginPattern[]): string =>
  patterns
    .map((pattern) =>
      pattern === LOOPBACK_ORIGINS ? 'http://localhost:*, http://127.0.0.1:*, http://[::1]:*' : String(pattern),
    )
    .join(', ');

/** Returns the text that `npm start` prints when all hosts listen: addresses, accounts, and commands to paste. */
export function banner(
  demo: DemoFile,
  dataDir: string,
  { uatToken, uatOrigins }: { uatToken: string; uatOrigins: readonly OriginPattern[] },
): string {
  const { uat, production, console: admin, simulator } = demo;
  return `
Ready.

  UAT         ${uat.baseUrl}
  Production  ${production.baseUrl}
  Console     ${admin.baseUrl}
  Simulator   ${simulator.baseUrl}

  Demo accounts are in ${dataDir}/demo.json, sent emails in ${dataDir}/mailbox
  Admin         ${admin.admin.email}  ${admin.admin.password}
  Second admin  ${admin.secondAdmin.email}  ${admin.secondAdmin.password}
  Developer     ${admin.developer.email}  ${admin.developer.password}

Try GraphQL in a browser, in UAT with a token, in the console as the signed-in user:

  UAT         ${uat.baseUrl}/graphiql#token=${uatToken}
  Console     ${admin.baseUrl}/graphiql

Web pages that can call UAT from a browser (CORS_ORIGINS_UAT): ${originsIn([admin.baseUrl, ...uatOrigins])}

Commands to paste. Get a token for UAT, then recharge over REST:

TOKEN=${tokenOf(exchange(uat, 'uat'))}
curl -s ${uat.baseUrl}/api/v1/recharge -H "authorization: Bearer $TOKEN" -H 'content-type: application/json' -d '{"account_number":"9876543210","amount":199,"operator_sp_key":37,"operator_type":"mobile","client_request_id":"order-'$(date +%s)'"}'; echo

Recharge over GraphQL:

curl -s ${uat.baseUrl}/graphql -H "authorization: Bearer $TOKEN" -H 'content-type: application/json' -d '{"query":"mutation { recharge(input: {accountNumber: \\"9876543210\\", amount: 199, operatorSpKey: 37, operatorType: MOBILE}) { order { id status operatorRef } wallet { balance } } }"}'; echo

Recharge in Production, with the provider simulator:

LIVE=${tokenOf(exchange(production, 'production'))}
curl -s ${production.baseUrl}/api/v1/recharge -H "authorization: Bearer $LIVE" -H 'content-type: application/json' -d '{"account_number":"9876543210","amount":10,"operator_sp_key":3,"operator_type":"mobile","client_request_id":"live-'$(date +%s)'"}'; echo

Press Ctrl-C to stop everything.
`;
}
