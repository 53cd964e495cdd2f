import { type MetricRow, metricTable } from '../core/metric.table.js';

const [BEGIN, END] = ['<!-- metrics: written by npm run settings -->', '<!-- /metrics -->'];

const row = ({ name, labels, help, shared }: MetricRow): string =>
  `| \`${name}\`${shared ? ' *' : ''} | ${labels.map((label) => `\`${label}\``).join(', ')} | ${help} |`;

const table = (): string =>
  ['| metric | labels | says |', '|---|---|---|', ...Object.values(metricTable).map(row)].join('\n');

/** The page with the table of metrics between its marks; as it is where it has none. */
export function withMetrics(page: string): string {
  const [head, rest] = page.split(BEGIN);
  const tail = rest?.split(END)[1];
  if (tail === undefined) return page;
  return `${head}${BEGIN}\n\n${table()}\n\n${END}${tail}`;
}
