import { Migration } from '@mikro-orm/migrations';
import { APPLICATION_ROLE } from '../pool.js';

/** What people decide: orders in review, and whatever one person proposes and a second one has to carry out. */
export class OrderReview extends Migration {
  override up(): void {
    this.addSql(`create table order_proposal (
      developer_id integer not null,
      order_id uuid not null,
      success boolean not null,
      user_id integer not null,
      reason text not null,
      at timestamptz not null default now(),
      primary key (developer_id, order_id))`);
    // What a person says about an order in review, under its lock, which lasts until the caller's transaction ends: 'execute' when
    // the caller may resolve it there. Up to p_alone paise one person is enough; above, a second one has to say the same. Who says
    // the opposite replaces the proposal, so that nothing is decided before two agree.
    this.addSql(`create function order_decide(p_id uuid, p_success boolean, p_user integer, p_reason text, p_alone bigint)
      returns table (verdict text, developer_id integer) language plpgsql volatile security definer set search_path = public, pg_temp as $f$
    #variable_conflict use_column
    declare o orders; p order_proposal;
    begin
      select * into o from orders x where x.id = p_id and x.operation in ('recharge', 'card_payment') for no key update;
      if o.id is null then return query select 'missing', null::integer; return; end if;
      if o.state <> 'review' then return query select 'not_in_review', o.developer_id; return; end if;
      if o.amount_paise <= p_alone then return query select 'execute', o.developer_id; return; end if;
      select * into p from order_proposal x where x.developer_id = o.developer_id and x.order_id = p_id;
      if p.success = p_success then
        return query select case when p.user_id = p_user then 'same_person' else 'execute' end, o.developer_id; return;
      end if;
      insert into order_proposal (developer_id, order_id, success, user_id, reason) values (o.developer_id, p_id, p_success, p_user, p_reason)
        on conflict on constraint order_proposal_pkey do update set success = p_success, user_id = p_user, reason = p_reason, at = now();
      return query select 'proposed', o.developer_id;
    end $f$`);
    this.addSql(`grant select on order_proposal to ${APPLICATION_ROLE}`);
    this.addSql('revoke all on function order_decide(uuid, boolean, integer, text, bigint) from public');
    this.addSql(`grant execute on function order_decide(uuid, boolean, integer, text, bigint) to ${APPLICATION_ROLE}`);

    // What waits for a second person. `payload` holds what the action needs beside the columns: codes and references, no personal
    // data. Of one `subject` and `key` one proposal waits at a time; one that expired makes room for the next.
    this.addSql(`create table proposal (
      id uuid primary key,
      action text not null check (action in ('wallet.credit')),
      subject text not null check (length(subject) between 1 and 100),
      key text not null check (length(key) between 1 and 200),
      developer_id integer references developer,
      order_id uuid,
      amount_paise bigint check (amount_paise > 0),
      payload jsonb not null,
      reason text not null check (length(reason) <= 500),
      proposed_by integer not null references app_user,
      created_at timestamptz not null default now(),
      expires_at timestamptz not null,
      decision text check (decision in ('carried_out', 'refused', 'expired')),
      decided_at timestamptz,
      decided_by integer references app_user,
      check ((decision is null) = (decided_at is null)),
      check ((decided_by is not null) = (decision in ('carried_out', 'refused'))),
      constraint carried_out_by_another check (decision <> 'carried_out' or decided_by <> proposed_by))`);
    this.addSql('create unique index proposal_waiting on proposal (action, subject, key) where decision is null');
    this.addSql('create index proposal_waiting_id on proposal (id) where decision is null');
    // What one person credited alone on one Indian day.
    this.addSql(`create table credit_allowance (
      user_id integer not null references app_user,
      day date not null,
      used_paise bigint not null check (used_paise > 0),
      primary key (user_id, day))`);
    this.addSql(`grant select, insert on proposal, credit_allowance to ${APPLICATION_ROLE}`);
    this.addSql(`grant update (decision, decided_at, decided_by) on proposal to ${APPLICATION_ROLE}`);
    this.addSql(`grant update (used_paise) on credit_allowance to ${APPLICATION_ROLE}`);
  }
}
