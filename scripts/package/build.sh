#!/usr/bin/env bash
# Builds the program as it is installed: optimised, with Swift's runtime inside, stripped, and with
# the commit that `firetally --version` prints.
#
#     scripts/package/build.sh FILE
set -euo pipefail
cd "$(dirname "$0")/../.."
out=$(realpath -m "$1")
mkdir -p "$(dirname "$out")"

commit=
if git rev-parse --git-dir >/dev/null 2>&1; then
  commit=$(git rev-parse --short=12 HEAD)
  [ -z "$(git status --porcelain)" ] || commit="$commit, with changes"
fi
swift build -c release --static-swift-stdlib --product firetally \
  -Xcc "-DFIRETALLY_COMMIT=\"$commit\""
strip --strip-all -o "$out.part" .build/release/firetally
mv "$out.part" "$out"
