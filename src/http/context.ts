import type { Socket } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { environmentOfToken, wrongHost } from '../accounts/keys/token.service.js';
import { SESSION_PREFIX } from '../accounts/people/user.service.js';
import type { PrincipalReader } from '../accounts/principal.reader.js';
import type { RequestContext } from '../core/context.js';
import type { Environment, Host } from '../core/environment.js';
import { AppError } from '../core/errors.js';
import type { Principal } from '../core/principal.js';
import { clientAddressKey } from './client.js';
import { isForeignPage } from './foreign-page.js';
import { preferredWaitS } from './preferences.js';
import type { SessionCookie } from './session-cookie.js';

interface Identified {
  principal: Principal | undefined;
  refusal: AppError | undefined;
}

const NOBODY: Identified = { principal: undefined, refusal: undefined };
const refused = (refusal = new AppError('UNAUTHENTICATED')): Identified => ({ principal: undefined, refusal });

const controllers = new WeakMap<Socket, AbortController>();

/** Aborted when a client's connection has ended; one for all its requests. */
function goneSignal(socket: Socket): AbortSignal {
  let controller = controllers.get(socket);
  if (!controller) {
    const gone = new AbortController();
    controllers.set(socket, (controller = gone));
    if (socket.destroyed) gone.abort();
    else socket.once('close', () => gone.abort());
  }
  return controller.signal;
}

/** Finds out who is calling. Credentials that do not count are a refusal, which public fields never look at. */
export class Identification {
  readonly #host: Host;
  readonly #principals: PrincipalReader;
  readonly #urls: Record<Host, string>;
  readonly #cookie: SessionCookie;
  readonly #origins: readonly string[];

  /** @param origins whose pages may call this host, beside its own */
  constructor(
    host: Host,
    principals: PrincipalReader,
    urls: Record<Host, string>,
    cookie: SessionCookie,
    origins: readonly string[],
  ) {
    this.#host = host;
    this.#principals = principals;
    this.#urls = urls;
    this.#cookie = cookie;
    this.#origins = [new URL(urls[host]).origin, ...origins];
  }

  async contextOf(request: FastifyRequest): Promise<RequestContext> {
    const waitS = preferredWaitS(request.headers);
    return {
      requestId: request.id,
      notes: request.notes,
      host: this.#host,
      addressKey: clientAddressKey(request),
      urls: this.#urls,
      hold: (bytes) => request.held?.note(bytes),
      leaveAdmission: () => request.leaveAdmission?.(),
      preferredWaitMs: waitS === undefined ? undefined : waitS * 1_000,
      foreignPage: isForeignPage(request, this.#origins),
      gone: () => goneSignal(request.raw.socket),
      identifyAgain: () => this.#identify(request, { isUse: false }),
      ...(await this.#identify(request)),
    };
  }

  async #identify(request: FastifyRequest, { isUse = true } = {}): Promise<Identified> {
    const { authorization } = request.headers;
    const token = authorization === undefined ? undefined : /^Bearer +(\S+) *$/i.exec(authorization)?.[1];
    if (authorization !== undefined && token === undefined) return refused();
    try {
      return this.#host === 'console'
        ? await this.#session(token ?? this.#cookie.read(request), isUse)
        : await this.#apiToken(token, this.#host);
    } catch (error) {
      if (error instanceof AppError) return refused(error);
      return refused(new AppError('DEPENDENCY_DOWN', { cause: error, retryAfterMs: 1_000 }));
    }
  }

  async #apiToken(token: string | undefined, host: Environment): Promise<Identified> {
    if (token === undefined) return NOBODY;
    const environment = environmentOfToken(token);
    if (environment && environment !== host) return refused(wrongHost(environment, this.#urls));
    if (token.startsWith(SESSION_PREFIX)) {
      const message = `A session counts only on the console host, ${this.#urls.console}.`;
      return refused(new AppError('WRONG_HOST', { message }));
    }
    const principal = environment && (await this.#principals.ofToken(token));
    return principal && principal.environment === host ? { principal, refusal: undefined } : refused();
  }

  async #session(token: string | undefined, isUse: boolean): Promise<Identified> {
    if (token === undefined) return NOBODY;
    const environment = environmentOfToken(token);
    if (environment) return refused(wrongHost(environment, this.#urls));
    const principal = await this.#principals.ofSession(token, { isUse });
    return principal ? { principal, refusal: undefined } : refused();
  }
}
