#!/bin/sh
# Makes the secrets that deploy/compose.yaml mounts, once: make_secrets.sh [DIRECTORY]. Prints the key of the administrator.
set -eu
directory=${1:-$(dirname "$0")/secrets}
if [ -e "$directory" ]; then
  echo "$directory exists already; nothing was written." >&2
  exit 1
fi

# Only the owner may enter the directory. The files are readable, because the gateway in the container is another user.
mkdir -m 0700 "$directory"
secret() { od -An -N 24 -tx1 /dev/urandom | tr -d ' \n'; }
password=$(secret)
key=neta_$(secret)
printf '%s' "$password" > "$directory/postgres_password"
printf 'postgres://neta:%s@postgres:5432/neta' "$password" > "$directory/database_url"
printf 'admin:%s:default:chat+tools+approve+ops:read+ops:write+admin' "$key" > "$directory/api_keys"
chmod 0444 "$directory"/*
echo "admin key: $key"
