import { UUID } from '../../core/ids.js';
import type { DeveloperFilter, DeveloperSort } from './developer.inputs.js';

/**
 * Builds the WHERE clause for account `d` and white label `w`. Unset filters add no condition, so that the planner can use the
 * right index.
 */
export function conditionsOf(filter: DeveloperFilter): { conditions: string[]; values: unknown[] } {
  const values: unknown[] = [];
  const conditions = ['true'];
  const add = <Value>(value: Value | undefined, condition: (parameter: string) => string): void => {
    if (value !== undefined) conditions.push(condition(`$${values.push(value)}`));
  };
  const { search, service, serviceEnabled = true, environment = 'production', balanceBelow } = filter;
  add(filter.status, (status) => `d.onboarding_status = ${status}`);
  add(filter.suspended, (is) => `(d.suspended_at is not null) = ${is}::boolean`);
  add(filter.closed, (is) => `(d.closed_at is not null) = ${is}::boolean`);
  add(filter.productionUnlocked, (is) => `d.production_unlocked = ${is}::boolean`);
  const { productionRequested: waits } = filter;
  if (waits !== undefined)
    conditions.push(`${waits ? '' : 'not '}(d.production_requested_at is not null and not d.production_unlocked)`);
  add(filter.whiteLabelId, (id) => `d.white_label_id = ${id}::uuid`);
  add(filter.rechargeProvider, (name) => `coalesce(w.recharge_provider, d.recharge_provider) = ${name}`);
  add(
    service,
    (key) => `${serviceEnabled ? '' : 'not '}exists (
      select from service_access s where s.service = ${key} and s.developer_id = d.id and s.enabled)`,
  );
  if (balanceBelow !== undefined) {
    const world = `$${values.push(environment)}`;
    add(
      String(balanceBelow),
      (paise) => `exists (select from wallet b
        where b.developer_id = d.id and b.environment = ${world} and b.balance_paise < ${paise}::bigint)`,
    );
  }
  if (search) {
    const like = `$${values.push(`%${search.replace(/[\\%_]/g, '\\$&')}%`)}`;
    add(
      search.replace(/^dev_/, ''),
      (text) =>
        `(d.name ilike ${like} or d.email ilike ${like} or d.id::text = ${text} or d.account_number::text = ${text})`,
    );
  }
  return { conditions, values };
}

/** Sort order of a list of developers: by a value, then by ID. A cursor contains both. */
interface Order {
  list: string;
  value: string;
  type: 'text' | 'timestamptz' | 'uuid' | 'bigint';
  descending: boolean;
  /** Format of the sort value in a cursor. */
  pattern: RegExp;
  /** Join that the sort value needs. */
  beside?: string;
}

/** Format of a timestamp from PostgreSQL. */
const INSTANT = /^(\d{4}-[-\d :.+]{15,30}|-?infinity)$/;

export const ORDERS: Readonly<Record<DeveloperSort, Order>> = {
  // IDs start with their creation time
  created_desc: { list: 'developers', value: 'd.id', type: 'uuid', descending: true, pattern: UUID },
  name_asc: {
    list: 'developers-by-name',
    value: 'd.name',
    type: 'text',
    descending: false,
    pattern: /^[^\0]{1,200}$/su,
  },
  kyc_submitted_asc: {
    list: 'developers-by-kyc',
    value: `coalesce(d.kyc_submitted_at, 'infinity'::timestamptz)`,
    type: 'timestamptz',
    descending: false,
    pattern: INSTANT,
  },
  // wallets have no index for these two, because every posting would have to maintain it and there are few wallets
  last_order_desc: {
    list: 'developers-by-order',
    value: `coalesce(wallets.last_order_at, '-infinity'::timestamptz)`,
    type: 'timestamptz',
    descending: true,
    pattern: INSTANT,
    beside: `left join (select developer_id, max(last_order_at) as last_order_at from wallet group by 1) wallets on wallets.developer_id = d.id`,
  },
  production_balance_asc: {
    list: 'developers-by-balance',
    value: `coalesce(live.balance_paise, 9223372036854775807)`,
    type: 'bigint',
    descending: false,
    pattern: /^\d{1,19}$/,
    beside: `left join wallet live on live.developer_id = d.id and live.environment = 'production'`,
  },
};

/** Separator of value and ID in a cursor. It occurs in no value. */
export const BETWEEN = '\u0001';
export const cursorOf = ({ pattern }: Order): RegExp =>
  new RegExp(
    `^(?=${pattern.source.slice(1, -1)}${BETWEEN}[^${BETWEEN}]+$).*${BETWEEN}${UUID.source.slice(1)}`,
    pattern.flags,
  );
