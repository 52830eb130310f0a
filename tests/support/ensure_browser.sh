#!/usr/bin/env bash
# Makes sure that the browser tests find a Chromium or Chrome: takes what is there, installs Debian's as root, and
# otherwise says what to install. Playwright's own download is never used. Chromium without a window of its own
# (chromium-headless-shell) does the same for half of the work, so it is taken where it is to be had.
set -euo pipefail

light=chromium-headless-shell
candidates=(
  "${BOONBRIDGE_CHROMIUM:-}"
  "$light"
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

is_debian() {
  [ "$(id -u)" = 0 ] && [ -e /etc/debian_version ] && command -v apt-get >/dev/null
}

is_known() {
  [[ $(apt-cache policy "$1" 2>/dev/null) == *"Candidate: "[0-9]* ]]
}

install() {
  timeout 180 apt-get install -y -qq --no-install-recommends -o Acquire::Retries=1 -o Acquire::http::Timeout=20 "$@" fonts-dejavu-core \
    >>"$log" 2>&1 </dev/null
}

if [ -n "${BOONBRIDGE_CHROMIUM:-}" ] || command -v "$light" >/dev/null || ! is_debian; then
  if find_browser; then
    exit 0
  fi
fi

if is_debian; then
  log=$(mktemp)
  trap 'rm -f "$log"' EXIT
  export DEBIAN_FRONTEND=noninteractive
  if find_browser; then
    # Another one will do: nothing is asked of the network beyond what this machine knows of already.
    if is_known "$light" && ! install "$light"; then
      echo "$light could not be installed; the browser that is here is taken." >&2
    fi
    exit 0
  fi
  echo "Installing Chromium for the browser tests ..."
  if apt-get update -qq >"$log" 2>&1 && { { is_known "$light" && install "$light"; } || install chromium; } && find_browser; then
    exit 0
  fi
  cat "$log" >&2
fi

cat >&2 <<'HELP'
The browser tests need Chromium or Chrome, and none was found.
  Debian:         sudo apt install chromium-headless-shell
  Ubuntu:         sudo snap install chromium
  Fedora:         sudo dnf install chromium
  macOS:          brew install --cask chromium
  somewhere else: set BOONBRIDGE_CHROMIUM to its path
HELP
exit 1
