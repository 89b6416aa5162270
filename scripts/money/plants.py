"""What the money of an app leaves beside its events of limited features: the claims' history of tiers, the paywall and
the rating dialog, each with shares that are known, and what the pages must say of them."""
import collections
import datetime
import json
import random

SECOND = 1_000_000
DAY = 86_400 * SECOND
# The history of tiers: months of 2026 from January on, the shares that leave in a month, that change the tier, and that come
# back in the month after they left.
MONTHS, CHURN, CHANGES, RETURNS = 8, 0.10, 0.06, 0.3
# Of those who saw a paywall last, who subscribes; the share that saw another one before.
UPGRADES = {"daily_limit_reached": 0.12, "total_limit_reached": 0.20, "manual": 0.05}
SEES_TWO = 0.3
# Of those who meet the conditions for the rating dialog, who is asked; at most this often.
ASKED, CYCLES, THRESHOLD = 0.8, 6, 10
HIGHER = (15, 21)


def month_start(month):
    return int(datetime.datetime(2026, 1 + month, 1, tzinfo=datetime.timezone.utc).timestamp()) * SECOND


def line(at, name, person, **parameters):
    return at, json.dumps({
        "event_timestamp": at, "event_name": name, "user_id": person, "event_params": [
            {"key": f"ios_{key}", "value": {"int_value" if isinstance(value, int) else "string_value": value}}
            for key, value in sorted(parameters.items())]}) + "\n"


