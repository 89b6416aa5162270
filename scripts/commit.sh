#!/bin/sh
# Prints the commit that is built, for `firetally --version`: "0123456789ab", or "0123456789ab, with
# changes". Prints nothing outside of a clone, such as in the sources of a release.
cd "$(dirname "$0")/.." || exit 1
commit=$(git rev-parse --short=12 HEAD 2>/dev/null) || exit 0
# A folder inside of another project's clone is none.
[ "$(git rev-parse --show-toplevel)" = "$(pwd -P)" ] || exit 0
[ -z "$(git status --porcelain 2>/dev/null)" ] || commit="$commit, with changes"
printf '%s\n' "$commit"
