import { type MoneyScript, STATUS_CHECKS_UNTIL_SETTLED } from '../core/magic-numbers.js';
import { type Paise, paise } from '../core/money.js';
import type { Journal } from './journal.js';
import type { ProviderClock } from './provider-clock.js';
import type { ProviderName } from './provider-name.js';
import type { BookLine, SimulatorRecord, TransactionRecord } from './records.js';
import type { Serials } from './serials.js';

export interface Transaction extends TransactionRecord {
  statusChecks: number;
  reversedAt: string | undefined;
}

/** What the provider says of a transaction when it is asked. */
export type TransactionState = 'pending' | 'success' | 'failed' | 'reversed';

/**
 * The transactions of all providers, in memory and in the journal. A transaction is booked, durably, before anything is
 * answered: the answer may get lost, the performance does not.
 */
export class Book {
  readonly #bySerial = new Map<number, Transaction>();
  readonly #byReference = new Map<string, Transaction>();
  readonly #lines: BookLine[] = [];
  /** Performed less reversed, integer paise. */
  readonly #spent = new Map<ProviderName, number>();

  constructor(
    private readonly journal: Journal,
    private readonly serials: Serials,
    private readonly clock: ProviderClock,
  ) {}

  /** The transaction that carries this reference; undefined when the provider never booked one. */
  find(provider: ProviderName, reference: string): Transaction | undefined {
    return this.#byReference.get(referenceKey(provider, reference));
  }

  /**
   * Books a transaction and resolves when it is durable. It is found by its reference at once, before the first await, so that
   * two simultaneous requests with one reference cannot both be performed.
   */
  async record(order: {
    provider: ProviderName;
    reference: string | null;
    account: string;
    amountPaise: Paise;
    script: MoneyScript;
    cardTail?: string;
  }): Promise<Transaction> {
    const { provider, reference, account, amountPaise, script, cardTail } = order;
    const record: TransactionRecord = {
      kind: 'transaction',
      provider,
      reference,
      account,
      amount: Number(amountPaise),
      outcome: isPerformed(script) ? 'succeeded' : 'failed',
      time: this.clock.now().toISOString(),
      serial: this.serials.next(),
      script,
      cardTail,
    };
    const transaction = this.#add(record);
    await this.journal.append(record);
    return transaction;
  }

  /** Resolves when everything booked so far is durable: a repeated request must not be answered from memory alone. */
  durable(): Promise<void> {
    return this.journal.flushed();
  }

  /** Counts a status check, durably, as long as the count decides anything. */
  async countStatusCheck(transaction: Transaction): Promise<void> {
    if (stateOf(transaction) !== 'pending') return this.durable();
    transaction.statusChecks += 1;
    await this.journal.append({ kind: 'status_check', serial: transaction.serial } satisfies SimulatorRecord);
  }

  /** Reverses a performed transaction; false when it is not in the book (any more) or was reversed before. */
  async reverse(transaction: Transaction): Promise<boolean> {
    if (this.#bySerial.get(transaction.serial) !== transaction || transaction.reversedAt) return false;
    const time = this.clock.now().toISOString();
    this.#reverse(transaction, time);
    await this.journal.append({ kind: 'reversal', serial: transaction.serial, time } satisfies SimulatorRecord);
    return true;
  }

  /** Performed transactions whose script still has a reversal to come. */
  *awaitingReversal(): Iterable<Transaction> {
    for (const transaction of this.#bySerial.values()) {
      if (transaction.script === 'success_then_reversed' && !transaction.reversedAt) yield transaction;
    }
  }

  /** What was performed and what was reversed, in the order it happened. */
  lines(): readonly BookLine[] {
    return this.#lines;
  }

  /** What the provider performed and did not reverse. */
  spentPaise(provider: ProviderName): Paise {
    return paise(this.#spent.get(provider) ?? 0);
  }

  /** Takes over one record of the journal at start. */
  replay(record: Extract<SimulatorRecord, { kind: 'transaction' | 'status_check' | 'reversal' }>): void {
    if (record.kind === 'transaction') {
      this.#add(record);
      return;
    }
    const transaction = this.#bySerial.get(record.serial);
    if (!transaction) throw new Error('a transaction that is not in the book');
    if (record.kind === 'status_check') transaction.statusChecks += 1;
    else this.#reverse(transaction, record.time);
  }

  /** Forgets everything; the journal is cleared by the caller in the same tick. */
  clear(): void {
    this.#bySerial.clear();
    this.#byReference.clear();
    this.#spent.clear();
    this.#lines.length = 0;
  }

  #add(record: TransactionRecord): Transaction {
    const transaction: Transaction = { ...record, statusChecks: 0, reversedAt: undefined };
    this.serials.seen(record.serial);
    this.#bySerial.set(record.serial, transaction);
    if (record.reference !== null) {
      this.#byReference.set(referenceKey(record.provider, record.reference), transaction);
    }
    if (record.outcome === 'succeeded') this.#line(transaction, 'succeeded', record.time);
    return transaction;
  }

  #reverse(transaction: Transaction, time: string): void {
    transaction.reversedAt = time;
    this.#line(transaction, 'reversed', time);
  }

  #line({ provider, reference, account, amount }: Transaction, outcome: BookLine['outcome'], time: string): void {
    this.#lines.push({ provider, reference, account, amount, outcome, time });
    const spent = this.#spent.get(provider) ?? 0;
    this.#spent.set(provider, outcome === 'succeeded' ? spent + amount : spent - amount);
  }
}

const referenceKey = (provider: ProviderName, reference: string): string => `${provider} ${reference}`;

/**
 * Whether a script performs the transaction. A pending one that will succeed is performed from the start: the provider only
 * learns of it late, and a caller that refunds meanwhile has lost the money.
 */
function isPerformed(script: MoneyScript): boolean {
  switch (script) {
    case 'declined':
    case 'silent_not_performed':
    case 'silent_never_found':
    case 'pending_then_failed':
      return false;
    case 'silent_performed':
    case 'pending_then_success':
    case 'html_500_performed':
    case 'truncated_performed':
    case 'slow_success':
    case 'success_then_reversed':
    case 'other_amount_performed':
    case 'reset_performed':
    case 'odd_but_valid':
    case 'success':
      return true;
  }
}

export function stateOf(transaction: Transaction): TransactionState {
  if (transaction.reversedAt) return 'reversed';
  const pends = transaction.script === 'pending_then_success' || transaction.script === 'pending_then_failed';
  if (pends && transaction.statusChecks < STATUS_CHECKS_UNTIL_SETTLED) return 'pending';
  return transaction.outcome === 'succeeded' ? 'success' : 'failed';
}
