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
import { EMAILS_DUE, type EmailJob, EmailJobs } from './email-jobs.js';
import { FailedEmails } from './failed-emails.js';
import type { EmailMessage } from './mailer.port.js';
import { createMailboxMailer } from './mailer-mailbox.adapter.js';
import { createSmtpMailer } from './mailer-smtp.adapter.js';

export interface EmailOptions {
  /** URL of the mail server. Undefined if emails are written to the mailbox directory. */
  smtpUrl: Secret | undefined;
  mailboxDir: string;
  /** Sender as "Name <address>". */
  from: string;
}

const BATCH = 8;

export type Emails = ReturnType<typeof createEmails>;

/**
 * Creates the email module. An email is stored with its job in the transaction that triggers it, and any process sends it
 * after the commit. If a process dies while sending, the job is taken again, so an email may arrive twice with the same
 * message ID.
 */
export function createEmails(
  { pool, encryption, log }: { pool: Pool; encryption: FieldEncryption; log: Logger },
  { smtpUrl, mailboxDir, from, supervise }: EmailOptions & JobQueueOptions,
) {
  const jobs = new EmailJobs(openJobQueue(pool, log, { supervise }), pool, encryption);
  const mailer = smtpUrl ? createSmtpMailer(smtpUrl, from) : createMailboxMailer(mailboxDir, from, log);
  const onError = (err: Error) => log.warn({ err }, 'sending emails failed, retrying in the next round');
  const courier = new Poller(sendDue, undefined, onError);

  async function sendDue(): Promise<boolean> {
    await jobs.start();
    const batch = await jobs.take(BATCH);
    await Promise.all(batch.map((job) => attempt(job)));
    return batch.length > 0;
  }

  /** Makes one attempt. Throws only the errors of the database; the job then becomes due again. */
  async function attempt(job: EmailJob): Promise<void> {
    try {
      const email = await jobs.emailOf(job);
      if (email) await mailer.send(email);
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
    queue: (email: Omit<EmailMessage, 'id'>, em: EntityManager): Promise<void> => jobs.add(email, em),

    wake: (): void => courier.wake(),

    failed: new FailedEmails(pool, jobs),

    /** Retries a failed email once, in the caller's transaction; see `EmailJobs`. */
    resend: (id: string, em: EntityManager): Promise<{ about: string }> => jobs.retry(id, em),

    duties: [{ name: 'emails', worker: 'email', due: EMAILS_DUE, wake: () => courier.wake() }] satisfies Duty[],

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
export async function withEmails<T>(
  { orm, mails }: { orm: MikroORM; mails: Pick<Emails, 'ready' | 'wake'> },
  work: (tx: EntityManager) => Promise<T>,
): Promise<T> {
  await mails.ready();
  const result = await inTransaction(orm, work);
  mails.wake();
  return result;
}
