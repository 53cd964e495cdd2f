import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, openSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Client } from 'pg';
import { migrate } from '../../../src/db/migrate.js';
import { findPrograms } from '../../../src/dev/local-postgres/programs.js';
import { databasesOn, type Postgres } from '../../faults/support/own-postgres.js';
import { freePort } from '../../support/ports.js';
import { createServiceLogin } from '../../support/service-login.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';
import { until } from '../../support/until.js';
import { PATH } from '../tools.fixture.js';
import { serverDirectory } from './base-backup.js';

const NAMES = ['one', 'two', 'three'] as const;
const PASSWORD = 'superuser of the drill';

/** Status of a server according to Patroni. */
export interface Status {
  role: string;
  state: string;
  timeline: number;
}

interface Member {
  name: string;
  home: string;
  postgresPort: number;
  restPort: number;
  patroni: ChildProcess | undefined;
}

/**
 * Three PostgreSQL servers with Patroni, three etcd servers, and HAProxy in front of the primary, with the files of ops/patroni.
 */
export class PatroniCluster {
  readonly #members: Member[] = [];
  readonly #etcd: ChildProcess[] = [];
  readonly #databases: Postgres;
  readonly #leaderPort: number;
  #etcdHosts = '';
  #haproxy!: ChildProcess;

  private constructor(leaderPort: number) {
    this.#leaderPort = leaderPort;
    this.#databases = databasesOn(() => ({ url: this.url('postgres'), port: leaderPort }));
  }

