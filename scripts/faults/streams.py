"""Standard streams that are closed, full, or pipes that nobody reads."""
import sqlite3

from stage import damage, database

FAULTY = ("2>/dev/full", "2>&-", "2> >(exec true)", "<&-", "<&- 2>&-", "<&- >&- 2>&-")
UNWRITABLE = (">/dev/full", ">&-", "> >(exec true)")
QUESTIONS = (["jobs"], ["status"], ["users", "list"], ["settings", "show"], ["help"], ["run", "--help"])


def cases(stage, bounded):
    for streams in FAULTY:
        yield f"run --all {streams}", lambda streams=streams: run_all(stage, streams)
    for streams in UNWRITABLE:
        yield f"run --all {streams}", lambda streams=streams: run_all(stage, streams)
        for question in QUESTIONS[:3] if bounded else QUESTIONS:
            yield (f"{' '.join(question)} {streams}",
                   lambda question=question, streams=streams: ask(stage, question, streams))
    for streams in FAULTY[:2]:
        yield f"run --forse {streams}", lambda streams=streams: misuse(stage, streams)


def run_all(stage, streams):
    workspace = stage.workspace()
    ended = stage.run(["run", "--all", "-C", workspace], shell=streams)
    if ended.status not in (0, 3):
        return f"status {ended.status}: {ended.errors[-200:]}"
    with sqlite3.connect(database(workspace)) as connection:
        jobs, told = connection.execute(
            "SELECT count(DISTINCT job), sum(warnings LIKE '%were lost%') FROM sync_runs"
            " WHERE ended_at IS NOT NULL").fetchone()
    if jobs < 6:
        return f"only {jobs} jobs came to their end"
    if ended.status == 3 and "2>" in streams and not told:
        return "no run says that its messages were lost"
    return damage(workspace)


def ask(stage, question, streams):
    workspace = stage.workspace(filled=True)
    target = [] if "help" in " ".join(question) else ["-C", workspace]
    # A reader that is gone has to be gone before the first word.
    late = ["bash", "-c", 'sleep 0.2; exec "$0" "$@"'] if "exec" in streams else []
    ended = stage.run(question + target, before=late, shell=streams)
    if ended.status != 74:
        return f"status {ended.status}, not 74"
    sentence = ended.errors.strip()
    if not sentence.startswith("firetally: Standard output could not be written: "):
        return f"says: {sentence[-200:]}"
    return "more than one line" if "\n" in sentence else None


def misuse(stage, streams):
    ended = stage.run(["run", "--forse"], shell=streams)
    return None if ended.status == 64 else f"status {ended.status}, not 64"
