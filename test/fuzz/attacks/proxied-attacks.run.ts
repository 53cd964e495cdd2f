import { randomBytes } from 'node:crypto';
import { type ClientHttp2Session, connect as connectHttp2 } from 'node:http2';
import net from 'node:net';
import { constants, setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ConnectionOptions, connect as connectTls, type TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formOf } from '../../onboarding/onboarding.fixture.js';
import { type Ports, Proxy, type PublicUrls, publicUrls } from '../../ops/proxy.fixture.js';
import { missingPrograms } from '../../ops/tools.fixture.js';
import { FROM_TEST, seed, type TestDeveloper, testEnvironment } from '../../support/app.js';
import { longestScript } from '../../support/portal-assets.js';
import { freePort } from '../../support/ports.js';
import { megabytes, ProcessMemory } from '../../support/process-memory.js';
import { rechargeBody, rechargeInput } from '../../support/recharges.js';
import { shippedCommand } from '../../support/shipped.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';
import { until } from '../../support/until.js';
import { useOwnApp } from '../../support/use-app.js';
import { ServiceProcess } from '../support/service-process.js';
import { uploaders } from '../support/uploaders.js';
import { type Announced, AnnouncedBodies } from './announced-bodies.js';
import { times } from './attacker.js';
import { invalidDocument } from './invalid-documents.js';
import { Probe, type Report, type Target } from './probe.js';

/*
 * Attackers with many addresses against two processes with the shipped command line and limits, behind the shipped
 * ops/haproxy.cfg with TLS and HTTP/2. HAProxy writes the address of the connection into X-Forwarded-For, so each attacker
 * connects from its own address in 127.0.0.0/8. Other callers must not notice the attack: they get no error response, and the p99
 * of the money calls is at most three times the value just before.
 */

const HONEST = '127.0.9.1';
const MOST_P99_RATIO = 3;
/** Maximum ratio of the heap in use after and before an attack. */
const KEPT = 1.1;
/** Enough for about three hundred calls of each kind on an idle machine. */
const MEASURED_MS = Number(process.env.ATTACK_MEASURED_MS ?? 15_000);
const PAUSE_MS = 25;
const SELDOM_MS = 1_000;
/** Pause between two addresses. In the minute for which a counter once kept them, enough addresses to end a process. */
const E3_EVERY_MS = 50;
/** A shared machine is slow now and then. */
const ROUNDS = 3;
const LIMIT_MS = 60_000;
const ATTACK_MS = 15 * 60_000;
const PASSWORD = 'a password for tests';
const SETTINGS_OF_TESTS = [
  'REQUEST_TIMEOUT_MS',
  'HEALTH_ON_HOSTS',
  'RATE_LIMIT_PER_MINUTE',
  'DATABASE_POOL_SIZE',
  'SYNC_WINDOW_MS',
  'PROVIDER_TIMEOUT_MS',
  'STATUS_CHECK_SCHEDULE_MS',
  'LEASE_MARGIN_MS',
  'VISIBILITY_DELAY_MS',
  'SHUTDOWN_DELAY_MS',
  'POLL_INTERVAL_MS',
];
const only = process.env.ATTACKS?.split(',');

type Host = keyof PublicUrls;
const hosts: readonly Host[] = ['uat', 'production', 'console'];

interface Attack {
  /** Name of the attack in the security review. */
  name: string;
  /** Starts the attack; resolves to a function that ends it. */
  begin: () => Promise<() => unknown>;
  /** Checks that must pass during the attack. */
  meanwhile?: () => Promise<void>;
}

