import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { DeveloperId, UserId } from '../../src/core/principal.js';
import { Secret } from '../../src/core/secret.js';
import { MemoryCounters } from '../../src/db/counters/counters.js';
import { KycLinks } from '../../src/onboarding/kyc-link.js';
import { UploadQuota } from '../../src/onboarding/upload-quota.js';
import {
  documentOf,
  formOf,
  kyc as kycOfAll,
  rejectionOf,
  SUBMIT,
  upload as send,
} from '../onboarding/onboarding.fixture.js';
import { seed } from '../support/app.js';
import { UNKNOWN_ID } from '../support/ids.js';
import { useConsole } from './console.fixture.js';

const READ = `query($id: ID!) { developer(id: $id) { kyc { id legalName pan gstin address pincode submittedAt developersWithSamePan
  documents { id kind fileName contentType sizeBytes downloadUrl } } } }`;
/** A PAN of its own, because accounts with the same PAN are counted and other files share the application. */
const kyc = { ...kycOfAll, pan: 'kycpr2345k', gstin: '27KYCPR2345K1Z5' };
const NODE = 'query($id: ID!) { node(id: $id) { __typename id } }';

const console = useConsole();
let developerId: DeveloperId;
let session: string;
/** Another account that submitted the same PAN. */
let otherAccount: string;
/** The two documents of that account. */
let submittedDocuments: string[];
let sequence = 0;

/** Creates an account with a confirmed address, and its session. */
async function account(): Promise<{ id: DeveloperId; session: string }> {
  const email = `kyc-${++sequence}@test.example`;
  const id = await console.test.app.developers.register({ name: 'Applicant', email }, seed);
  await console.test.app.developers.markEmailVerified(id, seed);
  return { id, session: await console.userOf(id) };
}
const upload = (as: string, change: object = {}) =>
  send(console.test.urls.console, as, formOf({ ...documentOf(), ...change }));
async function submit(as: string, documents: object[], change: object = {}): Promise<string[]> {
  const documentIds: string[] = [];
  for (const document of documents) documentIds.push((await upload(as, document)).body.documentId);
  expect(await console.codes(as, SUBMIT, { input: { ...kyc, documentIds, ...change } })).toEqual([]);
  return documentIds;
}
/** ID of a submission or document without the prefix of its account. */
const keyOf = (id: string): string => id.split('_').at(-1)!;
const read = async (token = console.staff.admin, id = developerId) => (await console.call(token, READ, { id })).body;
const linkOf = async (token?: string): Promise<string> =>
  (await read(token)).data.developer.kyc.documents[0].downloadUrl;
const get = async (url: string, token?: string) => {
  const response = await fetch(url, token ? { headers: { authorization: `Bearer ${token}` } } : {});
  const content = Buffer.from(await response.arrayBuffer());
  const code = response.status < 400 ? undefined : JSON.parse(content.toString()).code;
  return { status: response.status, headers: response.headers, content, code };
};
const entries = (action: string) =>
  console.test.db.query(
    'select actor, subject, after from audit_entry where action = $1 and subject = $2 order by audit_entry.id',
    [action, `developer:${developerId}`],
  );

beforeAll(async () => {
  ({ id: developerId, session } = await account());
  ({ session: otherAccount } = await account());
  await submit(otherAccount, [{}], { pan: 'KYCPR2345K' });
  submittedDocuments = await submit(session, [
    { fileName: 'मेरा <pan>*; x.pdf', kind: 'pan_card' },
    { ...documentOf('image/png', 3_000), fileName: 'address.png', kind: 'address proof' },
  ]);
});

