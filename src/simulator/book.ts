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

/** State of a transaction as returned by a status check. */
export type TransactionState = 'pending' | 'success' | 'failed' | 'reversed';

/**
 * Transactions of all providers, in memory and in the journal. A transaction is durably booked before the response is sent, so a
 * lost response does not undo the transaction.
 */
export class Book {
  readonly #bySerial = new Map<number, Transaction>();
  readonly #byReference = new Map<string, Transaction>();
  readonly #lines: BookLine[] = [];
  /** Sum of completed minus reversed transactions, in paise. */
  readonly #spent = new Map<ProviderName, number>();

  constructor(
    private readonly journal: Journal,
    private readonly serials: Serials,
    private readonly clock: ProviderClock,
  ) {}

  /** Returns the transaction with this reference. Returns undefined if the provider never booked one. */
  find(provider: ProviderName, reference: string): Transaction | undefined {
    return this.#byReference.get(referenceKey(provider, reference));
  }

  /**
   * Books a transaction and resolves when it is durable. The reference is registered before the first await, so of two concurrent
   * requests with the same reference only one is processed.
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
      outcome: isSuccessful(script) ? 'succeeded' : 'failed',
      time: this.clock.now().toISOString(),
      serial: this.serials.next(),
      script,
      cardTail,
    };
    const transaction = this.#add(record);
    await this.journal.append(record);
    return transaction;
  }

  /**
   * Waits for the journal. Resolves when all bookings so far are durable, because the response to a duplicate request must not
   * depend on memory only.
   */
  whenDurable(): Promise<void> {
    return this.journal.whenFlushed();
  }

  /** Counts a status check durably while the count affects the state. */
  async countStatusCheck(transaction: Transaction): Promise<void> {
    if (stateOf(transaction) !== 'pending') return this.whenDurable();
    transaction.statusChecks += 1;
    await this.journal.append({ kind: 'status_check', serial: transaction.serial } satisfies SimulatorRecord);
  }

  /** Reverses a completed transaction. Returns false if it is not (or no longer) in the book, or was already reversed. */
  async reverse(transaction: Transaction): Promise<boolean> {
    if (this.#bySerial.get(transaction.serial) !== transaction || transaction.reversedAt) return false;
    const time = this.clock.now().toISOString();
    this.#reverse(transaction, time);
    await this.journal.append({ kind: 'reversal', serial: transaction.serial, time } satisfies SimulatorRecord);
    return true;
  }

  /** Returns completed transactions whose scripted reversal is still pending. */
  *awaitingReversal(): Iterable<Transaction> {
    for (const transaction of this.#bySerial.values()) {
      if (transaction.script === 'success_then_reversed' && !transaction.reversedAt) yield transaction;
    }
  }

  /** Returns completed and reversed transactions in chronological order. */
  lines(): readonly BookLine[] {
    return this.#lines;
  }

  /** Returns the total of completed transactions that were not reversed. */
  spentPaise(provider: ProviderName): Paise {
    return paise(this.#spent.get(provider) ?? 0);
  }

  /** Loads a record of the journal at startup. */
  replay(record: Extract<SimulatorRecord, { kind: 'transaction' | 'status_check' | 'reversal' }>): void {
    if (record.kind === 'transaction') {
      this.#add(record);
      return;
    }
    const transaction = this.#bySerial.get(record.serial);
    if (!transaction) throw new Error('the transaction is not in the book');
    if (record.kind === 'status_check') transaction.statusChecks += 1;
    else this.#reverse(transaction, record.time);
  }

  /** Clears the data in memory. The caller clears the journal in the same tick. */
  clear(): void {
    this.#bySerial.clear();
    this.#byReference.clear();
    this.#spent.clear();
    this.#lines.length = 0;
  }

  #add(record: TransactionRecord): Transaction {
    const transaction: Transaction = { ...record, statusChecks: 0, reversedAt: undefined };
    this.serials.markUsed(record.serial);
    this.#bySerial.set(record.serial, transaction);
    if (record.reference !== null) {
      this.#byReference.set(referenceKey(record.provider, record.reference), transaction);
    }
    if (record.outcome === 'succeeded') this.#addLine(transaction, 'succeeded', record.time);
    return transaction;
  }

  #reverse(transaction: Transaction, time: string): void {
    transaction.reversedAt = time;
    this.#addLine(transaction, 'reversed', time);
  }

  #addLine({ provider, reference, account, amount }: Transaction, outcome: BookLine['outcome'], time: string): void {
    this.#lines.push({ provider, reference, account, amount, outcome, time });
    const spent = this.#spent.get(provider) ?? 0;
    this.#spent.set(provider, outcome === 'succeeded' ? spent + amount : spent - amount);
  }
}

const referenceKey = (provider: ProviderName, reference: string): string => `${provider} ${reference}`;

/**
 * Returns whether a script completes the transaction. A pending one that will succeed is completed from the start. The provider
 * only learns of it late, so a caller that refunds it in the meantime loses the money.
 */
function isSuccessful(script: MoneyScript): boolean {
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
  const isPendingScript = transaction.script === 'pending_then_success' || transaction.script === 'pending_then_failed';
  if (isPendingScript && transaction.statusChecks < STATUS_CHECKS_UNTIL_SETTLED) return 'pending';
  return transaction.outcome === 'succeeded' ? 'success' : 'failed';
}
