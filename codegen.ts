import type { CodegenConfig } from '@graphql-codegen/cli';
import type { ClientPresetConfig } from '@graphql-codegen/client-preset';
import type { Types } from '@graphql-codegen/plugin-helpers';
import { Kind, OperationTypeNode } from 'graphql';
import { scalarTypes } from './src/graphql-toolkit/scalar-types.js';

const config = {
  useTypeImports: true,
  enumsAsTypes: true,
  avoidOptionals: { field: true },
  scalars: { ...scalarTypes, ID: 'string' },
};

/** As the plugin names the types of an operation. */
const SUFFIXES: Record<OperationTypeNode, string> = {
  [OperationTypeNode.QUERY]: 'Query',
  [OperationTypeNode.MUTATION]: 'Mutation',
  [OperationTypeNode.SUBSCRIPTION]: 'Subscription',
};

/** Only types, found by the text of their document: for the REST routes and the portal. */
const typesByText = (documents: string): Types.ConfiguredOutput => ({
  documents: [documents],
  config,
  plugins: ['typescript-operations'],
  preset: {
    buildGeneratesSection: ({ baseOutputDir, plugins, pluginMap, ...options }) => [
      {
        ...options,
        filename: baseOutputDir,
        plugins: [...plugins, { 'types by text': {} }],
        pluginMap: {
          ...pluginMap,
          'types by text': {
            plugin: (_schema, sources) => {
              const entries = sources.map(({ rawSDL, document }) => {
                const [operation] = document!.definitions;
                if (operation?.kind !== Kind.OPERATION_DEFINITION)
                  throw new Error('A document that is found by its text is one operation.');
                const name = operation.name!.value + SUFFIXES[operation.operation];
                return `  ${JSON.stringify(rawSDL)}: { data: ${name}; variables: ${name}Variables };`;
              });
              return `export interface Documents {\n${entries.join('\n')}\n}`;
            },
          },
        },
      },
    ],
  },
});

/**
 * The types of GraphQL documents, which stand in the code as texts: graphql(`query …`).
 *
 * A new field on its way to REST: write it (type and resolver, document and answer of the route), then `npm run generate`.
 */
const codegen: CodegenConfig = {
  // a schema here would be merged with those below, and one of two graphs' types with the same name would win
  emitLegacyCommonJSImports: false,
  generates: {
    'src/rest/generated/documents.ts': { ...typesByText('src/rest/routes/*.ts'), schema: 'schema.graphql' },
    'portal/src/generated/documents.ts': {
      ...typesByText('portal/src/**/*.{ts,tsx}'),
      schema: 'schema.console.graphql',
    },
    // of a client's
    'test/graphql/generated/': {
      schema: 'schema.graphql',
      documents: ['test/graphql/typed-client.test.ts'],
      config,
      preset: 'client',
      presetConfig: { fragmentMasking: false, skipIndexFile: true } satisfies ClientPresetConfig,
    },
  },
};

export default codegen;
