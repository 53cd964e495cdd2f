import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { accountEntities } from '../../src/accounts/account.entities.js';
import { FieldEncryption } from '../../src/core/field-encryption.js';
import { createLogger } from '../../src/core/log.js';
import { Secret } from '../../src/core/secret.js';
import { closeOrm, openOrm } from '../../src/db/orm.js';
import { createPool } from '../../src/db/pool.js';
import { deliveryErrorOf } from '../../src/mails/email-failure.js';
import { createEmails, type EmailOptions, type Emails } from '../../src/mails/emails.room.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { startWorkWatch } from '../support/work-watch.js';

const encryption = new FieldEncryption([{ id: 'test-1', key: new Secret(Buffer.alloc(32, 7).toString('base64')) }]);
const directory = mkdtempSync(path.join(tmpdir(), 'mails-'));
const mailboxDir = path.join(directory, 'mailbox');
const options: EmailOptions = { smtpUrl: undefined, mailboxDir, from: 'Gateway <no-reply@gateway.example>' };
const email = {
  to: 'somebody@mails.example',
  subject: 'A subject',
  text: `A line\n\nhttp://console.example/verify#token=${'0f'.repeat(32)}\n`,
};

let db: TestDatabase;
let pool: ReturnType<typeof createPool>;
let orm: Awaited<ReturnType<typeof openOrm>>;
let lines = '';
beforeAll(async () => {
  db = await createTestDatabase();
  pool = createPool(db.url, { max: 5 });

  orm = openOrm(pool, accountEntities);
});
const running: { close(): Promise<void> }[] = [];
function start(emails: Emails): void {
  const watch = startWorkWatch(pool, emails.duties);
  emails.start(watch.workers);
  running.unshift({ close: () => watch.stop() });
}
const emailsWith = (more: Partial<EmailOptions> = {}): Emails => {
  const log = createLogger('trace', { write: (line: string) => void (lines += line) });
  const emails = createEmails({ pool, encryption, log }, { ...options, ...more });
  running.push(emails);
  return emails;
};
afterEach(async () => {
  await Promise.all(running.splice(0).map((emails) => emails.close()));
  rmSync(mailboxDir, { recursive: true, force: true });
  expect(lines).not.toContain(email.to);
});
afterAll(async () => {
  await closeOrm(orm, pool);
  await db.drop();
  rmSync(directory, { recursive: true });
});

const queue = async (emails: Emails) => {
  await emails.ready();
  await orm.em.fork().transactional((tx) => emails.queue(email, tx as never));
};
const inbox = () => readdirSync(mailboxDir).filter((name) => name.endsWith('.eml'));
const jobs = () =>
  db.query<{ state: string; data: object }>(
    `select state, data from pgboss.job where name = 'email' order by created_on`,
  );
const failureOf = () => db.query('select failure, response from email where attempted_at is not null');
const pendingEmails = async () => (await db.query('select id from email')).length;

it('sends emails that a stopped process had queued', async () => {
  await queue(emailsWith()); // This process never sends.
  expect(await pendingEmails()).toBe(1);
  start(emailsWith());
  await vi.waitFor(() => expect(inbox()).toHaveLength(1), { timeout: 300_000, interval: 20 });
  const text = readFileSync(path.join(mailboxDir, inbox()[0]!), 'utf8');
  expect(text).toMatch(
    /^From: Gateway <no-reply@gateway\.example>\r\nTo: somebody@mails\.example\r\nSubject: A subject\r\n/,
  );
  expect(text.endsWith(`\r\n\r\n${email.text}`)).toBe(true);
  await vi.waitFor(
    async () => expect([await pendingEmails(), (await jobs()).at(-1)!.state]).toEqual([0, 'completed']),
    {
      timeout: 300_000,
      interval: 20,
    },
  );
});

it('sends nothing that was rolled back', async () => {
  const emails = emailsWith();
  await emails.ready();
  const countBefore = (await jobs()).length;
  const failing = orm.em.fork().transactional(async (tx) => {
    await emails.queue(email, tx);
    throw new Error('afterwards');
  });
  await expect(failing).rejects.toThrow('afterwards');
  expect([await pendingEmails(), (await jobs()).length]).toEqual([0, countBefore]);
});

it('keeps an email that was not accepted, and retries it', async () => {
  writeFileSync(mailboxDir, 'a file where the directory should be');
  const emails = emailsWith();
  await queue(emails);
  start(emails);
  await vi.waitFor(async () => expect((await jobs()).at(-1)!.state).toBe('retry'), { timeout: 300_000, interval: 20 });
  expect(await failureOf()).toEqual([{ failure: 'other', response: null }]);
  rmSync(mailboxDir);
  await db.query(`update pgboss.job set start_after = now() where name = 'email' and state = 'retry'`);
  await vi.waitFor(() => expect(inbox()).toHaveLength(1), { timeout: 300_000, interval: 20 });
  expect(lines).toContain('email not delivered');
});

