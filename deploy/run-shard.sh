#!/bin/sh
# run-shard.sh PLAN DIR: makes this task's shard on its own disk, and copies it to DIR once.
#
# SQLite needs locks and reads back what it wrote, which mounted buckets and network file systems do
# not promise. A shard that lies finished in DIR is not read again. Attempts stay on the disk, one
# folder a plan, where the next task on this machine goes on with them. Ends with the status of
# `firetally shard run`.
set -eu
firetally=${FIRETALLY:-firetally}
plan=$1
target=$2
digest=$(sha256sum <"$plan" | cut -c1-16)
local=${FIRETALLY_LOCAL:-${TMPDIR:-/tmp}/firetally-shards}/$digest
mkdir -p "$local" "$target"

# 0 when DIR has the shard, and 78 when it has not: a workspace that is none is opened only then.
lies_finished() {
  found=0
  message=$("$firetally" shard run "$plan" --to "$target" -C /dev/null 2>&1) || found=$?
  case $found in
    0) return 0 ;;
    78) return 1 ;;
  esac
  printf '%s\n' "$message" >&2
  exit "$found"
}

if lies_finished; then exit 0; fi
made=$("$firetally" shard run "$plan" --to "$local" --json)
name=$(printf '%s\n' "$made" | sed -n 's/.*"file":"\(shard-[0-9]*\)\.sqlite".*/\1/p')
[ -n "$name" ] || { echo "run-shard.sh: firetally named no shard: $made" >&2; exit 70; }

# Containers have the same process numbers, so the name says the host, too.
part=.part.$(uname -n).$$
trap 'rm -f "$target/.$name.sqlite$part" "$target/.$name.json$part"' EXIT
trap 'exit 143' TERM
trap 'exit 130' INT
# The lock that firetally itself takes to finish a shard. Where it does not reach other machines, a
# manifest may meet the file of another attempt: the gathering refuses that.
exec 9>>"$target/.$name.lock"
flock 9
if lies_finished; then
  rm -f "$target/.$name.lock"
  exit 0
fi
for file in "$name.sqlite" "$name.json"; do
  cp "$local/$file" "$target/.$file$part"
done
# The manifest goes last: a shard without one does not count.
rm -f "$target/$name.json"
mv "$target/.$name.sqlite$part" "$target/$name.sqlite"
mv "$target/.$name.json$part" "$target/$name.json"
rm -f "$local/$name.sqlite" "$local/$name.json"
# Whoever waits for the lock, or makes a new one, finds the finished shard.
rm -f "$target/.$name.lock"