  static async start(): Promise<PatroniCluster> {
    const cluster = new PatroniCluster(await freePort());
    await cluster.#startEtcd();
    for (const name of NAMES) {
      const home = await serverDirectory();
      const member = { name, home, postgresPort: await freePort(), restPort: await freePort(), patroni: undefined };
      cluster.#members.push(member);
    }
    await cluster.#startHaproxy();
    for (const name of NAMES) await cluster.startServer(name);
    await until('there is a primary', async () => (await cluster.leader()) !== undefined);
    await until('both standbys follow', async () => (await cluster.#standbys()).length === 2);
    const admin = new Client({ connectionString: cluster.url('postgres') });
    await admin.connect();
    await admin.query('create database tpl');
    await admin.end();
    await migrate(cluster.url('tpl'));
    await createServiceLogin(cluster.url('tpl'));
    return cluster;
  }

  /** Port of HAProxy, which connects to the primary. */
  get port(): number {
    return this.#leaderPort;
  }

  /** URL for the superuser through HAProxy. */
  url(database: string): string {
    return `postgresql://postgres:${encodeURIComponent(PASSWORD)}@127.0.0.1:${this.#leaderPort}/${database}`;
  }

  database(): ReturnType<Postgres['database']> {
    return this.#databases.database();
  }

  /** Server that holds the leader lock; undefined if there is none. */
  async leader(): Promise<string | undefined> {
    for (const { name, restPort } of this.#members) if (await isOk(restPort, 'primary')) return name;
    return undefined;
  }

  /** Standby that receives every commit before it is confirmed. */
  async synchronousStandby(): Promise<string | undefined> {
    for (const { name, restPort } of this.#members) if (await isOk(restPort, 'synchronous')) return name;
    return undefined;
  }

  /** Connects directly to a server, without HAProxy. */
  async connectTo(name: string): Promise<Client> {
    const url = Object.assign(new URL(this.url('postgres')), { port: this.#member(name).postgresPort });
    const client = new Client({ connectionString: url.href });
    client.on('error', () => {});
    await client.connect();
    return client;
  }

  async status(name: string): Promise<Status | undefined> {
    const response = await fetch(`http://127.0.0.1:${this.#member(name).restPort}/patroni`).catch(() => undefined);
    return response && ((await response.json()) as Status);
  }

  /** Log of Patroni on this server so far. */
  log(name: string): string {
    return readFileSync(path.join(this.#member(name).home, 'patroni.log'), 'utf8');
  }

  async startServer(name: string): Promise<void> {
    const member = this.#member(name);
    const { home, postgresPort, restPort } = member;
    const { spawnOptions } = await findPrograms();
    const config = path.join(home, 'patroni.yml');
    copyFileSync('ops/patroni/patroni.yml', config);
    const output = openSync(path.join(home, 'patroni.log'), 'a');
    member.patroni = spawn(...untilWorkerEnds('patroni', [config]), {
      ...spawnOptions,
      cwd: home,
      env: {
        PATH,
        LC_ALL: 'C.UTF-8',
        PATRONI_NAME: name,
        PATRONI_ETCD3_HOSTS: this.#etcdHosts,
        PATRONI_RESTAPI_LISTEN: `127.0.0.1:${restPort}`,
        PATRONI_RESTAPI_CONNECT_ADDRESS: `127.0.0.1:${restPort}`,
        PATRONI_POSTGRESQL_LISTEN: `127.0.0.1:${postgresPort}`,
        PATRONI_POSTGRESQL_CONNECT_ADDRESS: `127.0.0.1:${postgresPort}`,
        PATRONI_POSTGRESQL_DATA_DIR: path.join(home, 'data'),
        PATRONI_POSTGRESQL_PGPASS: path.join(home, 'pgpass'),
        PATRONI_SUPERUSER_USERNAME: 'postgres',
        PATRONI_SUPERUSER_PASSWORD: PASSWORD,
        PATRONI_REPLICATION_USERNAME: 'replicator',
        PATRONI_REPLICATION_PASSWORD: 'replication of the drill',
      },
      stdio: ['ignore', output, output],
    });
    await until(`Patroni of ${name} responds`, async () => (await this.status(name)) !== undefined);
  }

  /** Kills Patroni, PostgreSQL and its processes, as a power failure would. */
  async kill(name: string): Promise<void> {
    const { patroni, home } = this.#member(name);
    const postmaster = postmasterIn(home);
    const backends = childrenOf(postmaster);
    patroni!.kill('SIGKILL');
    for (const pid of [postmaster, ...backends]) signal(pid, 'SIGKILL');
    await until('the server has exited', () => !existsSync(`/proc/${postmaster}`));
  }

  /** Kills only Patroni, while PostgreSQL continues. */
  async killPatroni(name: string): Promise<void> {
    const { patroni } = this.#member(name);
    patroni!.kill('SIGKILL');
    await once(patroni!, 'exit');
  }

  /** Stops sending the log to standbys, as if the network were cut. */
  stopSending(name: string): void {
    for (const pid of childrenOf(postmasterIn(this.#member(name).home)))
      if (readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('walsender')) signal(pid, 'SIGSTOP');
  }

  /** Stops responses of etcd until the returned function is called. */
  holdEtcd(): () => void {
    for (const { pid } of this.#etcd) signal(pid!, 'SIGSTOP');
    return () => this.#etcd.forEach(({ pid }) => signal(pid!, 'SIGCONT'));
  }

  /** Waits until one server is the primary and the other two follow it. */
  async allFollowing(): Promise<void> {
    const isComplete = async (): Promise<boolean> => {
      const leader = await this.leader();
      const timeline = leader && (await this.status(leader))?.timeline;
      const standbys = await this.#standbys();
      return standbys.length === 2 && standbys.every((standby) => standby.timeline === timeline);
    };
    await until('one primary, and two standbys on its timeline', isComplete, 300_000, 500);
  }

  async close(): Promise<void> {
    await this.#databases.close();
    this.#haproxy.kill('SIGKILL');
    for (const { patroni, home } of this.#members) {
      patroni?.kill('SIGKILL');
      if (existsSync(path.join(home, 'data/postmaster.pid'))) signal(postmasterIn(home), 'SIGQUIT');
    }
    for (const member of this.#etcd) member.kill('SIGKILL');
  }

  async #standbys(): Promise<(Member & Status)[]> {
    const all = await Promise.all(
      this.#members.map(async (member) => ({ ...member, ...(await this.status(member.name)) })),
    );
    return all.filter((member): member is Member & Status => member.role === 'replica' && member.state === 'running');
  }

  #member(name: string): Member {
    return this.#members.find((member) => member.name === name)!;
  }

  async #startEtcd(): Promise<void> {
    const places = await Promise.all(
      NAMES.map(async (name) => ({ name, client: await freePort(), peer: await freePort() })),
    );
    const cluster = places.map(({ name, peer }) => `${name}=http://127.0.0.1:${peer}`).join(',');
    this.#etcdHosts = places.map(({ client }) => `127.0.0.1:${client}`).join(',');
    for (const { name, client, peer } of places) {
      const home = temporaryDirectory();
      const output = openSync(path.join(home, 'etcd.log'), 'a');
      const options = {
        name,
        'data-dir': path.join(home, 'data'),
        'listen-client-urls': `http://127.0.0.1:${client}`,
        'advertise-client-urls': `http://127.0.0.1:${client}`,
        'listen-peer-urls': `http://127.0.0.1:${peer}`,
        'initial-advertise-peer-urls': `http://127.0.0.1:${peer}`,
        'initial-cluster': cluster,
        // the machine of a drill is busy
        'heartbeat-interval': 500,
        'election-timeout': 5_000,
      };
      const args = Object.entries(options).map(([option, value]) => `--${option}=${value}`);
      this.#etcd.push(spawn(...untilWorkerEnds('etcd', args), { env: { PATH }, stdio: ['ignore', output, output] }));
    }
    await until('etcd has a leader', () =>
      fetch(`http://127.0.0.1:${places[0]!.client}/health`).then(
        ({ ok }) => ok,
        () => false,
      ),
    );
  }

  async #startHaproxy(): Promise<void> {
    const places = this.#members.flatMap(({ name, postgresPort, restPort }) => {
      const prefix = name.toUpperCase();
      return [
        [prefix, '127.0.0.1'],
        [`${prefix}_POSTGRES_PORT`, String(postgresPort)],
        [`${prefix}_PATRONI_PORT`, String(restPort)],
      ];
    });
    const output = openSync(path.join(temporaryDirectory(), 'haproxy.log'), 'a');
    this.#haproxy = spawn(...untilWorkerEnds('haproxy', ['-db', '-f', 'ops/patroni/haproxy.cfg']), {
      env: { PATH, LEADER_ADDRESS: `127.0.0.1:${this.#leaderPort}`, ...Object.fromEntries(places) },
      stdio: ['ignore', output, output],
    });
    await once(this.#haproxy, 'spawn');
  }
}

const isOk = (restPort: number, check: string): Promise<boolean> =>
  fetch(`http://127.0.0.1:${restPort}/${check}`).then(
    ({ ok }) => ok,
    () => false,
  );

/** A command line that ends with the test process, also if the drill is interrupted. */
const untilWorkerEnds = (program: string, args: string[]): [string, string[]] => [
  'setpriv',
  ['--pdeathsig', 'SIGKILL', program, ...args],
];

const postmasterIn = (home: string): number =>
  Number(readFileSync(path.join(home, 'data/postmaster.pid'), 'utf8').split('\n', 1)[0]);

const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // it has exited by itself
  }
}
