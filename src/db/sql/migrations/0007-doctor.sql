-- Rights that the doctor requires when it connects with the login of the application.
grant select on schema_migration to gateway_app;
