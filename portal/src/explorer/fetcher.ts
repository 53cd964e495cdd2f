import type { Fetcher, GraphqlRequest } from 'graphiql';

/** Posts a GraphQL request. `signal` aborts it. */
export type Send = (body: string, headers: Record<string, string>, signal?: AbortSignal) => Promise<Response>;

/** Removes comments, whitespace and commas from a document. */
export const normalizeDocument = (document: string): string =>
  document.replace(/("{3}[^]*?"{3}|"(?:\\.|[^"\\\n])*")|#.*|[\s,\ufeff]+/g, (_, text) => text ?? ' ').trim();

// Whether the selected operation is a subscription. GraphiQL parses a document with a delay, so the operation type is read from
// the text outside all braces.
function isSubscription({ query: document, operationName }: GraphqlRequest): boolean {
  let text = normalizeDocument(document).replace(/"{3}[^]*?"{3}|"(?:\\.|[^"\\\n])*"/g, '');
  for (let inner; (inner = text.replace(/[{(][^{}()]*[)}]/g, ' ')) !== text; ) text = inner;
  return new RegExp(`\\bsubscription\\b${operationName ? `\\s+${operationName}\\b` : ''}`).test(text);
}

async function* eventsOf(pendingResponse: Promise<Response>, signal: AbortSignal): AsyncGenerator<unknown, void> {
  try {
    const response = await pendingResponse;
    if (!response.headers.get('content-type')?.startsWith('text/event-stream')) return yield await response.json();
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    for (;;) {
      const { done, value } = await reader.read();
      if (done) throw new Error('The connection was lost.');
      const events = (text + value).split('\n\n');
      text = events.pop()!;
      for (const event of events) {
        if (event.startsWith('event: complete')) return;
        const [, data] = event.match(/^event: next\ndata: (.*)/) ?? [];
        if (data) yield JSON.parse(data);
      }
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

function subscribe(send: Send, body: string, headers: Record<string, string>): AsyncGenerator<unknown, void> {
  const client = new AbortController();
  const results = eventsOf(send(body, { ...headers, accept: 'text/event-stream' }, client.signal), client.signal);
  const end = results.return.bind(results);
  // Without this, a generator that waits for the next event would not end before that event.
  results.return = (value) => {
    client.abort();
    return end(value);
  };
  return results;
}

/**
 * Fetcher for GraphiQL. The built-in fetcher supports subscriptions only over WebSocket; this service uses server-sent
 * events.
 */
export const fetcherOf =
  (send: Send): Fetcher =>
  (request, { headers = {} } = {}) => {
    const body = JSON.stringify(request);
    const allHeaders = { 'content-type': 'application/json', ...headers };
    return isSubscription(request)
      ? subscribe(send, body, allHeaders)
      : send(body, { ...allHeaders, accept: 'application/json' }).then(
          (response) => response.json() as Promise<unknown>,
        );
  };

/** In-memory storage for GraphiQL. */
export function memoryStorage(entries = new Map<string, string>()) {
  return {
    getItem: (key: string): string | null => entries.get(key) ?? null,
    setItem: (key: string, value: string): void => void entries.set(key, value),
    removeItem: (key: string): void => void entries.delete(key),
    clear: (): void => entries.clear(),
    get length(): number {
      return entries.size;
    },
  };
}
