import { Migration } from '@mikro-orm/migrations';
import { APPLICATION_ROLE } from '../pool.js';

/**
 * Wallets, orders, transfers, and the functions that are the only way to change them: they run with the owner's rights, the
 * application's role may read and call, nothing more. So even a defect or an injected statement of the application cannot
 * overdraw a wallet, settle twice or rewrite history.
 *
 * The hot functions take arrays and lock in one order (orders before wallets, each by key). They fix a generic plan without
 * sequential scans, because a plan cached while the tables are empty costs ten times as much later.
 */
export class Money extends Migration {
  override up(): void {
    for (const statement of [...tables, ...functions, ...views, ...grants]) this.addSql(statement);
  }
}

const tables = [
  `create table wallet (
    developer_id integer not null,
    environment text not null check (environment in ('uat', 'production')),
    balance_paise bigint not null default 0 check (balance_paise >= 0),
    version bigint not null default 0 check (version >= 0),
    primary key (developer_id, environment)) with (fillfactor = 50)`,

  `create table orders (
    developer_id integer not null,
    id uuid not null,
    environment text not null check (environment in ('uat', 'production')),
    operation text not null check (operation in ('recharge', 'card_payment', 'card_bill', 'lookup')),
    -- as the client sent it, or "h:" and its keyed hash where it may hold a card number
    client_key text collate "C" check (length(client_key) between 1 and 100),
    fingerprint bytea not null check (octet_length(fingerprint) = 32),
    amount_paise bigint not null check (amount_paise > 0),
    provider text not null,
    state text not null default 'open' check (state in ('open', 'success', 'failed', 'review')),
    request bytea not null,
    account_hash bytea not null check (octet_length(account_hash) = 32),
    unknown_since timestamptz,
    -- when the provider is to be asked: every open order has one, a success only while it is in doubt
    due_at timestamptz,
    -- nobody asks before: an enquiry is under way until then at the latest, or has just ended
    quiet_until timestamptz,
    -- enquiries begun since the last callback; 0 while a callback waits for one
    asked integer not null default 0,
    -- since when there is reason to think that the provider took a success back
    doubted_since timestamptz,
    enquiries integer not null default 0,
    not_found integer not null default 0,
    provider_txn_id text,
    answer bytea,
    created_at timestamptz not null default now(),
    settled_at timestamptz,
    reversed_at timestamptz,
    check ((state in ('success', 'failed')) = (settled_at is not null)),
    check (case state when 'open' then due_at is not null when 'success' then due_at is null or reversed_at is null else due_at is null end),
    check (reversed_at is null or state = 'success'),
    primary key (developer_id, id)) with (fillfactor = 70)`,
  `create unique index orders_key on orders (developer_id, environment, operation, client_key) where client_key is not null`,
  `create index orders_due on orders (provider, due_at) where due_at is not null`,
  `create index orders_review on orders (id) where state = 'review'`,
  // a provider's callback knows our reference only
  `create index orders_id on orders (id)`,

  // One row = one amount from one account to another, so it cannot be unbalanced; the accounts follow from kind and operation.
  // Step 1 = first posting of a subject, 2 = its one resolution, 3 = a late reversal: the primary key refuses a second of each.
  `create table transfer (
    developer_id integer not null,
    subject_id uuid not null,
    step smallint not null,
    kind text not null,
    operation text not null check (operation in ('recharge', 'card_payment', 'card_bill', 'lookup', 'lead', 'top_up')),
    environment text not null check (environment in ('uat', 'production')),
    amount_paise bigint not null check (amount_paise > 0),
    wallet_version bigint check (wallet_version > 0),
    balance_after_paise bigint check (balance_after_paise >= 0),
    reference text check (length(reference) <= 100),
    created_at timestamptz not null default now(),
    primary key (developer_id, subject_id, step),
    check ((kind, step) in (('hold', 1), ('settle', 2), ('refund', 2), ('reversal', 3), ('lead_fee', 1), ('top_up', 1))),
    check ((kind <> 'settle') = (wallet_version is not null and balance_after_paise is not null)))`,
  `create unique index transfer_statement on transfer (developer_id, environment, wallet_version) where wallet_version is not null`,
  `create unique index transfer_top_up on transfer (developer_id, environment, reference) where kind = 'top_up'`,

  // Money enters only together with the audit entry that accounts for it: written by ledger_post, and at commit the entry of
  // this wallet and amount has to be there. A table of its own, so that nothing is looked at when other transfers are posted.
  `create table top_up (
    posting_id uuid primary key,
    subject text not null,
    amount_paise bigint not null,
    constraint top_up_has_an_audit_entry foreign key (posting_id, subject, amount_paise)
      references audit_entry (posting_id, subject, amount_paise) deferrable initially deferred)`,

  // What happened to an order beside its transfers: answers, enquiries, callbacks, decisions. Codes only, never personal data.
  `create table order_event (
    developer_id integer not null,
    order_id uuid not null,
    id uuid not null default uuidv7(),
    at timestamptz not null default now(),
    kind text not null check (kind in ('answer', 'enquiry', 'callback', 'review', 'decision')),
    detail jsonb not null,
    primary key (developer_id, order_id, id))`,

  // Who wants to hear of final outcomes. It stands here because the functions below look at it in the transaction that decides.
  `create table webhook_endpoint (
    developer_id integer not null references developer,
    id uuid not null,
    environment text not null check (environment in ('uat', 'production')),
    url text not null check (length(url) between 1 and 2000),
    secret bytea not null,
    previous_secret bytea,
    previous_secret_until timestamptz,
    created_at timestamptz not null default now(),
    disabled_at timestamptz,
    disabled_reason text check (disabled_reason in ('request', 'gone', 'failing')),
    -- nothing was delivered to it since then
    failing_since timestamptz,
    -- attempts in a row without an answer, and until when none is made because of them
    unanswered integer not null default 0 check (unanswered >= 0),
    paused_until timestamptz,
    check (failing_since is not null or (unanswered = 0 and paused_until is null)),
    check ((previous_secret is null) = (previous_secret_until is null)),
    check ((disabled_at is null) = (disabled_reason is null)),
    primary key (developer_id, id))`,
  `create index webhook_endpoint_active on webhook_endpoint (developer_id, environment) where disabled_at is null`,
  `create index webhook_endpoint_id on webhook_endpoint (id)`,
  // What is to be told, written in the transaction that made it true and gone once it is in the job queue.
  `create table webhook_outbox (
    developer_id integer not null,
    order_id uuid not null,
    event text not null check (event in ('succeeded', 'failed', 'reversed')),
    occurred_at timestamptz not null default now(),
    primary key (developer_id, order_id, event))`,
  `create index webhook_outbox_age on webhook_outbox (occurred_at)`,

  // statistics that lag behind fast growth make statement pages read the whole table
  `alter table transfer set (autovacuum_analyze_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.05)`,
  `alter table orders set (autovacuum_analyze_scale_factor = 0.02, autovacuum_vacuum_scale_factor = 0.05)`,
];

