import type { PolicyRow } from '../../graphql/schema/policy.js';
import type { JsonSchema } from '../../graphql-toolkit/value-schema.js';

/** What the pages about the API begin with: the one thing that integrators of such services get wrong. */
export const PENDING_NOTICE =
  'A recharge or bill payment whose outcome is not known yet answers 200 with status "pending": the money is held. Never create a new order for it. Ask for its status until it says success or failed: a recharge by repeating the same request with the same client_request_id, or with its api_request_id at /api/v1/recharge/status; a bill payment with its orderid at /api/v1/bill-payment/credit-card/status. Only an order has a verdict: "failed" means that nothing is charged, because the refund is in the wallet or no order was ever placed. "error" is about the request alone and says nothing about an order.';

/** What to do when a token ends, which no client of a service with everlasting tokens expects. */
export const tokenNotice = ({ tokenIdleDays, tokenMaxDays }: { tokenIdleDays: number; tokenMaxDays: number }): string =>
  `The token of auth/client-credentials, for this environment only. Keep it: it lives while it is used. It ends after ${tokenIdleDays} days without use, and ${tokenMaxDays} days after the exchange in any case; your account may have shorter limits, and expires_at says when it ends unless it is used. On 401 exchange the credentials again, and repeat the request.`;

/** The groups of paths, by what follows /api/v1/. */
const TAGS: Readonly<Record<string, { name: string; description: string }>> = {
  auth: { name: 'Tokens', description: 'Client credentials become a token, which every other call needs.' },
  recharge: { name: 'Recharges', description: 'Prepaid mobiles and DTH, paid from the wallet.' },
  'bill-payment': { name: 'Card bills', description: 'Credit card bills: fetched, and paid from the wallet.' },
  plan: { name: 'Lookups', description: 'The operator of a number, plans, and DTH subscribers.' },
  leads: { name: 'Leads', description: 'Customers of financial products, and what became of their applications.' },
  products: { name: 'Products', description: 'The financial products that leads are for.' },
  wallet: { name: 'Wallet', description: 'The balance of the token’s account and environment, and its statement.' },
  orders: { name: 'Orders', description: 'Recharges and bill payments that were accepted.' },
  operators: { name: 'Code tables', description: 'Operators, circles and banks with the codes that calls take.' },
  circles: { name: 'Code tables', description: 'Operators, circles and banks with the codes that calls take.' },
  banks: { name: 'Code tables', description: 'Operators, circles and banks with the codes that calls take.' },
  webhooks: { name: 'Webhooks', description: 'Where final outcomes are posted to.' },
  sandbox: { name: 'Sandbox', description: 'What is there in UAT alone.' },
};

function groupOf(path: string): { name: string; description: string } {
  const [, segment = ''] = /^\/api\/v1\/([\w-]+)/.exec(path) ?? [];
  const tag = TAGS[segment];
  if (!tag) throw new Error(`${path} belongs to no group of the documents.`);
  return tag;
}

export const tagOf = (path: string): string => groupOf(path).name;

/** The groups of these paths, in the order of the table. */
export function tagsOf(paths: readonly string[]): JsonSchema[] {
  const used = new Set(paths.map(tagOf));
  return [...new Map(Object.values(TAGS).map((tag) => [tag.name, tag])).values()].filter(({ name }) => used.has(name));
}

/** Who may call it. */
export function accessText(rows: readonly PolicyRow[]): string[] {
  const services = rows.flatMap(({ access }) => (access.kind === 'token' && access.service ? [access.service] : []));
  return services.length > 0
    ? [`An admin enables it for each account: the service key is ${services.map((name) => `\`${name}\``).join(', ')}.`]
    : [];
}

/** How often it may be called. @param limit requests in a minute */
export const limitText = (rows: readonly PolicyRow[], limit: number): string[] =>
  rows.map(
    ({ endpoint }) => `At most ${limit} calls of \`${endpoint}\` a minute, unless your account has another limit.`,
  );

export const PENDING_TEXT =
  'While the outcome is not known the answer is 200 with `status` "pending" and a Retry-After: the documented keys, unknown ones null. The money is held. Never create a new order for it.';
