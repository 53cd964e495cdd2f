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

/** Suffixes that the plugin adds to the types of an operation. */
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
                  throw new Error('A document that is found by its text must contain exactly one operation.');
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
 * Generates the types of GraphQL documents, which are texts in the code: graphql(`query …`).
 *
 * To add a field to REST, write its type and resolver, and the document and response of the route, then run `npm run
 * generate`.
 */
const codegen: CodegenConfig = {
  // a schema here would be merged with those below, and of types with the same name in both graphs only one would remain
  emitLegacyCommonJSImports: false,
  generates: {
    'src/rest/generated/documents.ts': { ...typesByText('src/rest/routes/*.ts'), schema: 'schema.graphql' },
    'portal/src/generated/documents.ts': {
      ...typesByText('portal/src/**/*.{ts,tsx}'),
      schema: 'schema.console.graphql',
    },
    // for a test of a typed client
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
