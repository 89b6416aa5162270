#!/usr/bin/env bash
# Installs the package into a bare Debian 12 as root, runs the program there as an unprivileged
# user, and judges sizes and manual pages. Wants root, and `make package` before.
set -euo pipefail
cd "$(dirname "$0")/../.."
deb=$(ls -t .build/package/firetally_*.deb 2>/dev/null | head -n 1)
[ -n "$deb" ] || { echo "check-package: there is no package; make package builds one" >&2; exit 1; }
if [ "$(id -u)" != 0 ]; then
  echo "check-package: skipped, since only root can make a root of its own"
  exit 0
fi

packed=$(stat -c %s "$deb")
installed=$(dpkg-deb --field "$deb" Installed-Size)
program=$(stat -c %s .build/package/root/usr/bin/firetally)
((packed <= 22000000)) || { echo "check-package: $packed bytes packed, over 22 MB" >&2; exit 1; }
((program < 80000000)) || { echo "check-package: the program has $program bytes, over 80 MB" >&2; exit 1; }

root=$(mktemp -d)
trap 'umount -q "$root/debian/proc" || true; rm -rf "$root"' EXIT
mmdebstrap --quiet --variant=minbase bookworm "$root/debian"
mount -t proc proc "$root/debian/proc"
cp "$deb" "$root/debian/tmp/"
inside() { chroot "$root/debian" "$@"; }
inside apt-get update --quiet --quiet
inside apt-get install --yes --quiet --quiet --no-install-recommends "/tmp/$(basename "$deb")" >/dev/null
inside firetally --version
inside sh -n /usr/lib/firetally/run-shard.sh
inside test -s /lib/systemd/system/firetally@.service
for file in README.md docs/scale.md docs/shards.md deploy/README.md deploy/slurm/load.sh; do
  inside test -s "/usr/share/doc/firetally/$file"
done
inside setpriv --reuid=firetally --regid=firetally --clear-groups env HOME=/var/lib/firetally \
  sh -c 'cd && firetally -C demo demo >/dev/null; [ $? -le 3 ] && firetally -C demo status'
inside test -s /var/lib/firetally/demo/output/index.html

# What mandoc says of manuals that it does not find is about this machine, not about the pages.
pages=$root/debian/usr/share/man
gunzip -k "$pages"/man1/firetally*.1.gz "$pages"/man5/firetally*.5.gz
found=$(mandoc -T lint "$pages"/man1/firetally*.1 "$pages"/man5/firetally*.5 2>&1 |
  grep -v 'referenced manual not found\|outdated mandoc.db' || true)
[ -z "$found" ] || { printf '%s\n' "$found" >&2; exit 1; }
inside dpkg --remove firetally >/dev/null
[ ! -e "$root/debian/usr/bin/firetally" ]
echo "check-package: $deb, $((packed / 1000000)) MB packed, $((installed / 1000)) MB installed: well"
