import { type MetricRow, metricTable } from '../core/metric.table.js';
import { withSection } from './generated-file.js';

const row = ({ name, labels, help, shared }: MetricRow): string =>
  `| \`${name}\`${shared ? ' *' : ''} | ${labels.map((label) => `\`${label}\``).join(', ')} | ${help} |`;

/** The page with the table of metrics between its marks. */
export const withMetrics = (page: string): string =>
  withSection(
    page,
    'metrics',
    ['| metric | labels | says |', '|---|---|---|', ...Object.values(metricTable).map(row)].join('\n'),
  );
