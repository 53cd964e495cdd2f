/* eslint-disable */
import * as types from './graphql.js';
import type { TypedDocumentNode as DocumentNode } from '@graphql-typed-document-node/core';

/**
 * Map of all GraphQL operations in the project.
 *
 * This map has several performance disadvantages:
 * 1. It is not tree-shakeable, so it will include all operations in the project.
 * 2. It is not minifiable, so the string of a GraphQL query will be multiple times inside the bundle.
 * 3. It does not support dead code elimination, so it will add unused operations.
 *
 * Therefore it is highly recommended to use the babel or swc plugin for production.
 * Learn more about it here: https://the-guild.dev/graphql/codegen/plugins/presets/preset-client#reducing-bundle-size
 */
type Documents = {
    "\n  query Catalogue {\n    productCategories {\n      fee\n      wallet { balance }\n      categories {\n        categoryId\n        title\n        products { productId title details { campaignUrl } }\n      }\n    }\n  }\n": typeof types.CatalogueDocument,
    "\n  query PlansPage($mobile: String!, $dthNumber: String!, $opcode: DthOpcode!, $key: String!) {\n    operatorFind(input: { mobile: $mobile, clientRequestId: $key }) {\n      operatorName\n      circle { code }\n      fee\n      plans {\n        operatorName\n        fee\n        groups { name plans { price validity description } }\n      }\n    }\n    dthPlans(input: { dthNumber: $dthNumber, opcode: $opcode, clientRequestId: $key }) {\n      operatorName\n      fee\n      groups { name }\n    }\n    dthInfo(input: { dthNumber: $dthNumber, opcode: $opcode, clientRequestId: $key }) {\n      fee\n      customers { name balance }\n    }\n  }\n": typeof types.PlansPageDocument,
    "\n  query OperatorList {\n    operators { spKey type mobileOpcode dthOpcode }\n    circles { code }\n  }\n": typeof types.OperatorListDocument,
    "\n  query PlansOfOperators($mobileOpcode: MobileOpcode!, $circle: CircleCode!, $dthOpcode: DthOpcode!) {\n    mobilePlans(input: { mobile: \"9876543210\", opcode: $mobileOpcode, circle: $circle }) {\n      operator { mobileOpcode dthOpcode }\n    }\n    dthPlans(input: { dthNumber: \"1000234567\", opcode: $dthOpcode }) { operator { mobileOpcode dthOpcode } }\n  }\n": typeof types.PlansOfOperatorsDocument,
};
const documents: Documents = {
    "\n  query Catalogue {\n    productCategories {\n      fee\n      wallet { balance }\n      categories {\n        categoryId\n        title\n        products { productId title details { campaignUrl } }\n      }\n    }\n  }\n": types.CatalogueDocument,
    "\n  query PlansPage($mobile: String!, $dthNumber: String!, $opcode: DthOpcode!, $key: String!) {\n    operatorFind(input: { mobile: $mobile, clientRequestId: $key }) {\n      operatorName\n      circle { code }\n      fee\n      plans {\n        operatorName\n        fee\n        groups { name plans { price validity description } }\n      }\n    }\n    dthPlans(input: { dthNumber: $dthNumber, opcode: $opcode, clientRequestId: $key }) {\n      operatorName\n      fee\n      groups { name }\n    }\n    dthInfo(input: { dthNumber: $dthNumber, opcode: $opcode, clientRequestId: $key }) {\n      fee\n      customers { name balance }\n    }\n  }\n": types.PlansPageDocument,
    "\n  query OperatorList {\n    operators { spKey type mobileOpcode dthOpcode }\n    circles { code }\n  }\n": types.OperatorListDocument,
    "\n  query PlansOfOperators($mobileOpcode: MobileOpcode!, $circle: CircleCode!, $dthOpcode: DthOpcode!) {\n    mobilePlans(input: { mobile: \"9876543210\", opcode: $mobileOpcode, circle: $circle }) {\n      operator { mobileOpcode dthOpcode }\n    }\n    dthPlans(input: { dthNumber: \"1000234567\", opcode: $dthOpcode }) { operator { mobileOpcode dthOpcode } }\n  }\n": types.PlansOfOperatorsDocument,
};

