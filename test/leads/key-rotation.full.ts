import { beforeAll, expect, it } from 'vitest';
import { encryptedTables } from '../../src/cli/encrypted-tables.js';
import { FieldEncryption } from '../../src/core/field-encryption.js';
import { ZERO } from '../../src/core/money.js';
import { Secret } from '../../src/core/secret.js';
import { rotateTable } from '../../src/db/key-rotation.js';
import { createPool, type Queryable } from '../../src/db/pool.js';
import { type ProfileKey, ProfileStore, profileContext } from '../../src/leads/profile.store.js';
import { OrderStore } from '../../src/orders/order.store.js';
import type { LeadProfile } from '../../src/providers/ports/leads.port.js';
import { type TestDeveloper, testEnvironment } from '../support/app.js';
import { runProgram } from '../support/program.js';
import { place } from '../support/recharges.js';
import { useOwnApp } from '../support/use-app.js';
import { callsOf, person } from './lead.fixture.js';

const keyOf = (fill: number): string => Buffer.alloc(32, fill).toString('base64');
/** Encryption key of the test settings. */
const OLD = { id: 'test-1', key: keyOf(7) };
const NEW = { id: 'test-2', key: keyOf(8) };
const encryptionWith = (...keys: { id: string; key: string }[]) =>
  new FieldEncryption(keys.map(({ id, key }) => ({ id, key: new Secret(key) })));

const storeWith = (db: Queryable, encryption: FieldEncryption) =>
  new ProfileStore(db, encryption, new Secret('a pepper for tests only'));
const owner = () => ({ developerId: developer.id, environment: 'uat' as const });
const profileOf = (n: number) =>
  ({
    mobileNo: person(n).mobile_no,
    customerId: `customer-${n}`,
    monthlySalaryPaise: ZERO,
    itrAmountPaise: ZERO,
  }) as LeadProfile & { customerId: string };

const test = useOwnApp();
let developer: TestDeveloper;
beforeAll(async () => {
  developer = await test.developer({ feesPaise: { operator_fetch: 10 }, rateLimitPerMinute: 10_000 });
  await callsOf(test, developer).profile('uat', person(0));
  // more profiles than fit on one page
  const store = storeWith(test.app.pool, encryptionWith(OLD));
  await Promise.all(Array.from({ length: 204 }, (_, n) => store.save(owner(), profileOf(n + 1))));
  await place(test, developer, { client_request_id: 'before the rotation' });
  await test.rest('production', 'POST', '/api/v1/bill-payment/credit-card/bill-fetch', developer.tokens.production, {
    card: '3008',
    mobile: '9876543210',
    opcode: 'AXIS',
    orderid: 'BILL1',
  });
});

/** Number of values encrypted with each key, read from the stored bytes. */
async function keysInUse(table: string, column: string): Promise<Record<string, number>> {
  const rows = await test.db.query<{ key: string; n: number }>(
    `select convert_from(substring(${column} from 3 for get_byte(${column}, 1)), 'UTF8') as key, count(*)::int as n
      from ${table} where ${column} is not null group by 1`,
  );
  return Object.fromEntries(rows.map(({ key, n }) => [key, n]));
}

const settings = (keys: string): Record<string, string> => ({
  ...testEnvironment(test.db.url, test.simulator.url, [1, 2, 3]),
  ENCRYPTION_KEYS: keys,
});
const rotate = (keys: string) => runProgram('cli/rotate-keys.js', settings(keys));

it('the key rotation covers every encrypted column of the database', async () => {
  const columns = await test.db.query<{ name: string }>(
    `select table_name || '.' || column_name as name from information_schema.columns join pg_class on oid = table_name::regclass
      where table_schema = 'public' and not relispartition and data_type = 'bytea' and column_name !~ '(^|_)hash$' and column_name not in ('fingerprint', 'public_key', 'mac')`,
  );
  const encryptedColumns = encryptedTables.flatMap(({ table, columns: names }) =>
    names.map((column) => `${table}.${column}`),
  );
  expect(encryptedColumns.toSorted()).toEqual(columns.map(({ name }) => name).toSorted());
});

