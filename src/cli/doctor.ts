import { absentProviders, type Config, ConfigError, loadConfig } from '../config.js';
import { commandLine, type Usage, wrongUsage } from '../core/command-line.js';
import { baseImage } from '../core/package-root.js';
import { failToStart, requireNode } from '../process-life.js';
import { examine } from './doctor-checks.js';
import type { Finding } from './finding.js';

const USAGE: Usage = {
  command: 'doctor',
  synopsis: '[options]',
  description: `Checks the settings and the database of DATABASE_URL. Exits with 1 if it finds a problem.
Compares the audit log with the anchors in AUDIT_ANCHOR_FILE, or with those in the given files. Each process writes anchors to its file and its log.`,
  options: `  --full                checks the whole ledger, which can take minutes; without it, only entries since the last check without a violation
  --anchors FILE        anchor file or log of a process; can be repeated
  --stuck-minutes N     time after which a due order is reported as stuck (default 10)
  --review-hours N      age at which an order in manual review is reported (default 24)
  --json                prints the findings as JSON`,
  example: 'gateway doctor --full --anchors one.jsonl --anchors two.jsonl',
};

function positiveOf(text: string, option: string): number {
  const value = Number(text);
  if (!(value > 0)) throw wrongUsage(USAGE, `--${option} must be a number greater than 0.`);
  return value;
}

function optionsOf(args: string[]) {
  const { values } = commandLine(USAGE, args, {
    'stuck-minutes': { type: 'string', default: '10' },
    'review-hours': { type: 'string', default: '24' },
    anchors: { type: 'string', multiple: true, default: [] },
    full: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  });
  return {
    stuckAfterMs: positiveOf(values['stuck-minutes'], 'stuck-minutes') * 60_000,
    reviewLimitMs: positiveOf(values['review-hours'], 'review-hours') * 3_600_000,
    anchorFiles: values.anchors,
    full: values.full,
    json: values.json,
  };
}

/** Returns the settings, or a finding with the problems in them. */
function checkSettings(): { config?: Config; finding: Finding } {
  try {
    const config = loadConfig(process.env);
    const absent = absentProviders(config);
    const summary = absent.length === 0 ? 'complete' : `complete; no URL for ${absent.join(', ')}`;
    return { config, finding: { ok: true, summary } };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const [summary = '', ...details] = error.message.split('\n');
    return { finding: { ok: false, summary, details: details.map((line) => line.trim()) } };
  }
}

async function main(): Promise<void> {
  requireNode();
  const { json, ...limits } = optionsOf(process.argv.slice(2));
  const findings: Record<string, Finding> = {};
  const report = (name: string, finding: Finding): void => {
    findings[name] = finding;
    if (json) return;
    const mark = finding.ok ? (finding.incomplete || finding.warning ? 'note' : 'ok  ') : 'FAIL';
    process.stdout.write(`${mark}  ${name.padEnd(16)} ${finding.summary}\n`);
    for (const line of finding.details ?? []) process.stdout.write(`        ${line}\n`);
  };

  const { config, finding } = checkSettings();
  report('settings', finding);
  if (config) await examine({ config, baseImage, ...limits }, report);
  const failed = Object.values(findings).filter(({ ok }) => !ok).length;
  if (failed > 0) process.exitCode = 1;
  const total = Object.keys(findings).length;
  const notes = Object.values(findings).filter(({ incomplete }) => incomplete).length;
  const warnings = Object.values(findings).filter(({ warning }) => warning).length;
  process.stdout.write(
    json
      ? `${JSON.stringify({ ok: failed === 0, findings }, null, 2)}\n`
      : failed > 0
        ? `${failed} of ${total} checks found a problem.\n`
        : `All ${total} checks passed${notes > 0 ? `; ${notes} could not compare everything` : ''}${warnings > 0 ? `; ${warnings} with a warning` : ''}.\n`,
  );
}

main().catch(failToStart);
