import type { IncomingHttpHeaders } from 'node:http';

const WAIT = /(?:^|,)\s*wait\s*=\s*"?(\d{1,9})"?\s*(?=$|[,;])/i;

/** The `wait` of a header Prefer (RFC 7240), in seconds; the first one counts. Whatever else it says is ignored, as the standard wants. */
export function preferredWaitS({ prefer }: IncomingHttpHeaders): number | undefined {
  const [, seconds] = WAIT.exec([prefer ?? ''].flat().join(',')) ?? [];
  return seconds === undefined ? undefined : Number(seconds);
}
