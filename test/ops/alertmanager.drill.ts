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
import { lacking, PATH } from './tools.fixture.js';

/** Simultaneous alerts, as Prometheus sends them. */
const DEAD_PROVIDER = [
  { alertname: 'GatewayBreakerOpen', severity: 'page', provider: 'ROUNDPAY', connection: 'roundpay' },
  { alertname: 'GatewayProviderFaults', severity: 'page', provider: 'ROUNDPAY' },
  { alertname: 'GatewayOrdersFail', severity: 'page', provider: 'ROUNDPAY', operation: 'recharge' },
  { alertname: 'GatewayProviderUnavailable', severity: 'page', host: 'production' },
];
const OTHERS = [
  { alertname: 'GatewayProviderFaults', severity: 'page', provider: 'MOKSHIQ' },
  { alertname: 'GatewayWalletsLow', severity: 'info' },
];

/** The last process has exited. */
const NOTHING_LEFT = [
  { alertname: 'GatewayAllDown', severity: 'page' },
  { alertname: 'GatewayUnreachable', severity: 'page', instance: 'https://api.example/livez' },
  { alertname: 'GatewayNoWorker', severity: 'page', worker: 'sweeper' },
  { alertname: 'GatewayOrdersStopped', severity: 'page' },
];

const PROGRAM = 'prometheus-alertmanager';

/** ops/alertmanager.yml with the address of a local receiver. */
describe.skipIf(lacking('Alertmanager', PROGRAM).length > 0)('Alertmanager', () => {
  let pager: Server;
  let manager: ChildProcess;
  const notified: { labels: Record<string, string> }[] = [];
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

  it('sends one page for an unavailable provider, with the token from the file, and keeps other alerts separate', async () => {
    const alerts = [...DEAD_PROVIDER, ...OTHERS].map((labels) => ({ labels }));
    const body = JSON.stringify(alerts);
    const sent = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    expect(sent.status).toBe(200);
    await until('both providers are reported', () => notified.length >= 2);
    const shown = (await (await fetch(url)).json()) as { labels: { alertname: string }; status: { state: string } }[];
    const kept = shown.filter(({ status }) => status.state === 'suppressed').map(({ labels }) => labels.alertname);
    expect(kept.toSorted()).toEqual(['GatewayOrdersFail', 'GatewayProviderFaults', 'GatewayProviderUnavailable']);
    expect(notified.map(({ labels }) => `${labels.alertname} ${labels.provider}`).toSorted()).toEqual([
      'GatewayBreakerOpen ROUNDPAY',
      'GatewayProviderFaults MOKSHIQ',
    ]);
    expect([...tokens]).toEqual(['Bearer the token of the pager']);
  });

  it('sends one page when the last process has exited', async () => {
    notified.length = 0;
    const body = JSON.stringify(NOTHING_LEFT.map((labels) => ({ labels })));
    await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    await until('it is reported', () => notified.length > 0);
    const shown = (await (await fetch(url)).json()) as { labels: { alertname: string }; status: { state: string } }[];
    const named = NOTHING_LEFT.map(({ alertname }) => alertname);
    const kept = shown.filter(
      ({ labels, status }) => named.includes(labels.alertname) && status.state === 'suppressed',
    );
    expect(kept).toHaveLength(NOTHING_LEFT.length - 1);
    expect(notified.map(({ labels }) => labels.alertname)).toEqual(['GatewayAllDown']);
  });
});
