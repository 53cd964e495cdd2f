/* eslint-disable */
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { TypedDocumentNode as DocumentNode } from '@graphql-typed-document-node/core';
/** The two worlds of the API, each with hosts, credentials, tokens and a wallet of its own. */
export type Environment =
  /** Live providers and real money. */
  | 'PRODUCTION'
  /** Sample data and play money; no provider is ever called. */
  | 'UAT';

/** Client credentials of one environment. */
export type IssueTokenInput = {
  /** The API secret that was shown once. */
  apiSecret: string;
  /** Public identifier. */
  clientId: string;
  /** Free label. */
  deviceName?: string | null | undefined;
  /** Must be the environment of this host. */
  environment: Environment;
};

/** What is recharged. */
export type OperatorType =
  /** A satellite-TV subscription. */
  | 'DTH'
  /** A prepaid mobile number. */
  | 'MOBILE';

/** What is known of a recharge or payment. */
export type OrderStatus =
  /** Not performed, or taken back; the money is in the wallet again. */
  | 'FAILED'
  /** The outcome is not known yet and the money is held. Never create a new order: repeat the request with the same key. */
  | 'PENDING'
  /** Performed; the debit is final. */
  | 'SUCCESS';

/** A recharge of a prepaid mobile number or a DTH subscription. */
export type RechargeInput = {
  /** Mobile: 10-digit number. DTH: subscriber or account number, 4 to 20 characters. */
  accountNumber: string;
  /** Rupees, greater than 0. */
  amount: number;
  /** Mobile: circle name or code from the lookups. Not used for DTH. */
  circle?: string | null | undefined;
  /** Your unique order id: a repetition gets the first answer instead of a second recharge. */
  clientRequestId?: string | null | undefined;
  /** Contact number of the customer. */
  customerNumber?: string | null | undefined;
  /** Latitude and longitude of the sale. */
  geocode?: string | null | undefined;
  /** Operator code (SP key). */
  operatorSpKey: number;
  /** What is recharged. */
  operatorType: OperatorType;
  /** PIN code of the sale. */
  pincode?: string | null | undefined;
};

export type IssueTokenMutationVariables = Exact<{
  input: IssueTokenInput;
}>;


export type IssueTokenMutation = { result: { token: string, tokenType: string, environment: Environment, baseUrl: string, expiresAt: string, user: { id: number, name: string, email: string } } | null };

export type MeQueryVariables = Exact<{ [key: string]: never; }>;


export type MeQuery = { result: { id: number, name: string, email: string, roles: Array<string>, permissions: Array<string> } | null };

export type RechargeMutationVariables = Exact<{
  input: RechargeInput;
}>;


export type RechargeMutation = { result: { status: OrderStatus, message: string, amount: number, createdAt: string, operatorRef: string | null, accountNumber: string, apiRequestId: string, providerTxnId: string | null, clientRequestId: string | null, walletBalance: number } | null };


export const IssueTokenDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"IssueToken"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"IssueTokenInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","alias":{"kind":"Name","value":"result"},"name":{"kind":"Name","value":"issueToken"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"token"}},{"kind":"Field","name":{"kind":"Name","value":"tokenType"}},{"kind":"Field","name":{"kind":"Name","value":"environment"}},{"kind":"Field","name":{"kind":"Name","value":"baseUrl"}},{"kind":"Field","name":{"kind":"Name","value":"expiresAt"}},{"kind":"Field","name":{"kind":"Name","value":"user"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"email"}}]}}]}}]}}]} as unknown as DocumentNode<IssueTokenMutation, IssueTokenMutationVariables>;
export const MeDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Me"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","alias":{"kind":"Name","value":"result"},"name":{"kind":"Name","value":"me"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"email"}},{"kind":"Field","name":{"kind":"Name","value":"roles"}},{"kind":"Field","name":{"kind":"Name","value":"permissions"}}]}}]}}]} as unknown as DocumentNode<MeQuery, MeQueryVariables>;
export const RechargeDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"Recharge"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"RechargeInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","alias":{"kind":"Name","value":"result"},"name":{"kind":"Name","value":"recharge"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"operatorRef"}},{"kind":"Field","name":{"kind":"Name","value":"accountNumber"}},{"kind":"Field","name":{"kind":"Name","value":"apiRequestId"}},{"kind":"Field","name":{"kind":"Name","value":"providerTxnId"}},{"kind":"Field","name":{"kind":"Name","value":"clientRequestId"}},{"kind":"Field","name":{"kind":"Name","value":"walletBalance"}}]}}]}}]} as unknown as DocumentNode<RechargeMutation, RechargeMutationVariables>;