drop function if exists erase_closed;

-- Erases the data of a closed account that the law does not require to be kept. Returns the number of rows by kind. The
-- application cannot erase data of an open account. docs/personal-data.md lists the data that is kept, with period and reason.
create function erase_closed(p_developer uuid) returns table (kind text, erased bigint)
  language plpgsql volatile security definer set search_path = public, pg_temp as $f$
begin
  perform from developer where id = p_developer and closed_at is not null;
  if not found then raise exception 'the account % is not closed', p_developer; end if;
  return query
  with contact as (delete from developer_contact x where x.developer_id = p_developer returning 1),
  draft as (delete from kyc_draft x where x.developer_id = p_developer returning 1),
  -- submitted documents are deleted with their submission, see retention.sql
  document as (delete from kyc_document x where x.developer_id = p_developer and x.submitted_at is null returning 1),
  profile as (delete from lead_profile x where x.developer_id = p_developer returning 1),
  customer as (delete from lead_customer x where x.developer_id = p_developer returning 1),
  -- the lead is kept, because its fee is in the ledger
  lead_of as (update lead x set mobile_hash = null where x.developer_id = p_developer and x.mobile_hash is not null returning 1),
  person as (select u.id from app_user u where u.developer_id = p_developer),
  factor as (delete from second_factor x using person where x.user_id = person.id returning 1),
  device as (delete from known_device x using person where x.user_id = person.id returning 1)
  select * from (values ('contacts', (select count(*) from contact)), ('KYC drafts', (select count(*) from draft)),
    ('documents that were not handed in', (select count(*) from document)), ('lead profiles', (select count(*) from profile)),
    ('customers of leads', (select count(*) from customer)), ('hashed numbers of leads', (select count(*) from lead_of)),
    ('second factors', (select count(*) from factor)), ('known devices', (select count(*) from device))) counted (k, n) where n > 0;
end $f$;

revoke all on function erase_closed from public;
grant execute on function erase_closed to gateway_app;
