import { afterAll, describe, expect, it } from 'vitest';
import { circleOfCode, circles } from '../../src/core/circles.js';
import { operatorOfName, operators } from '../../src/core/operators.js';
import type { PlanGroups } from '../../src/providers/ports/plans.port.js';
import { createSandboxPlans } from '../../src/providers/sandbox/plans.adapter.js';
import { lookupCases, outcomeText, quick, valueOf } from './sandbox.fixture.js';

const sandbox = createSandboxPlans(quick);
afterAll(() => sandbox.close());

const clientRequestId = 'ORD-1';
const mobile = '9876543210';
const dthNumber = '07210298754';
const mobileOpcodes = operators.filter(({ type }) => type === 'mobile').map(({ opcode }) => opcode);
const dthOpcodes = operators.filter(({ type }) => type === 'dth').map(({ opcode }) => opcode);

const mobilePlans = async (opcode: string, circleCode: string) =>
  valueOf(await sandbox.mobilePlans({ mobile, opcode, circleCode, clientRequestId }));
const dthPlans = async (opcode: string) => valueOf(await sandbox.dthPlans({ dthNumber, opcode, clientRequestId }));
const customersOf = async (number: string) =>
  valueOf(await createSandboxPlans(quick).dthInfo({ dthNumber: number, opcode: 'TTV', clientRequestId }));
const detect = async (number: string) => valueOf(await sandbox.operatorFetch({ mobile: number, clientRequestId }));
const countOf = ({ groups }: PlanGroups) => groups.reduce((sum, { plans }) => sum + plans.length, 0);

function expectWellFormed({ operator, groups }: PlanGroups) {
  expect(operatorOfName(operator)?.name).toBe(operator);
  expect(new Set(groups.map(({ name }) => name)).size).toBe(groups.length);
  for (const { name, plans } of groups) {
    expect(plans, name).not.toHaveLength(0);
    for (const plan of plans) {
      expect(plan.price).toBeGreaterThan(0);
      expect(Math.round(plan.price * 100)).toBe(plan.price * 100);
      expect(plan.type).toMatch(/^[a-z]+$/);
      expect(plan.validity).toMatch(/^(NA|\d+ (Hour|Day|Days|Month|Months))$/);
      expect(plan.description.length).toBeGreaterThan(8);
    }
    // Plans with the same price and validity need different descriptions.
    expect(new Set(plans.map((plan) => JSON.stringify(plan))).size).toBe(plans.length);
  }
}

describe('sandbox mobile plans', () => {
  it('have the five operators of the interface', () => {
    expect(mobileOpcodes).toEqual(['A', 'V', 'J', 'BT', 'BS']);
  });

  it.each(mobileOpcodes)('have several dozen well-formed plans of %s in every circle', async (opcode) => {
    for (const { code } of circles) {
      const found = await mobilePlans(opcode, code);
      expectWellFormed(found);
      expect(countOf(found)).toBeGreaterThanOrEqual(36);
      const names = found.groups.map(({ name }) => name);
      expect(names).toEqual(expect.arrayContaining(['TOPUP', 'DATA', 'STV']));
      expect(names.length).toBeGreaterThan(3);
    }
  });

  it('differ between operators and between some circles', async () => {
    const delhi = await Promise.all(mobileOpcodes.map((opcode) => mobilePlans(opcode, '10')));
    expect(new Set(delhi.map((found) => JSON.stringify(found.groups))).size).toBe(mobileOpcodes.length);
    for (const opcode of mobileOpcodes) {
      const byCircle = await Promise.all(circles.map(({ code }) => mobilePlans(opcode, code)));
      expect(new Set(byCircle.map((found) => JSON.stringify(found))).size, opcode).toBeGreaterThan(1);
    }
  });

  it('have a type derived from their group, in lower case', async () => {
    const { groups } = await mobilePlans('BT', '96');
    const typeOf = (name: string) => groups.find((group) => group.name === name)?.plans[0]?.type;
    expect(['TOPUP', 'DATA', 'STV'].map(typeOf)).toEqual(['talktime', 'data', 'stv']);
  });

  it('are a single frozen catalogue', async () => {
    const first = await mobilePlans('J', '92');
    expect(await mobilePlans('J', '92')).toBe(first);
    for (const part of [first, first.groups, first.groups[0], first.groups[0]?.plans, first.groups[0]?.plans[0]]) {
      expect(Object.isFrozen(part)).toBe(true);
    }
  });

  it.each([
    ['X', '10'],
    ['ATV', '10'],
    ['A', '6'],
    ['A', '999'],
    ['a', '10'],
  ])('decline opcode %s in circle %s', async (opcode, circleCode) => {
    const outcome = await sandbox.mobilePlans({ mobile, opcode, circleCode, clientRequestId });
    expect(outcomeText(outcome)).toBe('declined provider_failure');
  });
});

