import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config.js';
import { providerSettings } from '../../src/simulator/credentials.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import {
  commandOf,
  commands,
  DRAIN_LIMIT_S,
  defaultOf,
  missingOf,
  PORTS,
  providerVariables,
  requiredSettings,
  seconds,
  unknownSettings,
  variablesIn,
  yamlOf,
} from './deployment-files.fixture.js';

const compose = yamlOf('compose.yaml');
const services = Object.entries<any>(compose.services);
const ofGateway = services.filter(([, { image }]) => image === '${GATEWAY_IMAGE:-recharge-gateway}');
const serves = ofGateway.filter(([, { command }]) => command === undefined);

/** Names in a list, or in an object with options for each. */
const namesIn = (networks: string[] | object): string[] => (Array.isArray(networks) ? networks : Object.keys(networks));

/** Host path of a volume such as `./ops/x:/etc/x:ro`. */
const hostPathOf = (volume: string): string | undefined =>
  volume.startsWith('./') ? volume.slice(2, volume.indexOf(':')) : undefined;
/** Created by ops/make-secrets.sh. */
const isGenerated = (file: string): boolean => file.startsWith('ops/secrets/');

describe('compose.yaml', () => {
  it('sets only known settings of the service, including those that providers require', () => {
    for (const [name, { environment }] of ofGateway)
      expect([name, unknownSettings(Object.keys(environment))]).toEqual([name, []]);
    for (const file of ['ops/gateway.env.example', 'ops/play.env'])
      expect([file, unknownSettings(Object.keys(variablesIn(file)))]).toEqual([file, []]);
    expect(Object.keys(variablesIn('ops/gateway.env.example'))).toEqual(expect.arrayContaining(providerVariables));
    const [, { environment }] = serves[0]!;
    const availableSettings = [...Object.keys(environment), ...Object.keys(variablesIn('ops/play.env'))];
    expect(
      requiredSettings.filter(
        (name) => !availableSettings.includes(name) && !availableSettings.includes(`${name}_FILE`),
      ),
    ).toEqual([]);
  });

  it('replaces the providers with the simulator for evaluation', () => {
    expect(variablesIn('ops/play.env')).toMatchObject(providerSettings('http://simulator:4003'));
    expect(compose.services.simulator.profiles).toEqual(['play']);
  });

  it('has an image for each service that can be pinned to a digest', () => {
    for (const [name, { image }] of services)
      expect([name, image]).toEqual([
        name,
        expect.stringMatching(/^\$\{[A-Z_]+_IMAGE:-[a-z/-]+(:[\w.]+)?(@sha256:[0-9a-f]{64})?\}$/),
      ]);
  });

  it('mounts and refers to existing files only', () => {
    const files = services.flatMap(([, { volumes = [] }]) =>
      volumes.flatMap((volume: string) => hostPathOf(volume) ?? []),
    );
    expect(missingOf(files.filter((file: string) => !isGenerated(file)))).toEqual([]);
    for (const [name, service] of services) {
      const { secrets = [], networks = [], depends_on = [], volumes = [] } = service;
      const dependencies = Array.isArray(depends_on) ? depends_on : Object.keys(depends_on);
      const named = volumes
        .map((volume: string) => volume.split(':')[0])
        .filter((volume: string) => /^\w+$/.test(volume));
      expect([name, secrets.filter((secret: string) => !(secret in compose.secrets))]).toEqual([name, []]);
      expect([name, namesIn(networks).filter((network) => !(network in compose.networks))]).toEqual([name, []]);
      expect([name, dependencies.filter((dependency: string) => !(dependency in compose.services))]).toEqual([
        name,
        [],
      ]);
      expect([name, named.filter((volume: string) => !(volume in compose.volumes))]).toEqual([name, []]);
      // a file in /run/secrets comes from a secret of the service
      const read = JSON.stringify(service).match(/\/run\/secrets\/[\w-]+/g) ?? [];
      expect([name, read.filter((file) => !secrets.includes(path.basename(file)))]).toEqual([name, []]);
    }
  });

  it('runs programs that exist in the image', () => {
    const probed = ofGateway.flatMap(([, { entrypoint = [], command }]) =>
      command ? [commandOf([...entrypoint, ...command])] : [],
    );
    expect(probed).toEqual(['migrate', 'doctor']);
    expect(commands).toEqual(expect.arrayContaining(probed));
  });

  it('exposes only the proxy, and never the database', () => {
    const published = services.flatMap(([name, { ports = [] }]) => ports.map((port: string) => [name, port]));
    expect(published.filter(([, port]) => !port.startsWith('127.0.0.1:'))).toEqual([
      ['proxy', '80:80'],
      ['proxy', '443:443'],
    ]);
    expect(compose.networks.data).toEqual({ internal: true });
    expect([compose.services.database.networks, compose.services.valkey.networks]).toEqual([['data'], ['data']]);
  });

  it('removes unneeded privileges from every container', () => {
    for (const [name, service] of services) {
      const { read_only, cap_drop, security_opt } = service;
      expect([name, read_only, cap_drop, security_opt]).toEqual([name, true, ['ALL'], ['no-new-privileges:true']]);
    }
    const running = services.filter(([, { restart }]) => restart === 'unless-stopped').map(([, service]) => service);
    for (const { deploy } of running) expect(deploy.resources.limits.memory).toMatch(/^\d+[MG]$/);
  });

  it('gives a process enough time to stop', () => {
    for (const [, { stop_grace_period, environment }] of serves)
      expect(seconds(stop_grace_period)).toBeGreaterThanOrEqual(seconds(environment.SHUTDOWN_DELAY_MS) + DRAIN_LIMIT_S);
    expect(serves.length).toBe(2);
  });
});

