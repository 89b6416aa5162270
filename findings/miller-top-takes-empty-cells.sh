#!/usr/bin/env bash
# Miller's top gives the rows whose cell is empty as those with the largest numbers.
#
# Expected: an empty cell of CSV is no number, so "mlr top -n 2 -f amount" gives the two largest
# amounts. Of max() Miller's manual says that an argument that is not null wins.
# Seen: top ranks an empty cell above all numbers. Where two rows have no amount, they are the two
# "largest", and no row with a number is there; with --min they come last. max() does the same, so
# the largest so far is empty behind the first empty cell, and filter '$amount < 6' keeps the rows
# without an amount. stats1 leaves empty cells out, so its max of the same file is right. Put filter
# 'is_not_empty($amount)' before top. top.go of Miller's repository still has no test for empty.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
(
  cd "$folder"
  apt-get download -qq -o APT::Sandbox::User=root miller=6.6.0-2+b3
  dpkg-deb --extract miller_*.deb root
)
cat >"$folder/purchases.csv" <<'CSV'
id,country,amount
1,DE,9.99
2,DE,
3,ES,19.99
4,ES,
5,FR,4.99
CSV
run() {
  echo "mlr $*"
  "$folder/root/usr/bin/mlr" --icsv --ojsonl "$@" "$folder/purchases.csv"
}
{
  "$folder/root/usr/bin/mlr" --version
  run top -n 2 -f amount -a
  run top -n 2 -f amount
  run top -n 1 -f amount -g country
  run top -n 2 -f amount --min
  run stats1 -a max,count -f amount
  run put -q '@most = max(@most, $amount); end { emit @most }'
  run filter '$amount < 6'
  run filter 'is_not_empty($amount)' then top -n 2 -f amount -a
} >"$folder/seen"
cat "$folder/seen"
diff "$folder/seen" - <<'EXPECTED'
mlr 6.6.0
mlr top -n 2 -f amount -a
{"id": 4, "country": "ES", "amount": ""}
{"id": 2, "country": "DE", "amount": ""}
mlr top -n 2 -f amount
{"top_idx": 1, "amount_top": ""}
{"top_idx": 2, "amount_top": ""}
mlr top -n 1 -f amount -g country
{"country": "DE", "top_idx": 1, "amount_top": ""}
{"country": "ES", "top_idx": 1, "amount_top": ""}
{"country": "FR", "top_idx": 1, "amount_top": 4.99}
mlr top -n 2 -f amount --min
{"top_idx": 1, "amount_top": 4.99}
{"top_idx": 2, "amount_top": 9.99}
mlr stats1 -a max,count -f amount
{"amount_max": 19.99, "amount_count": 3}
mlr put -q @most = max(@most, $amount); end { emit @most }
{"most": ""}
mlr filter $amount < 6
{"id": 2, "country": "DE", "amount": ""}
{"id": 4, "country": "ES", "amount": ""}
{"id": 5, "country": "FR", "amount": 4.99}
mlr filter is_not_empty($amount) then top -n 2 -f amount -a
{"id": 3, "country": "ES", "amount": 19.99}
{"id": 1, "country": "DE", "amount": 9.99}
EXPECTED