describe('sandbox DTH', () => {
  it.each(dthOpcodes)('has at least twenty Combo and AddOn packs of %s', async (opcode) => {
    const found = await dthPlans(opcode);
    expectWellFormed(found);
    expect(found.groups.map(({ name }) => name)).toEqual(['Combo', 'AddOn']);
    expect(countOf(found)).toBeGreaterThanOrEqual(20);
    expect(found.groups.flatMap(({ plans }) => plans.map(({ type }) => type))).toEqual([
      ...(found.groups[0]?.plans.map(() => 'combo') ?? []),
      ...(found.groups[1]?.plans.map(() => 'addon') ?? []),
    ]);
  });

  it('has different packs for each operator', async () => {
    const all = await Promise.all(dthOpcodes.map(dthPlans));
    expect(new Set(all.map(({ groups }) => JSON.stringify(groups))).size).toBe(dthOpcodes.length);
  });

  it('always returns the same single customer', async () => {
    const customers = await customersOf(dthNumber);
    expect(customers).toEqual([
      {
        subscriberNumber: dthNumber,
        name: expect.stringMatching(/^[A-Z][a-z]+ [A-Z][a-z]+ [A-Z][a-z]+$/),
        balance: expect.stringMatching(/^\d{1,3}\.\d\d$/),
        minimumRecharge: expect.stringMatching(/^\d{3}$/),
      },
    ]);
    expect(await customersOf(dthNumber)).toEqual(customers);
    expect(await customersOf('07210298755')).not.toEqual([{ ...customers[0], subscriberNumber: '07210298755' }]);
  });

  it('declines an opcode of another type', async () => {
    for (const opcode of ['A', 'BT', 'XTV', '']) {
      const query = { dthNumber, opcode, clientRequestId };
      expect(outcomeText(await sandbox.dthPlans(query))).toBe('declined provider_failure');
      expect(outcomeText(await sandbox.dthInfo(query))).toBe('declined provider_failure');
    }
  });
});

describe('sandbox operator detection', () => {
  it('masks the number and returns a known operator and circle', async () => {
    const detection = await detect(mobile);
    expect(detection.number).toBe('9876543xxx');
    expect(operatorOfName(detection.company)?.type).toBe('mobile');
    expect(circleOfCode(detection.circleCode)?.name).toBe(detection.circle);
    const other = { mobile, clientRequestId: 'other' };
    expect(valueOf(await createSandboxPlans(quick).operatorFetch(other))).toEqual(detection);
  });

  it('distributes number series over all companies and circles, one per series', async () => {
    const series = await Promise.all(Array.from({ length: 600 }, (_, n) => detect(`${60_000 + n * 66}12345`)));
    expect(new Set(series.map(({ company }) => company))).toEqual(new Set(['Airtel', 'Vi', 'Jio', 'BSNL']));
    expect(new Set(series.map(({ circleCode }) => circleCode)).size).toBe(circles.length);
    const { number: _number, ...neighbour } = await detect('9876500000');
    expect(await detect('9876512345')).toMatchObject(neighbour);
  });
});

describe('sandbox lookups by magic number', () => {
  it.each(lookupCases)('…$suffix: $verdict, for every lookup', async ({ suffix, verdict }) => {
    const magic = `9876${suffix}`;
    const outcomes = await Promise.all([
      sandbox.operatorFetch({ mobile: magic, clientRequestId }),
      sandbox.mobilePlans({ mobile: magic, opcode: 'A', circleCode: '10', clientRequestId }),
      sandbox.dthPlans({ dthNumber: magic, opcode: 'ATV', clientRequestId }),
      sandbox.dthInfo({ dthNumber: magic, opcode: 'ATV', clientRequestId }),
    ]);
    expect(outcomes.map(outcomeText)).toEqual(Array(4).fill(verdict));
  });

  it('build a catalogue only once', async () => {
    expect(await mobilePlans('V', '94')).toBe(await mobilePlans('V', '94'));
  });
});
