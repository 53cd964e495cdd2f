import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { comparePage, FIRST_PLACE } from '../../src/audit/comparison.js';
import { createComparison } from '../../src/audit/comparison.look.js';
import { comparedKinds } from '../../src/audit/comparison.table.js';
import { createLogger } from '../../src/core/log.js';
import { seedDemo } from '../../src/dev/seed.js';
import { PASSWORD, useConsole } from '../console/console.fixture.js';
import { FROM_TEST, type TestDeveloper, testEnvironment } from '../support/app.js';
import { auditKeys, unexplainedRows } from '../support/audit.js';
import { codeOf } from '../support/authenticator.js';
import { OUTCOME } from '../support/outcomes.js';
import { runProgram } from '../support/program.js';
import { until } from '../support/until.js';

const on = useConsole({ CREDIT_APPROVAL_ABOVE_RUPEES: '50000' });
let developer: TestDeveloper;
let support: string;
let label: string;
let approvalRequest: string;
beforeAll(async () => {
  developer = await on.test.developer();
  const { app, db } = on.test;
  support = (await db.query<{ id: string }>(`select id from app_user where email = 'support@test.example'`))[0]!.id;
  const by = { actor: 'system:test', requestId: 'test' };
  label = (await app.whiteLabels.create('Compared', 'MOKSHIQ', by)).id;
  await app.platformSettings.setDefaultLeadCustomer('uat', 'customer-1', by);
  const { body } = await on.call(
    on.staff.admin,
    `mutation($input: CreditWalletInput!) { creditWallet(input: $input) ${OUTCOME} }`,
    {
      input: {
        developerId: developer.id,
        environment: 'PRODUCTION',
        amount: 60_000,
        reference: 'NEFT 1',
        reason: 'Cash',
      },
    },
  );
  approvalRequest = body.data.creditWallet.outcome.approvalRequest.id.slice('apr_'.length);
});

const found = () => unexplainedRows(on.test.app.pool);

/** Findings while a change is in place that was made with the permissions of the application. */
async function findingsDuring(change: string, undo: string, values: unknown[] = []): Promise<string[]> {
  const { pool } = on.test.app;
  await pool.query({ text: change, values });
  try {
    return await found();
  } finally {
    // Some changes can be undone only by the owner of the tables.
    await on.test.db.query(undo, values);
  }
}

it('the audit log explains every row that the service created, including the initial demo data', async () => {
  expect(await found()).toEqual([]);
  await seedDemo(on.test.app, 'customer-1');
  expect(await found()).toEqual([]);
});

