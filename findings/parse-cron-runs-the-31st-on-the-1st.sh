#!/usr/bin/env bash
# parse-cron for Ruby runs a job of the 31st also on the 1st of each month that has no 31st.
#
# Expected: a job of the 31st runs in the seven months that have one, and a job of 29 February in
# leap years, as with cron.
# Seen: CronParser#next gives the first of a month for a day that the month does not have. Between
# the seven right runs of "0 9 31 * *" stand 1 February, 1 April, 1 June, 1 September and
# 1 November: 12 runs a year, some of them a day after the last one. The 30th is on 1 February as
# well, and a job of 29 February runs on 1 February in three years of four. CronParser#last has
# them right, so the two disagree. A range of names over the week's end, fri-sun, is taken without
# an error and is the first of each month. Fugit has the same lines right.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
(
  cd "$folder"
  apt-get download -qq -o APT::Sandbox::User=root ruby-parse-cron=0.1.4-1.1 \
    ruby-fugit=1.5.2-1 ruby-raabro=1.4.0-1 ruby-et-orbi=1.2.2-1 ruby-tzinfo=2.0.5-1 \
    ruby-concurrent=1.1.6+dfsg-5 ruby-rubygems=3.3.15-2+deb12u1 \
    {lib,}ruby3.1=3.1.7+really3.1.2-0+deb12u1 libgmp10 libyaml-0-2
  for package in *.deb; do dpkg-deb --extract "$package" root; done
)
cat >"$folder/try.rb" <<'RUBY'
require "parse-cron"
require "parse-cron/version"
require "fugit"

puts "Ruby #{RUBY_VERSION}, parse-cron #{Parse::Cron::VERSION}, Fugit #{Fugit::VERSION}"

def show(line, form, start, count)
  cron = CronParser.new(line)
  at = start
  found = Array.new(count) { (at = cron.next(at)).strftime(form) }
  at = EtOrbi::EoTime.new(start.to_i, "UTC")
  right = Array.new(count) { (at = Fugit::Cron.parse(line).next_time(at)).strftime(form) }
  puts "#{line}: #{found.join(", ")}"
  puts "  Fugit: #{right.join(", ")}"
end

start = Time.utc(2026, 3, 1, 12)
show("0 9 31 * *", "%-d %b", start, 7)
show("0 9 30 * *", "%-d %b", Time.utc(2026, 1, 31), 4)
show("0 9 29 2 *", "%-d %b %Y", start, 4)
show("0 9 * * fri-sun", "%-d %b", start, 4)
show("0 9 * * 5-7", "%-d %b", start, 4)
last = CronParser.new("0 9 31 * *").last(Time.utc(2026, 4, 15)).strftime("%-d %b")
puts "the last 31st before 15 April: #{last}"
runs = 0
at = Time.utc(2026)
runs += 1 while (at = CronParser.new("0 9 31 * *").next(at)) < Time.utc(2027)
puts "runs in 2026: #{runs}"
RUBY
root=$folder/root
library=$(echo "$root"/usr/lib/*-linux-gnu)
TZ=UTC LD_LIBRARY_PATH=$library RUBYLIB=$(
  paths=("$root/usr/lib/ruby/vendor_ruby" "$root/usr/lib/ruby/3.1.0" "$library/ruby/3.1.0")
  IFS=:
  echo "${paths[*]}"
) GEM_PATH=$root/usr/share/rubygems-integration/all \
  "$root/usr/bin/ruby3.1" "$folder/try.rb" >"$folder/seen"
cat "$folder/seen"
diff "$folder/seen" - <<'EXPECTED'
Ruby 3.1.2, parse-cron 0.1.4, Fugit 1.5.2
0 9 31 * *: 31 Mar, 1 Apr, 31 May, 1 Jun, 31 Jul, 31 Aug, 1 Sep
  Fugit: 31 Mar, 31 May, 31 Jul, 31 Aug, 31 Oct, 31 Dec, 31 Jan
0 9 30 * *: 1 Feb, 30 Mar, 30 Apr, 30 May
  Fugit: 30 Mar, 30 Apr, 30 May, 30 Jun
0 9 29 2 *: 29 Feb 2028, 1 Feb 2029, 1 Feb 2030, 1 Feb 2031
  Fugit: 29 Feb 2028, 29 Feb 2032, 29 Feb 2036, 29 Feb 2040
0 9 * * fri-sun: 1 Apr, 1 May, 1 Jun, 1 Jul
  Fugit: 6 Mar, 7 Mar, 8 Mar, 13 Mar
0 9 * * 5-7: 6 Mar, 7 Mar, 8 Mar, 13 Mar
  Fugit: 6 Mar, 7 Mar, 8 Mar, 13 Mar
the last 31st before 15 April: 31 Mar
runs in 2026: 12
EXPECTED
