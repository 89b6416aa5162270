#!/usr/bin/env bash
# dateutils' ddiff finds 1 month and 62 days between 31 January and 1 March, which are 29 days.
#
# Expected: a difference in months and days has fewer days than a month, and added to the first day
# it leads to the second.
# Seen: from the 30th or 31st of an earlier month to the first days of March the days are 62 or
# 63, where February has fewer days than that. The age of a subscription of 31 December is 2 months
# and 62 days on 1 March, or 2 months, 8 weeks and 6 days, and dadd with that answer leads to May.
# Of all pairs that begin in 2026 and are less than a year apart 25 are wrong. A difference in days
# alone is right. A day that does not exist is taken without a word and moved back: 31/02/2026
# is 28 February, as is 2026-02-30, and 31/04/2026 is 30 April, while 32/01/2026 is refused.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
(
  cd "$folder"
  apt-get download -qq -o APT::Sandbox::User=root dateutils=0.4.10-1
  for package in *.deb; do dpkg-deb --extract "$package" root; done
)
tools=$folder/root/usr/bin/dateutils
{
  echo "dateutils $("$tools.ddiff" --version | sed -n '1s/.* //p')"
  for pair in 2026-01-31/2026-02-28 2026-01-31/2026-03-01 2026-01-30/2026-03-01 \
    2026-01-31/2026-03-02 2026-01-31/2026-03-03 2025-12-31/2026-03-01 2025-03-31/2026-03-01 \
    2026-01-15/2026-03-01 2028-01-31/2028-03-01; do
    first=${pair%/*} last=${pair#*/}
    months=$("$tools.ddiff" "$first" "$last" -f "%m months %d days")
    weeks=$("$tools.ddiff" "$first" "$last" -f "%m months %w weeks %d days")
    days=$("$tools.ddiff" "$first" "$last" -f "%d days")
    read -r month _ day _ <<<"$months"
    back=$("$tools.dadd" "$first" "+${month}mo${day}d")
    echo "$first..$last: $months, $weeks, $days, added $back"
  done
  "$tools.dseq" 2026-01-01 1d 2026-12-31 | while read -r first; do
    "$tools.dseq" "$first" 1d "$("$tools.dadd" "$first" +364d)" |
      "$tools.ddiff" "$first" -f "%m %d"
  done | awk '$2 > 30 { wrong++ } END { print wrong " of " NR " pairs of days are wrong" }'
  for day in 31/02/2026 29/02/2026 31/04/2026; do
    echo "$day is $("$tools.dconv" -i %d/%m/%Y "$day")"
  done
  echo "2026-02-30 and a day is $("$tools.dadd" 2026-02-30 +1d)"
} >"$folder/seen"
cat "$folder/seen"
diff "$folder/seen" - <<'EXPECTED'
dateutils 0.4.10
2026-01-31..2026-02-28: 0 months 28 days, 0 months 4 weeks 0 days, 28 days, added 2026-02-28
2026-01-31..2026-03-01: 1 months 62 days, 1 months 8 weeks 6 days, 29 days, added 2026-05-01
2026-01-30..2026-03-01: 1 months 63 days, 1 months 9 weeks 0 days, 30 days, added 2026-05-02
2026-01-31..2026-03-02: 1 months 63 days, 1 months 9 weeks 0 days, 30 days, added 2026-05-02
2026-01-31..2026-03-03: 1 months 0 days, 1 months 0 weeks 0 days, 31 days, added 2026-02-28
2025-12-31..2026-03-01: 2 months 62 days, 2 months 8 weeks 6 days, 60 days, added 2026-05-01
2025-03-31..2026-03-01: 11 months 62 days, 11 months 8 weeks 6 days, 335 days, added 2026-05-01
2026-01-15..2026-03-01: 1 months 14 days, 1 months 2 weeks 0 days, 45 days, added 2026-03-01
2028-01-31..2028-03-01: 1 months 63 days, 1 months 9 weeks 0 days, 30 days, added 2028-05-02
25 of 133225 pairs of days are wrong
31/02/2026 is 2026-02-28
29/02/2026 is 2026-02-28
31/04/2026 is 2026-04-30
2026-02-30 and a day is 2026-03-01
EXPECTED