it('protects the mailbox directory from other users of the machine', async () => {
  const emails = emailsWith();
  await queue(emails);
  start(emails);
  await vi.waitFor(() => expect(inbox()).toHaveLength(1), { timeout: 300_000, interval: 20 });
  expect(statSync(mailboxDir).mode & 0o077).toBe(0);
  expect(statSync(path.join(mailboxDir, inbox()[0]!)).mode & 0o077).toBe(0);
});

/** A minimal mail server; `answer` is its response after the text of the email. */
async function smtpServer(response: string): Promise<{ url: Secret; received: string[]; server: Server }> {
  const received: string[] = [];
  const converse = (socket: Socket): void => {
    let text: string | undefined;
    socket.on('error', () => {});
    socket.write('220 ready\r\n');
    socket.on('data', (chunk) => {
      if (text !== undefined) {
        text += chunk.toString();
        if (!text.endsWith('\r\n.\r\n')) return;
        received.push(text);
        text = undefined;
        socket.write(`${response}\r\n`);
      } else if (chunk.toString().startsWith('DATA')) {
        text = '';
        socket.write('354 go on\r\n');
      } else socket.write(chunk.toString().startsWith('QUIT') ? '221 bye\r\n' : '250 ok\r\n');
    });
  };
  const server = createServer(converse);
  await new Promise<void>((resume) => server.listen(0, '127.0.0.1', resume));
  return { url: new Secret(`smtp://127.0.0.1:${(server.address() as { port: number }).port}`), received, server };
}

it('sends through an SMTP server, with a message ID that stays the same for a retry', async () => {
  const rejectingServer = await smtpServer('451 try later');
  const taking = await smtpServer('250 taken');
  const first = emailsWith({ smtpUrl: rejectingServer.url });
  await queue(first);
  start(first);
  await vi.waitFor(async () => expect((await jobs()).at(-1)!.state).toBe('retry'), { timeout: 300_000, interval: 20 });
  await first.close();
  expect(await failureOf()).toEqual([{ failure: 'deferred', response: '451' }]);
  await db.query(`update pgboss.job set start_after = now() where name = 'email' and state = 'retry'`);
  start(emailsWith({ smtpUrl: taking.url }));
  await vi.waitFor(async () => expect([taking.received.length, await pendingEmails()]).toEqual([1, 0]), {
    timeout: 300_000,
    interval: 20,
  });
  const idOf = (text: string) => /^Message-ID: <[0-9a-f-]{36}@gateway\.example>\r$/m.exec(text)?.[0];
  expect(idOf(taking.received[0]!)).toBeDefined();
  expect(idOf(taking.received[0]!)).toBe(idOf(rejectingServer.received[0]!));
  expect(taking.received[0]).toContain('To: somebody@mails.example');
  rejectingServer.server.close();
  taking.server.close();
});

it('retries a failed email on request, and marks it failed again if that attempt fails', async () => {
  const rejectingServer = await smtpServer(`550 5.1.1 <${email.to}> is unknown, see ${email.text.trim()}`);
  const taking = await smtpServer('250 taken');
  const first = emailsWith({ smtpUrl: rejectingServer.url });
  await queue(first);
  await db.query(`update pgboss.job set retry_limit = 0 where name = 'email' and state = 'created'`);
  const resendFailed = async (emails: Emails) => {
    const { edges } = await emails.failed.page({});
    const about = orm.em.fork().transactional((tx) => emails.resend(edges[0]!.node.id, tx));
    return [edges.map(({ node: { failure, response } }) => ({ failure, response })), (await about).about];
  };
  const ended = async (count: number) => (await jobs()).filter(({ state }) => state === 'failed').length === count;
  start(first);
  await vi.waitFor(async () => expect(await ended(1)).toBe(true), { timeout: 300_000, interval: 20 });
  const expected = [[{ failure: 'rejected', response: '550 5.1.1' }], email.subject];
  expect(await resendFailed(first)).toEqual(expected);
  await vi.waitFor(async () => expect(await ended(2)).toBe(true), { timeout: 300_000, interval: 20 });
  await first.close();
  const second = emailsWith({ smtpUrl: taking.url });
  await second.ready();
  expect(await resendFailed(second)).toEqual(expected);
  start(second);
  await vi.waitFor(async () => expect([taking.received.length, await pendingEmails()]).toEqual([1, 0]), {
    timeout: 300_000,
    interval: 20,
  });
  rejectingServer.server.close();
  taking.server.close();
});

it.each([
  [{ code: 'EAUTH', response: '535 5.7.8 no' }, 'authentication', '535 5.7.8'],
  [{ code: 'EENVELOPE', response: '550 5.1.1 <a@b.example>: see http://c.example/#token=1' }, 'rejected', '550 5.1.1'],
  [{ code: 'EMESSAGE', response: '554-5.7.1x' }, 'rejected', '554'],
  [{ code: 'EENVELOPE', response: '452 full' }, 'deferred', '452'],
  [{ code: 'ETIMEDOUT' }, 'unreachable', null],
  [{ code: 'EPROTOCOL', response: '554 5.3.2 away' }, 'rejected', '554 5.3.2'],
  [{ code: 'EACCES' }, 'other', null],
  [undefined, 'other', null],
])('reports %j as %s %s', (error, failure, response) => {
  expect(deliveryErrorOf(error)).toEqual({ failure, response });
});
