import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { DeveloperId } from '../../src/core/principal.js';
import { codesOf, expectExplained, fieldsOf } from '../console/console.fixture.js';
import { seed } from '../support/app.js';
import { rechargeInput } from '../support/recharges.js';
import { documentOf, kyc, rejectionOf, SUBMIT, upload, useOnboarding } from './onboarding.fixture.js';

/**
 * A developer can see the progress: drafts, requested changes, the steps to Production access, and emails about each resolution.
 */
const on = useOnboarding({ TWO_PEOPLE: 'unlock' });
expectExplained(on);

const DRAFT = `{ viewer { developer { onboardingStatus rejectionReason kycSubmittedAt
  kyc { documents { id } }
  kycDraft { remainingDocuments legalName pan gstin address pincode documents { id kind fileName sizeBytes downloadUrl } } } } }`;
const SAVE = 'mutation($input: SaveKycDraftInput!) { saveKycDraft(input: $input) { developer { kycDraft { pan } } } }';
const DELETE = `mutation($id: ID!) { deleteKycDocument(input: {documentId: $id}) {
  documentId developer { kycDraft { remainingDocuments documents { id } } } } }`;
const CHANGES = `mutation($id: ID!, $reason: String!) {
  requestKycChanges(input: {developerId: $id, reason: $reason}) { developer { onboardingStatus rejectionReason } } }`;
const GO_LIVE =
  '{ viewer { developer { productionRequest { requestedAt message } goLive { step completedAt isInReview } } } }';
const REQUEST_PRODUCTION = `mutation($message: String) { requestProduction(input: {message: $message}) {
  developer { productionRequest { message } } } }`;
const resolution = (verb: string) =>
  `mutation($id: ID!) { ${verb}(input: {developerId: $id}) { approvalRequest { id } } }`;

let sequence = 0;
/** An account with a confirmed address, and a session of its owner. */
async function account(): Promise<{ developerId: DeveloperId; session: string }> {
  const email = `waiting-${++sequence}@kyc.example`;
  const { developers } = on.test.app;
  const developerId = await developers.register({ name: 'Asha Verma', email }, seed);
  await developers.markEmailVerified(developerId, seed);
  return { developerId, session: await on.userOf(developerId, email) };
}
const draftOf = async (session: string) => (await on.call(session, DRAFT)).body.data.viewer.developer;
const save = (session: string, input: object) => on.call(session, SAVE, { input });
const actionsOf = async (developerId: string): Promise<string[]> =>
  (
    await on.test.db.query<{ action: string }>(
      'select action from audit_entry where subject = $1 order by audit_entry.id',
      [`developer:${developerId}`],
    )
  ).map(({ action }) => action);

