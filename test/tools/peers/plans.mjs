// Common parts of the compared servers: the schema, the response, and the additional work that our service does for a request.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import pg from 'pg';

/** The part of our schema that the query uses. */
export const typeDefs = `
  type Query { mobilePlans(input: MobilePlansInput!): PlansResult }
  input MobilePlansInput { mobile: String! opcode: MobileOpcode! circle: String! clientRequestId: String! }
  enum MobileOpcode { ${process.env.OPCODES} }
  type PlansResult {
    clientRequestId: String!
    fee: Float!
    wallet: Wallet
    operatorName: String!
    operator: Operator
    groups: [PlanGroup!]!
  }
  type Wallet { balance: Float! }
  type Operator { name: String! spKey: Int! }
  type PlanGroup { name: String! plans: [Plan!]! }
  type Plan { price: Float! type: String! description: String! validity: String! }
`;

/** Response of our service, read from it before the measurement. */
const plans = JSON.parse(readFileSync(process.env.PLANS_FILE, 'utf8'));
const MINUTE_MS = 60_000;

/** @returns the context of a request, created from its token: two statements and a limit in memory, or nothing */
export function requestContext() {
  if (process.env.WORK !== 'same') return async () => ({ wallet: plans.wallet });
  const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 20 });
  const limits = new Map();
  return async (authorization) => {
    const token = /^Bearer (.+)$/.exec(authorization ?? '')?.[1];
    if (!token) throw new Error('UNAUTHENTICATED');
    const { rows } = await pool.query({
      name: 'principal',
      text: `select t.environment, d.id, d.onboarding_status, d.suspended_at, d.rate_limit_per_minute, s.enabled, s.fee_paise
        from access_token t join credential c on c.client_id = t.client_id join developer d on d.id = t.developer_id
        join service_access s on s.developer_id = d.id and s.service = 'operator_plan_fetch'
        where t.token_hash = $1 and t.expires_at > now() and t.revoked_at is null and c.revoked_at is null`,
      values: [createHash('sha256').update(token).digest()],
    });
    const [principal] = rows;
    if (!principal) throw new Error('UNAUTHENTICATED');
    if (principal.suspended_at || !principal.enabled || principal.onboarding_status !== 'approved')
      throw new Error('FORBIDDEN');
    const now = Date.now();
    const limit = limits.get(principal.id);
    if (!limit || limit.endsAt <= now) limits.set(principal.id, { count: 1, endsAt: now + MINUTE_MS });
    else if (++limit.count > principal.rate_limit_per_minute) throw new Error('RATE_LIMITED');
    const wallets = await pool.query({
      name: 'wallet',
      text: 'select balance_paise from wallet where developer_id = $1 and environment = $2',
      values: [principal.id, principal.environment],
    });
    return { wallet: { balance: Number(wallets.rows[0].balance_paise) / 100 } };
  };
}

export const resolvers = {
  Query: {
    mobilePlans: (_root, { input }, { wallet }) => {
      if (!/^\d{10}$/.test(input.mobile)) throw new Error('VALIDATION_FAILED');
      return { ...plans, clientRequestId: input.clientRequestId, wallet };
    },
  },
};
