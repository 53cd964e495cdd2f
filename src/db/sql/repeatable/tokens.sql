drop function if exists token_issue;
drop function if exists tokens_used;
drop function if exists client_token_issue;
drop function if exists live_client_tokens;
drop trigger if exists session_forget_mac on session;
drop trigger if exists access_token_forget_mac on access_token;
drop trigger if exists client_token_forget_mac on client_token;
drop function if exists forget_mac;

-- A revoked row loses its MAC, so that resetting revoked_at with SQL does not restore access.
create function forget_mac() returns trigger language plpgsql as $f$
begin
  new.mac := decode(repeat('00', 32), 'hex');
  return new;
end $f$;
create trigger session_forget_mac before update of revoked_at on session
  for each row when (new.revoked_at is not null) execute function forget_mac();
create trigger access_token_forget_mac before update of revoked_at on access_token
  for each row when (new.revoked_at is not null) execute function forget_mac();
create trigger client_token_forget_mac before update of revoked_at on client_token
  for each row when (new.revoked_at is not null) execute function forget_mac();

-- Issues a token for an API key. The service computes the expiry time, because the MAC covers it. Concurrent exchanges of an API
-- key wait for each other at its row, so that each sees the committed results of the others. Rows are locked by one statement and
-- changed by the next.
--
-- At the limit, the token that was unused for the longest time is revoked, unless it may be in use. Uses are recorded every
-- minute while more than half of the limit is active. So a use recorded within two minutes can mean that the token was used in
-- the last minute. While all tokens may be in use, the limit is exceeded. At ten times the limit, a token is revoked in any case,
-- preferably one that was not used later than a second after its exchange.
create function token_issue(p_hash bytea, p_developer uuid, p_client text, p_environment text, p_device text,
    p_expires_at timestamptz, p_cap integer, p_mac bytea)
  returns void language plpgsql volatile security definer set search_path = public, pg_temp as $f$
declare
  v_unused_since constant timestamptz := now() - interval '2 minutes';
  v_live integer;
  v_many_since timestamptz;
  v_ended bytea[];
  v_issued_at timestamptz;
begin
  -- locked before the API key, in the same order as in changes of an account
  perform from developer where id = p_developer for key share;
  perform from credential where client_id = p_client for no key update;
  select count(*) into v_live from access_token where client_id = p_client and revoked_at is null and expires_at > now();
  update credential set last_used_at = now(),
      many_tokens_since = case when v_live >= p_cap / 2 then coalesce(many_tokens_since, now()) end
    where client_id = p_client returning many_tokens_since into v_many_since;
  if v_live >= p_cap and v_many_since < v_unused_since then
    -- skips locked tokens, because a transaction that holds such a lock records a use of the token or revokes it
    v_ended := array(select token_hash from access_token
      where client_id = p_client and revoked_at is null and expires_at > now() and last_used_at < v_unused_since
      order by last_used_at limit v_live + 1 - p_cap for no key update skip locked);
    update access_token set revoked_at = now() where token_hash = any(v_ended);
    v_live := v_live - cardinality(v_ended);
  end if;
  if v_live >= 10 * p_cap then
    v_ended := array(select token_hash from access_token where client_id = p_client and revoked_at is null and expires_at > now()
      order by last_used_at > created_at, last_used_at limit v_live + 1 - 10 * p_cap for no key update skip locked);
    update access_token set revoked_at = now() where token_hash = any(v_ended);
  end if;
  -- not now(), because a token whose transaction had to wait would be the oldest and be revoked before its first use
  v_issued_at := clock_timestamp();
  insert into access_token (token_hash, developer_id, client_id, environment, device_name, created_at, last_used_at, mac, expires_at,
      latest_expiry)
    values (p_hash, p_developer, p_client, p_environment, p_device, v_issued_at, v_issued_at, p_mac, p_expires_at, p_expires_at);
end $f$;

-- Records uses of tokens, with their new expiry times and the MACs that cover these. If another transaction has locked a token, a
-- later use is recorded instead.
create function tokens_used(p_hashes bytea[], p_expires_at timestamptz[], p_macs bytea[]) returns void
  language plpgsql volatile security definer set search_path = public, pg_temp as $f$
declare
  v_mine bytea[] := array(select token_hash from access_token
    where token_hash = any(p_hashes) and revoked_at is null and last_used_at < now() - interval '1 second' for no key update skip locked);
begin
  update access_token t set last_used_at = now(), expires_at = u.expires_at, latest_expiry = u.expires_at, mac = u.mac
    from unnest(p_hashes, p_expires_at, p_macs) u(token_hash, expires_at, mac)
    where t.token_hash = u.token_hash and t.token_hash = any(v_mine);
end $f$;

-- Valid client tokens of an account. A client token expires with the token and the API key from which it was created.
create function live_client_tokens(p_developer uuid, p_environment text) returns setof client_token language sql stable as $f$
  select c.* from client_token c join access_token t on t.token_hash = c.parent_hash join credential k on k.client_id = t.client_id
  where c.developer_id = p_developer and c.environment = p_environment and c.expires_at > now() and c.revoked_at is null
    and t.expires_at > now() and t.revoked_at is null and k.revoked_at is null $f$;

-- Creates a client token from a token, and counts it by API key and day. Returns the client token. The limit of the account is
-- p_share times its rate limit per minute. At the limit, returns no client token, but the number of valid ones and the first
-- expiry time. Returns no row if the token has just been revoked.
create function client_token_issue(p_hash bytea, p_parent bytea, p_scopes text[], p_order uuid, p_max_spend bigint, p_expires_at timestamptz,
    p_default_limit integer, p_share integer, p_mac bytea, out r_id uuid, out r_created_at timestamptz, out r_expires_at timestamptz, out r_client_id text,
    out r_live bigint, out r_first_end timestamptz)
  returns setof record language plpgsql volatile security definer set search_path = public, pg_temp as $f$
declare
  v_parent access_token;
  v_cap bigint;
begin
  select * into v_parent from access_token where token_hash = p_parent and revoked_at is null;
  if not found then return; end if;
  -- serializes the calls of an account, so that each counts the committed tokens of the others
  select p_share::bigint * coalesce(rate_limit_per_minute, p_default_limit) into v_cap
    from developer where id = v_parent.developer_id for no key update;
  select count(*), min(expires_at) into r_live, r_first_end from live_client_tokens(v_parent.developer_id, v_parent.environment);
  if r_live < v_cap then
    insert into client_token (token_hash, parent_hash, developer_id, environment, scopes, order_id, max_spend_paise, mac, expires_at)
      values (p_hash, p_parent, v_parent.developer_id, v_parent.environment, p_scopes, p_order, p_max_spend, p_mac,
        p_expires_at)
      returning id, created_at, least(v_parent.expires_at, expires_at), v_parent.client_id into r_id, r_created_at, r_expires_at, r_client_id;
    insert into client_token_count as c (client_id, day, made)
      values (v_parent.client_id, (now() at time zone 'Asia/Kolkata')::date, 1)
      on conflict (client_id, day) do update set made = c.made + 1;
  end if;
  return next;
end $f$;

revoke all on function token_issue, tokens_used, client_token_issue, live_client_tokens from public;
grant execute on function token_issue, tokens_used, client_token_issue, live_client_tokens to gateway_app;
