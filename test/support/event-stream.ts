import type { FormattedExecutionResult } from 'graphql';

/** Accept header that Apollo Client sends with a subscription. */
export const APOLLO_ACCEPT =
  'multipart/mixed;boundary=graphql;subscriptionSpec=1.0,application/graphql-response+json,application/json;q=0.9';

/** A request for an event stream. Resolves when the stream is accepted or rejected. */
export const openEventStream = (
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

async function* piecesOf({ body }: Response, delimiter: string): AsyncGenerator<string> {
  let text = '';
  for await (const chunk of body!.pipeThrough(new TextDecoderStream())) {
    const pieces = (text + chunk).split(delimiter);
    text = pieces.pop()!;
    yield* pieces;
  }
  if (text !== '') yield text;
}

/** Parts of a multipart stream, up to its closing boundary. Throws if it is interrupted. */
export async function* partsOf(response: Response): AsyncGenerator<any> {
  const HEAD = '\r\ncontent-type: application/json\r\n\r\n';
  for await (const piece of piecesOf(response, '\r\n--graphql')) {
    if (piece === '--\r\n') return;
    // before the first boundary
    if (piece === '') continue;
    if (!piece.startsWith(HEAD)) throw new Error(`Not a valid part: ${JSON.stringify(piece)}`);
    yield JSON.parse(piece.slice(HEAD.length));
  }
  throw new Error('The stream was interrupted.');
}

/** Results of a stream, up to its end. Throws if it is interrupted. */
export async function* resultsOf(response: Response): AsyncGenerator<FormattedExecutionResult<any>> {
  if (response.headers.get('content-type')!.startsWith('multipart/mixed')) {
    for await (const { payload, errors } of partsOf(response))
      if (payload !== undefined) yield payload ?? { data: null, errors };
    return;
  }
  for await (const event of piecesOf(response, '\n\n')) {
    if (event === 'event: complete\ndata:') return;
    if (event.startsWith('event: next\ndata: ')) yield JSON.parse(event.slice('event: next\ndata: '.length));
  }
  throw new Error('The stream was interrupted.');
}

export const codesOf = ({ errors = [] }: FormattedExecutionResult<any>): unknown[] =>
  errors.map(({ extensions }) => extensions?.code);
