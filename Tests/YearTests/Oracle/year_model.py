"""Works out what rings in a scenario of year_scenario.py, from contract.md and states.md alone.

    year_model.py scenario.json > expected.txt

One line for each ringing, in order: the instant at which it is claimed in seconds since 1970, whom it is about, what
kind it is, its fire date, and for a planned one its wall-clock time and lead. A command that must be refused is a line
`refused NUMBER` with its place among the events.

Every occurrence of the year is written out beforehand: the model knows no "next one". Needs python-dateutil.
"""

import heapq
import json
import re
import sys
from datetime import datetime, timedelta, timezone

from dateutil.relativedelta import relativedelta
from dateutil.rrule import rrulestr

from times import MINUTE, DAY, duration, instant, later, local_rule, occurrences, recurrence, wall, wall_at

NAG_LIMIT, GRACE, MAX_AGE = 24, 600, 7 * DAY


class Refused(Exception):
    """What a command says no to."""


class Owner:
    """An item, or a list's own reminder, with everything that is scheduled for it."""

    def __init__(self, name, list_name, due, zone, remind=True, alerts=(), rule=None, origin="due", nag=None):
        self.name, self.list_name, self.due, self.zone, self.remind = name, list_name, due, zone, remind
        self.alerts, self.rule, self.origin, self.nag = tuple(alerts) or ("PT0S",), rule, origin, nag
        self.start = due
        self.checked = False
        self.last_checked = None
        self.scheduled = {}  # (wall-clock time, lead) -> fire date
        self.over = {}       # the same, of what rang or was missed -> whether it rang
        self.snooze = None   # (wall-clock time, fire date)
        self.waiting_nag = None  # (wall-clock time, lead, fire date)
        self.ended_nag = None  # that which the last check ended
        self.last_rung = None  # (wall-clock time, lead)
        self.nags = 0        # how often it nagged since it last rang otherwise
        self.asks = True     # of a list: whether anything on it is unchecked
        self.is_gone = False

    def __lt__(self, other):
        return False


