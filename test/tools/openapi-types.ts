import openapiTS, { astToString } from 'openapi-typescript';

/** The types that openapi-typescript generates from a document. */
export async function typesOf(document: object): Promise<string> {
  const types = astToString(await openapiTS(withoutProse(document) as never));
  // 3.0 uses enums with one value for constants, which is visible only in comments
  return types.replaceAll(/^ *\/\*\*[^]*?\*\/\n/gm, '');
}

/** Descriptions do not affect types and change more often. */
function withoutProse(part: unknown, key = ''): unknown {
  if (Array.isArray(part)) return part.map((item) => withoutProse(item));
  if (part === null || typeof part !== 'object') return part;
  const isNamed = key === 'properties';
  return Object.fromEntries(
    Object.entries(part)
      .filter(([name]) => isNamed || !['description', 'summary', 'example', 'examples', 'format'].includes(name))
      .map(([name, inner]) => [name, withoutProse(inner, isNamed ? '' : name)]),
  );
}
