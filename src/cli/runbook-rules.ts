import { readFileSync } from 'node:fs';
import { packageRoot } from '../core/package-root.js';

interface Rule {
  severity: string;
  expr: string;
}

/** Returns the alerts of ops/alerts.yml by name. */
function rulesIn(text: string): Map<string, Rule> {
  const rules = text.split(/^ {6}- alert: /m).slice(1);
  return new Map(
    rules.map((rule) => {
      const [, block, line] = /^ {8}expr: (?:\|\n((?: {10}.*\n)+)|(.+)\n)/m.exec(rule)!;
      return [
        /^\w+/.exec(rule)![0],
        {
          severity: /severity: (\w+)/.exec(rule)![1]!,
          expr: (block ?? line!).trimEnd(),
        },
      ];
    }),
  );
}

const capitalized = (severity: string): string => `${severity[0]!.toUpperCase()}${severity.slice(1)}`;

const MAX_EXPRESSION = 100;

/** Returns the rule text at the end of a section. It is empty for long expressions, which are only in ops/alerts.yml. */
const ruleLine = ({ expr }: Rule): string => (expr.length > MAX_EXPRESSION ? '' : `- Rule: \`${expr}\`\n`);

/** Inserts the severity of each alert at the start of its section, and the rule at the end if it is short. */
export function withRules(page: string): string {
  const rules = rulesIn(readFileSync(new URL('ops/alerts.yml', packageRoot), 'utf8'));
  return page.replace(/^### (\w+)\n\n[\s\S]*?(?=\n##|$(?![\s\S]))/gm, (section, name: string) => {
    const rule = rules.get(name);
    if (!rule) return section;
    const text = section
      .replace(/\n- Rule: [^\n]*\n*$/, '')
      .replace(/^(###.*\n\n)(?:\*\*\w+\.\*\* )?/, `$1**${capitalized(rule.severity)}.** `)
      .trimEnd();
    return `${text}\n${ruleLine(rule)}`;
  });
}