const hot = `volatile security definer set search_path = public, pg_temp set plan_cache_mode = force_generic_plan set enable_seqscan = off`;
const plain = `volatile security definer set search_path = public, pg_temp`;

/** Whether anybody wants to hear of a developer's outcomes: one look into a small index, nothing is written where nobody does. */
const listenedTo = (developer: string, environment: string): string =>
  `exists (select from webhook_endpoint e where e.developer_id = ${developer} and e.environment = ${environment} and e.disabled_at is null)`;

const functions = [
  // A running remainder that skips what it cannot pay, as a window aggregate instead of a recursion.
  `create function pay_step(remaining bigint, amount bigint, opening bigint) returns bigint language sql immutable parallel safe as $$
    select case when coalesce(remaining, opening) >= amount then coalesce(remaining, opening) - amount else coalesce(remaining, opening) end $$`,
  `create aggregate pay(amount bigint, opening bigint) (sfunc = pay_step, stype = bigint)`,

  // T1 for many orders: order row and hold. One item's trouble (no money, known key) never touches its neighbours, and
  // writes nothing, so the key is not consumed. Repeating an item after a lost connection answers 'duplicate' of its own id.
  `create function ledger_hold(p_developer integer[], p_environment text[], p_operation text[], p_id uuid[], p_key text[], p_fingerprint bytea[],
      p_amount bigint[], p_provider text[], p_request bytea[], p_account bytea[], p_lease_ms integer[])
    returns table (ord integer, outcome text, order_id uuid, balance text) language plpgsql ${hot} as $f$
  #variable_conflict use_column
  begin
    perform 1 from wallet x
      where (x.developer_id, x.environment) in (select distinct q.d, q.e from unnest(p_developer, p_environment) q(d, e))
      order by x.developer_id, x.environment for no key update;
    -- a lookup's key protects a repetition for ten minutes
    if p_operation && array['lookup', 'card_bill'] then
      update orders o set client_key = null
        from (select distinct q.d, q.e, q.op, q.k from unnest(p_developer, p_environment, p_operation, p_key) q(d, e, op, k)
              where q.op in ('lookup', 'card_bill') and q.k is not null) r
        where o.developer_id = r.d and o.environment = r.e and o.operation = r.op and o.client_key = r.k
          and o.settled_at < now() - interval '10 minutes';
    end if;
    return query
    with req as materialized (
      select t.*, row_number() over (partition by t.dev, t.env, t.op, t.key order by t.ord) as nth
      from unnest(p_developer, p_environment, p_operation, p_id, p_key, p_fingerprint, p_amount, p_provider, p_request, p_account, p_lease_ms)
        with ordinality t(dev, env, op, id, key, fingerprint, amount, provider, request, account, lease_ms, ord)),
    w as materialized (
      select x.developer_id, x.environment, x.balance_paise, x.version from wallet x
      where (x.developer_id, x.environment) in (select distinct dev, env from req)),
    old as materialized (
      select r.ord, o.id from req r cross join lateral (
        (select o.id from orders o where o.developer_id = r.dev and o.id = r.id limit 1)
        union all
        (select o.id from orders o where o.developer_id = r.dev and o.environment = r.env and o.operation = r.op and o.client_key = r.key limit 1)
        limit 1) o),
    fresh as materialized (
      select r.*, w.balance_paise as opening,
        pay(r.amount, w.balance_paise) over (partition by r.dev, r.env order by r.ord rows unbounded preceding) as remaining
      from req r join w on w.developer_id = r.dev and w.environment = r.env
      where (r.key is null or r.nth = 1) and not exists (select from old where old.ord = r.ord)),
    judged as materialized (
      select f.*, coalesce(lag(f.remaining) over (partition by f.dev, f.env order by f.ord), f.opening) >= f.amount as affordable from fresh f),
    inserted as (
      insert into orders (developer_id, id, environment, operation, client_key, fingerprint, amount_paise, provider, request, account_hash, due_at, created_at)
      -- the id holds the instant that the first answer shows
      select dev, id, env, op, key, fingerprint, amount, provider, request, account, now() + lease_ms * interval '1 ms', coalesce(uuid_extract_timestamp(id), now())
      from judged where affordable on conflict do nothing returning developer_id, id),
    paid as materialized (
      select j.dev, j.env, j.op, j.id, j.ord, j.amount, sum(j.amount) over s as spent, row_number() over s as n
      from judged j join inserted i on i.developer_id = j.dev and i.id = j.id
      window s as (partition by j.dev, j.env order by j.ord rows unbounded preceding)),
    charged as (
      update wallet x set balance_paise = x.balance_paise - p.total, version = x.version + p.n
      from (select dev, env, sum(amount)::bigint as total, count(*) as n from paid group by dev, env) p
      where x.developer_id = p.dev and x.environment = p.env returning 1),
    held as (
      insert into transfer (developer_id, subject_id, step, kind, operation, environment, amount_paise, wallet_version, balance_after_paise)
      select p.dev, p.id, 1, 'hold', p.op, p.env, p.amount, w.version + p.n, w.balance_paise - p.spent
      from paid p join w on w.developer_id = p.dev and w.environment = p.env
      returning developer_id, subject_id, balance_after_paise)
    select r.ord::integer,
      case when h.subject_id is not null then 'accepted'
           when o.id is not null or (r.nth > 1 and r.key is not null) or j.affordable then 'duplicate'
           when j.affordable is false then 'insufficient'
           else 'no_wallet' end,
      coalesce(o.id, r.id),
      coalesce(h.balance_after_paise, j.remaining, w.balance_paise)::text
    from req r
    left join w on w.developer_id = r.dev and w.environment = r.env
    left join old o on o.ord = r.ord
    left join judged j on j.ord = r.ord
    left join held h on h.developer_id = r.dev and h.subject_id = r.id
    order by r.ord;
  end $f$`,

  // T2 for many orders: the one resolution, with the evidence and the stored answer. An order that is resolved already stays
  // as it is and answers 'already'. A lookup that failed gives its key back: only successes are replayed.
  `create function ledger_resolve(p_developer integer[], p_id uuid[], p_ok boolean[], p_answer bytea[], p_txn text[], p_event text[], p_detail jsonb[])
    returns table (ord integer, outcome text, balance text) language plpgsql ${hot} as $f$
  #variable_conflict use_column
  begin
    perform 1 from (select distinct q.d, q.i from unnest(p_developer, p_id) q(d, i) order by 1, 2) q
      cross join lateral (select 1 from orders o where o.developer_id = q.d and o.id = q.i for no key update) o;
    if not (true = all(p_ok)) then
      perform 1 from wallet x
        where (x.developer_id, x.environment) in (
          select q.d, o.environment from unnest(p_developer, p_id, p_ok) q(d, i, ok)
          cross join lateral (select o.environment, o.settled_at from orders o where o.developer_id = q.d and o.id = q.i limit 1) o
          where not q.ok and o.settled_at is null)
        order by x.developer_id, x.environment for no key update;
    end if;
    return query
    with req as materialized (
      select t.* from unnest(p_developer, p_id, p_ok, p_answer, p_txn, p_event, p_detail) with ordinality t(dev, id, ok, answer, txn, event, detail, ord)),
    open_orders as materialized (
      select distinct on (r.dev, r.id) r.*, o.environment, o.operation, o.amount_paise
      from req r cross join lateral (
        select o.environment, o.operation, o.amount_paise, o.settled_at from orders o where o.developer_id = r.dev and o.id = r.id limit 1) o
      where o.settled_at is null order by r.dev, r.id, r.ord),
    done as (
      update orders x set state = case when d.ok then 'success' else 'failed' end, settled_at = now(), due_at = null, quiet_until = null, answer = d.answer,
        provider_txn_id = coalesce(nullif(d.txn, ''), x.provider_txn_id),
        client_key = case when not d.ok and x.operation in ('lookup', 'card_bill') then null else x.client_key end
      from open_orders d where x.developer_id = d.dev and x.id = d.id returning x.developer_id),
    back as materialized (
      select d.dev, d.id, w.version + row_number() over s as version, w.balance_paise + sum(d.amount_paise) over s as balance, d.environment, d.amount_paise
      from open_orders d join wallet w on w.developer_id = d.dev and w.environment = d.environment where not d.ok
      window s as (partition by d.dev, d.environment order by d.ord rows unbounded preceding)),
    refunded as (
      update wallet x set balance_paise = x.balance_paise + b.total, version = x.version + b.n
      from (select dev, environment, sum(amount_paise)::bigint as total, count(*) as n from back group by dev, environment) b
      where x.developer_id = b.dev and x.environment = b.environment returning 1),
    posted as (
      insert into transfer (developer_id, subject_id, step, kind, operation, environment, amount_paise, wallet_version, balance_after_paise)
      select d.dev, d.id, 2, case when d.ok then 'settle' else 'refund' end, d.operation, d.environment, d.amount_paise, b.version, b.balance
      from open_orders d left join back b on b.dev = d.dev and b.id = d.id
      returning developer_id, subject_id, kind, balance_after_paise),
    noted as (
      insert into order_event (developer_id, order_id, kind, detail)
      select d.dev, d.id, d.event, d.detail from open_orders d where d.event is not null returning 1),
    told as (
      insert into webhook_outbox (developer_id, order_id, event)
      select d.dev, d.id, case when d.ok then 'succeeded' else 'failed' end from open_orders d
      where d.operation in ('recharge', 'card_payment') and ${listenedTo('d.dev', 'd.environment')} returning 1)
    -- of several requests for one order in a batch the first decides, and only that one is told so
    select r.ord::integer, case when d.ord is null then 'already' else p.kind end,
      coalesce(p.balance_after_paise, (
        select w.balance_paise from orders o join wallet w on w.developer_id = o.developer_id and w.environment = o.environment
        where o.developer_id = r.dev and o.id = r.id))::text
    from req r left join open_orders d on d.ord = r.ord left join posted p on p.developer_id = r.dev and p.subject_id = r.id order by r.ord;
  end $f$`,

  // The outcome is not known (yet): remember it, and when to ask again; or hand the order to a person. After an enquiry comes a
  // pause in any case, and only the pause when a callback came in meanwhile.
  `create function order_unknown(p_developer integer, p_id uuid, p_due_ms integer, p_pause_ms integer, p_review boolean, p_enquiry boolean,
      p_not_found boolean, p_txn text, p_event text, p_detail jsonb)
    returns text language plpgsql ${plain} as $f$
  declare v_state text;
  begin
    update orders o set
      unknown_since = coalesce(o.unknown_since, now()),
      enquiries = o.enquiries + p_enquiry::integer,
      not_found = case when p_not_found then o.not_found + 1 when p_enquiry then 0 else o.not_found end,
      provider_txn_id = coalesce(nullif(p_txn, ''), o.provider_txn_id),
      state = case when p_review then 'review' else 'open' end,
      quiet_until = case when p_enquiry then now() + p_pause_ms * interval '1 ms' else o.quiet_until end,
      due_at = case when p_review then null else
        now() + (case when p_enquiry and o.asked = 0 then p_pause_ms else p_due_ms end) * interval '1 ms' end
      where o.developer_id = p_developer and o.id = p_id and o.state = 'open' returning o.state into v_state;
    if v_state is not null and p_event is not null then
      insert into order_event (developer_id, order_id, kind, detail) values (p_developer, p_id, p_event, p_detail);
    end if;
    if v_state = 'review' then
      insert into order_event (developer_id, order_id, kind, detail) values (p_developer, p_id, 'review', '{}');
    end if;
    return coalesce(v_state, 'already');
  end $f$`,

  // Leases due orders of one provider: whoever takes one pushes its due time past the lease, so that other sweepers skip it
  // and a sweeper that dies is followed by another.
  `create function order_lease_due(p_provider text, p_limit integer, p_lease_ms integer)
    returns setof orders language sql ${plain} as $f$
    update orders o set due_at = now() + p_lease_ms * interval '1 ms', quiet_until = now() + p_lease_ms * interval '1 ms', asked = o.asked + 1
    from (select developer_id, id from orders where provider = p_provider and due_at <= now()
          order by due_at limit p_limit for update skip locked) d
    where o.developer_id = d.developer_id and o.id = d.id returning o.* $f$`,

  // A success is in doubt: the provider is asked about it in p_due_ms, though not before an enquiry that is under way has ended.
  `create function order_doubt(p_developer integer, p_id uuid, p_due_ms integer) returns boolean language sql ${plain} as $f$
    with doubted as (
      update orders set doubted_since = now(), asked = 0, due_at = least(due_at, greatest(now() + p_due_ms * interval '1 ms', quiet_until))
      where developer_id = p_developer and id = p_id and state = 'success' and reversed_at is null and operation in ('recharge', 'card_payment')
      returning 1)
    select exists (select from doubted) $f$`,

  // A provider's callback, which knows our reference only. It is remembered (the first p_keep of an order) and is a reason to ask,
  // nothing more: an open order whose outcome is unknown, or a success that the callback contradicts, is due as soon as nobody is
  // asking about it. An order that is still being sent, is with a person or is decided stays as it is.
  `create function order_callback(p_provider text, p_id uuid, p_says text, p_keep integer, p_detail jsonb) returns text language plpgsql ${plain} as $f$
  declare o orders;
  begin
    select * into o from orders x where x.id = p_id and x.provider = p_provider for no key update;
    if o.id is null then return 'unknown_order'; end if;
    if (select count(*) from order_event e where e.developer_id = o.developer_id and e.order_id = p_id and e.kind = 'callback') < p_keep then
      insert into order_event (developer_id, order_id, kind, detail) values (o.developer_id, p_id, 'callback', p_detail);
    end if;
    if o.state = 'open' and o.unknown_since is not null then
      update orders x set asked = 0, due_at = least(x.due_at, greatest(now(), x.quiet_until)) where x.developer_id = o.developer_id and x.id = p_id;
      return 'enquiry';
    end if;
    if o.state = 'success' and p_says in ('failure', 'unexpected') and order_doubt(o.developer_id, p_id, 0) then return 'enquiry'; end if;
    return case when p_says = 'success' and (o.state = 'failed' or o.reversed_at is not null) then 'contradiction' else 'noted' end;
  end $f$`,

  // An enquiry about a doubted success proved no reversal: ask again in p_due_ms (null: the doubt is over), or after the pause
  // when another callback came in meanwhile.
  `create function order_still_success(p_developer integer, p_id uuid, p_asked integer, p_due_ms integer, p_pause_ms integer, p_detail jsonb)
    returns void language plpgsql ${plain} as $f$
  begin
    update orders o set enquiries = o.enquiries + 1, quiet_until = now() + p_pause_ms * interval '1 ms',
      due_at = now() + (case when o.asked <> p_asked then p_pause_ms else p_due_ms end) * interval '1 ms'
      where o.developer_id = p_developer and o.id = p_id and o.state = 'success' and o.reversed_at is null;
    if found then
      insert into order_event (developer_id, order_id, kind, detail) values (p_developer, p_id, 'enquiry', p_detail);
    end if;
  end $f$`,

  // A success that the provider took back: one new transfer, once, with the enquiry that proved it.
  `create function ledger_reverse(p_developer integer, p_id uuid, p_detail jsonb) returns text language plpgsql ${plain} as $f$
  declare o orders; w wallet;
  begin
    select * into o from orders where developer_id = p_developer and id = p_id for no key update;
    if o.id is null then return 'missing'; end if;
    if o.state <> 'success' or o.operation not in ('recharge', 'card_payment') then return 'not_success'; end if;
    if o.reversed_at is not null then return 'already'; end if;
    update wallet set balance_paise = balance_paise + o.amount_paise, version = version + 1
      where developer_id = p_developer and environment = o.environment returning * into w;
    insert into transfer (developer_id, subject_id, step, kind, operation, environment, amount_paise, wallet_version, balance_after_paise)
      values (p_developer, p_id, 3, 'reversal', o.operation, o.environment, o.amount_paise, w.version, w.balance_paise);
    update orders set reversed_at = now(), due_at = null, quiet_until = null, enquiries = enquiries + 1 where developer_id = p_developer and id = p_id;
    insert into order_event (developer_id, order_id, kind, detail) values (p_developer, p_id, 'enquiry', p_detail);
    insert into webhook_outbox (developer_id, order_id, event)
      select p_developer, p_id, 'reversed' where ${listenedTo('p_developer', 'o.environment')};
    return 'reversed';
  end $f$`,

  // A posting without an order, inside a caller's transaction: a lead fee leaves the wallet, a top-up enters it.
  `create function ledger_post(p_developer integer, p_environment text, p_subject uuid, p_kind text, p_amount bigint, p_reference text)
    returns table (outcome text, balance text, version text) language plpgsql ${plain} as $f$
  #variable_conflict use_column
  declare w wallet; v_change bigint;
  begin
    if p_kind not in ('lead_fee', 'top_up') then raise exception 'kind % is not posted without an order', p_kind using errcode = '22023'; end if;
    if p_amount is null or p_amount <= 0 then raise exception 'the amount must be positive' using errcode = '22023'; end if;
    select * into w from wallet x where x.developer_id = p_developer and x.environment = p_environment for no key update;
    if w.developer_id is null then return query select 'no_wallet', null::text, null::text; return; end if;
    if exists (select from transfer t where t.developer_id = p_developer and t.subject_id = p_subject and t.step = 1)
      or (p_kind = 'top_up' and exists (select from transfer t
            where t.developer_id = p_developer and t.environment = p_environment and t.kind = 'top_up' and t.reference = p_reference)) then
      return query select 'duplicate', w.balance_paise::text, w.version::text; return;
    end if;
    v_change := case p_kind when 'top_up' then p_amount else -p_amount end;
    if w.balance_paise + v_change < 0 then return query select 'insufficient', w.balance_paise::text, w.version::text; return; end if;
    update wallet x set balance_paise = x.balance_paise + v_change, version = x.version + 1
      where x.developer_id = p_developer and x.environment = p_environment returning * into w;
    insert into transfer (developer_id, subject_id, step, kind, operation, environment, amount_paise, wallet_version, balance_after_paise, reference)
      values (p_developer, p_subject, 1, p_kind, case p_kind when 'top_up' then 'top_up' else 'lead' end, p_environment, p_amount, w.version, w.balance_paise, p_reference);
    if p_kind = 'top_up' then
      insert into top_up (posting_id, subject, amount_paise) values (p_subject, format('developer:%s/%s', p_developer, p_environment), p_amount);
    end if;
    return query select 'posted', w.balance_paise::text, w.version::text;
  end $f$`,
];

