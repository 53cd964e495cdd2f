import { connect } from 'node:net';
import { DatabaseError, Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLogger } from '../../src/core/log.js';
import { NeverReached } from '../../src/db/database-errors.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { freePort } from '../support/ports.js';

const PERSONAL = '9876543210';

let db: TestDatabase;
let pool: Pool;
beforeAll(async () => {
  db = await createTestDatabase();
  pool = new Pool({ connectionString: db.url });
  // the server closes these connections when the database is dropped
  pool.on('error', () => {});
});
afterAll(async () => {
  await pool.end();
  await db.drop();
});

function lineOf(err: Error): { text: string; err: Record<string, string> } {
  let text = '';
  createLogger('info', { write: (line) => void (text = line) }).error({ err }, 'it failed');
  return { text, err: (JSON.parse(text) as { err: Record<string, string> }).err };
}

const failureOf = (work: Promise<unknown>): Promise<Error> =>
  work.then(
    () => Promise.reject(new Error('It did not fail.')),
    (error: Error) => error,
  );

describe('the message of an error is logged', () => {
  it.each([
    ['a missing table', '42P01', 'select * from nowhere', 'relation "nowhere" does not exist'],
    ['a missing permission', '42501', 'set role gateway_app; delete from orders', 'permission denied for table orders'],
    [
      'a statement that took too long',
      '57014',
      "set statement_timeout = '20ms'; select pg_sleep(5)",
      'canceling statement due to statement timeout',
    ],
  ])('for %s', async (_case, code, statement, message) => {
    const client = await pool.connect();
    try {
      const error = await failureOf(client.query(statement));
      expect(error).toBeInstanceOf(DatabaseError);
      expect(lineOf(error).err).toMatchObject({ code, message });
    } finally {
      client.release(true);
    }
  });

  it('for a missing database and a missing login', async () => {
    for (const [part, text, code, message] of [
      [/\/[^/]*$/, '/absent', '3D000', 'database "absent" does not exist'],
      [/\/\/[^@/]*@/, '//nobody:wrong@', '28P01', 'password authentication failed for user "nobody"'],
    ] as const) {
      const other = new Pool({ connectionString: db.url.replace(part, text) });
      const { err } = lineOf(await failureOf(other.query('select 1')));
      expect(err).toMatchObject({ code, message });
      await other.end();
    }
  });

  it('for a closed port, also inside another error and for a name with two addresses', async () => {
    const port = await freePort();
    const rejected = await failureOf(
      new Promise((resolve, reject) => connect(port, '127.0.0.1').on('error', reject).on('connect', resolve)),
    );
    const message = `connect ECONNREFUSED 127.0.0.1:${port}`;
    for (const error of [rejected, new NeverReached(rejected)])
      expect(lineOf(error).err).toMatchObject({ code: 'ECONNREFUSED', message });
    const both = Object.assign(new AggregateError([rejected, rejected]), { code: 'ECONNREFUSED' });
    expect(lineOf(both).err.message).toBe(`${message}; ${message}`);
  });
});

describe('the message of an error that can quote input is not logged', () => {
  it.each([
    ['a value that is not a number', '22P02', `select '${PERSONAL}x'::bigint`],
    ['a value that is out of range', '22003', `select ${PERSONAL}::integer`],
    [
      'a duplicate key',
      '23505',
      `create temp table taken (mobile text primary key); insert into taken values ('${PERSONAL}'), ('${PERSONAL}')`,
    ],
    ['an exception of a function', 'P0001', `do $$ begin raise exception 'number ${PERSONAL}'; end $$`],
  ])('for %s', async (_case, code, statement) => {
    const { text, err } = lineOf(await failureOf(pool.query(statement)));
    expect(err.code).toBe(code);
    expect(err).not.toHaveProperty('message');
    expect(text).not.toContain(PERSONAL);
  });

  it('for any other error, whatever its code', () => {
    for (const code of [undefined, 'VALIDATION', '42P01', 'ERR_INVALID_ARG_TYPE', 'ENOENT']) {
      const error = Object.assign(new Error(`number ${PERSONAL}`), { code });
      expect(lineOf(error).text).not.toContain(PERSONAL);
    }
  });
});