describe('ops/make-secrets.sh', () => {
  it.skipIf(spawnSync('openssl', ['version']).status !== 0)(
    'creates the files that compose.yaml mounts and the service accepts, once, readable only by their owner',
    () => {
      const ops = path.join(temporaryDirectory(), 'ops');
      mkdirSync(ops);
      cpSync('ops/make-secrets.sh', path.join(ops, 'make-secrets.sh'));
      const make = () => execFileSync(path.join(ops, 'make-secrets.sh'), { stdio: 'ignore' });
      make();
      const files = Object.values<{ file: string }>(compose.secrets).map(({ file }) => path.join(ops, '..', file));
      const contents = () => files.map((file) => readFileSync(file, 'utf8'));
      const first = contents();
      expect(new Set(first).size).toBe(files.length);
      make();
      expect(contents()).toEqual(first);
      expect(statSync(path.join(ops, 'secrets')).mode & 0o777).toBe(0o700);

      const mounted = Object.fromEntries(
        Object.entries<string>(serves[0]![1].environment).map(([name, value]) => [
          name,
          value.replace(/^\/run\/secrets/, path.join(ops, 'secrets')),
        ]),
      );
      const config = loadConfig({ ...variablesIn('ops/play.env'), ...mounted });
      expect(config.ops.port).toBe(PORTS.ops);
    },
  );
});

