import type { Socket } from 'node:net';
import { parseCookie } from 'cookie';
import type { FastifyRequest } from 'fastify';
import { wrongHost } from '../../accounts/keys/token.service.js';
import { SESSION_PREFIX } from '../../accounts/people/session.service.js';
import { environmentOfToken, type PrincipalReader } from '../../accounts/principal.reader.js';
import { matchesOrigin, type OriginPattern } from '../../core/addresses.js';
import type { RequestContext, SessionChange } from '../../core/context.js';
import type { Environment, Host } from '../../core/environment.js';
import { AppError } from '../../core/errors.js';
import type { Principal } from '../../core/principal.js';
import { sha256 } from '../../core/secret.js';
import { asQuery } from '../limits/holders.js';
import { arrivalOf } from './arrival.js';
import { agentOf, clientAddressKey, preferredWaitS } from './head.js';

interface Identity {
  principal: Principal | undefined;
  refusal: AppError | undefined;
}

const ANONYMOUS: Identity = { principal: undefined, refusal: undefined };
const rejected = (refusal = new AppError('UNAUTHENTICATED')): Identity => ({ principal: undefined, refusal });

const controllers = new WeakMap<Socket, AbortController>();

/** Returns a signal that is aborted when the client closes its connection. All requests of the connection share it. */
function disconnectSignal(socket: Socket): AbortSignal {
  let controller = controllers.get(socket);
  if (!controller) {
    const disconnect = new AbortController();
    controllers.set(socket, (controller = disconnect));
    if (socket.destroyed) disconnect.abort();
    else socket.once('close', () => disconnect.abort());
  }
  return controller.signal;
}

/** Identifies the caller. Invalid credentials result in an error, which is ignored for public fields. */
export class Identification {
  readonly #origins: readonly OriginPattern[];

  /**
   * Creates the identification of a host.
   * @param origins patterns of origins whose pages can call this host, in addition to its own
   */
  constructor(
    private readonly host: Host,
    private readonly principals: PrincipalReader,
    private readonly urls: Record<Host, string>,
    private readonly cookie: SessionCookie,
    origins: readonly OriginPattern[],
  ) {
    this.#origins = [new URL(urls[host]).origin, ...origins];
  }

  async contextOf(request: FastifyRequest): Promise<RequestContext> {
    const waitS = preferredWaitS(request.headers);
    return {
      requestId: request.id,
      notes: request.notes,
      host: this.host,
      addressKey: clientAddressKey(request),
      agent: agentOf(request.headers),
      urls: this.urls,
      hold: (bytes) => request.held?.note(bytes),
      leaveAdmission: () => request.leaveAdmission?.(),
      leaveMoneyReserve: () => {
        const { held } = request;
        if (held?.holder.slice === 'money') held.moveTo(asQuery(held.holder));
      },
      arrivedMs: arrivalOf(request.raw),
      preferredWaitMs: waitS === undefined ? undefined : waitS * 1_000,
      isCrossOrigin: isCrossOrigin(request, this.#origins, this.urls[this.host]),
      disconnectSignal: () => disconnectSignal(request.raw.socket),
      reidentify: () => this.#identify(request, { isUse: false }),
      ...(await this.#identify(request)),
    };
  }

  async #identify(request: FastifyRequest, { isUse = true } = {}): Promise<Identity> {
    const { authorization } = request.headers;
    const token = authorization === undefined ? undefined : /^Bearer +(\S+) *$/i.exec(authorization)?.[1];
    if (authorization !== undefined && token === undefined) return rejected();
    try {
      return this.host === 'console'
        ? await this.#session(token ?? this.cookie.read(request), isUse)
        : await this.#apiToken(token, this.host);
    } catch (error) {
      if (error instanceof AppError) return rejected(error);
      return rejected(new AppError('DEPENDENCY_DOWN', { cause: error, retryAfterMs: 1_000 }));
    }
  }

  async #apiToken(token: string | undefined, host: Environment): Promise<Identity> {
    if (token === undefined) return ANONYMOUS;
    const environment = environmentOfToken(token);
    if (environment && environment !== host) return rejected(this.#wrongHost(environment, token));
    if (token.startsWith(SESSION_PREFIX)) {
      const message = `Sessions are valid only on the console host, ${this.urls.console}.`;
      return rejected(new AppError('WRONG_HOST', { message }));
    }
    const principal = environment && (await this.principals.ofToken(token));
    return principal && principal.environment === host ? { principal, refusal: undefined } : rejected();
  }

  #wrongHost(environment: Environment, token: string): AppError {
    const key = sha256(token).toString('base64url');
    return wrongHost(environment, this.urls, { key, find: () => this.principals.ofToken(token) });
  }

