import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { print } from 'graphql';
import { beforeAll, expect, it } from 'vitest';
import type { TestDeveloper } from '../support/app.js';
import { useSharedApp } from '../support/use-app.js';
import { graphql } from './generated/gql.js';

const test = useSharedApp();
let developer: TestDeveloper;
beforeAll(async () => {
  developer = await test.developer();
});

const catalogue = graphql(`
  query Catalogue {
    productCategories {
      fee
      wallet { balance }
      categories {
        categoryId
        title
        products { productId title details { campaignUrl } }
      }
    }
  }
`);

const plansPage = graphql(`
  query PlansPage($mobile: String!, $dthNumber: String!, $opcode: DthOpcode!, $key: String!) {
    operatorFind(input: { mobile: $mobile, clientRequestId: $key }) {
      operatorName
      circle { code }
      fee
      plans {
        operatorName
        fee
        groups { name plans { price validity description } }
      }
    }
    dthPlans(input: { dthNumber: $dthNumber, opcode: $opcode, clientRequestId: $key }) {
      operatorName
      fee
      groups { name }
    }
    dthInfo(input: { dthNumber: $dthNumber, opcode: $opcode, clientRequestId: $key }) {
      fee
      customers { name balance }
    }
  }
`);

const operatorList = graphql(`
  query OperatorList {
    operators { spKey type mobileOpcode dthOpcode }
    circles { code }
  }
`);

const plansOfOperators = graphql(`
  query PlansOfOperators($mobileOpcode: MobileOpcode!, $circle: CircleCode!, $dthOpcode: DthOpcode!) {
    mobilePlans(input: { mobile: "9876543210", opcode: $mobileOpcode, circle: $circle }) {
      operator { mobileOpcode dthOpcode }
    }
    dthPlans(input: { dthNumber: "1000234567", opcode: $dthOpcode }) { operator { mobileOpcode dthOpcode } }
  }
`);

interface Reply<Data> {
  data: Data;
  errors?: { path: string[]; extensions: { code: string } }[];
}

/** A complete client for a frontend: a typed document in, typed data out. */
async function send<Data, Variables>(
  document: TypedDocumentNode<Data, Variables>,
  variables: Variables,
): Promise<Reply<Data>> {
  const { body } = await test.graphql('uat', developer.tokens.uat, print(document), variables as object);
  return body as Reply<Data>;
}

it('loads the plans of a page in one round trip, typed', async () => {
  const { data, errors } = await send(plansPage, {
    mobile: '9876543210',
    dthNumber: '1000234567',
    opcode: 'TTV',
    key: 'page-1',
  });
  expect(errors).toBeUndefined();
  const groups = data.operatorFind?.plans?.groups ?? [];
  expect(groups.map(({ name }) => name)).toEqual(expect.arrayContaining(['TOPUP', 'DATA', 'STV']));
  expect(groups[0]!.plans[0]!.price).toBeGreaterThan(0);
  expect(data.dthInfo?.customers[0]!.balance).toBeGreaterThan(0);
});

it('returns the other fields next to a failed one, and names it', async () => {
  const { data, errors } = await send(plansPage, {
    mobile: '9876543210',
    dthNumber: '9876540001',
    opcode: 'TTV',
    key: 'page-2',
  });
  expect(data.operatorFind?.operatorName).toBeTruthy();
  expect([data.dthPlans, data.dthInfo]).toEqual([null, null]);
  expect(errors?.map(({ path, extensions }) => [path[0], extensions.code]).toSorted()).toEqual([
    ['dthInfo', 'PROVIDER_FAILED'],
    ['dthPlans', 'PROVIDER_FAILED'],
  ]);
});

it('loads the catalogue in one round trip, typed, with more than 60 products', async () => {
  const { data, errors } = await send(catalogue, {});
  expect(errors).toBeUndefined();
  const products = data.productCategories!.categories.flatMap((category) => category.products ?? []);
  expect(products.length).toBeGreaterThan(60);
  for (const product of products) expect(product.details?.campaignUrl).toMatch(/^https:/);
  expect(data.productCategories!.fee).toBe(0);
});

it('passes the opcode of an operator to the plan lookups, typed', async () => {
  const { operators, circles } = (await send(operatorList, {})).data;
  expect(operators).toHaveLength(10);
  for (const { type, mobileOpcode, dthOpcode } of operators!)
    expect([mobileOpcode !== null, dthOpcode !== null]).toEqual([type === 'MOBILE', type === 'DTH']);
  const mobile = operators!.find(({ mobileOpcode }) => mobileOpcode !== null)!;
  const dth = operators!.find(({ dthOpcode }) => dthOpcode !== null)!;
  const { data, errors } = await send(plansOfOperators, {
    mobileOpcode: mobile.mobileOpcode!,
    dthOpcode: dth.dthOpcode!,
    circle: circles![0]!.code,
  });
  expect(errors).toBeUndefined();
  expect(data.mobilePlans?.operator).toEqual({ mobileOpcode: mobile.mobileOpcode, dthOpcode: null });
  expect(data.dthPlans?.operator).toEqual({ mobileOpcode: null, dthOpcode: dth.dthOpcode });
});
