import net from 'node:net';
import { gzipSync } from 'node:zlib';
import { PDFDocument } from '@cantoo/pdf-lib';
import { Client } from 'pg';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../support/until.js';
import {
  documentOf,
  formOf,
  rejectionOf,
  type SentDocument,
  upload as send,
  useOnboarding,
} from './onboarding.fixture.js';

const on = useOnboarding();
const MIB = 1024 * 1024;
const TYPE = 'multipart/form-data; boundary=line';
let sessions: string[];
let developerId: string;
let session: string;
beforeAll(async () => {
  const accounts = await Promise.all(['own', 'second', 'third'].map((name) => on.verified(`${name}@upload.example`)));
  sessions = accounts.map((account) => account.session);
  [{ developerId, session }] = accounts as [(typeof accounts)[number]];
});
afterEach(() => on.test.db.query('delete from kyc_document'));

const upload = (
  body?: Parameters<typeof send>[2],
  headers?: Record<string, string>,
  as: string | undefined = session,
) => send(on.test.urls.console, as, body, headers);
const document = (change: Partial<SentDocument>) => upload(formOf({ ...documentOf(), ...change }));
/** A multipart body with the given parts, as sent over the network. */
const multipartBody = (parts: readonly string[], end = '--line--\r\n') =>
  Buffer.from(
    `${parts.map((part) => `--line\r\ncontent-disposition: form-data; ${part}\r\n`).join('')}${end}`,
    'latin1',
  );
const raw = (parts: readonly string[], end?: string) => upload(multipartBody(parts, end), { 'content-type': TYPE });
const KIND = 'name="kind"\r\n\r\npan_card';
const FILE = `name="file"; filename="pan.pdf"\r\ncontent-type: application/pdf\r\n\r\n${documentOf().content.toString('latin1')}`;
/** An image, which needs no parser, unlike a PDF. */
const picture = () => formOf(documentOf('image/png'));
const stored = () => on.test.db.query<{ size_bytes: number }>('select size_bytes from kyc_document');

/** A PDF with an action that runs when it is opened. */
const pdfWith = (action: string) =>
  Buffer.from(
    `%PDF-1.4\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R ${action} >>\nendobj\n2 0 obj\n<< /Type /Pages /Kids [] /Count 0 >>\nendobj\n` +
      'trailer\n<< /Root 1 0 R /Size 3 >>\n%%EOF\n',
  );

describe('a KYC document', () => {
  it.each([
    ['a script', '/OpenAction << /S /JavaScript /JS (app.alert\\(1\\)) >>'],
    ['a program launch', '/OpenAction << /S /Launch /F (calc.exe) >>'],
  ])('is rejected if it is a PDF with %s, and accepted without it', async (_name, action) => {
    const response = await document({ content: pdfWith(action) });
    expect(rejectionOf(response)).toEqual([422, 'VALIDATION_FAILED', ['file']]);
    expect(JSON.stringify(response.body)).toContain('contains scripts, actions or attached files');
    expect((await document({ content: pdfWith('') })).status).toBe(201);
  });

  it('is rejected if it is an encrypted PDF, with instructions', async () => {
    const created = await PDFDocument.create();
    created.addPage([200, 200]);
    created.encrypt({ userPassword: 'secret', ownerPassword: 'owner' });
    const response = await document({ content: Buffer.from(await created.save()) });
    expect(rejectionOf(response)).toEqual([422, 'VALIDATION_FAILED', ['file']]);
    expect(JSON.stringify(response.body)).toContain(
      'The PDF is password-protected. Remove the password and upload it again.',
    );
  });

  it('can be uploaded with a Bearer token, and submitKyc accepts its ID', async () => {
    const { status, body, headers } = await upload();
    expect([status, body]).toEqual([201, { documentId: expect.stringMatching(`^doc_${developerId}_[0-9a-f-]{36}$`) }]);
    expect(headers.get('ratelimit-policy')).toBe('"upload-kyc-document";q=600;w=60');
  });

  it('can be uploaded by a console page with its cookie, but not without an Origin or with another one', async () => {
    const { origin } = new URL(on.test.urls.console);
    const cookie = `session=${session}`;
    expect((await send(on.test.urls.console, undefined, formOf(), { cookie, origin })).status).toBe(201);
    for (const more of [{}, { origin: 'https://evil.example' }, { origin: 'null' }] as Record<string, string>[])
      expect(rejectionOf(await send(on.test.urls.console, undefined, formOf(), { cookie, ...more }))).toEqual([
        401,
        'UNAUTHENTICATED',
        [],
      ]);
  });

  it('can have 5 MiB, with or without a Content-Length, and not one byte more', async () => {
    const most = documentOf('image/png', 5 * MIB);
    const response = new Response(formOf(most));
    const chunked = await upload(response.body!, { 'content-type': response.headers.get('content-type')! });
    expect([(await upload(formOf(most))).status, chunked.status]).toEqual([201, 201]);
    expect(await stored()).toEqual([{ size_bytes: 5 * MIB }, { size_bytes: 5 * MIB }]);
    expect(rejectionOf(await upload(formOf(documentOf('image/png', 5 * MIB + 1))))).toEqual([
      422,
      'VALIDATION_FAILED',
      ['file'],
    ]);
  });

  it('is one of at most ten, and is rejected in any other state of the account', async () => {
    for (let n = 0; n < 10; n++) await on.upload(session, documentOf('image/png'));
    expect(rejectionOf(await upload())).toEqual([409, 'CONFLICT', []]);
    expect((await upload(formOf(), {}, sessions[1])).status).toBe(201);
    await on.test.db.query('delete from kyc_document');
    for (const status of ['registered', 'kyc_submitted', 'approved', 'email_verified']) {
      await on.test.db.query('update developer set onboarding_status = $1 where id = $2', [status, developerId]);
      expect((await upload()).status).toBe(status === 'email_verified' ? 201 : 409);
    }
  });
});

