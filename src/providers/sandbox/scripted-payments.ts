import type { MoneyScript } from '../../core/magic-numbers.js';
import type { Caller } from '../calls.js';
import type { Outcome, StatusCheckOutcome } from '../outcome.js';
import { ChosenScripts } from './chosen-scripts.js';
import type { SandboxOptions } from './sandbox.options.js';
import { REVERSED_AFTER_MS, replyToPayment, replyToStatusCheck } from './sandbox.scripts.js';
import { ScriptedResponses, statusCheckOutcome } from './scripted-responses.js';

interface Payment {
  reference: string;
}

/**
 * Simulated payments. They use no network and no stored state. Our reference determines the receipt, so that a payment and its
 * status checks match.
 */
export class ScriptedPayments<Receipt> extends ScriptedResponses {
  readonly scripts: ChosenScripts;

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
    this.scripts = new ChosenScripts(options.scenarios);
  }

  async pay(payment: Payment, account: string, caller: Caller | undefined): Promise<Outcome<Receipt>> {
    const receipt = this.receiptOf(payment.reference);
    const { script, failureCode = this.failureCode } = await this.scripts.ofPayment(caller, account, payment.reference);
    const reply = replyToPayment[script];
    return withRecheck(script, await this.respond(reply, () => receipt, this.txnIdOf(receipt), failureCode));
  }

  async checkStatus(
    payment: Payment & { placedAt: Date; checkedAt: Date; attempt: number },
    account: string,
  ): Promise<StatusCheckOutcome<Receipt>> {
    const receipt = this.receiptOf(payment.reference);
    const { script, failureCode = this.failureCode } = await this.scripts.ofStatusCheck(account, payment.reference);
    const reply = replyToStatusCheck(script, payment.attempt, payment.checkedAt.getTime() - payment.placedAt.getTime());
    return withRecheck(
      script,
      statusCheckOutcome(reply, () => receipt, this.txnIdOf(receipt), failureCode),
    );
  }
}

/**
 * Adds the time of a reversal. The sandbox sends no callbacks, so a success that will be reversed sets the time of the next
 * status check.
 */
const withRecheck = <Result extends StatusCheckOutcome<unknown>>(script: MoneyScript, outcome: Result): Result =>
  script === 'success_then_reversed' && outcome.kind === 'accepted'
    ? { ...outcome, recheckAfterMs: REVERSED_AFTER_MS }
    : outcome;
