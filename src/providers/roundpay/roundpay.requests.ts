import { indianTime } from '../../core/clock.js';
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

/** The query of `/API/StatusCheck`, sign-in excepted. */
export const statusQuery = (order: RechargeEnquiry): Record<string, string> => ({
  RPID: order.providerTxnId ?? '',
  AGENTID: order.reference,
  Optional1: dayText(order.placedAt),
  Format: '1',
});

const months = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];

/** The Indian calendar day, "12 JUL 2023": the provider files transactions by it. */
function dayText(instant: Date): string {
  const [year, month, day] = indianTime(instant).slice(0, 10).split('-');
  return `${day} ${months[Number(month) - 1]} ${year}`;
}
