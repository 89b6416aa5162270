#!/usr/bin/env python3
"""Writes a manual page for every command, from what the program says of itself, and those of
firetally.yml and of job files, from the tables of keys in docs/.

    manuals.py PROGRAM FOLDER     into FOLDER/man1 and FOLDER/man5

`PROGRAM --experimental-dump-help` is ArgumentParser's description of all commands. Pages are
mdoc(7), and hold no date but that of the release: the same program gives the same bytes.
"""
import json
import os
import re
import subprocess
import sys
import textwrap

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
COMMANDS = os.path.join(ROOT, "docs", "commands.md")
JOBS = os.path.join(ROOT, "docs", "jobs.md")
RUNNING = os.path.join(ROOT, "docs", "running.md")
CHANGES = os.path.join(ROOT, "CHANGELOG.md")
ENVIRONMENT = [
    ("FIRESTORE_EMULATOR_HOST", "Address of an emulator to ask instead of Google."),
    ("GOOGLE_APPLICATION_CREDENTIALS", "File of the credentials to use."),
    ("GOOGLE_CLOUD_PROJECT", "The project, where --project is not given."),
    ("CURL_CA_BUNDLE", "PEM file of certificate authorities to trust."),
    ("NO_COLOR", "No colours when it is not empty."),
]
FILES = [
    ("firetally.yml", "The workspace's configuration."),
    ("jobs/*.yml", "Its jobs, one a file."),
    ("data/firetally.sqlite", "What was fetched and what waits to be sent."),
    ("output/index.html", "The newest report."),
]