describe('a KYC draft', () => {
  let session: string;
  let developerId: DeveloperId;
  beforeAll(async () => ({ session, developerId } = await account()));

  it('stores incomplete input as typed, encrypted, and uploaded documents', async () => {
    const typed = { legalName: 'Asha Ver', pan: 'abcp', pincode: '4110' };
    expect(codesOf(await save(session, typed))).toEqual([]);
    const document = await on.upload(session, { ...documentOf(), kind: 'pan_card', fileName: 'pan.pdf' });
    const { kycDraft, kycSubmittedAt } = await draftOf(session);
    expect(kycSubmittedAt).toBeNull();
    expect(kycDraft).toEqual({
      ...typed,
      gstin: null,
      address: null,
      remainingDocuments: 9,
      documents: [{ id: document, kind: 'pan_card', fileName: 'pan.pdf', sizeBytes: 200, downloadUrl: null }],
    });
    const node = await on.call(session, 'query($id: ID!) { node(id: $id) { id } }', { id: document });
    expect(node.body.data.node).toEqual({ id: document });
    const rows = await on.test.db.query<{ text: string }>(`select encode(details, 'escape') as text from kyc_draft`);
    expect(rows.map(({ text }) => text).join()).not.toMatch(/Asha|abcp/);
    // Omitted fields are cleared; one audit entry, however often it is saved.
    await save(session, { pan: 'abcpv1234k' });
    expect((await draftOf(session)).kycDraft).toMatchObject({ legalName: null, pan: 'abcpv1234k' });
    expect((await actionsOf(developerId)).filter((action) => action === 'kyc.begin_draft')).toHaveLength(1);
  });

  it('names a field that is too long, and stores nothing', async () => {
    const response = await save(session, { legalName: 'x'.repeat(101), pan: 'a\u0000b' });
    expect([codesOf(response), fieldsOf(response)]).toEqual([['VALIDATION_FAILED'], ['input.pan', 'input.legalName']]);
    expect((await draftOf(session)).kycDraft.pan).toBe('abcpv1234k');
  });

  it('loses only the document that its owner deletes', async () => {
    const other = await account();
    const otherDocument = await on.upload(other.session);
    const [{ id }] = (await draftOf(session)).kycDraft.documents;
    for (const unknown of [otherDocument, 'doc_none', `doc_${developerId}_0190b3c2-0000-7000-8000-000000000000`])
      expect(await on.codes(session, DELETE, { id: unknown })).toEqual(['RECORD_NOT_FOUND']);
    const responses = await Promise.all([on.call(session, DELETE, { id }), on.call(session, DELETE, { id })]);
    expect(responses.flatMap(codesOf)).toEqual(['RECORD_NOT_FOUND']);
    const done = responses.find((response) => codesOf(response).length === 0)!.body.data.deleteKycDocument;
    expect(done).toEqual({ documentId: id, developer: { kycDraft: { remainingDocuments: 10, documents: [] } } });
    expect((await draftOf(other.session)).kycDraft.documents).toMatchObject([{ id: otherDocument }]);
    expect(await actionsOf(developerId)).toContain('kyc.delete_document');
  });

  it('is readable by the owner only, and is deleted at submission', async () => {
    const draftQuery = 'query($id: ID!) { developer(id: $id) { kycDraft { pan } } }';
    const response = await on.call(on.staff.admin, draftQuery, { id: developerId });
    expect([response.body.data.developer.kycDraft, codesOf(response)]).toEqual([null, ['FORBIDDEN']]);
    const documentIds = [await on.upload(session)];
    expect(await on.codes(session, SUBMIT, { input: { ...kyc, documentIds } })).toEqual([]);
    const submitted = await draftOf(session);
    expect([submitted.kycDraft, submitted.kycSubmittedAt]).toEqual([null, expect.any(String)]);
    expect(codesOf(await save(session, { pan: 'x' }))).toEqual(['CONFLICT']);
    expect(await on.codes(session, DELETE, { id: documentIds[0] })).toEqual(['CONFLICT']);
    expect(rejectionOf(await upload(on.test.urls.console, session))[1]).toBe('CONFLICT');
  });

  it('starts with the last submission when changes are requested, and the reason is emailed and shown', async () => {
    const reason = 'The address proof is older than three months.';
    for (const by of [session, on.staff.support])
      expect(await on.codes(by, CHANGES, { id: developerId, reason })).toEqual(['FORBIDDEN']);
    const empty = await on.call(on.staff.admin, CHANGES, { id: developerId, reason: '' });
    expect(fieldsOf(empty)).toEqual(['input.reason']);
    const [first, second] = await Promise.all([
      on.call(on.staff.admin, CHANGES, { id: developerId, reason }),
      on.call(on.staff.second, CHANGES, { id: developerId, reason }),
    ]);
    expect([first, second].flatMap(codesOf)).toEqual(['CONFLICT']);
    const emails = await on.emailsTo('waiting-1@kyc.example', 1);
    expect(emails[0]).toContain(reason);
    const { kycDraft, kyc: submitted, ...fields } = await draftOf(session);
    expect(fields).toMatchObject({ onboardingStatus: 'KYC_CHANGES_REQUESTED', rejectionReason: reason });
    expect(kycDraft).toMatchObject({ ...kyc, pan: kyc.pan.toUpperCase(), documents: [] });
    // The account cannot be approved in this state; submitted documents can be submitted again with a new one.
    expect(await on.codes(on.staff.admin, resolution('approveDeveloper'), { id: developerId })).toEqual(['CONFLICT']);
    const documentIds = [submitted.documents[0].id, await on.upload(session)];
    expect(await on.codes(session, SUBMIT, { input: { ...kyc, documentIds } })).toEqual([]);
    expect(await draftOf(session)).toMatchObject({ onboardingStatus: 'KYC_SUBMITTED', rejectionReason: null });
  });
});

