import { code, table } from './tables.js';

export type OpenApi = Record<string, unknown>;

/** A call of the REST layer, as the OpenAPI document has it. */
export interface Call {
  method: string;
  path: string;
  summary: string;
  /** Where the viewer shows it. */
  place: string;
}

/** Every call of a document, in its order. */
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

/** The anchor that the viewer makes of an operation. */
const placeOf = (method: string, path: string, tag: string): string =>
  `/docs/reference#tag/${tag.toLowerCase().replaceAll(' ', '-')}/${method}${path}`;

/** Finds the call that a text in code marks names, such as `GET /api/v1/orders.csv?from=…`. */
export function callFinder(calls: readonly Call[]): (text: string) => Call | undefined {
  const byName = new Map(calls.map((call) => [`${call.method} ${call.path}`, call]));
  return (text) => byName.get(text.split('?', 1)[0]!);
}

export const callTable = (calls: readonly Call[]): string =>
  table(
    ['Call', 'Description'],
    calls.map(({ method, path, summary }) => [code(`${method} ${path}`), summary]),
  );