describe('a KYC submission', () => {
  it('is readable by admins, with the PAN masked and the number of accounts that share it', async () => {
    const { kyc: submission } = (await read()).data.developer;
    expect(submission).toMatchObject({
      id: `kyc_${developerId}_${keyOf(submission.id)}`,
      legalName: kyc.legalName,
      pan: 'xxxxxx345K',
      gstin: '27xxxxxx345K1Z5',
      address: kyc.address,
      pincode: kyc.pincode,
      developersWithSamePan: 1,
      documents: [
        { kind: 'pan_card', fileName: 'मेरा _pan_ x.pdf', contentType: 'application/pdf', sizeBytes: 200 },
        { kind: 'address proof', fileName: 'address.png', contentType: 'image/png', sizeBytes: 3_000 },
      ],
    });
    const ids = submission.documents.map(({ id }: { id: string }) => id);
    expect(ids).toEqual(submittedDocuments);
    expect(ids).toEqual(ids.map((id: string) => `doc_${developerId}_${keyOf(id)}`));
    expect(JSON.stringify(submission).toUpperCase()).not.toContain(kyc.pan.toUpperCase());
  });

  it('gets an audit entry for each read, with its reader', async () => {
    const countBefore = (await entries('kyc.read')).length;
    const { kyc: submission } = (await read(console.staff.second)).data.developer;
    const all = await entries('kyc.read');
    expect(all.slice(countBefore)).toMatchObject([{ after: { submissionId: keyOf(submission.id) } }]);
    const [reader] = await console.test.db.query<{ id: string }>(
      `select id from app_user where email = 'second@test.example'`,
    );
    expect(all.at(-1)).toMatchObject({ actor: `user:${reader!.id}` });
  });

  it('is readable by the account itself, masked, without the fields for staff and without an audit entry', async () => {
    const { kyc: submission } = (await read()).data.developer;
    const entriesBefore = await entries('kyc.read');
    const { data, errors } = await read(session);
    expect(errors).toBeUndefined();
    expect(data.developer.kyc).toEqual({
      ...submission,
      pan: 'xxxxxx345K',
      gstin: '27xxxxxx345K1Z5',
      developersWithSamePan: null,
      documents: submission.documents.map((document: object) => ({ ...document, downloadUrl: null })),
    });
    for (const id of [submission.id, submission.documents[1].id])
      expect((await console.call(session, NODE, { id })).body.data.node).toMatchObject({ id });
    expect(await entries('kyc.read')).toEqual(entriesBefore);
  });

  it('is not readable by support or by users of another account, and their attempts leave no entry', async () => {
    const { kyc: submission } = (await read()).data.developer;
    const entriesBefore = await entries('kyc.read');
    const rejection = await read(console.staff.support);
    expect([rejection.data.developer.kyc, rejection.errors[0].extensions.code]).toEqual([null, 'FORBIDDEN']);
    const hidden = await read(otherAccount);
    expect([hidden.data.developer, hidden.errors[0].extensions.code]).toEqual([null, 'RECORD_NOT_FOUND']);
    for (const token of [console.staff.support, otherAccount])
      for (const id of [submission.id, submission.documents[1].id])
        expect(await console.codes(token, NODE, { id })).toEqual(['RECORD_NOT_FOUND']);
    expect(await entries('kyc.read')).toEqual(entriesBefore);
  });

  it('is null before the first submission, and correct for each account of a list', async () => {
    const { id } = await account();
    expect((await read(console.staff.admin, id)).data.developer.kyc).toBeNull();
    const { body } = await console.call(
      console.staff.admin,
      '{ developers(first: 200, filter: { search: "kyc-" }) { edges { node { id kyc { documents { id } } } } } }',
    );
    const counts = new Map(
      body.data.developers.edges.map(({ node }: { node: { id: string; kyc: { documents: [] } | null } }) => [
        node.id,
        node.kyc?.documents.length,
      ]),
    );
    const countOf = (developer: string) => counts.get(`dev_${developer}`);
    expect([countOf(developerId), countOf(UNKNOWN_ID), countOf(id)]).toEqual([2, undefined, undefined]);
  });

  it('is found by its ID, and so is a document, by admins only, with an audit entry for each read', async () => {
    const { kyc: submission } = (await read()).data.developer;
    const entriesBefore = await entries('kyc.read');
    const ids = { KycSubmission: submission.id, KycDocument: submission.documents[1].id };
    for (const [type, id] of Object.entries(ids)) {
      const { body } = await console.call(console.staff.admin, NODE, { id });
      expect(body.data.node).toEqual({ __typename: type, id });
    }
    expect(await entries('kyc.read')).toHaveLength(entriesBefore.length + 2);
  });

  it('is the latest one after a rejection', async () => {
    const lateAccount = await account();
    await submit(lateAccount.session, [{}], { pan: 'ZZZPZ9999Z', gstin: undefined });
    await console.test.app.developers.change(
      'rejectDeveloper',
      { developerId: lateAccount.id, reason: 'Blurred' },
      seed,
    );
    await submit(lateAccount.session, [{}, {}], { pan: 'ZZZPZ9999Z', gstin: undefined, legalName: 'Second Try' });
    expect((await read(console.staff.admin, lateAccount.id)).data.developer.kyc).toMatchObject({
      legalName: 'Second Try',
      gstin: null,
      developersWithSamePan: 0,
      documents: [{}, {}],
    });
  });
});

