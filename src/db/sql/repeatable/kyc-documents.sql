drop function if exists kyc_document_drop;

-- Deletes a document that was never submitted. Returns false if it does not exist. The application cannot delete other documents.
create function kyc_document_drop(p_developer uuid, p_id uuid) returns boolean
  language sql volatile security definer set search_path = public, pg_temp as $f$
  with dropped as (
    delete from kyc_document where developer_id = p_developer and id = p_id and submitted_at is null returning true)
  select exists (select from dropped)
$f$;

revoke all on function kyc_document_drop from public;
grant execute on function kyc_document_drop to gateway_app;
