"""What people and servers can put into a name, a setting or a message: docs/reports.md#hostile-text."""
import datetime
import json
import random

TEXTS = [
    "<script>alert(1)</script>", "javascript:alert(1)", "\"><img src=x onerror=alert(1)>",
    "]]></style><b>", "&lt;b&gt; &#0; &nbsp;", "\u202egnp.exe\u202c", "\u2066isolate",
    "a\u0000b", "bell\u0007 escape \u001b[31m red", "c1 \u0085 \u009b31m", "line\r\nfeed\ttab",
    "\ufffe\uffff\U0001fffe", "مرحبا بالعالم", "שלום עולם", "👩‍👩‍👧‍👦 🤦🏽‍♂️ 🇩🇪", "山田 花子", "=1+1", "@SUM(A1)",
    "x" * 100_000, "wide " * 2_000, "Z" + "\u0301" * 500, "\u200d\u200b\ufeff", "ﷺ" * 40, "𒐫" * 30,
]
FEATURES = ("refresh", "filter", "search")
KINDS = (
    "button_tapped", "button_tapped", "popup_shown", "performed", "blocked_cooldown",
    "subscription_button_tapped")


def _string(text):
    return {"stringValue": text}


def _moment(now):
    return datetime.datetime.fromisoformat(now.replace("Z", "+00:00"))


def documents(now, bundle):
    """Users and the app's settings, as paths and fields of documents."""
    for number, text in enumerate(TEXTS):
        seen = _moment(now) - datetime.timedelta(minutes=number * 7)
        yield ["Users", f"user-{number}"], {
            "User_name": _string(text), "userName": _string(text), "User_country": _string(text),
            "User_gender": _string("Female" if number % 2 else text[:300]),
            "User_age": _string(text[:50] if number % 3 else "27"), "User_city": _string(text),
            "user_language": _string(text), "last_time_seen": {"timestampValue": seen.isoformat()}}
    settings = {f"hostile{number}": _string(text[:2_000]) for number, text in enumerate(TEXTS)}
    settings["freeRefreshLimit"] = {"integerValue": "-5"}
    settings["freeFilterCooldownSeconds"] = _string(TEXTS[0])
    settings["<b>name</b>\u202e"] = _string(TEXTS[5])
    yield ["AppSettings", bundle], settings


def event_lines(now):
    """A year of events, several a day, by people and from places with such names; and ratings."""
    rng = random.Random(366)
    first = _moment(now) - datetime.timedelta(days=370)
    for day in range(370):
        for _ in range(rng.randrange(0, 9)):
            number = rng.randrange(len(TEXTS))
            at = first + datetime.timedelta(days=day, seconds=rng.randrange(86_400))
            name = f"ios_{rng.choice(FEATURES)}_{rng.choice(KINDS)}"
            yield _line(at, name, f"user-{number}", number, {"ios_user_type": "free_user"})
        if day % 2 == 0:
            number = rng.randrange(len(TEXTS))
            at = first + datetime.timedelta(days=day, hours=9)
            stars = f"rating_ChatHub_{rng.randrange(1, 6)}"
            yield _line(at, "app_events", TEXTS[number][:120], number, {stars: 1})


def _line(at, name, user, number, parameters):
    text = TEXTS[number][:2_000]
    values = [
        {"key": key, "value": {"int_value" if value == 1 else "string_value": str(value)}}
        for key, value in {**parameters, "ios_user_id": user}.items()]
    return json.dumps({
        "event_timestamp": str(int(at.timestamp() * 1_000_000)), "event_name": name,
        "event_params": values, "user_id": user, "geo": {"country": text},
        "app_info": {"version": text}})