const views = [
  `create view ledger_entry as select t.*,
      case t.kind when 'hold' then 'wallet' when 'lead_fee' then 'wallet' when 'top_up' then 'funding' when 'reversal' then 'provider_payable' else 'in_flight' end as from_account,
      case when t.kind in ('refund', 'reversal', 'top_up') then 'wallet'
           when t.kind = 'hold' then 'in_flight'
           when t.kind = 'settle' and t.operation in ('recharge', 'card_payment') then 'provider_payable'
           else 'fee_income' end as to_account,
      case when t.kind in ('hold', 'lead_fee') then -t.amount_paise when t.kind = 'settle' then 0 else t.amount_paise end as wallet_change
    from transfer t`,

  // Every violated invariant, one row each; empty when the books are right.
  `create function ledger_check() returns table (rule text, developer_id integer, detail text) language sql stable as $f$
    select 'balance is the sum of transfers', w.developer_id, format('%s: %s <> %s', w.environment, w.balance_paise, s.total)
      from wallet w left join lateral (
        select coalesce(sum(e.wallet_change), 0) as total from ledger_entry e where e.developer_id = w.developer_id and e.environment = w.environment) s on true
      where s.total <> w.balance_paise
    union all
    select 'wallet versions have no gap', w.developer_id, format('%s: version %s, %s rows, %s..%s', w.environment, w.version, v.n, v.lowest, v.highest)
      from wallet w left join lateral (
        select count(*) as n, min(t.wallet_version) as lowest, max(t.wallet_version) as highest from transfer t
        where t.developer_id = w.developer_id and t.environment = w.environment and t.wallet_version is not null) v on true
      where v.n <> w.version or coalesce(v.highest, 0) <> w.version or coalesce(v.lowest, 1) <> 1
    union all
    select 'balance after is the running sum', z.developer_id, format('%s version %s', z.environment, z.wallet_version)
      from (select e.*, sum(e.wallet_change) over (partition by e.developer_id, e.environment order by e.wallet_version) as running
            from ledger_entry e where e.wallet_version is not null) z
      where z.running <> z.balance_after_paise
    union all
    select 'a transfer has a wallet', t.developer_id, t.subject_id::text
      from transfer t left join wallet w on w.developer_id = t.developer_id and w.environment = t.environment where w.developer_id is null
    union all
    select 'an order has one hold of its amount', o.developer_id, o.id::text
      from orders o left join transfer t on t.developer_id = o.developer_id and t.subject_id = o.id and t.step = 1
      where t.kind is distinct from 'hold' or t.amount_paise <> o.amount_paise or t.environment <> o.environment or t.operation <> o.operation
    union all
    select 'a resolution has the amount of its order', o.developer_id, o.id::text
      from orders o join transfer t on t.developer_id = o.developer_id and t.subject_id = o.id and t.step > 1
      where t.amount_paise <> o.amount_paise or t.environment <> o.environment or t.operation <> o.operation
    union all
    select 'a hold, settlement, refund or reversal has an order', t.developer_id, t.subject_id::text
      from transfer t left join orders o on o.developer_id = t.developer_id and o.id = t.subject_id
      where t.kind in ('hold', 'settle', 'refund', 'reversal') and o.id is null
    union all
    select 'order state agrees with its resolution', o.developer_id, format('%s %s %s', o.id, o.state, t.kind)
      from orders o left join transfer t on t.developer_id = o.developer_id and t.subject_id = o.id and t.step = 2
      where (o.state = 'success' and t.kind is distinct from 'settle') or (o.state = 'failed' and t.kind is distinct from 'refund')
        or (o.state in ('open', 'review') and t.kind is not null)
    union all
    select 'a reversed order has its reversal', o.developer_id, o.id::text
      from orders o left join transfer t on t.developer_id = o.developer_id and t.subject_id = o.id and t.step = 3
      where (o.reversed_at is not null) <> (t.kind is not null)
    union all
    select 'money in flight is the sum of open orders', null, format('%s: %s <> %s', e.environment, e.in_flight, coalesce(o.total, 0))
      from (select environment, sum(case when to_account = 'in_flight' then amount_paise when from_account = 'in_flight' then -amount_paise else 0 end) as in_flight
            from ledger_entry group by environment) e
      left join (select environment, sum(amount_paise) as total from orders where state in ('open', 'review') group by environment) o on o.environment = e.environment
      where e.in_flight <> coalesce(o.total, 0)
    union all
    select 'provider payable is successes less reversals', null, format('%s: %s <> %s', e.environment, e.payable, coalesce(o.total, 0))
      from (select environment, sum(case when to_account = 'provider_payable' then amount_paise when from_account = 'provider_payable' then -amount_paise else 0 end) as payable
            from ledger_entry group by environment) e
      left join (select environment, sum(amount_paise) as total from orders
                 where state = 'success' and reversed_at is null and operation in ('recharge', 'card_payment') group by environment) o on o.environment = e.environment
      where e.payable <> coalesce(o.total, 0)
  $f$`,
];

