#!/usr/bin/env python3
"""Write the web log that GoAccess reads beside our reports: the combined format, from a fixed seed.

As many lines as there are events, of as many visitors and over the same time as make_events.py.
"""
import time

from make_events import FIRST, USERS, write

PATHS = tuple(f"/{name}" for name in (
    "", "search", "users/online", "users/filter", "profile", "paywall", "feedback", "settings"))
AGENTS = (
    "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
    "Version/17.5 Mobile/15E148 Safari/604.1",
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/124.0.0.0 Safari/537.36",
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 14.4; rv:125.0) Gecko/20100101 Firefox/125.0",
)
STATUSES = (200,) * 17 + (304, 404, 500)
LINE = '%s - - [%s +0000] "GET %s HTTP/1.1" %d %d "-" "%s"\n'


def address(user):
    return f"10.{user >> 16 & 255}.{user >> 8 & 255}.{user & 255}"


def lines(count, rng):
    at = FIRST
    second, stamp = None, ""
    for _ in range(count):
        at += rng.randrange(1, 600_000)
        if at // 1_000_000 != second:
            second = at // 1_000_000
            stamp = time.strftime("%d/%b/%Y:%H:%M:%S", time.gmtime(second))
        yield LINE % (
            address(rng.randrange(USERS)), stamp, rng.choice(PATHS), rng.choice(STATUSES),
            rng.randrange(200, 20_000), rng.choice(AGENTS))


if __name__ == "__main__":
    write(lines, __doc__)
