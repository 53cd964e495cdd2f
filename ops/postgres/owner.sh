#!/bin/sh
# Runs once as the superuser, at the first start of the database in compose.yaml. Creates the owner, which migrates, and a login
# that reads statistics for Prometheus.
set -eu
secrets="${SECRETS:-/run/secrets}"
PGOPTIONS="-c gateway.password=$(cat "$secrets/owner-password") -c gateway.monitor_password=$(cat "$secrets/monitor-password")"
export PGOPTIONS
psql --no-psqlrc --set ON_ERROR_STOP=1 --username postgres <<'SQL'
do $$ begin
  execute format('create role gateway_owner login createrole password %L', current_setting('gateway.password'));
  -- can read statistics and settings, but no table
  execute format('create role gateway_monitor login password %L in role pg_monitor', current_setting('gateway.monitor_password'));
end $$;
create database gateway owner gateway_owner;
SQL