class Plants:
    """`size` people of each kind; events lie in the 28 days before `end`, and no event is of a limited feature."""

    def __init__(self, seed, size, end):
        source = random.Random(f"plants {seed}")
        self.source, self.end, self.size = source, end, size
        self.changes, self.lines = [], []
        self.tiers = collections.defaultdict(collections.Counter)
        self.seen, self.upgraded, self.refused = (collections.Counter() for _ in range(3))
        self.answers, self.never = [], 0
        for number in range(size):
            self._subscriber(f"tier{number}")
            self._paywall(f"wall{number}")
            self._dialogs(f"rates{number}")
        self.changes.sort(key=lambda change: change[-1])
        self.lines.sort()

    def _change(self, person, month, old, new, counted):
        """A change of the tier within a month; some minutes of it are left for a second one."""
        at = month_start(month) + self.source.randrange(27) * DAY + self.source.randrange(DAY // 2)
        self.changes.append((person, old, new, at))
        self.tiers[month][counted] += 1
        return at

    def _subscriber(self, person):
        """Is found in January or comes later; stays, changes the tier or leaves, some within the month of coming."""
        start, tier = self.source.choice((0, 0, 0, *range(1, MONTHS))), "lite"
        at = self._change(person, start, None if start == 0 else "free", tier, "came" if start else "found")
        if start and self.source.random() < 0.05:
            self.changes.append((person, tier, None, at + DAY // 4))
            self.tiers[start]["left"] += 1
            return
        back = None
        for month in range(start + 1, MONTHS):
            if month == back:
                self._change(person, month, "free", tier, "returned")
                continue
            self.tiers[month]["at_risk"] += 1
            draw = self.source.random()
            if draw < CHURN:
                self._change(person, month, tier, "free" if draw < CHURN / 2 else None, "left")
                self.tiers[month]["churned"] += 1
                if self.source.random() >= RETURNS:
                    return
                back = month + 1
                continue
            if draw < CHURN + CHANGES:
                other = "plus" if tier == "lite" else "lite"
                self._change(person, month, tier, other, "changed")
                tier = other

    def _moment(self):
        return self.end - self.source.randrange(1, 29) * DAY + self.source.randrange(DAY // 2)

    def _paywall(self, person):
        at, trigger = self._moment(), self.source.choice(list(UPGRADES))
        walls = [trigger]
        if self.source.random() < SEES_TWO:
            walls.insert(0, self.source.choice([other for other in UPGRADES if other != trigger]))
        for number, wall in enumerate(walls):
            own = {"paywall_trigger": wall, "subscription_status": "free"}
            if wall != "manual":
                self.lines.append(line(at + number * SECOND, "moment_refused", person, **own))
                self.refused[wall] += 1
            self.lines.append(line(at + number * SECOND, "paywall_shown", person, **own))
            self.seen[wall] += 1
        if self.source.random() < UPGRADES[trigger]:
            self.upgraded[trigger] += 1
            self.lines.append(line(at + DAY // 4, "tier_changed", person, subscription_status="lite",
                                   previous_subscription_status="free"))

    def _dialogs(self, person):
        """Meets the conditions; is asked one message above the threshold until high stars or two low ones, or never."""
        at, tries, given = self._moment(), 0, []
        asked = self.source.random() < ASKED
        for number in range(CYCLES if asked else 1):
            own = {"rating_threshold": THRESHOLD, "rating_max_prompts": 2, "rating_sent": THRESHOLD + 1,
                   "rating_received": THRESHOLD + 3, "rating_tries": tries}
            start = at + number * 600 * SECOND
            self.lines.append(line(start, "rating_prompt_due", person, **own))
            if not asked:
                self.never += 1
                return
            self.lines.append(line(start + SECOND, "rating_prompt_shown", person, rating_trigger="due", **own))
            stars = self.source.choice((0, 0, 0, 1, 3, 4, 5))
            given.append(stars)
            if stars:
                self.lines.append(line(start + 9 * SECOND, "rating_prompt_stars", person, rating_stars=stars, **own))
            else:
                self.lines.append(line(start + 9 * SECOND, "rating_prompt_later", person, **own))
            tries += 0 < stars < 4
            if stars > 3 or tries == 2 or self.source.random() < 0.2:
                break
        self.answers.append(given)


def judge(judge, plants, what_if):
    """What the pages of users, limits and ratings say, and `rating what-if --json`."""
    standing = 0
    rows = {row["month"]: row for row in judge.rows("subscribers-by-month", "users")}
    for month in range(MONTHS):
        told, row = plants.tiers[month], rows[f"2026-{month + 1:02}"]
        judge.equal(f"subscribers at the start of month {month + 1}", row["at_start"], standing)
        standing += told["found"] + told["came"] + told["returned"] - told["left"]
        for name in ("found", "came", "returned", "changed", "left"):
            judge.equal(f"{name} in month {month + 1}", row[name], told[name])
        judge.equal(f"subscribers at the end of month {month + 1}", row["at_end"], standing)
        if 0 < month < MONTHS - 1:
            judge.share("churn", row["churn"], told["churned"], told["at_risk"], CHURN)
    walls = {row["trigger"]: row for row in judge.rows("limits-paywall", "limits")}
    # Of the three triggers each was the last wall of a third, and the first of two of a third of SEES_TWO.
    for trigger, share in UPGRADES.items():
        row = walls[trigger]
        judge.equal(f"shown by {trigger}", (row["shown"], row["people"], row["refused"]),
                    (plants.seen[trigger], plants.seen[trigger], plants.refused[trigger]))
        judge.share("upgraded after a paywall", row["upgraded"], plants.upgraded[trigger], plants.seen[trigger],
                    share / (1 + SEES_TWO))
    weeks = judge.rows("ratings-show-rate", "ratings")
    judge.equal("people who met the conditions", sum(row["asked"]["whole"] for row in weeks), plants.size)
    judge.equal("of them asked", sum(row["asked"]["part"] for row in weeks), plants.size - plants.never)
    for row in weeks:
        judge.interval("asked of those who met the conditions", row["asked"], ASKED)
    actual = sum(map(len, plants.answers))
    happened, in_force, *higher = what_if
    judge.equal("dialogs", happened["asked"], actual)
    judge.equal("dialogs of the replay", in_force["asked"], actual + plants.never)
    judge.near("error of the replay", in_force["errorPercent"], 100 * plants.never / actual, 0.01)
    for threshold, found in zip(HIGHER, higher):
        # All messages of a person are known, so the askings are, and the first ones take the first answers.
        given = [stars for answers in plants.answers
                 for stars in answers[:len(answers) * (THRESHOLD + 1) // (threshold + 1)]]
        judge.equal(f"asked above {threshold}", (found["asked"], found["later"]), (len(given), given.count(0)))
        judge.equal(f"stars above {threshold}", found["stars"], [given.count(stars) for stars in range(1, 6)])
        judge.near(f"calibrated above {threshold}", found["askedCalibrated"],
                   len(given) * actual / (actual + plants.never), 1)
