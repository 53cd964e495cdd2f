import type { TestDatabase } from '../support/database.js';

const SMALL = 2_500;
/** Recharges of each small wallet and of the large one. */
const FEW = 4;
const MANY = 15_000;
/** Further rows of the large account: expired tokens, webhook deliveries, pending orders. */
const TOKENS = 5_000;
const DELIVERIES = 5_000;
const WAITING = 1_000;
const DAYS = 20;

/** SQL expression for the ID of a small developer. */
const small = (n: string): string => `('00000000-0000-7000-8002-' || lpad((${n})::text, 12, '0'))::uuid`;
const HASH = `decode(repeat('00', 32), 'hex')`;

/**
 * Creates books like those in production: many small wallets, and one with most of the entries, spread over the last days. Every
 * table is analyzed, so that a generic plan assumes that each wallet is small. The books are balanced.
 */
export async function skewBooks(db: TestDatabase, large: { developerId: string; clientId: string }): Promise<void> {
  await db.query(`insert into developer (id, name, email, onboarding_status)
    select ${small('n')}, 'Small ' || n, 'small-' || n || '@x.example', 'registered' from generate_series(1, ${SMALL}) n`);
  await db.query(`insert into service_access (developer_id, service, enabled)
    select ${small('n')}, s, true from generate_series(1, ${SMALL}) n, unnest(array['recharge', 'card_payment']) s`);
  await db.query(`insert into credential (client_id, developer_id, environment, secret_hash, secret_last4)
    select 'small-' || n, ${small('n')}, 'production', ${HASH}, 'xxxx' from generate_series(1, ${SMALL}) n`);
  await db.query(
    `insert into wallet (developer_id, environment) select ${small('n')}, 'production' from generate_series(1, ${SMALL}) n`,
  );
  // each small wallet starts with a top-up; the large one continues after its own
  await db.query(`
    with f as (
      insert into transfer (developer_id, subject_id, step, kind, operation, environment, amount_paise, wallet_version, balance_after_paise, reference, created_at)
      select ${small('n')}, uuidv7(), 1, 'top_up', 'top_up', 'production', 1000, 1, 1000, 'opening', now() - interval '${DAYS} days' from generate_series(1, ${SMALL}) n
      returning developer_id, environment, kind, reference_key(reference), subject_id),
    known as (insert into ledger_reference select * from f)
    update wallet w set balance_paise = 1000, version = 1 from f where w.developer_id = f.developer_id and w.environment = 'production'`);
  await db.query(
    `with made as (
       select w.developer_id, w.version + p.nth as version, w.balance_paise - p.nth as balance, p.n, p.at,
         uuidv7(p.at - now()) as id
       from (
         select ${small('1 + n % ' + SMALL)} as owner, 1 + n / ${SMALL} as nth, n,
           now() - interval '${DAYS} days' * (1 - n / ${SMALL * FEW}.0) as at from generate_series(0, ${SMALL * FEW - 1}) n
         union all
         select $1::uuid, n, ${SMALL * FEW} + n, now() - interval '${DAYS} days' * (1 - n / ${MANY}.0) from generate_series(1, ${MANY}) n) p
       join wallet w on w.developer_id = p.owner and w.environment = 'production'),
     o as (
       insert into orders (developer_id, id, reference, environment, operation, client_key, fingerprint, amount_paise, provider, state, request, account_hash, settled_at, created_at)
       select developer_id, id, lpad(n::text, 25, '0'), 'production', 'recharge', 'key ' || n, ${HASH}, 1, 'ROUNDPAY', 'success', '\\x00', ${HASH}, at, at from made),
     k as (
       insert into order_key (developer_id, environment, operation, client_key, order_id)
       select developer_id, 'production', 'recharge', 'key ' || n, id from made),
     r as (insert into order_reference (reference, developer_id, order_id) select lpad(n::text, 25, '0'), developer_id, id from made),
     e as (
       insert into order_event (developer_id, order_id, kind, detail) select developer_id, id, 'response', '{"reason": "provider_success"}' from made),
     t as (
       insert into transfer (developer_id, subject_id, step, kind, operation, environment, amount_paise, wallet_version, balance_after_paise, reference, created_at)
       select developer_id, id, 1, 'hold', 'recharge', 'production', 1, version, balance, lpad(n::text, 25, '0'), at from made
       union all
       select developer_id, id, 2, 'settle', 'recharge', 'production', 1, null, null, null, at from made)
     update wallet w set balance_paise = m.balance, version = m.version
     from (select developer_id, min(balance) as balance, max(version) as version from made group by 1) m
     where w.developer_id = m.developer_id and w.environment = 'production'`,
    [large.developerId],
  );
  await db.query(
    `insert into access_token (token_hash, developer_id, environment, client_id, expires_at, latest_expiry, revoked_at, mac)
      select sha256(convert_to(n::text, 'utf8')), $1, 'production', $2, now() + interval '1 day', now() + interval '1 day', now(), sha256('none') from generate_series(1, ${TOKENS}) n`,
    [large.developerId, large.clientId],
  );
  await db.query(
    `with e as (
       insert into webhook_endpoint (developer_id, id, environment, url, secret) values ($1, uuidv7(), 'production', 'https://x.example', '\\x00')
       returning developer_id, id)
     insert into webhook_delivery (developer_id, endpoint_id, order_id, reference, event, step, environment, operation, amount_paise, occurred_at, state, next_attempt_at)
     select e.developer_id, e.id, gen_random_uuid(), 'r', 'succeeded', 2, 'production', 'recharge', 1, now(), 'delivered', null from e, generate_series(1, ${DELIVERIES})`,
    [large.developerId],
  );
  // successful orders that are rechecked later
  await db.query(
    `insert into order_due (developer_id, order_id, provider, waited_for, due_at)
      select developer_id, id, provider, false, now() + interval '1 hour' from orders where developer_id = $1 order by id desc limit ${WAITING}`,
    [large.developerId],
  );
  await db.query('analyze');
}
