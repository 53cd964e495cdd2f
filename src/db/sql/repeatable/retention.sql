drop function if exists forget_ended;

-- Deletes one batch of expired rows of one kind, oldest first by index, and skips locked rows, so that any number of processes
-- can run it concurrently. Returns the number of rows; fewer than p_limit means that none are left. For most of these rows, the
-- application has no other right to delete them. docs/reference-operation.md lists every table and its limit. p_days: retention
-- of kinds with a setting.
create function forget_ended(p_kind text, p_limit integer, p_days integer default null) returns integer
  language plpgsql volatile security definer set search_path = public, pg_temp set enable_seqscan = off as $f$
declare
  v_rule record;
  v_rows tid[];
  v_count integer;
  -- accounts that were closed, or rejected and never approved, more than p_days ago
  c_gone constant text := $c$developer_id in (select d.id from developer d where (d.closed_at is not null or d.rejected_at is not null)
    and least(d.closed_at, d.rejected_at) < now() - $2 * interval '1 day' and d.approved_at is %s null)$c$;
  c_closed constant text := format(c_gone, 'not');
  c_rejected constant text := format(c_gone, '');
begin
  select * into strict v_rule from (values
    -- before the tokens that created them, because deleting those cascades to client tokens
    ('client tokens', 'client_token', 'expires_at', $c$expires_at < now()$c$),
    ('counts of client tokens', 'client_token_count', 'day', $c$day < current_date - 400$c$),
    ('access tokens', 'access_token', 'expires_at', $c$expires_at < now()$c$),
    ('revoked access tokens', 'access_token', 'revoked_at', $c$revoked_at is not null$c$),
    ('sessions', 'session', 'expires_at', $c$expires_at < now()$c$),
    ('ended sessions', 'session', 'revoked_at', $c$revoked_at is not null$c$),
    ('password links', 'password_reset', 'expires_at', $c$expires_at < now()$c$),
    ('answered challenges', 'answered_challenge', 'expires_at', $c$expires_at < now()$c$),
    -- a sign-in from a device that was not used for this time is notified again
    ('known devices', 'known_device', 'last_seen_at', $c$last_seen_at < now() - interval '180 days'$c$),
    ('invitations', 'invitation', 'expires_at', $c$expires_at < now()$c$),
    ('links of new addresses', 'email_change', 'expires_at', $c$expires_at < now()$c$),
    ('sign-ups', 'sign_up', 'expires_at', $c$expires_at < now()$c$),
    -- the scenario of an order determines its status checks, so it is kept while checks are possible
    ('scenarios', 'sandbox_scenario', 'expires_at',
      $c$expires_at < now() and (reference is null or expires_at < now() - interval '90 days')$c$),
    -- no longer compared, because the longest guard time is one hour
    ('keyless recharges', 'keyless_recharge', 'placed_at', $c$placed_at < now() - interval '2 hours'$c$),
    ('counters', 'rate_limit', 'expire', $c$expire < extract(epoch from now()) * 1000$c$),
    -- personal data that is no longer needed; sending fails permanently after half a day
    ('emails', 'email', 'created_at', $c$created_at < now() - interval '3 days'$c$),
    -- a fetched bill can be paid for one day
    ('fetched bills', 'card_bill', 'fetched_at', $c$fetched_at < now() - interval '2 days'$c$),
    -- IDs start with their time
    ('webhook deliveries', 'webhook_delivery', 'id',
      $c$id < (select uuidv7(interval '-90 days')) and state <> 'pending'$c$),
    -- documents that are not part of any submission
    ('KYC documents', 'kyc_document', 'created_at',
      $c$submitted_at is null and created_at < now() - interval '30 days'$c$),
    ('KYC drafts', 'kyc_draft', 'updated_at', $c$updated_at < now() - interval '30 days'$c$),
    -- submitted data and the reasons for resolutions, each deleted with its submission; an account has few rows
    ('documents of closed accounts', 'kyc_document', 'created_at', c_closed),
    ('KYC of closed accounts', 'kyc_submission', 'created_at', c_closed),
    ('notes on closed accounts', 'developer_note', 'created_at', c_closed),
    ('documents of rejected accounts', 'kyc_document', 'created_at', c_rejected),
    ('KYC of rejected accounts', 'kyc_submission', 'created_at', c_rejected),
    ('notes on rejected accounts', 'developer_note', 'created_at', c_rejected),
    -- created by anonymous callers and not useful after a year
    ('security events', 'security_event', 'last_at', $c$last_at < now() - interval '400 days'$c$),
    ('rejected calls', 'rejected_call', 'at', $c$at < now() - interval '90 days'$c$),
    -- expired without approval; the audit log records that they were created
    ('approval requests', 'approval_request', 'expires_at', $c$(final_state is null or final_state = 'expired') and expires_at < now() - interval '90 days'
      and not exists (select from reconcile_run r where r.approval_request_id = approval_request.id)$c$),
    -- differences that a user resolved are kept
    ('statement differences', 'reconcile_difference', 'resolved_at',
      $c$resolution = 'later_run' and resolved_at < now() - interval '400 days'$c$)
  ) rules (kind, place, since, ended) where kind = p_kind;
  execute format(
    'select array_agg(old.ctid) from (select ctid from %1$I where %3$s order by %2$I limit $1 for update skip locked) old',
    v_rule.place, v_rule.since, v_rule.ended) using p_limit, p_days into v_rows;
  -- updates do not move a locked row, so its ctid is stable
  execute format('delete from %I where ctid = any($1)', v_rule.place) using v_rows;
  get diagnostics v_count = row_count;
  return v_count;
end $f$;

revoke all on function forget_ended from public;
grant execute on function forget_ended to gateway_app;
