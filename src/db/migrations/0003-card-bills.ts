import { Migration } from '@mikro-orm/migrations';
import { APPLICATION_ROLE } from '../pool.js';

/** Fetched card bills: what our fetch_id stands for, and the rule that one payment at a time may use it. */
export class CardBills extends Migration {
  override up(): void {
    // Neither card nor mobile stands here: the owner is a keyed hash, the provider's fetch id is encrypted.
    this.addSql(`create table card_bill (
      developer_id integer not null,
      id uuid not null,
      environment text not null check (environment in ('uat', 'production')),
      owner_hash bytea not null check (octet_length(owner_hash) = 32),
      provider_fetch_id bytea not null,
      fetched_at timestamptz not null default now(),
      primary key (developer_id, id))`);
    this.addSql(`grant select, insert, delete on card_bill to ${APPLICATION_ROLE}`);
    // A card payment's fingerprint is that of its fetch_id, so the hold itself is the claim on the bill: a second live payment
    // is refused in the statement that would have moved its money, and a failed one frees the bill in the commit of its refund.
    this.addSql(
      `create unique index orders_bill_payment on orders (developer_id, fingerprint) where operation = 'card_payment' and state <> 'failed'`,
    );
  }
}
