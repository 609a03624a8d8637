"""The words in which escalation_cases.py writes its scenarios: a small house, what people do, and what rings.

All times are those of Zurich: 09:00 or 09:00:30 on Monday, 5 January 2026, or with a date as in 01-06 09:00.
"""

import json
import sys
from datetime import datetime
from zoneinfo import ZoneInfo

import escalation_model
from escalation_household import ACTIONS

ZURICH = ZoneInfo("Europe/Zurich")
HOME = [
    {"to": ["anna"]}, {"after": "10m", "to": ["ben"]}, {"after": "30m", "to": ["cora"], "every": "10m", "times": 3},
]
CASES = []


def seconds(text):
    """The instant of a time."""
    day, _, time = text.rpartition(" ")
    time = time if time.count(":") == 2 else time + ":00"
    return int(datetime.fromisoformat(f"2026-{day or '01-05'} {time}").replace(tzinfo=ZURICH).timestamp())


def config(steps, **changes):
    """The config of the house; a change names its place in it, as in `sinks__ben_phone`."""
    base = {
        "store": {"type": "sqlite", "path": "unused"},
        "sinks": {
            "anna-phone": {}, "ben-phone": {}, "cora-phone": {}, "kitchen": {},
            "mail": {"to": ["house@example.org", "hall@example.org"]},
        },
        "people": {
            "anna": {"sinks": ["anna-phone"]}, "ben": {"sinks": ["ben-phone"]}, "cora": {"sinks": ["cora-phone"]},
            "dan": {"sinks": ["mail"], "address": "dan@example.org"}, "eva": {"sinks": ["mail"]},
        },
        "escalations": {"home": steps},
        "categories": {"medicine": {"escalation": "home"}},
        "lists": {"Fam*": {"escalation": "home"}},
        "routes": [{"sinks": ["kitchen"]}],
        "actions": ACTIONS,
    }
    for place, value in changes.items():
        section, name = place.split("__")
        base[section][name.replace("_", "-")] = value
    for sink in base["sinks"].values():
        sink["type"] = "recorder"
    return json.dumps(base)


# What happens

def item(due="09:00", at="08:00", category="medicine", list="Home", rule=None, alerts=()):
    day = due if " " in due else f"01-05 {due}"
    return at, "add", {
        "due": "2026-" + day.replace(" ", "T"), "zone": "floating", "list": list, "category": category, "rule": rule,
        "alerts": [*alerts], "remind": True, "nag": None}


def command(at, name, **details):
    return at, name, {"item": 1, **details}


def press(at, action, pick=0, token=None, signed_in=True):
    return command(
        at, "press", action=action, pick=pick, token=token, signed_in=signed_in, channel="link", person="anna")


def take_back(at, pick=0):
    return command(at, "take back", pick=pick)


def outage(begin, end, policy="all"):
    return [(begin, "off", {}), (end, "on", {"policy": policy})]


def clock(at, to):
    return at, "step", {"to": seconds(to)}


def set_config(at, steps=HOME, **changes):
    return at, "config", {"config": config(steps, **changes)}


# What rings

def case(name, events, expected, steps=HOME, faults=(), end="01-06 08:59", **changes):
    """Adds a scenario, once the model agrees with what was worked out by hand.

    Expected is a ringing as `09:10 1.2.1 ben-phone ben`: for a step its run, step and ring, then sink, person and
    address; or the outcome of a press. A fault is a sink, when it begins and ends, and its kind.
    """
    events = [set_config("07:00", steps, **changes), ("07:00:01", "on", {"policy": "all"})] + events
    scenario = {
        "start": seconds("06:59"), "end": seconds(end), "zone": "Europe/Zurich", "lists": ["Home", "Family"],
        "faults": {sink: [[seconds(begin), seconds(over), kind]] for sink, begin, over, kind in faults},
        "events": [{"at": seconds(at), "do": do, **details} for at, do, details in events],
    }
    lines = escalation_model.run(scenario)
    found = [short(line) for line in lines]
    if found != expected:
        sys.exit(f"{name}\n  model:   {found}\n  by hand: {expected}")
    CASES.append({"name": name, "scenario": scenario, "expected": lines})


def short(line):
    """A line of the model in the words of a case."""
    if line.startswith("event"):
        return line.split(" ", 2)[2]
    reminder, recipient = line.split(" > ")
    instant, _, number, _, _, kind, *rest = reminder.split()
    time = datetime.fromtimestamp(int(instant), ZURICH)
    words = [] if (time.month, time.day) == (1, 5) else [f"{time:%m-%d}"]
    words.append(f"{time:%H:%M:%S}" if time.second else f"{time:%H:%M}")
    if number != "1":
        words.append(f"item {number}")
    words.append(".".join(rest[:3]) if kind == "step" else kind)
    return " ".join(words + [word for word in recipient.split() if word != "-"])


def at(time, words):
    """The same ringing at another time."""
    return f"{time} {words.split(' ', 1)[1]}"


def cora(*times, run=1):
    """Rings of the third step."""
    return [f"{time} {run}.3.{ring} cora-phone cora" for ring, time in enumerate(times, 1)]
