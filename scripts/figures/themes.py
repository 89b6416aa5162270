"""What they write, by docs/feedback-themes.md: themes by their words, texts that are too short, near duplicates.

The list of words is the one in force, as `firetally feedback themes` prints it; the matching is made anew.
"""
import functools
import re
import subprocess
import unicodedata

from book import HOUR, iso
from pages import change, mean, share

MOST_STARS, FEWEST_WORDS, PIECE, NEAR = 3, 4, 4, 0.6
LONGEST = 512
# The newest reviews that a report fetches.
FETCHED_REVIEWS = 1_000
UNSPACED = re.compile("[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff]")
SPELLINGS = {"ß": "ss", "ı": "i", "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ى": "ي", "ة": "ه", "ک": "ك",
             "ی": "ي"}
ARTICLES = ("وال", "بال", "فال", "كال", "لل", "ال")


def words(text):
    """The words of a text without case, accents and punctuation."""
    plain = "".join(SPELLINGS.get(letter, letter) for letter in unicodedata.normalize("NFKD", text.lower())
                    if not 0x300 <= ord(letter) <= 0x36F and not 0x610 <= ord(letter) <= 0x61A
                    and not 0x64B <= ord(letter) <= 0x65F and ord(letter) not in (0x640, 0x670))
    spaced = "".join(f" {letter} " if UNSPACED.match(letter) else letter for letter in plain)
    letters = "".join(letter if letter == " " or unicodedata.category(letter)[0] in "LM"
                      or unicodedata.category(letter) == "Nd" else " " for letter in spaced)
    return [_without_article(word) for word in letters.split()]


def _without_article(word):
    if "\u0600" <= word[0] <= "\u06ff":
        for article in ARTICLES:
            if word.startswith(article) and len(word) >= len(article) + 3:
                return word[len(article):]
    return word


def listed(program, workspace):
    """Theme to (title, patterns), in the order of the list."""
    found, name = {}, None
    lines = subprocess.run([program, "feedback", "themes", "-C", workspace], check=True, capture_output=True,
                           text=True).stdout.splitlines()
    for line in lines:
        if match := re.match(r"  ([a-z0-9-]+):$", line):
            name = match.group(1)
            found[name] = [name, []]
        elif match := re.match(r"    title: (.*)$", line):
            found[name][0] = match.group(1).strip("'\"")
        elif match := re.match(r"    words: (\[.*)$", line):
            found[name][1] += _items(match.group(1))
        elif name and (match := re.match(r"      (- )?(.+)$", line)):
            found[name][1] += _items(match.group(2))
    return {name: (title, [_pattern(one) for one in patterns]) for name, (title, patterns) in found.items()}


def _items(text):
    """The texts of a YAML list, in quotes or not."""
    return [quoted or plain for quoted, plain in re.findall(r'"([^"]*)"|([^\s,\[\]"][^,\[\]"]*)', text)]


def _pattern(text):
    """(words, whether the last one may go on)."""
    return words(text.rstrip("*")), text.endswith("*")


def tells(pattern, text):
    wanted, is_open = pattern
    if not wanted:
        return False
    for first in range(len(text) - len(wanted) + 1):
        part = text[first:first + len(wanted)]
        if part[:-1] == wanted[:-1] and (
                part[-1].startswith(wanted[-1]) if is_open else part[-1] == wanted[-1]):
            return True
    return False


