import { afterAll, describe, expect, it } from 'vitest';
import type { CardPaymentOrder } from '../../src/providers/ports/card-bills.port.js';
import { createSandboxCardBills } from '../../src/providers/sandbox/card-bills.adapter.js';
import { AMOUNT, lookupCases, NOW, outcomeText, paymentCases, quick, reference, valueOf } from './sandbox.fixture.js';

const sandbox = createSandboxCardBills(quick);
afterAll(() => sandbox.close());

const query = { reference: reference(1), card: '3008', mobile: '9876543210', opcode: 'SBIN' };
const order = (mobile: string, more: Partial<CardPaymentOrder> = {}): CardPaymentOrder => ({
  ...query,
  mobile,
  amountPaise: AMOUNT,
  fetchId: 'TSB974ca',
  ...more,
});
const at = (now: string) => createSandboxCardBills({ ...quick, clock: { now: () => new Date(now) } });

describe('sandbox card bills', () => {
  it('describes its capabilities', () => {
    expect(sandbox).toMatchObject({
      provider: 'SANDBOX',
      available: true,
      canCheckStatus: true,
      notFoundIsFinal: true,
    });
  });

  it('fetches a bill of this month with amounts in paise and a masked name', async () => {
    const bill = valueOf(await sandbox.fetchBill(query));
    expect(bill.fetchId).toMatch(/^TSB[0-9a-f]{8}$/);
    expect(bill.customerName).toMatch(/^XXXX [A-Z]+ [A-Z]+$/);
    expect(bill.billDate).toBe('2026-03-01');
    expect(bill.billDueDate).toMatch(/^2026-03-(19|2[0-3])$/);
    expect(bill.billAmountPaise).toBeTypeOf('bigint');
  });

  it('keeps every bill within its limits, most of them with odd paise', async () => {
    const bills = await Promise.all(
      Array.from({ length: 300 }, async (_, n) =>
        valueOf(await sandbox.fetchBill({ ...query, card: String(1000 + n) })),
      ),
    );
    for (const { billAmountPaise, minimumDuePaise } of bills) {
      expect(billAmountPaise).toBeGreaterThanOrEqual(500_00n);
      expect(billAmountPaise).toBeLessThanOrEqual(85_001_00n);
      expect(minimumDuePaise).toBeGreaterThanOrEqual(200_00n);
      expect(minimumDuePaise).toBeLessThan(billAmountPaise);
      expect(minimumDuePaise % 100n).toBe(0n);
    }
    expect(bills.filter(({ billAmountPaise }) => billAmountPaise % 100n !== 0n).length).toBeGreaterThan(250);
    expect(bills.some(({ billAmountPaise }) => billAmountPaise >= 50_000_00n)).toBe(true);
    expect(new Set(bills.map(({ billAmountPaise }) => billAmountPaise)).size).toBeGreaterThan(280);
  });

  it('returns the same bill for the same request, and changes only the fetch ID in a new fetch', async () => {
    const bill = valueOf(await sandbox.fetchBill(query));
    expect(valueOf(await createSandboxCardBills(quick).fetchBill({ ...query }))).toEqual(bill);
    const next = valueOf(await sandbox.fetchBill({ ...query, reference: reference(2) }));
    expect({ ...next, fetchId: '' }).toEqual({ ...bill, fetchId: '' });
    expect(next.fetchId).not.toBe(bill.fetchId);
  });

  it('uses the calendar month in IST and moves due dates beyond its end', async () => {
    expect(valueOf(await at('2026-01-31T18:29:59Z').fetchBill(query)).billDate).toBe('2026-01-01');
    expect(valueOf(await at('2026-01-31T18:30:00Z').fetchBill(query)).billDate).toBe('2026-02-01');
    expect(valueOf(await at(NOW.toISOString()).fetchBill(query)).billDate).toBe('2026-03-01');
  });

  it.each(lookupCases)('bill fetch for …$suffix: $verdict', async ({ suffix, verdict }) => {
    expect(outcomeText(await sandbox.fetchBill({ ...query, mobile: `9876${suffix}` }))).toBe(verdict);
  });

  it.each(paymentCases)('payment for …$suffix: $sent; status checks: $checked', async ({ suffix, sent, checked }) => {
    const placed = order(`9876${suffix}`);
    expect(outcomeText(await sandbox.pay(placed))).toBe(sent);
    for (const [index, verdict] of checked.entries()) {
      const placedAt = new Date(NOW.getTime() - 60_000);
      expect(outcomeText(await sandbox.checkStatus({ ...placed, placedAt, checkedAt: NOW, attempt: index + 1 }))).toBe(
        verdict,
      );
    }
  });

  it('is controlled by the mobile number, not the card', async () => {
    expect(outcomeText(await sandbox.pay(order('9876543210', { card: '9876540001' })))).toBe(
      'accepted provider_success',
    );
  });

  it('returns the same receipt for a payment and its status checks, and a different one for another reference', async () => {
    const receipt = valueOf(await sandbox.pay(order('9876543210')));
    expect(receipt.utr).toMatch(/^TJ\d{12}[0-9A-F]{6}$/);
    expect(Number.isInteger(receipt.txid)).toBe(true);
    expect(String(receipt.txid)).toMatch(/^\d{13}$/);
    const checked = await sandbox.checkStatus({ ...order('9876543210'), placedAt: NOW, checkedAt: NOW, attempt: 1 });
    expect(valueOf(checked)).toEqual(receipt);
    expect(checked.evidence.providerTxnId).toBe(String(receipt.txid));
    expect(valueOf(await sandbox.pay(order('9876543210', { reference: reference(2) })))).not.toEqual(receipt);
  });
});
