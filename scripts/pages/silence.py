"""A page asks the network for nothing, and neither its console nor its policy has anything to say."""

QUIET = {"verbose", "info"}


def _requests(event, parameters, url):
    asked = parameters["request"]["url"]
    # No request: it is how Chromium draws its own fields for days. The policy forbids them to the page.
    if asked.startswith("data:"):
        return []
    return [] if asked.split("#")[0] == url else [("request", "", f"asks for {asked[:200]}")]


def _console(event, parameters, url):
    words = " ".join(str(one.get("value", one.get("description"))) for one in parameters["args"])
    return [("console", "", f"{parameters['type']}: {words}")]


def _exception(event, parameters, url):
    details = parameters["exceptionDetails"]
    words = details.get("exception", {}).get("description") or details["text"]
    return [("exception", "", words)]


def _log(event, parameters, url):
    entry = parameters["entry"]
    return [] if entry["level"] in QUIET else [(f"log-{entry['source']}", "", entry["text"])]


def _issue(event, parameters, url):
    issue = parameters["issue"]
    return [(issue["code"], "", str(issue.get("details")))]


READERS = {
    "Network.requestWillBeSent": _requests, "Runtime.consoleAPICalled": _console,
    "Runtime.exceptionThrown": _exception, "Log.entryAdded": _log, "Audits.issueAdded": _issue}


def check(events, url):
    """Rule, selector and words of each event that should not have come."""
    faults = []
    for event in events:
        reader = READERS.get(event["method"])
        faults += reader(event, event["params"], url) if reader else []
    return faults
