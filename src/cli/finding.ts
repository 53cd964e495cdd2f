/** Result of one check. */
export interface Finding {
  ok: boolean;
  /** No problem was found, but something could not be compared. */
  incomplete?: boolean;
  /** Not a problem, but administrators should know. */
  warning?: boolean;
  summary: string;
  /** One line per problem. */
  details?: string[];
}

/** Details shown per finding; further ones are only counted. */
export const SHOWN = 20;

export const some = (lines: string[], total = lines.length): string[] =>
  total > SHOWN ? [...lines.slice(0, SHOWN), `and ${total - SHOWN} more`] : lines;
