"""People, sinks and escalations of a config, as answers.md and states.md define them."""

import json
from datetime import datetime, timedelta
from fnmatch import fnmatchcase

from times import instant, span, wall_at


class Step:
    """Its times are exact minutes: a day is 24 hours."""

    def __init__(self, data):
        self.after, self.to = minutes(data.get("after", "0m")), data["to"]
        self.every = minutes(data["every"]) if "every" in data else None
        self.times = data.get("times", 24) if self.every else 1


class Escalation:
    def __init__(self, name, steps, rule):
        self.name, self.steps = name, [Step(step) for step in steps]
        self.again_after = span(rule["again_after"]) if "again_after" in rule else None
        self.is_once = rule.get("again") == "once"

    def step(self, number):
        """The step with this number, from 1; None if there is none."""
        return self.steps[number - 1] if number <= len(self.steps) else None

    def distance(self, number):
        """The minutes from the step before to this one."""
        return self.steps[number - 1].after - self.steps[number - 2].after


def minutes(text):
    days, rest = span(text)
    return days * 1440 + rest


class Config:
    def __init__(self, text):
        data = json.loads(text)
        self.people, self.escalations = data["people"], data["escalations"]
        self.categories, self.lists, self.routes = data["categories"], data["lists"], data["routes"]
        self.sinks = {name: sink for name, sink in data["sinks"].items() if sink.get("enabled", True)}
        self.owners = {}
        for sink in self.sinks:
            reached = [name for name, person in self.people.items() if sink in person["sinks"]]
            self.owners[sink] = reached[0] if len(reached) == 1 else None

    # Who is reached

    def rule_of(self, list_name, category):
        rule = self.categories.get(category) or {}
        if "escalation" in rule:
            return rule
        matching = (rule for pattern, rule in self.lists.items() if fnmatchcase(list_name.lower(), pattern.lower()))
        return next(matching, None)

    def escalation(self, list_name, category):
        rule = self.rule_of(list_name, category)
        return rule and Escalation(rule["escalation"], self.escalations[rule["escalation"]], rule)

    def routed(self, list_name):
        """The names of people and sinks that the first matching route has."""
        return next(route["sinks"] for route in self.routes
                    if any(fnmatchcase(list_name.lower(), pattern.lower()) for pattern in route.get("lists", ["*"])))

    def is_away(self, name, now, zone):
        return any(boundary(absence["from"], 0, zone) <= now < boundary(absence["until"], 1, zone)
                   for absence in self.people[name].get("away", []))

    def recipients(self, names, now, zone):
        """Sink, person and address of each recipient; None for no one in particular and for a sink without addresses.

        A sink gets a message for one person once: the name that comes first decides about the address.
        """
        found = {}
        for name in names:
            person = self.people.get(name)
            if person and self.is_away(name, now, zone):
                continue
            for sink in person["sinks"] if person else [name]:
                if sink not in self.sinks:
                    continue
                own = self.sinks[sink].get("to")
                if person and own and "address" in person:
                    found.setdefault((sink, name), [person["address"]])
                else:
                    found.setdefault((sink, self.owners[sink]), own or [None])
        return [(sink, person, address) for (sink, person), addresses in found.items() for address in addresses]

    def accepts(self, sink, address):
        """Whether an address is still one of a sink's."""
        own = self.sinks[sink].get("to")
        return own is None or address in own or any(
            sink in person["sinks"] and person.get("address") == address for person in self.people.values())

    # When they are reached

    def permitted(self, sink, person, now, zone):
        """The first instant outside the quiet hours of both."""
        held = [self.sinks[sink].get("quiet_hours"), self.people.get(person, {}).get("quiet_hours")]
        while True:
            end = max(quiet_end(hours, now, zone) for hours in held)
            if end <= now:
                return now
            now = end


def boundary(text, days, zone):
    """The instant of a wall-clock time; of a day its beginning, or that of a later day."""
    if " " in text:
        return instant(datetime.strptime(text, "%Y-%m-%d %H:%M"), zone)
    return instant(datetime.strptime(text, "%Y-%m-%d") + timedelta(days=days), zone)


def quiet_end(hours, now, zone):
    if hours is None:
        return now
    begin, end, time = clock(hours["from"]), clock(hours["to"]), wall_at(now, zone)
    minutes = time.hour * 60 + time.minute
    is_quiet = begin <= minutes < end if begin < end else minutes >= begin or minutes < end
    if not is_quiet:
        return now
    day = time.replace(hour=0, minute=0) + timedelta(days=1 if end < begin <= minutes else 0)
    return instant(day + timedelta(minutes=end), zone)


def clock(text):
    hour, minute = text.split(":")
    return int(hour) * 60 + int(minute)
