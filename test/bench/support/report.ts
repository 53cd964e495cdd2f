import { cpus, loadavg, totalmem } from 'node:os';
import type { Measured } from './rounds.js';

export interface Goal {
  what: string;
  is: number;
  /** Required minimum or maximum. */
  atLeast?: number;
  atMost?: number;
  unit?: string;
}

export interface Table {
  id: string;
  title: string;
  columns: readonly string[];
  rows: readonly (readonly string[])[];
  goals?: readonly Goal[];
  /** Notes that explain the table. */
  notes: readonly string[];
}

const LINE = 120;

export const integer = (value: number): string =>
  Number.isFinite(value) ? Math.round(value).toLocaleString('en-US') : '–';
export const short = (value: number, digits = 1): string => (Number.isFinite(value) ? value.toFixed(digits) : '–');

/** Columns of most tables. */
export const measuredColumns = ['', 'requests/s', 'p50 ms', 'p99 ms', 'process µs', 'PostgreSQL µs'] as const;
export const measuredRow = (measured: Measured, { postgres = true } = {}): string[] => [
  measured.name,
  integer(measured.rate),
  short(measured.p50),
  short(measured.p99),
  integer(measured.serverUs),
  postgres ? integer(measured.postgresUs) : '–',
];

/** Columns of table D. */
export const waitColumns = ['', 'connections', 'requests/s', 'p50 ms', 'p99 ms'] as const;
export const waitRow = (call: string, connections: number, { name, rate, p50, p99 }: Measured): string[] => [
  `${call}, ${name}`,
  String(connections),
  integer(rate),
  short(p50),
  short(p99),
];

export const isMet = ({ is, atLeast = Number.NEGATIVE_INFINITY, atMost = Number.POSITIVE_INFINITY }: Goal): boolean =>
  is >= atLeast && is <= atMost;

const goalText = ({ atLeast, atMost, unit = '×' }: Goal): string =>
  atLeast === undefined ? `≤ ${atMost}${unit}` : `≥ ${atLeast}${unit}`;

/** Wraps text to the line length. */
function wrap(text: string, first = '', next = ''): string {
  const lines: string[] = [];
  let line = first;
  for (const word of text.split(' ')) {
    if (line.length + word.length + 1 > LINE && line.trim() !== first.trim()) {
      lines.push(line.trimEnd());
      line = next;
    }
    line += `${word} `;
  }
  return [...lines, line.trimEnd()].join('\n');
}

function grid(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [columns, columns.map((_, n) => (n === 0 ? '---' : '---:')), ...rows];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

export function tableText({ id, title, columns, rows, goals = [], notes }: Table): string {
  const goalRows = goals.map((goal) => [
    goal.what,
    `${short(goal.is, 2)}${goal.unit ?? '×'}`,
    goalText(goal),
    isMet(goal) ? 'met' : '**not met**',
  ]);
  return [
    `## ${id}: ${title}`,
    grid(columns, rows),
    ...(goalRows.length > 0 ? [grid(['', 'measured', 'goal', ''], goalRows)] : []),
    notes.map((note) => wrap(note, '- ', '  ')).join('\n'),
  ].join('\n\n');
}

export const printTable = (table: Table): void => void process.stdout.write(`\n${tableText(table)}\n`);

/** One line about the machine that was measured. */
export function machineLine(postgresVersion: string, initialLoad: number): string {
  const [first] = cpus();
  return (
    `${cpus().length} cores (${first?.model.trim() ?? 'unknown'}), ${Math.round(totalmem() / 2 ** 30)} GB of memory, ` +
    `Node ${process.versions.node}, PostgreSQL ${postgresVersion}; load average of one minute ` +
    `${initialLoad.toFixed(1)} before and ${loadavg()[0]!.toFixed(1)} after.`
  );
}

export interface Run {
  machine: string;
  minutes: number;
  commitMs: number;
}

/** Time, machine and duration of the run, wrapped to the line length. */
export const runText = ({ machine, minutes }: Omit<Run, 'commitMs'>): string =>
  wrap(`${new Date().toISOString().slice(0, 10)}. ${machine} It took ${minutes.toFixed(1)} minutes.`);

/** Text of the document. */
export function documentOf(tables: readonly Table[], run: Run): string {
  const links = tables.map(({ id, title }) => `- [${id}: ${title}](#${anchorOf(`${id}: ${title}`)})`).join('\n');
  return `## Comparison with other servers

${wrap(
  '`npm run bench` measures this service and other servers on the same machine. Absolute figures depend on the machine; ' +
    'compare the ratios.',
)}

${runText(run)}

${links}

${wrap(
  'The load generator, the servers, PostgreSQL and the simulator share the cores. Servers of one table take turns in ' +
    'rounds, and a ratio is the median of the ratios of the rounds. "process µs" and "PostgreSQL µs" are processor time ' +
    'per request. Each request has its own order ID. The status of every response is checked, and its body as well (one ' +
    'in fifty for long bodies). The database flushes every commit to disk ' +
    `(${run.commitMs.toFixed(1)} ms for a single commit), and the books were checked after the runs that moved money. ` +
    'Request logs are off (`LOG_LEVEL=warn`), as in the other servers, and limits are counted in memory unless a table ' +
    'says otherwise.',
)}

${tables.map(tableText).join('\n\n')}`;
}

const anchorOf = (title: string): string =>
  title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-');
