#!/usr/bin/env python3
"""Write the benchmark's pages: what a Firestore server answers to runQuery, page after page.

The workload is 16 fields a document, one of them a map and one an array, about 1,400 bytes of
compact JSON; a tenth of the documents carry escapes, emoji and surrogate pairs. The seed is fixed,
so every run measures the same bytes.
"""
import argparse
import json
import os
import random
import time

COUNTRIES = ["Chile", "India", "Germany", "Brazil", "Japan", "Kenya", "Norway", "Mexico"]
LANGUAGES = ["Spanish", "Hindi", "German", "Portuguese", "Japanese", "Swahili", "English"]
PARENT = "projects/demo/databases/(default)/documents"
NEWEST = 1_769_846_400


def document(number, total, rng):
    odd = number % 10 == 0
    name = f'Zoë "Zo" \\ 😀 {number}' if odd else f"User number {number}"
    seconds = NEWEST - number * 86_400 * 30 // total
    stamp = timestamp(seconds, number % 1_000_000)
    fields = {
        "User_id": {"stringValue": f"user{number:08d}"},
        "User_name": {"stringValue": name},
        "User_image": {"stringValue": f"https://images.example.com/{rng.getrandbits(448):0112x}.jpg"},
        "User_gender": {"stringValue": "Male" if number % 2 else "Female"},
        "User_country": {"stringValue": rng.choice(COUNTRIES)},
        "user_language": {"stringValue": rng.choice(LANGUAGES)},
        "User_age": {"stringValue": str(18 + number % 50)},
        "User_device_id": {"stringValue": f"{rng.getrandbits(128):032x}"},
        "User_device_token": {"stringValue": f"{rng.getrandbits(1000):0250x}"},
        "User_area": {"stringValue": f"Area {rng.randrange(5_000)}"},
        "user_city": {"stringValue": f"City {rng.randrange(2_000)}"},
        "User_state": {"stringValue": f"State {rng.randrange(200)}"},
        "IamDecentTime": {"integerValue": str(seconds - 1_000)},
        "last_time_seen": {"timestampValue": stamp},
        "badges": {"arrayValue": {"values": [{"stringValue": "early"}, {"integerValue": str(number)}]}},
        "device": {"mapValue": {"fields": {"model": {"stringValue": "iPhone15,2"}, "os": {"doubleValue": 17.5}}}},
    }
    return {
        "document": {
            "name": f"{PARENT}/Users/user{number:08d}",
            "fields": fields,
            "createTime": "2025-01-01T00:00:00.000001Z",
            "updateTime": stamp,
        },
        "readTime": "2026-01-31T08:00:00.000001Z",
    }


def timestamp(seconds, microseconds):
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(seconds)) + f".{microseconds:06d}Z"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder")
    parser.add_argument("--documents", type=int, default=200_000)
    parser.add_argument("--page-size", type=int, default=1_000)
    parser.add_argument("--first", type=int, default=0, help="the first document's number")
    arguments = parser.parse_args()
    os.makedirs(arguments.folder, exist_ok=True)
    rng = random.Random(7)
    end = arguments.first + arguments.documents
    for page in range(arguments.first, end, arguments.page_size):
        rows = [
            document(number, end, rng)
            for number in range(page, min(page + arguments.page_size, end))
        ]
        with open(os.path.join(arguments.folder, f"{page // arguments.page_size:05d}.json"), "w") as file:
            # Surrogate pairs in the odd names, raw UTF-8 elsewhere, as real servers mix them.
            json.dump(rows, file, separators=(",", ":"), ensure_ascii=page % 2_000 == 0)


if __name__ == "__main__":
    main()
