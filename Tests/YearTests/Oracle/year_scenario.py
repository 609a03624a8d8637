"""Draws a year in the life of Belfry: what people do, when the daemon is off, how the clock and the machine's zone move.

    year_scenario.py SEED START ITEMS > scenario.json

START is the first instant, such as 2026-01-05T06:40:11Z. The same arguments always give the same scenario. Knows
nothing of what rings when. Needs nothing beyond Python's standard library.
"""

import json
import random
import sys
from datetime import datetime, timedelta, timezone
from zoneinfo import ZoneInfo

ZONES = ["Europe/Zurich", "America/New_York", "Australia/Lord_Howe", "Pacific/Apia", "Africa/Casablanca", "Asia/Kathmandu"]
LISTS = ["Home", "Work", "Garden", "Travel", "Doomed"]
WEEKDAYS = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]
MINUTE, HOUR, DAY = 60, 3600, 86400


class Scenario:
    def __init__(self, seed, start, items):
        self.random = random.Random(seed)
        self.start = int(datetime.strptime(start, "%Y-%m-%dT%H:%M:%S%z").timestamp())
        self.items = items
        # Time that really passes; what the clock shows is this plus all steps so far.
        self.events = []
        self.changes = sorted(self.zone_changes())

    def chance(self, percent):
        return self.random.randrange(100) < percent

    def zone_changes(self):
        """The instants at which the clocks of the zones are set, and the wall time before."""
        for name in ZONES:
            zone = ZoneInfo(name)
            previous = None
            for hour in range(0, 366 * 24):
                instant = self.start // HOUR * HOUR + hour * HOUR
                offset = datetime.fromtimestamp(instant, zone).utcoffset()
                if previous is not None and offset != previous:
                    wall = datetime.fromtimestamp(instant, timezone.utc).replace(tzinfo=None) + previous
                    yield instant, name, wall
                previous = offset

    def at(self, elapsed, do, **details):
        self.events.append((elapsed, len(self.events), {"do": do, **details}))

    # What repeats how often

    def days(self, count):
        return ",".join(sorted(self.random.sample(WEEKDAYS, count), key=WEEKDAYS.index))

    def numbers(self, low, high, count):
        return ",".join(str(n) for n in sorted(self.random.sample(range(low, high + 1), count)))

    def rule(self, sparse=False):
        pick, number = self.random.choice, self.random.randint
        minutes = pick(["0", "30", "0,30", "15,45"])
        frequent = [
            lambda: f"FREQ=DAILY;INTERVAL={number(1, 4)}",
            lambda: "FREQ=DAILY;BYDAY=MO,TU,WE,TH,FR",
            lambda: f"FREQ=DAILY;INTERVAL=3;BYHOUR=2,3,{number(4, 22)};BYMINUTE={minutes}",
            lambda: f"FREQ=DAILY;BYMONTH={self.numbers(1, 12, 3)}",
            lambda: f"FREQ=WEEKLY;BYDAY={self.days(3)};BYHOUR=2,9;BYMINUTE={minutes}",
            lambda: f"FREQ=HOURLY;INTERVAL={number(20, 60)}",
            lambda: f"FREQ=HOURLY;BYDAY=SU;BYHOUR=1,2,3,{number(4, 23)};BYMINUTE={minutes}",
            lambda: f"FREQ=HOURLY;COUNT={number(20, 80)}",
            lambda: f"FREQ=MINUTELY;INTERVAL={number(5, 45)};COUNT={number(20, 80)}",
            lambda: f"FREQ=MINUTELY;BYMONTHDAY=13;BYHOUR=2;BYMINUTE=0,20,40",
        ]
        rare = [
            lambda: f"FREQ=WEEKLY;INTERVAL={number(1, 3)};WKST={pick(['MO', 'SU'])};BYDAY={self.days(2)}",
            lambda: f"FREQ=WEEKLY;INTERVAL={number(1, 5)}",
            lambda: f"FREQ=MONTHLY;BYMONTHDAY={pick(['-1', '31', '1,15', '13', '-2,30', '29'])}",
            lambda: f"FREQ=MONTHLY;BYDAY={pick(['1MO', '-1FR', '2TU,4TU', '5WE', '-1SU', '1SU'])}",
            lambda: f"FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS={pick(['-1', '1', '1,-1', '3'])}",
            lambda: f"FREQ=MONTHLY;INTERVAL={number(1, 3)}",
            lambda: f"FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13",
            lambda: f"FREQ=YEARLY;BYMONTH={self.numbers(1, 12, 2)};BYDAY={pick(['-1SU', '1SU', '2SU', '3SA'])}",
            lambda: f"FREQ=YEARLY;BYWEEKNO={self.numbers(2, 50, 3)};BYDAY={self.days(1)}",
            lambda: f"FREQ=YEARLY;BYYEARDAY={self.numbers(1, 365, 4)},-1",
            lambda: f"FREQ=YEARLY;BYDAY={number(2, 50)}{pick(WEEKDAYS)},-{number(2, 50)}{pick(WEEKDAYS)}",
            lambda: f"FREQ=YEARLY;BYMONTHDAY={number(1, 31)}",
        ]
        rule = pick(rare if sparse or self.chance(60) else frequent)()
        if "COUNT" not in rule and self.chance(35):
            if self.chance(50):
                rule += f";COUNT={number(1, 25)}"
            else:
                until = datetime.fromtimestamp(self.start + number(1, 360) * DAY, timezone.utc)
                hour = number(0, 23)
                rule += ";UNTIL=" + until.strftime(pick(["%Y%m%d", f"%Y%m%dT{hour:02}3000", f"%Y%m%dT{hour:02}1500Z"]))
        return rule

    # What an item is

    def wall(self, elapsed):
        """A due date in the time to come: at any time, or around a change of the clocks."""
        if self.chance(15) and self.changes:
            _, _, wall = self.random.choice(self.changes)
            return wall + timedelta(minutes=self.random.randrange(-180, 180, 10), days=self.random.choice([-1, 0, 0, 1]))
        days = self.random.choice([0, 0, 1, 3, 10, 30, 60, 120, 240])
        day = datetime.fromtimestamp(self.start + elapsed + self.random.randint(0, days) * DAY, timezone.utc)
        if self.chance(10):
            day -= timedelta(days=self.random.choice([1, 2, 5, 30, 400]))
        times = ["00:00", "02:00", "02:15", "02:30", "03:00", "09:00", "09:00", "10:00", "14:00", "18:00", "23:30"]
        hour, minute = map(int, self.random.choice(times).split(":"))
        if self.chance(40):
            hour, minute = self.random.randrange(24), self.random.randrange(60)
        return day.replace(hour=hour, minute=minute, second=0, tzinfo=None)

    def zone(self):
        return "floating" if self.chance(45) else self.random.choice(ZONES)

    def alerts(self):
        some = ["PT0S", "PT10M", "P1D", "PT24H", "PT1H", "P7D", "PT45M", "P2D", "P1DT30M"]
        return [] if self.chance(60) else self.random.sample(some, self.random.randint(1, 3))

    def nag(self):
        return self.random.choice(["PT10M", "PT30M", "PT1H", "PT2H", "PT1H", "PT7H", "P1D"])

    def add(self, elapsed):
        repeats = self.chance(55)
        nags = self.chance(6)
        rule = self.rule(sparse=nags) if repeats else None
        from_done = repeats and self.chance(20)
        if from_done:
            rule = self.random.choice([
                "FREQ=DAILY;INTERVAL=3", "FREQ=WEEKLY", "FREQ=MONTHLY", "FREQ=YEARLY", "FREQ=HOURLY;INTERVAL=20",
                "FREQ=DAILY;COUNT=2", "FREQ=WEEKLY;COUNT=3", "FREQ=MONTHLY;COUNT=5"])
        due = None if not repeats and self.chance(5) else self.wall(elapsed).strftime("%Y-%m-%dT%H:%M")
        self.at(
            elapsed, "add", list=self.random.choice(LISTS), due=due, zone=self.zone(), remind=due is not None and not self.chance(7),
            alerts=self.alerts(), rule=rule, origin="done" if from_done else "due", nag=self.nag() if nags else None)

    # What people do with it

    def act(self, elapsed, added):
        item = self.random.randint(1, max(1, added))
        actions = ["check"] * 8 + ["uncheck"] * 5 + ["snooze"] * 6 + ["remind"] * 4 + ["edit"] * 8 + ["delete"]
        action = self.random.choice(actions)
        if action == "remind":
            self.at(elapsed, "edit", item=item, remind=False)
            self.at(elapsed + self.random.choice([1, 20, 3 * MINUTE, 2 * HOUR]), "edit", item=item, remind=True)
        elif action == "snooze":
            for again in range(self.random.choice([1, 1, 2])):
                length = self.random.choice(["PT10M", "PT1H", "PT5M", "PT3H", "P1D", "P1DT2H"])
                self.at(elapsed + again * 100, "snooze", item=item, length=length)
        elif action == "edit":
            self.at(elapsed, "edit", item=item, **self.edit(elapsed))
        else:
            self.at(elapsed, action, item=item)
            if action == "check" and self.chance(35):
                self.at(elapsed + self.random.randint(1, 300), self.random.choice(["uncheck", "uncheck", "check"]), item=item)

    def edit(self, elapsed):
        return self.random.choice([
            lambda: {"text": "changed"},
            lambda: {"list": self.random.choice(LISTS)},
            lambda: {"due": self.wall(elapsed).strftime("%Y-%m-%dT%H:%M")},
            lambda: {"due": self.wall(elapsed).strftime("%Y-%m-%dT%H:%M")},
            lambda: {"alerts": self.alerts()},
            lambda: {"zone": self.zone()},
            lambda: {"nag": self.random.choice([None] * 9 + ["PT7H"])},
            lambda: {"due": self.wall(elapsed).strftime("%Y-%m-%dT%H:%M"), "rule": self.rule(sparse=True)},
            lambda: {"rule": None},
        ])()

    def list_actions(self, elapsed):
        name = self.random.choice(LISTS)
        self.at(
            elapsed, "list remind", list=name, due=self.wall(elapsed).strftime("%Y-%m-%dT%H:%M"), zone=self.zone(),
            rule=self.rule() if self.chance(75) else None)

    def empty_for_a_while(self, elapsed, name):
        """A list with a reminder of its own and one item that comes and goes."""
        self.at(elapsed, "list clear", list=name)
        self.at(elapsed + 50, "list remind", list=name, due=self.wall(elapsed).strftime("%Y-%m-%dT09:00"), zone=self.zone(),
                rule="FREQ=DAILY")
        for day in range(2, 12, 3):
            self.at(elapsed + day * DAY, "add", list=name, due=None, zone="floating", remind=False, alerts=[], rule=None,
                    origin="due", nag=None)
            self.at(elapsed + (day + 2) * DAY, "list clear", list=name)

    # What happens around it

    def outage(self, elapsed, length, policy, added):
        self.at(elapsed, "off")
        for _ in range(self.random.choice([0, 2, 4]) if length < DAY else 12):
            self.act(elapsed + self.random.randint(1, length - 1), added)
        # A start ten minutes after much is due, to the second or one later, to see how old is too old.
        self.at(elapsed + length, "on", policy=policy, exact=self.chance(30))

    def draw(self):
        year = 362 * DAY
        for number in range(self.items):
            early = number < self.items * 6 // 10
            self.add(self.random.randint(0, 2 * DAY if early else year - 20 * DAY))
        self.number_of_items_by = sorted(elapsed for elapsed, _, event in self.events if event["do"] == "add")
        policies = ["once", "all", "skip"]
        lengths = [HOUR // 12, HOUR // 3, HOUR, 9 * HOUR, 3 * DAY] * 2 + [9 * HOUR, 12 * DAY]
        outages = [(length, policy) for length in lengths for policy in policies]
        self.random.shuffle(outages)
        slot = year // (len(outages) + 1)
        for number, (length, policy) in enumerate(outages):
            elapsed = number * slot + self.random.randint(3 * HOUR, max(4 * HOUR, slot - min(length, slot // 2)))
            self.outage_in_slot(elapsed, length, policy, (number + 1) * slot)
        for _ in range(self.items * 2):
            elapsed = self.random.randint(0, year)
            if self.chance(15) and self.changes:
                elapsed = self.random.choice(self.changes)[0] - self.start + self.random.randint(-5 * HOUR, 5 * HOUR)
            self.act(max(0, elapsed), self.added_by(elapsed))
        for _ in range(14):
            self.list_actions(self.random.randint(0, year))
        self.at(self.random.randint(100 * DAY, year), "list remind", list="Work", due=None, zone="floating", rule=None)
        self.at(self.random.randint(200 * DAY, year), "list delete", list="Doomed")
        self.empty_for_a_while(self.random.randint(0, year - 20 * DAY), "Travel")
        for zone in ["America/New_York", "Europe/Zurich"] * 3 + ["Asia/Kathmandu", "Pacific/Apia", "Europe/Zurich"]:
            self.at(0, "zone", zone=zone)
        self.spread_zone_changes(year)
        steps = [-1, 1, -HOUR, 8 * HOUR, -DAY, 10 * DAY, -10 * DAY, -3 * HOUR, 2 * HOUR, -59, 5 * MINUTE, -DAY, DAY]
        for seconds in steps:
            elapsed = self.random.randint(5 * DAY, year)
            self.at(elapsed, "step", by=seconds, exact=self.chance(30))
            self.burst(elapsed)

    def burst(self, elapsed):
        """Much is done in the hours in which the clock shows what it has shown before, here or elsewhere."""
        for _ in range(self.items // 20):
            self.act(elapsed + self.random.randint(1, 7 * HOUR), self.added_by(elapsed))

    def added_by(self, elapsed):
        return sum(1 for added in self.number_of_items_by if added <= elapsed)

    def outage_in_slot(self, elapsed, length, policy, end):
        # Long ones take the room of those that follow: the daemon is then told to stop when it is off already.
        self.outage(elapsed, length, policy, self.added_by(elapsed))

    def spread_zone_changes(self, year):
        indices = [index for index, (_, _, event) in enumerate(self.events) if event["do"] == "zone"]
        times = sorted(self.random.randint(2 * DAY, year) for _ in indices)
        for elapsed in times:
            self.burst(elapsed)
        for index, elapsed in zip(indices, times):
            self.events[index] = (elapsed, self.events[index][1], self.events[index][2])

    def finished(self):
        """The events in the order in which they happen, each with what the clock shows: seconds since 1970."""
        events = []
        offset = 0
        for elapsed, _, event in sorted(self.events, key=lambda event: event[:2]):
            clock = self.start + elapsed + offset
            if events:
                clock = max(clock, events[-1].get("to", events[-1]["at"]) + 1)
            # Never on the very minute, where before and after would be a matter of taste.
            if clock % MINUTE == 0:
                clock += 1
            event = dict(event)
            if event.pop("exact", False):
                if event["do"] == "on":
                    clock += (10 * MINUTE - clock) % (30 * MINUTE) + len(events) % 2
                else:
                    event["by"] -= (clock + event["by"]) % MINUTE
            event["at"] = clock
            if event["do"] == "step":
                event["to"] = clock + event["by"]
                offset += event.pop("by")
            events.append(event)
        return events


def main():
    seed, start, items = int(sys.argv[1]), sys.argv[2], int(sys.argv[3])
    scenario = Scenario(seed, start, items)
    scenario.draw()
    events = scenario.finished()
    head = json.dumps({"seed": seed, "start": scenario.start, "end": events[-1]["at"] + DAY, "zone": ZONES[0], "lists": LISTS})
    body = ",\n".join(json.dumps(event) for event in events)
    print(head[:-1] + ', "events": [\n' + body + "\n]}")


main()
