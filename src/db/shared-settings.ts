import { createHash } from 'node:crypto';
import { Setting, type Tree } from '../config/setting.js';
import { type Config, settings } from '../config/settings.js';
import { Secret } from '../core/secret.js';
import type { Channel } from './channel.js';
import { locks } from './locks.js';
import type { Queryable } from './pool.js';

/**
 * Settings that must be identical in all processes, because limits would otherwise depend on the process. For secrets, see
 * `SecretFingerprint`.
 */
const SHARED = `
  SHARED_LIMITS REDIS_URL RATE_LIMIT_PER_MINUTE PROVIDER_CONCURRENCY EXPOSURE_LIMIT SYNC_WINDOW_MS
  PROVIDER_TIMEOUT_MS LEASE_MARGIN_MS STATUS_CHECK_SCHEDULE_MS VISIBILITY_DELAY_MS MANUAL_REVIEW_AFTER_MS
  RECHECK_AFTER_MS MAX_RECHARGE_RUPEES MAX_BILL_PAYMENT_RUPEES RESOLVE_APPROVAL_ABOVE_RUPEES
  RESOLVE_DAILY_LIMIT_RUPEES CREDIT_APPROVAL_ABOVE_RUPEES CREDIT_DAILY_LIMIT_RUPEES TWO_PEOPLE
  TWO_PEOPLE_FEE_ABOVE LOW_BALANCE_RUPEES TOKEN_IDLE_DAYS TOKEN_MAX_DAYS TOKENS_PER_CREDENTIAL
  STAFF_IDLE_MINUTES STAFF_SECOND_FACTOR OWNER_SECOND_FACTOR KYC_AFTER_CLOSING_DAYS WEBHOOK_RETRIES
  WEBHOOK_RETRY_DELAY_S WEBHOOK_RETRY_DELAY_MAX_S WEBHOOK_DISABLE_AFTER`.match(/\w+/g)!;

/** Returns the canonical text of a value. For a URL with a password, the result contains only the server. */
function textOf(value: unknown): string {
  if (value instanceof Secret) {
    const { host, pathname } = new URL(value.reveal());
    return `${host}${pathname}`;
  }
  return JSON.stringify(value, plain) ?? '';
}

/** Sorts lists, so that the text does not depend on their order. */
function plain(_name: string, part: unknown): unknown {
  if (typeof part === 'bigint') return String(part);
  return part instanceof Set || part instanceof Map
    ? [...part].map((item) => JSON.stringify(item, plain)).toSorted()
    : part;
}

const sharedIn = (config: object, tree: Tree): [string, string][] =>
  Object.entries(tree).flatMap(([name, node]) => {
    const value = (config as Record<string, unknown>)[name];
    if (!(node instanceof Setting)) return sharedIn(value as object, node);
    return SHARED.includes(node.variable) ? [[node.variable, textOf(value)]] : [];
  });

/** Returns a positive 31-bit number derived from a text. */
const numberOf = (text: string): number => createHash('sha256').update(text).digest().readUInt32BE() >>> 1;

/** Returns two numbers for each shared setting, derived from its name and its value. */
const numbersOf = (config: Config): { name: string; key: number; value: number }[] =>
  sharedIn(config, settings).map(([name, text]) => ({
    name,
    key: numberOf(`shared setting ${name}`),
    value: numberOf(text),
  }));

/** Announces the shared settings of this process to the other processes while it runs. */
export const publishSettings = (channel: Channel, config: Config): void =>
  channel.onConnect(async () => {
    const numbers = numbersOf(config);
    const values = [numbers.map(({ key }) => key), numbers.map(({ value }) => value)];
    await channel.query({
      text: `select ${locks.sharePair('k', 'v')} from unnest($1::int[], $2::int[]) t(k, v)`,
      values,
    });
  });

/** Shared setting that differs between running processes, and the number of processes that have the value of `config`. */
export interface SettingDifference {
  name: string;
  same: number;
  others: number;
}

/** Returns the number of running processes that announce their settings, and the settings that differ. */
export async function compareSettings(
  db: Queryable,
  config: Config,
): Promise<{ processes: number; differences: SettingDifference[] }> {
  const numbers = numbersOf(config);
  const { rows } = await db.query<{ key: number; value: number; count: number }>({
    text: locks.pairs('$1'),
    values: [numbers.map(({ key }) => key)],
  });
  const found = numbers.map(({ name, key, value }) => {
    const publishedRows = rows.filter((row) => row.key === key);
    const total = publishedRows.reduce((sum, { count }) => sum + count, 0);
    const same = publishedRows.find((row) => row.value === value)?.count ?? 0;
    return { name, values: publishedRows.length, same, others: total - same };
  });
  return {
    processes: Math.max(0, ...found.map(({ same, others }) => same + others)),
    differences: found.filter(({ values }) => values > 1),
  };
}
