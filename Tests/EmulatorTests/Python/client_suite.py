"""Puts Google's own Python client, over REST, to a Firestore server, and checks what it gets.

Usage: client_suite.py HOST:PORT [PROJECT]. Prints a line a check; exits 1 when one fails.
Needs `pip install google-cloud-firestore`; exits 77 where that is not installed. Google's own
emulator fails: it sends a line end after the `]` of its streams, which the client does not take.
"""

import sys
import traceback

from suite import CHECKS, make_client

# Each adds its checks to the list.
import documents  # noqa: F401
import writes  # noqa: F401
import queries  # noqa: F401
import aggregates  # noqa: F401


def main():
    host = sys.argv[1]
    client = make_client(host, sys.argv[2] if len(sys.argv) > 2 else "python-suite")
    failures = 0
    for number, function in enumerate(CHECKS):
        name = function.__name__.replace("_", " ")
        try:
            function(client, client.collection(f"c{number}"))
            print(f"ok {name}")
        except Exception:
            failures += 1
            print(f"FAILED {name}\n{traceback.format_exc()}")
    print(f"{len(CHECKS) - failures} of {len(CHECKS)} checks passed")
    return 1 if failures else 0


sys.exit(main())
