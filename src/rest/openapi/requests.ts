import type { GraphQLSchema } from 'graphql';
import { type Paise, rupeesNumber } from '../../core/money.js';
import type { JsonSchema } from '../../graphql-toolkit/value-schema.js';
import { KEY_HEADER } from '../handler.js';
import { parametersOf } from '../path.js';
import { type Maximum, operationOf, type RestField, type RestRoute, takesBody } from '../route.js';
import { destinationsOf, inputField, isRequired, schemaAt } from './variables.js';

export type Maxima = Readonly<Record<Maximum, Paise>>;

/** A field of the body, or a parameter of the URL. */
export interface DescribedField {
  name: string;
  required: boolean;
  schema: JsonSchema;
}

/** Returns the fields of a route, with the types and rules of their destinations. Throws if a field has no destination. */
export function fieldsOf(route: RestRoute, schema: GraphQLSchema, maxima: Maxima): DescribedField[] {
  const destinations = destinationsOf(schema, operationOf(route));
  return Object.entries(route.fields).map(([name, field]) => {
    const [variable, property] = field.to.split('.') as [string, string?];
    const outer = destinations.get(variable);
    const destination = property === undefined ? outer : inputField(outer?.declared.type, property);
    if (!destination) throw new Error(`The field ${name} of ${route.path} has no destination.`);
    return {
      name,
      required: field.required ?? isRequired(destination),
      schema: schemaOf(field, schemaAt(destination), maxima),
    };
  });
}

/** Returns the REST schema for a value of this GraphQL schema. */
export function schemaOf(
  { kind, list, atMost, description, alsoNumber }: RestField,
  declared: JsonSchema,
  maxima: Maxima,
): JsonSchema {
  const words = typeof kind === 'object' ? { enum: Object.keys(kind) } : {};
  const { format: _, ...anyText } = declared;
  const { pattern: __, ...listed } = declared;
  return {
    // a date is accepted as well
    ...(kind === 'from' || kind === 'to' ? anyText : declared.enum ? listed : declared),
    ...(list ? { items: { ...(declared.items as JsonSchema), ...words } } : words),
    ...(atMost ? { maximum: rupeesNumber(maxima[atMost]) } : {}),
    ...aboutNumbers(description ?? declared.description, alsoNumber),
  };
}

function aboutNumbers(description: unknown, alsoNumber: RestField['alsoNumber']): JsonSchema {
  const text = alsoNumber
    ? `In JSON, a whole number is also accepted${alsoNumber === true ? '' : ` if ${alsoNumber.where} is ${alsoNumber.is}`}; responses contain text.`
    : '';
  const whole = [description, text].filter(Boolean).join(' ');
  return whole ? { description: whole } : {};
}

/** Returns the parameters and body of an operation. `body` refers to the schema of the body. */
export function requestOf(
  route: RestRoute,
  fields: readonly DescribedField[],
  example: Readonly<Record<string, unknown>>,
  body: { $ref: string },
): JsonSchema {
  const inPath = parametersOf(route.path);
  const hasBody = takesBody(route);
  const parameters = [
    ...fields.flatMap(({ name, required, schema: { description, ...schema } }) => {
      const place = inPath.includes(name) ? 'path' : hasBody ? undefined : 'query';
      const shown = example[name] === undefined ? {} : { example: example[name] };
      const style = route.fields[name]!.list ? { style: 'form', explode: false } : {};
      return place
        ? [{ name, in: place, required: required || place === 'path', description, ...style, schema, ...shown }]
        : [];
    }),
    ...fields.filter(({ name }) => name === route.keyField).map(keyHeader),
    ...(route.mayBePending ? [WAIT_HEADER] : []),
  ];
  return {
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(hasBody && bodyFields(route, fields).length > 0 ? { requestBody: requestBody(body, example, inPath) } : {}),
  };
}

const bodyFields = (route: RestRoute, fields: readonly DescribedField[]): DescribedField[] =>
  fields.filter(({ name }) => !parametersOf(route.path).includes(name));

/**
 * Returns the schema of the body, or undefined for a request without a body. The schema has no defaults, because code generators
 * treat fields with a default as required. The descriptions contain the defaults.
 */
export function bodySchema(route: RestRoute, fields: readonly DescribedField[]): JsonSchema | undefined {
  const own = bodyFields(route, fields);
  if (!takesBody(route) || own.length === 0) return undefined;
  const required = own.filter((field) => field.required).map(({ name }) => name);
  return {
    type: 'object',
    properties: Object.fromEntries(own.map(({ name, schema: { default: _, ...schema } }) => [name, schema])),
    ...(required.length > 0 ? { required } : {}),
  };
}

function requestBody(
  schema: { $ref: string },
  example: Readonly<Record<string, unknown>>,
  inPath: string[],
): JsonSchema {
  const own = Object.fromEntries(Object.entries(example).filter(([name]) => !inPath.includes(name)));
  return {
    required: true,
    description:
      'JSON object. The fields can also be sent as text in an application/x-www-form-urlencoded or multipart/form-data body: numbers as plain decimals, no files.',
    content: { 'application/json': { schema, example: own } },
  };
}

const WAIT_HEADER: JsonSchema = {
  name: 'Prefer',
  in: 'header',
  required: false,
  schema: { type: 'string', pattern: '^wait=[0-9]+$' },
  example: 'wait=8',
  description:
    'Maximum time in seconds to wait for the outcome (RFC 7240), if shorter than the default. After that time, the status in the response is pending.',
};

const keyHeader = ({ name, schema: { description: _, ...schema } }: DescribedField): JsonSchema => ({
  name: KEY_HEADER,
  in: 'header',
  required: false,
  schema,
  description: `Idempotency key. Used if the body does not contain ${name}.`,
});
