import { execFile, execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { errorCatalogue } from '../../src/core/error-catalogue.js';
import { type MetricRow, metricTable } from '../../src/metrics/metric.table.js';
import { useSharedApp } from '../support/use-app.js';
import { dashboard, readExpression, rules } from './monitoring.fixture.js';

const test = useSharedApp();
/** Names and labels of /metrics, as HELP and the samples say them. */
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
/** What Prometheus adds by itself. */
const ADDED = ['instance', 'job', 'le'];

/** What an expression asks of /metrics that is not there. */
function problemsOf(expr: string): string[] {
  const { selectors, grouped } = readExpression(expr);
  const problems = selectors.length === 0 ? ['no metric'] : [];
  const known = new Set(ADDED);
  for (const { metric, matched } of selectors) {
    const row = rowOf(metric);
    if (!row && metric !== 'up' && !names.has(metric)) problems.push(`no metric ${metric}`);
    const labels: readonly string[] = row?.labels ?? [];
    for (const label of labels) known.add(label);
    for (const label of matched.keys())
      if (!labels.includes(label) && !ADDED.includes(label)) problems.push(`${metric} has no label ${label}`);
    const codes = matched.get('code')?.split('|') ?? [];
    problems.push(
      ...codes.filter((code) => code !== 'OK' && !(code in errorCatalogue)).map((code) => `no code ${code}`),
    );
  }
  problems.push(...grouped.filter((label) => !known.has(label)).map((label) => `nothing has the label ${label}`));
  return problems;
}

describe('/metrics', () => {
  it('has every metric of the table and none besides, and the page for operators lists them', () => {
    const own = [...names].filter((name) => !/^(process|nodejs)_/.test(name));
    const page = readFileSync('docs/operating.md', 'utf8');
    const listed = [...page.matchAll(/^\| `(gateway_\w+)`/gm)].map(([, name]) => name!);
    const expected = table.map(({ name }) => name).toSorted();
    expect(own.toSorted()).toEqual(expected);
    expect(listed.toSorted()).toEqual(expected);
  });

  it('names what counts as Prometheus wants it', () => {
    for (const { name, kind, buckets } of table) {
      expect(name.endsWith('_total'), name).toBe(kind === 'counter');
      expect(buckets !== undefined, name).toBe(kind === 'histogram');
      expect(buckets?.toSorted((a, b) => a - b)).toEqual(buckets);
    }
    expect([...names].filter((name) => name.startsWith('nodejs_active') && name.endsWith('_total'))).toEqual([]);
  });
});

describe('ops/alerts.yml', () => {
  it.each(rules)('$alert asks for what is there, and says how urgent it is', ({ expr, labels, annotations }) => {
    expect(problemsOf(expr)).toEqual([]);
    expect(['page', 'ticket', 'info']).toContain(labels.severity);
    expect(annotations.summary).toBeTruthy();
  });

  it('has a runbook for each alert, which says the same severity, and no runbook without an alert', () => {
    const page = readFileSync('docs/runbooks.md', 'utf8');
    const sections = [...page.matchAll(/^### (\w+)\n\n(\w+)/gm)].map(([, name, word]) => [name, word!.toLowerCase()]);
    expect(sections.toSorted()).toEqual(rules.map(({ alert, labels }) => [alert, labels.severity]).toSorted());
    for (const { alert, annotations } of rules)
      expect(annotations.runbook).toBe(`docs/runbooks.md#${alert.toLowerCase()}`);
    const mentioned = [...page.matchAll(/\bGateway[A-Z]\w+/g)].map(([name]) => name);
    expect(mentioned.filter((name) => !rules.some(({ alert }) => alert === name))).toEqual([]);
  });

  it('is read with care: what is not there is noticed', () => {
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

describe('ops/dashboard.json', () => {
  const drawn = dashboard.panels.filter(({ type }) => type !== 'row');

  it('has a row for each part, and every panel asks for what is there', () => {
    const rows = dashboard.panels.filter(({ type }) => type === 'row').map(({ title }) => title);
    expect(rows).toEqual(['Traffic', 'Money', 'Providers', 'Webhooks and mails', 'Process', 'Database']);
    for (const { title, targets } of drawn)
      expect([title, targets!.flatMap(({ expr }) => problemsOf(expr))]).toEqual([title, []]);
  });

  it('shows every metric of the table', () => {
    const shown = new Set(
      drawn.flatMap(({ targets }) =>
        targets!.flatMap(({ expr }) => readExpression(expr).selectors.map(({ metric }) => rowOf(metric)?.name)),
      ),
    );
    expect(table.map(({ name }) => name).filter((name) => !shown.has(name))).toEqual([]);
  });

  it('lays its panels out beside each other', () => {
    expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length);
    const cells = dashboard.panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, n) => `${x + (n % w)} ${y + Math.floor(n / w)}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
    expect(dashboard.panels.every(({ gridPos: { x, w } }) => x + w <= 24)).toBe(true);
  });
});

const promtool = ((): boolean => {
  try {
    execFileSync('promtool', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

/** What Prometheus itself says, on machines that have it. */
describe.skipIf(!promtool)('promtool', () => {
  it('finds nothing wrong with /metrics', async () => {
    const problems = await new Promise<string>((resolve) => {
      const child = execFile('promtool', ['check', 'metrics'], (_error, stdout, stderr) => resolve(stdout + stderr));
      child.stdin!.end(text);
    });
    expect(problems).toBe('');
  });

  it('takes the rules, and they fire when they should', () => {
    execFileSync('promtool', ['check', 'rules', 'ops/alerts.yml'], { stdio: 'pipe' });
    execFileSync('promtool', ['test', 'rules', 'ops/alerts-test.yml'], { stdio: 'pipe' });
  });
});
