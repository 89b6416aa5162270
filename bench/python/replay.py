#!/usr/bin/env python3
"""Decide a file of attempts by the limits of docs/replay.md: the baseline of `limits replay`.

Reads attempts from a file and prints decisions, with the built-in settings and the same lines as
`firetally limits replay`. One process, one pass, a dictionary of states; no checks of the input
beyond those of the parser.
"""
import sys

try:
    import orjson

    loads = orjson.loads
    PARSER = "orjson"
except ImportError:
    from json import loads

    PARSER = "json"
import json

LIMIT, COOLDOWN, FREE_PERIOD = 2, 120_000_000, 7_200_000_000
LIMITED = {"refresh", "filter", "search"}


def microseconds(seconds):
    return seconds * 1_000_000 if isinstance(seconds, int) else round(seconds * 1_000_000)


def number(parts, unit):
    """Seconds from parts of a second, without zeros at the end."""
    sign, parts = ("-", -parts) if parts < 0 else ("", parts)
    whole, rest = divmod(parts, unit)
    if not rest:
        return f"{sign}{whole}"
    return f"{sign}{whole}.{str(unit + rest)[1:].rstrip('0')}"


def user_type(attempt, now, tier):
    if tier != "free":
        return "lite_subscriber"
    created = microseconds(attempt.get("firstAccountCreatedAt") or 0)
    if created > 0 and -300_000_000 <= now - created < FREE_PERIOD:
        return "new_user"
    return "free_user"


def decide(state, now, verb, succeeds, kind, limited, limit=LIMIT, cooldown=COOLDOWN):
    """Returns (canProceed, showPopup, remaining, usage, events); changes the state."""
    if not limited:
        done = verb == "use" and succeeds
        return True, False, 0, state[0], ["performed"] if done else []
    usage, started = state
    events, remaining, just_reset = [], None, False
    if started is not None:
        if now < started:
            started = now
            events.append("clock_skew")
        remaining = cooldown - (now - started)
        if remaining <= 1_000_000:
            usage, started, remaining, just_reset = 0, None, None, True
            events += ["limit_reset", "cooldown_completed"]
    proceeds, shows, left = True, False, 0
    if kind == "lite_subscriber":
        events.append("lite_subscriber_bypass")
    elif kind == "new_user":
        events.append("new_user_bypass")
    elif usage < limit:
        shows = not just_reset
        if shows:
            events.append("popup_shown")
    else:
        proceeds, shows = False, True
        if remaining is not None:
            left = remaining
            events += ["popup_shown", "blocked_cooldown"]
        elif verb != "peek":
            started, left = now, cooldown
            events += ["popup_shown", "blocked_limit_reached"]
    if verb == "use" and succeeds and proceeds:
        events.append("performed")
        if kind == "free_user":
            usage += 1
    if verb == "peek":
        return proceeds, shows, left, usage, []
    state[0], state[1] = usage, started
    return proceeds, shows, left, usage, events


def main():
    states = {}
    write = sys.stdout.write
    with open(sys.argv[1], "rb") as lines:
        for line in lines:
            attempt = loads(line)
            now = microseconds(attempt["at"])
            user, feature, verb = attempt["user"], attempt["feature"], attempt["verb"]
            state = states.setdefault((user, feature), [0, None])
            kind = user_type(attempt, now, attempt.get("tier", "free"))
            limited = feature in LIMITED
            proceeds, shows, left, usage, events = decide(
                state, now, verb, attempt.get("ok", True), kind, limited)
            write(
                '{"at":%s,"user":%s,"feature":"%s","verb":"%s","canProceed":%s,"showPopup":%s,'
                '"remainingCooldown":%s,"currentUsage":%d,"limit":%s,"isLimitReached":%s,'
                '"userType":"%s","events":[%s]}\n' % (
                    number(now, 1_000_000), json.dumps(user, ensure_ascii=False), feature, verb,
                    "true" if proceeds else "false", "true" if shows else "false",
                    number((left + 500) // 1_000, 1_000), usage, LIMIT if limited else "null",
                    "true" if limited and usage >= LIMIT else "false", kind,
                    ",".join(f'"{event}"' for event in events)))
    sys.stderr.write(PARSER + "\n")


if __name__ == "__main__":
    main()
