import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { codesOf, fieldsOf } from '../console/console.fixture.js';
import { documentOf, kyc, SUBMIT, UPLOAD, useOnboarding } from './onboarding.fixture.js';

const on = useOnboarding();
const MIB = 1024 * 1024;
let session: string;
let developerId: string;
let other: string;
beforeAll(async () => {
  ({ session, developerId } = await on.verified('own@kyc.example'));
  other = (await on.verified('other@kyc.example')).session;
});

const upload = (document: object, as = session) => on.call(as, UPLOAD, { input: document });
const submit = (input: object, as = session) => on.call(as, SUBMIT, { input: { ...kyc, ...input } });
/** The key of a document in its id, which stands for it too. */
const keyOf = (documentId: string) => documentId.split('_').at(-1)!;
const setStatus = (status: string) =>
  on.test.db.query('update developer set onboarding_status = $1 where id = $2', [status, developerId]);

describe('a document', () => {
  afterEach(() => on.test.db.query('delete from kyc_document'));

  it('of 5 MiB is taken and one byte more is not', async () => {
    expect(codesOf(await upload(documentOf('image/png', 5 * MIB)))).toEqual([]);
    const larger = await upload(documentOf('image/png', 5 * MIB + 1));
    expect([codesOf(larger), fieldsOf(larger)]).toEqual([['VALIDATION_FAILED'], ['input.contentBase64']]);
    const [row] = await on.test.db.query<{ size_bytes: number }>('select size_bytes from kyc_document');
    expect(row!.size_bytes).toBe(5 * MIB);
  });

  it.each([
    ['contentType', 'another type than its bytes', { ...documentOf('image/png'), contentType: 'application/pdf' }],
    [
      'contentType',
      'bytes of no known type',
      { ...documentOf(), contentBase64: Buffer.from('MZ program').toString('base64') },
    ],
    ['contentType', 'a type that is not taken', { ...documentOf(), contentType: 'text/html' }],
    ['contentBase64', 'no content', { ...documentOf(), contentBase64: '' }],
    ['contentBase64', 'text that is not base64', { ...documentOf(), contentBase64: 'JVBERi0x!!' }],
    ['contentBase64', 'base64 without padding', { ...documentOf(), contentBase64: 'JVBERi0' }],
    [
      'contentBase64',
      'a data URL',
      { ...documentOf(), contentBase64: `data:application/pdf;base64,${documentOf().contentBase64}` },
    ],
    ['kind', 'no kind', { ...documentOf(), kind: '' }],
    ['fileName', 'no name', { ...documentOf(), fileName: ' ' }],
  ])('is refused on %s for %s', async (field, _why, document) => {
    const answer = await upload(document);
    expect([codesOf(answer), fieldsOf(answer)]).toEqual([['VALIDATION_FAILED'], [`input.${field}`]]);
  });

  it('is one of ten at most, also when they come at once', async () => {
    for (let n = 0; n < 8; n++) await on.upload(session);
    const answers = await Promise.all(Array.from({ length: 4 }, () => upload(documentOf())));
    expect(answers.flatMap(codesOf)).toEqual(['CONFLICT', 'CONFLICT']);
    expect(codesOf(await upload(documentOf(), other))).toEqual([]);
  });

  it('is not taken before the address is confirmed, nor once KYC is in', async () => {
    for (const status of ['registered', 'kyc_submitted', 'approved']) {
      await setStatus(status);
      expect(codesOf(await upload(documentOf()))).toEqual(['CONFLICT']);
    }
    await setStatus('email_verified');
  });
});

