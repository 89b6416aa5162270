#!/usr/bin/env bash
# Builds .build/package/firetally_VERSION_ARCHITECTURE.deb for the machine's own architecture,
# amd64 or arm64; `apt-get install ./firetally_*.deb` installs it without a toolchain.
set -euo pipefail
cd "$(dirname "$0")/../.."
work=$PWD/.build/package
root=$work/root
architecture=$(dpkg --print-architecture)
version=$(sed -n 's/^  package static let current = "\(.*\)"$/\1/p' Sources/Model/ProgramVersion.swift)
# Debian sorts 0.3.0~dev before 0.3.0, and a later commit after an earlier one.
case $version in
*-dev)
  version=${version%-dev}~dev
  commit=$(scripts/commit.sh | cut -c 1-12)
  [ -z "$commit" ] || version=$version+$(TZ=UTC git log -1 --format=%cd --date=format-local:%Y%m%d%H%M%S).$commit
  ;;
esac
rm -rf "$root" "$work"/firetally_*_"$architecture".deb
mkdir -p "$root/DEBIAN"

scripts/package/build.sh "$root/usr/bin/firetally"
scripts/package/stage.sh "$root/usr/bin/firetally" "$root/usr"
mv "$root/usr/share/zsh/site-functions" "$root/usr/share/zsh/vendor-completions"
# Until Debian's merge of /usr is over, units of packages stand where dpkg has always known them.
mkdir -p "$root/lib"
mv "$root/usr/lib/systemd" "$root/lib/systemd"
doc=$root/usr/share/doc/firetally
gzip -9n <CHANGELOG.md >"$doc/changelog.gz"
scripts/package/licences.sh >"$doc/copyright"

# The shared libraries that the program is linked with. They do not tell what packed relocations need.
mkdir -p "$work/shlibs/debian"
printf 'Source: firetally\n\nPackage: firetally\nArchitecture: any\n' >"$work/shlibs/debian/control"
libraries=$(cd "$work/shlibs" && dpkg-shlibdeps -O "$root/usr/bin/firetally" 2>/dev/null |
  sed 's/^shlibs:Depends=//')
cat >"$root/DEBIAN/control" <<CONTROL
Package: firetally
Version: $version
Architecture: $architecture
Maintainer: Firetally developers <firetally@localhost>
Installed-Size: $(du -k -s --exclude=DEBIAN "$root" | cut -f1)
Depends: libc6 (>= 2.36), $libraries, tzdata, adduser
Recommends: ca-certificates, cron | systemd
Section: utils
Priority: optional
Description: Firestore to SQLite, with the rules and reports of a freemium app
 Firetally copies a Firebase app's users, settings and feedback to SQLite under cron or systemd,
 applies the app's limits and filters, sends what waits to be sent exactly once, and writes reports
 of usage, limits and ratings as HTML and text.
CONTROL
cat >"$root/DEBIAN/postinst" <<'SCRIPT'
#!/bin/sh
# The user of the packaged units; see docs/systemd.md.
set -e
if [ "$1" = configure ] && ! getent passwd firetally >/dev/null; then
  adduser --quiet --system --group --home /var/lib/firetally firetally
  chmod 0700 /var/lib/firetally
fi
SCRIPT
chmod -R u=rwX,go=rX "$root"
chmod 0755 "$root/DEBIAN/postinst" "$root/usr/bin/firetally"
deb=$work/firetally_${version}_$architecture.deb
dpkg-deb --root-owner-group -Zxz -z9 --build "$root" "$deb" >/dev/null
installed=$(du -k -s --exclude=DEBIAN "$root" | cut -f1)
printf '%s\n%s MB packed, %s MB installed, %s MB of it the program\n' "$deb" \
  "$(($(stat -c %s "$deb") / 1000000))" "$((installed / 1000))" \
  "$(($(stat -c %s "$root/usr/bin/firetally") / 1000000))"
