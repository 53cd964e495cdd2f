import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import path from 'node:path';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../support/ports.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { until } from '../support/until.js';
import { missingPrograms, PATH } from './tools.fixture.js';

type Labels = Record<string, string>;
interface Event {
  name: string;
  /** Simultaneous alerts, as Prometheus sends them. The first one suppresses the rest. */
  alerts: readonly [Labels, ...Labels[]];
  /** Simultaneous alerts of a different cause. */
  others?: readonly Labels[];
}

const EVENTS: readonly Event[] = [
  {
    name: 'a provider is unavailable',
    alerts: [
      { alertname: 'GatewayBreakerOpen', severity: 'page', provider: 'ROUNDPAY', connection: 'roundpay' },
      { alertname: 'GatewayProviderFaults', severity: 'page', provider: 'ROUNDPAY' },
      { alertname: 'GatewayOrdersFailing', severity: 'page', provider: 'ROUNDPAY', operation: 'recharge' },
      { alertname: 'GatewayProviderUnavailable', severity: 'page', host: 'production' },
    ],
    others: [{ alertname: 'GatewayProviderFaults', severity: 'page', provider: 'MOKSHIQ' }],
  },
  {
    name: 'the last process has exited',
    alerts: [
      { alertname: 'GatewayAllDown', severity: 'page' },
      { alertname: 'GatewayUnreachable', severity: 'page', instance: 'https://api.example/livez' },
      { alertname: 'GatewayWorkerMissing', severity: 'page', worker: 'sweeper' },
      { alertname: 'GatewayOrdersStopped', severity: 'page' },
      { alertname: 'GatewayProxyServerDown', severity: 'page' },
    ],
  },
  {
    name: 'one of two processes has exited',
    alerts: [
      { alertname: 'GatewayDown', severity: 'page' },
      { alertname: 'GatewayProxyServerDown', severity: 'page' },
    ],
  },
  {
    name: 'the proxy is not running',
    alerts: [
      { alertname: 'GatewayUnreachable', severity: 'page' },
      { alertname: 'GatewayOrdersStopped', severity: 'page' },
      { alertname: 'GatewayExporterDown', severity: 'page', job: 'haproxy' },
    ],
    others: [{ alertname: 'GatewayExporterDown', severity: 'page', job: 'postgres' }],
  },
];

const PROGRAM = 'prometheus-alertmanager';

/** ops/alertmanager.yml with the address of a local receiver. */
describe.skipIf(missingPrograms('Alertmanager', PROGRAM).length > 0)('Alertmanager', () => {
  let pager: Server;
  let manager: ChildProcess;
  const notified: { status: string; labels: Labels }[] = [];
  const tokens = new Set<string | undefined>();
  let url: string;

  beforeAll(async () => {
    pager = createServer((request, response) => {
      tokens.add(request.headers.authorization);
      void json(request).then((body) => {
        notified.push(...(body as { alerts: typeof notified }).alerts);
        response.end();
      });
    });
    const [port, own] = [await freePort(), await freePort()];
    await once(pager.listen(port, '127.0.0.1'), 'listening');
    const directory = path.join(temporaryDirectory(), 'alerting');
    mkdirSync(directory);
    writeFileSync(path.join(directory, 'page-token'), 'the token of the pager');
    writeFileSync(path.join(directory, 'smtp-password'), 'unused');
    const config = readFileSync('ops/alertmanager.yml', 'utf8')
      .replace('https://pager.shop.example', `http://127.0.0.1:${port}`)
      .replace('group_wait: 30s', 'group_wait: 1s')
      .replace('group_interval: 5m', 'group_interval: 1s')
      .replaceAll('/run/alert-secrets', directory);
    writeFileSync(path.join(directory, 'alertmanager.yml'), config);
    const options = [
      `--config.file=${directory}/alertmanager.yml`,
      `--storage.path=${directory}`,
      '--cluster.listen-address=',
      `--web.listen-address=127.0.0.1:${own}`,
    ];
    manager = spawn(PROGRAM, options, { env: { PATH }, stdio: 'ignore' });
    url = `http://127.0.0.1:${own}/api/v2/alerts`;
    await until('it listens', () =>
      fetch(url).then(
        ({ ok }) => ok,
        () => false,
      ),
    );
  });
  afterAll(() => {
    manager?.kill();
    pager?.close();
  });

  const post = async (alerts: readonly Labels[], more: object = {}): Promise<void> => {
    const body = JSON.stringify(alerts.map((labels) => ({ labels, ...more })));
    const { status } = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    expect(status).toBe(200);
  };
  /** Alerts that are suppressed. */
  const suppressed = async (): Promise<Labels[]> =>
    ((await (await fetch(url)).json()) as { labels: Labels; status: { state: string } }[])
      .filter(({ status }) => status.state === 'suppressed')
      .map(({ labels }) => labels);
  const namesOf = (labels: readonly Labels[]): string[] =>
    labels.map(({ alertname, job, provider }) => [alertname, job ?? provider ?? ''].join(' ').trim()).toSorted();

  it.each(EVENTS)('sends one page if $name', async ({ alerts, others = [] }) => {
    const [cause, ...effects] = alerts;
    notified.length = 0;
    await post([...alerts, ...others, { alertname: 'GatewayLowBalances', severity: 'info' }]);
    const pages = (): string[] =>
      namesOf(notified.filter(({ status }) => status === 'firing').map(({ labels }) => labels));
    const expected = namesOf([cause, ...others]);
    await until('each cause is reported', () => pages().length >= expected.length);
    expect(pages()).toEqual(expected);
    expect(namesOf(await suppressed())).toEqual(namesOf(effects));
    await post([...alerts, ...others], { endsAt: new Date().toISOString() });
    await until('none is suppressed', async () => (await suppressed()).length === 0);
  });

  it('sends the token from the file', () => {
    expect([...tokens]).toEqual(['Bearer the token of the pager']);
  });
});
