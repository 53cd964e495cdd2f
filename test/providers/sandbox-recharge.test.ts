import { afterAll, describe, expect, it } from 'vitest';
import { operators } from '../../src/core/operators.js';
import type { RechargeOrder } from '../../src/providers/ports/recharge.port.js';
import { createSandboxRecharge } from '../../src/providers/sandbox/recharge.adapter.js';
import { REVERSED_AFTER_MS } from '../../src/providers/sandbox/sandbox.scripts.js';
import { AMOUNT, NOW, outcomeText, paymentCases, quick, reference, valueOf } from './sandbox.fixture.js';

const sandbox = createSandboxRecharge(quick);
afterAll(() => sandbox.close());

const order = (accountNumber: string, more: Partial<RechargeOrder> = {}): RechargeOrder => ({
  reference: reference(1),
  accountNumber,
  amountPaise: AMOUNT,
  operatorSpKey: 3,
  operatorType: 'mobile',
  ...more,
});
const placedAgo = (ageMs: number) => new Date(NOW.getTime() - ageMs);
const txnIdOf = async (account: string) => (await sandbox.recharge(order(account))).evidence.providerTxnId;
const checkReversed = (ageMs: number) =>
  sandbox.checkStatus({ ...order('9876540010'), placedAt: placedAgo(ageMs), checkedAt: NOW, attempt: 1 });

describe('sandbox recharge', () => {
  it('describes its capabilities', () => {
    expect(sandbox).toMatchObject({
      provider: 'SANDBOX',
      available: true,
      needsCircle: false,
      canCheckStatus: true,
      notFoundIsFinal: true,
    });
  });

  it.each(paymentCases)('…$suffix: sending $sent; status checks: $checked', async ({ suffix, sent, checked }) => {
    const placed = order(`9876${suffix}`);
    expect(outcomeText(await sandbox.recharge(placed))).toBe(sent);
    for (const [index, verdict] of checked.entries()) {
      const outcome = await sandbox.checkStatus({
        ...placed,
        placedAt: placedAgo(60_000),
        checkedAt: NOW,
        attempt: index + 1,
      });
      expect(outcomeText(outcome)).toBe(verdict);
    }
  });

  it('supports the magic numbers of DTH accounts of any length', async () => {
    const dth = { operatorSpKey: 51, operatorType: 'dth' } as const;
    expect(outcomeText(await sandbox.recharge(order('540001', dth)))).toBe('declined provider_failure');
    expect(outcomeText(await sandbox.recharge(order('30215540007', dth)))).toBe('unknown http_error');
    expect(outcomeText(await sandbox.recharge(order('40001', dth)))).toBe('accepted provider_success');
  });

  it('returns the same IDs for a recharge and its status checks, and different ones for another reference', async () => {
    const receipt = valueOf(await sandbox.recharge(order('9876543210')));
    expect(receipt.providerTxnId).toMatch(/^S\d{14}[0-9A-F]{5}$/);
    expect(receipt.operatorRef).toMatch(/^BR[0-9A-F]{8}$/);
    const again = await createSandboxRecharge(quick).checkStatus({
      ...order('9876543210'),
      placedAt: placedAgo(9_000),
      checkedAt: NOW,
      attempt: 2,
    });
    expect(valueOf(again)).toEqual(receipt);
    expect(again.evidence.providerTxnId).toBe(receipt.providerTxnId);
    const other = valueOf(await sandbox.recharge(order('9876543210', { reference: reference(2) })));
    expect(other.providerTxnId).not.toBe(receipt.providerTxnId);
    expect(other.operatorRef).not.toBe(receipt.operatorRef);
  });

  it('includes the transaction only if the provider responded', async () => {
    expect(await txnIdOf('9876540005')).toMatch(/^S\d{14}/);
    expect(await txnIdOf('9876540011')).toBe(await txnIdOf('9876540005'));
    expect(await txnIdOf('9876540001')).toBeUndefined();
    expect(await txnIdOf('9876540002')).toBeUndefined();
    expect(await txnIdOf('9876540008')).toBeUndefined();
  });

  it('returns the default provider’s code as the decline reason', async () => {
    const evidence = { reason: 'provider_failure', providerCode: '224' };
    expect((await sandbox.recharge(order('9876540001'))).evidence).toMatchObject(evidence);
    const statusCheck = { placedAt: placedAgo(60_000), checkedAt: NOW, attempt: 1 };
    expect((await sandbox.checkStatus({ ...order('9876540003'), ...statusCheck })).evidence).toMatchObject(evidence);
  });

  it('reports a reversal only some seconds after the order was placed', async () => {
    expect(outcomeText(await checkReversed(REVERSED_AFTER_MS - 1))).toBe('accepted provider_success');
    const late = await checkReversed(REVERSED_AFTER_MS);
    expect(late).toMatchObject({ kind: 'declined', evidence: { providerStatus: 'reversed' } });
    expect(late.evidence.providerTxnId).toMatch(/^S\d{14}/);
  });

  it('accepts every positive operator key except those of the other type', () => {
    for (const { spKeys, type } of operators) {
      for (const key of spKeys) {
        expect(sandbox.operatorProblem(key, type)).toBeUndefined();
        expect(sandbox.operatorProblem(key, type === 'mobile' ? 'dth' : 'mobile')).toMatch(/belongs to/);
      }
    }
    expect(sandbox.operatorProblem(98_765, 'mobile')).toBeUndefined();
    expect(sandbox.operatorProblem(98_765, 'dth')).toBeUndefined();
    for (const key of [0, -3, 1.5, Number.NaN]) expect(sandbox.operatorProblem(key, 'mobile')).toMatch(/positive/);
  });
});
