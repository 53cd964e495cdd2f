#!/bin/sh
# Writes metrics that no exporter provides to files for the textfile collector of node_exporter:
#
#   ops/note-metric.sh doctor docker compose run --rm tools       once a day: runs the doctor and records its exit code
#   ops/note-metric.sh certificate ops/secrets/certificate.pem    once a day: records the expiry of the first certificate
#   ops/note-metric.sh backup                                     after each successful backup
#
# METRICS_DIR is the directory of the files. The default, /var/lib/recharge-gateway/metrics, is read in compose.yaml.
set -eu
umask 022
directory="${METRICS_DIR:-/var/lib/recharge-gateway/metrics}"
mkdir -p "$directory"

# writes one file per subject from standard input; the collector never sees a partial file
write() {
  cat >"$directory/.$1.$$"
  mv "$directory/.$1.$$" "$directory/recharge-gateway-$1.prom"
}

gauge() { printf '# TYPE recharge_gateway_%s gauge\nrecharge_gateway_%s %s\n' "$1" "$1" "$2"; }

subject="${1:-}"
[ $# -gt 0 ] && shift
case "$subject" in
  doctor)
    [ $# -gt 0 ] || { echo "Enter the command that runs the doctor." >&2; exit 2; }
    code=0
    "$@" || code=$?
    failed=0
    [ "$code" -eq 0 ] || failed=1
    { gauge doctor_failed "$failed"; gauge doctor_timestamp_seconds "$(date +%s)"; } | write doctor
    exit "$code"
    ;;
  certificate)
    [ $# -eq 1 ] || { echo "Enter the file of the certificate." >&2; exit 2; }
    end="$(openssl x509 -enddate -noout -in "$1")"
    end="$(date --date="${end#notAfter=}" +%s)"
    gauge certificate_end_timestamp_seconds "$end" | write certificate
    ;;
  backup)
    gauge backup_timestamp_seconds "$(date +%s)" | write backup
    ;;
  *)
    echo "Usage: note-metric.sh doctor COMMAND… | certificate FILE | backup" >&2
    exit 2
    ;;
esac