class Written:
    """The texts with one to three stars of a report."""

    def __init__(self, book, program):
        self.book, self.list = book, listed(program, book.workspace)
        marks = {row["key"]: row for row in book.all("SELECT * FROM feedback_marks")}
        texts = [self._text(row, marks) for row in book.all(
            "SELECT 'own/' || id AS key, feedback AS text, stars, at / 1000000 * 1000000 AS at, app_version AS version,"
            " 'In the app' AS place FROM ratings WHERE feedback IS NOT NULL AND stars <= ?1 UNION ALL"
            " SELECT document_path, feedback, stars, timestamp * 1000000, app_version, 'In the app'"
            " FROM app_rating_feedback WHERE stars <= ?1 AND document_path NOT IN"
            " (SELECT remote_name FROM outbox WHERE kind = 'feedback' AND remote_name IS NOT NULL)", MOST_STARS)]
        reviews = [self._text(row, {}) for row in book.all(
            "SELECT '' AS key, CASE WHEN title = '' OR text = '' THEN title || text ELSE title || ': ' || text END AS text,"
            " stars, updated_at AS at, version, 'App Store' AS place FROM app_store_reviews WHERE stars <= ?", MOST_STARS)]
        self.open = sum(one["is_open"] for one in texts)
        every = sorted(texts + reviews, key=lambda one: -one["at"])
        self.now = [one for one in every if book.start <= one["at"] < book.end]
        self.whole = [one for one in every if book.start <= one["at"] < book.whole_end]
        self.compares = self._begins() <= book.before + HOUR
        self.before = [one for one in every if book.before <= one["at"] < book.before_end and self.compares]

    def _begins(self):
        """From when on all texts are known: feedback, and the reviews that a report fetches."""
        fetched = self.book.one("SELECT MIN(at) FROM (SELECT updated_at AS at FROM app_store_reviews"
                                " ORDER BY updated_at DESC LIMIT ?)", FETCHED_REVIEWS)
        feedback = [self.book.one("SELECT MIN(at) FROM ratings WHERE feedback IS NOT NULL"),
                    self.book.one("SELECT MIN(timestamp) * 1000000 FROM app_rating_feedback")]
        begins = [fetched, min((at for at in feedback if at is not None), default=None)]
        return max((at for at in begins if at is not None), default=self.book.now)

    def _text(self, row, marks):
        mark, found = marks.get(row["key"]), words(row["text"])
        if mark is None or mark["theme"] is None:
            themes = [name for name, (_, patterns) in self.list.items() if any(tells(one, found) for one in patterns)]
        else:
            themes = [mark["theme"]] if mark["theme"] else []
        is_open = row["place"] == "In the app" and (mark is None or mark["done_at"] is None)
        return {**row, "words": found, "themes": themes, "is_open": is_open}

    def title(self, theme):
        return self.list[theme][0] if theme in self.list else theme

    def figures(self):
        count = len(self.now)
        return {"low-texts": {"value": count, "change": change(len(self.whole), len(self.before)) if self.compares else None},
                **{name: {"value": value} for name, value in self.shares(self.now).items()},
                "open-feedback": {"value": self.open}}

    def shares(self, texts):
        too_short = sum(len(one["words"]) < FEWEST_WORDS and not one["themes"] for one in texts)
        return {"too-short": share(too_short, len(texts)),
                "without-theme": share(sum(not one["themes"] for one in texts), len(texts))}

    def themes(self, _):
        rows = []
        for theme in dict.fromkeys([*self.list, *(name for one in self.now + self.before for name in one["themes"])]):
            now, before = ([one for one in ones if theme in one["themes"]] for ones in (self.now, self.before))
            if now or before:
                rows.append({"theme": self.title(theme), "texts": len(now), "share": share(len(now), len(self.now)),
                             "before": share(len(before), len(self.before)) if self.compares else None,
                             "in_store": sum(one["place"] == "App Store" for one in now),
                             "open": sum(one["is_open"] for one in now)})
        return ("theme",), rows

    def versions(self, _):
        counts = {}
        for one in self.now:
            for theme in one["themes"]:
                counts[one["version"], theme] = counts.get((one["version"], theme), 0) + 1
        return ("version", "theme"), [
            {"version": version or "Not told", "theme": self.title(theme),
             "share": share(count, sum(one["version"] == version for one in self.now))}
            for (version, theme), count in counts.items()]

    def repeated(self, _):
        groups = []
        for one in self.now:
            pieces = pieces_of(" ".join(one["words"])[:LONGEST])
            if not pieces:
                continue
            near = next((group for group in groups if alike(group[0], pieces) >= NEAR), None)
            if near is None:
                groups.append((pieces, [one]))
            else:
                near[1].append(one)
        return ("text",), [
            {"text": ones[0]["text"], "times": len(ones), "stars": mean(sum(one["stars"] for one in ones), len(ones)),
             "in_store": sum(one["place"] == "App Store" for one in ones)} for _, ones in groups if len(ones) > 1]

    def repeated_details(self):
        """By repeated text when the newest was written, and all their versions."""
        found = {}
        for row in self.repeated(None)[1]:
            ones = [one for one in self.now if alike_texts(row["text"], one)]
            versions = sorted({one["version"] for one in ones if one["version"]}, key=version_key)
            found[row["text"]] = iso(max(one["at"] for one in ones)), ", ".join(versions)
        return found

    @functools.cached_property
    def tables(self):
        return {"themes": self.themes, "theme-versions": self.versions, "repeated-texts": self.repeated}


def pieces_of(text):
    return {text[first:first + PIECE] for first in range(max(1, len(text) - PIECE + 1))} if text else set()


def alike(one, other):
    return len(one & other) / len(one | other)


def alike_texts(text, one):
    """Whether one of the texts is near to this one."""
    wanted, found = (pieces_of(" ".join(ones)[:LONGEST]) for ones in (words(text), one["words"]))
    return bool(found) and alike(wanted, found) >= NEAR


def version_key(version):
    return [int(part) if part.isdigit() else part for part in version.split(".")]
