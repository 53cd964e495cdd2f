import { instantOrNull } from '../core/clock.js';
import { UUID } from '../core/ids.js';
import type { Queryable } from '../db/pool.js';
import { type Page, type PageRequest, pageOf, sliceOf } from '../graphql-toolkit/connection.js';
import type { EmailFailure } from './email-failure.js';
import { DELIVERY_FAILED, type EmailJobs } from './email-jobs.js';

/** Email whose retries are exhausted, without its text, which can contain a link that grants access. */
export interface FailedEmailView {
  id: string;
  /** Recipient. Null if it cannot be decrypted. */
  to: string | null;
  subject: string | null;
  createdAt: Date;
  lastAttemptAt: Date | null;
  /** Reason of the failure. Null if the process ended during the attempt. */
  failure: EmailFailure | null;
  response: string | null;
  linkExpiresAt: Date | null;
}

interface Row {
  id: string;
  content: Buffer;
  created_at: string;
  attempted_at: string | null;
  failure: EmailFailure | null;
  response: string | null;
}

const FIRST_ID = '00000000-0000-0000-0000-000000000000';
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

export class FailedEmails {
  constructor(
    private readonly db: Queryable,
    private readonly jobs: Pick<EmailJobs, 'contentOf'>,
  ) {}

  /** Returns a page of failed emails, newest first. Throws VALIDATION_FAILED for an invalid page size or cursor. */
  async page(request: PageRequest): Promise<Page<FailedEmailView>> {
    const slice = sliceOf('failed-emails', request, UUID);
    const { rows } = await this.db.query<Row>({
      text: `select m.id, m.content, m.created_at, m.attempted_at, m.failure, m.response from email m
        where m.id < $1::uuid and m.id > $2::uuid and ${DELIVERY_FAILED} order by m.id ${slice.backwards ? 'asc' : 'desc'} limit $3`,
      values: [slice.after ?? LAST_ID, slice.before ?? FIRST_ID, slice.size + 1],
    });
    return pageOf(
      rows,
      slice,
      ({ id }) => id,
      (row) => this.#viewOf(row),
    );
  }

  #viewOf({ id, content, created_at, attempted_at, failure, response }: Row): FailedEmailView {
    return {
      id,
      ...this.#headOf(id, content),
      createdAt: new Date(created_at),
      lastAttemptAt: instantOrNull(attempted_at),
      failure,
      response,
    };
  }

  /** Returns the recipient, the subject and the expiry of the link. */
  #headOf(id: string, content: Buffer): Pick<FailedEmailView, 'to' | 'subject' | 'linkExpiresAt'> {
    try {
      const { to, subject, linkExpiresAt } = this.jobs.contentOf(id, content);
      return { to, subject, linkExpiresAt: instantOrNull(linkExpiresAt) };
    } catch {
      // a missing key may be the reason for the failure, and the other emails must still be shown
      return { to: null, subject: null, linkExpiresAt: null };
    }
  }
}
