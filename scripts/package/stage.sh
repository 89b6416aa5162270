#!/usr/bin/env bash
# Puts what is installed beside the program into ROOT: manual pages, completions, and the script by
# which the tasks of an engine make shards.
#
#     scripts/package/stage.sh PROGRAM ROOT/usr
set -euo pipefail
cd "$(dirname "$0")/../.."
program=$(realpath "$1")
share=$2/share

mkdir -p "$share/man/man1" "$share/bash-completion/completions" \
  "$share/zsh/site-functions" "$share/fish/vendor_completions.d"
install -D -m 0755 deploy/run-shard.sh "$2/lib/firetally/run-shard.sh"
scripts/package/manuals.py "$program" "$share/man/man1"
gzip -9nf "$share"/man/man1/firetally*.1
"$program" --generate-completion-script bash >"$share/bash-completion/completions/firetally"
"$program" --generate-completion-script zsh >"$share/zsh/site-functions/_firetally"
"$program" --generate-completion-script fish >"$share/fish/vendor_completions.d/firetally.fish"
