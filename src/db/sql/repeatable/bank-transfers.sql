-- Comparison of credit and debit references.

drop function if exists bank_transfer_take;
drop function if exists reference_key;

-- Normalizes a reference for comparison. Users type the same reference in different case and with different spaces, and word
-- processors replace hyphens with dashes. All Unicode dashes (Pd), the minus sign, the hyphen bullet and the modifier minus are
-- treated as hyphens. Stored values must not depend on the locale of the database, so the collation "C" is used, which converts
-- only the case of A to Z.
create function reference_key(p_reference text) returns text language sql immutable parallel safe as $f$
  select lower(btrim(regexp_replace(regexp_replace(
    regexp_replace(normalize(p_reference, NFKC) collate "C", '[\u00ad\u200b-\u200d\u2060\ufeff]', '', 'g'),
    '[\u02d7\u058a\u05be\u1400\u1806\u2010-\u2015\u2043\u2212\u2e17\u2e1a\u2e3a\u2e3b\u2e40\u2e5d\u301c\u3030\u30a0\U00010d6e\U00010ead]', '-', 'g'),
    '[\s\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+', ' ', 'g'))) $f$;

-- Uses a bank transfer for a posting. If the transfer was already used, returns the earlier use and writes nothing, unless
-- p_shared_by is an approval request to share this transfer. A concurrent second call waits for the first.
create function bank_transfer_take(p_utr text, p_developer uuid, p_posting uuid, p_shared_by uuid)
  returns table (developer_id uuid, posting_id uuid) language plpgsql volatile security definer set search_path = public, pg_temp as $f$
#variable_conflict use_column
begin
  if p_shared_by is not null and not exists (select from approval_request p where p.id = p_shared_by and p.action = 'wallet.credit'
      and p.developer_id = p_developer and p.payload ->> 'utr' = p_utr and p.payload ->> 'isUtrShared' = 'true') then
    raise exception 'approval_request % does not allow sharing this bank transfer', p_shared_by using errcode = '22023';
  end if;
  insert into bank_transfer (utr, developer_id, posting_id, shared_by) values (p_utr, p_developer, p_posting, p_shared_by)
    on conflict (utr) where shared_by is null do nothing;
  if not found then
    return query select b.developer_id, b.posting_id from bank_transfer b where b.utr = p_utr and b.shared_by is null;
  end if;
end $f$;

revoke all on function reference_key, bank_transfer_take from public;
grant execute on function reference_key, bank_transfer_take to gateway_app;
