import { expect } from 'vitest';
import { mobileContext } from '../../src/accounts/people/people.reader.js';
import { FieldEncryption } from '../../src/core/field-encryption.js';
import { Secret } from '../../src/core/secret.js';
import { inTransaction } from '../../src/db/orm.js';
import { ProfileStore } from '../../src/leads/profile.store.js';
import { KycStore } from '../../src/onboarding/kyc.store.js';
import { SignUpStore } from '../../src/onboarding/sign-up.store.js';
import type { Console } from '../console/console.fixture.js';
import { documentOf, kyc } from '../onboarding/onboarding.fixture.js';
import type { TestDeveloper } from '../support/app.js';
import { place } from '../support/recharges.js';
import { rowKeys } from '../support/row-keys.js';

const keys = [{ id: 'test-1', key: new Secret(Buffer.alloc(32, 7).toString('base64')) }];
export const encryption = new FieldEncryption(keys);
const pepper = new Secret('a pepper for tests only');
export const document = documentOf();
export const CUSTOMER = '9812345601';

/** Rows that no call below creates, for account a, its user u and its key k; h is a hash. */
const ROWS = [
  `developer_note (id, developer_id, author, text) select uuidv7(), a, 'x', 'About ' || a`,
  `invitation (id, token_hash, email, name, role, team_role, developer_id, invited_by, expires_at, mac)
    select uuidv7(), h, u || '@invited.example', 'New', 'developer', 'reader', a, (select id from app_user where role = 'admin' limit 1), now() + interval '1 h', h`,
  `second_factor (user_id, kind, name, mac) select u, 'recovery_codes', 'Codes', h`,
  `security_event (since, kind, identifier_hash, address, at, last_at, count, user_id, reason, request_id)
    select now(), 'sign-in', u::text, '192.0.2.1', now(), now(), 1, u, 'wrong password', 'x'`,
  `rejected_call (developer_id, environment, service, at, code, request_id, operation)
    select a, 'uat', 'dth_info', now(), 'ACCESS_DISABLED', uuidv7(), 'POST /api/v1/plan/dth-info'`,
  `password_reset (token_hash, user_id, expires_at, mac) select h, u, now() + interval '1 h', h`,
  `email_change (token_hash, user_id, email, expires_at, mac) select h, u, 'x', now() + interval '1 h', h`,
  `client_token (token_hash, parent_hash, developer_id, environment, scopes, max_spend_paise, expires_at, mac)
    select h, (select token_hash from access_token where client_id = k), a, 'uat', '{lookups}', 0, now() + interval '1 h', h`,
  `client_token_count (client_id, day, made) select k, current_date, 1`,
  `lead (developer_id, id, environment, lead_code, product_id, mobile_hash)
    select a, uuidv7(), 'uat', 'lead', 'x', (select mobile_hash from lead_profile where developer_id = a)`,
  `webhook_delivery (developer_id, endpoint_id, order_id, reference, event, step, environment, operation, amount_paise, occurred_at, state, next_attempt_at)
    select a, (select id from webhook_endpoint where developer_id = a), uuidv7(), 'x', 'failed', 2, 'uat', 'recharge', 1, now(), 'delivered', null`,
];

/** Creates an account with a row of every kind of account data, except Production orders. One document is not submitted. */
export async function fillAccount(on: Console, developer: TestDeveloper) {
  const { app, db } = on.test;
  const { id } = developer;
  const store = new KycStore(encryption, pepper);
  const details = { kind: 'pan_card', fileName: 'pan.pdf', contentType: 'application/pdf' } as const;
  const sealed = () => ({ ...store.encrypt(id, details, document.content), sizeBytes: document.content.length });
  const [submitted, unsubmitted] = [sealed(), sealed()];
  await inTransaction(app.orm, async (tx) => {
    await new SignUpStore(encryption, pepper, rowKeys).saveContact(id, '9812345670', tx);
    for (const file of [submitted, unsubmitted]) await store.addDocument(id, file, tx);
    await store.submitDocuments(id, [submitted.id], tx);
    await store.addSubmission(id, kyc, [submitted.id], tx);
    await store.saveDraft(id, kyc, tx);
  });
  await new ProfileStore(app.pool, encryption, pepper).save(
    { developerId: id, environment: 'uat' },
    {
      firstName: 'Ravi',
      lastName: 'Rao',
      mobileNo: CUSTOMER,
      email: 'ravi@customer.example',
      dob: '1990-01-01',
      company: 1,
      occupation: 1,
      monthlySalaryPaise: 100n as never,
      itrAmountPaise: 100n as never,
      gender: 'Male',
      pincode: 411001,
      address: 'Pune',
      category: 'Individual',
      categoryId: 1,
      pan: 'ABCPV1234K',
      customerId: 'customer-1',
    },
  );
  const [{ email, number }] = (await db.query('select email, account_number as number from developer where id = $1', [
    id,
  ])) as [{ email: string; number: number }];
  const session = await on.userOf(id, email);
  const [{ user }] = (await db.query('select id as user from app_user where developer_id = $1', [id])) as [
    { user: string },
  ];
  const mobile = encryption.encrypt(mobileContext(user), '9812345671');
  await db.query('update app_user set mobile = $2 where id = $1', [user, mobile]);
  // placed before a webhook endpoint exists, so that no delivery is created
  await place(on.test, developer, { account_number: '9876540001', amount: 20 }, 'uat');
  const url = 'https://shop.example/hook';
  const hooked = await on.call(
    session,
    `mutation { createWebhookEndpoint(input: { environment: UAT, url: "${url}" }) { secret } }`,
  );
  expect(hooked.body.errors).toBeUndefined();
  for (const row of ROWS)
    await db.query(
      `with given as (select $1::uuid as a, $2::uuid as u, $3 as k, sha256(convert_to($3, 'UTF8')) as h) insert into ${row} from given`,
      [id, user, developer.keys.uat.clientId],
    );
  return { email, number, session, handedIn: submitted.id, waiting: unsubmitted.id };
}