  async #session(token: string | undefined, isUse: boolean): Promise<Identity> {
    if (token === undefined) return ANONYMOUS;
    const environment = environmentOfToken(token);
    if (environment) return rejected(this.#wrongHost(environment, token));
    const principal = await this.principals.ofSession(token, { isUse });
    return principal ? { principal, refusal: undefined } : rejected();
  }
}

/** Content types that a page of any origin can make a browser send without a preflight request. */
const FORM = /^(application\/x-www-form-urlencoded|multipart\/form-data)\b/i;

/**
 * Returns whether a browser sent the request on behalf of a page of another site. Browsers report the origin, and a page cannot
 * prevent this. Other clients can send any value, but are not controlled by untrusted pages.
 * @param origins patterns of origins whose pages can call this host, in addition to its own
 */
function isCrossOrigin(request: FastifyRequest, origins: readonly OriginPattern[], publicUrl: string): boolean {
  const { origin, 'sec-fetch-site': site, 'content-type': type = '' } = request.headers;
  if (origin !== undefined && (matchesOrigin(origins, origin) || isOwnOrigin(origin, request, publicUrl))) return false;
  return site === 'cross-site' || (origin !== undefined && FORM.test(type));
}

/**
 * Returns whether the host itself served the page, under the name that the browser used: scheme, host and port must match. The
 * scheme is that of the public URL, because a page of http://console.example can come from anyone who controls the network and
 * is not a page of https://console.example.
 */
function isOwnOrigin(origin: string, request: FastifyRequest, publicUrl: string): boolean {
  return URL.parse(`${new URL(publicUrl).protocol}//${request.host}`)?.origin === origin;
}

/**
 * Session cookie of a browser. SameSite=Strict and the required JSON body already prevent other sites from using it. In addition,
 * requests from other origins are rejected. With https, the name has the prefix __Host-, so that no other subdomain can set the
 * cookie.
 */
export class SessionCookie {
  readonly #name: string;
  readonly #attributes: string;
  readonly #origin: string;

  constructor(private readonly consoleUrl: string) {
    const { protocol, origin } = new URL(consoleUrl);
    const secure = protocol === 'https:';
    this.#name = secure ? '__Host-session' : 'session';
    this.#attributes = `Path=/; HttpOnly; SameSite=Strict${secure ? '; Secure' : ''}`;
    this.#origin = origin;
  }

  /** Returns the session token of a browser, or undefined if it has none. Throws UNAUTHENTICATED for a page of another origin. */
  read(request: FastifyRequest): string | undefined {
    const token = parseCookie(request.headers.cookie ?? '')[this.#name] || undefined;
    const { origin } = request.headers;
    const isOwn = origin === undefined || origin === this.#origin || isOwnOrigin(origin, request, this.consoleUrl);
    if (token !== undefined && !isOwn)
      throw new AppError('UNAUTHENTICATED', {
        message: 'The session cookie is not accepted from pages of another origin.',
      });
    return token;
  }

  /**
   * Requires an Origin header for bodies that are not JSON, because any page can make a browser send a form. The header is not
   * required with a bearer token, because the cookie is then not used. Throws UNAUTHENTICATED for a cookie without an Origin
   * header. `read` has checked requests with that header.
   */
  requireOrigin({ headers }: FastifyRequest): void {
    if (headers.authorization === undefined && headers.origin === undefined)
      throw new AppError('UNAUTHENTICATED', {
        message: 'Requests with a session cookie must include an Origin header.',
      });
  }

  /** Returns the Set-Cookie header that applies a change of the session. */
  header(change: SessionChange): string {
    if (change === 'clear') return `${this.#name}=; ${this.#attributes}; Max-Age=0`;
    const maxAgeS = Math.max(0, Math.floor((change.expiresAt.getTime() - Date.now()) / 1000));
    return `${this.#name}=${change.token}; ${this.#attributes}; Max-Age=${maxAgeS}`;
  }
}
