#!/usr/bin/env python3
"""Writes the country and language names that a filter may ask for, as Swift.

    apt-get install iso-codes unicode-cldr-core
    python3 scripts/make_names.py

Which codes there are comes from ISO 3166-1 and ISO 639 (Debian's iso-codes), what they are called
in English from the Unicode CLDR, which phones show, and from ISO, which servers write.
See docs/decisions/014-names.md.
"""

import json
import pathlib
import re
import subprocess
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


def lines(names):
    line = ""
    for name in names:
        addition = f"{name}; "
        if line and 4 + len(line) + len(addition) + 1 > WIDTH:
            yield line + "\\"
            line = ""
        line += addition
    yield line.removesuffix("; ")


def literal(names):
    text = "\n".join("    " + line for line in lines(names))
    assert not re.search(r'"""|\\\(', text)
    return text


def write(type_name, what, standard, names, historical=None):
    more = "" if historical is None else f'''

  /// Those of them that ISO 639-3 calls ancient, extinct or historical.
  static let historical = """
{literal(historical)}
    """'''
    (TARGET / f"{type_name}.swift").write_text(f'''\
/// The English names of {what} by {standard}, as the Unicode CLDR and ISO write them.
///
/// Made by `scripts/make_names.py` from Debian's packages unicode-cldr-core {version("unicode-cldr-core")} and
/// iso-codes {version("iso-codes")}; see `docs/decisions/014-names.md`. CLDR: Copyright © 1991-2022 Unicode,
/// Inc., license Unicode-DFS-2016.
enum {type_name} {{
  /// Separated by `; `, in alphabetical order.
  static let text = """
{literal(names)}
    """{more}
}}
''')


write("CountryNames", "countries", "ISO 3166-1", listed(countries()))
living = set(listed(languages("LC")))
write(
    "LanguageNames", "languages", "ISO 639", listed(languages()),
    historical=[name for name in listed(languages("EHA")) if name not in living])
