import type { FormattedExecutionResult } from 'graphql';
import { EVENT_STREAM } from './unread-answers.js';

/** Proxies and clients take a connection for dead that says nothing for long. */
const PING_MS = 12_000;
/** A comment: clients skip it. */
const PING = ':\n\n';

export const EVENT_STREAM_HEADERS = {
  'content-type': `${EVENT_STREAM}; charset=utf-8`,
  'cache-control': 'no-cache',
};

/**
 * Results as server-sent events, in the words of graphql-sse with distinct connections: `next` for each, `complete` at the end. A
 * result is asked for when the client has taken the one before, so what it does not read is not made.
 *
 * @param results never throw: the last one says what went wrong
 */
export async function* eventsOf(
  results: AsyncIterable<FormattedExecutionResult> | FormattedExecutionResult,
): AsyncGenerator<string> {
  // some browsers show the headers to nobody before the first byte
  yield PING;
  const source = Symbol.asyncIterator in results ? results : one(results);
  const iterator = source[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = iterator.next();
      let step: IteratorResult<FormattedExecutionResult> | undefined;
      while (!(step = await withinPing(next))) yield PING;
      if (step.done) break;
      yield `event: next\ndata: ${JSON.stringify(step.value)}\n\n`;
    }
    yield 'event: complete\ndata:\n\n';
  } finally {
    await iterator.return?.();
  }
}

async function* one<T>(result: T): AsyncGenerator<T> {
  yield result;
}

/** Undefined when nothing came before the next ping. */
function withinPing<T>(next: Promise<T>): Promise<T | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<T | undefined>();
  const timer = setTimeout(() => resolve(undefined), PING_MS);
  next.then(resolve, reject).finally(() => clearTimeout(timer));
  return promise;
}
