#!/usr/bin/env bash
# Perl's Schedule::Cron runs a job of every third month in March, June, September and December.
#
# Expected: a step counts from the first value of the field, as cron does: */3 of the months is
# January, April, July and October, */10 of the days 1, 11, 21 and 31, and every other day is 1, 3.
# Seen: Schedule::Cron and Schedule::Cron::Events divide the number itself by the step, as is right
# for minutes and hours, which begin with 0. Days of */2 are the even ones, and those of */7 are 7,
# 14, 21 and 28. In Schedule::Cron the first month or day that the field has comes on top: */3 of
# the months is January, March, June, September and December, five runs for four, and */10 of the
# days 1, 10, 20 and 30. Schedule::Cron::Events leaves them out. A job of each quarter thus works
# through unfinished quarters, and the two modules disagree. Nothing warns. DateTime::Event::Cron,
# which uses Set::Crontab, does as cron does, and 1-12/3 or 1-31/10 is right in all of them.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
(
  cd "$folder"
  apt-get download -qq -o APT::Sandbox::User=root libschedule-cron-perl=1.05-1 \
    libschedule-cron-events-perl=1.96-2 libset-crontab-perl=1.03-1.1 \
    libtime-parsedate-perl=2015.103-4
  for package in *.deb; do dpkg-deb --extract "$package" root; done
)
cat >"$folder/try.pl" <<'PERL'
use strict;
use warnings;
use POSIX qw(strftime);
use Schedule::Cron;
use Schedule::Cron::Events;
use Set::Crontab;

print "Schedule::Cron $Schedule::Cron::VERSION, Schedule::Cron::Events ",
  "$Schedule::Cron::Events::VERSION, Set::Crontab $Set::Crontab::VERSION\n";
my $new_year = 1767225600;    # 2026-01-01 00:00 in UTC
my $cron = Schedule::Cron->new(sub { }, nofork => 1);

sub show {
    my ($line, $form, $until) = @_;
    my (@first, @second);
    for (my $at = $new_year - 60;;) {
        $at = $cron->get_next_execution_time($line, $at);
        last if $at >= $until;
        push @first, strftime($form, gmtime $at);
    }
    my $events = Schedule::Cron::Events->new("$line job", Seconds => $new_year - 60);
    while (my @at = $events->nextEvent) {
        last if POSIX::mktime(@at) >= $until;
        push @second, strftime($form, @at);
    }
    print "$line: @first\n  Events: @second\n";
}

my ($january, $year) = ($new_year + 31 * 86400, $new_year + 365 * 86400);
show("0 9 1 */3 *", "%b", $year);
show("0 9 1 */5 *", "%b", $year);
show("0 9 1 1-12/3 *", "%b", $year);
show("0 9 */2 * *", "%d", $january);
show("0 9 */7 * *", "%d", $january);
show("0 9 */10 * *", "%d", $january);
show("0 9 1-31/10 * *", "%d", $january);
show("0 */6 1 1 *", "%H", $january);
print "Set::Crontab: */3 of 1 to 12 is @{[Set::Crontab->new('*/3', [1 .. 12])->list]}, ",
  "*/10 of 1 to 31 is @{[Set::Crontab->new('*/10', [1 .. 31])->list]}\n";
PERL
TZ=UTC LC_ALL=C perl -I "$folder/root/usr/share/perl5" "$folder/try.pl" >"$folder/seen"
cat "$folder/seen"
diff "$folder/seen" - <<'EXPECTED'
Schedule::Cron 1.05, Schedule::Cron::Events 1.96, Set::Crontab 1.03
0 9 1 */3 *: Jan Mar Jun Sep Dec
  Events: Mar Jun Sep Dec
0 9 1 */5 *: Jan May Oct
  Events: May Oct
0 9 1 1-12/3 *: Jan Apr Jul Oct
  Events: Jan Apr Jul Oct
0 9 */2 * *: 01 02 04 06 08 10 12 14 16 18 20 22 24 26 28 30
  Events: 02 04 06 08 10 12 14 16 18 20 22 24 26 28 30
0 9 */7 * *: 01 07 14 21 28
  Events: 07 14 21 28
0 9 */10 * *: 01 10 20 30
  Events: 10 20 30
0 9 1-31/10 * *: 01 11 21 31
  Events: 01 11 21 31
0 */6 1 1 *: 00 06 12 18
  Events: 00 06 12 18
Set::Crontab: */3 of 1 to 12 is 1 4 7 10, */10 of 1 to 31 is 1 11 21 31
EXPECTED