def roff(text):
    """Text as roff reads it: no macro at the beginning of a line, and each hyphen as typed."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return re.sub(r"^([.'])", r"\\&\1", text, flags=re.MULTILINE)


def sentences(text):
    """Short lines, none of them with the end of a sentence inside, as mdoc wants it.

    Code between backquotes is bold.
    """
    parts = re.split(r"(?<=[.:?)]) (?=[A-Z`'])", " ".join(text.split()))
    lines = [
        line for part in parts
        for line in textwrap.wrap(
            part, 66 if part.count("`") < 8 else 50, break_long_words=False,
            break_on_hyphens=False)]
    return re.sub(r"`([^`]+)`", r"\\fB\1\\fP", roff("\n".join(lines)))


def released():
    """The date of the newest release in the changelog, as mdoc has it."""
    with open(CHANGES) as file:
        year, month, day = re.search(r"^## \[[\d.]+\] - (\d+)-(\d+)-(\d+)", file.read(), re.M).groups()
    months = ("January February March April May June July August September October November "
              "December").split()
    return f"{months[int(month) - 1]} {int(day)}, {year}"


def exit_codes():
    """The rows of the table in docs/commands.md."""
    with open(COMMANDS) as file:
        rows = re.findall(r"^\| (\d+) \| (.+) \|$", file.read(), re.MULTILINE)
    return [(code, re.sub(r"\[([^]]+)\]\([^)]*\)", r"\1", meaning)) for code, meaning in rows]


def plain(text):
    """A text of docs/ without its links."""
    return re.sub(r"\[([^]]+)\]\([^)]*\)", r"\1", text).replace("\\|", "|")


def section(path, title):
    """A page of docs/ from below one heading to the next of its level."""
    with open(path) as file:
        text = file.read()
    level = title.split(" ")[0]
    return re.split(rf"^{level} ", text.partition(f"\n{title}\n")[2], maxsplit=1, flags=re.M)[0]


def sentence(text):
    return text[0].upper() + text[1:].rstrip(".:") + "."


def keys(text):
    """The tables of keys in a text as a list."""
    lines = [".Bl -tag -width Ds"]
    for row in re.findall(r"^\| `(.+)` \| (.*) \|$", text, re.MULTILINE):
        cells = re.split(r"(?<!\\)\|", f"{row[0]}`|{row[1]}".replace(" |", "|").replace("| ", "|"))
        if len(cells) != 4:
            continue
        key, kind, default, meaning = (plain(cell).strip() for cell in cells)
        lines.append(f".It Cm {roff(key.strip('`'))}")
        if default and "required" not in default:
            default = f"default: {default}"
        lines.append(sentences(sentence("; ".join(each for each in (kind, default) if each))))
        if meaning:
            lines.append(sentences(sentence(meaning)))
    return lines + [".El"] if len(lines) > 1 else []


def prose(text):
    """The first paragraph of a page of docs/."""
    text = re.split(r"\n(?:\||#|```)", text.strip())[0]
    return sentences(plain(text.strip().split("\n\n")[0]))


def file_page(name, about, *parts):
    """A page of section 5; a part is a heading with its lines."""
    lines = [f".Dd {released()}", f".Dt {name.upper()} 5", ".Os", ".Sh NAME", f".Nm {name}",
             f".Nd {about}"]
    for heading, content in parts:
        lines += [f".Sh {heading}", *content]
    others = [each for each in ("firetally-job", "firetally.yml") if each != name]
    return "\n".join(
        lines + [".Sh SEE ALSO", ".Xr firetally 1 ,", f".Xr {others[0]} 5", ".Pp",
                 "The whole manual is the folder", ".Pa share/doc/firetally/docs",
                 "of the installation."]) + "\n"


def yaml_rules():
    """The list in docs/jobs.md of what files may hold."""
    items = re.findall(r"^- ((?:.|\n  )+)", section(JOBS, "## YAML"), re.MULTILINE)
    lines = [".Bl -bullet"]
    for item in items:
        lines += [".It", sentences(sentence(plain(item).strip()))]
    return lines + [".El"]


def configuration_page():
    configuration = section(JOBS, "## Configuration").split("\n### ")[0]
    return file_page(
        "firetally.yml", "the configuration of a Firetally workspace",
        ("DESCRIPTION", [sentences(
            "The file firetally.yml makes a folder a workspace. `firetally init` writes one with "
            "comments, `firetally config show` prints what is in force, and `firetally doctor` "
            "checks it.")]),
        ("SYNTAX", yaml_rules()), ("KEYS", keys(configuration)),
        ("HOOKS", keys(section(RUNNING, "### Hook keys"))))


def job_page():
    text = section(JOBS, "## Job files")
    kinds = []
    for kind in re.findall(r"^\| \[`([a-z-]+)`\]\(jobs/", text, re.MULTILINE):
        with open(os.path.join(ROOT, "docs", "jobs", f"{kind}.md")) as file:
            page = file.read().partition("\n")[2]
        kinds += [f".Ss {kind}", prose(page), *keys(page)]
    return file_page(
        "firetally-job", "the job files of a Firetally workspace",
        ("DESCRIPTION", [prose(text)]),
        ("KEYS OF EVERY JOB", keys(text.split("\n### ")[0])), ("KINDS", kinds))


def name_of(argument):
    preferred = argument["preferredName"]
    return ("-" if preferred["kind"] == "short" else "--") + preferred["name"]


def spellings(argument):
    """The short name first, then the long ones."""
    names = sorted(argument["names"], key=lambda name: name["kind"] != "short")
    return [("-" if name["kind"] == "short" else "--") + name["name"] for name in names]


def synopsis(argument):
    if argument["kind"] == "positional":
        text = f".Ar {roff(argument['valueName'])}" + (" ..." if argument["isRepeating"] else "")
    else:
        # mdoc writes the first hyphen itself.
        text = f".Fl {roff(name_of(argument)[1:])}"
        if argument["kind"] == "option":
            text += f" Ar {roff(argument['valueName'])}"
    return text.replace(".", ".Op ", 1) if argument["isOptional"] else text


def item(argument):
    if argument["kind"] == "positional":
        head = f".It Ar {roff(argument['valueName'])}"
    else:
        value = f" Ar {roff(argument['valueName'])}" if argument["kind"] == "option" else ""
        head = ".It " + " , ".join(f"Fl {roff(name[1:])}{value}" for name in spellings(argument))
    lines = [head, sentences(argument.get("abstract", ""))]
    if argument.get("discussion"):
        lines.append(sentences(argument["discussion"]))
    if argument.get("allValues"):
        lines.append(sentences("One of " + ", ".join(argument["allValues"]) + "."))
    if argument.get("defaultValue"):
        lines.append(sentences(f"Default: {argument['defaultValue']}."))
    return "\n".join(line for line in lines if line)


def options(title, arguments):
    if not arguments:
        return []
    return [f".Sh {title}", ".Bl -tag -width Ds", *map(item, arguments), ".El"]


def paragraphs(text):
    """The discussion; examples, which come last in it, become a section of their own."""
    text, _, examples = (text or "").partition("EXAMPLES")
    lines = "\n.Pp\n".join(sentences(part) for part in re.split(r"\n\s*\n", text.strip()) if part)
    shown = []
    if examples.strip(": \n"):
        shown = [".Sh EXAMPLES", ".Bd -literal", roff(examples.strip(":").strip("\n")), ".Ed"]
    return ([lines] if lines else []), shown


class Manual:
    def __init__(self, tree):
        self.tree = tree
        self.pages = {}
        self.leaves = [command for _, command in self.walk(tree, ()) if not command["commands"]]
        shared = set.intersection(*(
            {name_of(each) for each in leaf["arguments"] if each["kind"] != "positional"}
            for leaf in self.leaves))
        first = self.leaves[0]["arguments"]
        self.common = [each for each in first
                       if each["kind"] != "positional" and name_of(each) in shared]
        for path, command in self.walk(tree, ()):
            self.pages["-".join(path) + ".1"] = self.page(path, command)

    def walk(self, command, above):
        command["commands"] = [
            each for each in command.get("subcommands", [])
            if each.get("shouldDisplay", True) and each["commandName"] != "help"]
        command["arguments"] = [
            each for each in command.get("arguments", [])
            if each["kind"] == "positional" or "preferredName" in each]
        path = above + (command["commandName"],)
        yield path, command
        for each in command["commands"]:
            yield from self.walk(each, path)

    def page(self, path, command):
        is_root = len(path) == 1
        common = {name_of(each) for each in self.common}
        own = [each for each in command["arguments"]
               if each["kind"] == "positional" or name_of(each) not in common]
        abstract = command["abstract"].rstrip(".")
        description, examples = paragraphs(command.get("discussion"))
        lines = [
            f".Dd {released()}", f".Dt {'-'.join(path).upper()} 1", ".Os",
            ".Sh NAME", f".Nm {'-'.join(path)}", f".Nd {roff(abstract[0].lower() + abstract[1:])}",
            ".Sh SYNOPSIS", f".Nm {' '.join(path)}"]
        if command["commands"]:
            lines.append(".Ar command")
        else:
            lines += [synopsis(each) for each in own]
        lines += [".Op Ar common options" if not is_root else ".Op Ar options",
                  ".Sh DESCRIPTION", sentences(command["abstract"])]
        if description:
            lines += [".Pp", *description]
        if command["commands"]:
            lines += [".Sh COMMANDS", ".Bl -tag -width Ds"]
            for each in command["commands"]:
                page = "-".join(path + (each["commandName"],))
                lines += [f".It Xr {page} 1", sentences(each["abstract"])]
            lines.append(".El")
        lines += options("OPTIONS", own)
        if is_root:
            lines += options("COMMON OPTIONS", self.common) + self.surroundings()
        lines += examples
        above = ["-".join(path[:-1])] if not is_root else []
        if is_root:
            lines += [".Sh SEE ALSO", ".Xr sqlite3 1 ,", ".Xr crontab 5 ,",
                      ".Xr firetally-job 5 ,", ".Xr firetally.yml 5"]
        else:
            about = "The common options, files and exit codes are described in"
            lines += [".Sh SEE ALSO", ".Xr firetally 1"]
            if above != ["firetally"]:
                lines[-1] = f".Xr firetally 1 ,\n.Xr {above[0]} 1"
            lines += [".Pp", f"{about}", ".Xr firetally 1 ."]
        return "\n".join(lines) + "\n"

    @staticmethod
    def surroundings():
        lines = [".Sh ENVIRONMENT", ".Bl -tag -width Ds"]
        for name, meaning in ENVIRONMENT:
            lines += [f".It Ev {name}", sentences(meaning)]
        lines += [".El", ".Sh FILES", ".Bl -tag -width Ds"]
        for name, meaning in FILES:
            lines += [f".It Pa {roff(name)}", sentences(meaning)]
        lines += [".El", ".Sh EXIT STATUS", ".Bl -tag -width Ds"]
        for code, meaning in exit_codes():
            lines += [f".It {code}", sentences(meaning[0].upper() + meaning[1:] + ".")]
        return lines + [".El"]


def main():
    program, folder = sys.argv[1:]
    text = subprocess.run(
        [program, "--experimental-dump-help"], check=True, capture_output=True, text=True).stdout
    pages = Manual(json.loads(text)["command"]).pages | {
        "firetally.yml.5": configuration_page(), "firetally-job.5": job_page()}
    for name, page in pages.items():
        place = os.path.join(folder, f"man{name[-1]}")
        os.makedirs(place, exist_ok=True)
        with open(os.path.join(place, name), "w") as file:
            file.write(page)
    print(f"{len(pages)} manual pages in {folder}")


if __name__ == "__main__":
    main()
