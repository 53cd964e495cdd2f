import { expect, it } from 'vitest';
import { servedDocuments } from '../rest/served-openapi.js';
import { typesOf } from './openapi-types.js';

it('clients generated from the documents of both environments have the same types', async () => {
  const { uat, production } = await servedDocuments();
  const types = await typesOf(uat['/openapi.json']);
  expect(await typesOf(production['/openapi.json'])).toBe(types);
  const types30 = await typesOf(uat['/openapi-3.0.json']);
  expect(await typesOf(production['/openapi-3.0.json'])).toBe(types30);
  // a union in 3.1 is a single object in 3.0
  expect(types).toMatch(/\bRechargeAnswer: \S+\["RechargeSuccess"\] \| \S+\["RechargePending"\]/);
  expect(/^ +RechargeAnswer: \{[^]*?^ {8}\};/m.exec(types30)?.[0]).toMatchInlineSnapshot(`
    "        RechargeAnswer: {
                status: "success" | "pending";
                message: string;
                warnings?: {
                    code: "LIKELY_DUPLICATE" | "UNREAD_KEY" | "MISSING_KEY" | "UNKNOWN_OPERATOR";
                    message: string;
                    api_request_id: string | null;
                }[];
                data: {
                    amount: number;
                    created_at: string;
                    operator_ref: string | null;
                    account_number: string;
                    api_request_id: string;
                    provider_txn_id: string | null;
                    client_request_id: string | null;
                };
            };"
  `);
});