/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 *
 *
 * @example
 * ```ts
 * const query = graphql(`query GetUser($id: ID!) { user(id: $id) { name } }`);
 * ```
 *
 * The query argument is unknown!
 * Please regenerate the types.
 */
export function graphql(source: string): unknown;

/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query Catalogue {\n    productCategories {\n      fee\n      wallet { balance }\n      categories {\n        categoryId\n        title\n        products { productId title details { campaignUrl } }\n      }\n    }\n  }\n"): (typeof documents)["\n  query Catalogue {\n    productCategories {\n      fee\n      wallet { balance }\n      categories {\n        categoryId\n        title\n        products { productId title details { campaignUrl } }\n      }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query PlansPage($mobile: String!, $dthNumber: String!, $opcode: DthOpcode!, $key: String!) {\n    operatorFind(input: { mobile: $mobile, clientRequestId: $key }) {\n      operatorName\n      circle { code }\n      fee\n      plans {\n        operatorName\n        fee\n        groups { name plans { price validity description } }\n      }\n    }\n    dthPlans(input: { dthNumber: $dthNumber, opcode: $opcode, clientRequestId: $key }) {\n      operatorName\n      fee\n      groups { name }\n    }\n    dthInfo(input: { dthNumber: $dthNumber, opcode: $opcode, clientRequestId: $key }) {\n      fee\n      customers { name balance }\n    }\n  }\n"): (typeof documents)["\n  query PlansPage($mobile: String!, $dthNumber: String!, $opcode: DthOpcode!, $key: String!) {\n    operatorFind(input: { mobile: $mobile, clientRequestId: $key }) {\n      operatorName\n      circle { code }\n      fee\n      plans {\n        operatorName\n        fee\n        groups { name plans { price validity description } }\n      }\n    }\n    dthPlans(input: { dthNumber: $dthNumber, opcode: $opcode, clientRequestId: $key }) {\n      operatorName\n      fee\n      groups { name }\n    }\n    dthInfo(input: { dthNumber: $dthNumber, opcode: $opcode, clientRequestId: $key }) {\n      fee\n      customers { name balance }\n    }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query OperatorList {\n    operators { spKey type mobileOpcode dthOpcode }\n    circles { code }\n  }\n"): (typeof documents)["\n  query OperatorList {\n    operators { spKey type mobileOpcode dthOpcode }\n    circles { code }\n  }\n"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "\n  query PlansOfOperators($mobileOpcode: MobileOpcode!, $circle: CircleCode!, $dthOpcode: DthOpcode!) {\n    mobilePlans(input: { mobile: \"9876543210\", opcode: $mobileOpcode, circle: $circle }) {\n      operator { mobileOpcode dthOpcode }\n    }\n    dthPlans(input: { dthNumber: \"1000234567\", opcode: $dthOpcode }) { operator { mobileOpcode dthOpcode } }\n  }\n"): (typeof documents)["\n  query PlansOfOperators($mobileOpcode: MobileOpcode!, $circle: CircleCode!, $dthOpcode: DthOpcode!) {\n    mobilePlans(input: { mobile: \"9876543210\", opcode: $mobileOpcode, circle: $circle }) {\n      operator { mobileOpcode dthOpcode }\n    }\n    dthPlans(input: { dthNumber: \"1000234567\", opcode: $dthOpcode }) { operator { mobileOpcode dthOpcode } }\n  }\n"];

export function graphql(source: string) {
  return (documents as any)[source] ?? {};
}

export type DocumentType<TDocumentNode extends DocumentNode<any, any>> = TDocumentNode extends DocumentNode<  infer TType,  any>  ? TType  : never;