describe('an upload form', () => {
  it.each<[string[], string, () => ReturnType<typeof upload>]>([
    [['kind'], 'no kind', () => raw([FILE])],
    [['kind'], 'an empty kind', () => document({ kind: '' })],
    [['kind'], 'a kind of other characters', () => document({ kind: 'pan/card' })],
    [['kind'], 'a kind of 41 characters', () => document({ kind: 'k'.repeat(41) })],
    [['kind'], 'a kind of 2 KB', () => document({ kind: 'k'.repeat(2_000) })],
    [['kind'], 'a kind that is not UTF-8', () => raw(['name="kind"\r\n\r\npan\xff', FILE])],
    [['kind'], 'a kind that is a file', () => raw(['name="kind"; filename="k.txt"\r\n\r\npan_card', FILE])],
    [['kind'], 'two kinds', () => raw([KIND, KIND, FILE])],
    [['file'], 'no file', () => raw([KIND])],
    [['file'], 'a file that is text', () => raw([KIND, 'name="file"\r\n\r\n%PDF-1.7'])],
    [['file'], 'a file without a name', () => raw([KIND, FILE.replace('pan.pdf', '')])],
    [['file'], 'a file whose name is not UTF-8', () => raw([KIND, FILE.replace('pan.pdf', '\xff.pdf')])],
    [['file'], 'a file name of 256 characters', () => document({ fileName: 'n'.repeat(256) })],
    [['file'], 'a file without a type', () => raw([KIND, FILE.replace('content-type: application/pdf\r\n', '')])],
    [['file'], 'an empty file', () => document({ content: Buffer.alloc(0) })],
    [['file'], 'two files', () => raw([KIND, FILE, FILE])],
    [['file'], 'a type that does not match the content', () => document({ contentType: 'image/png' })],
    [['file'], 'an unsupported type', () => document({ contentType: 'text/html' })],
    [['file'], 'content of an unknown type', () => document({ content: Buffer.from('MZ program') })],
    [['other'], 'an unknown part', () => raw([KIND, FILE, 'name="other"\r\n\r\nx'])],
    [
      ['__proto__', 'constructor'],
      'parts named after object methods',
      () => raw([KIND, FILE, ...['__proto__', 'constructor'].map((name) => `name="${name}"\r\n\r\nx`)]),
    ],
    [['file', 'kind'], 'an invalid kind and no file', () => raw([KIND.replace('_', '/')])],
    [['other', 'kind', 'file'], 'invalid parts only', () => raw(['name="other"\r\n\r\nx'])],
  ])('is rejected for %j with %s, and nothing is stored', async (fields, _name, sent) => {
    expect(rejectionOf(await sent())).toEqual([422, 'VALIDATION_FAILED', fields]);
    expect(await stored()).toEqual([]);
  });

  it.each<[number, string, string, () => ReturnType<typeof upload>]>([
    [400, 'MALFORMED_REQUEST', 'is truncated', () => raw([KIND, FILE], '')],
    [400, 'MALFORMED_REQUEST', 'ends in a header', () => raw([KIND], '--line\r\ncontent-disp')],
    [400, 'MALFORMED_REQUEST', 'is empty', () => raw([], '')],
    [
      400,
      'MALFORMED_REQUEST',
      'has another boundary',
      () => upload(multipartBody([KIND]), { 'content-type': `${TYPE}s` }),
    ],
    [
      400,
      'MALFORMED_REQUEST',
      'has no boundary',
      () => upload(multipartBody([KIND]), { 'content-type': 'multipart/form-data' }),
    ],
    [
      400,
      'MALFORMED_REQUEST',
      'has a boundary of 300 characters',
      () => upload(multipartBody([KIND]), { 'content-type': TYPE + 'x'.repeat(300) }),
    ],
    [400, 'MALFORMED_REQUEST', 'has a part without a name', () => raw([KIND, FILE, 'x\r\n\r\nx'])],
    [400, 'MALFORMED_REQUEST', 'has 101 parts', () => raw(Array(101).fill(KIND))],
    [415, 'UNSUPPORTED_MEDIA_TYPE', 'is JSON', () => upload('{}', { 'content-type': 'application/json' })],
    [
      415,
      'UNSUPPORTED_MEDIA_TYPE',
      'is compressed',
      () => upload(gzipSync(multipartBody([KIND, FILE])), { 'content-type': TYPE, 'content-encoding': 'gzip' }),
    ],
    [413, 'PAYLOAD_TOO_LARGE', 'has 6 MiB', () => upload(Buffer.alloc(6 * MIB), { 'content-type': TYPE })],
    [
      413,
      'PAYLOAD_TOO_LARGE',
      'has 6 MiB and no Content-Length',
      () => upload(new Blob([Buffer.alloc(6 * MIB)]).stream(), { 'content-type': TYPE }),
    ],
  ])('gets %i %s if it %s, and frees its slot for the next', async (status, code, _name, sent) => {
    expect(rejectionOf(await sent())).toEqual([status, code, []]);
    expect((await upload(picture())).status).toBe(201);
  });

  it('is never quoted in an error', async () => {
    const { body } = await document({ kind: 'CANARY/1', fileName: 'CANARY-2.pdf', content: Buffer.from('CANARY-3') });
    expect(JSON.stringify(body)).not.toContain('CANARY');
  });
});

