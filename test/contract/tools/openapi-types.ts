import { registerHooks } from 'node:module';

/** TypeScript 7 has no API for its factory of syntax yet; ts-morph carries a version that has. */
const TYPESCRIPT_WITH_API = '@ts-morph/common/dist/typescript.js';

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'typescript' && context.parentURL?.includes('/openapi-typescript/')
      ? next(TYPESCRIPT_WITH_API, { ...context, parentURL: import.meta.url })
      : next(specifier, context),
});

/** The types of a client, as openapi-typescript makes them of a document. */
export async function typesOf(document: object): Promise<string> {
  const { default: openapiTS, astToString } = await import('openapi-typescript');
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
