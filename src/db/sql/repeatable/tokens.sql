drop function if exists token_issue;
drop function if exists tokens_used;

-- Issues a token of a key; returns when it expires. Exchanges of one key wait for each other at its row, and what each sees after that
-- the others have committed. Rows are locked by one statement and changed by the next.
--
-- At the cap the token ends that was not used for longest, but none that may be in use. Uses are noted by the minute while more than half
-- of the cap is live: what was noted within two minutes may have been used within the last. As long as all of them are, the cap is
-- exceeded; at ten times the cap one ends all the same, and first of those that were not used any more a second after their exchange.
create function token_issue(p_hash bytea, p_developer uuid, p_client text, p_environment text, p_device text, p_idle_days integer,
    p_max_days integer, p_cap integer)
  returns timestamptz language plpgsql volatile security definer set search_path = public, pg_temp as $f$
declare
  v_unused_since constant timestamptz := now() - interval '2 minutes';
  v_live integer;
  v_many_since timestamptz;
  v_ended bytea[];
  v_expires_at timestamptz;
  v_issued_at timestamptz;
begin
  -- before the key, as whoever decides about an account does
  perform from developer where id = p_developer for key share;
  perform from credential where client_id = p_client for no key update;
  select count(*) into v_live from access_token where client_id = p_client and revoked_at is null and expires_at > now();
  update credential set last_used_at = now(),
      many_tokens_since = case when v_live >= p_cap / 2 then coalesce(many_tokens_since, now()) end
    where client_id = p_client returning many_tokens_since into v_many_since;
  if v_live >= p_cap and v_many_since < v_unused_since then
    -- who holds one of them notes that it is used, or ends it
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
  -- not now(): by that, one that waited would be the oldest of all, and end before it is used
  v_issued_at := clock_timestamp();
  insert into access_token (token_hash, developer_id, client_id, environment, device_name, created_at, last_used_at, expires_at)
    -- an admin may have shortened the developer's tokens
    select p_hash, id, p_client, p_environment, p_device, v_issued_at, v_issued_at,
      v_issued_at + least(p_idle_days, token_idle_days, p_max_days, token_max_days) * interval '1 day'
    from developer where id = p_developer
    returning expires_at into strict v_expires_at;
  return v_expires_at;
end $f$;

-- Notes that tokens are used, which moves their end on. What another transaction holds is noted with a later use.
create function tokens_used(p_hashes bytea[], p_idle_days integer, p_max_days integer) returns void
  language plpgsql volatile security definer set search_path = public, pg_temp as $f$
declare
  v_mine bytea[] := array(select token_hash from access_token
    where token_hash = any(p_hashes) and last_used_at < now() - interval '1 second' for no key update skip locked);
begin
  update access_token t set last_used_at = now(),
      expires_at = least(now() + least(p_idle_days, d.token_idle_days) * interval '1 day',
        t.created_at + least(p_max_days, d.token_max_days) * interval '1 day')
    from developer d where d.id = t.developer_id and t.token_hash = any(v_mine);
end $f$;

revoke all on function token_issue, tokens_used from public;
grant execute on function token_issue, tokens_used to gateway_app;
