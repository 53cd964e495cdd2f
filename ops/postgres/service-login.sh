#!/bin/sh
# Runs service-login.sql after each migration in compose.yaml.
set -eu
export PGPASSWORD PGOPTIONS
PGPASSWORD="$(cat "${SECRETS:-/run/secrets}/owner-password")"
PGOPTIONS="-c gateway.password=$(cat "${SECRETS:-/run/secrets}/service-password")"
exec psql --no-psqlrc --set ON_ERROR_STOP=1 --file "$(dirname "$0")/service-login.sql"
