import type { Environment } from '../core/environment.js';
import { paise } from '../core/money.js';
import type { DeveloperPrincipal } from '../core/principal.js';
import type { ChargedLookups, LookupResult } from '../orders/charged-lookup.js';
import { callerOf } from '../providers/calls.js';
import type { Outcome } from '../providers/outcome.js';
import type { CardBill, CardBillsPort } from '../providers/ports/card-bills.port.js';
import type { FetchCardBillInput } from './card-bills.types.js';
import type { FetchedBills } from './fetched-bill.store.js';

/** Bill in a form that survives JSON. */
type StoredBill = Omit<CardBill, 'billAmountPaise' | 'minimumDuePaise'> &
  Record<'billAmountPaise' | 'minimumDuePaise', string>;

/** Fetches credit card bills (interface.md 4.4). */
export class BillFetchService {
  constructor(
    private readonly lookups: ChargedLookups,
    private readonly bills: FetchedBills,
    private readonly providers: Record<Environment, CardBillsPort>,
  ) {}

  /** Fetches a bill and returns it with a fetch ID of this service. Throws the errors of `ChargedLookups.run`. */
  async fetch(
    principal: DeveloperPrincipal,
    { card, mobile, opcode, clientRequestId }: FetchCardBillInput,
  ): Promise<LookupResult<CardBill>> {
    const { developerId, environment } = principal;
    const port = this.providers[environment];
    const result = await this.lookups.run<StoredBill>({
      principal,
      operation: 'card_bill',
      service: 'credit_card_fetch',
      identity: { card, mobile, opcode, clientRequestId },
      account: mobile,
      provider: port.provider,
      available: port.available,
      // The fetch_id is stored before the fee is settled, so that no developer pays for a fetch_id that cannot be used.
      call: async (reference): Promise<Outcome<StoredBill>> => {
        const query = { reference, card, mobile, opcode };
        const outcome = await port.fetchBill(query, callerOf(principal, clientRequestId));
        if (outcome.kind !== 'accepted') return outcome;
        const { fetchId, billAmountPaise, minimumDuePaise, ...bill } = outcome.value;
        const value: StoredBill = {
          ...bill,
          fetchId: await this.bills.keep({ developerId, environment, card, mobile, opcode }, fetchId),
          billAmountPaise: String(billAmountPaise),
          minimumDuePaise: String(minimumDuePaise),
        };
        return { ...outcome, value };
      },
    });
    const { billAmountPaise, minimumDuePaise } = result.value;
    const value = { ...result.value, billAmountPaise: paise(billAmountPaise), minimumDuePaise: paise(minimumDuePaise) };
    return { ...result, value };
  }
}
