import type { GraphQLField, GraphQLSchema } from 'graphql';
import { docUrlsOf } from '../../core/error-catalogue.js';
import type { FieldExtensions } from '../../graphql-toolkit/input.js';
import type { JsonSchema } from '../../graphql-toolkit/value-schema.js';
import { csvFields, type Fields, type ListFile, listField, XLSX_TYPE } from '../list-file.js';
import { STRICT_TEXT } from '../reading-rules.js';
import type { RestField } from '../route.js';
import { codesOf } from './codes.js';
import { headersNamed } from './headers.js';
import { accessText, limitText, tagOf } from './prose.js';
import { type Components, refusalResponses } from './refusals.js';
import { type Maxima, schemaOf } from './requests.js';
import { type Destination, inputField, schemaAt } from './variables.js';

/** List that can be downloaded as a file, with its texts for the documents. */
export interface DescribedFile extends ListFile {
  /** Prefix of the operation IDs. */
  name: string;
  title: string;
  description: string;
}

interface FileFormat {
  operationId: string;
  summary: string;
  /** Parameters of this format only. */
  options: Fields;
  content: JsonSchema;
}

/** Returns the formats of a file, by the extension of the path. */
const formatsOf = ({ name, title, columns }: DescribedFile): Readonly<Record<string, FileFormat>> => ({
  csv: {
    operationId: `${name}File`,
    summary: `${title} as a CSV file.`,
    options: csvFields,
    content: {
      'text/csv': { schema: { type: 'string' }, example: `${Object.keys(columns).join(',')}\r\n` },
    },
  },
  xlsx: {
    operationId: `${name}Workbook`,
    summary: `${title} as an Excel workbook.`,
    options: {},
    content: { [XLSX_TYPE]: { schema: { type: 'string', format: 'binary' } } },
  },
});

const EXAMPLES: Readonly<Record<string, string>> = { from: '2026-01-01', to: '2026-01-31' };

const day = (name: string, { description }: RestField): JsonSchema => ({
  name,
  in: 'query',
  required: true,
  description,
  schema: { type: 'string', format: 'date' },
  example: EXAMPLES[name],
});

/** Returns the destination of the value of a field. */
function destinationOf({ to }: RestField, { args, extensions }: GraphQLField<unknown, unknown>): Destination {
  const [name, property] = to.split('.') as [string, string?];
  const declared = args.find((argument) => argument.name === name)!;
  return property === undefined
    ? { declared, rules: (extensions as FieldExtensions).arguments }
    : inputField(declared.type, property)!;
}

function filter(name: string, field: RestField, list: GraphQLField<unknown, unknown>, maxima: Maxima): JsonSchema {
  const declared = schemaAt(destinationOf(field, list));
  const { description, ...schema } = schemaOf(field, declared, maxima);
  const style = field.list ? { style: 'form', explode: false } : {};
  return { name, in: 'query', required: false, description, ...style, schema };
}

const option = ([name, { description }]: [string, RestField]): JsonSchema => ({
  name,
  in: 'query',
  required: false,
  description,
  schema: { type: 'boolean' },
});

function parametersOf(fields: Fields, list: GraphQLField<unknown, unknown>, maxima: Maxima): JsonSchema[] {
  return Object.entries(fields).map(([name, field]) =>
    EXAMPLES[name] ? day(name, field) : filter(name, field, list, maxima),
  );
}

interface DescribedService {
  rateLimitPerMinute: number;
  baseUrl: string;
  maxima: Maxima;
}

/** Returns the paths of a file, one per format. */
export const describedFiles = (
  file: DescribedFile,
  schema: GraphQLSchema,
  components: Components,
  service: DescribedService,
): Record<string, JsonSchema> =>
  Object.fromEntries(
    Object.entries(formatsOf(file)).map(([ending, format]) => [
      `${file.path}.${ending}`,
      { get: described(file, format, { schema, components, service }) },
    ]),
  );

function described(
  file: DescribedFile,
  { operationId, summary, options, content }: FileFormat,
  {
    schema,
    components,
    service: { rateLimitPerMinute, baseUrl, maxima },
  }: { schema: GraphQLSchema; components: Components; service: DescribedService },
): JsonSchema {
  const { path, description, row, fields } = file;
  const columns = Object.keys(file.columns);
  const codes = codesOf({ rows: [row], hasBody: false, hasInput: true, own: [] });
  return {
    operationId,
    tags: [tagOf(path)],
    summary,
    description: [description, STRICT_TEXT, ...accessText([row]), ...limitText([row], rateLimitPerMinute)].join('\n\n'),
    security: [{ token: [] }],
    parameters: [...parametersOf(fields, listField(file, schema), maxima), ...Object.entries(options).map(option)],
    responses: {
      200: {
        description: `File with the columns ${columns.join(', ')}.`,
        headers: headersNamed([
          'X-Request-Id',
          'X-Correlation-Id',
          'RateLimit',
          'RateLimit-Policy',
          'X-RateLimit-Limit',
          'X-RateLimit-Remaining',
          'Content-Disposition',
        ]),
        content,
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
