#!/usr/bin/env python3
"""Write the benchmark's events: GA4's BigQuery export as NDJSON.

A line is what an iOS app sends when somebody uses a limited feature, with the members and parameters
that GA4 adds itself: 12 parameters, about 1,350 bytes. The seed is fixed, so every run measures the
same bytes.
"""
import argparse
import os
import random

FIRST = 1_767_225_600_000_000
FEATURES = ("refresh", "filter", "search")
KINDS = ("button_tapped", "popup_shown", "performed", "blocked_cooldown", "cooldown_completed")
TYPES = ("free_user", "lite_subscriber", "new_user")
COUNTRIES = ("Chile", "India", "Germany", "Brazil", "Japan", "Kenya", "Norway", "Mexico")
USERS = 20_000

PARAMETERS = (
    '{"key":"ga_session_id","value":{"int_value":"%(session)d"}}',
    '{"key":"engagement_time_msec","value":{"int_value":"%(engagement)d"}}',
    '{"key":"firebase_event_origin","value":{"string_value":"app"}}',
    '{"key":"firebase_screen_class","value":{"string_value":"OnlineUsersViewController"}}',
    '{"key":"ios_user_id","value":{"string_value":"%(user)s"}}',
    '{"key":"ios_user_type","value":{"string_value":"%(type)s"}}',
    '{"key":"ios_subscription_status","value":{"string_value":"free"}}',
    '{"key":"ios_current_usage","value":{"int_value":"%(usage)d"}}',
    '{"key":"ios_usage_limit","value":{"int_value":"2"}}',
    '{"key":"ios_remaining_cooldown_seconds","value":{"int_value":"%(left)d"}}',
    '{"key":"ios_session_id","value":{"string_value":"%(uuid)032x"}}',
    '{"key":"ios_timestamp","value":{"int_value":"%(second)d"}}',
)
LINE = (
    '{"event_date":"20260101","event_timestamp":"%(at)d","event_name":"ios_%(feature)s_%(kind)s",'
    '"event_params":[' + ",".join(PARAMETERS) + '],'
    '"event_bundle_sequence_id":"%(number)d","user_id":"%(user)s",'
    '"user_pseudo_id":"%(pseudo)032X","user_first_touch_timestamp":"1767000000000000",'
    '"device":{"category":"mobile","mobile_brand_name":"Apple","mobile_model_name":"iPhone 15",'
    '"operating_system_version":"17.5.1","language":"en-us"},'
    '"geo":{"country":"%(country)s","city":"Berlin"},'
    '"app_info":{"id":"com.peppty.ChatApp","version":"2.1.0","install_source":"iTunes"},'
    '"stream_id":"1234567890","platform":"IOS","is_active_user":true}\n'
)


def lines(count, rng):
    at = FIRST
    for number in range(count):
        at += rng.randrange(1, 600_000)
        user = rng.randrange(USERS)
        yield LINE % {
            "at": at, "second": at // 1_000_000, "number": number, "pseudo": user * 0x9E3779B97F4A7C15,
            "user": f"user{user:08d}", "feature": rng.choice(FEATURES), "kind": rng.choice(KINDS),
            "type": rng.choice(TYPES), "usage": number % 3, "left": number % 120,
            "session": at // 1_800_000_000, "engagement": at % 100_000,
            "uuid": rng.getrandbits(128), "country": rng.choice(COUNTRIES)}


def write(lines, description):
    """The lines into the file that the command line names, which is whole or not there."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("file")
    parser.add_argument("--lines", type=int, default=1_000_000)
    arguments = parser.parse_args()
    unfinished = arguments.file + ".part"
    with open(unfinished, "w", buffering=1 << 20) as file:
        file.writelines(lines(arguments.lines, random.Random(20260131)))
    os.rename(unfinished, arguments.file)


if __name__ == "__main__":
    write(lines, __doc__)
