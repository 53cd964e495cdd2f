import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../support/database.js';

/** Statements of the guide for a login behind a connection pooler. */
const GUIDE = /```sql\n(alter role gateway_service [^]*?)```/.exec(readFileSync('docs/install.md', 'utf8'))![1]!;

export interface GuardedLogin {
  name: string;
  db: TestDatabase;
  /** Connects as the login. */
  url: URL;
  alter(settings: string): Promise<unknown>;
}

/** Creates a separate database, and before each test a new login with the settings of the guide. */
export function useGuardedLogin(): GuardedLogin {
  const name = `service_${randomBytes(4).toString('hex')}`;
  const login = { name } as GuardedLogin;
  beforeAll(async () => {
    const db = await createTestDatabase();
    const url = Object.assign(new URL(db.url), { username: name, password: 'of a test' });
    const alter = (settings: string) => db.query(`alter role ${name} in database ${url.pathname.slice(1)} ${settings}`);
    Object.assign(login, { db, url, alter });
    await db.query(`create role ${name} login password 'of a test' in role gateway_app`);
  });
  beforeEach(async () => {
    const database = login.url.pathname.slice(1);
    await login.db.query(
      GUIDE.replaceAll('gateway_service', name).replaceAll('database gateway', `database ${database}`),
    );
  });
  afterAll(async () => {
    await login.db.query(`drop owned by ${name}`);
    await login.db.query(`drop role ${name}`);
    await login.db.drop();
  });
  return login;
}
