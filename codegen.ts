import type { CodegenConfig } from '@graphql-codegen/cli';

/** Typed documents of the stored operations: what REST envelopes, tests and the portal read. Run `npm run codegen` after a change. */
const config: CodegenConfig = {
  schema: 'schema.graphql',
  documents: ['src/rest/operations/*.graphql'],
  emitLegacyCommonJSImports: false,
  generates: {
    'src/rest/generated/': {
      preset: 'client',
      presetConfig: { fragmentMasking: false },
      config: {
        useTypeImports: true,
        enumsAsTypes: true,
        avoidOptionals: { field: true },
        scalars: {
          Rupees: 'number',
          Date: 'string',
          DateTime: 'string',
          CircleCode: 'string',
          SafeInt: 'number',
          ID: 'string',
        },
      },
    },
  },
};

export default config;
