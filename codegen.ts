import type { CodegenConfig } from '@graphql-codegen/cli';
import type { ClientPresetConfig } from '@graphql-codegen/client-preset';

const client = {
  preset: 'client' as const,
  presetConfig: { fragmentMasking: false } satisfies ClientPresetConfig,
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
};

/** Typed documents: of the stored operations, for REST's envelopes, and of the documents that tests send as a client would. */
const config: CodegenConfig = {
  schema: 'schema.graphql',
  emitLegacyCommonJSImports: false,
  generates: {
    'src/rest/generated/': { ...client, documents: ['src/rest/operations/*.graphql'] },
    'test/graphql/generated/': { ...client, documents: ['test/graphql/documents/*.graphql'] },
  },
};

export default config;
