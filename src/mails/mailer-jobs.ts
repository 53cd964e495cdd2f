import { sql } from 'kysely';
import { fromKysely, type Job, type PgBoss } from 'pg-boss';
import { AppError } from '../core/errors.js';
import type { FieldEncryption } from '../core/field-encryption.js';
import { newId } from '../core/ids.js';
import { jobsDue } from '../db/job-queue.js';
import type { EntityManager } from '../db/orm.js';
import type { Queryable } from '../db/pool.js';
import type { NotTaken } from './email-failure.js';
import type { Mail } from './mailer.port.js';

/** The queue of emails; the migration makes it. */
const QUEUE = 'email';
/** SQL: whether an email is due. */
export const MAILS_DUE = jobsDue(QUEUE);
/** SQL of the open job of an email `m`. Without a job its delivery has failed: the row is deleted when the email is sent. */
const ITS_JOB = `select from pgboss.job j where j.name = '${QUEUE}' and j.state < 'completed' and j.data->>'emailId' = m.id::text`;
/** SQL: whether the email `m` was given up. */
export const DELIVERY_FAILED = `not exists (${ITS_JOB})`;
/** Some half a day of pauses: a link in an email that comes later would be of no use. */
const RETRIES = { retryLimit: 18, retryDelay: 10, retryBackoff: true, retryDelayMax: 3_600 };

export type MailJob = Job<{ emailId: string }>;

/** What a stored email is bound to: copied to another row it does not decrypt. */
export const mailContext = (id: string): string => `email:${id}`;

/**
 * Emails that wait to be sent. Address and text are one encrypted value, the job knows the number of its row only, and the row
 * goes when the email went.
 */
export class MailJobs {
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

  /** Stores an email and its job in the caller's transaction. The queue must have been started. */
  async add(mail: Omit<Mail, 'id'>, em: EntityManager): Promise<void> {
    const id = newId();
    const kysely = em.getKysely();
    await sql`insert into email (id, content) values (${id}, ${this.encryption.encrypt(mailContext(id), mail)})`.execute(
      kysely,
    );
    await this.queue.insert(QUEUE, [{ data: { emailId: id }, ...RETRIES }], { db: fromKysely(kysely) });
  }

  /** Jobs that are due; no other process gets them. One that is neither done nor failed comes back after a minute. */
  take(limit: number): Promise<MailJob[]> {
    return this.queue.fetch<{ emailId: string }>(QUEUE, { batchSize: limit });
  }

  /** Undefined when the email went already: the process that sent it died before it could say so. */
  async mailOf({ data: { emailId } }: MailJob): Promise<Mail | undefined> {
    const { rows } = await this.db.query<{ content: Buffer }>({
      name: 'email',
      text: 'select content from email where id = $1',
      values: [emailId],
    });
    if (!rows[0]) return undefined;
    return { ...this.contentOf(emailId, rows[0].content), id: emailId };
  }

  /** The email went. The row first: a job without an email does no harm, an email without a job would stay. */
  async done(job: MailJob): Promise<void> {
    await this.db.query({ name: 'email-sent', text: 'delete from email where id = $1', values: [job.data.emailId] });
    await this.queue.complete(QUEUE, job);
  }

  /** Tried again with growing pauses, and in the end given up. */
  async failed(job: MailJob, { failure, response }: NotTaken): Promise<void> {
    await this.db.query({
      text: 'update email set attempted_at = now(), failure = $2, response = $3 where id = $1',
      values: [job.data.emailId, failure, response],
    });
    await this.queue.fail(QUEUE, job);
  }

  /**
   * One more attempt for an email that was given up, in the caller's transaction; what it was about. One that fails is given up again
   * at once: whoever asked for it sees that. The queue must have been started. Errors: RECORD_NOT_FOUND, CONFLICT while it waits to
   * be sent and when its link has ended.
   */
  async again(id: string, em: EntityManager): Promise<{ about: string }> {
    const kysely = em.getKysely();
    const held = sql<{ content: Buffer }>`select content from email where id = ${id}::uuid for update`;
    const [row] = (await held.execute(kysely)).rows;
    if (!row)
      throw new AppError('RECORD_NOT_FOUND', {
        message: 'There is no such email. It was sent, or deleted after three days.',
      });
    // a statement of its own sees the job of whoever held the row before
    const { rows } = await sql`select from email m where m.id = ${id}::uuid and ${sql.raw(DELIVERY_FAILED)}`.execute(
      kysely,
    );
    if (rows.length === 0) throw new AppError('CONFLICT', { message: 'This email is already queued.' });
    const { subject, linkExpiresAt } = this.#readable(id, row.content);
    if (linkExpiresAt && Date.parse(linkExpiresAt) <= Date.now())
      throw new AppError('CONFLICT', {
        message: 'The link in this email has expired. The recipient has to request a new one.',
      });
    await this.queue.insert(QUEUE, [{ data: { emailId: id }, retryLimit: 0 }], { db: fromKysely(kysely) });
    return { about: subject };
  }

  #readable(id: string, content: Buffer): Omit<Mail, 'id'> {
    try {
      return this.contentOf(id, content);
    } catch (cause) {
      throw new AppError('CONFLICT', { message: 'This email cannot be read: its encryption key is missing.', cause });
    }
  }

  /** Errors: when it was written with a key that is there no more. */
  contentOf(id: string, content: Buffer): Omit<Mail, 'id'> {
    return this.encryption.decrypt<Omit<Mail, 'id'>>(mailContext(id), content);
  }
}
