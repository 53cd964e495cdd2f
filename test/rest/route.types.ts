import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import type * as generated from '../../src/rest/generated/documents.js';
import { graphql, type RestRoute, route } from '../../src/rest/route.js';

declare const recharge: TypedDocumentNode<generated.RechargeMutation, generated.RechargeMutationVariables>;
declare const leadStatus: TypedDocumentNode<generated.LeadStatusQuery, generated.LeadStatusQueryVariables>;
declare const unnamed: TypedDocumentNode<{ leadStatus: { leadCode: string } }, { leadCode: string }>;

const post = { method: 'POST', path: '/', example: {}, toResponse: () => ({ body: {} }) } as const;

/** Used only by the type check. Each route has one error; the compiler reports a route without one. */
export const invalidRoutes = (): RestRoute[] => [
  route({
    ...post,
    document: leadStatus,
    fields: {},
    // @ts-expect-error the result of another document
    toResponse: ({ order }: NonNullable<generated.RechargeMutation['result']>) => ({ body: { amount: order.amount } }),
  }),
  route({
    ...post,
    document: leadStatus,
    fields: {},
    // @ts-expect-error a field that the document does not select
    toResponse: (lead) => ({ body: { url: lead.campaignUrl } }),
  }),
  route({
    ...post,
    document: leadStatus,
    // @ts-expect-error a variable that the document does not have
    fields: { lead_code: { to: 'code', kind: 'text' } },
  }),
  route({
    ...post,
    document: recharge,
    // @ts-expect-error a property that the input does not have
    fields: { amount: { to: 'input.rupees', kind: 'number' } },
  }),
  route({
    ...post,
    document: recharge,
    // @ts-expect-error a string for a number
    fields: { amount: { to: 'input.amount', kind: 'text' } },
  }),
  route({
    ...post,
    document: recharge,
    // @ts-expect-error a value that the enum does not have
    fields: { operator_type: { to: 'input.operatorType', kind: { mobile: 'MOBIL' } } },
  }),
  route({
    ...post,
    document: recharge,
    // @ts-expect-error an empty string as the default of a required field
    fields: { account_number: { to: 'input.accountNumber', kind: 'text', optional: true } },
  }),
  route({
    ...post,
    document: recharge,
    fields: { client_request_id: { to: 'input.clientRequestId', kind: 'text', optional: true } },
    // @ts-expect-error an idempotency key in a field that the route does not have
    keyField: 'orderid',
  }),
  route({
    ...post,
    document: leadStatus,
    fields: { lead_code: { to: 'leadCode', kind: 'text' } },
    // @ts-expect-error an example with a field that the route does not have
    example: { code: 'BS-LEAD-987654' },
  }),
  // @ts-expect-error a document whose root field is not called result
  route({ ...post, document: unnamed, fields: {} }),
];

// @ts-expect-error a document without generated types
export const unseen = () => graphql('query New { result: me { id } }');
