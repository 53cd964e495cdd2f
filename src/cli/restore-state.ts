import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { commit, version } from '../core/package-root.js';
import type { Comparison } from '../reconcile/compare.js';

/** In the order in which they are done. */
export const stepNames = ['database', 'pause', 'books', 'audit log', 'paused process', 'statements', 'resume'] as const;
export type StepName = (typeof stepNames)[number];

export interface Outcome {
  /** `waits`: for what a person does next, as the summary says. */
  status: 'done' | 'waits' | 'failed';
  summary: string;
  details?: string[];
}

/** What came of comparing one provider's statement; without account numbers. */
export interface StatementResult {
  /** SHA-256 of the file. */
  file: string;
  from: string;
  to: string;
  orders: number;
  lines: number;
  matched: number;
  /** Successes that were put in doubt, and orders that were given back and are called performed. */
  doubted: number;
  conflicting: number;
  differences: { kind: string; order?: string; line?: number; amountPaise: string; at: string }[];
}

/** The report, which the next run goes on from. */
export interface RestoreState {
  /** Stored in the database while orders are paused for this restore. */
  id: string;
  program: { version: string; commit: string };
  dryRun: boolean;
  startedAt: string;
  steps: Partial<Record<StepName, Outcome & { at: string }>>;
  statements: Record<string, StatementResult>;
  /** All the books are checked after the step `books`, not in it. */
  fullCheckFollows?: boolean;
}

const fileOf = (directory: string, dryRun: boolean, ending: string): string =>
  path.join(directory, `${dryRun ? 'restore-dry-run' : 'restore'}.${ending}`);

/** What an earlier run left, or a new one. A dry run begins anew each time. Errors: one sentence, when the file is none of ours. */
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
  throw new Error('restore.json in the directory of --report is no report of a restore: name another directory.');
}

/** Writes both forms of the report; what was there is replaced when the new one is whole. */
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

/** What no program can see in the database, because it is gone from it. */
const BY_HAND = [
  'Credits of the lost time: enter them again with creditWallet, with their old references and UTRs.',
  'Suspensions, locks and changed passwords of that time: do them again; the logs of the console name its mutations.',
  'Tokens of that time: who has one makes a new one. Webhooks and emails that waited go out once more.',
];

export const MARKS = { done: 'ok  ', waits: 'WAIT', failed: 'FAIL' } as const;

/** Lines of differences that have to be explained before orders are resumed. */
export const openLines = ({ statements }: Pick<RestoreState, 'statements'>): number =>
  Object.values(statements).reduce(
    (sum, { differences }) => sum + differences.filter(({ kind }) => kind !== 'archived').length,
    0,
  );

/** For people. */
export function textOf(state: RestoreState): string {
  const lines = [
    `Restore ${state.id}, begun ${state.startedAt}, by version ${state.program.version} (${state.program.commit})${state.dryRun ? '; dry run: nothing was changed' : ''}`,
    '',
  ];
  for (const name of stepNames) {
    const step = state.steps[name];
    if (step === undefined) {
      lines.push(`      ${name.padEnd(14)} not begun`);
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
  return [...lines, '', 'By hand, before orders are resumed:', ...BY_HAND.map((one) => `  - ${one}`), ''].join('\n');
}

export const resultText = ({ orders, lines, matched, differences }: StatementResult): string =>
  `${orders} orders, ${lines} lines, ${matched} matched, ${differences.length} differences`;

/** Without the accounts of either side. */
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
