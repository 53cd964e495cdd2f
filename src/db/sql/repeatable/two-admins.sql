drop trigger if exists second_factor_two_admins on second_factor;
drop trigger if exists app_user_two_admins on app_user;
drop function if exists note_two_admins;

-- As soon as there are two active administrators with a second factor, changes of staff roles permanently require two people,
-- even if one of these two is removed later. See setting 'two_admins_since'.
create function note_two_admins() returns trigger language plpgsql volatile as $f$
declare
  v_user constant uuid := case tg_table_name when 'app_user' then (to_jsonb(new) ->> 'id')::uuid else (to_jsonb(new) ->> 'user_id')::uuid end;
begin
  perform from app_user u where u.id = v_user and u.role = 'admin';
  if not found then return null; end if;
  -- serializes concurrent changes, so that each one sees the previous one
  perform pg_advisory_xact_lock(hashtext('two_admins_since'));
  if (select count(*) from app_user u where u.role = 'admin' and u.disabled_at is null and exists (
      select from second_factor f where f.user_id = u.id and f.kind <> 'recovery_codes' and f.confirmed_at is not null)) >= 2 then
    insert into setting (environment, name, value) values ('production', 'two_admins_since', now()::text) on conflict do nothing;
  end if;
  return null;
end $f$;

create trigger second_factor_two_admins after insert or update of confirmed_at on second_factor
  for each row when (new.confirmed_at is not null) execute function note_two_admins();
create trigger app_user_two_admins after insert or update of role, disabled_at on app_user
  for each row when (new.role = 'admin' and new.disabled_at is null) execute function note_two_admins();
