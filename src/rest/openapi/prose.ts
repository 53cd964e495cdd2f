import type { PolicyRow } from '../../graphql/schema/policy.js';
import type { JsonSchema } from '../../graphql-toolkit/value-schema.js';

/** Notice at the start of the API documentation, about the most frequent mistake of integrators. */
export const PENDING_NOTICE =
  'While the outcome of a recharge or bill payment is not known, the response is 200 with status "pending" and the amount is held. Never create a new order for the same payment. Check the status until it is success or failed. For a recharge, retry the request with the same client_request_id, or send its api_request_id to /api/v1/recharge/status. For a bill payment, send its orderid to /api/v1/bill-payment/credit-card/status. Only the status of an order is final: "failed" means that nothing is charged, because the amount was refunded or no order was placed. "error" refers only to the request and does not report the status of an order.';

/** Returns the instructions for expired tokens. Clients of services whose tokens never expire do not expect this. */
export const tokenNotice = ({ tokenIdleDays, tokenMaxDays }: { tokenIdleDays: number; tokenMaxDays: number }): string =>
  `Token from auth/client-credentials, valid only in this environment. Store and reuse it. It expires after ${tokenIdleDays} days without use, and at the latest ${tokenMaxDays} days after it was issued. Your account may have shorter limits: expires_at is the time at which the token expires if it is not used again. On 401, exchange the credentials again and retry the request.`;

/** Groups of paths, by the segment after /api/v1/. */
const TAGS: Readonly<Record<string, { name: string; description: string }>> = {
  auth: { name: 'Tokens', description: 'Exchange client credentials for the token that all other calls require.' },
  recharge: { name: 'Recharges', description: 'Prepaid mobile and DTH recharges, paid from the wallet.' },
  'bill-payment': { name: 'Card bills', description: 'Fetch credit card bills and pay them from the wallet.' },
  plan: { name: 'Lookups', description: 'Operators of mobile numbers, plans, and DTH subscriber information.' },
  leads: { name: 'Leads', description: 'Customers of financial products, and the status of their applications.' },
  products: { name: 'Products', description: 'Financial products for which leads can be created.' },
  wallet: { name: 'Wallet', description: 'Balance and statement of the account in the environment of the token.' },
  orders: { name: 'Orders', description: 'Accepted recharges and bill payments.' },
  operators: { name: 'Code tables', description: 'Operators, circles and banks with their codes.' },
  circles: { name: 'Code tables', description: 'Operators, circles and banks with their codes.' },
  banks: { name: 'Code tables', description: 'Operators, circles and banks with their codes.' },
  webhooks: { name: 'Webhooks', description: 'Webhook endpoints, which receive the final outcomes of orders.' },
  sandbox: { name: 'Sandbox', description: 'Testing tools, available only in UAT.' },
};

function groupOf(path: string): { name: string; description: string } {
  const [, segment = ''] = /^\/api\/v1\/([\w-]+)/.exec(path) ?? [];
  const tag = TAGS[segment];
  if (!tag) throw new Error(`${path} belongs to no group of the documents.`);
  return tag;
}

export const tagOf = (path: string): string => groupOf(path).name;

/** Returns the groups of the given paths, in the order of the table. */
export function tagsOf(paths: readonly string[]): JsonSchema[] {
  const used = new Set(paths.map(tagOf));
  return [...new Map(Object.values(TAGS).map((tag) => [tag.name, tag])).values()].filter(({ name }) => used.has(name));
}

/** Returns the services that must be enabled for the operation. */
export function accessText(rows: readonly PolicyRow[]): string[] {
  const services = rows.flatMap(({ access }) => (access.kind === 'token' && access.service ? [access.service] : []));
  return services.length > 0
    ? [
        `An administrator must enable this service for your account. Service key: ${services.map((name) => `\`${name}\``).join(', ')}.`,
      ]
    : [];
}

/**
 * Returns the text about the rate limit.
 * @param limit requests per minute
 */
export const limitText = (rows: readonly PolicyRow[], limit: number): string[] =>
  rows.map(
    ({ endpoint }) =>
      `Rate limit: ${limit} requests per minute for \`${endpoint}\`, unless your account has a different limit.`,
  );

export const PENDING_TEXT =
  'While the outcome is not known, the response is 200 with `status` "pending" and a Retry-After header. It has the documented keys; unknown values are null. The amount is held. Never create a new order for the same payment.';
