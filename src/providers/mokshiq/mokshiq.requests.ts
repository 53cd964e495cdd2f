import { type OperatorType, operatorOfSpKey } from '../../core/operators.js';
import type { RechargeOrder } from '../ports/recharge.port.js';
import { amountText } from '../recharge-wire.js';

export const rechargePath: Readonly<Record<OperatorType, string>> = {
  mobile: '/create_mobile_recharge',
  dth: '/create_dth_recharge',
};

/** The form fields of a recharge; undefined when the operator has no name here, or a mobile recharge has no circle. */
export function rechargeForm(order: RechargeOrder, pin: string): Record<string, string> | undefined {
  const operator = operatorOfSpKey(order.operatorSpKey);
  if (operator?.type !== order.operatorType) return undefined;
  const fields = {
    operator: operator.mokshiq,
    number: order.accountNumber,
    amount: amountText(order.amountPaise),
    pin,
  };
  switch (order.operatorType) {
    case 'dth':
      return fields;
    case 'mobile':
      return order.circle && { ...fields, circle: order.circle.mokshiq };
  }
}
