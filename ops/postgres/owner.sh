#!/bin/sh
# The first start of the database in compose.yaml: its owner, who migrates. Runs once, as the superuser, on a socket.
set -eu
password="$(cat "${SECRETS:-/run/secrets}/owner-password")"
PGOPTIONS="-c gateway.password=$password" psql --no-psqlrc --set ON_ERROR_STOP=1 --username postgres <<'SQL'
do $$ begin
  execute format('create role gateway_owner login createrole password %L', current_setting('gateway.password'));
end $$;
create database gateway owner gateway_owner;
SQL
