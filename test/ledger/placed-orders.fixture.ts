import { expect } from 'vitest';
import type { DeveloperId } from '../../src/core/principal.js';
import { holdOf, resolutionOf, type TestLedger } from './ledger.fixture.js';

/** One open order of 300 paise, a success of 200 and a refunded one of 100, in a new wallet with an opening credit of 1,000. */
export interface PlacedOrders {
  developer: DeveloperId;
  open: string;
  success: string;
  failed: string;
}

export async function placeOrders(test: TestLedger): Promise<PlacedOrders> {
  const developer = await test.wallet(1_000);
  const place = async (amountPaise: number): Promise<string> => {
    const hold = holdOf(developer, amountPaise);
    expect((await test.ledger.hold(hold)).outcome).toBe('accepted');
    return hold.id;
  };
  const [open, success, failed] = [await place(300), await place(200), await place(100)];
  await test.ledger.resolve(resolutionOf({ developerId: developer, id: success }, true));
  await test.ledger.resolve(resolutionOf({ developerId: developer, id: failed }, false));
  return { developer, open, success, failed };
}

/** Replaces `:d`, `:open`, `:success` and `:failed` in SQL with the IDs. */
export const withIds = (sql: string, { developer, open, success, failed }: PlacedOrders): string =>
  sql
    .replaceAll(':d', `'${developer}'::uuid`)
    .replaceAll(':open', `'${open}'`)
    .replaceAll(':success', `'${success}'`)
    .replaceAll(':failed', `'${failed}'`);
