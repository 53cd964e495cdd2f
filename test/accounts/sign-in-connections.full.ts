import { Client } from 'pg';
import { expect, it } from 'vitest';
import { PASSWORD, useOwnConsole } from '../console/console.fixture.js';
import { FROM_TEST, seed } from '../support/app.js';
import { codeOf } from '../support/authenticator.js';
import { until } from '../support/until.js';

const CONNECTIONS = 4;
const on = useOwnConsole({ DATABASE_POOL_SIZE: String(CONNECTIONS) });

async function withTotp(n: number) {
  const email = `person-${n}@connections.example`;
  const { users, sessions, principals, factors } = on.test.app;
  const id = await users.create({ email, name: 'Somebody', password: PASSWORD, role: 'support' }, seed);
  const { token } = await sessions.signIn({ email, password: PASSWORD }, FROM_TEST);
  const session = (await principals.ofSession(token))!;
  const { secret } = await factors.startTotp(session, PASSWORD, FROM_TEST);
  await factors.confirmTotp(session, codeOf(secret), undefined, FROM_TEST);
  return { id, email, secret };
}

it('as many simultaneous sign-ins with a second factor as the pool has connections all succeed', async () => {
  const people = await Promise.all(Array.from({ length: CONNECTIONS }, (_, n) => withTotp(n)));
  const ids = people.map(({ id }) => id);
  await on.test.db.query('update second_factor set last_period = 0 where user_id = any($1) and secret is not null', [
    ids,
  ]);
  // Each sign-in holds its connection until all have one.
  const barrier = new Client({ connectionString: on.test.db.url });
  await barrier.connect();
  await barrier.query('begin');
  await barrier.query('select from app_user where id = any($1) for update', [ids]);
  const signIns = Promise.allSettled(
    people.map(({ email, secret }, n) =>
      on.test.app.sessions.signIn(
        { email, password: PASSWORD, code: codeOf(secret) },
        { addressKey: `10.9.0.${n}`, requestId: 'test' },
      ),
    ),
  );
  const WAITING = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  await until('every sign-in is waiting', async () => (await on.test.db.query(WAITING)).length === CONNECTIONS);
  await barrier.query('rollback');
  await barrier.end();
  expect((await signIns).map(({ status }) => status)).toEqual(people.map(() => 'fulfilled'));
});