describe('a large body', () => {
  const body = (sizeBytes: number) =>
    JSON.stringify({ query: '{ viewer { id } }', variables: { x: 'x'.repeat(sizeBytes) } });
  const post = async (
    url: string,
    token: string | undefined,
    text: string,
    chunked = false,
  ): Promise<[number, string]> => {
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) },
      body: chunked ? new Blob([text]).stream() : text,
      ...(chunked ? { duplex: 'half' } : {}),
    });
    const { errors } = (await response.json()) as { errors?: { extensions: { code: string } }[] };
    return [response.status, errors?.[0]!.extensions.code ?? 'none'];
  };

  it('is taken on the console from somebody who is signed in, up to 7 MiB', async () => {
    const { console: url } = on.test.urls;
    expect(await post(url, session, body(6 * MIB))).toEqual([200, 'none']);
    expect(await post(url, session, body(7 * MIB))).toEqual([413, 'PAYLOAD_TOO_LARGE']);
  });

  it.each([
    ['with', false],
    ['without', true],
  ])('is refused from strangers, %s a length', async (_with, chunked) => {
    const { console: url } = on.test.urls;
    expect(await post(url, undefined, body(65 * 1024), chunked)).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    expect(await post(url, 'ses_unknown', body(65 * 1024), chunked)).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    expect(await post(url, undefined, body(60 * 1024), chunked)).toEqual([401, 'UNAUTHENTICATED']);
  });

  it('is refused on the API hosts, whoever sends it', async () => {
    const { tokens } = await on.test.developer();
    for (const host of ['uat', 'production'] as const)
      expect(await post(on.test.urls[host], tokens[host], body(65 * 1024))).toEqual([413, 'PAYLOAD_TOO_LARGE']);
  });
});

describe('submitting', () => {
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
  ])('names a wrong %s', async (field, wrong) => {
    const answer = await submit({ documentIds: ['one'], ...wrong });
    expect([codesOf(answer), fieldsOf(answer)]).toEqual([['VALIDATION_FAILED'], [`input.${field}`]]);
    expect(JSON.stringify(answer.body)).not.toContain(kyc.pan);
  });

  it('takes documents of this account only, each once, and otherwise changes nothing', async () => {
    const own = await on.upload(session);
    const foreign = await on.upload(other);
    for (const documentIds of [
      [own, foreign],
      [own, '0190b3c2-0000-7000-8000-000000000000'],
      [own, 'none'],
      [own, keyOf(own)],
    ]) {
      const answer = await submit({ documentIds });
      expect([codesOf(answer), fieldsOf(answer)]).toEqual([['VALIDATION_FAILED'], ['input.documentIds']]);
    }
    const [row] = await on.test.db.query('select onboarding_status from developer where id = $1', [developerId]);
    expect(row).toEqual({ onboarding_status: 'email_verified' });
    expect(await on.test.db.query('select id from kyc_submission')).toEqual([]);
  });

  it('happens once, until an admin rejects; a rejected account may use its documents again', async () => {
    const document = await on.upload(session);
    const { gstin: _, ...withoutGst } = kyc;
    const at = (input: object) => on.call(session, SUBMIT, { input });
    const answers = await Promise.all([
      at({ ...withoutGst, documentIds: [document] }),
      submit({ documentIds: [document] }),
    ]);
    expect(answers.flatMap(codesOf)).toEqual(['CONFLICT']);
    const reject =
      'mutation($id: ID!) { rejectDeveloper(input: {developerId: $id, reason: "Blurred"}) { developer { id } } }';
    expect(await on.codes(on.staff.admin, reject, { id: developerId })).toEqual([]);
    const again = await submit({ documentIds: [keyOf(document), await on.upload(session)] });
    expect(again.body.data.submitKyc.developer).toEqual({
      email: 'own@kyc.example',
      onboardingStatus: 'KYC_SUBMITTED',
    });
    const [row] = await on.test.db.query('select rejection_reason from developer where id = $1', [developerId]);
    expect(row).toEqual({ rejection_reason: null });
    await setStatus('approved');
    expect(codesOf(await submit({ documentIds: [document] }))).toEqual(['CONFLICT']);
  });

  it('tells an admin in the trail when another account has handed in the same PAN', async () => {
    await submit({ documentIds: [await on.upload(other)] }, other);
    const [entry] = await on.test.db.query<{ after: object }>(
      `select after from audit_entry where action = 'kyc.submit' order by audit_entry.id desc limit 1`,
    );
    expect(entry!.after).toMatchObject({ documents: 1, otherAccountsWithThisPan: 1 });
  });

  it('is for developers, with a session', async () => {
    const input = { ...kyc, documentIds: ['one'] };
    expect(await on.codes(undefined, SUBMIT, { input })).toEqual(['UNAUTHENTICATED']);
    expect(await on.codes(on.staff.admin, SUBMIT, { input })).toEqual(['FORBIDDEN']);
    expect(await on.codes(on.staff.support, UPLOAD, { input: documentOf() })).toEqual(['FORBIDDEN']);
  });
});
