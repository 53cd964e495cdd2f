import { operatorKeyProblem } from '../../core/operators.js';
import type { RechargeOrder, RechargePort, RechargeReceipt } from '../ports/recharge.port.js';
import { ChosenScripts } from './chosen-scripts.js';
import { sampleDigits, sampleHex } from './sample-values.js';
import type { Closable, SandboxOptions } from './sandbox.options.js';
import { announcingReversal, replyToEnquiry, replyToPayment } from './sandbox.scripts.js';
import { enquiryOutcome, ScriptedAnswers } from './scripted-answers.js';

/** What a decline is for: the number belongs to another operator. */
const FAILURE_CODE = '224';

/**
 * Recharges with play money (UAT): no network, no book. What the caller wants decides the outcome, else the account number
 * (`scriptOf`); our reference decides the ids, so a payment and its enquiries agree.
 */
export function createSandboxRecharge(options: SandboxOptions): RechargePort & Closable {
  const answers = new ScriptedAnswers(options, FAILURE_CODE);
  const chosen = new ChosenScripts(options.scenarios);
  return {
    provider: 'SANDBOX',
    available: true,
    needsCircle: false,
    canEnquire: true,
    notFoundIsFinal: true,
    operatorProblem: operatorKeyProblem,
    isAway: (caller, account) => chosen.isAway(caller, account),
    async recharge(order, caller) {
      const receipt = receiptOf(order);
      const { script, failureCode } = await chosen.ofPayment(caller, order.accountNumber, order.reference);
      return announcingReversal(
        script,
        await answers.answer(replyToPayment[script], () => receipt, receipt.providerTxnId, failureCode),
      );
    },
    async enquire(order) {
      const receipt = receiptOf(order);
      const ageMs = order.askedAt.getTime() - order.placedAt.getTime();
      const { script, failureCode = FAILURE_CODE } = await chosen.ofEnquiry(order.accountNumber, order.reference);
      const reply = replyToEnquiry(script, order.attempt, ageMs);
      return announcingReversal(
        script,
        enquiryOutcome(reply, () => receipt, receipt.providerTxnId, failureCode),
      );
    },
    close: async () => answers.close(),
  };
}

const receiptOf = ({ reference }: RechargeOrder): RechargeReceipt => ({
  providerTxnId: `S${sampleDigits(`rpid-digits:${reference}`, 14)}${sampleHex(`rpid:${reference}`, 5).toUpperCase()}`,
  operatorRef: `BR${sampleHex(`opid:${reference}`, 8).toUpperCase()}`,
});
