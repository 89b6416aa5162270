"""The Nu Html Checker finds nothing in any page, neither errors nor warnings."""
import json
import re
import shutil
import subprocess

from faults import Fault

# Its CSS is of 2020 and does not know what browsers have learned since; Chromium reads the sheet, and
# StyleSheetTests its values. People's names are written as they wrote them, normalised or not.
NOT_HTML = ("CSS: ", "Text run is not in Unicode Normalization Form C.")
OF_PEOPLE = re.compile("The value of attribute “data-.* is not in Unicode Normalization Form C[.]$", re.DOTALL)
# Trusted types are younger than the checker, too; any other word of a policy it has to know.
YOUNGER = re.compile('Unrecognised directive-name: "(require-trusted-types-for|trusted-types)"\\. *')
POLICY = re.compile("Bad value .*attribute “content” on element “meta”: *$", re.DOTALL)


def _is_known(words):
    if words.startswith(NOT_HTML) or OF_PEOPLE.match(words):
        return True
    return POLICY.match(YOUNGER.sub("", words)) is not None


def check(jar, paths, label):
    """The faults of all pages in one run; None when there is no Java to run it."""
    java = shutil.which("java")
    if java is None:
        return None
    # A page whose words are one line of 100,000 characters nests deeply in the checker's regexes.
    command = [java, "-Xss8m", "-jar", jar, "--stdout", "--exit-zero-always", "--format", "json"]
    done = subprocess.run(command + paths, capture_output=True, text=True)
    try:
        messages = json.loads(done.stdout)["messages"]
    except (ValueError, KeyError):
        return [Fault("all pages", "", "nu-html-checker", "", done.stdout + done.stderr)]
    names = {f"file:{path}": label(path) for path in paths}
    return [
        Fault(
            names.get(one.get("url"), one.get("url")), "", f"html-{one.get('subType', one['type'])}",
            (one.get("extract") or "").strip().replace("\n", " "), one["message"])
        for one in messages if not _is_known(one["message"])]