describe('the steps to Production access', () => {
  let session: string;
  let developerId: DeveloperId;
  beforeAll(async () => ({ session, developerId } = await account()));
  const steps = async () => {
    const { goLive, productionRequest } = (await on.call(session, GO_LIVE)).body.data.viewer.developer;
    const stepNames = (kind: (step: any) => unknown): string[] => goLive.filter(kind).map(({ step }: any) => step);
    return {
      done: stepNames(({ completedAt }) => completedAt),
      ours: stepNames(({ isInReview }) => isInReview),
      productionRequest,
    };
  };
  const stepsBefore = ['EMAIL_CONFIRMED', 'KYC_SUBMITTED', 'KYC_APPROVED', 'FIRST_UAT_SUCCESS', 'PRODUCTION_REQUESTED'];

  it('show when each step was completed, and who must act next', async () => {
    expect(await steps()).toEqual({ done: stepsBefore.slice(0, 1), ours: [], productionRequest: null });
    expect(await on.codes(session, REQUEST_PRODUCTION)).toEqual(['CONFLICT']);
    await on.call(session, SUBMIT, { input: { ...kyc, documentIds: [await on.upload(session)] } });
    expect(await steps()).toMatchObject({ done: stepsBefore.slice(0, 2), ours: ['KYC_APPROVED'] });
    const summary = 'query($id: ID!) { developer(id: $id) { kycSummary { documents submittedAt } } }';
    expect((await on.call(on.staff.admin, summary, { id: developerId })).body.data.developer.kycSummary).toEqual({
      documents: 1,
      submittedAt: expect.any(String),
    });
    expect(await actionsOf(developerId)).not.toContain('kyc.read');
    expect(await on.codes(on.staff.admin, resolution('approveDeveloper'), { id: developerId })).toEqual([]);
    expect(await steps()).toMatchObject({ done: stepsBefore.slice(0, 3), ours: [] });
  });

  it('include the first success in UAT, and no failure', async () => {
    const { clientId: client_id, apiSecret: api_secret } = await on.test.app.credentials.create(
      developerId,
      'uat',
      undefined,
      seed,
    );
    const exchange = { client_id, api_secret, environment: 'uat' };
    const { body } = await on.test.rest('uat', 'POST', '/api/v1/auth/client-credentials', undefined, exchange);
    const recharge = (changes: object) =>
      on.test.graphql(
        'uat',
        body.token,
        'mutation($input: RechargeInput!) { recharge(input: $input) { order { status } } }',
        {
          input: rechargeInput(changes),
        },
      );
    const failed = await recharge({ accountNumber: '9876540001' });
    expect(failed.body.data.recharge.order.status).toBe('FAILED');
    expect((await steps()).done).toEqual(stepsBefore.slice(0, 3));
    expect((await recharge({})).body.data.recharge.order.status).toBe('SUCCESS');
    expect((await steps()).done).toEqual(stepsBefore.slice(0, 4));
  });

  it('allow one request for Production access until it is resolved, by two admins where the setting requires it', async () => {
    const long = await on.call(session, REQUEST_PRODUCTION, { message: 'x'.repeat(501) });
    expect(fieldsOf(long)).toEqual(['input.message']);
    const message = 'A shop in Pune, some 300 recharges a day.';
    const responses = await Promise.all([
      on.call(session, REQUEST_PRODUCTION, { message }),
      on.call(session, REQUEST_PRODUCTION, { message }),
    ]);
    expect(responses.flatMap(codesOf)).toEqual(['CONFLICT']);
    expect(await steps()).toEqual({
      done: stepsBefore,
      ours: ['PRODUCTION_UNLOCKED'],
      productionRequest: { requestedAt: expect.any(String), message },
    });
    const waiting =
      '{ developers(filter: {productionRequested: true}) { totalCount edges { node { productionRequest { message } } } } }';
    expect((await on.call(on.staff.support, waiting)).body.data.developers).toEqual({
      totalCount: 1,
      edges: [{ node: { productionRequest: { message } } }],
    });
    const unlock = await on.call(on.staff.admin, resolution('unlockProduction'), { id: developerId });
    const approvalRequestId = unlock.body.data.unlockProduction.approvalRequest.id;
    expect((await steps()).ours).toEqual(['PRODUCTION_UNLOCKED']);
    const approve =
      'mutation($approvalRequestId: ID!) { approveApprovalRequest(input: {approvalRequestId: $approvalRequestId}) { outcome { __typename } } }';
    expect(await on.codes(on.staff.second, approve, { approvalRequestId })).toEqual([]);
    expect(await steps()).toEqual({ done: [...stepsBefore, 'PRODUCTION_UNLOCKED'], ours: [], productionRequest: null });
    expect(await on.codes(session, REQUEST_PRODUCTION)).toEqual(['CONFLICT']);
    const emails = (await on.emailsTo(`waiting-${sequence}@kyc.example`, 2)).map(
      (email) => /^Subject: (.*)$/m.exec(email)![1],
    );
    expect(emails).toEqual(['Your account is approved', 'Your account has Production access']);
  });

  it('end with the first credit, and start again if Production access is revoked', async () => {
    const credit = `mutation($id: ID!) { creditWallet(input: {developerId: $id, environment: PRODUCTION, amount: 100,
      reference: "First", utr: "UTIB00000012345"}) { outcome { __typename } } }`;
    expect(await on.codes(on.staff.admin, credit, { id: developerId })).toEqual([]);
    expect((await steps()).done).toEqual([...stepsBefore, 'PRODUCTION_UNLOCKED', 'FIRST_CREDIT']);
    const lock =
      'mutation($id: ID!) { lockProduction(input: {developerId: $id, reason: "A leak"}) { developer { id } } }';
    expect(await on.codes(on.staff.admin, lock, { id: developerId })).toEqual([]);
    expect((await steps()).done).toEqual([...stepsBefore.slice(0, 4), 'FIRST_CREDIT']);
    expect(await on.codes(session, REQUEST_PRODUCTION)).toEqual([]);
  });
});

