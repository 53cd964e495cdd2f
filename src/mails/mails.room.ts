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
import { deliveryErrorOf } from './email-failure.js';
import { FailedEmails } from './failed-emails.js';
import type { Mail } from './mailer.port.js';
import { MAILS_DUE, type MailJob, MailJobs } from './mailer-jobs.js';
import { createMailboxMailer } from './mailer-mailbox.adapter.js';
import { createSmtpMailer } from './mailer-smtp.adapter.js';

export interface MailOptions {
  /** URL of the mail server. Undefined if emails are written to the mailbox directory. */
  smtpUrl: Secret | undefined;
  mailboxDir: string;
  /** Sender as "Name <address>". */
  from: string;
}

const BATCH = 8;

export type Mails = ReturnType<typeof createMails>;

/**
 * Creates the email module. An email is stored with its job in the transaction that triggers it, and any process sends it
 * after the commit. If a process dies while sending, the job is taken again, so an email may arrive twice with the same
 * message ID.
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

  /** Makes one attempt. Throws only the errors of the database; the job then becomes due again. */
  async function attempt(job: MailJob): Promise<void> {
    try {
      const mail = await jobs.mailOf(job);
      if (mail) await mailer.send(mail);
    } catch (err) {
      log.warn({ err, emailId: job.data.emailId }, 'email not delivered, retrying');
      return jobs.failed(job, deliveryErrorOf(err));
    }
    await jobs.done(job);
  }

  return {
    /**
     * Prepares the queue. Call it before a transaction that queues emails, because it reads from the database on a separate
     * connection.
     */
    ready: (): Promise<void> => jobs.start(),

    /**
     * Stores an email in the caller's transaction. It is sent after the commit. Then call `wake` to send it immediately from
     * this process.
     */
    queue: (mail: Omit<Mail, 'id'>, em: EntityManager): Promise<void> => jobs.add(mail, em),

    wake: (): void => courier.wake(),

    failed: new FailedEmails(pool, jobs),

    /** Retries a failed email once, in the caller's transaction; see `MailJobs`. */
    resend: (id: string, em: EntityManager): Promise<{ about: string }> => jobs.retry(id, em),

    duties: [{ name: 'emails', worker: 'email', due: MAILS_DUE, wake: () => courier.wake() }] satisfies Duty[],

    start(workers: ReadonlySet<Worker>): void {
      if (workers.has('email')) courier.start();
    },

    /** Stops after the current emails, because the last requests may queue some. Call it before closing the pool. */
    async close(): Promise<void> {
      await courier.stop();
      await mailer.close();
      await jobs.stop();
    },
  };
}

/** Runs a transaction that may queue emails. They are sent after the commit, or not at all if the transaction fails. */
export async function mailing<T>(
  { orm, mails }: { orm: MikroORM; mails: Pick<Mails, 'ready' | 'wake'> },
  work: (tx: EntityManager) => Promise<T>,
): Promise<T> {
  await mails.ready();
  const result = await inTransaction(orm, work);
  mails.wake();
  return result;
}
