const IN_REQUEST = /^\/components\/schemas\/\w+Request\/|\/parameters\//;

/** Requirements of client generators beyond a valid document. Each rule covers a construct that breaks at least one generator. */
const RULES: Readonly<Record<string, (schema: any, at: Place) => boolean>> = {
  'an enum contains null': ({ enum: words }) => Array.isArray(words) && words.includes(null),
  'an enum contains a boolean': ({ enum: words }) =>
    Array.isArray(words) && words.some((word) => typeof word === 'boolean'),
  'an enum also has a pattern': (schema) => schema.enum !== undefined && schema.pattern !== undefined,
  'a union has no name': ({ oneOf }, { path }) => oneOf !== undefined && !/^\/components\/schemas\/\w+$/.test(path),
  'a document of 3.0 contains a union': ({ oneOf, anyOf, allOf }, { is30 }) =>
    is30 && (oneOf ?? anyOf ?? allOf) !== undefined,
  'a response has no name': (media, { path }) =>
    /\/responses\/[^]*\/content\/application~1json$/.test(path) && media.schema?.$ref === undefined,
  'an amount in a request can have more than two decimal places': ({ type, multipleOf }, { path }) =>
    IN_REQUEST.test(path) && type === 'number' && multipleOf !== 0.01,
  'an amount in a request has no maximum': ({ type, maximum }, { path }) =>
    IN_REQUEST.test(path) && type === 'number' && maximum === undefined,
};

interface Place {
  path: string;
  is30: boolean;
}

const VALUES = new Set(['example', 'examples', 'default', 'enum', 'mapping', 'required']);

/** Every violation of the rules, as the rule and the JSON pointer. */
export function violations(document: any): string[] {
  const is30 = document.openapi.startsWith('3.0');
  const walk = (part: unknown, path: string): string[] => {
    if (part === null || typeof part !== 'object') return [];
    const broken = Object.keys(RULES).filter((rule) => RULES[rule]!(part, { path, is30 }));
    const inner = Object.entries(part).flatMap(([key, value]) =>
      VALUES.has(key) ? [] : walk(value, `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`),
    );
    return [...broken.map((rule) => `${rule}: ${path}`), ...inner];
  };
  return walk(document, '');
}
