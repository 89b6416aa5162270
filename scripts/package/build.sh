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
swift build -c release --static-swift-stdlib --product firetally
strip --strip-all -o "$out.part" .build/release/firetally
mv "$out.part" "$out"
