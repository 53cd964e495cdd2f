import { type MetricRow, metricTable } from '../metrics/metric.table.js';

const [BEGIN, END] = ['<!-- metrics: written by npm run settings -->', '<!-- /metrics -->'];

const row = ({ name, labels, help, shared }: MetricRow): string =>
  `| \`${name}\`${shared ? ' *' : ''} | ${labels.map((label) => `\`${label}\``).join(', ')} | ${help} |`;

const table = (): string =>
  ['| metric | labels | says |', '|---|---|---|', ...Object.values(metricTable).map(row)].join('\n');

/** The page with the table of metrics between its marks. Errors: the marks are not there. */
export function withMetrics(page: string): string {
  const [head, rest] = page.split(BEGIN);
  const tail = rest?.split(END)[1];
  if (head === undefined || tail === undefined) throw new Error(`There is no place for the metrics: ${BEGIN} … ${END}`);
  return `${head}${BEGIN}\n\n${table()}\n\n${END}${tail}`;
}
