"""Draws a year in a house where reminders ring until somebody answers.

    escalation_scenario.py SEED START REMINDERS > scenario.json

START is the first instant, such as 2026-01-05T06:40:11Z; REMINDERS is about how many will ring of themselves. The same
arguments always give the same scenario. Knows nothing of what rings when, and guesses only that people answer a while
after something was due. Needs nothing beyond Python's standard library.
"""

import json
import random
import sys
from datetime import datetime, timezone
from zoneinfo import ZoneInfo

from escalation_household import CATEGORIES, LASTING, LISTS, Household

HOME = "Europe/Zurich"
ZONES = [
    HOME, "America/New_York", "Australia/Lord_Howe", "Pacific/Apia", "Africa/Casablanca", "Asia/Kathmandu",
]
CHANNELS = ["cli", "web", "link", "ntfy", "telegram", "desktop", "api"]
MINUTE, HOUR, DAY = 60, 3600, 86400
YEAR = 360 * DAY
# Lists with a reminder of their own, its rule and about how often it rings.
OWN_REMINDERS = [
    ("Family", "FREQ=DAILY;INTERVAL=9", 9 * DAY), ("Farm", "FREQ=WEEKLY", 7 * DAY),
    ("Work", "FREQ=MONTHLY;BYMONTHDAY=-1", 30 * DAY),
]


