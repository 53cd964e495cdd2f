import { indianDays, indianTime } from '../../core/clock.js';
import type { RechargeEnquiry, RechargeOrder } from '../ports/recharge.port.js';
import { amountText } from '../recharge-wire.js';

/** The query of `/API/TransactionAPI`, sign-in excepted. Every documented parameter is sent, empty when there is nothing to say. */
export const rechargeQuery = (order: RechargeOrder): Record<string, string> => ({
  Account: order.accountNumber,
  Amount: amountText(order.amountPaise),
  SPKey: String(order.operatorSpKey),
  APIRequestID: order.reference,
  Optional1: '',
  Optional2: '',
  Optional3: '',
  Optional4: '',
  GEOCode: order.geocode ?? '',
  CustomerNumber: order.customerNumber ?? '',
  Pincode: order.pincode ?? '',
  Format: '1',
});

/** The provider's clock and ours may be as far apart. */
const CLOCKS_APART_MS = 5 * 60_000;
/** An order is asked about for a day or so; nobody knows what a longer silence means. */
export const MAX_DAYS = 7;

/**
 * The Indian calendar days (YYYY-MM-DD) on which the provider may have booked an order: from its placing to this enquiry, or to its
 * success. It files transactions by its own day, which need not be the day that we placed the order on.
 */
export function bookingDays({ placedAt, askedAt, settledAt }: RechargeEnquiry): string[] {
  const dayOf = (instantMs: number): string => indianTime(new Date(instantMs)).slice(0, 10);
  return indianDays(
    dayOf(placedAt.getTime() - CLOCKS_APART_MS),
    dayOf((settledAt ?? askedAt).getTime() + CLOCKS_APART_MS),
  );
}

/** The query of `/API/StatusCheck` for one day, sign-in excepted. */
export const statusQuery = (order: RechargeEnquiry, day: string): Record<string, string> => ({
  RPID: order.providerTxnId ?? '',
  AGENTID: order.reference,
  Optional1: dayText(day),
  Format: '1',
});

const months = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];

/** "2023-07-12" as "12 JUL 2023". */
function dayText(date: string): string {
  const [year, month, day] = date.split('-');
  return `${day} ${months[Number(month) - 1]} ${year}`;
}
