import { beforeAll, describe, expect, it } from 'vitest';
import type { DeveloperId, UserId } from '../../src/core/principal.js';
import { codesOf, PASSWORD, useConsole } from '../console/console.fixture.js';
import { documentOf, formOf, kyc, SUBMIT, upload } from '../onboarding/onboarding.fixture.js';
import { FROM_TEST, seed, type TestDeveloper } from '../support/app.js';
import { codeOf } from '../support/authenticator.js';
import { confirmSessionsAgo } from '../support/row-keys.js';

const on = useConsole();

/** A user with an authenticator app, and the session opened by adding it. */
interface Person {
  id: UserId;
  email: string;
  token: string;
  secret: string;
}
let admin: Person;
let owner: Person;
let shop: TestDeveloper;
/** A white label with the same provider as the shop, and one with another. */
let sameLabel: string;
let otherLabel: string;
let sequence = 0;

async function withTotp(user: { role: 'admin' } | { role: 'developer'; developerId: DeveloperId }): Promise<Person> {
  const email = `step-up-${++sequence}@test.example`;
  const id = await on.test.app.users.create({ email, name: 'Somebody', password: PASSWORD, ...user }, seed);
  const { token: first } = await on.test.app.sessions.signIn({ email, password: PASSWORD }, FROM_TEST);
  const { secret } = (await mutate(first, 'startTotp', { currentPassword: PASSWORD }, 'secret')).body.data.startTotp;
  const confirmed = await mutate(first, 'confirmTotp', { code: codeOf(secret) }, 'token');
  return { id, email, secret, token: confirmed.body.data.confirmTotp.token };
}
const inputOf = (field: string): string => `${field[0]!.toUpperCase()}${field.slice(1)}Input`;
const mutate = (token: string, field: string, input: object, result = '__typename') =>
  on.call(token, `mutation($input: ${INPUTS[field] ?? inputOf(field)}!) { ${field}(input: $input) { ${result} } }`, {
    input,
  });
const INPUTS: Readonly<Record<string, string>> = {
  rotateWebhookSecret: 'WebhookEndpointInput',
  disableWebhookEndpoint: 'WebhookEndpointInput',
  enableWebhookEndpoint: 'WebhookEndpointInput',
  deleteWebhookEndpoint: 'WebhookEndpointInput',
};
const makeStale = ({ id }: Person) => confirmSessionsAgo(on.test.db, id, '6 minutes');
/**
 * Verifies the second factor in the session. Codes of this period are made valid again. The document is used often enough to be
 * compiled.
 */
async function verifyFactor({ id, token, secret }: Person): Promise<void> {
  await on.test.db.query('update second_factor set last_period = 0 where user_id = $1 and secret is not null', [id]);
  const response = await mutate(token, 'confirmSecondFactor', { code: codeOf(secret) }, 'confirmedUntil');
  expect(codesOf(response)).toEqual([]);
}

beforeAll(async () => {
  shop = await on.test.developer({ provider: 'ROUNDPAY' });
  admin = await withTotp({ role: 'admin' });
  owner = await withTotp({ role: 'developer', developerId: shop.id });
  const label = async (rechargeProvider: string) => {
    const name = `Step-up ${++sequence}`;
    const response = await mutate(admin.token, 'createWhiteLabel', { name, rechargeProvider }, 'whiteLabel { id }');
    return response.body.data.createWhiteLabel.whiteLabel.id as string;
  };
  sameLabel = await label('ROUNDPAY');
  otherLabel = await label('MOKSHIQ');
});

/** Creates what the action needs: a key, an endpoint or a user in the right state. */
type InputFor = () => object | Promise<object>;
type Act = [field: string, who: 'admin' | 'owner', input: InputFor, about?: string];
const person = (actor: 'admin' | 'owner') => (actor === 'admin' ? admin : owner);

const shopInput = () => ({ developerId: shop.id });
const reason = 'For the test';
async function endpoint(): Promise<object> {
  await verifyFactor(owner);
  const { body } = await mutate(owner.token, 'createWebhookEndpoint', create(), 'endpoint { id }');
  return { endpointId: body.data.createWebhookEndpoint.endpoint.id };
}
/** At most five can exist. */
const forgetEndpoints = () => on.test.db.query('delete from webhook_endpoint where developer_id = $1', [shop.id]);
const suspended = {
  account: async () => {
    const { id } = await on.test.developer();
    await on.test.app.developers.change('suspendDeveloper', { developerId: id, reason }, seed);
    return { developerId: id };
  },
  key: async () => {
    const { clientId } = (await on.test.developer()).keys.uat;
    await on.test.app.credentials.suspend(clientId, reason, seed);
    return { clientId };
  },
  user: async () => {
    const { userId } = await colleague();
    await on.test.app.users.disable(userId.replace('usr_', ''), reason, seed);
    return { userId };
  },
};
async function colleague(): Promise<{ userId: string }> {
  const email = `step-up-${++sequence}@test.example`;
  const user = { email, name: 'Colleague', password: PASSWORD, role: 'developer', developerId: shop.id } as const;
  const id = await on.test.app.users.create({ ...user, teamRole: 'reader' }, seed);
  await on.test.app.sessions.signIn({ email, password: PASSWORD }, FROM_TEST);
  return { userId: `usr_${id}` };
}
const underLabel = (label: () => string) => async () => {
  const { id } = await on.test.developer({ provider: 'ROUNDPAY' });
  await on.test.app.developers.change('moveToWhiteLabel', { developerId: id, whiteLabelId: label() }, seed);
  return { developerId: id };
};
const aShop = async () => ({ developerId: (await on.test.developer({ provider: 'ROUNDPAY' })).id });
const newKey = async () => {
  const { keys } = await on.test.developer();
  return { clientId: keys.uat.clientId };
};
let fee = 0;
const newFee = () => ++fee / 100;
const newPassword = () => ({ currentPassword: PASSWORD, newPassword: PASSWORD });
const create = () => ({ environment: 'UAT', url: `http://127.0.0.1:9/created-${++sequence}` });

