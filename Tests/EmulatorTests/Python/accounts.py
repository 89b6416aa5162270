"""Google's Admin SDK lists the accounts of our server page by page.

Needs `pip install firebase-admin`; FIREBASE_AUTH_EMULATOR_HOST is set here. Arguments: the
server's address, the project, the number of accounts that it holds. Prints one line for each
account and `ok` for each claim that held.
"""

import os
import sys

import firebase_admin
from firebase_admin import auth


def check(claim, holds):
    print(("ok " if holds else "FAILED ") + claim)
    if not holds:
        sys.exit(1)


def main():
    address, project, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
    os.environ["FIREBASE_AUTH_EMULATOR_HOST"] = address
    firebase_admin.initialize_app(options={"projectId": project})

    everybody = [user.uid for user in auth.list_users().iterate_all()]
    check("every account is listed once", len(everybody) == len(set(everybody)) == count)
    for size in (1, 7, count - 1, count, count + 1, 1000):
        pages, page = [], auth.list_users(max_results=size)
        while page:
            check(f"no page of {size} is longer", len(page.users) <= size)
            pages.append([user.uid for user in page.users])
            page = page.get_next_page()
        check(f"pages of {size} are equal", sum(pages, []) == everybody)

    for user in auth.list_users().iterate_all():
        meta = user.user_metadata
        claims = (user.custom_claims or {}).get("tier", "-")
        providers = ",".join(sorted({info.provider_id for info in user.provider_data}))
        print(
            "user", user.uid, meta.creation_timestamp, meta.last_sign_in_timestamp,
            user.email_verified, user.disabled, providers, claims)


main()