describe('a masked KYC field', () => {
  const REVEAL = `mutation($submissionId: ID!, $field: KycField!) {
    revealKycField(input: { submissionId: $submissionId, field: $field }) { value } }`;
  const submissionId = async () => (await read()).data.developer.kyc.id as string;
  const reveal = async (field: string, token?: string, id?: string) =>
    console.call(token ?? console.staff.admin, REVEAL, { submissionId: id ?? (await submissionId()), field });

  it('is revealed to an administrator and a reviewer, with an audit entry that has the field and no value', async () => {
    const id = await submissionId();
    const countBefore = (await entries('kyc.reveal')).length;
    expect((await reveal('PAN')).body.data.revealKycField).toEqual({ value: 'KYCPR2345K' });
    expect((await reveal('GSTIN', console.staff.second)).body.data.revealKycField).toEqual({
      value: '27KYCPR2345K1Z5',
    });
    const newEntries = (await entries('kyc.reveal')).slice(countBefore);
    expect(newEntries.map(({ after }) => after)).toEqual([
      { submissionId: keyOf(id), field: 'pan' },
      { submissionId: keyOf(id), field: 'gstin' },
    ]);
    expect(new Set(newEntries.map(({ actor }) => actor)).size).toBe(2);
    expect(JSON.stringify(newEntries)).not.toContain('KYCPR2345K');
  });

  it('is not revealed to other roles or to the account itself, and no entry is written', async () => {
    const id = await submissionId();
    const entriesBefore = await entries('kyc.reveal');
    for (const token of [console.staff.support, session, otherAccount])
      expect(await console.codes(token, REVEAL, { submissionId: id, field: 'PAN' })).toEqual(['FORBIDDEN']);
    expect(await entries('kyc.reveal')).toEqual(entriesBefore);
  });

  it('is revealed for the last submission only, and is null if the submission has no value', async () => {
    const lateAccount = await account();
    await submit(lateAccount.session, [{}], { pan: 'YYYPY9999Y', gstin: undefined });
    const first = (await read(console.staff.admin, lateAccount.id)).data.developer.kyc.id;
    expect((await reveal('GSTIN', undefined, first)).body.data.revealKycField).toEqual({ value: null });
    await console.test.app.developers.change(
      'rejectDeveloper',
      { developerId: lateAccount.id, reason: 'Blurred' },
      seed,
    );
    await submit(lateAccount.session, [{}], { pan: 'ZZZPY9999Y', gstin: undefined });
    const codes = await Promise.all(
      [first, `kyc_${UNKNOWN_ID}_${UNKNOWN_ID}`, 'kyc_none', developerId].map((id) =>
        console.codes(console.staff.admin, REVEAL, { submissionId: id, field: 'PAN' }),
      ),
    );
    expect(codes.flat()).toEqual(Array(4).fill('RECORD_NOT_FOUND'));
  });
});

