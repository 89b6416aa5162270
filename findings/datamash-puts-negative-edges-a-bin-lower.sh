#!/usr/bin/env bash
# datamash puts -10 into the bin of -20 with bins of 10, and a refund of -4.99 into that of -9.98.
#
# Expected: bins of 10 begin at -20, -10, 0 and 10, and a number on the edge of one is in the bin
# that begins with it, as 10 is in that of 10.
# Seen: datamash cuts the fraction off and goes down by one for everything negative, also where
# there was no fraction. Each negative number on an edge is in the bin below its own: -10 stands
# with -20 to -10.01, and -0 with the negative ones. In bins of the price, refunds of -4.99 are
# counted at -9.98, and bins of 1, meant for whole numbers, move all negative ones: a change of the
# rating by -1 is shown as -2, while 1 stays 1. A histogram of payments and refunds of the same
# sums is not symmetric. Numbers between the edges are in the right bin, and positive ones too.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
(
  cd "$folder"
  apt-get download -qq -o APT::Sandbox::User=root datamash=1.7-2
  for package in *.deb; do dpkg-deb --extract "$package" root; done
)
datamash=$folder/root/usr/bin/datamash
show() {
  local size=$1
  shift
  printf '%s\n' "$@" | "$datamash" --full "bin:$size" 1 | awk -v size="$size" '
    { bin = bin " " $1 "->" $2
      edge = int($1 / size); if (edge * size > $1) edge--
      floor = floor " " $1 "->" edge * size }
    END { print "bins of " size ":" bin; print "  floor:" floor }'
}
{
  "$datamash" --version | sed -n 1p
  show 10 -20 -10.01 -10 -9.99 -5 0 5 9.99 10
  show 4.99 -9.98 -4.99 4.99 9.98
  show 1 -2 -1 0 1 2
  show 5 -15 -12 -10 -5 -1
  echo "payments and refunds by bins of 10:"
  printf '%s\n' 10 10 20 -10 -10 -20 | "$datamash" bin:10 1 | "$datamash" -s -g 1 count 1
} >"$folder/seen"
cat "$folder/seen"
diff "$folder/seen" - <<'EXPECTED'
datamash (GNU datamash) 1.7
bins of 10: -20->-30 -10.01->-20 -10->-20 -9.99->-10 -5->-10 0->0 5->0 9.99->0 10->10
  floor: -20->-20 -10.01->-20 -10->-10 -9.99->-10 -5->-10 0->0 5->0 9.99->0 10->10
bins of 4.99: -9.98->-14.97 -4.99->-9.98 4.99->4.99 9.98->9.98
  floor: -9.98->-9.98 -4.99->-4.99 4.99->4.99 9.98->9.98
bins of 1: -2->-3 -1->-2 0->0 1->1 2->2
  floor: -2->-2 -1->-1 0->0 1->1 2->2
bins of 5: -15->-20 -12->-15 -10->-15 -5->-10 -1->-5
  floor: -15->-15 -12->-15 -10->-10 -5->-5 -1->-5
payments and refunds by bins of 10:
-20	2
-30	1
10	2
20	1
EXPECTED
