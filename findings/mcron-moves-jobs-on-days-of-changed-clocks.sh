#!/usr/bin/env bash
# mcron runs a job of 12:00 at 13:00 on the day of summer time, and at 11:00 and 12:00 in autumn.
#
# Expected: a daily job of noon runs once a day at noon, whatever the clock did at night, as with
# cron.
# Seen: GNU mcron makes the next run of a crontab's line of the broken-down time of the last one,
# and keeps its flag for summer time. So the first run after each change is an hour off. In spring
# it is late: 23:00 becomes midnight, and midnight 01:00 of Monday. In autumn it is early, and as
# the right time is still to come, the job runs twice: a job of midnight at 23:00 of Sunday, which
# is another day, and at 00:00, one of 02:30 at 01:30 and 02:30 of Monday. A weekly job of Monday,
# 08:00 runs at 07:00 and 08:00. Its manual says nothing about summer time. In UTC all is right.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
(
  cd "$folder"
  apt-get download -qq -o APT::Sandbox::User=root mcron=1.0.8-1.1 guile-3.0-libs=3.0.8-2 \
    guile-3.0=3.0.8-2 libgc1 libunistring2 libffi8 libgmp10
  for package in *.deb; do dpkg-deb --extract "$package" root; done
)
cat >"$folder/try.scm" <<'SCHEME'
(use-modules (mcron config) (mcron vixie-time) (ice-9 format))
(setlocale LC_ALL "C")
(format #t "Guile ~a, ~a\n" (version) config-package-string)
(display "spring\n")
(define (at year month day hour)
  (let ((time (localtime 0)))
    (set-tm:year time (- year 1900))
    (set-tm:mon time (- month 1))
    (set-tm:mday time day)
    (set-tm:hour time hour)
    (set-tm:isdst time -1)
    (car (mktime time))))
(define (show line from count)
  (let ((next (parse-vixie-time line)))
    (format #t "~a:" line)
    (let loop ((time from) (count count))
      (if (> count 0)
          (let ((run (next time)))
            (display (strftime " %a %H:%M" (localtime run)))
            (loop run (- count 1)))))
    (newline)))
(for-each
 (lambda (line) (show line (at 2026 3 27 23) 3))
 '("0 12 * * *" "30 2 * * *" "0 23 * * *" "0 0 * * *" "0 8 * * 0" "0 8 * * 1"))
(display "autumn\n")
(for-each
 (lambda (line) (show line (at 2026 10 23 23) 5))
 '("0 12 * * *" "30 2 * * *" "0 23 * * *" "0 0 * * *" "0 8 * * 0" "0 8 * * 1"))
SCHEME
root=$folder/root
library=$(echo "$root"/usr/lib/*-linux-gnu)
TZ=Europe/Berlin LD_LIBRARY_PATH=$library GUILE_AUTO_COMPILE=0 \
  GUILE_LOAD_PATH=$root/usr/share:$root/usr/share/guile/3.0 \
  GUILE_LOAD_COMPILED_PATH=$library/guile/3.0/ccache \
  "$library/guile/3.0/bin/guile" "$folder/try.scm" >"$folder/seen"
cat "$folder/seen"
diff "$folder/seen" - <<'EXPECTED'
Guile 3.0.8, mcron 1.0.8
spring
0 12 * * *: Sat 12:00 Sun 13:00 Mon 12:00
30 2 * * *: Sat 02:30 Sun 03:30 Mon 02:30
0 23 * * *: Sat 23:00 Mon 00:00 Mon 23:00
0 0 * * *: Sat 00:00 Sun 00:00 Mon 01:00
0 8 * * 0: Sun 09:00 Sun 08:00 Sun 08:00
0 8 * * 1: Mon 09:00 Mon 08:00 Mon 08:00
autumn
0 12 * * *: Sat 12:00 Sun 11:00 Sun 12:00 Mon 12:00 Tue 12:00
30 2 * * *: Sat 02:30 Sun 02:30 Mon 01:30 Mon 02:30 Tue 02:30
0 23 * * *: Sat 23:00 Sun 22:00 Sun 23:00 Mon 23:00 Tue 23:00
0 0 * * *: Sat 00:00 Sun 00:00 Sun 23:00 Mon 00:00 Tue 00:00
0 8 * * 0: Sun 07:00 Sun 08:00 Sun 08:00 Sun 08:00 Sun 08:00
0 8 * * 1: Mon 07:00 Mon 08:00 Mon 08:00 Mon 08:00 Mon 08:00
EXPECTED
