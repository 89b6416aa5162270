"""The ratios of each release, a line each, in bench/history.tsv."""
import os
import sys

PATH = os.path.join(os.path.dirname(os.path.abspath(__file__)), "history.tsv")
# A change that loses more of a ratio is named in CHANGELOG.md.
MOST_LOSS = 0.05


def read():
    """The heads and the rows of the file; no rows before the first release."""
    if not os.path.exists(PATH):
        return ["release"], []
    with open(PATH, encoding="utf-8") as file:
        heads, *rows = [line.rstrip("\n").split("\t") for line in file if line.strip()]
    return heads, rows


def losses(release, ratios):
    """Sentences about ratios below those of the newest other release."""
    heads, rows = read()
    earlier = [row for row in rows if row[0] != release]
    if not earlier:
        return []
    before = dict(zip(heads, earlier[-1]))
    return [
        f"{name} lost {1 - ratio / float(before[name]):.0%} since {before['release']}: "
        f"{before[name]} to {ratio:.2f}"
        for name, ratio in ratios.items()
        if before.get(name) and ratio < float(before[name]) * (1 - MOST_LOSS)]


def record(release, ratios):
    """Writes or replaces the release's line; a ratio that was not measured stays empty."""
    heads, rows = read()
    heads += [name for name in ratios if name not in heads]
    line = [release] + [f"{ratios[name]:.2f}" if name in ratios else "" for name in heads[1:]]
    rows = [row for row in rows if row[0] != release] + [line]
    draft = PATH + ".part"
    with open(draft, "w", encoding="utf-8") as file:
        for row in [heads, *rows]:
            file.write("\t".join(row + [""] * (len(heads) - len(row))) + "\n")
    os.rename(draft, PATH)
    print(f"bench: wrote the line of {release} into {PATH}", file=sys.stderr)
