import { sql } from 'kysely';
import { fromKysely, type Job, type PgBoss } from 'pg-boss';
import { AppError } from '../core/errors.js';
import type { FieldEncryption } from '../core/field-encryption.js';
import { newId } from '../core/ids.js';
import { jobsDue } from '../db/job-queue.js';
import type { EntityManager } from '../db/orm.js';
import type { Queryable } from '../db/pool.js';
import type { DeliveryError } from './email-failure.js';
import type { EmailMessage } from './mailer.port.js';

/** Name of the email queue. A migration creates it. */
const QUEUE = 'email';
/** SQL: whether an email is due. */
export const EMAILS_DUE = jobsDue(QUEUE);
/** SQL of the open job of an email `m`. An email without a job has failed, because its row is deleted when it is sent. */
const OPEN_JOB = `select from pgboss.job j where j.name = '${QUEUE}' and j.state < 'completed' and j.data->>'emailId' = m.id::text`;
/** SQL: whether the email `m` has failed. */
export const DELIVERY_FAILED = `not exists (${OPEN_JOB})`;
/** Retries over about 12 hours. After that, links in emails have usually expired. */
const RETRIES = { retryLimit: 18, retryDelay: 10, retryBackoff: true, retryDelayMax: 3_600 };

export type EmailJob = Job<{ emailId: string }>;

/** Returns the encryption context of an email, so that it cannot be decrypted in another row. */
export const emailContext = (id: string): string => `email:${id}`;

/**
 * Queued emails. Address and text are stored as one encrypted value. The job contains only the ID of the row, which is deleted
 * when the email is sent.
 */
export class EmailJobs {
  constructor(
    private readonly queue: PgBoss,
    private readonly db: Queryable,
    private readonly encryption: FieldEncryption,
  ) {}

  /**
   * Starts pg-boss. Can be called again: pg-boss starts only once, and a start that failed because the database was
   * unavailable is retried.
   */
  async start(): Promise<void> {
    await this.queue.start();
  }

  async stop(): Promise<void> {
    await this.queue.stop();
  }

  /** Stores an email and its job in the caller's transaction. The queue must have been started. */
  async add(email: Omit<EmailMessage, 'id'>, em: EntityManager): Promise<void> {
    const id = newId();
    const kysely = em.getKysely();
    await sql`insert into email (id, content) values (${id}, ${this.encryption.encrypt(emailContext(id), email)})`.execute(
      kysely,
    );
    await this.queue.insert(QUEUE, [{ data: { emailId: id }, ...RETRIES }], { db: fromKysely(kysely) });
  }

  /** Takes due jobs exclusively for this process. A job that is neither done nor failed becomes due again after a minute. */
  take(limit: number): Promise<EmailJob[]> {
    return this.queue.fetch<{ emailId: string }>(QUEUE, { batchSize: limit });
  }

  /** Returns the email of a job. Undefined if it was already sent by a process that died before it could record that. */
  async emailOf({ data: { emailId } }: EmailJob): Promise<EmailMessage | undefined> {
    const { rows } = await this.db.query<{ content: Buffer }>({
      name: 'email',
      text: 'select content from email where id = $1',
      values: [emailId],
    });
    if (!rows[0]) return undefined;
    return { ...this.contentOf(emailId, rows[0].content), id: emailId };
  }

  /**
   * Deletes a sent email. The row is deleted first, because a job without an email is harmless, but an email without a job
   * would remain.
   */
  async done(job: EmailJob): Promise<void> {
    await this.db.query({ name: 'email-sent', text: 'delete from email where id = $1', values: [job.data.emailId] });
    await this.queue.complete(QUEUE, job);
  }

  /** Schedules a retry with increasing delays. After the last retry, the email has failed. */
  async failed(job: EmailJob, { failure, response }: DeliveryError): Promise<void> {
    await this.db.query({
      text: 'update email set attempted_at = now(), failure = $2, response = $3 where id = $1',
      values: [job.data.emailId, failure, response],
    });
    await this.queue.fail(QUEUE, job);
  }

  /**
   * Retries a failed email once, in the caller's transaction, and returns its subject. If the attempt fails, the email is
   * marked as failed again immediately, so that the user sees it. The queue must have been started. Throws RECORD_NOT_FOUND,
   * and CONFLICT if the email is queued or its link has expired.
   */
  async retry(id: string, em: EntityManager): Promise<{ about: string }> {
    const kysely = em.getKysely();
    const lockedRow = sql<{ content: Buffer }>`select content from email where id = ${id}::uuid for update`;
    const [row] = (await lockedRow.execute(kysely)).rows;
    if (!row)
      throw new AppError('RECORD_NOT_FOUND', {
        message: 'Email not found. It was already sent, or it was deleted after 3 days.',
      });
    // uses a separate statement, which sees a job created by the previous holder of the lock
    const { rows } = await sql`select from email m where m.id = ${id}::uuid and ${sql.raw(DELIVERY_FAILED)}`.execute(
      kysely,
    );
    if (rows.length === 0) throw new AppError('CONFLICT', { message: 'This email is already queued.' });
    const { subject, linkExpiresAt } = this.#decrypt(id, row.content);
    if (linkExpiresAt && Date.parse(linkExpiresAt) <= Date.now())
      throw new AppError('CONFLICT', {
        message: 'The link in this email has expired. The recipient must request a new link.',
      });
    await this.queue.insert(QUEUE, [{ data: { emailId: id }, retryLimit: 0 }], { db: fromKysely(kysely) });
    return { about: subject };
  }

  #decrypt(id: string, content: Buffer): Omit<EmailMessage, 'id'> {
    try {
      return this.contentOf(id, content);
    } catch (cause) {
      throw new AppError('CONFLICT', {
        message: 'This email cannot be decrypted because its encryption key is missing.',
        cause,
      });
    }
  }

  /** Decrypts an email. Throws if its encryption key is missing. */
  contentOf(id: string, content: Buffer): Omit<EmailMessage, 'id'> {
    return this.encryption.decrypt<Omit<EmailMessage, 'id'>>(emailContext(id), content);
  }
}
