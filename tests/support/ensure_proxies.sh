#!/usr/bin/env bash
# Makes sure that the tests of proxies find nginx and Caddy: takes what is there, installs Debian's as root without starting
# them as services, and otherwise says what to install. Without them these tests are skipped and say so; in CI they fail.
set -euo pipefail
PATH="$PATH:/usr/sbin:/usr/local/sbin"

lacking() {
  local name
  for name in nginx caddy; do
    command -v "$name" >/dev/null || echo "$name"
  done
}

mapfile -t missing < <(lacking)
if ((${#missing[@]} == 0)); then
  exit 0
fi

if [ "$(id -u)" = 0 ] && [ -e /etc/debian_version ] && command -v apt-get >/dev/null; then
  echo "Installing ${missing[*]} for the tests of proxies ..."
  log=$(mktemp)
  policy=/usr/sbin/policy-rc.d
  # What is installed for tests must not take port 80: Debian asks this file whether services may start.
  if [ ! -e "$policy" ]; then
    trap 'rm -f "$log" "$policy"' EXIT
    printf '#!/bin/sh\nexit 101\n' >"$policy"
    chmod 755 "$policy"
  else
    trap 'rm -f "$log"' EXIT
  fi
  export DEBIAN_FRONTEND=noninteractive
  if apt-get update -qq >"$log" 2>&1 &&
    apt-get install -y -qq --no-install-recommends "${missing[@]}" >>"$log" 2>&1 </dev/null &&
    [ -z "$(lacking)" ]; then
    exit 0
  fi
  cat "$log" >&2
fi

cat >&2 <<HELP
The tests of proxies need ${missing[*]}, and will say that they were skipped.
  Debian, Ubuntu: sudo apt install ${missing[*]}
  Fedora:         sudo dnf install ${missing[*]}
  macOS:          brew install ${missing[*]}
HELP
[ -z "${CI:-}" ]
