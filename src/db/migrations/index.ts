import { Accounts } from './0001-accounts.js';
import { Money } from './0002-money.js';
import { CardBills } from './0003-card-bills.js';

/** In order. A migration that has run anywhere is never changed; a new one is added. */
export const migrations = [
  { name: '0001-accounts', class: Accounts },
  { name: '0002-money', class: Money },
  { name: '0003-card-bills', class: CardBills },
];
