import type { CodegenConfig } from '@graphql-codegen/cli';

const gateway = process.env.GATEWAY_URL ?? 'http://127.0.0.1:4000';
const { scalars } = (await (await fetch(`${gateway}/clients.json`)).json()) as { scalars: Record<string, string> };

/** Generates types for the documents in src from the schema of the gateway. */
export default {
  schema: `${gateway}/schema.graphql`,
  documents: ['src/**/*.ts', 'src/**/*.tsx'],
  generates: { 'src/graphql/': { preset: 'client', config: { scalars, useTypeImports: true } } },
} satisfies CodegenConfig;