it('an unconfigured older key is reported, and nothing is changed', async () => {
  const failed = await rotate(`${NEW.id}:${NEW.key}`);
  expect(failed).toMatchObject({ code: 1 });
  expect(failed.stdout).toContain('lead_profile: 0 re-encrypted, 0 current, 205 unreadable (key test-1)');
  expect(failed.stdout).toContain('Keep the old keys');
  expect(failed.stdout).not.toContain(NEW.key);
});

it('everything is re-encrypted with the first key, after which the older key is not needed', async () => {
  const bothKeys = `${NEW.id}:${NEW.key},${OLD.id}:${OLD.key}`;
  const { code, stdout, stderr } = await rotate(bothKeys);
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toContain('lead_profile: 205 re-encrypted, 0 current');
  expect(stdout).toContain('Every value is encrypted with key "test-2".');
  for (const { table, columns } of encryptedTables)
    for (const column of columns) expect(Object.keys(await keysInUse(table, column))).not.toContain(OLD.id);
  expect(await keysInUse('lead_profile', 'profile')).toEqual({ [NEW.id]: 205 });
  expect(Object.keys(await keysInUse('orders', 'answer'))).toEqual([NEW.id]);

  const encryption = encryptionWith(NEW);
  const pool = createPool(test.db.url, { max: 1 });
  try {
    const profiles = storeWith(pool, encryption);
    expect(await profiles.customerIdOf(owner(), person(0).mobile_no)).toMatch(/./);
    expect(await profiles.customerIdOf(owner(), person(204).mobile_no)).toBe('customer-204');
    const store = new OrderStore(pool, encryption);
    const order = await store.byStoredKey(developer.id, 'production', 'recharge', 'before the rotation');
    expect(store.decrypt(order!.id, order!.request)).toMatchObject({ accountNumber: '9876543210' });
    expect(store.decrypt(order!.id, order!.result!)).toBeTruthy();
    const [bill] = await test.db.query<{ id: string; sealed: Buffer }>(
      'select id, provider_fetch_id as sealed from card_bill',
    );
    expect(encryption.decrypt(`card_bill:${bill!.id}`, bill!.sealed)).toMatch(/./);
  } finally {
    await pool.end();
  }

  const audited = await test.db.query<{ after: object }>(
    `select after from audit_entry where action = 'encryption.rotate'`,
  );
  expect(audited).toHaveLength(1);
  expect(audited[0]!.after).toMatchObject({ keyId: NEW.id });
});

it('a value written in the meantime is not overwritten', async () => {
  const profiles = encryptedTables.find(({ table }) => table === 'lead_profile')!;
  const pool = createPool(test.db.url, { max: 1, asOwner: true });
  const first = (await test.db.query<ProfileKey>('select * from lead_profile order by 1, 2, 3 limit 1'))[0]!;
  const encrypted = encryptionWith(NEW).encrypt(profileContext(first), { customerId: 'written meanwhile' });
  let writer: (() => Promise<unknown>) | undefined = () =>
    test.db.query('update lead_profile set profile = $1 where mobile_hash = $2', [encrypted, first.mobile_hash]);
  const raced: Queryable = {
    query: async (statement) => {
      if (statement.text.startsWith('update')) {
        await writer?.();
        writer = undefined;
      }
      return pool.query(statement);
    },
  };
  try {
    const encryption = encryptionWith({ id: 'test-3', key: keyOf(9) }, NEW);
    expect(await rotateTable(raced, encryption, profiles)).toMatchObject({ rotated: 204, changed: 1, unreadable: 0 });
    expect(await keysInUse('lead_profile', 'profile')).toEqual({ 'test-3': 204, [NEW.id]: 1 });
    expect(await rotateTable(pool, encryption, profiles)).toMatchObject({ rotated: 1, current: 204, changed: 0 });
    expect(await rotateTable(pool, encryption, profiles)).toMatchObject({ rotated: 0, current: 205, changed: 0 });
  } finally {
    await pool.end();
  }
});
