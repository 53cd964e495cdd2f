import { docUrlsOf } from '../../core/error-catalogue.js';
import type { PolicyRow } from '../../graphql/schema/policy.js';
import type { JsonSchema } from '../../graphql-toolkit/value-schema.js';
import { STRICT_TEXT } from '../reading-rules.js';
import { codesOf } from './codes.js';
import { headersNamed } from './headers.js';
import { accessText, limitText, tagOf } from './prose.js';
import { type Components, refusalResponses } from './refusals.js';

/** A path that answers a CSV file about some days, as the documents describe it. */
export interface DescribedFile {
  path: string;
  operationId: string;
  summary: string;
  description: string;
  row: PolicyRow;
  columns: readonly string[];
  maxDays: number;
}

const day = (name: 'from' | 'to', description: string): JsonSchema => ({
  name,
  in: 'query',
  required: true,
  description,
  schema: { type: 'string', format: 'date' },
  example: name === 'from' ? '2026-01-01' : '2026-01-31',
});

export function describedFile(
  file: DescribedFile,
  components: Components,
  { rateLimitPerMinute, baseUrl }: { rateLimitPerMinute: number; baseUrl: string },
): JsonSchema {
  const { path, operationId, summary, description, row, columns, maxDays } = file;
  const codes = codesOf({ rows: [row], hasBody: false, hasInput: true, own: [] });
  return {
    operationId,
    tags: [tagOf(path)],
    summary,
    description: [description, STRICT_TEXT, ...accessText([row]), ...limitText([row], rateLimitPerMinute)].join('\n\n'),
    security: [{ token: [] }],
    parameters: [day('from', 'The first day, in India.'), day('to', `The last day; at most ${maxDays} days.`)],
    responses: {
      200: {
        description: `The file. Its columns: ${columns.join(', ')}.`,
        headers: headersNamed([
          'X-Request-Id',
          'X-Correlation-Id',
          'RateLimit',
          'RateLimit-Policy',
          'X-RateLimit-Limit',
          'X-RateLimit-Remaining',
          'Content-Disposition',
        ]),
        content: { 'text/csv': { schema: { type: 'string' }, example: `${columns.join(',')}\r\n` } },
      },
      ...refusalResponses(
        {
          name: operationId,
          codes,
          docUrl: docUrlsOf(baseUrl),
          validationStatus: 422,
          fields: { from: { to: 'from', kind: 'text' } },
        },
        components,
      ),
    },
  };
}
