import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { get } from 'node:https';
import path from 'node:path';
import { Agent, fetch } from 'undici';
import { freePort, isRefused } from '../support/ports.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { until } from '../support/until.js';
import { PATH } from './tools.fixture.js';

const CONFIGURATION = 'ops/haproxy.cfg';
const NGINX_SITE = 'ops/nginx.conf';
const NAMES = { uat: 'uat.test', production: 'api.test', console: 'console.test' } as const;

/** Ports of one process. */
export type Ports = Record<'UAT' | 'PRODUCTION' | 'CONSOLE' | 'OPS', number>;

/** Creates a self-signed certificate for the three hosts, with its key. */
function makeCertificate(): { file: string; certificate: string } {
  const directory = temporaryDirectory();
  const [key, certificate, file] = ['key.pem', 'certificate.pem', 'both.pem'].map((name) => path.join(directory, name));
  const names = Object.values(NAMES).map((name) => `DNS:${name}`);
  execFileSync(
    'openssl',
    [
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:P-256',
      '-nodes',
      '-days',
      '90',
      '-subj',
      '/CN=gateway.test',
    ].concat(['-addext', `subjectAltName=${names.join()}`, '-keyout', key!, '-out', certificate!]),
    { stdio: 'ignore' },
  );
  writeFileSync(file!, readFileSync(certificate!, 'utf8') + readFileSync(key!, 'utf8'));
  return { file: file!, certificate: readFileSync(certificate!, 'utf8') };
}

export type PublicUrls = Record<keyof typeof NAMES, string>;
/** URLs of a proxy that listens on this port. */
export const publicUrls = (httpsPort: number): PublicUrls => ({
  uat: `https://${NAMES.uat}:${httpsPort}`,
  production: `https://${NAMES.production}:${httpsPort}`,
  console: `https://${NAMES.console}:${httpsPort}`,
});

export interface ProxyResponse {
  status: number;
  headers: { get(name: string): string | null };
  body: any;
}

/** The load of a drill comes from a single address. */
const SINGLE_ADDRESS_LIMITS = {
  CLIENT_REQUESTS: '1000000',
  WIDE_CLIENT_REQUESTS: '1000000',
  CLIENT_CONNECTIONS: '10000',
};

