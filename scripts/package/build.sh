#!/usr/bin/env bash
# Builds the program as it is installed: optimised, with Swift's runtime inside, stripped, and with
# the commit that `firetally --version` prints.
#
#     scripts/package/build.sh FILE
set -euo pipefail
cd "$(dirname "$0")/../.."
out=$(realpath -m "$1")
mkdir -p "$(dirname "$out")"

FIRETALLY_COMMIT=$(scripts/commit.sh)
export FIRETALLY_COMMIT
# No RUNPATH: beside the program no library is looked for.
swift build -c release --static-swift-stdlib --disable-local-rpath --product firetally
strip --strip-all -o "$out.part" .build/release/firetally
if readelf --dynamic "$out.part" | grep -E '\((RPATH|RUNPATH)\)'; then
  echo "build: the program would load libraries from there" >&2
  exit 1
fi
mv "$out.part" "$out"
