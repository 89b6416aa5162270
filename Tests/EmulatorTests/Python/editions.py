"""Google's discovery-built client, put to the rows of editions.json: ADDRESS EDITION."""

import json
import pathlib
import sys

try:
    from googleapiclient import discovery, errors
    from googleapiclient.http import HttpRequest
    import httplib2
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

ADDRESS, EDITION = sys.argv[1:3]
DATABASE = "projects/discovery/databases/(default)"
PARENT = f"{DATABASE}/documents/editions/table"
TABLE = json.loads(pathlib.Path(__file__).with_name("editions.json").read_text())
# Its patterns allow no query at the root of a database.
SKIPPED = {"partitions": "standard"}


def tagged(http, *arguments, **options):
    """Every request that has a body bears tags, as newer clients send them."""
    request = HttpRequest(http, *arguments, **options)
    if request.body:
        body = json.loads(request.body)
        body["requestOptions"] = {"requestTags": ["app=discovery", f"edition={EDITION}"]}
        request.body = json.dumps(body)
        request.headers["content-length"] = str(len(request.body))
    return request


def make_client():
    service = discovery.build(
        "firestore", "v1", http=httplib2.Http(), static_discovery=True, cache_discovery=False,
        requestBuilder=tagged, client_options={"api_endpoint": f"http://{ADDRESS}/"})
    return service.projects().databases()


def fill(databases):
    for collection, documents in TABLE["documents"].items():
        writes = [
            {"update": {"name": f"{PARENT}/{collection}/{id}", "fields": fields}}
            for id, fields in documents.items()
        ]
        databases.documents().commit(database=DATABASE, body={"writes": writes}).execute()


def call(databases, row):
    documents, collection = databases.documents(), row.get("collection", "")
    text = json.dumps(row.get("body")).replace("PARENT", PARENT).replace("COLLECTION", collection)
    body = json.loads(text)
    if row["call"] == "database":
        return databases.get(name=DATABASE).execute()
    if row["call"] == "list":
        options = {"requestOptions_requestTags": ["app=discovery"], **row["parameters"]}
        return documents.list(parent=PARENT, collectionId=collection, **options).execute()
    if row["call"] == "commit":
        return documents.commit(database=DATABASE, body=body).execute()
    return getattr(documents, row["call"])(parent=PARENT, body=body).execute()


def ids(answer):
    if isinstance(answer, dict):
        found = answer.get("documents", [])
    else:
        found = [element["document"] for element in answer if "document" in element]
    return [document["name"].rpartition("/")[2] for document in found]


def verdict(databases, row):
    """What is wrong with the answer to a row; None when nothing is."""
    expected = row[EDITION]
    try:
        answer = call(databases, row)
    except errors.HttpError as error:
        is_right = error.status_code == expected.get("error") and expected.get("says", "") in str(error)
        return None if is_right else f"{error.status_code} {error}"
    if "error" in expected:
        return f"no error but {answer}"
    if "ids" in expected:
        found = ids(answer)
        is_right = found == expected["ids"] if expected["ordered"] else \
            sorted(found) == sorted(expected["ids"])
        is_right = is_right and not (expected.get("not_in_order") and found == expected["ids"])
        return None if is_right else f"{found}"
    if "values" in expected:
        found = answer[0]["result"]["aggregateFields"]
        return None if found == expected["values"] else f"{found}"
    if "edition" in expected and answer["databaseEdition"] != expected["edition"]:
        return f"{answer}"
    return None


databases = make_client()
fill(databases)
failures = 0
for row in TABLE["rows"]:
    if SKIPPED.get(row["name"]) == EDITION:
        continue
    problem = verdict(databases, row)
    failures += problem is not None
    print(f"{'ok' if problem is None else 'FAILED'} {row['name']}" + (f": {problem}" if problem else ""))
sys.exit(1 if failures else 0)