describe('developer notes', () => {
  const NOTES = `query($id: ID!, $first: Int, $after: String) { developer(id: $id) { notes(first: $first, after: $after) {
    pageInfo { endCursor hasNextPage } edges { node { id text author { name user { id } } } } } } }`;
  const ADD =
    'mutation($id: ID!, $text: String!) { addNote(input: {developerId: $id, text: $text}) { note { id text } } }';
  let developerId: DeveloperId;
  let session: string;
  beforeAll(async () => ({ session, developerId } = await account()));
  beforeEach(() => on.test.db.query('delete from rate_limit'));

  it('are read by staff, newest first, and not by users of the account', async () => {
    for (const [text, by] of [
      ['Called about the PAN.', on.staff.support],
      ['Two lines:\nboth are kept.', on.staff.admin],
    ] as const)
      expect(await on.codes(by, ADD, { id: developerId, text })).toEqual([]);
    const first = (await on.call(on.staff.second, NOTES, { id: developerId, first: 1 })).body.data.developer.notes;
    expect(first.edges[0].node).toMatchObject({ text: 'Two lines:\nboth are kept.', author: { name: 'admin' } });
    const { endCursor: after } = first.pageInfo;
    const rest = (await on.call(on.staff.support, NOTES, { id: developerId, after })).body.data.developer.notes;
    expect(rest).toMatchObject({
      pageInfo: { hasNextPage: false },
      edges: [{ node: { text: 'Called about the PAN.', author: { name: 'support' } } }],
    });
    const node = 'query($id: ID!) { node(id: $id) { id } }';
    const { id } = rest.edges[0].node;
    expect((await on.call(on.staff.admin, node, { id })).body.data.node).toEqual({ id });
    expect(await on.codes(session, node, { id })).toEqual(['RECORD_NOT_FOUND']);
    const own = await on.call(session, NOTES, { id: developerId });
    expect([own.body.data.developer.notes, codesOf(own)]).toEqual([null, ['FORBIDDEN']]);
    const activity = await on.call(session, '{ viewer { developer { activity { edges { node { action } } } } } }');
    expect(JSON.stringify(activity.body)).not.toContain('ADD_NOTE');
  });

  it.each([
    ['', 'VALIDATION_FAILED'],
    ['x'.repeat(1_001), 'VALIDATION_FAILED'],
  ])('have 1 to 1000 characters', async (text, code) => {
    expect(await on.codes(on.staff.admin, ADD, { id: developerId, text })).toEqual([code]);
  });

  it('belong to an existing developer', async () => {
    const id = '0190b3c2-0000-7000-8000-000000000000';
    expect(await on.codes(on.staff.admin, ADD, { id, text: 'x' })).toEqual(['RECORD_NOT_FOUND']);
  });
});