/** A request that stays open after its header and a part of its body. */
function half(as: string | undefined, length = 1_000, body = multipartBody([KIND], '')) {
  const { port } = new URL(on.test.urls.console);
  // An address has one upload at a time.
  const socket = net.connect({ port: Number(port), host: '127.0.0.1', localAddress: `127.0.1.${++addresses}` });
  const opened = { socket, received: '' };
  socket.on('data', (chunk) => (opened.received += chunk)).on('error', () => {});
  const authorization = as === undefined ? '' : `authorization: Bearer ${as}\r\n`;
  socket.write(
    `POST /kyc/documents HTTP/1.1\r\nhost: x\r\n${authorization}content-type: ${TYPE}\r\ncontent-length: ${length}\r\n\r\n`,
  );
  socket.write(body);
  open.push(socket);
  return opened;
}
const open: net.Socket[] = [];
let addresses = 0;
const codeOf = ({ received }: { received: string }): string | undefined => /"code":"(\w+)"/.exec(received)?.[1];

describe('a caller without permission to upload', () => {
  it('is rejected before the body is read', async () => {
    await on.test.db.query(`update developer set onboarding_status = 'approved' where id = $1`, [developerId]);
    const forbidden = [undefined, 'ses_unknown', on.staff.support, on.staff.admin, session].map((as) => half(as));
    const large = half(sessions[1], 6 * MIB);
    await until('all requests have a response', () => [...forbidden, large].every(codeOf));
    expect(forbidden.map(codeOf)).toEqual(['UNAUTHENTICATED', 'UNAUTHENTICATED', 'FORBIDDEN', 'FORBIDDEN', 'CONFLICT']);
    expect(codeOf(large)).toBe('PAYLOAD_TOO_LARGE');
    await on.test.db.query(`update developer set onboarding_status = 'email_verified' where id = $1`, [developerId]);
  });

  it('receives 405 with the allowed method, and 404 on other hosts', async () => {
    for (const method of ['GET', 'HEAD', 'PUT', 'OPTIONS']) {
      const { status, headers } = await fetch(`${on.test.urls.console}/kyc/documents`, { method });
      expect([status, headers.get('allow')]).toEqual([405, 'POST']);
    }
    expect((await fetch(`${on.test.urls.uat}/kyc/documents`, { method: 'POST' })).status).toBe(404);
  });

  it('has a limit of calls per minute', async () => {
    await upload();
    await on.test.db.query(`update rate_limit set points = 600 where key like '%:upload-kyc-document'`);
    expect(rejectionOf(await upload())).toEqual([429, 'RATE_LIMITED', []]);
  });
});

