#!/usr/bin/env bash
# Builds the program as it is installed: optimised, with Swift's runtime inside, stripped, and with
# the commit that `firetally --version` prints.
#
#     scripts/package/build.sh FILE
set -euo pipefail
cd "$(dirname "$0")/../.."
out=$(realpath -m "$1")
work=$PWD/.build/package
mkdir -p "$work" "$(dirname "$out")"

swift=$(dirname "$(dirname "$(readlink -f "$(command -v swift)")")")
symbol=$(scripts/package/icu_data.py "$swift/lib/swift_static/linux/lib_FoundationICU.a" \
  "$work/icu_data.s")
cc -c "$work/icu_data.s" -o "$work/icu_data.o"
swift build -c release --static-swift-stdlib --product firetally \
  -Xlinker "--wrap=$symbol" -Xlinker "$work/icu_data.o"

commit=
if git rev-parse --git-dir >/dev/null 2>&1; then
  commit=$(git rev-parse --short=12 HEAD)
  [ -z "$(git status --porcelain)" ] || commit="$commit, with changes"
fi
# As long as the place in the binary, which CStart.c declares.
printf '%s' "$commit" >"$work/commit"
truncate -s 64 "$work/commit"
objcopy --strip-all --update-section "firetally_build=$work/commit" \
  .build/release/firetally "$out.part"
mv "$out.part" "$out"
