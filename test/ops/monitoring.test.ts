import { execFileSync, spawnSync } from 'node:child_process';
import { globSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { errorCatalogue } from '../../src/core/error-catalogue.js';
import { type MetricRow, metricTable } from '../../src/core/metric.table.js';
import { temporaryDirectory } from '../support/temporary-directory.js';
import { useSharedApp } from '../support/use-app.js';
import { yamlOf } from './deployment-files.fixture.js';
import { dashboard, noted, readExpression, rules } from './monitoring.fixture.js';

const test = useSharedApp();
/** Text of /metrics, for names and labels in HELP and the samples. */
let text: string;
let names: Set<string>;
beforeAll(async () => {
  text = await (await fetch(`${test.urls.uat}/metrics`)).text();
  names = new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name!));
});

const table: readonly MetricRow[] = Object.values(metricTable);
const rowOf = (metric: string): MetricRow | undefined =>
  table.find(({ name }) => name === metric) ??
  table.find(({ name, kind }) => kind === 'histogram' && metric.replace(/_(bucket|sum|count)$/, '') === name);
/** Labels that Prometheus adds. */
const ADDED = ['instance', 'job', 'le'];
/** Metrics that are not from the service, with their labels: see "Where the figures come from". */
const EXTERNAL_METRICS: Readonly<Record<string, readonly string[]>> = {
  up: [],
  pg_up: [],
  pg_stat_archiver_failed_count: [],
  pg_stat_replication_pg_wal_lsn_diff: ['application_name'],
  pg_replication_lag_seconds: [],
  pg_stat_activity_count: ['datname', 'state'],
  pg_settings_max_connections: [],
  node_filesystem_avail_bytes: ['mountpoint', 'fstype', 'device'],
  node_filesystem_size_bytes: ['mountpoint', 'fstype', 'device'],
  node_systemd_unit_state: ['name', 'state'],
  haproxy_server_status: ['proxy', 'server', 'state'],
  kube_cronjob_status_last_schedule_time: ['namespace', 'cronjob'],
  kube_cronjob_status_last_successful_time: ['namespace', 'cronjob'],
  probe_ssl_earliest_cert_expiry: [],
  probe_success: [],
  ...Object.fromEntries(noted.map((name) => [name, []])),
};

/** Metrics and labels in an expression that do not exist in /metrics. */
function problemsOf(expr: string): string[] {
  const { selectors, grouped } = readExpression(expr);
  const problems = selectors.length === 0 ? ['no metric'] : [];
  const knownLabels = new Set(ADDED);
  for (const { metric, matched } of selectors) {
    const row = rowOf(metric);
    if (!row && !(metric in EXTERNAL_METRICS) && !names.has(metric)) problems.push(`no metric ${metric}`);
    const labels = row?.labels ?? EXTERNAL_METRICS[metric] ?? [];
    for (const label of labels) knownLabels.add(label);
    for (const label of matched.keys())
      if (!labels.includes(label) && !ADDED.includes(label)) problems.push(`${metric} has no label ${label}`);
    const codes = matched.get('code')?.split('|') ?? [];
    problems.push(
      ...codes.filter((code) => code !== 'OK' && !(code in errorCatalogue)).map((code) => `no code ${code}`),
    );
  }
  problems.push(...grouped.filter((label) => !knownLabels.has(label)).map((label) => `nothing has the label ${label}`));
  return problems;
}

describe('/metrics', () => {
  it('has exactly the metrics in the table, which the documentation lists', () => {
    const own = [...names].filter((name) => !/^(process|nodejs)_/.test(name));
    const page = readFileSync('docs/reference-operation.md', 'utf8');
    const listed = [...page.matchAll(/^- `(gateway_\w+)`/gm)].map(([, name]) => name!);
    const expected = table.map(({ name }) => name).toSorted();
    expect(own.toSorted()).toEqual(expected);
    expect(listed.toSorted()).toEqual(expected);
  });

  it('names counters according to the Prometheus conventions', () => {
    for (const { name, kind, buckets } of table) {
      expect(name.endsWith('_total'), name).toBe(kind === 'counter');
      expect(buckets !== undefined, name).toBe(kind === 'histogram');
      expect(buckets?.toSorted((a, b) => a - b)).toEqual(buckets);
    }
    expect([...names].filter((name) => name.startsWith('nodejs_active') && name.endsWith('_total'))).toEqual([]);
  });
});

