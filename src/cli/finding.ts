export interface Finding {
  ok: boolean;
  /** Set if no problem was found, but something could not be compared. */
  incomplete?: boolean;
  /** Set if the result is not a problem, but administrators should know about it. */
  warning?: boolean;
  summary: string;
  /** One line per problem. */
  details?: string[];
}

/** Maximum number of details shown per finding. */
export const MAX_DETAILS = 20;

export const firstLines = (lines: string[], total = lines.length): string[] =>
  total > MAX_DETAILS ? [...lines.slice(0, MAX_DETAILS), `and ${total - MAX_DETAILS} more`] : lines;