const alwaysVerified: Act[] = [
  ['createCredential', 'owner', () => ({ environment: 'UAT' })],
  ['rotateCredential', 'owner', () => ({ clientId: shop.keys.production.clientId })],
  ['createWebhookEndpoint', 'owner', create],
  ['createWebhookEndpoint', 'admin', () => ({ ...create(), ...shopInput() })],
  ['rotateWebhookSecret', 'owner', endpoint],
  ['rotateWebhookSecret', 'admin', endpoint],
  ['changePassword', 'owner', newPassword],
  ['changePassword', 'admin', newPassword],
  [
    'updateProfile',
    'owner',
    () => ({ email: `new-${++sequence}@test.example`, currentPassword: PASSWORD }),
    'a new email',
  ],
  ['setSessionIdleLimit', 'owner', () => ({ ...shopInput(), minutes: 60 })],
  [
    'setServiceAccess',
    'admin',
    () => ({ ...shopInput(), service: 'DTH_INFO', enabled: true, fee: newFee() }),
    'a new fee',
  ],
  ['setServiceAccessMany', 'admin', () => ({ changes: [change({ enabled: true, fee: newFee() })] }), 'a new fee'],
  [
    'approveDeveloper',
    'admin',
    async () => ({ developerId: await on.applicant(), services: [{ service: 'DTH_INFO', fee: newFee() }] }),
    'a fee',
  ],
  ['setRateLimit', 'admin', () => ({ ...shopInput(), perMinute: 500 })],
  ['resetRateLimit', 'admin', shopInput],
  ['assignRechargeProvider', 'admin', () => ({ ...shopInput(), provider: 'ROUNDPAY' }), 'an account'],
  ['assignRechargeProvider', 'admin', () => ({ whiteLabelId: otherLabel, provider: 'MOKSHIQ' }), 'a white label'],
  ['moveToWhiteLabel', 'admin', async () => ({ ...(await aShop()), whiteLabelId: otherLabel }), 'another provider'],
  ['removeFromWhiteLabel', 'admin', underLabel(() => otherLabel), 'another provider'],
  ['setDefaultLeadCustomer', 'admin', () => ({ environment: 'PRODUCTION', customerId: 'step-up-test' })],
  ['reinstateDeveloper', 'admin', suspended.account],
  ['reinstateCredential', 'admin', suspended.key],
  ['reinstateUser', 'admin', suspended.user],
];

const change = (fields: object) => ({ ...shopInput(), service: 'DTH_INFO', ...fields });

const neverVerified: Act[] = [
  ['revokeCredential', 'admin', newKey],
  ['suspendCredential', 'admin', async () => ({ ...(await newKey()), reason })],
  ['disableWebhookEndpoint', 'owner', endpoint],
  ['deleteWebhookEndpoint', 'owner', endpoint],
  ['updateWebhookEndpoint', 'owner', async () => ({ ...(await endpoint()), types: ['RECHARGE_FAILED'] })],
  ['updateProfile', 'owner', () => ({ name: 'Another Name' }), 'a name'],
  ['setServiceAccess', 'admin', () => ({ ...shopInput(), service: 'LEAD_GENERATION', enabled: false }), 'disable'],
  [
    'setServiceAccess',
    'admin',
    () => ({ ...shopInput(), service: 'LEAD_GENERATION', enabled: true, fee: 0 }),
    'same fee',
  ],
  ['setServiceAccessMany', 'admin', () => ({ changes: [change({ enabled: false })] }), 'disable'],
  ['setServiceAccessMany', 'admin', () => ({ changes: [change({ enabled: true })] }), 'enable'],
  [
    'approveDeveloper',
    'admin',
    async () => ({ developerId: await on.applicant(), services: [{ service: 'DTH_INFO' }] }),
    'without fees',
  ],
  ['moveToWhiteLabel', 'admin', async () => ({ ...(await aShop()), whiteLabelId: sameLabel }), 'same provider'],
  ['removeFromWhiteLabel', 'admin', underLabel(() => sameLabel), 'same provider'],
  ['suspendDeveloper', 'admin', async () => ({ ...(await aShop()), reason })],
  ['lockProduction', 'admin', async () => ({ ...(await aShop()), reason })],
  ['suspendUser', 'admin', async () => ({ ...(await colleague()), reason })],
  ['revokeUserSessions', 'owner', colleague],
];

