import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const PLANS = 110_000;

/** A plan provider whose every response contains as many plans as fit into a megabyte. */
export async function startHugePlans(): Promise<{ url: string; close: () => void }> {
  const plans = Array.from({ length: PLANS }, () => '{"rs":1}').join(',');
  const body = Buffer.from(`{"status":"Success","Operator":"BSNL","data":{"TOPUP":[${plans}]}}`);
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(200, { 'content-type': 'application/json' }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