describe('simultaneous uploads', () => {
  /** Sends an incomplete upload, which returns 400 if it gets a slot. */
  const probe = async (as: string) => (await upload(multipartBody([], ''), { 'content-type': TYPE }, as)).status;
  /** Starts an upload, which gets a slot when more of its body has arrived. */
  async function openUpload(as: string) {
    let opened = half(as);
    await until('the upload has started', async () => {
      // The probe used the turn of the account.
      if (codeOf(opened)) opened = half(as);
      return (await probe(as)) === 429;
    });
    return opened;
  }
  const [first, second, third] = [() => sessions[0]!, () => sessions[1]!, () => sessions[2]!];
  afterEach(async () => {
    open.splice(0).forEach((socket) => socket.destroy());
  });

  it('that only sent headers and a first chunk do not block others', async () => {
    await openUpload(first());
    await openUpload(second());
    expect((await upload(formOf(), {}, third())).status).toBe(201);
    const secondUpload = await upload(formOf(), {}, first());
    expect([...rejectionOf(secondUpload), secondUpload.headers.get('retry-after')]).toEqual([
      429,
      'RATE_LIMITED',
      [],
      '5',
    ]);
    open.splice(0).forEach((socket) => socket.destroy());
    // Rejected uploads leave nothing behind.
    await until(
      'the uploads have ended',
      async () => (await probe(first())) === 400 && (await probe(second())) === 400,
    );
  });

  it('keep their slots while the upload of a disconnected client is being stored', async () => {
    const lock = new Client(on.test.db.url);
    await lock.connect();
    try {
      await lock.query('begin');
      await lock.query('select from developer where id = $1 for update', [developerId]);
      const body = multipartBody([KIND, FILE]);
      const { socket } = half(session, body.length, body);
      await until('the upload is waiting for the lock', async () => {
        // Only locks of this database, because others share the server.
        const [row] = await on.test.db.query(
          `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        );
        return row !== undefined;
      });
      socket.destroy();
      expect(await probe(session)).toBe(429);
    } finally {
      await lock.end();
    }
    await until('the upload is stored', async () => (await stored()).length === 1);
  });

  it('get a slot once data arrives, two per process, and unfinished ones expire after a minute', async () => {
    const opened = [await openUpload(first()), await openUpload(second())];
    await until('both uploads have their slots', async () => {
      for (const { socket } of opened) socket.write(' ');
      return (await probe(third())) === 503;
    });
    for (const { socket } of opened) socket.destroy();
    await until('a slot is free', async () => (await probe(third())) === 400);
    const secondUpload = await upload(formOf(), {}, first());
    expect(rejectionOf(secondUpload)).toEqual([429, 'RATE_LIMITED', []]);
    expect(Number(secondUpload.headers.get('retry-after'))).toBeGreaterThan(30);
  });
});

it('no GraphQL operation can have megabytes, even with a valid session', async () => {
  const body = JSON.stringify({ query: '{ viewer { user { id } } }', variables: { x: 'x'.repeat(7 * MIB) } });
  const { tokens } = await on.test.developer();
  for (const [host, token] of [
    ['console', session],
    ['console', on.staff.admin],
    ['uat', tokens.uat],
    ['production', tokens.production],
  ] as const) {
    for (const chunked of [false, true]) {
      const response = await fetch(`${on.test.urls[host]}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
        body: chunked ? new Blob([body]).stream() : body,
        ...(chunked ? { duplex: 'half' } : {}),
      });
      expect([response.status, await response.text()]).toEqual([413, expect.stringContaining('PAYLOAD_TOO_LARGE')]);
    }
  }
});
