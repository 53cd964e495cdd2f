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
import { createMails, type MailOptions, type Mails } from '../../src/mails/mails.room.js';
import { createTestDatabase, type TestDatabase } from '../support/database.js';
import { watched } from '../support/watched.js';

const encryption = new FieldEncryption([{ id: 'test-1', key: new Secret(Buffer.alloc(32, 7).toString('base64')) }]);
const directory = mkdtempSync(path.join(tmpdir(), 'mails-'));
const mailboxDir = path.join(directory, 'mailbox');
const options: MailOptions = { smtpUrl: undefined, mailboxDir, from: 'Gateway <no-reply@gateway.example>' };
const mail = {
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
function begin(mails: Mails): void {
  const watch = watched(pool, mails.duties);
  mails.start(watch.workers);
  running.unshift({ close: () => watch.stop() });
}
const mailsWith = (more: Partial<MailOptions> = {}): Mails => {
  const log = createLogger('trace', { write: (line: string) => void (lines += line) });
  const mails = createMails({ pool, encryption, log }, { ...options, ...more });
  running.push(mails);
  return mails;
};
afterEach(async () => {
  await Promise.all(running.splice(0).map((mails) => mails.close()));
  rmSync(mailboxDir, { recursive: true, force: true });
  expect(lines).not.toContain(mail.to);
});
afterAll(async () => {
  await closeOrm(orm, pool);
  await db.drop();
  rmSync(directory, { recursive: true });
});

const queue = async (mails: Mails) => {
  await mails.ready();
  await orm.em.fork().transactional((tx) => mails.queue(mail, tx as never));
};
const inbox = () => readdirSync(mailboxDir).filter((name) => name.endsWith('.eml'));
const jobs = () =>
  db.query<{ state: string; data: object }>(
    `select state, data from pgboss.job where name = 'email' order by created_on`,
  );
const failureOf = () => db.query('select failure, response from email where attempted_at is not null');
const pendingEmails = async () => (await db.query('select id from email')).length;

it('sends emails that a stopped process had queued', async () => {
  await queue(mailsWith()); // This process never sends.
  expect(await pendingEmails()).toBe(1);
  begin(mailsWith());
  await vi.waitFor(() => expect(inbox()).toHaveLength(1), { timeout: 300_000, interval: 20 });
  const text = readFileSync(path.join(mailboxDir, inbox()[0]!), 'utf8');
  expect(text).toMatch(
    /^From: Gateway <no-reply@gateway\.example>\r\nTo: somebody@mails\.example\r\nSubject: A subject\r\n/,
  );
  expect(text.endsWith(`\r\n\r\n${mail.text}`)).toBe(true);
  await vi.waitFor(
    async () => expect([await pendingEmails(), (await jobs()).at(-1)!.state]).toEqual([0, 'completed']),
    {
      timeout: 300_000,
      interval: 20,
    },
  );
});

it('sends nothing that was rolled back', async () => {
  const mails = mailsWith();
  await mails.ready();
  const before = (await jobs()).length;
  const failing = orm.em.fork().transactional(async (tx) => {
    await mails.queue(mail, tx);
    throw new Error('afterwards');
  });
  await expect(failing).rejects.toThrow('afterwards');
  expect([await pendingEmails(), (await jobs()).length]).toEqual([0, before]);
});

it('keeps an email that was not accepted, and retries it', async () => {
  writeFileSync(mailboxDir, 'a file where the directory should be');
  const mails = mailsWith();
  await queue(mails);
  begin(mails);
  await vi.waitFor(async () => expect((await jobs()).at(-1)!.state).toBe('retry'), { timeout: 300_000, interval: 20 });
  expect(await failureOf()).toEqual([{ failure: 'other', response: null }]);
  rmSync(mailboxDir);
  await db.query(`update pgboss.job set start_after = now() where name = 'email' and state = 'retry'`);
  await vi.waitFor(() => expect(inbox()).toHaveLength(1), { timeout: 300_000, interval: 20 });
  expect(lines).toContain('email not delivered');
});

it('protects the mailbox directory from other users of the machine', async () => {
  const mails = mailsWith();
  await queue(mails);
  begin(mails);
  await vi.waitFor(() => expect(inbox()).toHaveLength(1), { timeout: 300_000, interval: 20 });
  expect(statSync(mailboxDir).mode & 0o077).toBe(0);
  expect(statSync(path.join(mailboxDir, inbox()[0]!)).mode & 0o077).toBe(0);
});

/** A minimal mail server; `answer` is its response after the text of the email. */
async function mailServer(answer: string): Promise<{ url: Secret; received: string[]; server: Server }> {
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
        socket.write(`${answer}\r\n`);
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
  const refusing = await mailServer('451 try later');
  const taking = await mailServer('250 taken');
  const first = mailsWith({ smtpUrl: refusing.url });
  await queue(first);
  begin(first);
  await vi.waitFor(async () => expect((await jobs()).at(-1)!.state).toBe('retry'), { timeout: 300_000, interval: 20 });
  await first.close();
  expect(await failureOf()).toEqual([{ failure: 'deferred', response: '451' }]);
  await db.query(`update pgboss.job set start_after = now() where name = 'email' and state = 'retry'`);
  begin(mailsWith({ smtpUrl: taking.url }));
  await vi.waitFor(async () => expect([taking.received.length, await pendingEmails()]).toEqual([1, 0]), {
    timeout: 300_000,
    interval: 20,
  });
  const idOf = (text: string) => /^Message-ID: <[0-9a-f-]{36}@gateway\.example>\r$/m.exec(text)?.[0];
  expect(idOf(taking.received[0]!)).toBeDefined();
  expect(idOf(taking.received[0]!)).toBe(idOf(refusing.received[0]!));
  expect(taking.received[0]).toContain('To: somebody@mails.example');
  refusing.server.close();
  taking.server.close();
});

it('retries a failed email on request, and marks it failed again if that attempt fails', async () => {
  const refusing = await mailServer(`550 5.1.1 <${mail.to}> is unknown, see ${mail.text.trim()}`);
  const taking = await mailServer('250 taken');
  const first = mailsWith({ smtpUrl: refusing.url });
  await queue(first);
  await db.query(`update pgboss.job set retry_limit = 0 where name = 'email' and state = 'created'`);
  const again = async (mails: Mails) => {
    const { edges } = await mails.failed.page({});
    const about = orm.em.fork().transactional((tx) => mails.resend(edges[0]!.node.id, tx));
    return [edges.map(({ node: { failure, response } }) => ({ failure, response })), (await about).about];
  };
  const ended = async (count: number) => (await jobs()).filter(({ state }) => state === 'failed').length === count;
  begin(first);
  await vi.waitFor(async () => expect(await ended(1)).toBe(true), { timeout: 300_000, interval: 20 });
  const refused = [[{ failure: 'rejected', response: '550 5.1.1' }], mail.subject];
  expect(await again(first)).toEqual(refused);
  await vi.waitFor(async () => expect(await ended(2)).toBe(true), { timeout: 300_000, interval: 20 });
  await first.close();
  const second = mailsWith({ smtpUrl: taking.url });
  await second.ready();
  expect(await again(second)).toEqual(refused);
  begin(second);
  await vi.waitFor(async () => expect([taking.received.length, await pendingEmails()]).toEqual([1, 0]), {
    timeout: 300_000,
    interval: 20,
  });
  refusing.server.close();
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
