#!/usr/bin/env bash
# Writes the exact versions in requirements/*.txt. `make lock` runs it; pass --upgrade to take newer releases.
#
# The files hold versions and nothing else (no index address, no path of this machine), and one resolution serves every
# platform, so they install from whatever index pip is configured for.
set -euo pipefail
cd "$(dirname "$0")/.."

uv=${UV:-.venv/bin/uv}

compile() { # output, purpose, inputs and options
  local output=$1 purpose=$2
  shift 2
  local body
  # An existing output is read first, so that without --upgrade nothing moves that need not.
  "$uv" pip compile --quiet --universal --python-version 3.11 --no-config --no-emit-index-url --no-emit-find-links \
    --no-header --annotation-style line --output-file "$output" "$@"
  body=$(cat "$output")
  printf '# %s\n# Written by `make lock`; change pyproject.toml or requirements/*.in instead.\n%s\n' "$purpose" "$body" \
    > "$output"
}

compile requirements/dev.txt "Everything that is needed to work on Boonbridge." \
  "$@" --extra uvloop pyproject.toml requirements/dev.in
compile requirements/runtime.txt "What a server needs to run; uvloop where it exists." \
  --constraint requirements/dev.txt --extra uvloop pyproject.toml
compile requirements/build.txt "The build backend, for an editable install." \
  --constraint requirements/dev.txt requirements/build.in
compile requirements/fuzz.txt "The fuzzer of \`make fuzz\`, where there is one for the machine." requirements/fuzz.in