describe('a row written with the permissions of the application is reported:', () => {
  it('an admin without an audit entry', async () => {
    const lines = await findingsDuring(
      `insert into app_user (email, name, role, password_hash) values ('x@test.example', 'X', 'admin', 'hash')`,
      `delete from app_user where email = 'x@test.example'`,
    );
    expect(lines.map((line) => line.replace(/[\da-f-]{36}/, 'ID'))).toEqual([
      'user:ID: role is "admin", but no entry has this value',
      'user:ID: disabled is false, but no entry has this value',
      'user:ID: teamRole is null, but no entry has this value',
      'user:ID: developerId is null, but no entry has this value',
      'user:ID: no entry has its password',
      'user:ID: secondFactors is 0, but no entry has this value',
      'user:ID: emergencySuspension is false, but no entry has this value',
    ]);
  });

  it.each([
    [
      'a role',
      `update app_user set role = 'admin' where id = $1`,
      `update app_user set role = 'support' where id = $1`,
    ],
    [
      'a password',
      `update app_user set password_hash = password_hash || 'x' where id = $1`,
      `update app_user set password_hash = left(password_hash, -1) where id = $1`,
    ],
    [
      'a disabled user',
      `update app_user set disabled_at = now() where id = $1`,
      `update app_user set disabled_at = null where id = $1`,
    ],
  ])('%s', async (name, change, undo) => {
    const lines = await findingsDuring(change, undo, [support]);
    const [number] = (
      await on.test.db.query<{ id: string }>(
        `select id::text from audit_entry where subject = $1 and action = 'user.create'`,
        [`user:${support}`],
      )
    ).map(({ id }) => id);
    const expectedLines: Record<string, string> = {
      'a role': `role is "admin", but entry ${number} has "support"`,
      'a password': `its password differs from entry ${number}`,
      'a disabled user': `disabled is true, but entry ${number} has false`,
    };
    expect(lines).toEqual([`user:${support}: ${expectedLines[name]}`]);
  });

  const accounts: [string, string, RegExp][] = [
    [
      'onboarding',
      `onboarding_status = 'kyc_submitted', production_unlocked = false`,
      /onboardingStatus is "kyc_submitted"/,
    ],
    ['Production access', 'production_unlocked = false', /productionUnlocked is false/],
    ['a provider', `recharge_provider = 'MOKSHIQ'`, /rechargeProvider is "MOKSHIQ"/],
    ['a limit', 'rate_limit_per_minute = 100000', /rateLimitPerMinute is 100000/],
    ['the duplicate guard', 'duplicate_guard_s = 7', /duplicateGuardS is 7/],
    ['the token lifetime', 'token_idle_days = 3000', /tokenIdleDays is 3000/],
    ['a suspension', 'suspended_at = now()', /suspended is true/],
    ['a white label', `white_label_id = (select id from white_label limit 1)`, /whiteLabelId is "/],
  ];
  it.each(accounts)('%s of an account', async (_name, set, finding) => {
    const lines = await findingsDuring(
      `update developer set ${set} where id = $1`,
      `update developer set onboarding_status = 'approved', production_unlocked = true, recharge_provider = 'ROUNDPAY',
        rate_limit_per_minute = null, duplicate_guard_s = 0, token_idle_days = null, suspended_at = null, white_label_id = null where id = $1`,
      [developer.id],
    );
    expect(lines.every((line) => line.startsWith(`developer:${developer.id}: `))).toBe(true);
    expect(lines.join('\n')).toMatch(finding);
  });

  it('a fee, and an enabled service', async () => {
    const change = (fee: number, enabled: boolean) =>
      `update service_access set fee_paise = ${fee}, enabled = ${enabled} where developer_id = $1 and service = 'dth_info'`;
    const lines = await findingsDuring(change(7, false), change(0, true), [developer.id]);
    const row = `developer:${developer.id}/dth_info`;
    expect(lines.map((line) => line.replace(/entry \d+/, 'entry N'))).toEqual([
      `${row}: enabled is false, but entry N has true`,
      `${row}: feePaise is "7", but entry N has "0"`,
    ]);
  });

  it('a key without an audit entry, and a replaced secret', async () => {
    const lines = await findingsDuring(
      `insert into credential (client_id, developer_id, environment, secret_hash, secret_last4)
        select 'prod_forged', $1, 'production', sha256('x'), 'xxxx'`,
      `delete from credential where client_id = 'prod_forged' and developer_id = $1`,
      [developer.id],
    );
    expect(lines).toContain(`developer:${developer.id}/production prod_forged: no entry has its secret`);
    const { clientId } = developer.keys.production;
    const [{ hash }] = (await on.test.db.query('select secret_hash as hash from credential where client_id = $1', [
      clientId,
    ])) as [{ hash: Buffer }];
    await on.test.app.pool.query('update credential set secret_hash = $2 where client_id = $1', [
      clientId,
      randomBytes(32),
    ]);
    expect((await found()).map((line) => line.replace(/entry \d+/, 'entry N'))).toEqual([
      `developer:${developer.id}/production ${clientId}: its secret differs from entry N`,
    ]);
    await on.test.app.pool.query('update credential set secret_hash = $2 where client_id = $1', [clientId, hash]);
  });

  it('a webhook endpoint without an audit entry, one that was enabled, and one with other events', async () => {
    const subject = (id: string) => `developer:${developer.id}/production/webhook:${id}`;
    const [{ id: forgedId }] = (await on.test.db.query('select uuidv7() as id')) as [{ id: string }];
    const findings = await findingsDuring(
      `insert into webhook_endpoint (developer_id, id, environment, url, secret)
        values ($1, $2, 'production', 'https://attacker.example/', '\\x00')`,
      'delete from webhook_endpoint where developer_id = $1 and id = $2',
      [developer.id, forgedId],
    );
    expect(findings.toSorted()).toEqual([
      `${subject(forgedId)}: disabled is false, but no entry has this value`,
      `${subject(forgedId)}: environment is "production", but no entry has this value`,
      `${subject(forgedId)}: no entry has its url`,
      `${subject(forgedId)}: startsAt is null, but no entry has this value`,
      `${subject(forgedId)}: types is null, but no entry has this value`,
    ]);

    const session = await on.userOf(developer.id);
    const CREATE = `mutation($input: CreateWebhookEndpointInput!) {
      createWebhookEndpoint(input: $input) { endpoint { id } } }`;
    const input = { environment: 'PRODUCTION', url: 'https://hooks.example/', types: ['RECHARGE_FAILED'] };
    const { body } = await on.call(session, CREATE, { input });
    const endpointId = body.data.createWebhookEndpoint.endpoint.id as string;
    const DISABLE = 'mutation($id: ID!) { disableWebhookEndpoint(input: { endpointId: $id }) { endpoint { id } } }';
    expect(await on.codes(session, DISABLE, { id: endpointId })).toEqual([]);
    expect(await found()).toEqual([]);
    const id = endpointId.replace('whe_', '');
    const changed = await findingsDuring(
      `update webhook_endpoint set disabled_at = null, disabled_reason = null, types = null where id = $1`,
      `update webhook_endpoint set disabled_at = now(), disabled_reason = 'request', types = array['recharge.failed']
        where id = $1`,
      [id],
    );
    expect(changed.map((line) => line.replace(/entry \d+/, 'entry N')).toSorted()).toEqual([
      `${subject(id)}: disabled is false, but entry N has true`,
      `${subject(id)}: types is null, but entry N has ["recharge.failed"]`,
    ]);
  });

  it('a second factor without an audit entry, one moved to another user, and a deleted one', async () => {
    const { users, sessions, principals, factors } = on.test.app;
    const email = 'factors@explained.example';
    const by = { actor: 'system:test', requestId: 'test' };
    const id = await users.create({ email, name: 'F', password: PASSWORD, role: 'support' }, by);
    const { token } = await sessions.signIn({ email, password: PASSWORD }, FROM_TEST);
    const session = (await principals.ofSession(token))!;
    const { secret } = await factors.startTotp(session, PASSWORD, FROM_TEST);
    await factors.confirmTotp(session, codeOf(secret), undefined, FROM_TEST);
    expect(await found()).toEqual([]);
    const withoutNumbers = (lines: readonly string[]) =>
      lines.map((line) => line.replaceAll(/entry \d+/g, 'entry N')).toSorted();
    const added = await findingsDuring(
      `insert into second_factor (user_id, kind, name, confirmed_at, credential_id, public_key, sign_count, mac)
        values ($1, 'passkey', 'x', now(), 'planted', '\\x00', 0, sha256('x'))`,
      `delete from second_factor where user_id = $1 and credential_id = 'planted'`,
      [id],
    );
    expect(withoutNumbers(added)).toEqual([
      expect.stringMatching(/^user:\S+ \S+: factorId is "\S+", but no entry has this value$/),
      expect.stringMatching(/^user:\S+ \S+: kind is "passkey", but no entry has this value$/),
      `user:${id}: secondFactors is 2, but entry N has 1`,
    ]);
    const deletedFactor = await findingsDuring(
      `update second_factor set confirmed_at = null where user_id = $1 and kind = 'totp'`,
      `update second_factor set confirmed_at = now() where user_id = $1 and kind = 'totp'`,
      [id],
    );
    expect(withoutNumbers(deletedFactor)).toEqual([`user:${id}: secondFactors is 0, but entry N has 1`]);
  });

  it('the provider of a white label, a setting, a disabled provider and paused orders', async () => {
    expect(
      await findingsDuring(
        `update white_label set recharge_provider = 'ROUNDPAY' where id = $1`,
        `update white_label set recharge_provider = 'MOKSHIQ' where id = $1`,
        [label],
      ),
    ).toEqual([expect.stringMatching(/^white_label:.*: rechargeProvider is "ROUNDPAY", but entry \d+ has "MOKSHIQ"$/)]);
    expect(
      await findingsDuring(
        `update setting set value = 'customer-2' where name = 'default_lead_customer' and environment = 'uat'`,
        `update setting set value = 'customer-1' where name = 'default_lead_customer' and environment = 'uat'`,
      ),
    ).toEqual([
      expect.stringMatching(/^setting:uat\/default_lead_customer: customerId is "customer-2", but entry \d+ has/),
    ]);
    expect(
      await findingsDuring(
        `insert into provider_switch (environment, provider, available, reason) values ('production', 'MOKSHIQ', false, 'Planted')`,
        `delete from provider_switch where provider = 'MOKSHIQ'`,
      ),
    ).toEqual(['provider:production/MOKSHIQ: available is false, but no entry has this value']);
    expect(
      await findingsDuring(
        `insert into order_pause (environment, paused, notice) values ('production', true, 'Planted')`,
        `delete from order_pause where environment = 'production'`,
      ),
    ).toEqual([
      'orders:production: notice is "Planted", but no entry has this value',
      'orders:production: paused is true, but no entry has this value',
    ]);
  });

  it('an approval request in the name of another admin', async () => {
    const copy = `insert into approval_request select (jsonb_populate_record(p, jsonb_build_object('id', uuidv7(), 'key', 'NEFT 2', 'folded_key', 'neft 2'))).*
      from approval_request p where id = $1`;
    const lines = await findingsDuring(
      copy,
      `delete from approval_request where key = 'NEFT 2' and $1::uuid is not null`,
      [approvalRequest],
    );
    expect(lines).toContainEqual(expect.stringMatching(/: by is "user:[\da-f-]+", but no entry has this value$/));
  });

  it('a row whose audit entry was written without the key', async () => {
    const { id } = (
      await on.test.db.query<{ id: string }>(
        `select id::text from audit_entry where subject = $1 and after ? 'role' order by id desc limit 1`,
        [`user:${support}`],
      )
    )[0]!;
    await on.test.db.query(`update audit_entry set after = after || '{"role": "admin"}' where id = $1`, [id]);
    try {
      expect(
        await findingsDuring(
          `update app_user set role = 'admin' where id = $1`,
          `update app_user set role = 'support' where id = $1`,
          [support],
        ),
      ).toContain(`user:${support}: entry ${id} has the same role, but was changed, or was not signed with this key`);
    } finally {
      await on.test.db.query(`update audit_entry set after = after || '{"role": "support"}' where id = $1`, [id]);
    }
  });
});

it('the comparison reads all rows in pages', async () => {
  const places: string[] = [];
  for (let place: string | undefined = FIRST_PLACE; place !== undefined; ) {
    places.push(place);
    place = (await comparePage(on.test.app.pool, auditKeys, 'user', place, 1)).next;
  }
  const [{ users }] = (await on.test.db.query('select count(*)::int as users from app_user')) as [{ users: number }];
  expect(places.length).toBe(users + 1);
});

it('the comparison sets a metric for every kind, measured by one process, and a doctor finding with exit code 1', async () => {
  const { db, urls } = on.test;
  const metric = async (): Promise<Record<string, number>> => {
    const text = await (await fetch(`${urls.uat}/metrics`)).text();
    return Object.fromEntries(
      [...text.matchAll(/^gateway_unexplained_rows\{kind="(\w+)"\} (\S+)$/gm)].map(([, kind, rows]) => [
        kind,
        Number(rows),
      ]),
    );
  };
  const run = async (): Promise<void> => {
    await db.query(`update audit_comparison set next_step_at = now(), completed_at = null`);
    await until(
      'a run has ended',
      async () => (await db.query('select from audit_comparison where completed_at is not null')).length > 0,
    );
  };
  await run();
  expect((await db.query('select last_found as found from audit_comparison'))[0]).toEqual({
    found: Object.fromEntries(comparedKinds.map((kind) => [kind, 0])),
  });
  expect(Object.keys(await metric())).toEqual(comparedKinds);
  await on.test.app.pool.query(`update developer set duplicate_guard_s = 7 where id = $1`, [developer.id]);
  try {
    await run();
    expect(
      (await db.query<{ found: { developer: number } }>('select last_found as found from audit_comparison'))[0]!.found
        .developer,
    ).toBe(1);
    const { code, stdout } = await runProgram(
      'cli/doctor.js',
      testEnvironment(db.url, 'http://127.0.0.1:9', [0, 0, 0]),
    );
    expect([code, stdout]).toEqual([
      1,
      expect.stringMatching(/FAIL {2}explained .*\n {8}developer:.*: duplicateGuardS is 7, but entry \d+ has 0/),
    ]);
  } finally {
    await db.query(`update developer set duplicate_guard_s = 0 where id = $1`, [developer.id]);
  }
});

it('one of two processes runs a step, and the other continues when it has died', async () => {
  const { app, db } = on.test;
  const log = createLogger('silent');
  const queries = (): string[] => {
    const texts: string[] = [];
    const watched = { query: (statement: { text: string }) => (texts.push(statement.text), app.pool.query(statement)) };
    const process = createComparison(watched as never, auditKeys, log);
    process.start(new Set(['housekeeping']));
    stops.push(() => process.stop());
    return texts;
  };
  const stops: (() => Promise<unknown>)[] = [];
  // A third process has taken the step.
  await db.query(
    `update audit_comparison set next_step_at = now() + interval '1 hour', kind = 'developer', completed_at = null`,
  );
  const queryLogs = [queries(), queries()];
  await until('both have requested the step', async () => queryLogs.every((texts) => texts.length > 0));
  expect(queryLogs.flat().filter((text) => text.includes('audit_entry'))).toEqual([]);
  for (const stop of stops.splice(0)) await stop();
  // Its lease expires.
  await db.query(`update audit_comparison set next_step_at = now()`);
  const queryLog = queries();
  await until(
    'the run has ended',
    async () => (await db.query('select from audit_comparison where completed_at is not null')).length > 0,
  );
  for (const stop of stops) await stop();
  // The users had been compared before the takeover.
  expect(queryLog.filter((text) => text.includes('from app_user'))).toEqual([]);
});
