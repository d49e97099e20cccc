#!/bin/sh
# Gives the agent a task and prints its answer; curl and node (for JSON) alone.
#
#     NETA_URL=http://127.0.0.1:7001 NETA_API_KEY=... sh ask.sh "list the files"
set -eu
url=${NETA_URL:-http://127.0.0.1:7001}
body=$(node -e 'console.log(JSON.stringify({ input: process.argv[1] }))' "$*")
# A repetition with the same key gives the same run.
answer=$(curl -sS --retry 3 --retry-connrefused "$url/api/v1/runs" \
  -H 'content-type: application/json' -H "idempotency-key: ask-$$-$(date +%s)" \
  ${NETA_API_KEY:+-H "authorization: Bearer $NETA_API_KEY"} \
  -d "$body")
printf '%s' "$answer" | node -e '
  const { text, status, error } = JSON.parse(require("node:fs").readFileSync(0, "utf8"));
  if (error) console.error(`${error.code}: ${error.message}`);
  else console.log(text);
  process.exitCode = status === "completed" ? 0 : 1;'