class World:
    def __init__(self, scenario):
        self.machine_zone = self.zone = scenario["zone"]
        self.horizon = datetime.fromtimestamp(scenario["end"], timezone.utc).replace(tzinfo=None) + timedelta(days=60)
        self.policy = "once"
        self.running = True
        self.now = scenario["start"]
        self.items, self.lists = [], {name: Owner(f"list {name}", name, None, "floating") for name in scenario["lists"]}
        self.heap, self.lines = [], []  # of (instant, name of an owner that may have something to ring then, owner)
        self.zone_tick = None

    # What is scheduled

    def zone_of(self, owner):
        return self.zone if owner.zone == "floating" else owner.zone

    def times(self, owner):
        """The due date and what the rule adds after it."""
        if owner.rule is None:
            return [owner.due]
        expanded = occurrences(local_rule(owner.rule, self.zone_of(owner)), owner.start, self.horizon)
        return [owner.due] + [time for time in expanded if time > owner.due]

    def plan(self, owner):
        zone = self.zone_of(owner)
        silent = owner.due is None or not owner.remind or owner.checked or not owner.asks
        times = [] if silent else self.times(owner)
        wanted = {}
        for time in times:
            for lead in owner.alerts:
                days, minutes = duration(lead)
                wanted[time, lead] = instant(time - timedelta(days=days), zone) - minutes * MINUTE
        for key in [key for key in owner.scheduled if key not in wanted]:
            del owner.scheduled[key]
        for key, fire_date in wanted.items():
            if key not in owner.over and (key in owner.scheduled or fire_date > self.now):
                if owner.scheduled.get(key) != fire_date:
                    owner.scheduled[key] = fire_date
                    self.wake(owner, fire_date)
        if owner.snooze and owner.snooze[0] not in times:
            owner.snooze = None
        if owner.waiting_nag and (owner.waiting_nag[0] not in times or owner.nag is None):
            owner.waiting_nag = None

    def wake(self, owner, instant):
        heapq.heappush(self.heap, (instant, owner.name, owner))

    def items_changed(self):
        for name, owner in self.lists.items():
            if owner.due:
                owner.asks = any(item and item.list_name == name and not item.checked for item in self.items)
                self.plan(owner)

    # The daemon

    def tick(self):
        if self.zone != self.machine_zone:
            self.zone = self.machine_zone
            for owner in self.items + list(self.lists.values()):
                if owner and owner.zone == "floating":
                    self.plan(owner)
        awake = {}
        while self.heap and self.heap[0][0] <= self.now:
            _, name, owner = heapq.heappop(self.heap)
            awake[name] = owner
        due = []
        for owner in awake.values():
            if owner.is_gone:
                continue
            passed = [(fire_date, 0, key) for key, fire_date in owner.scheduled.items() if fire_date <= self.now]
            if owner.snooze and owner.snooze[1] <= self.now:
                passed.append((owner.snooze[1], 1, (owner.snooze[0], "PT0S")))
            if owner.waiting_nag and owner.waiting_nag[2] <= self.now:
                passed.append((owner.waiting_nag[2], 2, owner.waiting_nag[:2]))
            late = [fire_date for fire_date, _, _ in passed if self.now - fire_date > GRACE]
            due += [(fire_date, kind, owner.name, key, owner, max(late, default=None)) for fire_date, kind, key in passed]
        # A ringing of its own accord comes behind what rings at the same time: that may end it.
        for fire_date, kind, _, key, owner, latest in sorted(due, key=lambda due: due[:3]):
            self.claim(owner, kind, key, fire_date, latest)

    def rings(self, fire_date, latest):
        age = self.now - fire_date
        if age <= GRACE:
            return True
        if age > MAX_AGE or self.policy == "skip":
            return False
        return self.policy == "all" or fire_date == latest

    def claim(self, owner, kind, key, fire_date, latest):
        if kind == 2 and owner.waiting_nag != (*key, fire_date):
            return
        rings = self.rings(fire_date, latest)
        if kind == 0:
            del owner.scheduled[key]
            owner.over[key] = rings
        elif kind == 1:
            owner.snooze = None
        else:
            owner.waiting_nag = None
            owner.nags += 1
        if rings:
            owner.last_rung = key
            if kind != 2:
                owner.nags = 0
            details = f" {key[0]:%Y-%m-%dT%H:%M} {key[1]}" if kind == 0 else ""
            self.lines.append(f"{self.now} {owner.name} {['planned', 'snooze', 'nag'][kind]} {fire_date}{details}")
        if owner.nag and (rings or kind == 2):
            owner.waiting_nag = None
            if owner.snooze is None and owner.nags < NAG_LIMIT:
                nag = later(self.now, owner.nag, self.zone_of(owner))
                owner.waiting_nag = (*key, nag)
                self.wake(owner, nag)

    def advance(self, to):
        """Lets the daemon tick at each minute up to an instant at which something is to happen."""
        while self.running:
            upcoming = min([instant for instant, _, _ in self.heap[:1]] + ([self.zone_tick] if self.zone_tick else []), default=to + 1)
            # What has passed already, since an edit gave it another zone, is seen in the next minute.
            minute = max(upcoming, self.now // MINUTE * MINUTE + MINUTE)
            if minute > to:
                break
            self.now = minute
            if self.zone_tick and self.zone_tick <= self.now:
                self.zone_tick = None
            self.tick()
        self.now = to

    # What people do

    def item(self, event):
        item = self.items[event["item"] - 1] if event["item"] <= len(self.items) else None
        if item is None:
            raise Refused
        return item

    def perform(self, event):
        action = event["do"].replace(" ", "_")
        getattr(self, "do_" + action)(event)

    def do_off(self, event):
        self.running = False

    def do_on(self, event):
        self.running = True
        self.policy = event["policy"]
        self.zone_tick = None
        self.tick()

    def do_step(self, event):
        self.now = event["to"]
        if self.running:
            self.zone_tick = None
            self.tick()

    def do_zone(self, event):
        self.machine_zone = event["zone"]
        self.zone_tick = self.now // MINUTE * MINUTE + MINUTE

    def do_add(self, event):
        self.must_have_list(event["list"])
        owner = Owner(f"item {len(self.items) + 1}", event["list"], wall(event["due"]), event["zone"], event["remind"],
                      event["alerts"], event["rule"], event["origin"], event["nag"])
        self.must_occur(owner)
        self.items.append(owner)
        self.plan(owner)
        self.items_changed()

    def must_have_list(self, name):
        if name not in self.lists:
            raise Refused

    def must_occur(self, owner):
        if owner.rule and not rrulestr(local_rule(owner.rule, self.zone_of(owner)), dtstart=owner.start).after(
                owner.start - timedelta(seconds=1)):
            raise Refused

    def do_edit(self, event):
        item = self.item(event)
        edited = Owner(item.name, item.list_name, item.due, event.get("zone", item.zone), rule=event.get("rule", item.rule))
        edited.start = item.start
        is_redated = "due" in event and wall(event["due"]) != item.due
        if is_redated or event.get("rule"):
            edited.due = edited.start = wall(event["due"]) if "due" in event else item.due
            self.must_occur(edited)
        if edited.rule and edited.due is None:
            raise Refused
        if "list" in event:
            self.must_have_list(event["list"])
            item.list_name = event["list"]
        if is_redated or "rule" in event:
            item.last_checked = None
        if is_redated:
            item.snooze = item.waiting_nag = None
        item.due, item.start, item.zone, item.rule = edited.due, edited.start, edited.zone, edited.rule
        item.remind = event.get("remind", item.remind)
        item.nag = event.get("nag", item.nag)
        if "alerts" in event:
            item.alerts = tuple(event["alerts"]) or ("PT0S",)
        self.plan(item)
        self.items_changed()

    def do_check(self, event):
        item = self.item(event)
        if item.checked:
            return
        item.ended_nag = item.waiting_nag
        item.snooze = item.waiting_nag = None
        if item.rule is None:
            item.checked = True
        else:
            item.last_checked = (item.due, item.start, item.rule)
            self.move_on(item)
        self.plan(item)
        self.items_changed()

    def move_on(self, item):
        zone = self.zone_of(item)
        moment = wall_at(self.now, zone)
        rule = local_rule(item.rule, zone)
        if item.origin == "done":
            # Of a number of times that it is to be done, one has been.
            count = re.search(r";COUNT=(\d+)", item.rule)
            if count and count[1] == "1":
                item.checked = True
                return
            if count:
                item.rule = item.rule.replace(count[0], f";COUNT={int(count[1]) - 1}")
                rule = local_rule(item.rule, zone)
            length = {name: int(number) for name, number in re.findall(r"(INTERVAL)=(\d+)", rule)}.get("INTERVAL", 1)
            unit = {"MINUTELY": "minutes", "HOURLY": "hours", "DAILY": "days", "WEEKLY": "weeks", "MONTHLY": "months",
                    "YEARLY": "years"}[re.search(r"FREQ=(\w+)", rule)[1]]
            start = moment + relativedelta(**{unit: length})
            due = rrulestr(rule, dtstart=start).after(start, inc=True)
            # From an occurrence on, COUNT counts the same times on.
            start = due if count else start
        else:
            start = item.start
            due = recurrence(rule, start).after(max(moment, item.due))
        if due is None:
            item.checked = True
        else:
            item.due, item.start = due, start

    def do_uncheck(self, event):
        item = self.item(event)
        if not item.checked and not item.last_checked:
            return
        item.checked = False
        if item.last_checked:
            item.due, item.start, item.rule = item.last_checked
            item.last_checked = None
        self.plan(item)
        self.nag_on(item)
        self.items_changed()

    def nag_on(self, item):
        """An open item nags on: at the time it had, or counted from now."""
        nag, item.ended_nag = item.ended_nag, None
        times = self.times(item) if item.due and item.remind else []
        if not nag or not item.nag or item.waiting_nag or item.snooze or nag[0] not in times:
            return
        if nag[2] > self.now:
            item.waiting_nag = nag
        elif item.last_rung[0] in times and item.nags < NAG_LIMIT:
            item.waiting_nag = (*item.last_rung, later(self.now, item.nag, self.zone_of(item)))
        else:
            return
        self.wake(item, item.waiting_nag[2])

    def do_delete(self, event):
        self.item(event).is_gone = True
        self.items[event["item"] - 1] = None
        self.items_changed()

    def do_snooze(self, event):
        item = self.item(event)
        if item.checked or item.due is None or not item.remind:
            raise Refused
        times = set(self.times(item))
        rang = [time for (time, _), rings in item.over.items() if rings and time in times]
        fire_date = later(self.now, event["length"], self.zone_of(item))
        item.snooze = (max(rang, default=item.due), fire_date)
        item.waiting_nag = None
        self.wake(item, fire_date)

    def do_list_remind(self, event):
        self.must_have_list(event["list"])
        if event["due"]:
            self.must_occur(Owner("", None, wall(event["due"]), event["zone"], rule=event["rule"]))
        owner = self.lists[event["list"]]
        owner.due = owner.start = wall(event["due"])
        owner.zone, owner.rule = event["zone"], event["rule"]
        self.plan(owner)
        self.items_changed()

    def do_list_clear(self, event):
        self.must_have_list(event["list"])
        for index, item in enumerate(self.items):
            if item and item.list_name == event["list"]:
                item.is_gone = True
                self.items[index] = None
        self.items_changed()

    def do_list_delete(self, event):
        self.do_list_clear(event)
        self.lists.pop(event["list"]).is_gone = True


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        scenario = json.load(file)
    world = World(scenario)
    for number, event in enumerate(scenario["events"]):
        world.advance(event["at"])
        try:
            world.perform(event)
        except Refused:
            world.lines.append(f"refused {number}")
    world.advance(scenario["end"])
    print("\n".join(world.lines))


main()
