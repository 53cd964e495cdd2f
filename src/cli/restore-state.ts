import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { commit, version } from '../core/package-root.js';
import type { Comparison } from '../reconcile/compare.js';

/** Names of the steps, in order. */
export const stepNames = ['database', 'pause', 'books', 'audit log', 'paused process', 'statements', 'resume'] as const;
export type StepName = (typeof stepNames)[number];

export interface Outcome {
  /** `waits`: the user must follow the instructions in the summary. */
  status: 'done' | 'waits' | 'failed';
  summary: string;
  details?: string[];
}

/** Result of comparing the statement of one provider, without account numbers. */
export interface StatementResult {
  /** SHA-256 of the file. */
  file: string;
  from: string;
  to: string;
  orders: number;
  lines: number;
  matched: number;
  /** Number of successful orders whose status is checked again, and of refunded orders that the statement lists as successful. */
  doubted: number;
  conflicting: number;
  differences: { kind: string; order?: string; line?: number; amountPaise: string; at: string }[];
}

/** Content of the report, from which the next run continues. */
export interface RestoreState {
  /** ID that is stored in the database while orders are paused for this restore. */
  id: string;
  program: { version: string; commit: string };
  dryRun: boolean;
  startedAt: string;
  steps: Partial<Record<StepName, Outcome & { at: string }>>;
  statements: Record<string, StatementResult>;
  /** Whether the full ledger check runs after the step `books`. */
  fullCheckFollows?: boolean;
}

const fileOf = (directory: string, dryRun: boolean, ending: string): string =>
  path.join(directory, `${dryRun ? 'restore-dry-run' : 'restore'}.${ending}`);

/** Returns the report of an earlier run, or a new one. A dry run always starts a new one. Throws if the file is not a report. */
export function readState(directory: string, dryRun: boolean): RestoreState {
  const fresh = {
    id: randomUUID(),
    program: { version, commit },
    dryRun,
    startedAt: new Date().toISOString(),
    steps: {},
    statements: {},
  };
  if (dryRun) return fresh;
  try {
    const state = JSON.parse(readFileSync(fileOf(directory, false, 'json'), 'utf8')) as RestoreState;
    if (typeof state.id === 'string' && typeof state.steps === 'object' && typeof state.statements === 'object')
      return state;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return fresh;
  }
  throw new Error('restore.json in the directory of --report is not a report of a restore. Use another directory.');
}

/** Writes both forms of the report. The old files are replaced when the new files are complete. */
export function writeState(directory: string, state: RestoreState): void {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  for (const [ending, content] of [
    ['json', `${JSON.stringify(state, null, 2)}\n`],
    ['txt', textOf(state)],
  ] as const) {
    const file = fileOf(directory, state.dryRun, ending);
    writeFileSync(`${file}.part`, content, { mode: 0o600 });
    renameSync(`${file}.part`, file);
  }
}

/** Manual steps for lost changes that cannot be detected automatically. */
const BY_HAND = [
  'Enter lost credits again with creditWallet, with their old references and UTRs.',
  'Repeat lost suspensions, locks and password changes. The log lists the mutations of the console.',
  'Tokens created in the lost time are no longer valid. Webhooks and emails that were queued are sent again.',
];

export const MARKS = { done: 'ok  ', waits: 'WAIT', failed: 'FAIL' } as const;

/** Returns the number of differences that must be explained before orders are resumed. */
export const openLines = ({ statements }: Pick<RestoreState, 'statements'>): number =>
  Object.values(statements).reduce(
    (sum, { differences }) => sum + differences.filter(({ kind }) => kind !== 'archived').length,
    0,
  );

/** Returns a readable form of the report. */
export function textOf(state: RestoreState): string {
  const lines = [
    `Restore ${state.id}, started ${state.startedAt}, version ${state.program.version} (${state.program.commit})${state.dryRun ? '; dry run: nothing was changed' : ''}`,
    '',
  ];
  for (const name of stepNames) {
    const step = state.steps[name];
    if (step === undefined) {
      lines.push(`      ${name.padEnd(14)} not started`);
      continue;
    }
    lines.push(`${MARKS[step.status]}  ${name.padEnd(14)} ${step.summary}`);
    for (const detail of step.details ?? []) lines.push(`        ${detail}`);
  }
  for (const [provider, result] of Object.entries(state.statements)) {
    lines.push('', `${provider}: ${resultText(result)}`);
    for (const { kind, order, line, amountPaise, at } of result.differences)
      lines.push(`  ${kind.replaceAll('_', ' ')}  ${order ?? `line ${line}`}  ${amountPaise} paise  ${at}`);
  }
  return [
    ...lines,
    '',
    'Do this before you resume orders:',
    ...BY_HAND.map((instruction) => `  - ${instruction}`),
    '',
  ].join('\n');
}

export const resultText = ({ orders, lines, matched, differences }: StatementResult): string =>
  `${orders} orders, ${lines} lines, ${matched} matched, ${differences.length} differences`;

/** Returns the differences without account numbers. */
export const differencesOf = ({ differences }: Comparison): StatementResult['differences'] =>
  differences.map(({ kind, ours, theirs }) => {
    const reference = ours?.reference ?? theirs?.reference;
    return {
      kind,
      ...(reference ? { order: reference } : { line: theirs!.line }),
      amountPaise: String((ours ?? theirs)!.amountPaise),
      at: (ours ?? theirs)!.at.toISOString(),
    };
  });
