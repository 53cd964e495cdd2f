import { parseCookie } from 'cookie';
import type { FastifyRequest } from 'fastify';
import type { SessionChange } from '../core/context.js';
import { AppError } from '../core/errors.js';
import { isOfHost } from './foreign-page.js';

/**
 * The browser's session. SameSite=Strict and a body that must be JSON already keep other sites from using it; a request that
 * says it comes from another origin is refused on top. On https the name carries the __Host- prefix, so that no other
 * subdomain can plant one.
 */
export class SessionCookie {
  readonly #name: string;
  readonly #attributes: string;
  readonly #origin: string;

  constructor(consoleUrl: string) {
    const { protocol, origin } = new URL(consoleUrl);
    const secure = protocol === 'https:';
    this.#name = secure ? '__Host-session' : 'session';
    this.#attributes = `Path=/; HttpOnly; SameSite=Strict${secure ? '; Secure' : ''}`;
    this.#origin = origin;
  }

  /** The session token of a browser; undefined when there is none. Errors: UNAUTHENTICATED for a page of another origin. */
  read(request: FastifyRequest): string | undefined {
    const token = parseCookie(request.headers.cookie ?? '')[this.#name] || undefined;
    const { origin } = request.headers;
    if (token !== undefined && origin !== undefined && origin !== this.#origin && !isOfHost(origin, request))
      throw new AppError('UNAUTHENTICATED', {
        message: 'A session cookie does not count for pages of another origin.',
      });
    return token;
  }

  /**
   * For bodies that are no JSON: any page can make a browser send a form. Who sent a bearer token is no browser's session.
   * Errors: UNAUTHENTICATED for a cookie without an Origin; `read` has looked at the others.
   */
  requireOrigin({ headers }: FastifyRequest): void {
    if (headers.authorization === undefined && headers.origin === undefined)
      throw new AppError('UNAUTHENTICATED', { message: 'Here a session cookie counts only beside an Origin header.' });
  }

  /** The Set-Cookie header that a request asked for. */
  header(change: SessionChange): string {
    if (change === 'clear') return `${this.#name}=; ${this.#attributes}; Max-Age=0`;
    const maxAgeS = Math.max(0, Math.floor((change.expiresAt.getTime() - Date.now()) / 1000));
    return `${this.#name}=${change.token}; ${this.#attributes}; Max-Age=${maxAgeS}`;
  }
}
