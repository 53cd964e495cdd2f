import { AppError } from '../../src/core/errors.js';
import { paise } from '../../src/core/money.js';
import type { DeveloperId } from '../../src/core/principal.js';
import type { MoneyDecision } from '../../src/decisions/money-decision.js';
import type { Decider } from '../../src/proposals/proposal.service.js';
import { userNumber } from '../support/ids.js';
import type { CorrectionKind } from './commands.js';
import type { servicesFor } from './database-services.js';
import type { Asked, Decided, Line, Refusal } from './machine.js';

const REASON = 'the model';
const ACTIONS = { reverse: 'order.reverse', charge_again: 'order.charge_again' } as const;

const byOf = (person: number): Decider => ({
  actor: `user:${userNumber(person + 1)}`,
  requestId: 'model',
  userId: userNumber(person + 1),
});

/** Admins who decide about one developer's money, through the services of src/. */
export class People {
  readonly #services: ReturnType<typeof servicesFor>;
  readonly #developerId: DeveloperId;
  /** Corrections that wait, by action and order: the second person names the proposal. */
  readonly #waiting = new Map<string, string>();

  constructor(services: ReturnType<typeof servicesFor>, developerId: DeveloperId) {
    this.#services = services;
    this.#developerId = developerId;
  }

  /** @param contradicted whether the provider says the opposite of what was decided: then nothing is decided anew */
  decide(orderId: string, success: boolean, person: number, contradicted: boolean): Promise<Decided> {
    const by = byOf(person);
    return outcomeOf(async () => {
      const decision = {
        orderId,
        outcome: success ? 'success' : 'failed',
        reason: REASON,
        allowRecentSend: true,
      } as const;
      const made = await this.#services.reviews.resolve(decision, by);
      if (made.proposal && !made.replayed) return { result: 'proposed' };
      if (made.proposal) return executed(await this.#services.proposals.approve(made.proposal.id, undefined, by, true));
      return contradicted ? { result: 'confirmed' } : executed(made);
    });
  }

  correct(action: CorrectionKind, orderId: string, person: number): Promise<Decided> {
    const by = byOf(person);
    const key = `${action} ${orderId}`;
    return outcomeOf(async () => {
      const waiting = this.#waiting.get(key);
      if (waiting === undefined) {
        const { proposal } = await this.#services.corrections.correct(ACTIONS[action], orderId, REASON, by);
        this.#waiting.set(key, proposal!.id);
        return { result: 'proposed' };
      }
      const done = executed(await this.#services.proposals.approve(waiting, undefined, by));
      this.#waiting.delete(key);
      return done;
    });
  }

  debit(amount: number, reference: number, person: number): Promise<Decided> {
    const by = byOf(person);
    return outcomeOf(async () => {
      const debit = {
        developerId: this.#developerId,
        environment: 'production',
        amountPaise: paise(amount),
        reference: `mistake ${reference}`,
        reason: REASON,
      } as const;
      const made = await this.#services.debits.debit(debit, by);
      if (!made.replayed) return { result: 'proposed' };
      if (!made.proposal) return { result: 'repeated' };
      return executed(await this.#services.proposals.approve(made.proposal.id, undefined, by));
    });
  }

  async ask(orderId: string): Promise<Asked> {
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

async function outcomeOf(work: () => Promise<Decided>): Promise<Decided> {
  try {
    return await work();
  } catch (error) {
    const result = error instanceof AppError ? refusalOf(error) : undefined;
    if (!result) throw error;
    return { result };
  }
}

const refusals: Partial<Record<AppError['code'], Refusal>> = {
  FORBIDDEN: 'same_person',
  RECORD_NOT_FOUND: 'no_such_order',
  INSUFFICIENT_BALANCE: 'insufficient',
};

function refusalOf({ code, message }: AppError): Refusal | undefined {
  if (code !== 'CONFLICT') return refusals[code];
  if (/another amount/.test(message)) return 'reference_taken';
  return /card bill/.test(message) ? 'bill_paid' : 'wrong_state';
}

const executed = ({ line }: MoneyDecision): Decided => ({
  result: 'executed',
  line: line
    ? { kind: line.kind as Line['kind'], amount: Number(line.amountPaise), balance: Number(line.balanceAfterPaise) }
    : null,
});
