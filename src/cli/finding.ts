/** What one look came to. */
export interface Finding {
  ok: boolean;
  /** Nothing is wrong as far as could be seen, but something that should be compared could not be. */
  incomplete?: boolean;
  /** Nothing is broken, but the operator should know. */
  warning?: boolean;
  summary: string;
  /** One line per problem. */
  details?: string[];
}

/** Details of one finding: what is beyond is counted. */
export const SHOWN = 20;

export const some = (lines: string[], total = lines.length): string[] =>
  total > SHOWN ? [...lines.slice(0, SHOWN), `and ${total - SHOWN} more`] : lines;
