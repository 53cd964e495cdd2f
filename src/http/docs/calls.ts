import { code, table } from './tables.js';

export type OpenApi = Record<string, unknown>;

/** REST call in the OpenAPI document. */
export interface Call {
  method: string;
  path: string;
  summary: string;
  /** URL of the call in the viewer. */
  place: string;
}

/** Returns all calls of a document, in the order of the document. */
export const callsOf = (openApi: OpenApi): Call[] =>
  Object.entries(openApi.paths as Record<string, Record<string, Record<string, unknown>>>).flatMap(
    ([path, operations]) =>
      Object.entries(operations).map(([method, { summary, tags }]) => ({
        method: method.toUpperCase(),
        path,
        summary: String(summary),
        place: placeOf(method.toUpperCase(), path, (tags as string[])[0]!),
      })),
  );

/** Returns the anchor that the viewer generates for an operation. */
const placeOf = (method: string, path: string, tag: string): string =>
  `/docs/reference#tag/${tag.toLowerCase().replaceAll(' ', '-')}/${method}${path}`;

/** Finds the call for a code span such as `GET /api/v1/orders.csv?from=…`. */
export function callFinder(calls: readonly Call[]): (text: string) => Call | undefined {
  const byName = new Map(calls.map((call) => [`${call.method} ${call.path}`, call]));
  return (text) => byName.get(text.split('?', 1)[0]!);
}

export const callTable = (calls: readonly Call[]): string =>
  table(
    ['Call', 'Description'],
    calls.map(({ method, path, summary }) => [code(`${method} ${path}`), summary]),
  );
