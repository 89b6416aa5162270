#!/usr/bin/env bash
# dbplyr divides integers of SQLite as SQLite does, so shares are 0, and makes 2026 of as.Date().
#
# Expected: dplyr's verbs on a table of SQLite give what R gives for the same rows in memory, and
# dbplyr refuses what it cannot translate, as it does with n %/% 2L.
# Seen: n / m of two integer columns, and sum(paid > 0) / n(), go to SQLite as they are, which cuts
# the fraction off: a share of three quarters is 0. With mean(paid > 0), n() / 2 or a number like
# 100 in front it is right, since dbplyr writes 100.0. as.Date(at) becomes CAST(at AS DATE), which
# SQLite takes for a number: each day is 2026. A filter of such a day finds nothing, since SQLite
# counts a number as less than a text. round() rounds 2.5 to 3, where R has 2. Nothing warns, and
# dbplyr's page on SQLite does not name them. Write as.numeric(n) / m, and compare texts of days:
# substr(at, 1L, 10L) >= "2026-03-01"; or collect() first.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
(
  cd "$folder"
  apt-get download -qq -o APT::Sandbox::User=root r-cran-dbplyr=2.3.0+dfsg-1 \
    r-cran-dplyr=1.0.10-1 r-cran-rsqlite=2.2.20-1 r-base-core=4.2.2.20221110-2 \
    r-cran-assertthat=0.2.1-2 r-cran-bit=4.0.5-1 r-cran-bit64=4.0.5-1 r-cran-blob=1.2.3-1 \
    r-cran-cachem=1.0.7-1 r-cran-cli=3.6.0-1 r-cran-dbi=1.1.3-1 r-cran-fansi=1.0.4-1 \
    r-cran-fastmap=1.1.1-1 r-cran-generics=0.1.3-1 r-cran-glue=1.6.2-1 r-cran-r6=2.5.1-1 \
    r-cran-lifecycle=1.0.3+dfsg-1 r-cran-magrittr=2.0.3-1 r-cran-memoise=2.0.1-1 \
    r-cran-pillar=1.8.1+dfsg-1 r-cran-pkgconfig=2.0.3-2 r-cran-purrr=1.0.1-1 \
    r-cran-rcpp=1.0.10-1 r-cran-rlang=1.0.6-1 r-cran-tibble=3.1.8+dfsg-1 \
    r-cran-tidyselect=1.2.0+dfsg-1 r-cran-utf8=1.2.3-1 r-cran-vctrs=0.5.2-1 \
    r-cran-withr=2.5.0-1 libblas3=3.11.0-2 liblapack3=3.11.0-2 libgfortran5 libgomp1 libsqlite3-0
  for package in *.deb; do dpkg-deb --extract "$package" root; done
)
cat >"$folder/try.R" <<'R'
suppressPackageStartupMessages({
  library(dplyr)
  library(dbplyr)
})
for (name in c("dbplyr", "dplyr", "RSQLite")) cat(name, format(packageVersion(name)), "\n")
days <- data.frame(
  at = c("2026-02-28T10:00:00Z", "2026-03-01T10:00:00Z", "2026-03-02T10:00:00Z"),
  users = c(4L, 4L, 2L),
  paid = c(3L, 6L, 0L)
)
database <- DBI::dbConnect(RSQLite::SQLite(), ":memory:")
DBI::dbWriteTable(database, "days", days)
stored <- tbl(database, "days")
both <- function(name, verb) {
  text <- function(rows) paste(format(pull(rows, 1)), collapse = " ")
  cat(name, "\n  R:     ", text(verb(days)), "\n  SQLite:", text(collect(verb(stored))), "\n")
}
first <- as.Date("2026-03-01")
both("paid / users", function(t) transmute(t, paid / users))
both("as.numeric(paid) / users", function(t) transmute(t, as.numeric(paid) / users))
both("sum(paid > 0) / n()", function(t) summarise(t, sum(paid > 0, na.rm = TRUE) / n()))
both("100 * sum(paid > 0) / n()", function(t) summarise(t, 100 * sum(paid > 0, na.rm = TRUE) / n()))
both("mean(paid > 0)", function(t) summarise(t, mean(paid > 0, na.rm = TRUE)))
both("as.Date(at)", function(t) transmute(t, as.Date(at)))
both("rows since the 1st", function(t) summarise(filter(t, as.Date(at) >= !!first), n()))
both("round(users / 8 * 5)", function(t) transmute(t, round(as.numeric(users) / 8 * 5)))
cat(gsub("\\s+", " ", remote_query(transmute(stored, paid / users, day = as.Date(at)))), "\n")
R
root=$folder/root
library=$(echo "$root"/usr/lib/*-linux-gnu)
export R_HOME=$root/usr/lib/R R_LIBS_SITE=$root/usr/lib/R/site-library EDITOR=true PAGER=cat TZ=UTC
rm "$R_HOME/etc/Renviron" && touch "$R_HOME/etc/Renviron" # else that of the system, if there is one
LD_LIBRARY_PATH=$R_HOME/lib:$library:$library/blas:$library/lapack \
  "$R_HOME/bin/exec/R" --no-echo --vanilla --file="$folder/try.R" >"$folder/seen" 2>"$folder/log"
cat "$folder/seen"
diff "$folder/seen" - <<'EXPECTED'
dbplyr 2.3.0 
dplyr 1.0.10 
RSQLite 2.2.20 
paid / users 
  R:      0.75 1.50 0.00 
  SQLite: 0 1 0 
as.numeric(paid) / users 
  R:      0.75 1.50 0.00 
  SQLite: 0.75 1.50 0.00 
sum(paid > 0) / n() 
  R:      0.6666667 
  SQLite: 0 
100 * sum(paid > 0) / n() 
  R:      66.66667 
  SQLite: 66.66667 
mean(paid > 0) 
  R:      0.6666667 
  SQLite: 0.6666667 
as.Date(at) 
  R:      2026-02-28 2026-03-01 2026-03-02 
  SQLite: 2026 2026 2026 
rows since the 1st 
  R:      2 
  SQLite: 0 
round(users / 8 * 5) 
  R:      2 2 1 
  SQLite: 3 3 1 
SELECT `paid` / `users` AS `paid/users`, CAST(`at` AS DATE) AS `day` FROM `days` 
EXPECTED