describe('a KYC document', () => {
  it('is downloaded unchanged as an attachment that browsers do not display, with an audit entry', async () => {
    const { documents } = (await read()).data.developer.kyc;
    const { status, headers, content } = await get(documents[0].downloadUrl, console.staff.admin);
    expect([status, content]).toEqual([200, documentOf().content]);
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': `attachment; filename="____ _pan_ x.pdf"; filename*=UTF-8''${encodeURIComponent('मेरा _pan_ x.pdf')}`,
      'cache-control': 'no-store',
      'content-security-policy': "sandbox; default-src 'none'",
      'x-content-type-options': 'nosniff',
    });
    expect((await entries('kyc.download_document')).at(-1)).toMatchObject({
      after: { documentId: keyOf(documents[0].id) },
    });
    const second = await get(documents[1].downloadUrl, console.staff.admin);
    expect([second.status, second.headers.get('content-type'), second.content.length]).toEqual([
      200,
      'image/png',
      3_000,
    ]);
  });

  it('requires a session in addition to the link, the user of the link, and an admin', async () => {
    const link = await linkOf();
    const entriesBefore = await entries('kyc.download_document');
    for (const [token, status, code] of [
      [undefined, 401, 'UNAUTHENTICATED'],
      ['ses_unknown', 401, 'UNAUTHENTICATED'],
      [console.staff.second, 403, 'FORBIDDEN'],
      [console.staff.support, 403, 'FORBIDDEN'],
      [session, 403, 'FORBIDDEN'],
    ] as const) {
      const response = await get(link, token);
      expect([response.status, response.code]).toEqual([status, code]);
    }
    // A link for a user of the account, signed with the key of the service.
    const [user] = await console.test.db.query<{ id: UserId }>('select id from app_user where developer_id = $1', [
      developerId,
    ]);
    const links = new KycLinks(new Secret('a pepper for tests only'), console.test.urls.console);
    const own = links.urlFor(user!.id, { developerId, documentId: keyOf(submittedDocuments[0]!) });
    expect((await get(own, session)).code).toBe('FORBIDDEN');
    expect(await entries('kyc.download_document')).toEqual(entriesBefore);
  });

  it('cannot be downloaded with a changed link', async () => {
    const link = await linkOf();
    const other = keyOf((await read()).data.developer.kyc.documents[1].id);
    const at = (change: (url: URL) => void) => {
      const url = new URL(link);
      change(url);
      return get(url.href, console.staff.admin);
    };
    const { searchParams, pathname } = new URL(link);
    for (const change of [
      (url: URL) => void (url.pathname = pathname.replace(/[^/]+$/, other)),
      (url: URL) => void (url.pathname = pathname.replace(/[^/]+$/, 'none')),
      (url: URL) => url.searchParams.set('expires', String(Number(searchParams.get('expires')) + 1)),
      (url: URL) => url.searchParams.set('developer', UNKNOWN_ID),
      (url: URL) => url.searchParams.set('developer', `0${developerId}`),
      (url: URL) => url.searchParams.set('signature', 'A'.repeat(43)),
      (url: URL) => url.searchParams.append('signature', searchParams.get('signature')!),
      (url: URL) => url.searchParams.delete('signature'),
      (url: URL) => void (url.search = ''),
    ]) {
      const response = await at(change);
      expect([response.status, response.code]).toEqual([403, 'FORBIDDEN']);
    }
  });

  it('has a link that is valid for one minute', async () => {
    const link = await linkOf();
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 58_000 });
    try {
      expect((await get(link, console.staff.admin)).status).toBe(200);
      vi.setSystemTime(Date.now() + 3_000);
      const expired = await get(link, console.staff.admin);
      expect([expired.status, expired.code]).toEqual([404, 'RECORD_NOT_FOUND']);
    } finally {
      vi.useRealTimers();
    }
  });

  it.each([
    ['a page after a PDF signature', `%PDF-<html><script>alert(1)</script>%%EOF`],
    ['a truncated PDF', '%PDF-1.7\n1 0 obj'],
    ['a PDF that is also an archive', `%PDF-1.7\nPK\u0003\u0004 PK\u0005\u0006\0\0\0\0\u0001\0 %%EOF`],
  ])('is rejected if it is %s', async (_name, text) => {
    const { session: own } = await account();
    const response = await upload(own, { content: Buffer.from(text, 'latin1') });
    expect(rejectionOf(response)).toEqual([422, 'VALIDATION_FAILED', ['file']]);
  });
});

describe('the daily upload limit of one IP address', () => {
  const quota = () => new UploadQuota(new MemoryCounters());
  const rejection = { code: 'RATE_LIMITED', details: { retryAfterMs: expect.any(Number) } };

  it('is 30 documents', async () => {
    const small = quota();
    for (let n = 0; n < 30; n++) await small.take('here', 1);
    await expect(small.take('here', 1)).rejects.toMatchObject(rejection);
    await small.take('there', 1);
  });

  it('is 60 MiB', async () => {
    const large = quota();
    for (let n = 0; n < 12; n++) await large.take('here', 5 * 1024 * 1024);
    await expect(large.take('here', 1)).rejects.toMatchObject(rejection);
  });

  it('is shared by all accounts', async () => {
    expect((await upload((await account()).session)).status).toBe(201);
    await console.test.db.query(`update rate_limit set points = 30 where key like '%kyc-documents:%'`);
    const response = await upload((await account()).session);
    expect(rejectionOf(response)).toEqual([429, 'RATE_LIMITED', []]);
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(3_600);
  });
});
