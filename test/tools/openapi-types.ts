import openapiTS, { astToString } from 'openapi-typescript';

/** The types of a client, as openapi-typescript makes them of a document. */
export async function typesOf(document: object): Promise<string> {
  const types = astToString(await openapiTS(withoutProse(document) as never));
  // 3.0 has enums of one word for constants, which only the comments tell
  return types.replaceAll(/^ *\/\*\*[^]*?\*\/\n/gm, '');
}

/** Texts for people say nothing of types, and change more often. */
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
