import { AppError } from '../core/errors.js';
import { isUuid } from '../core/ids.js';
import type { DeveloperId, UserId } from '../core/principal.js';
import { keyedHash, type Secret, sameBytes } from '../core/secret.js';

const LIFETIME_S = 60;
export const KYC_DOCUMENT_PATH = '/kyc-documents';

export interface DocumentKey {
  developerId: DeveloperId;
  documentId: string;
}

/** Links to documents. A link is valid for one minute, and only in a session of the user that it was created for. */
export class KycLinks {
  readonly #consoleUrl: string;

  /** @param consoleUrl base URL of the console, without a trailing slash */
  constructor(
    private readonly pepper: Secret,
    consoleUrl: string,
  ) {
    this.#consoleUrl = consoleUrl;
  }

  urlFor(userId: UserId, key: DocumentKey): string {
    const expires = Math.floor(Date.now() / 1_000) + LIFETIME_S;
    const signature = this.#signature(userId, key, expires).toString('base64url');
    const query = new URLSearchParams({ developer: key.developerId, expires: String(expires), signature });
    return `${this.#consoleUrl}${KYC_DOCUMENT_PATH}/${key.documentId}?${query.toString()}`;
  }

  /**
   * Returns the key of the document of a link. Throws FORBIDDEN for a modified link or a link of another user, and
   * RECORD_NOT_FOUND for an expired link.
   */
  keyOf(userId: UserId, documentId: unknown, query: Readonly<Record<string, unknown>>): DocumentKey {
    const [developer, expires, signature] = ['developer', 'expires', 'signature'].map((name) => textOf(query[name]));
    const key = { developerId: developer as DeveloperId, documentId: textOf(documentId) };
    const valid =
      isUuid(key.developerId) &&
      /^\d{1,12}$/.test(expires!) &&
      isUuid(key.documentId) &&
      sameBytes(Buffer.from(signature!, 'base64url'), this.#signature(userId, key, Number(expires)));
    if (!valid) throw new AppError('FORBIDDEN', { message: 'This link was modified or belongs to another user.' });
    if (Number(expires) * 1_000 <= Date.now())
      throw new AppError('RECORD_NOT_FOUND', {
        message: 'This link has expired. Load the KYC submission again to get a new link.',
      });
    return key;
  }

  #signature(userId: UserId, { developerId, documentId }: DocumentKey, expires: number): Buffer {
    return keyedHash(this.pepper, 'kyc-document-link', `${userId}:${developerId}:${documentId}:${expires}`);
  }
}

/** Returns the value of a query parameter if it is a string. A repeated parameter is a list. */
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
