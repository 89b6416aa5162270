"""What all checks use: their list, the client, and the little that they ask again and again."""

import sys

try:
    from google.auth.credentials import AnonymousCredentials
    from google.cloud import firestore
    from google.cloud.firestore_v1.services.firestore import FirestoreClient
    from google.cloud.firestore_v1.services.firestore.transports.rest import FirestoreRestTransport
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

CHECKS = []


def check(function):
    CHECKS.append(function)
    return function


def make_client(host, project):
    """A client whose calls all go through the REST transport."""
    client = firestore.Client(project=project, credentials=AnonymousCredentials())
    transport = FirestoreRestTransport(
        host=host, credentials=AnonymousCredentials(), url_scheme="http")
    client._firestore_api_internal = FirestoreClient(transport=transport)
    return client


def ids(snapshots):
    return [snapshot.id for snapshot in snapshots]


def refused(kind, function, *arguments, **options):
    try:
        function(*arguments, **options)
    except kind as error:
        return error
    raise AssertionError(f"{function} was not refused with {kind.__name__}")


def people(base):
    rows = {
        "ann": {"age": 30, "tags": ["a", "b"], "city": "X", "score": 1.5},
        "bob": {"age": 25, "tags": ["b"], "city": "Y", "score": None},
        "cid": {"age": 30, "tags": [], "city": "X", "score": float("nan")},
        "dan": {"age": 41.5, "tags": ["c"], "city": "Z"},
        "eve": {"age": "old", "city": "Y", "score": 3},
    }
    for name, row in rows.items():
        base.document(name).set(row)
    return base
