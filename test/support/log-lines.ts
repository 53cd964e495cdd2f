import { createLogger, type Logger } from '../../src/core/log.js';
import { until } from './until.js';

export type LogLine = Record<string, any>;

export interface LogLines {
  log: Logger;
  /** Stream for the log; other loggers may write to it too. */
  takes(line: string): void;
  /** Complete log, as written. */
  texts: string[];
  /** Lines with a message, oldest first. */
  of(message: string): LogLine[];
  /** Line of a request, which is written after the response. */
  ofRequest(requestId: string | null): Promise<LogLine>;
}

const ERROR = 50;

/** Collects the lines of a log with level error or above. */
export const errorsInto =
  (texts: string[]) =>
  (text: string): void => {
    if (JSON.parse(text).level >= ERROR) texts.push(text);
  };

export function logLines(level = 'info'): LogLines {
  const texts: string[] = [];
  const takes = (text: string): void => void texts.push(text);
  const of = (message: string): LogLine[] =>
    texts.map((text) => JSON.parse(text) as LogLine).filter(({ msg }) => msg === message);
  return {
    log: createLogger(level, { write: takes }),
    takes,
    texts,
    of,
    ofRequest: async (requestId) => {
      const found = (): LogLine[] => of('request').filter((line) => line.requestId === requestId);
      await until(`the line of request ${requestId}`, () => found().length > 0);
      const lines = found();
      if (lines.length > 1) throw new Error(`Request ${requestId} has ${lines.length} lines.`);
      return lines[0]!;
    },
  };
}
