import plugin from '@graphql-eslint/eslint-plugin';
import { ESLint } from 'eslint';
import { expect, it } from 'vitest';

const all: Record<string, unknown> = {
  ...plugin.configs['flat/schema-all'].rules,
  ...plugin.configs['flat/schema-relay'].rules,
};
const [, names] = all['@graphql-eslint/naming-convention'] as [string, object];

/** All rules of the plugin for schemas; of what is set otherwise, why it is. */
const rules = {
  ...all,
  '@graphql-eslint/naming-convention': [
    'error',
    { ...names, InputObjectTypeDefinition: { style: 'PascalCase', requiredPattern: /(Input|Filter|Change)$/ } },
  ],
  // the roots are a list of what they hold
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
  // values, which are read with what they belong to; anything else has an id
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
  // what is short is a plain list; entries of logs and queues are read with their list alone
  '@graphql-eslint/relay-edge-types': ['error', { listTypeCanWrapOnlyEdgeType: false, shouldImplementNode: false }],
  // accountNumber, customerId, leadCode and productId are the names of others for what has an id of ours too
  '@graphql-eslint/no-typename-prefix': 'off',
  // sorted by the program that writes the files, upper and lower case alike
  '@graphql-eslint/alphabetize': 'off',
  // forbids the roots that it is told to
  '@graphql-eslint/no-root-type': 'off',
  // a mutation answers with what it changed, not with everything
  '@graphql-eslint/require-field-of-type-query-in-mutation-result': 'off',
};

it.each(['schema.graphql', 'schema.console.graphql'])('%s keeps the rules of clients', async (file) => {
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
  // extensions.code has it, to which no field of a schema leads
  const found = result!.messages.filter(({ message }) => message !== 'Enum type `ErrorCode` is unreachable.');
  expect(found.map(({ line, ruleId, message }) => `${line} ${ruleId}: ${message}`)).toEqual([]);
});
