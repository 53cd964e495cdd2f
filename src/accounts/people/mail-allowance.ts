import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../../core/errors.js';
import { keyedHash, type Secret } from '../../core/secret.js';
import type { Counters } from '../../db/counters/counters.js';
import { ATTEMPTS_WINDOW_S } from '../attempts.js';

const DAY_S = 86_400;
/** Maximum number of requests in 15 minutes from one address, for all mailboxes. */
export const MAILS_PER_ADDRESS = 10;
/** Maximum number of requests in 15 minutes, and of emails per day, from one address to one mailbox. */
export const MAILS_PER_ADDRESS_AND_MAILBOX = 3;
/** Maximum number of emails per day to one mailbox, from all addresses. */
export const MAILS_PER_MAILBOX = 5;
/**
 * Higher limit for addresses from which no email was sent to the mailbox today, so that others cannot use up the limit of its
 * owner.
 */
export const MAILS_PER_MAILBOX_WITH_NEWCOMERS = 20;

type MailPurpose = 'sign-up' | 'password-reset' | 'invitation' | 'new-address';

/**
 * Limits on emails that anonymous callers can trigger. The limits are the same for known and unknown mailboxes, so that
 * responses do not reveal which exist.
 */
export class MailAllowance {
  constructor(
    private readonly counters: Counters,
    private readonly pepper: Secret,
  ) {}

  /**
   * Counts a request. Returns false if the limit of the mailbox is reached; the caller must then respond as usual but send no
   * email. Throws RATE_LIMITED if the limit of the caller is reached.
   */
  async request(purpose: MailPurpose, email: string, addressKey: string): Promise<boolean> {
    const mailbox = `${purpose}:${keyedHash(this.pepper, 'mailbox', mailboxOf(email)).toString('base64url')}`;
    await this.#require(`mails-from:${addressKey}`, MAILS_PER_ADDRESS);
    await this.#require(`${mailbox}:${addressKey}`, MAILS_PER_ADDRESS_AND_MAILBOX);
    const own = await this.counters.add(`day:${mailbox}:${addressKey}`, DAY_S);
    if (own.count > MAILS_PER_ADDRESS_AND_MAILBOX) return false;
    const all = await this.counters.add(`day:${mailbox}`, DAY_S);
    if (all.count <= (own.count === 1 ? MAILS_PER_MAILBOX_WITH_NEWCOMERS : MAILS_PER_MAILBOX)) return true;
    await this.counters.add(`day:${mailbox}`, DAY_S, -1);
    return false;
  }

  async #require(key: string, limit: number): Promise<void> {
    const { count, msLeft } = await this.counters.add(key, ATTEMPTS_WINDOW_S);
    if (count > limit) throw new AppError('RATE_LIMITED', { retryAfterMs: msLeft });
  }
}

/**
 * Returns the mailbox behind the spellings of an address: "A.Sha+shop@Googlemail.com" → "asha@gmail.com". Use it only for
 * counting, never for sending.
 */
export function mailboxOf(email: string): string {
  const [, local = '', domain = ''] = /^(.*)@([^@]*)$/.exec(email.trim().toLowerCase()) ?? [];
  const name = local.replace(/(?<=.)\+.*$/, '');
  const google = domain === 'gmail.com' || domain === 'googlemail.com';
  return google ? `${name.replaceAll('.', '')}@gmail.com` : `${name}@${domain}`;
}

const STEP_MS = 250;

/** Runs work whose duration would reveal whether an address is known. The response is delayed to a multiple of a fixed step. */
export async function inEvenTime<T>(work: () => Promise<T>): Promise<T> {
  const startedMs = performance.now();
  const result = await work();
  await sleep(STEP_MS - ((performance.now() - startedMs) % STEP_MS));
  return result;
}
