import type { MoneyScript } from '../../core/magic-numbers.js';
import type { Caller } from '../calls.js';
import type { Outcome, StatusCheckOutcome } from '../outcome.js';
import { ChosenScripts } from './chosen-scripts.js';
import type { SandboxOptions } from './sandbox.options.js';
import { REVERSED_AFTER_MS, replyToPayment, replyToStatusCheck } from './sandbox.scripts.js';
import { ScriptedAnswers, statusCheckOutcome } from './scripted-answers.js';

interface Payment {
  reference: string;
}

/**
 * Simulated payments. They use no network and no stored state. Our reference determines the receipt, so that a payment and its
 * status checks match.
 */
export class ScriptedPayments<Receipt> extends ScriptedAnswers {
  readonly chosen: ChosenScripts;

  /**
   * Creates the payments.
   * @param failureCode decline code, unless the caller selected a reason
   */
  constructor(
    options: SandboxOptions,
    private readonly receiptOf: (reference: string) => Receipt,
    private readonly txnIdOf: (receipt: Receipt) => string,
    private readonly failureCode?: string,
  ) {
    super(options);
    this.chosen = new ChosenScripts(options.scenarios);
  }

  async pay(payment: Payment, account: string, caller: Caller | undefined): Promise<Outcome<Receipt>> {
    const receipt = this.receiptOf(payment.reference);
    const { script, failureCode = this.failureCode } = await this.chosen.ofPayment(caller, account, payment.reference);
    const reply = replyToPayment[script];
    return announcingReversal(script, await this.answer(reply, () => receipt, this.txnIdOf(receipt), failureCode));
  }

  async checkStatus(
    payment: Payment & { placedAt: Date; askedAt: Date; attempt: number },
    account: string,
  ): Promise<StatusCheckOutcome<Receipt>> {
    const receipt = this.receiptOf(payment.reference);
    const { script, failureCode = this.failureCode } = await this.chosen.ofStatusCheck(account, payment.reference);
    const reply = replyToStatusCheck(script, payment.attempt, payment.askedAt.getTime() - payment.placedAt.getTime());
    return announcingReversal(
      script,
      statusCheckOutcome(reply, () => receipt, this.txnIdOf(receipt), failureCode),
    );
  }
}

/**
 * Adds the time of a reversal. The sandbox sends no callbacks, so a success that will be reversed sets the time of the next
 * status check.
 */
const announcingReversal = <Judged extends StatusCheckOutcome<unknown>>(
  script: MoneyScript,
  outcome: Judged,
): Judged =>
  script === 'success_then_reversed' && outcome.kind === 'accepted'
    ? { ...outcome, askAgainMs: REVERSED_AFTER_MS }
    : outcome;
