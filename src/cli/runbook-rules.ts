import { readFileSync } from 'node:fs';
import { packageRoot } from '../core/package-root.js';

interface Rule {
  severity: string;
  /** How long the expression must have a result before the alert fires; undefined: no time. */
  pending: string | undefined;
  expr: string;
}

/** The alerts of ops/alerts.yml by name, as the file is written. */
function rulesIn(text: string): Map<string, Rule> {
  const rules = text.split(/^ {6}- alert: /m).slice(1);
  return new Map(
    rules.map((rule) => {
      const [, block, line] = /^ {8}expr: (?:\|\n((?: {10}.*\n)+)|(.+)\n)/m.exec(rule)!;
      return [
        /^\w+/.exec(rule)![0],
        {
          severity: /severity: (\w+)/.exec(rule)![1]!,
          pending: /^ {8}for: (\w+)$/m.exec(rule)?.[1],
          expr: (block?.replace(/^ {10}/gm, '') ?? line!).trimEnd(),
        },
      ];
    }),
  );
}

const wordOf = (severity: string): string => `${severity[0]!.toUpperCase()}${severity.slice(1)}`;

/** The page whose sections about an alert begin with the severity of its rule and end with the expression. */
export function withRules(page: string): string {
  const rules = rulesIn(readFileSync(new URL('ops/alerts.yml', packageRoot), 'utf8'));
  return page.replace(/^### (\w+)\n\n[\s\S]*?(?=\n##|$(?![\s\S]))/gm, (section, name: string) => {
    const rule = rules.get(name);
    if (!rule) return section;
    const { severity, pending, expr } = rule;
    const text = section
      .replace(/\n+```promql\n[\s\S]*?```\n*$/, '')
      .replace(/^(###.*\n\n)(?:\*\*\w+\.\*\* )?/, `$1**${wordOf(severity)}.** `)
      .trimEnd();
    const since = pending === undefined ? '' : `# for ${pending}\n`;
    return `${text}\n\n\`\`\`promql\n${since}${expr}\n\`\`\`\n`;
  });
}
