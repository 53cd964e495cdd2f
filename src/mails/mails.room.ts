import type { MikroORM } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import type { Pool } from 'pg';
import { fromKysely, type Job, type PgBoss } from 'pg-boss';
import type { FieldEncryption } from '../core/field-encryption.js';
import { newId } from '../core/ids.js';
import type { Logger } from '../core/log.js';
import { Poller } from '../core/poller.js';
import type { Duty } from '../core/room.js';
import type { Secret } from '../core/secret.js';
import type { Worker } from '../core/workers.js';
import { type JobQueueOptions, jobsDue, openJobQueue } from '../db/job-queue.js';
import { type EntityManager, inTransaction } from '../db/orm.js';
import type { Queryable } from '../db/pool.js';
import type { Mail } from './mailer.port.js';
import { createMailboxMailer } from './mailer-mailbox.adapter.js';
import { createSmtpMailer } from './mailer-smtp.adapter.js';

/** The queue of mails; the migration makes it. */
const QUEUE = 'mail';
/** SQL: whether a mail is due. */
const MAILS_DUE = jobsDue(QUEUE);
/** Some half a day of pauses: a link in a mail that comes later would be of no use. */
const RETRIES = { retryLimit: 18, retryDelay: 10, retryBackoff: true, retryDelayMax: 3_600 };

type MailJob = Job<{ mailId: string }>;

/** What a stored mail is bound to: copied to another row it does not decrypt. */
export const mailContext = (id: string): string => `mail:${id}`;

/**
 * Mails that wait to be sent. Address and text are one encrypted value, the job knows the number of its row only, and the row
 * goes when the mail went.
 */
class MailJobs {
  constructor(
    private readonly queue: PgBoss,
    private readonly db: Queryable,
    private readonly encryption: FieldEncryption,
  ) {}

  /** Safe to repeat: pg-boss starts once, and again after a start that failed because the database was away. */
  async start(): Promise<void> {
    await this.queue.start();
  }

  async stop(): Promise<void> {
    await this.queue.stop();
  }

  /** Stores a mail and its job in the caller's transaction. The queue must have been started. */
  async add(mail: Omit<Mail, 'id'>, em: EntityManager): Promise<void> {
    const id = newId();
    const kysely = em.getKysely();
    await sql`insert into mail (id, content) values (${id}, ${this.encryption.encrypt(mailContext(id), mail)})`.execute(
      kysely,
    );
    await this.queue.insert(QUEUE, [{ data: { mailId: id }, ...RETRIES }], { db: fromKysely(kysely) });
  }

  /** Jobs that are due; no other process gets them. One that is neither done nor failed comes back after a minute. */
  take(limit: number): Promise<MailJob[]> {
    return this.queue.fetch<{ mailId: string }>(QUEUE, { batchSize: limit });
  }

  /** Undefined when the mail went already: the process that sent it died before it could say so. */
  async mailOf({ data: { mailId } }: MailJob): Promise<Mail | undefined> {
    const { rows } = await this.db.query<{ content: Buffer }>({
      name: 'mail',
      text: 'select content from mail where id = $1',
      values: [mailId],
    });
    if (!rows[0]) return undefined;
    return { ...this.encryption.decrypt<Omit<Mail, 'id'>>(mailContext(mailId), rows[0].content), id: mailId };
  }

  /** The mail went. The row first: a job without a mail does no harm, a mail without a job would stay. */
  async done(job: MailJob): Promise<void> {
    await this.db.query({ name: 'mail-gone', text: 'delete from mail where id = $1', values: [job.data.mailId] });
    await this.queue.complete(QUEUE, job);
  }

  /** Tried again with growing pauses, and in the end given up. */
  async failed(job: MailJob): Promise<void> {
    await this.queue.fail(QUEUE, job);
  }
}

export interface MailOptions {
  /** Undefined: mails go to the mailbox directory. */
  smtpUrl: Secret | undefined;
  mailboxDir: string;
  /** "Name <address>". */
  from: string;
}

const BATCH = 8;

export type Mails = ReturnType<typeof createMails>;

/**
 * E-mail put together: a mail is stored with its job in the transaction of whatever it tells about, and sent after the commit by
 * any process. One that dies while sending leaves a job that is taken again, so a mail may come twice, under the same id.
 */
export function createMails(
  { pool, encryption, log }: { pool: Pool; encryption: FieldEncryption; log: Logger },
  { smtpUrl, mailboxDir, from, supervise }: MailOptions & JobQueueOptions,
) {
  const jobs = new MailJobs(openJobQueue(pool, log, { supervise }), pool, encryption);
  const mailer = smtpUrl ? createSmtpMailer(smtpUrl, from) : createMailboxMailer(mailboxDir, from, log);
  const onError = (err: Error) => log.warn({ err }, 'mails wait, the next round tries again');
  const courier = new Poller(sendDue, undefined, onError);

  async function sendDue(): Promise<boolean> {
    await jobs.start();
    const taken = await jobs.take(BATCH);
    await Promise.all(taken.map((job) => attempt(job)));
    return taken.length > 0;
  }

  /** Errors: those of the database only; the job comes back by itself then. */
  async function attempt(job: MailJob): Promise<void> {
    try {
      const mail = await jobs.mailOf(job);
      if (mail) await mailer.send(mail);
    } catch (err) {
      log.warn({ err, mailId: job.data.mailId }, 'a mail was not taken, it is tried again');
      return jobs.failed(job);
    }
    await jobs.done(job);
  }

  return {
    /** Before a transaction that queues mails: what it needs of the database is read on a connection of its own. */
    ready: (): Promise<void> => jobs.start(),

    /** Stores a mail in the caller's transaction; it is sent after the commit. Call `wake` then: where this process sends mails, it sends it at once. */
    queue: (mail: Omit<Mail, 'id'>, em: EntityManager): Promise<void> => jobs.add(mail, em),

    wake: (): void => courier.wake(),

    duties: [{ name: 'mails', worker: 'mail', due: MAILS_DUE, wake: () => courier.wake() }] satisfies Duty[],

    start(workers: ReadonlySet<Worker>): void {
      if (workers.has('mail')) courier.start();
    },

    /** Ends after the mails under way: the last requests may queue one. Before the pool is closed. */
    async close(): Promise<void> {
      await courier.stop();
      await mailer.close();
      await jobs.stop();
    },
  };
}

/** A transaction that may queue mails: they are sent after its commit, and not at all without it. */
export async function mailing<T>(
  { orm, mails }: { orm: MikroORM; mails: Pick<Mails, 'ready' | 'wake'> },
  work: (tx: EntityManager) => Promise<T>,
): Promise<T> {
  await mails.ready();
  const result = await inTransaction(orm, work);
  mails.wake();
  return result;
}
