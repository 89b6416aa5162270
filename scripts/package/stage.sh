#!/usr/bin/env bash
# Puts what is installed beside the program into ROOT: manual pages and completions.
#
#     scripts/package/stage.sh PROGRAM ROOT/usr
set -euo pipefail
cd "$(dirname "$0")/../.."
program=$(realpath "$1")
share=$2/share

mkdir -p "$share/man/man1" "$share/bash-completion/completions" \
  "$share/zsh/site-functions" "$share/fish/vendor_completions.d"
scripts/package/manuals.py "$program" "$share/man/man1"
gzip -9nf "$share"/man/man1/firetally*.1
"$program" --generate-completion-script bash >"$share/bash-completion/completions/firetally"
"$program" --generate-completion-script zsh >"$share/zsh/site-functions/_firetally"
"$program" --generate-completion-script fish >"$share/fish/vendor_completions.d/firetally.fish"
