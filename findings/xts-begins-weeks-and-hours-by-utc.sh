#!/usr/bin/env bash
# xts' weeks begin on Monday at 09:00 in Tokyo and on Sunday at 19:00 in New York, its days do not.
#
# Expected: the periods of a series with a time zone are those of the zone, as its days, months and
# years are.
# Seen: endpoints(), and with it apply.weekly(), to.weekly(), to.hourly() and split(), looks for
# days, months and years in the zone of the index, but for weeks, hours and minutes in the seconds
# since 1970. Of hourly counts from Monday, 00:00 on, the first week of apply.weekly() has 9 hours
# in Tokyo: the morning of each Monday counts for the week before, and the evening of each Sunday in
# New York for the week after. Sums of weeks are other than those of their days. Hours in India
# begin at half past, in Nepal at a quarter to, and blocks of 6 hours in Tokyo at 03:00. The times
# that it prints are local, and nothing warns. With days as Date all is right.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
(
  cd "$folder"
  apt-get download -qq -o APT::Sandbox::User=root r-cran-xts=0.13.0-1 r-cran-zoo=1.8-11-1 \
    r-cran-lattice=0.20-45-3 r-base-core=4.2.2.20221110-2 libblas3 liblapack3 libgfortran5 \
    libquadmath0 libgomp1 libreadline8 libpcre2-8-0 libtirpc3 libdeflate0 libicu72
  for package in *.deb; do dpkg-deb --extract "$package" root; done
)
cat >"$folder/try.R" <<'R'
suppressPackageStartupMessages(library(xts))
options(xts_check_TZ = FALSE)
cat("R ", R.version$major, ".", R.version$minor, ", xts ", format(packageVersion("xts")), "\n",
    sep = "")
show <- function(name, sums) {
  ends <- format(index(sums), "%a %H:%M")
  cat(name, ": ", paste(coredata(sums), "to", ends, collapse = ", "), "\n", sep = "")
}
# One event each hour or quarter of an hour, from Monday, 5 January, 00:00 of the zone on.
events <- function(zone, hours, step = 3600) {
  at <- as.POSIXct("2026-01-05 00:00", tz = zone) + seq(0, hours * 3600 - 1, step)
  xts(rep(1, length(at)), at)
}
for (zone in c("UTC", "Asia/Tokyo", "America/New_York", "Asia/Kolkata")) {
  show(paste("weeks in", zone), apply.weekly(events(zone, 14 * 24), sum))
}
tokyo <- events("Asia/Tokyo", 14 * 24)
show("three days in Tokyo", head(apply.daily(tokyo, sum), 3))
days <- xts(coredata(apply.daily(tokyo, sum)), as.Date("2026-01-05") + 0:13)
cat("weeks in Tokyo, of days as Date: ", paste(apply.weekly(days, sum), collapse = ", "), "\n",
    sep = "")
blocks <- function(series, unit, k = 1) period.apply(series, endpoints(series, unit, k), sum)
show("6 hours in Tokyo", blocks(events("Asia/Tokyo", 24), "hours", 6))
show("hours in Kolkata", blocks(events("Asia/Kolkata", 3, 900), "hours"))
show("hours in Kathmandu", blocks(events("Asia/Kathmandu", 3, 900), "hours"))
R
root=$folder/root
library=$(echo "$root"/usr/lib/*-linux-gnu)
cp --remove-destination /dev/null "$root/usr/lib/R/etc/Renviron"
TZ=UTC LC_ALL=C EDITOR=vi R_HOME=$root/usr/lib/R R_LIBS=$root/usr/lib/R/site-library \
  R_DEFAULT_PACKAGES=utils,stats,methods \
  LD_LIBRARY_PATH=$root/usr/lib/R/lib:$library:$library/blas:$library/lapack \
  "$root/usr/lib/R/bin/exec/R" --no-echo --no-restore --vanilla -f "$folder/try.R" \
  >"$folder/seen"
cat "$folder/seen"
diff "$folder/seen" - <<'EXPECTED'
R 4.2.2, xts 0.13.0
weeks in UTC: 168 to Sun 23:00, 168 to Sun 23:00
weeks in Asia/Tokyo: 9 to Mon 08:00, 168 to Mon 08:00, 159 to Sun 23:00
weeks in America/New_York: 163 to Sun 18:00, 168 to Sun 18:00, 5 to Sun 23:00
weeks in Asia/Kolkata: 6 to Mon 05:00, 168 to Mon 05:00, 162 to Sun 23:00
three days in Tokyo: 24 to Mon 23:00, 24 to Tue 23:00, 24 to Wed 23:00
weeks in Tokyo, of days as Date: 168, 168
6 hours in Tokyo: 3 to Mon 02:00, 6 to Mon 08:00, 6 to Mon 14:00, 6 to Mon 20:00, 3 to Mon 23:00
hours in Kolkata: 2 to Mon 00:15, 4 to Mon 01:15, 4 to Mon 02:15, 2 to Mon 02:45
hours in Kathmandu: 3 to Mon 00:30, 4 to Mon 01:30, 4 to Mon 02:30, 1 to Mon 02:45
EXPECTED