describe('a factor verified six minutes ago', () => {
  it.each(alwaysVerified)('is too old for %s by the %s', async (field, role, inputFor) => {
    const actor = person(role);
    const input = await inputFor();
    await makeStale(actor);
    expect(codesOf(await mutate(actor.token, field, input))).toEqual(['STEP_UP_REQUIRED']);
    await verifyFactor(actor);
    expect(codesOf(await mutate(actor.token, field, input))).toEqual([]);
    await forgetEndpoints();
  });

  it.each(neverVerified)('is recent enough for %s by the %s', async (field, role, inputFor) => {
    const input = await inputFor();
    const actor = person(role);
    await makeStale(actor);
    expect(codesOf(await mutate(actor.token, field, input))).toEqual([]);
    await forgetEndpoints();
  });

  it("is recent enough to undo one's own fee change, and for no other fee", async () => {
    const UNDO = 'undo { developerId service enabled fee }';
    const set = async (session: string, changes: unknown) => {
      const response = await mutate(session, 'setServiceAccessMany', { changes }, UNDO);
      return { codes: codesOf(response), undo: response.body.data?.setServiceAccessMany?.undo };
    };
    await verifyFactor(admin);
    const { undo } = await set(admin.token, [change({ enabled: true, fee: 7.5 })]);
    await makeStale(admin);
    expect((await set(admin.token, [{ ...undo[0], fee: 7 }])).codes).toEqual(['STEP_UP_REQUIRED']);
    expect((await set(admin.token, undo)).codes).toEqual([]);
    // A change by another admin can be undone by that admin only.
    const { undo: otherUndo } = await set(on.staff.second, [change({ fee: 8 })]);
    expect((await set(admin.token, otherUndo)).codes).toEqual(['STEP_UP_REQUIRED']);
    const rows = await on.test.db.query(
      `select fee_paise::int as fee from service_access where developer_id = $1 and service = 'dth_info'`,
      [shop.id],
    );
    expect(rows).toEqual([{ fee: 800 }]);
  });

  it('is too old to read a KYC document, which may show a full PAN, or to reveal the PAN', async () => {
    const id = await on.test.app.developers.register(
      { name: 'Applicant', email: `pan-${++sequence}@test.example` },
      seed,
    );
    await on.test.app.developers.markEmailVerified(id, seed);
    const session = await on.userOf(id);
    const { documentId } = (await upload(on.test.urls.console, session, formOf(documentOf()))).body;
    expect(await on.codes(session, SUBMIT, { input: { ...kyc, documentIds: [documentId] } })).toEqual([]);
    const download = async () => {
      const read = 'query($id: ID!) { developer(id: $id) { kyc { pan documents { downloadUrl } } } }';
      const { body } = await on.call(admin.token, read, { id });
      expect(body.data.developer.kyc.pan).toMatch(/^x{6}/);
      const url = body.data.developer.kyc.documents[0].downloadUrl as string;
      const response = await fetch(url, { headers: { authorization: `Bearer ${admin.token}` } });
      return response.ok ? 'downloaded' : ((await response.json()) as { code: string }).code;
    };
    const read = await on.call(admin.token, 'query($id: ID!) { developer(id: $id) { kyc { id } } }', { id });
    const input = { submissionId: read.body.data.developer.kyc.id, field: 'PAN' };
    await makeStale(admin);
    expect(await download()).toBe('STEP_UP_REQUIRED');
    expect(codesOf(await mutate(admin.token, 'revealKycField', input, 'value'))).toEqual(['STEP_UP_REQUIRED']);
    await verifyFactor(admin);
    expect(await download()).toBe('downloaded');
    const revealed = await mutate(admin.token, 'revealKycField', input, 'value');
    expect(revealed.body.data.revealKycField.value).toBe(kyc.pan.toUpperCase());
  });
});

describe('a user without a second factor', () => {
  it('is not asked to verify one, but needs the current password to change the password or the email address', async () => {
    const developer = await on.test.developer();
    const token = await on.userOf(developer.id);
    expect(codesOf(await mutate(token, 'createCredential', { environment: 'UAT' }))).toEqual([]);
    const invalid = { currentPassword: 'not the password', newPassword: PASSWORD };
    expect(codesOf(await mutate(token, 'changePassword', invalid))).toEqual(['INVALID_CREDENTIALS']);
    const email = { email: `new-${++sequence}@test.example`, currentPassword: 'not the password' };
    expect(codesOf(await mutate(token, 'updateProfile', email))).toEqual(['INVALID_CREDENTIALS']);
    expect(codesOf(await mutate(token, 'changePassword', newPassword()))).toEqual([]);
  });
});