describe('ops/alerts.yml', () => {
  it.each(rules)('$alert uses existing metrics and states its severity', ({ expr, labels, annotations }) => {
    expect(problemsOf(expr)).toEqual([]);
    expect(['page', 'ticket', 'info']).toContain(labels.severity);
    expect(annotations.summary).toBeTruthy();
  });

  it('has a runbook with the severity for each alert, and no other runbook', () => {
    const page = readFileSync('docs/runbooks.md', 'utf8');
    const sections = page.split(/^### /m).slice(1);
    const named = sections.map((section) => {
      const [, name, word] = /^(\w+)\n\n\*\*(\w+)\.\*\* /.exec(section)!;
      return [name, word!.toLowerCase()];
    });
    expect(named.toSorted()).toEqual(rules.map(({ alert, labels }) => [alert, labels.severity]).toSorted());
    for (const section of sections) {
      // starts with the effect on customers and ends with how to know that the alert is resolved: in words, or by its rule, which
      // `npm run generate` writes like the severity
      expect(section).toMatch(/^\w+\n\n\*\*\w+\.\*\* Customers /);
      expect(section).toMatch(/\n- (?:Over|Rule): [^\n]+\n(?: {2}[^\n]+\n)*(?:\n## |$|\n$)/);
    }
    for (const { alert, annotations } of rules)
      expect(annotations.runbook_url).toBe(`{{ $externalLabels.docs }}/runbooks#${alert.toLowerCase()}`);
    const mentioned = [...page.matchAll(/\bGateway[A-Z]\w+/g)].map(([name]) => name);
    expect(mentioned.filter((name) => !rules.some(({ alert }) => alert === name))).toEqual([]);
  });

  it('runs each alert with its severity, and reports a missing one', () => {
    const files = (globSync('ops/alerts-*test.yml') as string[]).concat('ops/alerts-test.yml');
    const played = new Set<string>();
    for (const file of new Set(files)) {
      const { tests, rule_files } = yamlOf(file);
      expect([file, rule_files]).toEqual([file, ['alerts.yml']]);
      expect(readFileSync('package.json', 'utf8')).toContain(file);
      for (const { alertname, exp_alerts = [] } of tests.flatMap((ruleTest: any) => ruleTest.alert_rule_test))
        for (const { exp_labels } of exp_alerts) played.add(`${alertname} ${exp_labels.severity}`);
    }
    expect([...played].toSorted()).toEqual(rules.map(({ alert, labels }) => `${alert} ${labels.severity}`).toSorted());
  });

  it('is parsed strictly: missing metrics are reported', () => {
    expect(problemsOf('sum by (route) (rate(gateway_requests_total{code="NO_SUCH"}[5m])) > 1')).toEqual([
      'no code NO_SUCH',
    ]);
    expect(problemsOf('gateway_requests')).toEqual(['no metric gateway_requests']);
    expect(problemsOf('max by (developer) (gateway_orders_open{host="uat"})')).toEqual([
      'gateway_orders_open has no label host',
      'nothing has the label developer',
    ]);
  });
});

describe('ops/alertmanager.yml', () => {
  const { route, receivers, inhibit_rules } = yamlOf('ops/alertmanager.yml');
  const alertsIn = (matchers: string[]): string[] =>
    matchers.flatMap((matcher) => /^alertname=~?"([^"]+)"$/.exec(matcher)?.[1]!.split('|') ?? []);

  it('pages for a page, opens a ticket for a ticket, and reads secrets from files', () => {
    const receiverOf = (severity: string): any => {
      const own = route.routes.find(({ matchers }: any) => matchers.includes(`severity="${severity}"`)) ?? route;
      return receivers.find(({ name }: any) => name === own.receiver);
    };
    expect([receiverOf('page').webhook_configs, receiverOf('ticket').email_configs]).toEqual([
      [expect.anything()],
      [expect.anything()],
    ]);
    expect(receiverOf('info')).toEqual({ name: 'shown' });
    expect(readFileSync('ops/alertmanager.yml', 'utf8').match(/(password|credentials|secret|token)\w*: .*/g)).toEqual([
      'password_file: /run/alert-secrets/smtp-password',
      'credentials_file: /run/alert-secrets/page-token } }',
    ]);
  });

  it('inhibits existing alerts by other existing alerts, with labels that both have', () => {
    expect(inhibit_rules.length).toBeGreaterThan(3);
    for (const { source_matchers, target_matchers, equal = [] } of inhibit_rules) {
      const named = [...alertsIn(source_matchers), ...alertsIn(target_matchers)].map((name) =>
        rules.find(({ alert }) => alert === name),
      );
      expect(named.length).toBeGreaterThan(1);
      for (const rule of named)
        for (const label of equal)
          expect([rule?.alert, rule?.expr]).toEqual([rule?.alert, expect.stringContaining(label)]);
    }
  });
});

describe('ops/note-metric.sh', () => {
  const directory = path.join(temporaryDirectory(), 'metrics');
  const note = (...args: string[]) =>
    spawnSync('ops/note-metric.sh', args, { encoding: 'utf8', env: { ...process.env, METRICS_DIR: directory } });
  const valueOf = (name: string): number => {
    const files = readdirSync(directory).map((file) => readFileSync(path.join(directory, file), 'utf8'));
    return Number(new RegExp(`^recharge_gateway_${name} (\\d+)$`, 'm').exec(files.join(''))?.[1]);
  };

  it('records the exit code of the doctor, and exits with the same code', () => {
    expect(note('doctor', 'sh', '-c', 'echo found; exit 3')).toMatchObject({ status: 3, stdout: 'found\n' });
    expect(valueOf('doctor_failed')).toBe(1);
    expect(note('doctor', 'true').status).toBe(0);
    expect(valueOf('doctor_failed')).toBe(0);
  });

  const openssl = spawnSync('openssl', ['version']).status === 0;
  it.skipIf(!openssl)('records a backup and the expiry of a certificate, and nothing if it cannot be read', () => {
    expect(note('backup').status).toBe(0);
    expect(Math.abs(valueOf('backup_timestamp_seconds') - Date.now() / 1000)).toBeLessThan(600);
    const file = path.join(directory, '..', 'certificate.pem');
    const opensslArguments =
      'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 90 -subj /CN=a -keyout /dev/null';
    execFileSync('openssl', [...opensslArguments.split(' '), '-out', file], { stdio: 'ignore' });
    expect(note('certificate', '/dev/null').status).not.toBe(0);
    expect(valueOf('certificate_end_timestamp_seconds')).toBeNaN();
    expect(note('certificate', file).status).toBe(0);
    const days = (valueOf('certificate_end_timestamp_seconds') - Date.now() / 1000) / 86_400;
    expect(days).toBeGreaterThan(88);
    expect(note('other')).toMatchObject({ status: 2, stderr: expect.stringContaining('Usage: ') });
    expect(readdirSync(directory).toSorted()).toEqual(
      ['backup', 'certificate', 'doctor'].map((subject) => `recharge-gateway-${subject}.prom`),
    );
  });
});

describe('ops/dashboard.json', () => {
  const drawn = dashboard.panels.filter(({ type }) => type !== 'row');

  it('has a row for each part, and every panel uses existing metrics', () => {
    const rows = dashboard.panels.filter(({ type }) => type === 'row').map(({ title }) => title);
    expect(rows).toEqual(['Traffic', 'Money', 'Providers', 'Webhooks and emails', 'Process', 'Database']);
    for (const { title, targets } of drawn)
      expect([title, targets!.flatMap(({ expr }) => problemsOf(expr))]).toEqual([title, []]);
  });

  it('shows every metric of the table', () => {
    const documented = new Set(
      drawn.flatMap(({ targets }) =>
        targets!.flatMap(({ expr }) => readExpression(expr).selectors.map(({ metric }) => rowOf(metric)?.name)),
      ),
    );
    expect(table.map(({ name }) => name).filter((name) => !documented.has(name))).toEqual([]);
  });

  it('has panels that do not overlap', () => {
    expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length);
    const cells = dashboard.panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, n) => `${x + (n % w)} ${y + Math.floor(n / w)}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
    expect(dashboard.panels.every(({ gridPos: { x, w } }) => x + w <= 24)).toBe(true);
  });
});
