#!/usr/bin/env bash
# Makes sure that the browser tests find a Chromium or Chrome: takes what is there, installs Debian's as root, and
# otherwise says what to install. Playwright's own download is never used.
set -euo pipefail

candidates=(
  "${BOONBRIDGE_CHROMIUM:-}"
  chromium
  chromium-browser
  google-chrome-stable
  google-chrome
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"
  "/Applications/Chromium.app/Contents/MacOS/Chromium"
)

find_browser() {
  local candidate
  for candidate in "${candidates[@]}"; do
    if [ -n "$candidate" ] && command -v "$candidate" >/dev/null; then
      return 0
    fi
  done
  return 1
}

if find_browser; then
  exit 0
fi

if [ "$(id -u)" = 0 ] && [ -e /etc/debian_version ] && command -v apt-get >/dev/null; then
  echo "Installing Chromium for the browser tests ..."
  log=$(mktemp)
  trap 'rm -f "$log"' EXIT
  export DEBIAN_FRONTEND=noninteractive
  if apt-get update -qq >"$log" 2>&1 &&
    apt-get install -y -qq --no-install-recommends chromium fonts-dejavu-core >>"$log" 2>&1 </dev/null &&
    find_browser; then
    exit 0
  fi
  cat "$log" >&2
fi

cat >&2 <<'HELP'
The browser tests need Chromium or Chrome, and none was found.
  Debian:         sudo apt install chromium
  Ubuntu:         sudo snap install chromium
  Fedora:         sudo dnf install chromium
  macOS:          brew install --cask chromium
  somewhere else: set BOONBRIDGE_CHROMIUM to its path
HELP
exit 1
