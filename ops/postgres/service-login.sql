-- Creates the login of the service, which is only a member of gateway_app (created by the first migration). Run it as the owner
-- of the database with the password in the setting gateway.password. Repeat it to change the password.
do $$ begin
  if not exists (select from pg_roles where rolname = 'gateway_service') then
    create role gateway_service login in role gateway_app;
  end if;
  execute format('alter role gateway_service password %L', current_setting('gateway.password'));
end $$;