/** The shipped site with addresses of this machine, and the rest of an nginx configuration around it. */
function nginxConfiguration(directory: string, replaced: readonly (readonly [string, string])[]): string {
  const site = replaced.reduce((text, [from, to]) => text.replaceAll(from, to), readFileSync(NGINX_SITE, 'utf8'));
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${directory}/${name};`,
  );
  return `daemon off; master_process off; pid ${directory}/pid; error_log stderr;\nevents {}\nhttp {\n${paths.join('\n')}\n${site}\n}\n`;
}

/** HAProxy or nginx with the shipped configuration, in front of two processes on this machine. */
export class Proxy {
  readonly #child: ChildProcess;
  readonly #agent: Agent;
  readonly #certificate: string;
  readonly #urls: PublicUrls;
  readonly httpPort: number;
  readonly #lines: string[] = [];
  /** A file, because nginx cannot open a socket such as our end of its output. */
  #logFile: string | undefined;

  private constructor(child: ChildProcess, certificate: string, httpPort: number, httpsPort: number) {
    this.#child = child;
    this.#agent = new Agent({
      allowH2: true,
      connect: {
        ca: certificate,
        lookup: (_name, _options, done) => done(null, [{ address: '127.0.0.1', family: 4 }]),
      },
    });
    this.#certificate = certificate;
    this.#urls = publicUrls(httpsPort);
    this.httpPort = httpPort;
    for (const stream of [child.stdout!, child.stderr!]) {
      let rest = '';
      stream.on('data', (bytes: Buffer) => {
        const lines = (rest + bytes.toString()).split('\n');
        rest = lines.pop()!;
        this.#lines.push(...lines);
      });
    }
  }

  /**
   * Starts the proxy, which listens immediately and finds out which processes are ready. Without `settings`, it has the shipped
   * limits.
   */
  static async start(
    httpsPort: number,
    [first, second]: readonly [Ports, Ports],
    settings: Readonly<Record<string, string>> = SINGLE_ADDRESS_LIMITS,
  ): Promise<Proxy> {
    const { file, certificate } = makeCertificate();
    const [httpPort, metricsPort] = [await freePort(), await freePort()];
    const env: Record<string, string> = {
      PATH,
      CERTIFICATE: file,
      HTTP_ADDRESS: `127.0.0.1:${httpPort}`,
      HTTPS_ADDRESS: `127.0.0.1:${httpsPort}`,
      PROXY_METRICS_ADDRESS: `127.0.0.1:${metricsPort}`,
      UAT_NAME: NAMES.uat,
      PRODUCTION_NAME: NAMES.production,
      CONSOLE_NAME: NAMES.console,
      ONE: '127.0.0.1',
      TWO: '127.0.0.1',
      ...settings,
    };
    for (const [host, port] of Object.entries(first)) env[`ONE_${host}_PORT`] = String(port);
    for (const [host, port] of Object.entries(second)) env[`TWO_${host}_PORT`] = String(port);
    const child = spawn('haproxy', ['-db', '-f', CONFIGURATION], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    return new Proxy(child, certificate, httpPort, httpsPort).#listening(httpsPort);
  }

  /** Starts nginx with the shipped limits. */
  static async startNginx(httpsPort: number, [first, second]: readonly [Ports, Ports]): Promise<Proxy> {
    const { file, certificate } = makeCertificate();
    const httpPort = await freePort();
    const directory = temporaryDirectory();
    const addresses = (['UAT', 'PRODUCTION', 'CONSOLE'] as const).flatMap((host, n) => [
      [`127.0.0.1:400${n} `, `127.0.0.1:${first[host]} `] as const,
      [`127.0.0.2:400${n} `, `127.0.0.1:${second[host]} `] as const,
    ]);
    const [configuration, logFile] = [path.join(directory, 'nginx.conf'), path.join(directory, 'gateway.log')];
    writeFileSync(
      configuration,
      nginxConfiguration(directory, [
        ...addresses,
        ['listen 80 ', `listen 127.0.0.1:${httpPort} `],
        ['listen 443 ', `listen 127.0.0.1:${httpsPort} `],
        ['/run/secrets/certificate.pem', file],
        ['/var/log/nginx', directory],
        ['uat.example', NAMES.uat],
        ['api.example', NAMES.production],
        ['console.example', NAMES.console],
      ]),
    );
    const args = ['-p', directory, '-c', configuration];
    const child = spawn('nginx', args, { env: { PATH }, stdio: ['ignore', 'pipe', 'pipe'] });
    const proxy = await new Proxy(child, certificate, httpPort, httpsPort).#listening(httpsPort);
    proxy.#logFile = logFile;
    return proxy;
  }

  async #listening(httpsPort: number): Promise<this> {
    await until('the proxy listens', async () => {
      if (this.#child.exitCode !== null) throw new Error(`The proxy did not start: ${this.log}`);
      return !(await isRefused(httpsPort));
    });
    return this;
  }

  /** One request over TLS. Errors: the connection was lost before a response. */
  async call(
    host: keyof typeof NAMES,
    requestPath: string,
    { body, form, headers = {} }: { body?: object; form?: FormData; headers?: Record<string, string> } = {},
  ): Promise<ProxyResponse> {
    // converted to bytes, because this fetch only supports FormData of its own library
    const sent = form && new Response(form);
    const response = await fetch(`${this.#urls[host]}${requestPath}`, {
      dispatcher: this.#agent,
      ...(sent ? { method: 'POST', body: await sent.arrayBuffer() } : {}),
      ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
      headers: {
        ...(sent ? { 'content-type': sent.headers.get('content-type')! } : {}),
        ...(body ? { 'content-type': 'application/json' } : {}),
        ...headers,
      },
    });
    const content = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: content.startsWith('{') ? JSON.parse(content) : content,
    };
  }

  /** A response that is read in pieces. */
  async stream(host: keyof typeof NAMES, requestPath: string): Promise<AsyncIterable<Uint8Array>> {
    const { body } = await fetch(`${this.#urls[host]}${requestPath}`, { dispatcher: this.#agent });
    return body as AsyncIterable<Uint8Array>;
  }

  /** Response status for another host, over a connection for one of ours. */
  async statusFor(hostHeader: string): Promise<number> {
    const request = get({
      port: new URL(this.#urls.uat).port,
      path: '/livez',
      servername: NAMES.uat,
      ca: this.#certificate,
      headers: { host: hostHeader },
    });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    response.resume();
    return response.statusCode!;
  }

  /** The request log so far, oldest first, without lines about servers. */
  get requests(): Record<string, unknown>[] {
    return this.log
      .split('\n')
      .flatMap((line) => (line.startsWith('{') ? [JSON.parse(line) as Record<string, unknown>] : []));
  }

  /** File with the errors of nginx. */
  get errorFile(): string {
    return this.#logFile!.replace(/\.log$/, '-error.log');
  }

  /** Complete output: requests and the states of the servers. */
  get log(): string {
    return [...this.#lines, this.#logFile === undefined ? '' : readFileSync(this.#logFile, 'utf8')].join('\n');
  }

  async stop(): Promise<void> {
    await this.#agent.close();
    this.#child.kill('SIGTERM');
    if (this.#child.exitCode === null) await once(this.#child, 'exit');
  }
}
