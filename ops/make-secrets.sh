#!/bin/sh
# Creates the secrets that compose.yaml mounts in ops/secrets, which git and images ignore. Existing files are never changed,
# because stored values cannot be read without their keys. Keep a copy separate from the backups of the database.
#
# The certificate is self-signed, for trials. Replace certificate.pem with your certificate, chain and key in one file.
set -eu
cd "$(dirname "$0")"
umask 077
# Only the owner can enter the directory. The files are mounted separately into containers that run as other users.
mkdir -p secrets/providers secrets/alerting
chmod 0755 secrets/providers secrets/alerting
cd secrets

make() {
  [ -s "$1" ] || printf '%s\n' "$2" >"$1"
  chmod 0444 "$1"
}

key() { printf '%s:%s' "$(date +%Y)" "$(openssl rand -base64 32)"; }

make encryption-keys "$(key)"
make audit-keys "$(key)"
make secret-pepper "$(openssl rand -base64 32)"
make reference-secret "$(openssl rand -base64 32)"
make callback-secrets "roundpay:$(openssl rand -hex 32)"
for name in postgres owner service monitor redis grafana; do
  make "$name-password" "$(openssl rand -hex 24)"
done
make database-owner-url "postgresql://gateway_owner:$(cat owner-password)@database/gateway"
make database-service-url "postgresql://gateway_service:$(cat service-password)@database/gateway"
make redis-url "redis://:$(cat redis-password)@valkey:6379"

if [ ! -s certificate.pem ]; then
  names="DNS:${UAT_NAME:-uat.localhost},DNS:${PRODUCTION_NAME:-api.localhost},DNS:${CONSOLE_NAME:-console.localhost}"
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 90 -subj '/CN=Recharge Gateway, for trials' \
    -addext "subjectAltName=$names" -keyout key.pem -out certificate.only 2>/dev/null
  cat certificate.only key.pem >certificate.pem
  rm certificate.only key.pem
fi
chmod 0444 certificate.pem
