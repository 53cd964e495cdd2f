-- The login of the service: a member of gateway_app, which the first migration makes, and no more. As the owner of the database,
-- who gives the password in the setting gateway.password; safe to repeat, and then it changes the password.
do $$ begin
  if not exists (select from pg_roles where rolname = 'gateway_service') then
    create role gateway_service login in role gateway_app;
  end if;
  execute format('alter role gateway_service password %L', current_setting('gateway.password'));
end $$;
