#!/usr/bin/env python3
"""Write a replay file: attempts of many users over a month, the same bytes for the same seed.

Users come in sittings of a few taps a few seconds apart, sittings of many users overlap, and some
users come far more often than others.
"""
import argparse
import heapq
import random

START = 1_767_225_600_000
VERBS = ("use",) * 7 + ("check",) * 2 + ("peek",)
FEATURES = ("refresh",) * 6 + ("filter",) * 2 + ("search",) + ("message",)
TIERS = ("free",) * 9 + ("lite",)


def attempts(lines, users, seed):
    """Attempts in the order of time: unix milliseconds, user and the sitting's number of taps."""
    source = random.Random(seed)
    month = 30 * 86_400_000
    sittings = lines // 3 + 1
    waiting = []
    for number in range(sittings):
        begins = START + number * month // sittings
        while waiting and waiting[0][0] <= begins:
            yield waiting[0]
            at, user, left = heapq.heappop(waiting)
            if left:
                heapq.heappush(waiting, (at + source.randrange(500, 60_000), user, left - 1))
        user = int(users * source.random() ** 2)
        heapq.heappush(waiting, (begins, user, source.randrange(7)))
    while waiting:
        at, user, left = heapq.heappop(waiting)
        yield at, user, left
        if left:
            heapq.heappush(waiting, (at + source.randrange(500, 60_000), user, left - 1))


def line(at, user, source):
    """One line; about 130 bytes, with every key that there is."""
    created = START // 1_000 - source.randrange(10**7) if user % 20 else at // 1_000 - 600
    seconds = f"{at // 1_000}.{at % 1_000:03}" if at % 1_000 else str(at // 1_000)
    return (
        f'{{"at": {seconds}, "user": "user-{user:07}", '
        f'"feature": "{FEATURES[source.randrange(10)]}", "verb": "{VERBS[source.randrange(10)]}", '
        f'"ok": {"true" if source.randrange(20) else "false"}, "tier": "{TIERS[user % 10]}", '
        f'"firstAccountCreatedAt": {created}}}\n')


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file")
    parser.add_argument("--lines", type=int, default=3_000_000)
    parser.add_argument("--users", type=int, default=300_000)
    parser.add_argument("--seed", type=int, default=7)
    arguments = parser.parse_args()
    source = random.Random(arguments.seed + 1)
    with open(arguments.file, "w") as file:
        for number, (at, user, _) in enumerate(
                attempts(arguments.lines, arguments.users, arguments.seed)):
            if number == arguments.lines:
                break
            file.write(line(at, user, source))


if __name__ == "__main__":
    main()
