#!/bin/sh
# The first start of the database in compose.yaml: its owner, who migrates, and who reads its statistics for Prometheus. Runs once,
# as the superuser, on a socket.
set -eu
secrets="${SECRETS:-/run/secrets}"
PGOPTIONS="-c gateway.password=$(cat "$secrets/owner-password") -c gateway.monitor_password=$(cat "$secrets/monitor-password")"
export PGOPTIONS
psql --no-psqlrc --set ON_ERROR_STOP=1 --username postgres <<'SQL'
do $$ begin
  execute format('create role gateway_owner login createrole password %L', current_setting('gateway.password'));
  -- statistics and settings, and no row of a table
  execute format('create role gateway_monitor login password %L in role pg_monitor', current_setting('gateway.monitor_password'));
end $$;
create database gateway owner gateway_owner;
SQL
