#!/bin/sh
# Makes the files that the image adds to its base: build.sh PACKAGES TARGET. Installs the package neta-gateway-*.tgz of the directory PACKAGES
# below TARGET, without a registry, and makes the directory of the data, which only the user of the gateway can read.
set -eu
packages=$(cd "$1" && pwd)
target=$2
user=65534

npm install --global --prefix "$target/usr/local" --omit=optional --ignore-scripts --offline --no-audit --no-fund "$packages"/neta-gateway-[0-9]*.tgz
mkdir -p "$target/usr/local/share/neta-gateway" "$target/data"
cat > "$target/usr/local/share/neta-gateway/healthcheck.mjs" <<'JS'
// Ends with code 0 when the gateway of this container answers.
const answer = await fetch(`http://127.0.0.1:${process.env.PORT || 7001}/healthz`).catch(() => undefined);
process.exit(answer?.ok ? 0 : 1);
JS
chmod 0700 "$target/data"
if [ "$(id -u)" = 0 ]; then chown "$user:$user" "$target/data"; fi
