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
    "mutation IssueToken($input: IssueTokenInput!) {\n  result: issueToken(input: $input) {\n    token\n    tokenType\n    environment\n    baseUrl\n    expiresAt\n    user {\n      id\n      name\n      email\n    }\n  }\n}": typeof types.IssueTokenDocument,
    "query Me {\n  result: me {\n    id\n    name\n    email\n    roles\n    permissions\n  }\n}": typeof types.MeDocument,
    "mutation Recharge($input: RechargeInput!) {\n  result: recharge(input: $input) {\n    status\n    message\n    amount\n    createdAt\n    operatorRef\n    accountNumber\n    apiRequestId\n    providerTxnId\n    clientRequestId\n    walletBalance\n  }\n}": typeof types.RechargeDocument,
};
const documents: Documents = {
    "mutation IssueToken($input: IssueTokenInput!) {\n  result: issueToken(input: $input) {\n    token\n    tokenType\n    environment\n    baseUrl\n    expiresAt\n    user {\n      id\n      name\n      email\n    }\n  }\n}": types.IssueTokenDocument,
    "query Me {\n  result: me {\n    id\n    name\n    email\n    roles\n    permissions\n  }\n}": types.MeDocument,
    "mutation Recharge($input: RechargeInput!) {\n  result: recharge(input: $input) {\n    status\n    message\n    amount\n    createdAt\n    operatorRef\n    accountNumber\n    apiRequestId\n    providerTxnId\n    clientRequestId\n    walletBalance\n  }\n}": types.RechargeDocument,
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
export function graphql(source: "mutation IssueToken($input: IssueTokenInput!) {\n  result: issueToken(input: $input) {\n    token\n    tokenType\n    environment\n    baseUrl\n    expiresAt\n    user {\n      id\n      name\n      email\n    }\n  }\n}"): (typeof documents)["mutation IssueToken($input: IssueTokenInput!) {\n  result: issueToken(input: $input) {\n    token\n    tokenType\n    environment\n    baseUrl\n    expiresAt\n    user {\n      id\n      name\n      email\n    }\n  }\n}"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "query Me {\n  result: me {\n    id\n    name\n    email\n    roles\n    permissions\n  }\n}"): (typeof documents)["query Me {\n  result: me {\n    id\n    name\n    email\n    roles\n    permissions\n  }\n}"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "mutation Recharge($input: RechargeInput!) {\n  result: recharge(input: $input) {\n    status\n    message\n    amount\n    createdAt\n    operatorRef\n    accountNumber\n    apiRequestId\n    providerTxnId\n    clientRequestId\n    walletBalance\n  }\n}"): (typeof documents)["mutation Recharge($input: RechargeInput!) {\n  result: recharge(input: $input) {\n    status\n    message\n    amount\n    createdAt\n    operatorRef\n    accountNumber\n    apiRequestId\n    providerTxnId\n    clientRequestId\n    walletBalance\n  }\n}"];

export function graphql(source: string) {
  return (documents as any)[source] ?? {};
}

export type DocumentType<TDocumentNode extends DocumentNode<any, any>> = TDocumentNode extends DocumentNode<  infer TType,  any>  ? TType  : never;