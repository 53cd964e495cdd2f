/* eslint-disable */
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { TypedDocumentNode as DocumentNode } from '@graphql-typed-document-node/core';
/** A lead: a customer’s interest in one product. */
export type CreateLeadInput = {
  /** Product category id. */
  categoryId?: number | null | undefined;
  /** From upsertProfile. Without it the default customer of this environment is used. */
  customerId?: string | null | undefined;
  /** From products. */
  productId: string;
  /** Rupees, for loans. */
  requiredAmount?: number | null | undefined;
};

/** What kind of customer applies. */
export type CustomerCategory =
  /** A person. */
  | 'INDIVIDUAL'
  /** A company or another organisation. */
  | 'NON_INDIVIDUAL';

/** Which DTH subscription is asked about. */
export type DthLookupInput = {
  /** Subscriber or VC number, at most 32 characters. */
  dthNumber: string;
  /** The DTH operator. */
  opcode: DthOpcode;
  /** Your id of the lookup: an equal request within ten minutes gets the same data again, free of charge. */
  orderId: string;
};

/** DTH operators as plan and customer lookups name them. */
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

/** The two worlds of the API, each with hosts, credentials, tokens and a wallet of its own. */
export type Environment =
  /** Live providers and real money. */
  | 'PRODUCTION'
  /** Sample data and play money; no provider is ever called. */
  | 'UAT';

/** Which credit card bill to fetch. */
export type FetchCardBillInput = {
  /** The last 4 digits, or the identifier that the bank asks for. Never the whole card number. */
  card: string;
  /** The 10-digit mobile number that is registered with the bank. */
  mobile: string;
  /** The bank’s operator code, passed on as it is. */
  opcode: string;
  /** Your order id. The same request within 10 minutes gets the same bill for nothing. */
  orderId: string;
};

/** Gender of a customer. */
export type Gender =
  /** Female. */
  | 'FEMALE'
  /** Male. */
  | 'MALE'
  /** Any other. */
  | 'OTHER';

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

/** Where a lead stands at the provider. */
export type LeadStatus =
  /** Granted. The per-lead fee is charged when this is seen for the first time. */
  | 'APPROVED'
  /** The application could not be completed. */
  | 'FAILED'
  /** Created; the customer has not applied yet. */
  | 'PENDING'
  /** Refused by the bank. */
  | 'REJECTED'
  /** The application is with the bank. */
  | 'SUBMITTED'
  /** The application is complete. No fee. */
  | 'SUCCESS';

/** Mobile operators as plan lookups name them. */
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

/** The plans of which mobile number, operator and circle are asked for. */
export type MobilePlansInput = {
  /** The circle, as operatorFind tells it. */
  circle: string;
  /** Exactly 10 digits. */
  mobile: string;
  /** The operator, as operatorFind tells it. */
  opcode: MobileOpcode;
  /** Your id of the lookup: an equal request within ten minutes gets the same data again, free of charge. */
  orderId: string;
};