describe.skipIf(missingPrograms('the attacks through the proxy', 'haproxy', 'openssl').length > 0)(
  'two processes behind ops/haproxy.cfg',
  () => {
    const test = useOwnApp({ WORKERS: 'sweeper' });
    const probe = new Probe();
    const services: ServiceProcess[] = [];
    const memories: ProcessMemory[] = [];
    const opsUrls: string[] = [];
    let proxy: Proxy;
    let httpsPort: number;
    let urls: PublicUrls;
    let honest: TestDeveloper;
    let addressNumber: { email: string };
    let hostile: { developer: TestDeveloper; sessions: string[] };
    /** Sessions of accounts that have only signed up and confirmed their address, one for each account. */
    let free: string[];
    /** Sessions of users of one of these accounts. */
    let team: string[];

    beforeAll(async () => {
      httpsPort = await freePort();
      urls = publicUrls(httpsPort);
      honest = await test.developer({ liveRupees: 1_000_000, rateLimitPerMinute: 100_000 });
      hostile = { developer: await test.developer(), sessions: [] };
      for (let n = 0; n < 5; n++) hostile.sessions.push((await createUser(hostile.developer.id)).token);
      addressNumber = await createUser(honest.id);
      free = await uploaders(test.app, 17, seed);
      const { developers } = test.app;
      const id = await developers.register({ name: 'Team', email: 'team@test.example' }, seed);
      await developers.markEmailVerified(id, seed);
      team = [];
      for (let n = 0; n < 5; n++) team.push((await createUser(id)).token);
      const ports: Ports[] = [];
      for (let n = 0; n < 2; n++)
        ports.push({
          UAT: await freePort(),
          PRODUCTION: await freePort(),
          CONSOLE: await freePort(),
          OPS: await freePort(),
        });
      for (const own of ports) {
        const env: Record<string, string> = {
          ...testEnvironment(test.db.url, test.simulator.url, [own.UAT, own.PRODUCTION, own.CONSOLE]),
          OPS_PORT: String(own.OPS),
          DATA_DIR: temporaryDirectory(),
          TRUST_PROXY: '1',
          PUBLIC_URL_UAT: urls.uat,
          PUBLIC_URL_PRODUCTION: urls.production,
          PUBLIC_URL_CONSOLE: urls.console,
          LOG_LEVEL: 'info',
        };
        for (const name of SETTINGS_OF_TESTS) delete env[name];
        const service = await ServiceProcess.start(env, shippedCommand());
        services.push(service);
        opsUrls.push(`http://127.0.0.1:${own.OPS}`);
        memories.push(new ProcessMemory(service, opsUrls.at(-1)!));
      }
      proxy = await Proxy.start(httpsPort, [ports[0]!, ports[1]!], {});
      await until('the proxy has found both', async () => (await ready()).every((status) => status === 200), LIMIT_MS);
      // real attackers use other machines, so these must take no processor time from the service
      setPriority(constants.priority.PRIORITY_LOW);
    }, 5 * LIMIT_MS);
    afterAll(async () => {
      probe.close();
      await proxy?.stop();
      for (const memory of memories) await memory.close();
      for (const service of services) if (service.isUp) await service.stop();
    });

    async function createUser(developerId: TestDeveloper['id']): Promise<{ email: string; token: string }> {
      const email = `proxied-${randomBytes(6).toString('hex')}@test.example`;
      await test.app.users.create(
        { email, name: 'Somebody', password: PASSWORD, role: 'developer', developerId },
        seed,
      );
      return { email, token: (await test.app.sessions.signIn({ email, password: PASSWORD }, FROM_TEST)).token };
    }

    const ready = (): Promise<number[]> =>
      Promise.all(
        opsUrls.map(async (url) =>
          fetch(`${url}/readyz`).then(
            ({ status }) => status,
            () => 0,
          ),
        ),
      );

    const nameOf = (host: Host): string => new URL(urls[host]).host;
    const tlsFrom = (localAddress: string, more: ConnectionOptions = {}): TLSSocket => {
      const socket = net.connect({ host: '127.0.0.1', port: httpsPort, localAddress }).on('error', () => {});
      return connectTls({ socket, rejectUnauthorized: false, servername: 'uat.test', ...more });
    };
    const connectFrom = (address: string) => () => tlsFrom(address);

    function targets(): Target[] {
      const json = { 'content-type': 'application/json' };
      const own = { ...json, authorization: `Bearer ${honest.tokens.production}` };
      const rest = rechargeBody({ amount: 1, client_request_id: 'rest {{serial}}' });
      const input = rechargeInput({ amount: 1, clientRequestId: 'graphql {{serial}}' });
      const recharge = 'mutation($input: RechargeInput!) { recharge(input: $input) { order { status } } }';
      const signIn = 'mutation($input: SignInInput!) { signIn(input: $input) { mustEnroll } }';
      const { clientId, apiSecret } = honest.keys.uat;
      const exchange = { client_id: clientId, api_secret: apiSecret, environment: 'uat' };
      return [
        {
          name: 'money: recharge',
          url: `${urls.production}/api/v1/recharge`,
          headers: own,
          body: JSON.stringify(rest),
          needs: '"data"',
          pauseMs: PAUSE_MS,
        },
        {
          name: 'money: recharge by GraphQL',
          url: `${urls.production}/graphql`,
          headers: own,
          body: JSON.stringify({ query: recharge, variables: { input } }),
          needs: '"order":{',
          pauseMs: PAUSE_MS,
        },
        {
          name: 'sign-in',
          url: `${urls.console}/graphql`,
          headers: json,
          body: JSON.stringify({
            query: signIn,
            variables: { input: { email: addressNumber.email, password: PASSWORD } },
          }),
          needs: '"signIn":{',
          pauseMs: SELDOM_MS,
        },
        {
          name: 'token exchange',
          url: `${urls.uat}/api/v1/auth/client-credentials`,
          headers: json,
          body: JSON.stringify(exchange),
          pauseMs: SELDOM_MS,
        },
        { name: 'portal page', url: `${urls.console}/`, headers: {}, pauseMs: SELDOM_MS },
        { name: 'portal script', url: `${urls.console}${longestScript()}`, headers: {}, pauseMs: SELDOM_MS },
      ];
    }

    /** Measures the responses to honest callers. */
    async function measure(isReady: (statuses: number[]) => void): Promise<Report['rows']> {
      await probe.start(targets(), HONEST);
      const end = performance.now() + MEASURED_MS;
      while (performance.now() < end) {
        await sleep(SELDOM_MS);
        isReady(await ready());
      }
      return (await probe.end()).rows;
    }

    /** Returns the largest ratio of p99 of a money call; all other effects are in `failures`. */
    async function play({ name, begin, meanwhile }: Attack): Promise<{ ratio: number; failures: string[] }> {
      const failures: string[] = [];
      const isReady = (statuses: number[]): void => {
        if (statuses.some((status) => status !== 200)) failures.push(`/readyz: ${statuses.join()}`);
      };
      const calm = await measure(isReady);
      const heapsBefore = await Promise.all(memories.map((memory) => memory.heapInUseBytes()));
      for (const memory of memories) memory.takePeakBytes();
      const end = await begin();
      const [attacked] = await Promise.all([measure(isReady), meanwhile?.()]);
      await end();
      const peaks = memories.map((memory) => megabytes(memory.takePeakBytes()));
      let ratio = 0;
      const lines: string[] = [];
      for (const [row, { asked, p50Ms, p99Ms, statuses, errorText }] of Object.entries(attacked)) {
        const rowRatio = p99Ms / calm[row]!.p99Ms;
        if (row.startsWith('money')) ratio = Math.max(ratio, rowRatio);
        const text = `${row}: ${Object.entries(statuses)
          .map(([status, count]) => `${count} × ${status}`)
          .join(', ')}`;
        lines.push(
          `    ${text}; p50 ${p50Ms.toFixed(0)} ms, p99 ${p99Ms.toFixed(0)} ms, ${rowRatio.toFixed(2)} times calm (${calm[row]!.asked} and ${asked} calls)`,
        );
        if (Object.keys(statuses).some((status) => status !== '200')) failures.push(`${text} ${errorText ?? ''}`);
      }
      for (const [n, service] of services.entries())
        if (!service.isUp) failures.push(`a process died: ${memories[n]!.ended ?? service.exitReason()}`);
      const after: number[] = [];
      for (const [n, memory] of memories.entries()) {
        if (!services[n]!.isUp) continue;
        after.push(await memory.waitUntilBelow(heapsBefore[n]! * KEPT, LIMIT_MS));
        if (after[n]! > heapsBefore[n]! * KEPT)
          failures.push(`${megabytes(after[n]!)} of heap in use, ${megabytes(heapsBefore[n]!)} before`);
      }
      const heaps = (bytes: number[]): string => bytes.map(megabytes).join(' and ');
      console.log(
        `${name}\n${lines.join('\n')}\n    resident at most ${peaks.join(' and ')}; heap in use ${heaps(heapsBefore)} before, ${heaps(after)} afterwards${failures.length > 0 ? `\n    FAILED: ${failures.join('; ')}` : ''}`,
      );
      return { ratio, failures };
    }

    /** Announces bodies from these addresses in turn, and never completes them. */
    async function announced(all: readonly (Announced & { from: string })[]): Promise<() => void> {
      const bodies = new AnnouncedBodies();
      for (const each of all) bodies.announce(each, connectFrom(each.from));
      // some may be rejected before they have sent data
      await until('most of the attack is sent', () => bodies.sent >= all.length / 2, LIMIT_MS);
      return () => bodies.stop();
    }
    const many = (number: number, make: (n: number) => Announced & { from: string }) =>
      Array.from({ length: number }, (_, n) => make(n));

    /** HTTP/2 streams on four connections from each of two addresses. */
    async function streams(number: number): Promise<() => void> {
      const bodies = new AnnouncedBodies();
      const sessions = Array.from(
        { length: 8 },
        (_, n): ClientHttp2Session =>
          connectHttp2(urls.production, {
            createConnection: () => tlsFrom(`127.0.15.${n % 2}`, { servername: 'api.test', ALPNProtocols: ['h2'] }),
          }).on('error', () => {}),
      );
      for (let n = 0; n < number; n++) {
        const session = sessions[n % sessions.length]!;
        const token = n % 2 === 0 ? undefined : free[n % 4]!;
        const host = token === undefined ? 'production' : 'console';
        const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
        bodies.announceStream({ host: nameOf(host), bytes: 65_536 }, (length) =>
          session.destroyed
            ? undefined
            : session.request({
                ':method': 'POST',
                ':path': '/graphql',
                ':authority': nameOf(host),
                'content-type': 'application/json',
                'content-length': length,
                ...authorization,
              }),
        );
      }
      await until('streams are open', () => bodies.sent >= 8 * 32, LIMIT_MS);
      return () => {
        bodies.stop();
        for (const session of sessions) session.destroy();
      };
    }

    /** Uploads that send a byte now and then, from sixteen accounts and addresses. */
    async function heldUploads(): Promise<() => void> {
      let isUnderWay = true;
      let startedCount = 0;
      const type = 'multipart/form-data; boundary=line';
      const hold = (n: number): void => {
        if (!isUnderWay) return;
        const socket = connectFrom(`127.0.14.${n + 1}`)();
        const trickle = setInterval(() => (isUnderWay ? socket.write('-') : socket.destroy()), 500);
        socket.on('error', () => {});
        socket.once('data', () => socket.destroy());
        socket.once('close', () => {
          clearInterval(trickle);
          setTimeout(hold, 500, n);
        });
        const head = [
          `POST /kyc/documents HTTP/1.1`,
          `host: ${nameOf('console')}`,
          `authorization: Bearer ${free[n]}`,
          `content-type: ${type}`,
          'content-length: 5000',
          '',
          '-',
        ];
        socket.write(head.join('\r\n'), () => startedCount++);
      };
      for (let n = 0; n < 16; n++) hold(n);
      await until('uploads are in progress', () => startedCount >= 4, LIMIT_MS);
      return () => void (isUnderWay = false);
    }
    async function honestUploads(): Promise<void> {
      const headers = { authorization: `Bearer ${free[16]}` };
      for (let n = 0; n < 5; n++) {
        const upload = async () =>
          (await proxy.call('console', '/kyc/documents', { form: formOf(), headers })).status === 201;
        await until('an honest upload is accepted', upload, 10_000, 500);
        await test.db.query('delete from kyc_document');
      }
    }

    const attacks: readonly Attack[] = [
      {
        name: 'e3: invalid documents from 2,340 addresses on three hosts',
        begin: async () => {
          let isUnderWay = true;
          // paced, because this attack leaves data behind, and the attackers share the processor of the machine
          const startedMs = performance.now();
          const all = times(2_340, 8, async (n) => {
            await sleep(Math.max(0, startedMs + n * E3_EVERY_MS - performance.now()));
            if (services.every(({ isUp }) => isUp)) await documentsFrom(`127.1.${n >> 8}.${n & 255}`);
          });
          void all.finally(() => (isUnderWay = false));
          return () => until('all are sent', () => !isUnderWay, 5 * LIMIT_MS);
        },
      },
      {
        name: 'a1: 800 idle bodies of anonymous callers from four addresses, against UAT',
        begin: () => announced(many(800, (n) => ({ host: nameOf('uat'), bytes: 8_192, from: `127.0.10.${n % 4}` }))),
      },
      {
        name: 'a1: 800 idle bodies of anonymous callers from forty addresses, against all hosts',
        begin: () =>
          announced(many(800, (n) => ({ host: nameOf(hosts[n % 3]!), bytes: 8_192, from: `127.0.10.${n % 40}` }))),
      },
      {
        name: 'a2: 320 bodies of the five users of one unapproved account',
        begin: () =>
          announced(
            many(320, (n) => ({
              host: nameOf('console'),
              bytes: 65_536,
              from: `127.0.11.${n % 2}`,
              token: team[n % 5]!,
            })),
          ),
      },
      {
        name: 'a2: 320 almost complete bodies of the users and tokens of one approved account',
        begin: () =>
          announced(
            many(320, (n) => ({
              ...(n % 2 === 0
                ? { host: nameOf('console'), token: hostile.sessions[n % 5]! }
                : {
                    host: nameOf('production'),
                    token: hostile.developer.tokens.production,
                    path: n % 4 === 1 ? '/graphql' : '/api/v1/recharge',
                  }),
              bytes: 65_536,
              isAlmostComplete: true,
              from: `127.0.12.${n % 4}`,
            })),
          ),
      },
      {
        name: 'a3: 256 bodies of four unapproved accounts from two addresses',
        begin: () =>
          announced(
            many(256, (n) => ({
              host: nameOf('console'),
              bytes: 65_536,
              from: `127.0.13.${n % 2}`,
              token: free[n % 4]!,
            })),
          ),
      },
      { name: 'a4: uploads that send a byte now and then', begin: heldUploads, meanwhile: honestUploads },
      { name: 'a5: 1,024 HTTP/2 streams on eight connections', begin: () => streams(1_024) },
    ];

    /** One connection, which sends a document to each host. */
    function documentsFrom(address: string): Promise<void> {
      return new Promise((resolve) => {
        const socket = connectFrom(address)();
        let left = hosts.length;
        const sendNext = (): void => {
          const body = invalidDocument();
          const host = nameOf(hosts[--left]!);
          socket.write(
            `POST /graphql HTTP/1.1\r\nhost: ${host}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
          );
        };
        socket.setTimeout(LIMIT_MS, () => socket.destroy());
        socket.on('error', () => {});
        socket.on('data', () => (left > 0 ? sendNext() : socket.destroy()));
        socket.once('close', () => resolve());
        sendNext();
      });
    }

    it.each(attacks.filter(({ name }) => !only || only.some((part) => name.includes(part))))(
      '$name: other callers do not notice it',
      async (attack) => {
        let best = Number.POSITIVE_INFINITY;
        for (let round = 0; round < ROUNDS && best > MOST_P99_RATIO; round++) {
          const { ratio, failures } = await play(attack);
          expect(failures).toEqual([]);
          best = Math.min(best, ratio);
        }
        expect(best).toBeLessThanOrEqual(MOST_P99_RATIO);
      },
      ATTACK_MS,
    );
  },
);
