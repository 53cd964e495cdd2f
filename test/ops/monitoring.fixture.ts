import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

export interface Rule {
  alert: string;
  expr: string;
  labels: { severity?: string };
  annotations: { summary?: string; runbook_url?: string };
}

export const rules: Rule[] = (
  parse(readFileSync('ops/alerts.yml', 'utf8')) as { groups: { rules: Rule[] }[] }
).groups.flatMap((group) => group.rules);

/** Metrics that ops/note-metric.sh writes. */
export const noted = [...readFileSync('ops/note-metric.sh', 'utf8').matchAll(/\bgauge (\w+) /g)].map(
  ([, name]) => `recharge_gateway_${name}`,
);

interface Panel {
  id: number;
  type: string;
  title: string;
  gridPos: { x: number; y: number; w: number; h: number };
  targets?: { expr: string }[];
}

export const dashboard = JSON.parse(readFileSync('ops/dashboard.json', 'utf8')) as {
  panels: Panel[];
  templating: { list: { name: string }[] };
};

/** A selector in an expression: the metric and its label matchers. */
export interface Selector {
  metric: string;
  matched: Map<string, string>;
}

const STRING = /"(?:[^"\\]|\\.)*"/g;
/** Words in the place of a metric that are not metrics. */
const WORDS = new Set(
  'sum max min count avg topk by without on ignoring and or unless offset bool rate increase resets max_over_time abs absent time histogram_quantile label_replace label_values e'.split(
    ' ',
  ),
);

/** Parses enough of PromQL for the expressions in ops: metrics with their matchers, and the labels of groupings. */
export function readExpression(expr: string): { selectors: Selector[]; grouped: string[] } {
  const texts: string[] = [];
  const plain = expr
    .replace(STRING, (text) => `'${texts.push(text.slice(1, -1)) - 1}'`)
    .replace(/\[[^\]]*\]/g, ' ')
    .replace(/\$\w+/g, ' ');
  const grouped = [...plain.matchAll(/\b(?:by|without|on|ignoring)\s*\(([^)]*)\)/g)].flatMap(([, names]) =>
    names!
      .split(',')
      .map((name) => name.trim())
      .filter(Boolean),
  );
  const rest = plain.replace(/\b(?:by|without|on|ignoring)\s*\([^)]*\)/g, ' ').replace(/\boffset\s+\w+/g, ' ');
  const selectors: Selector[] = [];
  for (const [, metric, matchers = ''] of rest.matchAll(/\b([a-z_][a-z0-9_]*)\b\s*(?:\{([^}]*)\})?/g)) {
    if (WORDS.has(metric!)) continue;
    const pairs = [...matchers.matchAll(/(\w+)\s*(?:=~|!~|!=|=)\s*'(\d+)'/g)];
    selectors.push({
      metric: metric!,
      matched: new Map(pairs.map(([, label, index]) => [label!, texts[Number(index)]!])),
    });
  }
  return { selectors, grouped };
}
