#!/usr/bin/env bash
# Fugit runs a job of mon#1,mon#3, the first and third Monday, on the first alone.
#
# Expected: a list of weekdays with a number runs on each of them, or is refused.
# Seen: Fugit, which reads the schedules of rufus-scheduler and of job queues for Rails, looks for
# the weekday in the sorted list and asks no more than the entry that it finds first. mon#1,mon#3 is
# the first Monday, and mon#1,mon#-1 the last one: a job of twice a month is one of once a month.
# match? says no to the others as well. Entries of two weekdays, mon#1,fri#1, are right, and so is
# each entry by itself. Texts lose runs or get more of them in a like manner: "every 36 hours" and
# "every 25 hours" are each midnight, and "every 90 minutes" is each full hour, since the step is
# larger than the field of the crontab's line that Fugit makes of them. Nothing warns.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
(
  cd "$folder"
  apt-get download -qq -o APT::Sandbox::User=root ruby-fugit=1.5.2-1 ruby-raabro=1.4.0-1 \
    ruby-et-orbi=1.2.2-1 ruby-tzinfo=2.0.5-1 ruby-concurrent=1.1.6+dfsg-5 \
    ruby-rubygems=3.3.15-2+deb12u1 {lib,}ruby3.1=3.1.7+really3.1.2-0+deb12u1 libgmp10 libyaml-0-2
  for package in *.deb; do dpkg-deb --extract "$package" root; done
)
cat >"$folder/try.rb" <<'RUBY'
require "fugit"

puts "Ruby #{RUBY_VERSION}, Fugit #{Fugit::VERSION}"

def runs(cron, count)
  at = EtOrbi::EoTime.new(Time.utc(2026, 2, 28, 23, 59).to_i, "UTC")
  Array.new(count) { at = cron.next_time(at) }
end

["mon#1", "mon#3", "mon#1,mon#3", "mon#3,mon#1", "mon#1,mon#-1", "1#2,1#4", "mon#1,fri#1",
 "sun#1,wed,sun#3"].each do |days|
  cron = Fugit::Cron.parse("0 9 * * #{days}")
  puts "#{days}: #{runs(cron, 6).map { |at| at.strftime("%a %-d %b") }.join(", ")}"
end
third = Time.utc(2026, 3, 16, 9)
["mon#3", "mon#1,mon#3"].each do |days|
  puts "#{days} on Monday, 16 March: #{Fugit::Cron.parse("0 9 * * #{days}").match?(third)}"
end
["every 12 hours", "every 36 hours", "every 25 hours", "every 90 minutes"].each do |text|
  cron = Fugit.parse(text)
  puts "#{text}: #{cron.original}, #{runs(cron, 3).map { |at| at.strftime("%-d %b %H:%M") }}"
end
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
Ruby 3.1.2, Fugit 1.5.2
mon#1: Mon 2 Mar, Mon 6 Apr, Mon 4 May, Mon 1 Jun, Mon 6 Jul, Mon 3 Aug
mon#3: Mon 16 Mar, Mon 20 Apr, Mon 18 May, Mon 15 Jun, Mon 20 Jul, Mon 17 Aug
mon#1,mon#3: Mon 2 Mar, Mon 6 Apr, Mon 4 May, Mon 1 Jun, Mon 6 Jul, Mon 3 Aug
mon#3,mon#1: Mon 2 Mar, Mon 6 Apr, Mon 4 May, Mon 1 Jun, Mon 6 Jul, Mon 3 Aug
mon#1,mon#-1: Mon 30 Mar, Mon 27 Apr, Mon 25 May, Mon 29 Jun, Mon 27 Jul, Mon 31 Aug
1#2,1#4: Mon 9 Mar, Mon 13 Apr, Mon 11 May, Mon 8 Jun, Mon 13 Jul, Mon 10 Aug
mon#1,fri#1: Mon 2 Mar, Fri 6 Mar, Fri 3 Apr, Mon 6 Apr, Fri 1 May, Mon 4 May
sun#1,wed,sun#3: Sun 1 Mar, Wed 4 Mar, Wed 11 Mar, Wed 18 Mar, Wed 25 Mar, Wed 1 Apr
mon#3 on Monday, 16 March: true
mon#1,mon#3 on Monday, 16 March: false
every 12 hours: 0 */12 * * *, ["1 Mar 00:00", "1 Mar 12:00", "2 Mar 00:00"]
every 36 hours: 0 */36 * * *, ["1 Mar 00:00", "2 Mar 00:00", "3 Mar 00:00"]
every 25 hours: 0 */25 * * *, ["1 Mar 00:00", "2 Mar 00:00", "3 Mar 00:00"]
every 90 minutes: */90 * * * *, ["1 Mar 00:00", "1 Mar 01:00", "1 Mar 02:00"]
EXPECTED
