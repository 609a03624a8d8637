"""Draws a year in a house where reminders ring until somebody answers.

    ladder_scenario.py SEED START REMINDERS > scenario.json

START is the first instant, such as 2026-01-05T06:40:11Z; REMINDERS is about how many will ring of themselves. The same
arguments always give the same scenario. Knows nothing of what rings when, and guesses only that people answer a while
after something was due. Needs nothing beyond Python's standard library.
"""

import json
import random
import sys
from datetime import datetime, timedelta, timezone
from zoneinfo import ZoneInfo

from ladder_household import CATEGORIES, LASTING, LISTS, Household

ZONES = ["Europe/Zurich", "America/New_York", "Australia/Lord_Howe", "Pacific/Apia", "Africa/Casablanca", "Asia/Kathmandu"]
CHANNELS = ["cli", "web", "link", "ntfy", "telegram", "desktop", "api"]
MINUTE, HOUR, DAY = 60, 3600, 86400
YEAR = 360 * DAY


class Scenario:
    def __init__(self, seed, start, reminders):
        self.random = random.Random(seed)
        self.start = int(datetime.strptime(start, "%Y-%m-%dT%H:%M:%S%z").timestamp())
        self.reminders, self.count, self.items, self.tokens = reminders, 0, 0, 0
        self.events, self.additions = [], []  # (seconds that have really passed, event)
        self.changes = list(self.zone_changes())
        # Mornings on which much is due, and on which the machine is touched.
        self.mornings = [self.random.randint(3, 355) * DAY + 9 * HOUR - self.start % DAY for _ in range(12)]
        begins = [self.busy_time() for _ in range(8)]
        self.nights = [(begin, begin + self.random.choice([7 * MINUTE, 40 * MINUTE, 9 * HOUR, 2 * DAY])) for begin in begins]
        self.household = Household(self.random, datetime.fromtimestamp(self.start, timezone.utc).date())
        self.faults = {sink: self.fault_times() for sink in self.household.data["sinks"]}

    def chance(self, percent):
        return self.random.randrange(100) < percent

    def at(self, elapsed, do, **details):
        if do == "add" or elapsed >= 0 and not self.is_asleep(elapsed):
            self.events.append((int(elapsed), len(self.events), {"do": do, **details}))

    def is_asleep(self, elapsed):
        """Nobody does anything while the machine sleeps, but what was added by then is there."""
        return any(begin <= elapsed <= end for begin, end in self.nights)

    def some_time(self):
        """Within the year; often around a change of the clocks."""
        if self.chance(10):
            return self.random.choice(self.changes) - self.start + self.random.randint(-5 * HOUR, 5 * HOUR)
        return self.random.randint(2 * DAY, YEAR)

    def busy_time(self):
        """While ladders of a morning are under way."""
        return self.random.choice(self.mornings) + self.random.choice([HOUR, 3 * HOUR]) * self.random.randint(1, 1000) // 1000

    def zone_changes(self):
        for name in ZONES:
            offsets = [datetime.fromtimestamp(self.start + hour * HOUR, ZoneInfo(name)).utcoffset() for hour in range(360 * 24)]
            yield from (self.start + hour * HOUR for hour in range(1, len(offsets)) if offsets[hour] != offsets[hour - 1])

    def fault_times(self):
        """When a sink takes nothing for now, or ever."""
        times = []
        for _ in range(self.random.randint(3, 12)):
            begin = self.start + self.random.choice([self.random.randint(0, YEAR), self.busy_time() - HOUR])
            length = self.random.choice([2 * MINUTE, HOUR, 5 * HOUR, DAY])
            times.append([begin, begin + length, self.random.choice(["never", "later"])])
        return times

    # What is to ring

    def draw_items(self):
        for name in LISTS:
            self.add(0, list=name)
        for name, rule in ("Family", "FREQ=DAILY;INTERVAL=9"), ("Farm", "FREQ=WEEKLY"), ("Work", "FREQ=MONTHLY;BYMONTHDAY=-1"):
            due = self.wall(self.random.randint(DAY, 9 * DAY))
            self.at(self.random.randint(0, HOUR), "list remind", list=name, due=f"{due:%Y-%m-%dT%H:%M}", zone=self.zone(), rule=rule)
            days = {"Family": 9, "Farm": 7, "Work": 30}[name]
            for time in range(0, YEAR, days * DAY):
                self.answer_later(self.elapsed_at(due, "Europe/Zurich") + time, {"list": name}, ["ack", "ack", "later"])
        while self.count < self.reminders:
            self.draw_item()

    def draw_item(self):
        elapsed = self.some_time() if self.chance(45) else self.random.choice(self.mornings)
        due, zone = self.wall(elapsed), self.zone()
        spacing, rule, count = 0, None, 1
        if self.chance(25):
            unit, seconds = self.random.choice([("DAILY", DAY), ("DAILY", DAY), ("HOURLY", HOUR), ("WEEKLY", 7 * DAY)])
            every = self.random.choice([1, 2, 5]) if unit != "HOURLY" else self.random.randint(1, 30)
            count, spacing = self.random.randint(2, 30), every * seconds
            rule = f"FREQ={unit};INTERVAL={every};COUNT={count}"
        alerts = [] if self.chance(80) else self.random.choice([["PT10M", "PT0S"], ["PT1H"], ["P1D", "PT0S"], ["PT30M", "PT0S"]])
        nags = self.chance(4)
        category = self.random.choice(LASTING) if nags else self.category()
        item = self.add(
            max(0, elapsed - self.random.randint(2 * DAY, 15 * DAY)), due=f"{due:%Y-%m-%dT%H:%M}", zone=zone, rule=rule,
            alerts=alerts, category=category, list=self.random.choice(LISTS), nag="PT10M" if nags else None)
        self.count += count * max(1, len(alerts))
        first = self.elapsed_at(due, zone)
        for number in range(count):
            if 0 < first + number * spacing < YEAR:
                self.answer_later(first + number * spacing, {"item": item}, ["ack"] * 5 + ["later"] * 2 + ["done"] * 3)
        if self.chance(25):
            start = first + spacing * self.random.randrange(count)
            self.command(start + self.random.choice([-HOUR, 0, 0, 0]) + self.random.randint(0, HOUR), item, is_lasting=nags)

    def category(self):
        return self.random.choice([f"category-{self.random.randrange(CATEGORIES)}"] * 7 + [None] * 3)

    def add(self, elapsed, list, due=None, zone="floating", rule=None, alerts=(), category=None, nag=None):
        """The number that the item will have follows from the order of all additions."""
        self.items += 1
        item = {"number": self.items}
        self.additions.append((elapsed, self.items, item))
        self.at(elapsed, "add", list=list, due=due, zone=zone, rule=rule, alerts=[*alerts], category=category, nag=nag,
                remind=due is not None)
        return item

    def wall(self, elapsed):
        time = datetime.fromtimestamp(self.start + elapsed, timezone.utc).replace(second=0, tzinfo=None)
        if elapsed in self.mornings:
            time = time.replace(minute=self.random.choice([0, 0, 0, 10, 30]))
        elif self.chance(50):
            hour, minute = map(int, self.random.choice(["02:00", "02:30", "03:00", "09:00", "09:00", "18:00", "23:50"]).split(":"))
            time = time.replace(hour=hour, minute=minute)
        return time

    def zone(self):
        return "floating" if self.chance(55) else self.random.choice(ZONES)

    def elapsed_at(self, due, zone):
        """About when a wall-clock time comes."""
        return int(due.replace(tzinfo=ZoneInfo("Europe/Zurich" if zone == "floating" else zone)).timestamp()) - self.start

    # What people do

    def answer_later(self, elapsed, owner, actions):
        elapsed += 0 if self.chance(90) else self.random.randint(-HOUR, DAY)
        while self.chance(60):
            elapsed += self.random.choice([20, 3 * MINUTE, 11 * MINUTE, 25 * MINUTE, HOUR, 3 * HOUR, 7 * HOUR])
            elapsed += self.random.randint(1, 300)
            action = "trash" if "item" in owner and self.chance(3) else self.random.choice(actions)
            self.tokens += 1
            press = {
                **owner, "action": action, "pick": self.random.choice([0] * 8 + [1, 2]), "signed_in": self.chance(60),
                "channel": self.random.choice(CHANNELS), "person": f"person-{self.random.randrange(100)}",
                "token": f"token {self.tokens}" if self.chance(50) else None,
            }
            self.at(elapsed, "press", **press)
            if press["token"] and self.chance(15):
                self.at(elapsed + self.random.randint(1, HOUR), "press", **{**press, "signed_in": self.chance(50)})
            if self.chance(20):
                self.at(elapsed + self.random.choice([30, 5 * MINUTE, HOUR, 5 * HOUR, DAY]) + self.random.randint(1, 90),
                        "take back", **owner, pick=self.random.choice([0, 0, 0, 1]))

    def command(self, elapsed, item, is_lasting):
        """A command on an item, which nags where nothing else rings if it is to keep its category."""
        edits = [
            lambda: {"due": f"{self.wall(elapsed + self.random.randint(HOUR, DAY)):%Y-%m-%dT%H:%M}"},
            lambda: {"alerts": self.random.choice([[], ["PT10M"], ["P1D", "PT0S"]])},
            lambda: {"zone": self.zone()},
            lambda: {"remind": False},
            lambda: {"text": "changed"},
        ]
        if not is_lasting:
            edits += [lambda: {"category": self.category() or ""}, lambda: {"list": self.random.choice(LISTS)}] * 2
        action = self.random.choice(["check", "check", "uncheck", "snooze", "snooze", "delete"] + ["edit"] * 6)
        if action == "edit":
            details = self.random.choice(edits)()
            if "remind" in details:
                self.at(elapsed + self.random.choice([20, HOUR]), "edit", item=item, remind=True)
        else:
            details = {"length": self.random.choice(["PT10M", "PT1H", "P1D"])} if action == "snooze" else {}
        self.at(elapsed, action, item=item, **details)

    # What happens around it

    def draw_machine(self):
        for begin, end in self.nights:
            self.events += [(begin, -1, {"do": "sleep"}), (end, -1, {"do": "wake"})]
        for number in range(40):
            elapsed, length = self.busy_time(), self.random.choice([2, 7, 25, 120, 540, 2880]) * MINUTE
            if number % 5 == 4:
                self.at(elapsed + length // 2, "config")
            self.at(elapsed, "off")
            self.at(elapsed + length, "on", policy=self.random.choice(["once", "all", "skip"]), after_crash=self.chance(50))
        for _ in range(40):
            self.at(self.busy_time(), "config")
        for seconds in [-HOUR, HOUR, -40 * MINUTE, 8 * MINUTE, 3 * HOUR, -3 * HOUR, DAY, -DAY, 6 * DAY] * 3:
            elapsed, back = self.busy_time(), self.random.choice([10 * MINUTE, 2 * HOUR, DAY])
            if not self.is_asleep(elapsed) and not self.is_asleep(elapsed + back):
                self.at(elapsed, "step", by=seconds)
                self.at(elapsed + back, "step", by=-seconds)
        for zone in ["America/New_York", "Europe/Zurich", "Asia/Kathmandu", "Pacific/Apia", "Australia/Lord_Howe", "Europe/Zurich"]:
            self.at(self.busy_time(), "zone", zone=zone)

    def finished(self):
        """The events in the order in which they happen, each with what the clock shows: seconds since 1970."""
        for number, (_, _, item) in enumerate(sorted(self.additions, key=lambda addition: addition[:2]), 1):
            item["number"] = number
        events, offset = [], 0
        for elapsed, _, event in sorted(self.events, key=lambda event: event[:2]):
            clock = self.start + elapsed + offset
            if events:
                clock = max(clock, events[-1].get("to", events[-1]["at"]) + 1)
            # Never on the very minute, where before and after would be a matter of taste.
            clock += clock % MINUTE == 0
            event = {**event, "at": clock}
            if "item" in event:
                event["item"] = event["item"]["number"]
            if event["do"] == "step":
                event["to"] = clock + event["by"]
                offset += event.pop("by")
            if event["do"] == "config":
                if events:
                    self.household.change()
                event["config"] = self.household.text()
            events.append(event)
        return events


def main():
    scenario = Scenario(int(sys.argv[1]), sys.argv[2], int(sys.argv[3]))
    scenario.at(0, "config")
    scenario.at(0, "on", policy="once", after_crash=False)
    scenario.draw_items()
    scenario.draw_machine()
    events = scenario.finished()
    head = {"start": scenario.start, "end": events[-1]["at"] + 3 * DAY, "zone": ZONES[0], "lists": LISTS, "faults": scenario.faults}
    print(json.dumps(head)[:-1] + ', "events": [\n' + ",\n".join(map(json.dumps, events)) + "\n]}")


main()
