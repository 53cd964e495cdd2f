import { scriptOf } from '../../core/magic-numbers.js';
import { operatorKeyProblem } from '../operator-key.js';
import type { RechargeOrder, RechargePort, RechargeReceipt } from '../ports/recharge.port.js';
import { sampleDigits, sampleHex } from './sample-values.js';
import type { Closable, SandboxOptions } from './sandbox.options.js';
import { announcingReversal, replyToEnquiry, replyToPayment } from './sandbox.scripts.js';
import { enquiryOutcome, ScriptedAnswers } from './scripted-answers.js';

/** What a decline is for: the number belongs to another operator. */
const FAILURE_CODE = '224';

/**
 * Recharges with play money (UAT): no network, no state. The account number decides the outcome (`scriptOf`), our reference
 * decides the ids, so a payment and its enquiries agree without a book.
 */
export function createSandboxRecharge(options: SandboxOptions): RechargePort & Closable {
  const answers = new ScriptedAnswers(options, FAILURE_CODE);
  return {
    provider: 'SANDBOX',
    available: true,
    needsCircle: false,
    canEnquire: true,
    notFoundIsFinal: true,
    operatorProblem: operatorKeyProblem,
    async recharge(order) {
      const receipt = receiptOf(order);
      const script = scriptOf(order.accountNumber).money;
      return announcingReversal(
        script,
        await answers.answer(replyToPayment[script], () => receipt, receipt.providerTxnId),
      );
    },
    async enquire(order) {
      const receipt = receiptOf(order);
      const ageMs = order.askedAt.getTime() - order.placedAt.getTime();
      const script = scriptOf(order.accountNumber).money;
      const reply = replyToEnquiry(script, order.attempt, ageMs);
      return announcingReversal(
        script,
        enquiryOutcome(reply, () => receipt, receipt.providerTxnId, FAILURE_CODE),
      );
    },
    close: async () => answers.close(),
  };
}

const receiptOf = ({ reference }: RechargeOrder): RechargeReceipt => ({
  providerTxnId: `S${sampleDigits(`rpid-digits:${reference}`, 14)}${sampleHex(`rpid:${reference}`, 5).toUpperCase()}`,
  operatorRef: `BR${sampleHex(`opid:${reference}`, 8).toUpperCase()}`,
});
