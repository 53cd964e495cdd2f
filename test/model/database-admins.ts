import type { ActingUser } from '../../src/approval-requests/approval-request.service.js';
import { AppError } from '../../src/core/errors.js';
import { paise } from '../../src/core/money.js';
import type { DeveloperId } from '../../src/core/principal.js';
import type { MoneyMoved } from '../../src/decisions/money-decision.js';
import { userNumber } from '../support/ids.js';
import type { CorrectionKind } from './commands.js';
import type { servicesFor } from './database-services.js';
import type { AdminResult, CheckResult, Line, Rejection } from './machine.js';

const REASON = 'the model';
const ACTIONS = { reverse: 'order.reverse', refund_reversal: 'order.reverse_refund' } as const;

const byOf = (admin: number): ActingUser => ({
  actor: `user:${userNumber(admin + 1)}`,
  requestId: 'model',
  userId: userNumber(admin + 1),
  confirmedAt: undefined,
});

/** Admins who resolve and correct the orders of one developer, through the services of src/. */
export class Admins {
  readonly #services: ReturnType<typeof servicesFor>;
  readonly #developerId: DeveloperId;
  /** Pending corrections by action and order, for the approval of the second admin. */
  readonly #waiting = new Map<string, string>();

  constructor(services: ReturnType<typeof servicesFor>, developerId: DeveloperId) {
    this.#services = services;
    this.#developerId = developerId;
  }

  /** @param conflicting whether the provider status conflicts with the resolution, which is then not changed */
  resolve(orderId: string, success: boolean, admin: number, conflicting: boolean): Promise<AdminResult> {
    const by = byOf(admin);
    return outcomeOf(async () => {
      const { actions, approvalRequests } = this.#services;
      const input = { orderId, reason: REASON, allowRecentSend: true };
      const { done, approvalRequest, replayed } = await approvalRequests.decide(
        actions[success ? 'order.settle' : 'order.refund'],
        input,
        by,
      );
      if (approvalRequest && !replayed) return { result: 'requested' };
      if (approvalRequest)
        return executed((await approvalRequests.approve(approvalRequest.id, { allowRecentSend: true }, by)).done);
      return conflicting ? { result: 'confirmed' } : executed(done!);
    });
  }

  correct(action: CorrectionKind, orderId: string, admin: number): Promise<AdminResult> {
    const by = byOf(admin);
    const key = `${action} ${orderId}`;
    return outcomeOf(async () => {
      const { actions, approvalRequests } = this.#services;
      const waiting = this.#waiting.get(key);
      if (waiting === undefined) {
        const { approvalRequest } = await approvalRequests.decide(
          actions[ACTIONS[action]],
          { orderId, reason: REASON },
          by,
        );
        this.#waiting.set(key, approvalRequest!.id);
        return { result: 'requested' };
      }
      const done = executed((await approvalRequests.approve(waiting, {}, by)).done);
      this.#waiting.delete(key);
      return done;
    });
  }

  debit(amount: number, reference: number, admin: number): Promise<AdminResult> {
    const by = byOf(admin);
    return outcomeOf(async () => {
      const debit = {
        developerId: this.#developerId,
        environment: 'production',
        amountPaise: paise(amount),
        reference: `mistake ${reference}`,
        reason: REASON,
      } as const;
      const { actions, approvalRequests } = this.#services;
      const { approvalRequest, replayed } = await approvalRequests.decide(actions['wallet.debit'], debit, by);
      if (!replayed) return { result: 'requested' };
      if (!approvalRequest) return { result: 'repeated' };
      return executed((await approvalRequests.approve(approvalRequest.id, {}, by)).done);
    });
  }

  async requestCheck(orderId: string): Promise<CheckResult> {
    try {
      await this.#services.questions.ask(orderId, byOf(0));
      return 'asked';
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      if (error.code === 'RECORD_NOT_FOUND') return 'no_such_order';
      if (error.code !== 'CONFLICT') throw error;
      return /still being sent/.test(error.message) ? 'sending' : 'cannot_be_asked';
    }
  }
}

async function outcomeOf(work: () => Promise<AdminResult>): Promise<AdminResult> {
  try {
    return await work();
  } catch (error) {
    const result = error instanceof AppError ? rejectionOf(error) : undefined;
    if (!result) throw error;
    return { result };
  }
}

const errorResponses: Partial<Record<AppError['code'], Rejection>> = {
  FORBIDDEN: 'same_person',
  RECORD_NOT_FOUND: 'no_such_order',
  INSUFFICIENT_BALANCE: 'insufficient',
};

function rejectionOf({ code, message }: AppError): Rejection | undefined {
  if (code !== 'CONFLICT') return errorResponses[code];
  if (/different amount/.test(message)) return 'reference_taken';
  return /card bill/.test(message) ? 'bill_paid' : 'wrong_state';
}

const executed = ({ line }: MoneyMoved): AdminResult => ({
  result: 'executed',
  line: line
    ? { kind: line.kind as Line['kind'], amount: Number(line.amountPaise), balance: Number(line.balanceAfterPaise) }
    : null,
});
