import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '../../core/errors.js';
import { keyedHash, type Secret } from '../../core/secret.js';
import type { Counters } from '../../db/counters/counters.js';
import { ATTEMPTS_WINDOW_S } from '../attempts.js';

const DAY_S = 86_400;
/** Requests in 15 minutes from one address, to any mailboxes. */
export const MAILS_PER_ADDRESS = 10;
/** Requests in 15 minutes, and emails in a day, from one address to one mailbox. */
export const MAILS_PER_ADDRESS_AND_MAILBOX = 3;
/** Emails in a day to one mailbox, from all who asked for them. */
export const MAILS_PER_MAILBOX = 5;
/** Above it an address that has not had an email there today still gets one, so that a stranger cannot use up the owner's; up to this. */
export const MAILS_PER_MAILBOX_WITH_NEWCOMERS = 20;

type MailPurpose = 'sign-up' | 'password-reset' | 'invitation' | 'new-address';

/** How many emails strangers may cause. Known and unknown addresses count alike, so that neither refusal nor silence tells which it was. */
export class MailAllowance {
  constructor(
    private readonly counters: Counters,
    private readonly pepper: Secret,
  ) {}

  /**
   * Counts a request. False: the mailbox has had enough, and the caller must answer as usual without an email.
   * Errors: RATE_LIMITED when it is the caller who asks too often.
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

/** The mailbox behind the spellings of an address: "A.Sha+shop@Googlemail.com" → "asha@gmail.com". For counting only, never to email to. */
export function mailboxOf(email: string): string {
  const [, local = '', domain = ''] = /^(.*)@([^@]*)$/.exec(email.trim().toLowerCase()) ?? [];
  const name = local.replace(/(?<=.)\+.*$/, '');
  const google = domain === 'gmail.com' || domain === 'googlemail.com';
  return google ? `${name.replaceAll('.', '')}@gmail.com` : `${name}@${domain}`;
}

const STEP_MS = 250;

/** Runs something whose time would tell a known address from an unknown one: the answer leaves at a full step of time. */
export async function inEvenTime<T>(work: () => Promise<T>): Promise<T> {
  const startedMs = performance.now();
  const result = await work();
  await sleep(STEP_MS - ((performance.now() - startedMs) % STEP_MS));
  return result;
}
