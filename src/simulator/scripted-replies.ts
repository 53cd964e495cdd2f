import { type LookupScript, SLOW_RESPONSE_MS } from '../core/magic-numbers.js';
import type { Paise } from '../core/money.js';
import { add, paise, rupees } from '../core/money.js';
import type { Transaction } from './book.js';
import type { ProviderName } from './provider-name.js';
import { json, type Reply } from './reply.js';
import type { World } from './world.js';

/** Responses of a provider to a transaction. */
export interface PaymentBodies {
  /**
   * Returns the response to a success. `amountPaise` is the amount in the response; the transaction has the amount that was
   * processed.
   */
  success(transaction: Transaction, amountPaise: Paise): object;
  pending(transaction: Transaction): object;
  declined(transaction: Transaction): object;
  odd(transaction: Transaction): object;
}

export interface MoneyOrder {
  provider: ProviderName;
  reference: string | null;
  account: string;
  amountPaise: Paise;
  cardTail?: string;
  /** Identifier that can be a magic number. */
  identifier: string;
}

/** Books a transaction according to its magic number, then responds or simulates a fault. */
export async function processPayment(world: World, order: MoneyOrder, bodies: PaymentBodies): Promise<Reply> {
  const script = world.scripts.moneyOf(order.identifier);
  if (script === 'silent_never_found') return { kind: 'silence' };
  const transaction = await world.book.record({ ...order, script });
  const success = (): object => bodies.success(transaction, paise(transaction.amount));

  switch (script) {
    case 'declined':
      return json(bodies.declined(transaction));
    case 'silent_performed':
    case 'silent_not_performed':
      return { kind: 'silence' };
    case 'pending_then_success':
    case 'pending_then_failed':
      return json(bodies.pending(transaction));
    case 'html_500_performed':
      return { kind: 'html', httpStatus: 500 };
    case 'truncated_performed':
      return { kind: 'truncated', body: success() };
    case 'slow_success':
      return { kind: 'json', body: success(), delayMs: SLOW_RESPONSE_MS };
    case 'success_then_reversed':
      world.reversals.schedule(transaction);
      return json(success());
    case 'other_amount_performed':
      return json(bodies.success(transaction, add(paise(transaction.amount), rupees(1))));
    case 'reset_performed':
      return { kind: 'reset' };
    case 'odd_but_valid':
      return json(bodies.odd(transaction));
    case 'success':
      return json(success());
  }
}

/** Responds to a call without money movement according to its magic number. */
export async function lookUp(
  script: LookupScript,
  bodies: { success(): object | Promise<object>; failure(): object; odd(): object | Promise<object> },
): Promise<Reply> {
  switch (script) {
    case 'failure':
      return json(bodies.failure());
    case 'silent':
      return { kind: 'silence' };
    case 'html_500':
      return { kind: 'html', httpStatus: 500 };
    case 'truncated':
      return { kind: 'truncated', body: await bodies.success() };
    case 'slow_success':
      return { kind: 'json', body: await bodies.success(), delayMs: SLOW_RESPONSE_MS };
    case 'reset':
      return { kind: 'reset' };
    case 'odd_but_valid':
      return json(await bodies.odd());
    case 'success':
      return json(await bodies.success());
  }
}
