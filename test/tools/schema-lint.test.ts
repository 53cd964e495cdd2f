import plugin from '@graphql-eslint/eslint-plugin';
import { ESLint } from 'eslint';
import { expect, it } from 'vitest';

const all: Record<string, unknown> = {
  ...plugin.configs['flat/schema-all'].rules,
  ...plugin.configs['flat/schema-relay'].rules,
};
const [, names] = all['@graphql-eslint/naming-convention'] as [string, object];

/** All schema rules of the plugin, with reasons for every exception. */
const rules = {
  ...all,
  '@graphql-eslint/naming-convention': [
    'error',
    { ...names, InputObjectTypeDefinition: { style: 'PascalCase', requiredPattern: /(Input|Filter|Change)$/ } },
  ],
  // root types are lists of their fields and need no description
  '@graphql-eslint/require-description': [
    'error',
    {
      types: true,
      DirectiveDefinition: true,
      FieldDefinition: true,
      InputValueDefinition: true,
      EnumValueDefinition: true,
      ignoredSelectors: ['[type=ObjectTypeDefinition][name.value=/^(Query|Mutation|Subscription)$/]'],
    },
  ],
  // value types, which are part of another type; all other types have an ID
  '@graphql-eslint/strict-id-in-types': [
    'error',
    {
      exceptions: {
        suffixes: ['Payload', 'Result', 'Connection', 'Edge'],
        types: [
          'Actor',
          'Allowance',
          'OrderStatusCheck',
          'AuditChange',
          'Bank',
          'CardBill',
          'Circle',
          'Customer',
          'ResolvedOrder',
          'Decline',
          'DefaultLeadCustomer',
          'Defaults',
          'DthCustomer',
          'EndpointRateLimit',
          'EntryPreview',
          'EnvironmentInfo',
          'GoLiveStep',
          'KycDraft',
          'KycSummary',
          'OrderUnchanged',
          'OrderEvent',
          'OrderPause',
          'PageInfo',
          'PlanGroup',
          'PostingPreview',
          'ProductDetails',
          'ProductionRequest',
          'ApprovalRequestApproved',
          'ApprovalRequestCreated',
          'ApprovalRequestOrder',
          'ProviderChoice',
          'ProviderHealth',
          'RateLimit',
          'RejectedCall',
          'ReviewOrder',
          'ReviewTotal',
          'SearchHit',
          'SecurityEvent',
          'ServiceAccessUndo',
          'StatementDifference',
          'StatementEvidence',
          'Viewer',
          'WalletCorrection',
          'WalletDay',
          'WalletEffect',
          'WalletUpdated',
          'Warning',
          'WebhookHealth',
          'WebhookAttempt',
          'WorkItem',
        ],
      },
    },
  ],
  // short lists are plain lists; entries of logs and queues are only read in their list
  '@graphql-eslint/relay-edge-types': ['error', { listTypeCanWrapOnlyEdgeType: false, shouldImplementNode: false }],
  // accountNumber, customerId, leadCode and productId are external IDs, next to our own
  '@graphql-eslint/no-typename-prefix': 'off',
  // sorted case-insensitively by the generator
  '@graphql-eslint/alphabetize': 'off',
  // forbids the configured root types
  '@graphql-eslint/no-root-type': 'off',
  // a mutation returns the changed objects instead of the query root
  '@graphql-eslint/require-field-of-type-query-in-mutation-result': 'off',
};

it.each(['schema.graphql', 'schema.console.graphql'])('%s follows the lint rules for client schemas', async (file) => {
  const eslint = new ESLint({
    overrideConfigFile: true,
    overrideConfig: {
      files: ['*.graphql'],
      languageOptions: { parser: plugin.parser, parserOptions: { graphQLConfig: { schema: file } } },
      plugins: { '@graphql-eslint': plugin as never },
      rules: rules as never,
    },
  });
  const [result] = await eslint.lintFiles(file);
  // used in extensions.code, which no field of the schema references
  const found = result!.messages.filter(({ message }) => message !== 'Enum type `ErrorCode` is unreachable.');
  expect(found.map(({ line, ruleId, message }) => `${line} ${ruleId}: ${message}`)).toEqual([]);
});
