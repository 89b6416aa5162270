#!/usr/bin/env bash
# Puts what is installed beside the program into ROOT: manual pages, completions, systemd units, the
# manual, an example of a workspace, and the script by which the tasks of an engine make shards.
# PREFIX is where the units find the program once ROOT is in its place.
#
#     scripts/package/stage.sh PROGRAM ROOT/usr [PREFIX]
set -euo pipefail
cd "$(dirname "$0")/../.."
program=$(realpath "$1")
share=$2/share
prefix=${3:-/usr}

mkdir -p "$2/lib/systemd/system" "$share/doc/firetally/examples" "$share/bash-completion/completions" \
  "$share/zsh/site-functions" "$share/fish/vendor_completions.d"
install -D -m 0755 deploy/run-shard.sh "$2/lib/firetally/run-shard.sh"
scripts/package/manuals.py "$program" "$share/man"
gzip -9nf "$share"/man/man1/firetally*.1 "$share"/man/man5/firetally*.5
for unit in firetally@.service firetally@.timer; do
  sed "s|/usr/bin/firetally|$prefix/bin/firetally|" "scripts/package/$unit" \
    >"$2/lib/systemd/system/$unit"
done
doc=$share/doc/firetally
cp README.md "$doc/"
# Recipes for engines stand beside the page that leads to them.
rm -rf "$doc/docs" "$doc/deploy" "$doc/examples/jobs"
cp -r docs deploy "$doc/"
rm -rf "$doc/docs/decisions" "$doc/docs/guides"
cp cron.example firetally.yml "$doc/examples/"
cp -r jobs "$doc/examples/jobs"
"$program" --generate-completion-script bash >"$share/bash-completion/completions/firetally"
"$program" --generate-completion-script zsh >"$share/zsh/site-functions/_firetally"
"$program" --generate-completion-script fish >"$share/fish/vendor_completions.d/firetally.fish"
