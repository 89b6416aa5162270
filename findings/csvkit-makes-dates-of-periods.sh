#!/usr/bin/env bash
# csvkit turns the periods of subscriptions, and people's names, into days of the year 1.
#
# Expected: csvsort, csvjson and csvsql guess a type where all values are written as that type, such
# as 2026-03-01, and leave words as they are.
# Seen: agate, which reads for them, takes what can be understood as a day in English from the first
# day of the year 1. "1 month" and "1 year" become 0001-02-01 and 0002-01-01, April and June are
# days, and so is monday; "7 days" and "1 week" are the same "7 days, 0:00:00". A time of day such
# as 10:00 is ten minutes. csvsort, csvjoin and in2csv write the new values, csvstat shows them,
# csvsql makes DATE columns of them, and csvjoin joins the ids 007 and 7. The option -I
# (--no-inference) keeps all; csvcut, csvgrep and csvstack never guess. One value that is none of
# these, such as "lifetime", makes the whole column text again.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
"$folder/venv/bin/pip" install --quiet --disable-pip-version-check \
  csvkit==2.2.0 agate==1.14.2 parsedatetime==2.6 pytimeparse==1.1.10
cat >"$folder/plans.csv" <<'CSV'
id,period,trial,name,opens
007,1 month,7 days,April,10:00
010,3 months,1 week,June,12:30
1e3,1 year,2 weeks,May,09:15
CSV
printf 'id,paid\n7,5\n10,6\n' >"$folder/paid.csv"
printf 'period,week\n1 month,monday\nlifetime,friday\n' >"$folder/other.csv"
(
  cd "$folder"
  export PATH="$folder/venv/bin:$PATH"
  pip list --disable-pip-version-check --format=freeze | grep -E '^(csvkit|agate|parsedatetime)='
  for command in "in2csv plans.csv" "csvsort -c period plans.csv" "csvsort -I -c period plans.csv" \
    "csvsql plans.csv" "csvstat --min plans.csv" \
    "csvjoin -c id plans.csv paid.csv" "csvjoin -I -c id plans.csv paid.csv" \
    "csvcut -c period plans.csv" "csvjson other.csv"; do
    echo "\$ $command"
    $command | sed -e '$a\'
  done
) >"$folder/seen" 2>"$folder/errors"
cat "$folder/seen" "$folder/errors"
diff "$folder/seen" - <<'EXPECTED'
agate==1.14.2
csvkit==2.2.0
parsedatetime==2.6
$ in2csv plans.csv
id,period,trial,name,opens
7,0001-02-01,"7 days, 0:00:00",0001-04-01,0:10:00
10,0001-04-01,"7 days, 0:00:00",0001-06-01,0:12:30
1E+3,0002-01-01,"14 days, 0:00:00",0001-05-01,0:09:15
$ csvsort -c period plans.csv
id,period,trial,name,opens
7,0001-02-01,"7 days, 0:00:00",0001-04-01,0:10:00
10,0001-04-01,"7 days, 0:00:00",0001-06-01,0:12:30
1E+3,0002-01-01,"14 days, 0:00:00",0001-05-01,0:09:15
$ csvsort -I -c period plans.csv
id,period,trial,name,opens
007,1 month,7 days,April,10:00
1e3,1 year,2 weeks,May,09:15
010,3 months,1 week,June,12:30
$ csvsql plans.csv
CREATE TABLE plans (
	id DECIMAL NOT NULL, 
	period DATE NOT NULL, 
	trial DATETIME NOT NULL, 
	name DATE NOT NULL, 
	opens DATETIME NOT NULL
);
$ csvstat --min plans.csv
  1. id: 7
  2. period: 0001-02-01
  3. trial: 7 days, 0:00:00
  4. name: 0001-04-01
  5. opens: 0:09:15
$ csvjoin -c id plans.csv paid.csv
id,period,trial,name,opens,paid
7,0001-02-01,"7 days, 0:00:00",0001-04-01,0:10:00,5
10,0001-04-01,"7 days, 0:00:00",0001-06-01,0:12:30,6
$ csvjoin -I -c id plans.csv paid.csv
id,period,trial,name,opens,paid
$ csvcut -c period plans.csv
period
1 month
3 months
1 year
$ csvjson other.csv
[{"period": "1 month", "week": "0001-01-08"}, {"period": "lifetime", "week": "0001-01-05"}]
EXPECTED
