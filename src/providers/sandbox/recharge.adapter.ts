import { operatorKeyProblem } from '../../core/operators.js';
import { sampleDigits, sampleHex } from '../../samples/values.js';
import type { RechargePort, RechargeReceipt } from '../ports/recharge.port.js';
import type { Closable, SandboxOptions } from './sandbox.options.js';
import { ScriptedPayments } from './scripted-payments.js';

/** Default decline code, which means that the number belongs to a different operator. */
const FAILURE_CODE = '224';

/**
 * Creates recharges with test funds (UAT). They use no network and no stored state. The outcome is determined by the scenario of
 * the caller, otherwise by the account number (`scriptOf`). Our reference determines the IDs, so that a payment and its status
 * checks match.
 */
export function createSandboxRecharge(options: SandboxOptions): RechargePort & Closable {
  const payments = new ScriptedPayments(options, receiptOf, ({ providerTxnId }) => providerTxnId, FAILURE_CODE);
  return {
    provider: 'SANDBOX',
    available: true,
    needsCircle: false,
    canCheckStatus: true,
    notFoundIsFinal: true,
    isTrial: true,
    operatorProblem: operatorKeyProblem,
    isDown: (caller, account) => payments.scripts.isDown(caller, account),
    recharge: (order, caller) => payments.pay(order, order.accountNumber, caller),
    checkStatus: (order) => payments.checkStatus(order, order.accountNumber),
    close: async () => payments.close(),
  };
}

const receiptOf = (reference: string): RechargeReceipt => ({
  providerTxnId: `S${sampleDigits(`rpid-digits:${reference}`, 14)}${sampleHex(`rpid:${reference}`, 5).toUpperCase()}`,
  operatorRef: `BR${sampleHex(`opid:${reference}`, 8).toUpperCase()}`,
});
