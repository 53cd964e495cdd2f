import { beforeAll, describe, expect, it } from 'vitest';
import { codesOf, fieldsOf } from '../console/console.fixture.js';
import { kyc, SUBMIT, useOnboarding } from './onboarding.fixture.js';

const on = useOnboarding();
let session: string;
let developerId: string;
let other: string;
beforeAll(async () => {
  ({ session, developerId } = await on.verified('own@kyc.example'));
  other = (await on.verified('other@kyc.example')).session;
});

const submit = (input: object, as = session) => on.call(as, SUBMIT, { input: { ...kyc, ...input } });
/** The ID of a document without its prefix. */
const keyOf = (documentId: string) => documentId.split('_').at(-1)!;
const setStatus = (status: string) =>
  on.test.db.query('update developer set onboarding_status = $1 where id = $2', [status, developerId]);

describe('submitting KYC', () => {
  it.each([
    ['legalName', { legalName: '' }],
    ['pan', { pan: 'ABCPV12345' }],
    ['gstin', { gstin: '27ABCPV1234K1X5' }],
    ['address', { address: 'x'.repeat(256) }],
    ['pincode', { pincode: '41100' }],
    ['pincode', { pincode: '011001' }],
    ['documentIds', { documentIds: [] }],
    ['documentIds', { documentIds: Array.from({ length: 11 }, (_, n) => String(n)) }],
    ['documentIds', { documentIds: ['one', 'one'] }],
  ])('names an invalid %s', async (field, invalid) => {
    const response = await submit({ documentIds: ['one'], ...invalid });
    expect([codesOf(response), fieldsOf(response)]).toEqual([['VALIDATION_FAILED'], [`input.${field}`]]);
    expect(JSON.stringify(response.body)).not.toContain(kyc.pan);
  });

  it('accepts only documents of this account, each once, and changes nothing otherwise', async () => {
    const own = await on.upload(session);
    const otherDocument = await on.upload(other);
    for (const documentIds of [
      [own, otherDocument],
      [own, '0190b3c2-0000-7000-8000-000000000000'],
      [own, 'none'],
      [own, keyOf(own)],
    ]) {
      const response = await submit({ documentIds });
      expect([codesOf(response), fieldsOf(response)]).toEqual([['VALIDATION_FAILED'], ['input.documentIds']]);
    }
    const [row] = await on.test.db.query('select onboarding_status from developer where id = $1', [developerId]);
    expect(row).toEqual({ onboarding_status: 'email_verified' });
    expect(await on.test.db.query('select id from kyc_submission')).toEqual([]);
  });

  it('is possible once, until an admin rejects it; a rejected account can submit its documents again', async () => {
    const document = await on.upload(session);
    const { gstin: _, ...withoutGst } = kyc;
    const at = (input: object) => on.call(session, SUBMIT, { input });
    const responses = await Promise.all([
      at({ ...withoutGst, documentIds: [document] }),
      submit({ documentIds: [document] }),
    ]);
    expect(responses.flatMap(codesOf)).toEqual(['CONFLICT']);
    const reject =
      'mutation($id: ID!) { rejectDeveloper(input: {developerId: $id, reason: "Blurred"}) { developer { id } } }';
    expect(await on.codes(on.staff.admin, reject, { id: developerId })).toEqual([]);
    const resubmission = await submit({ documentIds: [keyOf(document), await on.upload(session)] });
    expect(resubmission.body.data.submitKyc.developer).toEqual({
      email: 'own@kyc.example',
      onboardingStatus: 'KYC_SUBMITTED',
    });
    const [row] = await on.test.db.query('select rejection_reason from developer where id = $1', [developerId]);
    expect(row).toEqual({ rejection_reason: null });
    await setStatus('approved');
    expect(codesOf(await submit({ documentIds: [document] }))).toEqual(['CONFLICT']);
  });

  it('informs admins in the audit log if another account has submitted the same PAN', async () => {
    await submit({ documentIds: [await on.upload(other)] }, other);
    const [entry] = await on.test.db.query<{ after: object }>(
      `select after from audit_entry where action = 'kyc.submit' order by audit_entry.id desc limit 1`,
    );
    expect(entry!.after).toMatchObject({ documents: 1, otherAccountsWithThisPan: 1 });
  });

  it("requires the session of a developer's user", async () => {
    const input = { ...kyc, documentIds: ['one'] };
    expect(await on.codes(undefined, SUBMIT, { input })).toEqual(['UNAUTHENTICATED']);
    expect(await on.codes(on.staff.admin, SUBMIT, { input })).toEqual(['FORBIDDEN']);
  });
});
