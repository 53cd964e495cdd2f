import { beforeEach, expect } from 'vitest';
import type { Logger } from '../../src/core/log.js';
import { type Console, useOwnConsole } from '../console/console.fixture.js';
import { mailboxOf, type TestResponse } from '../support/app.js';
import { emailsTo } from '../support/mailbox.js';

export const PASSWORD = 'a long enough password';
export const applicant = { name: 'Asha Verma', password: PASSWORD, mobile: '9812345670' };
export const kyc = {
  legalName: 'Asha Verma Fintech LLP',
  pan: 'abcpv1234k',
  gstin: '27ABCPV1234K1Z5',
  address: '14 Nehru Road, Pune',
  pincode: '411001',
};

export const SIGN_UP = 'mutation($input: SignUpInput!) { signUp(input: $input) { accepted } }';
export const VERIFY =
  'mutation($input: VerifyEmailInput!) { verifyEmail(input: $input) { viewer { user { id name email role } developer { id onboardingStatus } } } }';
export const SUBMIT =
  'mutation($input: SubmitKycInput!) { submitKyc(input: $input) { developer { email onboardingStatus } } }';
export const SIGN_IN = 'mutation($input: SignInInput!) { signIn(input: $input) { token } }';

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const starts: Record<string, Buffer> = {
  'application/pdf': Buffer.from('%PDF-1.7\n'),
  'image/jpeg': Buffer.from([0xff, 0xd8, 0xff, 0xe0]),
  'image/png': PNG,
};

export interface SentDocument {
  kind: string;
  fileName: string;
  contentType: string;
  content: Buffer;
}

/** A file that starts like its type and contains a text to search for. */
export function documentOf(
  contentType = 'application/pdf',
  sizeBytes = 200,
  text = 'KYC-CANARY-CONTENT ',
): SentDocument {
  const content = Buffer.alloc(sizeBytes, text);
  starts[contentType]!.copy(content);
  if (contentType === 'application/pdf') content.write('\n%%EOF\n', sizeBytes - 7);
  return { kind: 'pan_card', fileName: 'pan.pdf', contentType, content };
}

/** A form as a browser sends it, with lower-case types. */
export function formOf({ kind, fileName, contentType, content }: SentDocument = documentOf()): FormData {
  const form = new FormData();
  form.append('kind', kind);
  form.append('file', new File([new Uint8Array(content)], fileName, { type: contentType }));
  return form;
}

/** Sends `POST /kyc/documents` with a console session. */
export async function upload(
  consoleUrl: string,
  session: string | undefined,
  body: NonNullable<RequestInit['body']> = formOf(),
  headers: Record<string, string> = {},
): Promise<TestResponse> {
  const response = await fetch(`${consoleUrl}/kyc/documents`, {
    method: 'POST',
    body,
    headers: { ...(session === undefined ? {} : { authorization: `Bearer ${session}` }), ...headers },
    ...(body instanceof ReadableStream ? { duplex: 'half' } : {}),
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

/** Status, code and invalid fields of an error response. */
export const rejectionOf = ({ status, body }: TestResponse) => [status, body.code, Object.keys(body.errors ?? {})];

export interface Onboarding extends Console {
  readonly directory: string;
  /** Waits for this many emails to an address and returns them, oldest first. */
  emailsTo(address: string, count: number): Promise<string[]>;
  tokenIn(email: string): string;
  /** An account with a confirmed address: its ID in the database and a session. */
  verified(email: string): Promise<{ developerId: string; session: string }>;
  /** Returns the ID for `submitKyc`. */
  upload(session: string, document?: SentDocument): Promise<string>;
}

/** Converts the ID of a developer in the API into that of the database. */
const keyOf = (id: string): string => id.replace(/^dev_/, '');

/** A console with its own mailbox. Failed attempts are reset before each test. */
export function useOnboarding(settings: Record<string, string> = {}, log?: Logger): Onboarding {
  const on = useOwnConsole(settings, log) as Onboarding;
  beforeEach(() => on.test.db.query('delete from rate_limit'));

  Object.defineProperty(on, 'directory', { get: () => mailboxOf(on.test.db.url) });
  on.emailsTo = (address, count) => emailsTo(on.directory, address, count);
  on.tokenIn = (email) => /\/verify#token=([0-9a-f]{64})\n/.exec(email)![1]!;
  on.verified = async (email) => {
    await on.call(undefined, SIGN_UP, { input: { ...applicant, email } });
    const token = on.tokenIn((await on.emailsTo(email, 1))[0]!);
    const viewer = (await on.call(undefined, VERIFY, { input: { token, password: PASSWORD } })).body.data.verifyEmail
      .viewer;
    const signedIn = await on.call(undefined, SIGN_IN, { input: { email, password: PASSWORD } });
    return { developerId: keyOf(viewer.developer.id), session: signedIn.body.data.signIn.token };
  };
  on.upload = async (session, document) => {
    const { status, body } = await upload(on.test.urls.console, session, formOf(document));
    expect([status, body]).toEqual([201, { documentId: expect.any(String) }]);
    return body.documentId;
  };
  return on;
}