const callable = [
  'ledger_hold(integer[], text[], text[], uuid[], text[], bytea[], bigint[], text[], bytea[], bytea[], integer[])',
  'ledger_resolve(integer[], uuid[], boolean[], bytea[], text[], text[], jsonb[])',
  'order_unknown(integer, uuid, integer, integer, boolean, boolean, boolean, text, text, jsonb)',
  'order_lease_due(text, integer, integer)',
  'order_doubt(integer, uuid, integer)',
  'order_callback(text, uuid, text, integer, jsonb)',
  'order_still_success(integer, uuid, integer, integer, integer, jsonb)',
  'ledger_reverse(integer, uuid, jsonb)',
  'ledger_post(integer, text, uuid, text, bigint, text)',
  'ledger_check()',
];

const grants = [
  `grant select on wallet, orders, transfer, order_event, ledger_entry to ${APPLICATION_ROLE}`,
  // a wallet opens empty; everything else about it moves through the functions
  `grant insert (developer_id, environment) on wallet to ${APPLICATION_ROLE}`,
  `grant insert on order_event to ${APPLICATION_ROLE}`,
  ...callable.map((name) => `revoke all on function ${name} from public`),
  ...callable.map((name) => `grant execute on function ${name} to ${APPLICATION_ROLE}`),
];
