import { randomBytes } from 'node:crypto';
import type { Pool } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Secret } from '../../src/core/secret.js';
import { createPool } from '../../src/db/pool.js';
import { Readiness } from '../../src/db/readiness.js';
import {
  compareSecrets,
  fingerprintsOf,
  registerSecrets,
  requireSameSecrets,
  type SharedSecrets,
} from '../../src/db/secret-fingerprints.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';

let db: TestDatabase;
let pool: Pool;
beforeAll(async () => {
  db = await createTestDatabase();
  pool = createPool(db.url, { max: 4 });
});
afterAll(async () => {
  await pool.end();
  await db.drop();
});
beforeEach(() => db.query('delete from secret_fingerprint'));

const keyOf = (id: string, fill: number) => ({ id, key: new Secret(Buffer.alloc(32, fill).toString('base64')) });
const secrets: SharedSecrets = {
  encryptionKeys: [keyOf('2025', 1)],
  pepper: new Secret('a pepper of this test'),
  referenceSecret: new Secret('a reference secret of this test'),
};
const start = (more: Partial<SharedSecrets> = {}): Promise<void> => registerSecrets({ ...secrets, ...more })(pool);
const storedIds = async (): Promise<string[]> =>
  (await db.query<{ id: string }>(`select name || ' ' || key_id as id from secret_fingerprint order by 1`)).map(
    ({ id }) => id.trim(),
  );

describe('after a process has started', () => {
  beforeEach(() => start());

  it('another process with the same secrets starts, and no fingerprint is added', async () => {
    await start();
    expect(await storedIds()).toEqual(['ENCRYPTION_KEYS 2025', 'REFERENCE_SECRET', 'SECRET_PEPPER']);
  });

  it.each([
    [
      'REFERENCE_SECRET',
      { referenceSecret: new Secret('another reference secret') },
      /^REFERENCE_SECRET differs from the secret/,
    ],
    ['SECRET_PEPPER', { pepper: new Secret('another pepper of a test') }, /^SECRET_PEPPER differs from the secret/],
    ['bytes of a key', { encryptionKeys: [keyOf('2025', 2)] }, /^ENCRYPTION_KEYS: key "2025" differs from the key/],
    [
      'a missing key',
      { encryptionKeys: [keyOf('2026', 2)] },
      /^ENCRYPTION_KEYS lacks key "2025", which stored values use/,
    ],
  ])('a process with a difference is rejected and registers nothing: %s', async (_name, more, sentence) => {
    await expect(start(more)).rejects.toThrow(sentence);
    await expect(requireSameSecrets({ ...secrets, ...more })(pool)).rejects.toThrow(sentence);
    expect(await storedIds()).toEqual(['ENCRYPTION_KEYS 2025', 'REFERENCE_SECRET', 'SECRET_PEPPER']);
  });

  it('all differences are reported at once', async () => {
    const other = {
      ...secrets,
      pepper: new Secret('other pepper of a test'),
      referenceSecret: new Secret('another one of a test'),
    };
    const { known, differences } = await compareSecrets(pool, other);
    expect(known).toBe(3);
    expect(differences.map(({ secret, kind }) => [secret.name, kind])).toEqual([
      ['REFERENCE_SECRET', 'differs'],
      ['SECRET_PEPPER', 'differs'],
    ]);
  });

  it('a further encryption key is registered, and required from then on until it is retired', async () => {
    const both = [keyOf('2026', 2), keyOf('2025', 1)];
    await start({ encryptionKeys: both });
    expect(await storedIds()).toContain('ENCRYPTION_KEYS 2026');
    await expect(start({ encryptionKeys: [both[0]!] })).rejects.toThrow('lacks key "2025"');
    await expect(start()).rejects.toThrow('lacks key "2026"');
    await db.query(`update secret_fingerprint set retired_at = now() where key_id = '2025'`);
    await start({ encryptionKeys: [both[0]!] });
    await start({ encryptionKeys: both });
    await expect(start({ encryptionKeys: both.toReversed() })).rejects.toThrow(
      'ENCRYPTION_KEYS: the first key "2025" was replaced by "gateway rotate-keys". Put a key with a new ID in front.',
    );
  });

  it('the application role cannot change, retire or delete a fingerprint', async () => {
    for (const sql of [
      'update secret_fingerprint set fingerprint = sha256($$other$$)',
      'delete from secret_fingerprint',
      `insert into secret_fingerprint (name, key_id, fingerprint, retired_at) values ('ENCRYPTION_KEYS', 'x', sha256('x'), now())`,
    ])
      await expect(pool.query(sql)).rejects.toMatchObject({ code: '42501' });
  });
});

it('of several processes that start concurrently with different secrets, only the first one serves', async () => {
  const starts = Array.from({ length: 4 }, (_, n) =>
    start({ referenceSecret: new Secret(`the reference secret ${n}`) }),
  );
  const results = await Promise.allSettled(starts);
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  for (const result of results)
    if (result.status === 'rejected')
      expect(String(result.reason)).toContain('REFERENCE_SECRET differs from the secret');
});

it('a check that only reports problems registers nothing, but a start does', async () => {
  const readiness = new Readiness(pool, [requireSameSecrets(secrets)], registerSecrets(secrets));
  expect(await readiness.problems()).toEqual([]);
  expect(await storedIds()).toEqual([]);
  expect(await readiness.start()).toBeUndefined();
  expect(await storedIds()).toHaveLength(3);
});

it('a fingerprint depends on the setting, the ID of a key and the bytes', () => {
  const same = randomBytes(32).toString('base64');
  const hashes = fingerprintsOf({
    encryptionKeys: [
      { id: 'a', key: new Secret(same) },
      { id: 'b', key: new Secret(same) },
    ],
    pepper: new Secret(same),
    referenceSecret: new Secret(same),
  }).map(({ fingerprint }) => fingerprint.toString('hex'));
  expect(new Set(hashes).size).toBe(4);
});
