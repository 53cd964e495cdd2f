import type { NamedMigration } from '../baseline.js';
import { Accounts } from './0001-accounts.js';
import { Money } from './0002-money.js';
import { CardBills } from './0003-card-bills.js';
import { Webhooks } from './0004-webhooks.js';
import { OrderReview } from './0005-order-review.js';
import { Leads } from './0006-leads.js';
import { Doctor } from './0007-doctor.js';
import { Onboarding } from './0008-onboarding.js';

/** In order. After the first release a migration is never changed, a new one is added: a database made by others is refused. */
export const migrations: readonly NamedMigration[] = [
  { name: '0001-accounts', class: Accounts },
  { name: '0002-money', class: Money },
  { name: '0003-card-bills', class: CardBills },
  { name: '0004-webhooks', class: Webhooks },
  { name: '0005-order-review', class: OrderReview },
  { name: '0006-leads', class: Leads },
  { name: '0007-doctor', class: Doctor },
  { name: '0008-onboarding', class: Onboarding },
];