describe('the monitoring containers in compose.yaml', () => {
  it('read the ops listener', () => {
    const { scrape_configs, rule_files, alerting } = yamlOf('ops/prometheus.yml');
    expect(scrape_configs[0].static_configs[0].targets).toEqual(serves.map(([name]) => `${name}:${PORTS.ops}`));
    const otherTargets = [...scrape_configs.slice(1), ...alerting.alertmanagers].flatMap(
      ({ static_configs, relabel_configs }) => static_configs?.[0].targets ?? relabel_configs.at(-1).replacement,
    );
    expect(otherTargets).toEqual([
      'proxy:8404',
      'postgres-exporter:9187',
      'node-exporter:9100',
      'blackbox-exporter:9115',
      'alertmanager:9093',
    ]);
    for (const target of otherTargets)
      expect(namesIn(compose.services[target.split(':')[0]].networks)).toContain('watch');
    const mounts = JSON.stringify(compose.services.prometheus.volumes);
    // replaceable by other URLs
    expect(mounts).toContain('${PROBED_URLS:-./ops/probed-urls.yml}');
    for (const file of [...rule_files, ...scrape_configs.at(-1).file_sd_configs[0].files])
      expect(mounts).toContain(`:${file}:ro`);
    expect(yamlOf('ops/grafana/datasources.yaml').datasources[0].url).toBe('http://prometheus:9090');
    const { options } = yamlOf('ops/grafana/dashboards.yaml').providers[0];
    expect(JSON.stringify(compose.services.grafana.volumes)).toContain(`./ops/dashboard.json:${options.path}/`);
  });

  it('probe each public URL through the proxy, with a configured module', () => {
    const { environment, networks } = compose.services.proxy;
    const hosts = ['UAT', 'PRODUCTION', 'CONSOLE'].map((name) => /:-(.+)}/.exec(environment[`${name}_NAME`])![1]!);
    const [{ labels, targets }] = yamlOf('ops/probed-urls.yml');
    expect(targets).toEqual(hosts.map((host) => `https://${host}/livez`));
    expect(networks.watch.aliases).toEqual(hosts);
    const { modules } = yamlOf('ops/blackbox.yml');
    expect(Object.keys(modules)).toContain(labels['__param_module']);
    expect(modules.public.http).toMatchObject({ valid_status_codes: [200], fail_if_not_ssl: true });
    expect(modules.public.http.tls_config).toBeUndefined();
    const job = yamlOf('ops/prometheus.yml').scrape_configs.at(-1).job_name;
    expect(readFileSync('ops/alerts.yml', 'utf8')).toContain(`probe_success{job="${job}"}`);
  });

  it('read the database statistics with a login that its first start creates, and the metrics noted on the machine', () => {
    const { environment, secrets } = compose.services['postgres-exporter'];
    const owner = readFileSync('ops/postgres/owner.sh', 'utf8');
    expect(owner).toContain(`create role ${environment.DATA_SOURCE_USER} login password %L in role pg_monitor'`);
    expect([secrets, compose.services.database.secrets]).toEqual([
      ['monitor-password'],
      expect.arrayContaining(['monitor-password']),
    ]);
    const { command, volumes } = compose.services['node-exporter'];
    expect(volumes).toEqual(['/:/host:ro,rslave']);
    const [, directory] = /METRICS_DIR:-([^}]+)}/.exec(readFileSync('ops/note-metric.sh', 'utf8'))!;
    expect(command).toContain(`--collector.textfile.directory=/host${directory}`);
  });

  it('receive traces where the service sends them', () => {
    const { receivers, service } = yamlOf('ops/otel-collector.yaml');
    const { port, hostname } = new URL(serves[0]![1].environment.OTEL_EXPORTER_OTLP_ENDPOINT);
    expect([hostname, receivers.otlp.protocols.http.endpoint]).toEqual(['collector', `0.0.0.0:${port}`]);
    expect(service.pipelines.traces.receivers).toEqual(Object.keys(receivers));
  });

  it('the proxy connects to the ports of the service, and waits for the longest response', () => {
    const text = readFileSync('ops/haproxy.cfg', 'utf8');
    for (const process of ['ONE', 'TWO'])
      for (const [host, port] of Object.entries(PORTS))
        expect(text).toContain(`presetenv ${process}_${host.toUpperCase()}_PORT ${port}\n`);
    const timeout = (name: string): number => seconds(new RegExp(`^ {2}timeout ${name} (\\d+s)$`, 'm').exec(text)![1]!);
    expect(timeout('server')).toBeGreaterThan(seconds(defaultOf('SYNC_WINDOW_MS')));
    const { environment } = compose.services.proxy;
    const names = ['CERTIFICATE', 'PROXY_METRICS_ADDRESS', 'UAT_NAME', 'PRODUCTION_NAME', 'CONSOLE_NAME', 'ONE', 'TWO'];
    expect(Object.keys(environment)).toEqual(names);
    for (const name of names) expect(text).toMatch(new RegExp(`^ {2}presetenv ${name} `, 'm'));
  });
});
