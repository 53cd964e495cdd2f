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
    "query CardPaymentStatus($clientKey: String, $apiRequestId: String) {\n  result: order(\n    kind: CARD_PAYMENT\n    clientKey: $clientKey\n    apiRequestId: $apiRequestId\n  ) {\n    status\n    message\n    code\n    amount\n    clientKey\n    walletBalance\n    receipt {\n      mobile\n      card\n      utr\n      txid\n    }\n  }\n}": typeof types.CardPaymentStatusDocument,
    "mutation CreateLead($input: CreateLeadInput!) {\n  result: createLead(input: $input) {\n    message\n    fee\n    walletBalance\n    leadCode\n    campaignUrl\n  }\n}": typeof types.CreateLeadDocument,
    "query DthInfo($input: DthLookupInput!) {\n  result: dthInfo(input: $input) {\n    message\n    fee\n    walletBalance\n    orderId\n    customers {\n      subscriberNumber\n      name\n      balance\n      minimumRecharge\n    }\n  }\n}": typeof types.DthInfoDocument,
    "query DthPlans($input: DthLookupInput!) {\n  result: dthPlans(input: $input) {\n    message\n    fee\n    walletBalance\n    orderId\n    operator\n    groups {\n      name\n      plans {\n        price\n        type\n        description\n        validity\n      }\n    }\n  }\n}": typeof types.DthPlansDocument,
    "mutation FetchCardBill($input: FetchCardBillInput!) {\n  result: fetchCardBill(input: $input) {\n    message\n    fee\n    walletBalance\n    orderId\n    fetchId\n    billDate\n    billAmount\n    minimumDue\n    billDueDate\n    customerName\n  }\n}": typeof types.FetchCardBillDocument,
    "mutation IssueToken($input: IssueTokenInput!) {\n  result: issueToken(input: $input) {\n    token\n    tokenType\n    environment\n    baseUrl\n    expiresAt\n    user {\n      id\n      name\n      email\n    }\n  }\n}": typeof types.IssueTokenDocument,
    "query LeadStatus($leadCode: String!) {\n  result: leadStatus(leadCode: $leadCode) {\n    message\n    fee\n    walletBalance\n    leadCode\n    leadStatus\n  }\n}": typeof types.LeadStatusDocument,
    "query Me {\n  result: me {\n    id\n    name\n    email\n    roles\n    permissions\n  }\n}": typeof types.MeDocument,
    "query MobilePlans($input: MobilePlansInput!) {\n  result: mobilePlans(input: $input) {\n    message\n    fee\n    walletBalance\n    orderId\n    operator\n    groups {\n      name\n      plans {\n        price\n        type\n        description\n        validity\n      }\n    }\n  }\n}": typeof types.MobilePlansDocument,
    "query OperatorFind($input: OperatorFindInput!) {\n  result: operatorFind(input: $input) {\n    message\n    fee\n    walletBalance\n    orderId\n    number\n    company\n    circle\n    circleCode\n  }\n}": typeof types.OperatorFindDocument,
    "mutation PayCardBill($input: PayCardBillInput!) {\n  result: payCardBill(input: $input) {\n    status\n    message\n    utr\n    card\n    txid\n    amount\n    mobile\n    orderId\n    walletBalance\n  }\n}": typeof types.PayCardBillDocument,
    "query ProductCategories {\n  result: productCategories {\n    message\n    fee\n    walletBalance\n    categories {\n      id\n      title\n    }\n  }\n}": typeof types.ProductCategoriesDocument,
    "query ProductDetails($input: ProductDetailsInput!) {\n  result: productDetails(input: $input) {\n    message\n    fee\n    walletBalance\n    url\n    campaignUrl\n  }\n}": typeof types.ProductDetailsDocument,
    "query Products($categoryId: Int!) {\n  result: products(categoryId: $categoryId) {\n    message\n    fee\n    walletBalance\n    products {\n      productId\n      title\n      subTitle\n      logo\n    }\n  }\n}": typeof types.ProductsDocument,
    "mutation Recharge($input: RechargeInput!) {\n  result: recharge(input: $input) {\n    status\n    message\n    amount\n    createdAt\n    operatorRef\n    accountNumber\n    apiRequestId\n    providerTxnId\n    clientRequestId\n    walletBalance\n  }\n}": typeof types.RechargeDocument,
    "query RechargeStatus($clientKey: String, $apiRequestId: String) {\n  result: order(\n    kind: RECHARGE\n    clientKey: $clientKey\n    apiRequestId: $apiRequestId\n  ) {\n    status\n    message\n    code\n    amount\n    clientKey\n    apiRequestId\n    createdAt\n    receipt {\n      accountNumber\n      operatorRef\n      providerTxnId\n    }\n  }\n}": typeof types.RechargeStatusDocument,
    "mutation UpsertProfile($input: UpsertProfileInput!) {\n  result: upsertProfile(input: $input) {\n    message\n    fee\n    walletBalance\n    mobileNo\n    customerId\n    categoryId\n    productId\n  }\n}": typeof types.UpsertProfileDocument,
};
const documents: Documents = {
    "query CardPaymentStatus($clientKey: String, $apiRequestId: String) {\n  result: order(\n    kind: CARD_PAYMENT\n    clientKey: $clientKey\n    apiRequestId: $apiRequestId\n  ) {\n    status\n    message\n    code\n    amount\n    clientKey\n    walletBalance\n    receipt {\n      mobile\n      card\n      utr\n      txid\n    }\n  }\n}": types.CardPaymentStatusDocument,
    "mutation CreateLead($input: CreateLeadInput!) {\n  result: createLead(input: $input) {\n    message\n    fee\n    walletBalance\n    leadCode\n    campaignUrl\n  }\n}": types.CreateLeadDocument,
    "query DthInfo($input: DthLookupInput!) {\n  result: dthInfo(input: $input) {\n    message\n    fee\n    walletBalance\n    orderId\n    customers {\n      subscriberNumber\n      name\n      balance\n      minimumRecharge\n    }\n  }\n}": types.DthInfoDocument,
    "query DthPlans($input: DthLookupInput!) {\n  result: dthPlans(input: $input) {\n    message\n    fee\n    walletBalance\n    orderId\n    operator\n    groups {\n      name\n      plans {\n        price\n        type\n        description\n        validity\n      }\n    }\n  }\n}": types.DthPlansDocument,
    "mutation FetchCardBill($input: FetchCardBillInput!) {\n  result: fetchCardBill(input: $input) {\n    message\n    fee\n    walletBalance\n    orderId\n    fetchId\n    billDate\n    billAmount\n    minimumDue\n    billDueDate\n    customerName\n  }\n}": types.FetchCardBillDocument,
    "mutation IssueToken($input: IssueTokenInput!) {\n  result: issueToken(input: $input) {\n    token\n    tokenType\n    environment\n    baseUrl\n    expiresAt\n    user {\n      id\n      name\n      email\n    }\n  }\n}": types.IssueTokenDocument,
    "query LeadStatus($leadCode: String!) {\n  result: leadStatus(leadCode: $leadCode) {\n    message\n    fee\n    walletBalance\n    leadCode\n    leadStatus\n  }\n}": types.LeadStatusDocument,
    "query Me {\n  result: me {\n    id\n    name\n    email\n    roles\n    permissions\n  }\n}": types.MeDocument,
    "query MobilePlans($input: MobilePlansInput!) {\n  result: mobilePlans(input: $input) {\n    message\n    fee\n    walletBalance\n    orderId\n    operator\n    groups {\n      name\n      plans {\n        price\n        type\n        description\n        validity\n      }\n    }\n  }\n}": types.MobilePlansDocument,
    "query OperatorFind($input: OperatorFindInput!) {\n  result: operatorFind(input: $input) {\n    message\n    fee\n    walletBalance\n    orderId\n    number\n    company\n    circle\n    circleCode\n  }\n}": types.OperatorFindDocument,
    "mutation PayCardBill($input: PayCardBillInput!) {\n  result: payCardBill(input: $input) {\n    status\n    message\n    utr\n    card\n    txid\n    amount\n    mobile\n    orderId\n    walletBalance\n  }\n}": types.PayCardBillDocument,
    "query ProductCategories {\n  result: productCategories {\n    message\n    fee\n    walletBalance\n    categories {\n      id\n      title\n    }\n  }\n}": types.ProductCategoriesDocument,
    "query ProductDetails($input: ProductDetailsInput!) {\n  result: productDetails(input: $input) {\n    message\n    fee\n    walletBalance\n    url\n    campaignUrl\n  }\n}": types.ProductDetailsDocument,
    "query Products($categoryId: Int!) {\n  result: products(categoryId: $categoryId) {\n    message\n    fee\n    walletBalance\n    products {\n      productId\n      title\n      subTitle\n      logo\n    }\n  }\n}": types.ProductsDocument,
    "mutation Recharge($input: RechargeInput!) {\n  result: recharge(input: $input) {\n    status\n    message\n    amount\n    createdAt\n    operatorRef\n    accountNumber\n    apiRequestId\n    providerTxnId\n    clientRequestId\n    walletBalance\n  }\n}": types.RechargeDocument,
    "query RechargeStatus($clientKey: String, $apiRequestId: String) {\n  result: order(\n    kind: RECHARGE\n    clientKey: $clientKey\n    apiRequestId: $apiRequestId\n  ) {\n    status\n    message\n    code\n    amount\n    clientKey\n    apiRequestId\n    createdAt\n    receipt {\n      accountNumber\n      operatorRef\n      providerTxnId\n    }\n  }\n}": types.RechargeStatusDocument,
    "mutation UpsertProfile($input: UpsertProfileInput!) {\n  result: upsertProfile(input: $input) {\n    message\n    fee\n    walletBalance\n    mobileNo\n    customerId\n    categoryId\n    productId\n  }\n}": types.UpsertProfileDocument,
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
export function graphql(source: "query CardPaymentStatus($clientKey: String, $apiRequestId: String) {\n  result: order(\n    kind: CARD_PAYMENT\n    clientKey: $clientKey\n    apiRequestId: $apiRequestId\n  ) {\n    status\n    message\n    code\n    amount\n    clientKey\n    walletBalance\n    receipt {\n      mobile\n      card\n      utr\n      txid\n    }\n  }\n}"): (typeof documents)["query CardPaymentStatus($clientKey: String, $apiRequestId: String) {\n  result: order(\n    kind: CARD_PAYMENT\n    clientKey: $clientKey\n    apiRequestId: $apiRequestId\n  ) {\n    status\n    message\n    code\n    amount\n    clientKey\n    walletBalance\n    receipt {\n      mobile\n      card\n      utr\n      txid\n    }\n  }\n}"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "mutation CreateLead($input: CreateLeadInput!) {\n  result: createLead(input: $input) {\n    message\n    fee\n    walletBalance\n    leadCode\n    campaignUrl\n  }\n}"): (typeof documents)["mutation CreateLead($input: CreateLeadInput!) {\n  result: createLead(input: $input) {\n    message\n    fee\n    walletBalance\n    leadCode\n    campaignUrl\n  }\n}"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "query DthInfo($input: DthLookupInput!) {\n  result: dthInfo(input: $input) {\n    message\n    fee\n    walletBalance\n    orderId\n    customers {\n      subscriberNumber\n      name\n      balance\n      minimumRecharge\n    }\n  }\n}"): (typeof documents)["query DthInfo($input: DthLookupInput!) {\n  result: dthInfo(input: $input) {\n    message\n    fee\n    walletBalance\n    orderId\n    customers {\n      subscriberNumber\n      name\n      balance\n      minimumRecharge\n    }\n  }\n}"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "query DthPlans($input: DthLookupInput!) {\n  result: dthPlans(input: $input) {\n    message\n    fee\n    walletBalance\n    orderId\n    operator\n    groups {\n      name\n      plans {\n        price\n        type\n        description\n        validity\n      }\n    }\n  }\n}"): (typeof documents)["query DthPlans($input: DthLookupInput!) {\n  result: dthPlans(input: $input) {\n    message\n    fee\n    walletBalance\n    orderId\n    operator\n    groups {\n      name\n      plans {\n        price\n        type\n        description\n        validity\n      }\n    }\n  }\n}"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "mutation FetchCardBill($input: FetchCardBillInput!) {\n  result: fetchCardBill(input: $input) {\n    message\n    fee\n    walletBalance\n    orderId\n    fetchId\n    billDate\n    billAmount\n    minimumDue\n    billDueDate\n    customerName\n  }\n}"): (typeof documents)["mutation FetchCardBill($input: FetchCardBillInput!) {\n  result: fetchCardBill(input: $input) {\n    message\n    fee\n    walletBalance\n    orderId\n    fetchId\n    billDate\n    billAmount\n    minimumDue\n    billDueDate\n    customerName\n  }\n}"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "mutation IssueToken($input: IssueTokenInput!) {\n  result: issueToken(input: $input) {\n    token\n    tokenType\n    environment\n    baseUrl\n    expiresAt\n    user {\n      id\n      name\n      email\n    }\n  }\n}"): (typeof documents)["mutation IssueToken($input: IssueTokenInput!) {\n  result: issueToken(input: $input) {\n    token\n    tokenType\n    environment\n    baseUrl\n    expiresAt\n    user {\n      id\n      name\n      email\n    }\n  }\n}"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "query LeadStatus($leadCode: String!) {\n  result: leadStatus(leadCode: $leadCode) {\n    message\n    fee\n    walletBalance\n    leadCode\n    leadStatus\n  }\n}"): (typeof documents)["query LeadStatus($leadCode: String!) {\n  result: leadStatus(leadCode: $leadCode) {\n    message\n    fee\n    walletBalance\n    leadCode\n    leadStatus\n  }\n}"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "query Me {\n  result: me {\n    id\n    name\n    email\n    roles\n    permissions\n  }\n}"): (typeof documents)["query Me {\n  result: me {\n    id\n    name\n    email\n    roles\n    permissions\n  }\n}"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "query MobilePlans($input: MobilePlansInput!) {\n  result: mobilePlans(input: $input) {\n    message\n    fee\n    walletBalance\n    orderId\n    operator\n    groups {\n      name\n      plans {\n        price\n        type\n        description\n        validity\n      }\n    }\n  }\n}"): (typeof documents)["query MobilePlans($input: MobilePlansInput!) {\n  result: mobilePlans(input: $input) {\n    message\n    fee\n    walletBalance\n    orderId\n    operator\n    groups {\n      name\n      plans {\n        price\n        type\n        description\n        validity\n      }\n    }\n  }\n}"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "query OperatorFind($input: OperatorFindInput!) {\n  result: operatorFind(input: $input) {\n    message\n    fee\n    walletBalance\n    orderId\n    number\n    company\n    circle\n    circleCode\n  }\n}"): (typeof documents)["query OperatorFind($input: OperatorFindInput!) {\n  result: operatorFind(input: $input) {\n    message\n    fee\n    walletBalance\n    orderId\n    number\n    company\n    circle\n    circleCode\n  }\n}"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "mutation PayCardBill($input: PayCardBillInput!) {\n  result: payCardBill(input: $input) {\n    status\n    message\n    utr\n    card\n    txid\n    amount\n    mobile\n    orderId\n    walletBalance\n  }\n}"): (typeof documents)["mutation PayCardBill($input: PayCardBillInput!) {\n  result: payCardBill(input: $input) {\n    status\n    message\n    utr\n    card\n    txid\n    amount\n    mobile\n    orderId\n    walletBalance\n  }\n}"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "query ProductCategories {\n  result: productCategories {\n    message\n    fee\n    walletBalance\n    categories {\n      id\n      title\n    }\n  }\n}"): (typeof documents)["query ProductCategories {\n  result: productCategories {\n    message\n    fee\n    walletBalance\n    categories {\n      id\n      title\n    }\n  }\n}"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "query ProductDetails($input: ProductDetailsInput!) {\n  result: productDetails(input: $input) {\n    message\n    fee\n    walletBalance\n    url\n    campaignUrl\n  }\n}"): (typeof documents)["query ProductDetails($input: ProductDetailsInput!) {\n  result: productDetails(input: $input) {\n    message\n    fee\n    walletBalance\n    url\n    campaignUrl\n  }\n}"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "query Products($categoryId: Int!) {\n  result: products(categoryId: $categoryId) {\n    message\n    fee\n    walletBalance\n    products {\n      productId\n      title\n      subTitle\n      logo\n    }\n  }\n}"): (typeof documents)["query Products($categoryId: Int!) {\n  result: products(categoryId: $categoryId) {\n    message\n    fee\n    walletBalance\n    products {\n      productId\n      title\n      subTitle\n      logo\n    }\n  }\n}"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "mutation Recharge($input: RechargeInput!) {\n  result: recharge(input: $input) {\n    status\n    message\n    amount\n    createdAt\n    operatorRef\n    accountNumber\n    apiRequestId\n    providerTxnId\n    clientRequestId\n    walletBalance\n  }\n}"): (typeof documents)["mutation Recharge($input: RechargeInput!) {\n  result: recharge(input: $input) {\n    status\n    message\n    amount\n    createdAt\n    operatorRef\n    accountNumber\n    apiRequestId\n    providerTxnId\n    clientRequestId\n    walletBalance\n  }\n}"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "query RechargeStatus($clientKey: String, $apiRequestId: String) {\n  result: order(\n    kind: RECHARGE\n    clientKey: $clientKey\n    apiRequestId: $apiRequestId\n  ) {\n    status\n    message\n    code\n    amount\n    clientKey\n    apiRequestId\n    createdAt\n    receipt {\n      accountNumber\n      operatorRef\n      providerTxnId\n    }\n  }\n}"): (typeof documents)["query RechargeStatus($clientKey: String, $apiRequestId: String) {\n  result: order(\n    kind: RECHARGE\n    clientKey: $clientKey\n    apiRequestId: $apiRequestId\n  ) {\n    status\n    message\n    code\n    amount\n    clientKey\n    apiRequestId\n    createdAt\n    receipt {\n      accountNumber\n      operatorRef\n      providerTxnId\n    }\n  }\n}"];
/**
 * The graphql function is used to parse GraphQL queries into a document that can be used by GraphQL clients.
 */
export function graphql(source: "mutation UpsertProfile($input: UpsertProfileInput!) {\n  result: upsertProfile(input: $input) {\n    message\n    fee\n    walletBalance\n    mobileNo\n    customerId\n    categoryId\n    productId\n  }\n}"): (typeof documents)["mutation UpsertProfile($input: UpsertProfileInput!) {\n  result: upsertProfile(input: $input) {\n    message\n    fee\n    walletBalance\n    mobileNo\n    customerId\n    categoryId\n    productId\n  }\n}"];

export function graphql(source: string) {
  return (documents as any)[source] ?? {};
}

export type DocumentType<TDocumentNode extends DocumentNode<any, any>> = TDocumentNode extends DocumentNode<  infer TType,  any>  ? TType  : never;