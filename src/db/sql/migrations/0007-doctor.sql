-- What the doctor has to see when it signs in as the application does.
grant select on schema_migration to gateway_app;
