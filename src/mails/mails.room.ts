import type { MikroORM } from '@mikro-orm/postgresql';
import type { Pool } from 'pg';
import type { FieldEncryption } from '../core/field-encryption.js';
import type { Logger } from '../core/log.js';
import { Poller } from '../core/poller.js';
import type { Duty } from '../core/room.js';
import type { Secret } from '../core/secret.js';
import type { Worker } from '../core/workers.js';
import { type JobQueueOptions, openJobQueue } from '../db/job-queue.js';
import { type EntityManager, inTransaction } from '../db/orm.js';
import { whyNotTaken } from './email-failure.js';
import { FailedEmails } from './failed-emails.js';
import type { Mail } from './mailer.port.js';
import { MAILS_DUE, type MailJob, MailJobs } from './mailer-jobs.js';
import { createMailboxMailer } from './mailer-mailbox.adapter.js';
import { createSmtpMailer } from './mailer-smtp.adapter.js';

export interface MailOptions {
  /** Undefined: emails go to the mailbox directory. */
  smtpUrl: Secret | undefined;
  mailboxDir: string;
  /** "Name <address>". */
  from: string;
}

const BATCH = 8;

export type Mails = ReturnType<typeof createMails>;

/**
 * Email put together: an email is stored with its job in the transaction of whatever it is about, and sent after the commit by
 * any process. One that dies while sending leaves a job that is taken again, so an email may come twice, under the same id.
 */
export function createMails(
  { pool, encryption, log }: { pool: Pool; encryption: FieldEncryption; log: Logger },
  { smtpUrl, mailboxDir, from, supervise }: MailOptions & JobQueueOptions,
) {
  const jobs = new MailJobs(openJobQueue(pool, log, { supervise }), pool, encryption);
  const mailer = smtpUrl ? createSmtpMailer(smtpUrl, from) : createMailboxMailer(mailboxDir, from, log);
  const onError = (err: Error) => log.warn({ err }, 'sending emails failed, retrying in the next round');
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
      log.warn({ err, emailId: job.data.emailId }, 'email not delivered, retrying');
      return jobs.failed(job, whyNotTaken(err));
    }
    await jobs.done(job);
  }

  return {
    /** Before a transaction that queues mails: what it needs of the database is read on a connection of its own. */
    ready: (): Promise<void> => jobs.start(),

    /** Stores an email in the caller's transaction; it is sent after the commit. Call `wake` then: where this process sends emails, it sends it at once. */
    queue: (mail: Omit<Mail, 'id'>, em: EntityManager): Promise<void> => jobs.add(mail, em),

    wake: (): void => courier.wake(),

    /** Those that were given up. */
    failed: new FailedEmails(pool, jobs),

    /** One of them gets one more attempt, in the caller's transaction; as `MailJobs.again`. */
    sendAgain: (id: string, em: EntityManager): Promise<{ about: string }> => jobs.again(id, em),

    duties: [{ name: 'emails', worker: 'email', due: MAILS_DUE, wake: () => courier.wake() }] satisfies Duty[],

    start(workers: ReadonlySet<Worker>): void {
      if (workers.has('email')) courier.start();
    },

    /** Ends after the emails under way: the last requests may queue one. Before the pool is closed. */
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