/** The operator of which mobile number is looked for. */
export type OperatorFindInput = {
  /** Exactly 10 digits. */
  mobile: string;
  /** Your id of the lookup: an equal request within ten minutes gets the same data again, free of charge. */
  orderId: string;
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

/** A payment for a fetched credit card bill. */
export type PayCardBillInput = {
  /** Rupees, greater than 0. May differ from the bill. */
  amount: number;
  /** As it was fetched. */
  card: string;
  /** From the bill; pays once, for 24 hours. */
  fetchId: string;
  /** As it was fetched. */
  mobile: string;
  /** As it was fetched. */
  opcode: string;
  /** Your unique payment order id: a repetition is refused with DUPLICATE_ORDER and the state of the first. */
  orderId: string;
  /** The payer’s PAN; required at 50,000.00 rupees or more. */
  pan?: string | null | undefined;
};

/** One product. */
export type ProductDetailsInput = {
  /** Card id; credit cards only. */
  cardId?: number | null | undefined;
  /** Product category id. */
  categoryId?: number | null | undefined;
  /** From products. */
  productId: string;
};

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

/** A customer of a financial product. Every field is needed again when the customer is updated. */
export type UpsertProfileInput = {
  /** At most 255 characters. Line breaks become blanks. */
  address: string;
  /** A person or an organisation. */
  category: CustomerCategory;
  /** Product category id, see productCategories. */
  categoryId: number;
  /** Company id, see leadCompanies. */
  company: number;
  /** From a previous profile call. A known mobile number is updated without it, too. */
  customerId?: string | null | undefined;
  /** Date of birth. */
  dob: string;
  /** E-mail address. */
  email: string;
  /** At most 50 characters. */
  firstName: string;
  /** Gender. */
  gender: Gender;
  /** Rupees, the income of the last tax return: greater than 0 when occupation is 2. Counts as 0 otherwise. */
  itrAmount: number;
  /** At most 50 characters. */
  lastName: string;
  /** 10-digit Indian mobile number. A number that is known already updates its customer. */
  mobileNo: string;
  /** Rupees. Counts as 0 when occupation is 2. */
  monthlySalary: number;
  /** Occupation id, see leadOccupations; 2 means self-employed. */
  occupation: number;
  /** Permanent account number, 10 characters; lower case is accepted. */
  pan: string;
  /** Pincode id, see leadPincodes. */
  pincode: number;
};

export type CardPaymentStatusQueryVariables = Exact<{
  clientKey?: string | null | undefined;
  apiRequestId?: string | null | undefined;
}>;


export type CardPaymentStatusQuery = { result: { status: OrderStatus, message: string, code: string | null, amount: number, clientKey: string | null, walletBalance: number | null, receipt: { mobile: string | null, card: string | null, utr: string | null, txid: number | null } } | null };

export type CreateLeadMutationVariables = Exact<{
  input: CreateLeadInput;
}>;


export type CreateLeadMutation = { result: { message: string, fee: number, walletBalance: number, leadCode: string, campaignUrl: string } | null };

export type DthInfoQueryVariables = Exact<{
  input: DthLookupInput;
}>;


export type DthInfoQuery = { result: { message: string, fee: number, walletBalance: number, orderId: string, customers: Array<{ subscriberNumber: string, name: string, balance: string, minimumRecharge: string }> } | null };

export type DthPlansQueryVariables = Exact<{
  input: DthLookupInput;
}>;


export type DthPlansQuery = { result: { message: string, fee: number, walletBalance: number, orderId: string, operator: string, groups: Array<{ name: string, plans: Array<{ price: number, type: string, description: string, validity: string }> }> } | null };

export type FetchCardBillMutationVariables = Exact<{
  input: FetchCardBillInput;
}>;


export type FetchCardBillMutation = { result: { message: string, fee: number, walletBalance: number, orderId: string, fetchId: string, billDate: string, billAmount: number, minimumDue: number, billDueDate: string, customerName: string } | null };

export type IssueTokenMutationVariables = Exact<{
  input: IssueTokenInput;
}>;


export type IssueTokenMutation = { result: { token: string, tokenType: string, environment: Environment, baseUrl: string, expiresAt: string, user: { id: number, name: string, email: string } } | null };

export type LeadStatusQueryVariables = Exact<{
  leadCode: string;
}>;


export type LeadStatusQuery = { result: { message: string, fee: number, walletBalance: number, leadCode: string, leadStatus: LeadStatus } | null };

export type MeQueryVariables = Exact<{ [key: string]: never; }>;


export type MeQuery = { result: { id: number, name: string, email: string, roles: Array<string>, permissions: Array<string> } | null };

export type MobilePlansQueryVariables = Exact<{
  input: MobilePlansInput;
}>;


export type MobilePlansQuery = { result: { message: string, fee: number, walletBalance: number, orderId: string, operator: string, groups: Array<{ name: string, plans: Array<{ price: number, type: string, description: string, validity: string }> }> } | null };

export type OperatorFindQueryVariables = Exact<{
  input: OperatorFindInput;
}>;


export type OperatorFindQuery = { result: { message: string, fee: number, walletBalance: number, orderId: string, number: string, company: string, circle: string, circleCode: string } | null };

export type PayCardBillMutationVariables = Exact<{
  input: PayCardBillInput;
}>;


export type PayCardBillMutation = { result: { status: OrderStatus, message: string, utr: string | null, card: string, txid: number | null, amount: number, mobile: string, orderId: string, walletBalance: number } | null };

export type ProductCategoriesQueryVariables = Exact<{ [key: string]: never; }>;


export type ProductCategoriesQuery = { result: { message: string, fee: number, walletBalance: number, categories: Array<{ id: number, title: string }> } | null };

export type ProductDetailsQueryVariables = Exact<{
  input: ProductDetailsInput;
}>;


export type ProductDetailsQuery = { result: { message: string, fee: number, walletBalance: number, url: string, campaignUrl: string } | null };

export type ProductsQueryVariables = Exact<{
  categoryId: number;
}>;


export type ProductsQuery = { result: { message: string, fee: number, walletBalance: number, products: Array<{ productId: string, title: string, subTitle: string, logo: string }> } | null };

export type RechargeMutationVariables = Exact<{
  input: RechargeInput;
}>;


export type RechargeMutation = { result: { status: OrderStatus, message: string, amount: number, createdAt: string, operatorRef: string | null, accountNumber: string, apiRequestId: string, providerTxnId: string | null, clientRequestId: string | null, walletBalance: number } | null };

export type RechargeStatusQueryVariables = Exact<{
  clientKey?: string | null | undefined;
  apiRequestId?: string | null | undefined;
}>;


export type RechargeStatusQuery = { result: { status: OrderStatus, message: string, code: string | null, amount: number, clientKey: string | null, apiRequestId: string, createdAt: string, receipt: { accountNumber: string | null, operatorRef: string | null, providerTxnId: string | null } } | null };

export type UpsertProfileMutationVariables = Exact<{
  input: UpsertProfileInput;
}>;


export type UpsertProfileMutation = { result: { message: string, fee: number, walletBalance: number, mobileNo: string, customerId: string, categoryId: string, productId: string | null } | null };


export const CardPaymentStatusDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"CardPaymentStatus"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"clientKey"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"apiRequestId"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","alias":{"kind":"Name","value":"result"},"name":{"kind":"Name","value":"order"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"kind"},"value":{"kind":"EnumValue","value":"CARD_PAYMENT"}},{"kind":"Argument","name":{"kind":"Name","value":"clientKey"},"value":{"kind":"Variable","name":{"kind":"Name","value":"clientKey"}}},{"kind":"Argument","name":{"kind":"Name","value":"apiRequestId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"apiRequestId"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"clientKey"}},{"kind":"Field","name":{"kind":"Name","value":"walletBalance"}},{"kind":"Field","name":{"kind":"Name","value":"receipt"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"mobile"}},{"kind":"Field","name":{"kind":"Name","value":"card"}},{"kind":"Field","name":{"kind":"Name","value":"utr"}},{"kind":"Field","name":{"kind":"Name","value":"txid"}}]}}]}}]}}]} as unknown as DocumentNode<CardPaymentStatusQuery, CardPaymentStatusQueryVariables>;
export const CreateLeadDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"CreateLead"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"CreateLeadInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","alias":{"kind":"Name","value":"result"},"name":{"kind":"Name","value":"createLead"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"fee"}},{"kind":"Field","name":{"kind":"Name","value":"walletBalance"}},{"kind":"Field","name":{"kind":"Name","value":"leadCode"}},{"kind":"Field","name":{"kind":"Name","value":"campaignUrl"}}]}}]}}]} as unknown as DocumentNode<CreateLeadMutation, CreateLeadMutationVariables>;
export const DthInfoDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"DthInfo"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"DthLookupInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","alias":{"kind":"Name","value":"result"},"name":{"kind":"Name","value":"dthInfo"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"fee"}},{"kind":"Field","name":{"kind":"Name","value":"walletBalance"}},{"kind":"Field","name":{"kind":"Name","value":"orderId"}},{"kind":"Field","name":{"kind":"Name","value":"customers"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"subscriberNumber"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"balance"}},{"kind":"Field","name":{"kind":"Name","value":"minimumRecharge"}}]}}]}}]}}]} as unknown as DocumentNode<DthInfoQuery, DthInfoQueryVariables>;
export const DthPlansDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"DthPlans"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"DthLookupInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","alias":{"kind":"Name","value":"result"},"name":{"kind":"Name","value":"dthPlans"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"fee"}},{"kind":"Field","name":{"kind":"Name","value":"walletBalance"}},{"kind":"Field","name":{"kind":"Name","value":"orderId"}},{"kind":"Field","name":{"kind":"Name","value":"operator"}},{"kind":"Field","name":{"kind":"Name","value":"groups"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"plans"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"price"}},{"kind":"Field","name":{"kind":"Name","value":"type"}},{"kind":"Field","name":{"kind":"Name","value":"description"}},{"kind":"Field","name":{"kind":"Name","value":"validity"}}]}}]}}]}}]}}]} as unknown as DocumentNode<DthPlansQuery, DthPlansQueryVariables>;
export const FetchCardBillDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"FetchCardBill"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"FetchCardBillInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","alias":{"kind":"Name","value":"result"},"name":{"kind":"Name","value":"fetchCardBill"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"fee"}},{"kind":"Field","name":{"kind":"Name","value":"walletBalance"}},{"kind":"Field","name":{"kind":"Name","value":"orderId"}},{"kind":"Field","name":{"kind":"Name","value":"fetchId"}},{"kind":"Field","name":{"kind":"Name","value":"billDate"}},{"kind":"Field","name":{"kind":"Name","value":"billAmount"}},{"kind":"Field","name":{"kind":"Name","value":"minimumDue"}},{"kind":"Field","name":{"kind":"Name","value":"billDueDate"}},{"kind":"Field","name":{"kind":"Name","value":"customerName"}}]}}]}}]} as unknown as DocumentNode<FetchCardBillMutation, FetchCardBillMutationVariables>;
export const IssueTokenDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"IssueToken"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"IssueTokenInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","alias":{"kind":"Name","value":"result"},"name":{"kind":"Name","value":"issueToken"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"token"}},{"kind":"Field","name":{"kind":"Name","value":"tokenType"}},{"kind":"Field","name":{"kind":"Name","value":"environment"}},{"kind":"Field","name":{"kind":"Name","value":"baseUrl"}},{"kind":"Field","name":{"kind":"Name","value":"expiresAt"}},{"kind":"Field","name":{"kind":"Name","value":"user"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"email"}}]}}]}}]}}]} as unknown as DocumentNode<IssueTokenMutation, IssueTokenMutationVariables>;
export const LeadStatusDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"LeadStatus"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"leadCode"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","alias":{"kind":"Name","value":"result"},"name":{"kind":"Name","value":"leadStatus"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"leadCode"},"value":{"kind":"Variable","name":{"kind":"Name","value":"leadCode"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"fee"}},{"kind":"Field","name":{"kind":"Name","value":"walletBalance"}},{"kind":"Field","name":{"kind":"Name","value":"leadCode"}},{"kind":"Field","name":{"kind":"Name","value":"leadStatus"}}]}}]}}]} as unknown as DocumentNode<LeadStatusQuery, LeadStatusQueryVariables>;
export const MeDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Me"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","alias":{"kind":"Name","value":"result"},"name":{"kind":"Name","value":"me"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"email"}},{"kind":"Field","name":{"kind":"Name","value":"roles"}},{"kind":"Field","name":{"kind":"Name","value":"permissions"}}]}}]}}]} as unknown as DocumentNode<MeQuery, MeQueryVariables>;
export const MobilePlansDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"MobilePlans"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"MobilePlansInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","alias":{"kind":"Name","value":"result"},"name":{"kind":"Name","value":"mobilePlans"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"fee"}},{"kind":"Field","name":{"kind":"Name","value":"walletBalance"}},{"kind":"Field","name":{"kind":"Name","value":"orderId"}},{"kind":"Field","name":{"kind":"Name","value":"operator"}},{"kind":"Field","name":{"kind":"Name","value":"groups"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"plans"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"price"}},{"kind":"Field","name":{"kind":"Name","value":"type"}},{"kind":"Field","name":{"kind":"Name","value":"description"}},{"kind":"Field","name":{"kind":"Name","value":"validity"}}]}}]}}]}}]}}]} as unknown as DocumentNode<MobilePlansQuery, MobilePlansQueryVariables>;
export const OperatorFindDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"OperatorFind"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"OperatorFindInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","alias":{"kind":"Name","value":"result"},"name":{"kind":"Name","value":"operatorFind"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"fee"}},{"kind":"Field","name":{"kind":"Name","value":"walletBalance"}},{"kind":"Field","name":{"kind":"Name","value":"orderId"}},{"kind":"Field","name":{"kind":"Name","value":"number"}},{"kind":"Field","name":{"kind":"Name","value":"company"}},{"kind":"Field","name":{"kind":"Name","value":"circle"}},{"kind":"Field","name":{"kind":"Name","value":"circleCode"}}]}}]}}]} as unknown as DocumentNode<OperatorFindQuery, OperatorFindQueryVariables>;
export const PayCardBillDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"PayCardBill"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"PayCardBillInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","alias":{"kind":"Name","value":"result"},"name":{"kind":"Name","value":"payCardBill"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"utr"}},{"kind":"Field","name":{"kind":"Name","value":"card"}},{"kind":"Field","name":{"kind":"Name","value":"txid"}},{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"mobile"}},{"kind":"Field","name":{"kind":"Name","value":"orderId"}},{"kind":"Field","name":{"kind":"Name","value":"walletBalance"}}]}}]}}]} as unknown as DocumentNode<PayCardBillMutation, PayCardBillMutationVariables>;
export const ProductCategoriesDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"ProductCategories"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","alias":{"kind":"Name","value":"result"},"name":{"kind":"Name","value":"productCategories"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"fee"}},{"kind":"Field","name":{"kind":"Name","value":"walletBalance"}},{"kind":"Field","name":{"kind":"Name","value":"categories"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"title"}}]}}]}}]}}]} as unknown as DocumentNode<ProductCategoriesQuery, ProductCategoriesQueryVariables>;
export const ProductDetailsDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"ProductDetails"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ProductDetailsInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","alias":{"kind":"Name","value":"result"},"name":{"kind":"Name","value":"productDetails"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"fee"}},{"kind":"Field","name":{"kind":"Name","value":"walletBalance"}},{"kind":"Field","name":{"kind":"Name","value":"url"}},{"kind":"Field","name":{"kind":"Name","value":"campaignUrl"}}]}}]}}]} as unknown as DocumentNode<ProductDetailsQuery, ProductDetailsQueryVariables>;
export const ProductsDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Products"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"categoryId"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","alias":{"kind":"Name","value":"result"},"name":{"kind":"Name","value":"products"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"categoryId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"categoryId"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"fee"}},{"kind":"Field","name":{"kind":"Name","value":"walletBalance"}},{"kind":"Field","name":{"kind":"Name","value":"products"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"productId"}},{"kind":"Field","name":{"kind":"Name","value":"title"}},{"kind":"Field","name":{"kind":"Name","value":"subTitle"}},{"kind":"Field","name":{"kind":"Name","value":"logo"}}]}}]}}]}}]} as unknown as DocumentNode<ProductsQuery, ProductsQueryVariables>;
export const RechargeDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"Recharge"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"RechargeInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","alias":{"kind":"Name","value":"result"},"name":{"kind":"Name","value":"recharge"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"operatorRef"}},{"kind":"Field","name":{"kind":"Name","value":"accountNumber"}},{"kind":"Field","name":{"kind":"Name","value":"apiRequestId"}},{"kind":"Field","name":{"kind":"Name","value":"providerTxnId"}},{"kind":"Field","name":{"kind":"Name","value":"clientRequestId"}},{"kind":"Field","name":{"kind":"Name","value":"walletBalance"}}]}}]}}]} as unknown as DocumentNode<RechargeMutation, RechargeMutationVariables>;
export const RechargeStatusDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"RechargeStatus"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"clientKey"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"apiRequestId"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","alias":{"kind":"Name","value":"result"},"name":{"kind":"Name","value":"order"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"kind"},"value":{"kind":"EnumValue","value":"RECHARGE"}},{"kind":"Argument","name":{"kind":"Name","value":"clientKey"},"value":{"kind":"Variable","name":{"kind":"Name","value":"clientKey"}}},{"kind":"Argument","name":{"kind":"Name","value":"apiRequestId"},"value":{"kind":"Variable","name":{"kind":"Name","value":"apiRequestId"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"status"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"amount"}},{"kind":"Field","name":{"kind":"Name","value":"clientKey"}},{"kind":"Field","name":{"kind":"Name","value":"apiRequestId"}},{"kind":"Field","name":{"kind":"Name","value":"createdAt"}},{"kind":"Field","name":{"kind":"Name","value":"receipt"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"accountNumber"}},{"kind":"Field","name":{"kind":"Name","value":"operatorRef"}},{"kind":"Field","name":{"kind":"Name","value":"providerTxnId"}}]}}]}}]}}]} as unknown as DocumentNode<RechargeStatusQuery, RechargeStatusQueryVariables>;
export const UpsertProfileDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"UpsertProfile"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"UpsertProfileInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","alias":{"kind":"Name","value":"result"},"name":{"kind":"Name","value":"upsertProfile"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"fee"}},{"kind":"Field","name":{"kind":"Name","value":"walletBalance"}},{"kind":"Field","name":{"kind":"Name","value":"mobileNo"}},{"kind":"Field","name":{"kind":"Name","value":"customerId"}},{"kind":"Field","name":{"kind":"Name","value":"categoryId"}},{"kind":"Field","name":{"kind":"Name","value":"productId"}}]}}]}}]} as unknown as DocumentNode<UpsertProfileMutation, UpsertProfileMutationVariables>;