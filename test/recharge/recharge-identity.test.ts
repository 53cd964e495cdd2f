import 'reflect-metadata';
import type { GraphQLInputObjectType } from 'graphql';
import { expect, it } from 'vitest';
import { rupees } from '../../src/core/money.js';
import { isSameRecharge, NON_IDENTITY_FIELDS, RechargeService } from '../../src/recharge/recharge.service.js';
import { useSharedApp } from '../support/use-app.js';

const test = useSharedApp();
const input = {
  accountNumber: '9876543210',
  amount: rupees(199),
  operatorSpKey: 116,
  operatorType: 'mobile',
} as const;

it('every field of a recharge is bound to its idempotency key or listed as variable', () => {
  const { RechargeInput } = test.app.schemas.api.getTypeMap() as Record<string, GraphQLInputObjectType>;
  const fields = Object.keys(RechargeInput!.getFields());
  for (const field of NON_IDENTITY_FIELDS) expect(fields).toContain(field);
  expect(fields.filter((field) => !(NON_IDENTITY_FIELDS as readonly string[]).includes(field)).toSorted()).toEqual(
    Object.keys(input).toSorted(),
  );
});

it('a new field makes two recharges different by default', () => {
  const withNote = (note: string | undefined) => ({ ...input, note });
  expect(isSameRecharge(input, withNote('new'))).toBe(false);
  expect(isSameRecharge(withNote('old'), withNote('new'))).toBe(false);
  expect(isSameRecharge(input, withNote(undefined))).toBe(true);
});

it('variable fields and the order of fields do not make two recharges different', () => {
  const withMarks = Object.fromEntries(NON_IDENTITY_FIELDS.map((field) => [field, 'x']));
  const turned = Object.fromEntries(Object.entries(input).toReversed());
  expect(isSameRecharge({ ...withMarks, ...turned }, input)).toBe(true);
});

it('the full input is stored with the order, including unknown fields', async () => {
  const developer = await test.developer();
  const principal = (await test.app.principals.ofToken(developer.tokens.uat))!;
  const inputWithNote = { ...input, clientRequestId: 'noted', note: 'first' };
  const port = {
    provider: 'SANDBOX',
    available: true,
    operatorProblem: () => undefined,
    recharge: async () => ({
      kind: 'accepted',
      value: { providerTxnId: 'T', operatorRef: 'R' },
      evidence: { reason: 'provider_success' },
    }),
  };
  const recharges = new RechargeService(test.app.orders, { of: () => port } as never, rupees(1_000), {} as never);
  const place = (more: object) =>
    recharges.recharge(principal, { ...inputWithNote, ...more } as never, { arrivedMs: performance.now() });
  const { reference } = await place({});
  expect(await place({ geocode: '1,2' })).toMatchObject({ reference, replayed: true });
  for (const more of [{ note: 'second' }, { note: undefined }])
    await expect(place(more)).rejects.toMatchObject({
      code: 'IDEMPOTENCY_KEY_REUSED',
      details: { apiRequestId: reference },
    });
});
