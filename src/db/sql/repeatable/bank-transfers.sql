-- What credits and debits are told apart by.

drop function if exists bank_transfer_take;
drop function if exists reference_key;

-- A reference as it is compared: people write the same one in upper and lower case, with one blank or several, of any kind.
create function reference_key(p_reference text) returns text language sql immutable parallel safe as $f$
  select lower(btrim(regexp_replace(regexp_replace(normalize(p_reference, NFKC), '[\u200b-\u200d\u2060\ufeff]', '', 'g'),
    '[\s\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+', ' ', 'g'))) $f$;

-- A posting uses a bank transfer. False when another one has used it before, unless people decided that it is shared. Of two that
-- take it at once the second one waits for the first.
create function bank_transfer_take(p_utr text, p_developer uuid, p_posting uuid, p_shared boolean) returns boolean
  language plpgsql volatile security definer set search_path = public, pg_temp as $f$
declare v_share integer := 0;
begin
  loop
    insert into bank_transfer (utr, share, developer_id, posting_id) values (p_utr, v_share, p_developer, p_posting) on conflict (utr, share) do nothing;
    if found then return true; end if;
    if not p_shared then return false; end if;
    v_share := v_share + 1;
  end loop;
end $f$;

revoke all on function reference_key, bank_transfer_take from public;
grant execute on function reference_key, bank_transfer_take to gateway_app;
