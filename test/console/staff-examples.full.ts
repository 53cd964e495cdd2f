import { readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { newId } from '../../src/core/ids.js';
import { inTransaction } from '../../src/db/orm.js';
import { mutationOf, staffExamples } from '../../src/http/docs/staff-examples.js';
import { orderRow, publicId } from '../orders/order.fixture.js';
import { FROM_TEST, seed, type TestDeveloper } from '../support/app.js';
import { codeOf } from '../support/authenticator.js';
import { putInReview } from '../support/orders.js';
import { place } from '../support/recharges.js';
import { PASSWORD, useOwnConsole } from './console.fixture.js';

const console = useOwnConsole({ STATUS_CHECK_SCHEDULE_MS: '60s' });
const { test } = console;
const examples = Object.values(staffExamples).flat();
let developer: TestDeveloper;
let other: TestDeveloper;
beforeAll(async () => {
  [developer, other] = [await test.developer({ liveRupees: 10_000 }), await test.developer()];
});

/** Mutations that undo another example. */
const UNDONE: Readonly<Record<string, string>> = {
  unlockProduction: 'lockProduction',
  resumeOrders: 'pauseOrders',
};

let sequence = 0;
/** Creates a Production order, with the status that its number has in the simulator. */
async function orderOf(account: string, state: string): Promise<string> {
  const key = `example-${++sequence}`;
  await place(test, developer, { account_number: account, client_request_id: key, amount: 10 });
  const row = await orderRow(test, developer, key);
  expect(row.state).toBe(state);
  return row.id;
}

const asAdmin = async (query: string) => {
  const { body } = await console.call(console.staff.admin, query);
  expect(body.errors).toBeUndefined();
  return body.data;
};

const endpoint = async (): Promise<string> => {
  const { createWebhookEndpoint: created } = await asAdmin(
    `mutation { createWebhookEndpoint(input: { developerId: "${developer.id}", environment: UAT,
      url: "https://receiver.example/${++sequence}" }) { endpoint { id } } }`,
  );
  return created.endpoint.id;
};

/** A value for each variable of the examples. */
const values: Readonly<Record<string, () => Promise<string>>> = {
  DEVELOPER: async () => other.id,
  APPLICANT: () => console.applicant(),
  CLIENT_ID: async () => other.keys.uat.clientId,
  APPROVAL_REQUEST: async () => {
    const { body } = await console.call(
      console.staff.second,
      `mutation { debitWallet(input: { developerId: "${developer.id}", environment: PRODUCTION, amount: 1,
        reference: "example ${++sequence}", reason: "r" }) {
        outcome { ... on ApprovalRequestCreated { approvalRequest { id } } } } }`,
    );
    return body.data.debitWallet.outcome.approvalRequest.id;
  },
  SUCCESSFUL_ORDER: async () => publicId(await orderOf('9876543210', 'success')),
  FAILED_ORDER: async () => publicId(await orderOf('9876540001', 'failed')),
  REVIEW_ORDER: async () => {
    const id = await orderOf('9876540008', 'open');
    await putInReview(test.db, id);
    return publicId(id);
  },
  DIFFERENCE: async () => {
    const [run, id] = [newId(), newId()];
    await test.db.query(
      `insert into reconcile_run (id, provider, file_hash, period_from, period_to, orders, lines, matched, differences, requested)
       values ($1, 'MOKSHIQ', $2, now() - interval '1 day', now(), 0, 1, 0, 1, 0)`,
      [run, Buffer.alloc(32)],
    );
    await test.db.query(
      `insert into reconcile_difference (id, provider, fingerprint, kind, run_id, line, reference, their_status,
         their_amount_paise, occurred_at)
       values ($1, 'MOKSHIQ', $3, 'order_not_found', $2, 1, 'reference', 'succeeded', 100, now())`,
      [id, run, Buffer.alloc(32)],
    );
    const { statementDifferences: found } = await asAdmin(
      '{ statementDifferences(first: 1) { edges { node { id } } } }',
    );
    return found.edges[0].node.id;
  },
  NAME: async () => `Label ${++sequence}`,
  WHITE_LABEL: async () => {
    const { createWhiteLabel: created } = await asAdmin(
      `mutation { createWhiteLabel(input: { name: "Other ${++sequence}", rechargeProvider: MOKSHIQ }) { whiteLabel { id } } }`,
    );
    return created.whiteLabel.id;
  },
  EMAIL: async () => `example-${++sequence}@test.example`,
  USER: async () => {
    const email = `example-${++sequence}@test.example`;
    const id = await test.app.users.create({ email, name: 'Asha', password: PASSWORD, role: 'support' }, seed);
    const { token } = await test.app.sessions.signIn({ email, password: PASSWORD }, FROM_TEST);
    const run = async (query: string): Promise<any> => (await console.call(token, query)).body.data;
    const { startTotp } = await run(`mutation { startTotp(input: { currentPassword: "${PASSWORD}" }) { secret } }`);
    await run(`mutation { confirmTotp(input: { code: "${codeOf(startTotp.secret)}" }) { token } }`);
    return id;
  },
  ENDPOINT: endpoint,
  DELIVERY: async () => {
    const { sendTestEvent } = await asAdmin(
      `mutation { sendTestEvent(input: { endpointId: "${await endpoint()}" }) { delivery { id } } }`,
    );
    return sendTestEvent.delivery.id;
  },
  FAILED_EMAIL: async () => {
    const { mails, orm } = test.app;
    await inTransaction(orm, async (tx) => {
      await mails.queue({ to: 'c@test.example', subject: 's', text: 't' }, tx);
      // in the same transaction, before the worker can send the email
      await sql`update pgboss.job set state = 'failed' where name = 'email'`.execute(tx.getKysely());
    });
    const { failedEmails } = await asAdmin('{ failedEmails(first: 1) { edges { node { id } } } }');
    return failedEmails.edges[0].node.id;
  },
};

describe('the examples of docs/administering.md', () => {
  it.each(examples.map((example) => [mutationOf(example), example] as const))(
    '%s runs',
    async (mutation, { operation }) => {
      const undone = examples.find((example) => mutationOf(example) === UNDONE[mutation]);
      const known = new Map<string, string>();
      const filled = async (text: string): Promise<string> => {
        for (const [, name] of text.matchAll(/\$([A-Z_]+)/g))
          known.set(name!, known.get(name!) ?? (await values[name!]!()));
        return text.replaceAll(/\$([A-Z_]+)/g, (_match, name) => known.get(name)!);
      };
      // An earlier example may have done it already.
      if (undone) await console.call(console.staff.admin, `mutation { ${await filled(undone.operation)} }`);
      const { body } = await console.call(console.staff.admin, `mutation { ${await filled(operation)} }`);
      expect(body.errors).toBeUndefined();
    },
  );

  it('include every mutation that a page for administrators names', () => {
    const mutations = Object.keys(test.app.schemas.console.getMutationType()!.getFields());
    const documented = new Set(examples.map(mutationOf));
    // Operations of the account itself, or those explained with the sign-in of docs/administering.md.
    const page = readFileSync('docs/administering.md', 'utf8');
    const mentioned = ['runbooks', 'restoring', 'run', 'install', 'personal-data'].flatMap((name) =>
      [...readFileSync(`docs/${name}.md`, 'utf8').matchAll(/`([a-z]+[A-Z]\w*)/g)].map(([, field]) => field!),
    );
    const missing = [...new Set(mentioned)].filter((name) => mutations.includes(name) && !documented.has(name));
    expect(missing).toEqual([]);
    expect([...documented].filter((name) => !page.includes(`mutation { ${name}(`))).toEqual([]);
    expect(mentioned.filter((name) => documented.has(name)).length).toBeGreaterThan(10);
  });
});