class Scenario:
    def __init__(self, seed, start, reminders):
        self.random = random.Random(seed)
        self.pick, self.number = self.random.choice, self.random.randint
        self.start = int(datetime.strptime(start, "%Y-%m-%dT%H:%M:%S%z").timestamp())
        self.reminders, self.count, self.tokens = reminders, 0, 0
        self.events = []     # (seconds that have really passed, place among those drawn, event)
        self.additions = []  # (the same two, what holds the number that the item will have)
        self.changes = [change for name in ZONES for change in self.zone_changes(ZoneInfo(name))]
        # Mornings on which much is due, and on which the machine is touched.
        self.mornings = [self.number(3, 355) * DAY + 9 * HOUR - self.start % DAY for _ in range(12)]
        begins = [self.busy_time() for _ in range(8)]
        self.nights = [(begin, begin + self.pick([7 * MINUTE, 40 * MINUTE, 9 * HOUR, 2 * DAY])) for begin in begins]
        self.household = Household(self.random, datetime.fromtimestamp(self.start, timezone.utc).date())
        self.faults = {sink: self.fault_times() for sink in self.household.data["sinks"]}

    def chance(self, percent):
        return self.random.randrange(100) < percent

    def at(self, elapsed, do, **details):
        """Nobody does anything while the machine sleeps, but what was added by then is there."""
        if do == "add" or elapsed >= 0 and not self.is_asleep(elapsed):
            self.events.append((int(elapsed), len(self.events), {"do": do, **details}))

    def is_asleep(self, elapsed):
        return any(begin <= elapsed <= end for begin, end in self.nights)

    def some_time(self):
        """Within the year; often around a change of the clocks."""
        if self.chance(10):
            return self.pick(self.changes) - self.start + self.number(-5 * HOUR, 5 * HOUR)
        return self.number(2 * DAY, YEAR)

    def busy_time(self):
        """While escalations of a morning are under way."""
        return self.pick(self.mornings) + self.number(1, self.pick([HOUR, 3 * HOUR]))

    def zone_changes(self, zone):
        hours = range(self.start, self.start + YEAR, HOUR)
        offsets = [datetime.fromtimestamp(hour, zone).utcoffset() for hour in hours]
        return [hour for hour, before, after in zip(hours[1:], offsets, offsets[1:]) if before != after]

    def fault_times(self):
        """When a sink takes nothing for now, or ever."""
        times = []
        for _ in range(self.number(3, 12)):
            begin = self.start + self.pick([self.number(0, YEAR), self.busy_time() - HOUR])
            length = self.pick([2 * MINUTE, HOUR, 5 * HOUR, DAY])
            times.append([begin, begin + length, self.pick(["never", "later"])])
        return times

    # What is to ring

    def draw_items(self):
        for name in LISTS:
            self.add(0, list=name)
        for name, rule, spacing in OWN_REMINDERS:
            due, zone = self.wall(self.number(DAY, 9 * DAY)), self.zone()
            self.at(self.number(0, HOUR), "list remind", list=name, due=self.text(due), zone=zone, rule=rule)
            for elapsed in range(self.elapsed_at(due, zone), YEAR, spacing):
                self.answer(elapsed, {"list": name}, ["ack", "ack", "later"])
        while self.count < self.reminders:
            self.draw_item()

    def draw_item(self):
        elapsed = self.some_time() if self.chance(45) else self.pick(self.mornings)
        due, zone = self.wall(elapsed), self.zone()
        rule, count, spacing = self.rule() if self.chance(25) else (None, 1, 0)
        alerts = [["PT10M", "PT0S"], ["PT30M", "PT0S"], ["P1D", "PT0S"], ["PT1H"]]
        alerts = self.pick(alerts) if self.chance(20) else []
        nags = self.chance(4)
        item = self.add(
            max(0, elapsed - self.number(2 * DAY, 15 * DAY)), due=self.text(due), zone=zone, rule=rule, alerts=alerts,
            category=self.pick(LASTING) if nags else self.category(), list=self.pick(LISTS),
            nag="PT10M" if nags else None)
        self.count += count * max(1, len(alerts))
        times = [self.elapsed_at(due, zone) + number * spacing for number in range(count)]
        for time in times:
            if 0 < time < YEAR:
                self.answer(time, {"item": item}, ["ack"] * 5 + ["later"] * 2 + ["done"] * 3)
        if self.chance(25):
            self.command(self.pick(times) + self.number(self.pick([-HOUR, 0]), HOUR), item, is_lasting=nags)

    def rule(self):
        """A rule, how often it rings, and the seconds from one time to the next."""
        unit, seconds = self.pick([("DAILY", DAY), ("DAILY", DAY), ("HOURLY", HOUR), ("WEEKLY", 7 * DAY)])
        every, count = self.number(1, 30) if unit == "HOURLY" else self.pick([1, 2, 5]), self.number(2, 30)
        return f"FREQ={unit};INTERVAL={every};COUNT={count}", count, every * seconds

    def category(self):
        return None if self.chance(30) else f"category-{self.random.randrange(CATEGORIES)}"

    def add(self, elapsed, list, due=None, zone="floating", rule=None, alerts=(), category=None, nag=None):
        item = {"number": None}
        self.additions.append((elapsed, len(self.events), item))
        self.at(elapsed, "add", list=list, due=due, zone=zone, rule=rule, alerts=[*alerts], category=category, nag=nag,
                remind=due is not None)
        return item

    def wall(self, elapsed):
        time = datetime.fromtimestamp(self.start + elapsed, timezone.utc).replace(second=0, tzinfo=None)
        if elapsed in self.mornings:
            return time.replace(minute=self.pick([0, 0, 0, 10, 30]))
        usual = [(2, 0), (2, 30), (3, 0), (9, 0), (9, 0), (18, 0), (23, 50)]
        hour, minute = self.pick(usual) if self.chance(50) else (time.hour, time.minute)
        return time.replace(hour=hour, minute=minute)

    def text(self, time):
        return f"{time:%Y-%m-%dT%H:%M}"

    def zone(self):
        return "floating" if self.chance(55) else self.pick(ZONES)

    def elapsed_at(self, due, zone):
        """About when a wall-clock time comes."""
        return int(due.replace(tzinfo=ZoneInfo(HOME if zone == "floating" else zone)).timestamp()) - self.start

    # What people do

    def answer(self, elapsed, owner, actions):
        """Somebody answers in time, late, several times or never."""
        elapsed += 0 if self.chance(90) else self.number(-HOUR, DAY)
        while self.chance(60):
            delay = self.pick([20, 3 * MINUTE, 11 * MINUTE, 25 * MINUTE, HOUR, 3 * HOUR, 7 * HOUR])
            elapsed += delay + self.number(1, 300)
            self.tokens += 1
            press = {
                **owner, "action": "trash" if "item" in owner and self.chance(3) else self.pick(actions),
                "pick": self.pick([0] * 8 + [1, 2]), "token": f"token {self.tokens}" if self.chance(50) else None,
                "signed_in": self.chance(60), "channel": self.pick(CHANNELS), "person": f"person-{self.number(0, 99)}",
            }
            self.at(elapsed, "press", **press)
            if press["token"] and self.chance(15):
                self.at(elapsed + self.number(1, HOUR), "press", **{**press, "signed_in": self.chance(50)})
            if self.chance(20):
                later = self.pick([30, 5 * MINUTE, HOUR, 5 * HOUR, DAY]) + self.number(1, 90)
                self.at(elapsed + later, "take back", **owner, pick=self.pick([0, 0, 0, 1]))

    def command(self, elapsed, item, is_lasting):
        """A command on an item, which keeps its category if it is to last."""
        edits = [
            lambda: {"due": self.text(self.wall(elapsed + self.number(HOUR, DAY)))},
            lambda: {"alerts": self.pick([[], ["PT10M"], ["P1D", "PT0S"]])},
            lambda: {"zone": self.zone()},
            lambda: {"remind": False},
            lambda: {"text": "changed"},
        ]
        if not is_lasting:
            edits += [lambda: {"category": self.category() or ""}, lambda: {"list": self.pick(LISTS)}] * 2
        action = self.pick(["check", "check", "uncheck", "snooze", "snooze", "delete"] + ["edit"] * 6)
        details = {"snooze": {"length": self.pick(["PT10M", "PT1H", "P1D"])}, "edit": self.pick(edits)()}.get(action, {})
        self.at(elapsed, action, item=item, **details)
        if "remind" in details:
            self.at(elapsed + self.pick([20, HOUR]), "edit", item=item, remind=True)

    # What happens around it

    def draw_machine(self):
        for begin, end in self.nights:
            self.events += [(begin, -1, {"do": "sleep"}), (end, -1, {"do": "wake"})]
        for number in range(40):
            self.outage(self.busy_time(), self.pick([2, 7, 25, 120, 540, 2880]) * MINUTE, changes=number % 5 == 0)
        for _ in range(40):
            self.at(self.busy_time(), "config")
        for seconds in [-HOUR, HOUR, -40 * MINUTE, 8 * MINUTE, 3 * HOUR, -3 * HOUR, DAY, -DAY, 6 * DAY] * 3:
            elapsed, back = self.busy_time(), self.pick([10 * MINUTE, 2 * HOUR, DAY])
            if not self.is_asleep(elapsed) and not self.is_asleep(elapsed + back):
                self.at(elapsed, "step", by=seconds)
                self.at(elapsed + back, "step", by=-seconds)
        for zone in ZONES[1:4] + [HOME, ZONES[5], HOME]:
            self.at(self.busy_time(), "zone", zone=zone)

    def outage(self, elapsed, length, changes):
        if self.is_asleep(elapsed) or self.is_asleep(elapsed + length):
            return
        self.at(elapsed, "off")
        if changes:
            self.at(elapsed + length // 2, "config")
        policy = self.pick(["once", "all", "skip"])
        self.at(elapsed + length, "on", policy=policy, after_crash=self.chance(50))

    # The clock

    def finished(self):
        """The events in the order in which they happen, each with what the clock shows: seconds since 1970."""
        for number, (_, _, item) in enumerate(sorted(self.additions, key=lambda addition: addition[:2]), 1):
            item["number"] = number
        events, offset, latest = [], 0, 0
        for elapsed, _, event in sorted(self.events, key=lambda event: event[:2]):
            clock = self.start + elapsed + offset
            if events:
                clock = max(clock, events[-1].get("to", events[-1]["at"]) + 1)
            # Never on the very minute, where before and after would be a matter of taste.
            clock += clock % MINUTE == 0
            event = self.late(event) if clock + 10 * MINUTE < latest else {**event}
            if event:
                latest = max(latest, clock)
                events.append({**event, "at": clock})
                offset += self.complete(events[-1], is_first=len(events) == 1)
        return events

    def late(self, event):
        """An event while the clock shows what it has shown before: it lets nothing ring before what has rung then."""
        if event["do"] == "snooze" or event["do"] == "press" and "list" in event:
            return None
        return {**event, "action": "done"} if event.get("action") in ("ack", "later") else {**event}

    def complete(self, event, is_first):
        """Fills in what follows from the place of an event. Gives the seconds by which it sets the clock."""
        if "item" in event:
            event["item"] = event["item"]["number"]
        if event["do"] == "config":
            if not is_first:
                self.household.change()
            event["config"] = self.household.text()
        if event["do"] == "step":
            event["to"] = event["at"] + event["by"]
        return event.pop("by", 0)


def main():
    scenario = Scenario(int(sys.argv[1]), sys.argv[2], int(sys.argv[3]))
    scenario.at(0, "config")
    scenario.at(0, "on", policy="once", after_crash=False)
    scenario.draw_items()
    scenario.draw_machine()
    events = scenario.finished()
    print(json.dumps({
        "start": scenario.start, "end": events[-1]["at"] + 3 * DAY, "zone": HOME, "lists": LISTS,
        "faults": scenario.faults, "events": events}))


main()
