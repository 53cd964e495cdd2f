import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { json } from 'node:stream/consumers';
import { parse, stringify } from 'yaml';
import { freePort, isRefused } from '../../support/ports.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';
import { until } from '../../support/until.js';
import { PATH } from '../tools.fixture.js';

/** Debian packages of the programs that monitor the service. */
export const PROGRAMS = {
  prometheus: 'prometheus',
  alertmanager: 'prometheus-alertmanager',
  blackbox: 'prometheus-blackbox-exporter',
  postgres: 'prometheus-postgres-exporter',
};

export interface Monitored {
  /** Ports of the ops listeners, one for each process. */
  processes: readonly number[];
  /** Port of the metrics of the proxy. */
  proxy: number;
  /** Public URLs. All their names resolve to this machine. */
  urls: readonly string[];
  /** Connection URL of a superuser. */
  database: string;
}

const yamlOf = (file: string): any => parse(readFileSync(file, 'utf8'));
/** Metrics of a machine whose backup, certificate and doctor have no problems. */
const notes = (): string => {
  const now = Math.floor(Date.now() / 1_000);
  const values = { backup_timestamp_seconds: now, doctor_failed: 0, doctor_timestamp_seconds: now };
  return Object.entries(values)
    .map(([name, value]) => `# TYPE recharge_gateway_${name} gauge\nrecharge_gateway_${name} ${value}\n`)
    .join('');
};
const isListening = async (port: number): Promise<boolean> => !(await isRefused(port));

/**
 * Prometheus and Alertmanager with the files of ops, in which only the addresses are replaced, and a receiver of their
 * notifications.
 */
export class OnCall {
  readonly #children: ChildProcess[] = [];
  readonly #prometheus: string;
  readonly #servers: Server[] = [];
  /** Notifications of firing alerts, such as "page GatewayBreakerOpen", oldest first and without duplicates. */
  readonly notified: string[] = [];

  private constructor(prometheusPort: number) {
    this.#prometheus = `http://127.0.0.1:${prometheusPort}`;
  }

