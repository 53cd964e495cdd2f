import type { FormattedExecutionResult } from 'graphql';

/** A request for a stream of events; it has its place, or its refusal, when this resolves. */
export const askForEvents = (
  url: string,
  token: string | undefined,
  body: unknown,
  { headers = {}, signal }: { headers?: Record<string, string>; signal?: AbortSignal } = {},
): Promise<Response> =>
  fetch(`${url}/graphql`, {
    method: 'POST',
    ...(signal && { signal }),
    headers: {
      accept: 'text/event-stream',
      'content-type': 'application/json',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...headers,
    },
    body: JSON.stringify(body),
  });

/** The results of a stream, to its `complete`. Throws when it is cut. */
export async function* resultsOf({ body }: Response): AsyncGenerator<FormattedExecutionResult<any>> {
  let text = '';
  for await (const chunk of body!.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    const parts = text.split('\n\n');
    text = parts.pop()!;
    for (const part of parts) {
      if (part === 'event: complete\ndata:') return;
      if (part.startsWith('event: next\ndata: ')) yield JSON.parse(part.slice('event: next\ndata: '.length));
    }
  }
  throw new Error('The stream was cut.');
}

export const codesOf = ({ errors = [] }: FormattedExecutionResult<any>): unknown[] =>
  errors.map(({ extensions }) => extensions?.code);
