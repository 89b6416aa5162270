#!/usr/bin/env python3
"""Writes the country and language names that a filter may ask for.

    apt-get install iso-codes unicode-cldr-core
    python3 scripts/make_names.py

Which codes there are comes from ISO 3166-1 and ISO 639 (Debian's iso-codes), what they are called
in English from the Unicode CLDR, which phones show, and from ISO, which servers write.
See docs/decisions/014-names.md.
"""

import json
import pathlib
import subprocess
import textwrap
import unicodedata
import xml.etree.ElementTree as ElementTree

ISO = pathlib.Path("/usr/share/iso-codes/json")
CLDR = pathlib.Path("/usr/share/unicode/cldr/common/main/en.xml")
TARGET = pathlib.Path(__file__).resolve().parent.parent / "Sources/Model/Filters"
WIDTH = 100


def iso(part):
    return json.loads((ISO / f"iso_{part}.json").read_text())[part]


def version(package):
    answer = subprocess.run(
        ["dpkg-query", "-W", "-f", "${Version}", package],
        check=True, capture_output=True, text=True)
    return answer.stdout


def cldr(path):
    """Code to names; the "menu" forms ("Arabic, Najdi") are for sorting, not for saying."""
    names = {}
    for element in ElementTree.parse(CLDR).iterfind(f"localeDisplayNames/{path}"):
        if element.get("alt") != "menu":
            names.setdefault(element.get("type"), []).append(element.text)
    return names


def countries():
    spoken = cldr("territories/territory")
    for entry in iso("3166-1"):
        yield from spoken.get(entry["alpha_2"], [])
        yield entry["name"]
        yield entry.get("common_name", entry["name"])


def languages(types="LCEHA"):
    """Single languages and macrolanguages: no collections, no "undetermined"."""
    spoken = cldr("languages/language")
    single = {}
    for entry in iso("639-3"):
        if entry["scope"] in "IM" and entry["type"] in types:
            single[entry["alpha_3"]] = entry.get("alpha_2")
    for code, short_code in single.items():
        yield from spoken.get(short_code, spoken.get(code, []))
    for entry in iso("639-2"):
        if entry["alpha_3"] in single:
            yield from entry["name"].split("; ")
            yield entry.get("common_name", entry["name"].split("; ")[0])


def plain(name):
    """What names are sorted by."""
    letters = unicodedata.normalize("NFD", name).casefold()
    return "".join(letter for letter in letters if not unicodedata.combining(letter)), name


def listed(names):
    """Every name once, whatever its case; codes such as "US" are no names."""
    once = {}
    for name in names:
        if len(name) > 2:
            once.setdefault(unicodedata.normalize("NFC", name).casefold(), name)
    return sorted(once.values(), key=plain)


def write(file, names):
    """Between them stands a semicolon, which is in none of them."""
    names = list(names)
    assert not any(";" in name for name in names)
    text = textwrap.fill(
        "; ".join(name.replace(" ", "\0") for name in names), WIDTH, break_long_words=False,
        break_on_hyphens=False)
    (TARGET / file).write_text(text.replace("\0", " ") + "\n")


write("countries.txt", listed(countries()))
write("languages.txt", listed(languages()))
living = set(listed(languages("LC")))
write("historical-languages.txt", (n for n in listed(languages("EHA")) if n not in living))
print("made from", *(f"{package} {version(package)}" for package in ("unicode-cldr-core", "iso-codes")))