  static async start({ processes, proxy, urls, database }: Monitored): Promise<OnCall> {
    const directory = path.join(temporaryDirectory(), 'on-call');
    mkdirSync(directory);
    const [prometheus, alertmanager, blackbox, postgres, receiver] = await Promise.all(
      Array.from({ length: 5 }, freePort),
    );
    const write = (name: string, content: object): string => {
      const file = path.join(directory, name);
      writeFileSync(file, stringify(content));
      return file;
    };
    const server = createServer();
    const onCall = new OnCall(prometheus!);
    server.on('request', (request, response) => {
      void json(request).then((body) => {
        response.end();
        for (const { status, labels } of (body as { alerts: { status: string; labels: Record<string, string> }[] })
          .alerts) {
          const line = `${request.url!.slice(1)} ${labels.alertname}`;
          if (status === 'firing' && !onCall.notified.includes(line)) onCall.notified.push(line);
        }
      });
    });
    await once(server.listen(receiver, '127.0.0.1'), 'listening');

    const routes = yamlOf('ops/alertmanager.yml');
    delete routes.global;
    for (const each of routes.receivers) {
      delete each.email_configs;
      if (each.name !== 'shown') each.webhook_configs = [{ url: `http://127.0.0.1:${receiver}/${each.name}` }];
    }
    onCall.#run(PROGRAMS.alertmanager, [
      `--config.file=${write('alertmanager.yml', routes)}`,
      `--storage.path=${directory}/alertmanager`,
      '--cluster.listen-address=',
      `--web.listen-address=127.0.0.1:${alertmanager}`,
    ]);

    // the probe connects to this machine for every name, as if by DNS
    const { modules } = yamlOf('ops/blackbox.yml');
    const hosts = urls.map((url) => new URL(url));
    for (const { hostname } of hosts)
      modules[hostname] = {
        ...modules.self_signed,
        http: {
          ...modules.self_signed.http,
          headers: { Host: hostname },
          tls_config: { insecure_skip_verify: true, server_name: hostname },
        },
      };
    onCall.#run(PROGRAMS.blackbox, [
      `--config.file=${write('blackbox.yml', { modules })}`,
      `--web.listen-address=127.0.0.1:${blackbox}`,
    ]);
    // reports a backup and a check of machine and database, as ops/note-metric.sh would
    const machine = createServer((_request, response) => response.end(notes())).listen(0, '127.0.0.1');
    await once(machine, 'listening');
    onCall.#servers.push(server, machine);
    onCall.#run(PROGRAMS.postgres, [`--web.listen-address=127.0.0.1:${postgres}`], {
      DATA_SOURCE_NAME: `${database}?sslmode=disable`,
    });

    const targets = {
      'recharge-gateway': processes,
      haproxy: [proxy],
      postgres: [postgres],
      node: [(machine.address() as AddressInfo).port],
    } as Record<string, readonly number[]>;
    const settings = yamlOf('ops/prometheus.yml');
    settings.rule_files = [path.resolve('ops/alerts.yml')];
    settings.alerting.alertmanagers = [{ static_configs: [{ targets: [`127.0.0.1:${alertmanager}`] }] }];
    settings.scrape_configs = settings.scrape_configs.flatMap((job: any) => {
      const ports = targets[job.job_name];
      if (ports) return [{ ...job, static_configs: [{ targets: ports.map((port) => `127.0.0.1:${port}`) }] }];
      if (job.job_name !== 'recharge-gateway-public') return [];
      const relabeled = [
        ...job.relabel_configs.slice(0, -1),
        { target_label: '__address__', replacement: `127.0.0.1:${blackbox}` },
      ];
      const probed = hosts.map(({ hostname, port }) => ({
        labels: { __param_module: hostname },
        targets: [`https://127.0.0.1:${port}/livez`],
      }));
      return [{ ...job, file_sd_configs: undefined, static_configs: probed, relabel_configs: relabeled }];
    });
    onCall.#run(PROGRAMS.prometheus, [
      `--config.file=${write('prometheus.yml', settings)}`,
      `--storage.tsdb.path=${directory}/prometheus`,
      `--web.listen-address=127.0.0.1:${prometheus}`,
      '--log.level=error',
    ]);
    const isReady = (): Promise<boolean> =>
      fetch(`${onCall.#prometheus}/-/ready`).then(
        ({ ok }) => ok,
        () => false,
      );
    await until('all of them listen', async () =>
      (await Promise.all([isReady(), ...[alertmanager!, blackbox!, postgres!].map(isListening)])).every(Boolean),
    );
    return onCall;
  }

  #run(program: string, args: readonly string[], env: Record<string, string> = {}): void {
    this.#children.push(spawn(program, args, { env: { PATH, ...env }, stdio: ['ignore', 'ignore', 'ignore'] }));
  }

  async #read(apiPath: string): Promise<unknown> {
    return (await fetch(`${this.#prometheus}/api/v1/${apiPath}`)).json();
  }

  /** Alerts that page or open a ticket, including pending ones. */
  async active(): Promise<string[]> {
    const { data } = (await this.#read('alerts')) as {
      data: { alerts: { labels: Record<string, string>; state: string }[] };
    };
    return data.alerts
      .filter(({ labels }) => ['page', 'ticket'].includes(labels.severity!))
      .map(({ labels, state }) => `${labels.severity} ${labels.alertname} ${state}`)
      .toSorted();
  }

  /** Whether Prometheus can scrape every target. */
  async readsAll(): Promise<boolean> {
    const { data } = (await this.#read('targets')) as {
      data: { activeTargets: { health: string }[] };
    };
    return data.activeTargets.length > 0 && data.activeTargets.every(({ health }) => health === 'up');
  }

  stop(): void {
    for (const child of this.#children) child.kill();
    for (const server of this.#servers) server.close();
  }
}
