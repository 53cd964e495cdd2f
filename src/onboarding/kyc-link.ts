import { AppError } from '../core/errors.js';
import { isUuid } from '../core/ids.js';
import type { DeveloperId, UserId } from '../core/principal.js';
import { keyedHash, type Secret, sameBytes } from '../core/secret.js';

const LIFE_S = 60;
export const KYC_DOCUMENT_PATH = '/kyc-documents';

/** A document of one developer. */
export interface DocumentKey {
  developerId: DeveloperId;
  documentId: string;
}

/** Links to documents: each lives a minute and counts for the one user that it was made for, who still needs a session. */
export class KycLinks {
  readonly #consoleUrl: string;

  /** @param consoleUrl without a slash at its end */
  constructor(
    private readonly pepper: Secret,
    consoleUrl: string,
  ) {
    this.#consoleUrl = consoleUrl;
  }

  urlFor(userId: UserId, key: DocumentKey): string {
    const expires = Math.floor(Date.now() / 1_000) + LIFE_S;
    const signature = this.#signature(userId, key, expires).toString('base64url');
    const query = new URLSearchParams({ developer: key.developerId, expires: String(expires), signature });
    return `${this.#consoleUrl}${KYC_DOCUMENT_PATH}/${key.documentId}?${query.toString()}`;
  }

  /**
   * What a link leads to. Errors: FORBIDDEN for a link that was changed or made for somebody else, RECORD_NOT_FOUND for one that
   * has expired.
   */
  keyOf(userId: UserId, documentId: unknown, query: Readonly<Record<string, unknown>>): DocumentKey {
    const [developer, expires, signature] = ['developer', 'expires', 'signature'].map((name) => textOf(query[name]));
    const key = { developerId: developer as DeveloperId, documentId: textOf(documentId) };
    const valid =
      isUuid(key.developerId) &&
      /^\d{1,12}$/.test(expires!) &&
      isUuid(key.documentId) &&
      sameBytes(Buffer.from(signature!, 'base64url'), this.#signature(userId, key, Number(expires)));
    if (!valid) throw new AppError('FORBIDDEN', { message: 'This link was changed, or made for somebody else.' });
    if (Number(expires) * 1_000 <= Date.now())
      throw new AppError('RECORD_NOT_FOUND', {
        message: 'This link has expired: read the submission again for a new one.',
      });
    return key;
  }

  #signature(userId: UserId, { developerId, documentId }: DocumentKey, expires: number): Buffer {
    return keyedHash(this.pepper, 'kyc-document-link', `${userId}:${developerId}:${documentId}:${expires}`);
  }
}

/** A parameter that comes twice is a list, and no text. */
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
