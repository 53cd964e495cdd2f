/* eslint-disable */
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { TypedDocumentNode as DocumentNode } from '@graphql-typed-document-node/core';
/** Operator code of a DTH operator in plan and customer lookups. */
export type DthOpcode =
  /** Airtel Digital TV. */
  | 'ATV'
  /** Dish TV. */
  | 'DTV'
  /** Sun Direct. */
  | 'STV'
  /** Tata Play. */
  | 'TTV'
  /** Videocon d2h. */
  | 'VTV';

/** Operator code of a mobile operator in plan lookups. */
export type MobileOpcode =
  /** Airtel. */
  | 'A'
  /** BSNL Special. */
  | 'BS'
  /** BSNL Topup. */
  | 'BT'
  /** Jio. */
  | 'J'
  /** Vi. */
  | 'V';

/** Type of connection to recharge. */
export type OperatorType =
  /** Satellite TV (DTH) subscription. */
  | 'DTH'
  /** Prepaid mobile number. */
  | 'MOBILE';

export type CatalogueQueryVariables = Exact<{ [key: string]: never; }>;


export type CatalogueQuery = { productCategories: { fee: number, wallet: { balance: number } | null, categories: Array<{ categoryId: number, title: string, products: Array<{ productId: string, title: string, details: { campaignUrl: string } | null }> | null }> } | null };

export type PlansPageQueryVariables = Exact<{
  mobile: string;
  dthNumber: string;
  opcode: DthOpcode;
  key: string;
}>;


export type PlansPageQuery = { operatorFind: { operatorName: string, fee: number, circle: { code: string }, plans: { operatorName: string, fee: number, groups: Array<{ name: string, plans: Array<{ price: number, validity: string, description: string }> }> } | null } | null, dthPlans: { operatorName: string, fee: number, groups: Array<{ name: string }> } | null, dthInfo: { fee: number, customers: Array<{ name: string, balance: number }> } | null };

export type OperatorListQueryVariables = Exact<{ [key: string]: never; }>;


export type OperatorListQuery = { operators: Array<{ spKey: number, type: OperatorType, mobileOpcode: MobileOpcode | null, dthOpcode: DthOpcode | null }> | null, circles: Array<{ code: string }> | null };

export type PlansOfOperatorsQueryVariables = Exact<{
  mobileOpcode: MobileOpcode;
  circle: string;
  dthOpcode: DthOpcode;
}>;


export type PlansOfOperatorsQuery = { mobilePlans: { operator: { mobileOpcode: MobileOpcode | null, dthOpcode: DthOpcode | null } | null } | null, dthPlans: { operator: { mobileOpcode: MobileOpcode | null, dthOpcode: DthOpcode | null } | null } | null };


export const CatalogueDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Catalogue"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"productCategories"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"fee"}},{"kind":"Field","name":{"kind":"Name","value":"wallet"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"balance"}}]}},{"kind":"Field","name":{"kind":"Name","value":"categories"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"categoryId"}},{"kind":"Field","name":{"kind":"Name","value":"title"}},{"kind":"Field","name":{"kind":"Name","value":"products"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"productId"}},{"kind":"Field","name":{"kind":"Name","value":"title"}},{"kind":"Field","name":{"kind":"Name","value":"details"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"campaignUrl"}}]}}]}}]}}]}}]}}]} as unknown as DocumentNode<CatalogueQuery, CatalogueQueryVariables>;
export const PlansPageDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"PlansPage"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"mobile"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"dthNumber"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"opcode"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"DthOpcode"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"key"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"operatorFind"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"mobile"},"value":{"kind":"Variable","name":{"kind":"Name","value":"mobile"}}},{"kind":"ObjectField","name":{"kind":"Name","value":"clientRequestId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"key"}}}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"operatorName"}},{"kind":"Field","name":{"kind":"Name","value":"circle"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}}]}},{"kind":"Field","name":{"kind":"Name","value":"fee"}},{"kind":"Field","name":{"kind":"Name","value":"plans"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"operatorName"}},{"kind":"Field","name":{"kind":"Name","value":"fee"}},{"kind":"Field","name":{"kind":"Name","value":"groups"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"plans"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"price"}},{"kind":"Field","name":{"kind":"Name","value":"validity"}},{"kind":"Field","name":{"kind":"Name","value":"description"}}]}}]}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"dthPlans"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"dthNumber"},"value":{"kind":"Variable","name":{"kind":"Name","value":"dthNumber"}}},{"kind":"ObjectField","name":{"kind":"Name","value":"opcode"},"value":{"kind":"Variable","name":{"kind":"Name","value":"opcode"}}},{"kind":"ObjectField","name":{"kind":"Name","value":"clientRequestId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"key"}}}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"operatorName"}},{"kind":"Field","name":{"kind":"Name","value":"fee"}},{"kind":"Field","name":{"kind":"Name","value":"groups"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"dthInfo"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"dthNumber"},"value":{"kind":"Variable","name":{"kind":"Name","value":"dthNumber"}}},{"kind":"ObjectField","name":{"kind":"Name","value":"opcode"},"value":{"kind":"Variable","name":{"kind":"Name","value":"opcode"}}},{"kind":"ObjectField","name":{"kind":"Name","value":"clientRequestId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"key"}}}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"fee"}},{"kind":"Field","name":{"kind":"Name","value":"customers"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"balance"}}]}}]}}]}}]} as unknown as DocumentNode<PlansPageQuery, PlansPageQueryVariables>;
export const OperatorListDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"OperatorList"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"operators"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"spKey"}},{"kind":"Field","name":{"kind":"Name","value":"type"}},{"kind":"Field","name":{"kind":"Name","value":"mobileOpcode"}},{"kind":"Field","name":{"kind":"Name","value":"dthOpcode"}}]}},{"kind":"Field","name":{"kind":"Name","value":"circles"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}}]}}]}}]} as unknown as DocumentNode<OperatorListQuery, OperatorListQueryVariables>;
export const PlansOfOperatorsDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"PlansOfOperators"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"mobileOpcode"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"MobileOpcode"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"circle"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"CircleCode"}}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"dthOpcode"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"DthOpcode"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"mobilePlans"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"mobile"},"value":{"kind":"StringValue","value":"9876543210","block":false}},{"kind":"ObjectField","name":{"kind":"Name","value":"opcode"},"value":{"kind":"Variable","name":{"kind":"Name","value":"mobileOpcode"}}},{"kind":"ObjectField","name":{"kind":"Name","value":"circle"},"value":{"kind":"Variable","name":{"kind":"Name","value":"circle"}}}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"operator"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"mobileOpcode"}},{"kind":"Field","name":{"kind":"Name","value":"dthOpcode"}}]}}]}},{"kind":"Field","name":{"kind":"Name","value":"dthPlans"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"ObjectValue","fields":[{"kind":"ObjectField","name":{"kind":"Name","value":"dthNumber"},"value":{"kind":"StringValue","value":"1000234567","block":false}},{"kind":"ObjectField","name":{"kind":"Name","value":"opcode"},"value":{"kind":"Variable","name":{"kind":"Name","value":"dthOpcode"}}}]}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"operator"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"mobileOpcode"}},{"kind":"Field","name":{"kind":"Name","value":"dthOpcode"}}]}}]}}]}}]} as unknown as DocumentNode<PlansOfOperatorsQuery, PlansOfOperatorsQueryVariables>;