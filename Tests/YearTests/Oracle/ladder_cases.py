"""Short scenarios with what rings in them worked out by hand, to show that ladder_model.py says the same.

    ladder_cases.py > cases.json

Fails where the model disagrees. Prints each scenario with its name and the lines that the model gives for it. All times
are those of Zurich, on Monday, 5 January 2026, unless a date stands before them.
"""

import json
import sys
from datetime import datetime
from zoneinfo import ZoneInfo

import ladder_model

ZURICH = ZoneInfo("Europe/Zurich")
HOME = [{"to": ["anna"]}, {"after": "10m", "to": ["ben"]}, {"after": "30m", "to": ["cora"], "every": "10m", "times": 3}]
# Whom the steps of HOME ring for, if nobody answers.
ALL = ["09:00 planned anna-phone anna", "09:10 1.2.1 ben-phone ben", "09:30 1.3.1 cora-phone cora", "09:40 1.3.2 cora-phone cora",
       "09:50 1.3.3 cora-phone cora"]


def seconds(text):
    """The instant of 09:00, 09:00:30 or 01-06 09:00."""
    day, _, time = text.rpartition(" ")
    time = time if time.count(":") == 2 else time + ":00"
    return int(datetime.fromisoformat(f"2026-{day or '01-05'} {time}").replace(tzinfo=ZURICH).timestamp())


def config(**changes):
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
        "escalations": {"home": HOME},
        "categories": {"medicine": {"escalation": "home"}},
        "lists": {"Fam*": {"escalation": "home"}},
        "routes": [{"sinks": ["kitchen"]}],
    }
    for path, value in changes.items():
        *sections, last = path.split("__")
        section = base
        for name in sections:
            section = section[name.replace("_", "-")]
        section[last.replace("_", "-") if sections else last] = value
    for sink in base["sinks"].values():
        sink["type"] = "recorder"
    base["actions"] = ACTIONS
    return json.dumps(base)


ACTIONS = [
    {"identifier": "ack", "title": "OK", "do": "acknowledge"},
    {"identifier": "later", "title": "Later", "do": "snooze", "for": "10m"},
    {"identifier": "done", "title": "Done", "do": "check"},
    {"identifier": "trash", "title": "Delete", "do": "delete"},
]


def item(due="09:00", at="08:00", category="medicine", list="Home", rule=None, alerts=()):
    day = due if " " in due else f"01-05 {due}"
    return at, "add", {"due": "2026-" + day.replace(" ", "T"), "zone": "floating", "list": list, "category": category,
                       "rule": rule, "alerts": [*alerts], "remind": True, "nag": None}


def press(at, action, pick=0, token=None, signed_in=True, item=1):
    return at, "press", {"item": item, "action": action, "pick": pick, "token": token, "signed_in": signed_in,
                         "channel": "link", "person": "anna"}


def take_back(at, pick=0):
    return at, "take back", {"item": 1, "pick": pick}


def outage(begin, end, policy="all"):
    return [(begin, "off", {}), (end, "on", {"policy": policy})]


def set_config(at, **changes):
    return at, "config", {"config": config(**changes)}


def case(name, events, expected, faults=None, end="01-06 08:59", **changes):
    """What rings, as `09:10 1.2.1 ben-phone ben`: for a step its ladder, step and ring; then sink, person and address."""
    events = [set_config("07:00", **changes), ("07:00:01", "on", {"policy": "all"})] + events
    events = [{"at": seconds(at), "do": do, **details} for at, do, details in events]
    faults = {sink: [[seconds(begin), seconds(end), kind]] for sink, (begin, end, kind) in (faults or {}).items()}
    scenario = {"start": seconds("06:59"), "end": seconds(end), "zone": "Europe/Zurich",
                "lists": ["Home", "Family"], "faults": faults, "events": events}
    lines = ladder_model.run(scenario)
    found = [short(line) for line in lines]
    if found != expected:
        sys.exit(f"{name}\n  model:   {found}\n  by hand: {expected}")
    CASES.append({"name": name, "scenario": scenario, "expected": lines})


def short(line):
    if line.startswith("event"):
        return line.split(" ", 2)[2]
    reminder, recipient = line.split(" > ")
    instant, _, number, _, _, kind, *rest = reminder.split()
    time = datetime.fromtimestamp(int(instant), ZURICH)
    day = "" if (time.month, time.day) == (1, 5) else f"{time:%m-%d} "
    clock = f"{time:%H:%M:%S}" if time.second else f"{time:%H:%M}"
    what = ".".join(rest[:3]) if kind == "step" else kind
    sink, person, address = recipient.split()
    return " ".join([day + clock] + ([f"item {number}"] if number != "1" else []) + [what, sink, person]
                    + ([address] if address != "-" else []))


CASES = []

# The ladder itself

case("nobody answers", [item()], ALL)
case("a list has a ladder", [item(category=None, list="Family")], ALL)
case("without a ladder the routes decide", [item(category=None)], ["09:00 planned kitchen -"])
case("a step of a single ring without a next one ends the ladder", [item()], ALL[:2], escalations__home=HOME[:2])
case("rings of a step end when the next begins", [item()],
     ["09:00 planned anna-phone anna", "09:04 1.1.2 anna-phone anna", "09:08 1.1.3 anna-phone anna", "09:10 1.2.1 ben-phone ben"],
     escalations__home=[{"to": ["anna"], "every": "4m"}, HOME[1]])
case("a ring that would come with the next step is left out", [item()],
     ["09:00 planned anna-phone anna", "09:05 1.1.2 anna-phone anna", "09:10 1.2.1 ben-phone ben"],
     escalations__home=[{"to": ["anna"], "every": "5m"}, HOME[1]])
case("each alert has a ladder of its own", [item(alerts=["PT5M", "PT0S"])],
     ["08:55 planned anna-phone anna", "09:00 planned anna-phone anna", "09:05 1.2.1 ben-phone ben", "09:10 1.2.1 ben-phone ben"],
     escalations__home=HOME[:2])
case("a recipient is asked once, by an address of their own where there is one", [item()],
     ["09:00 planned anna-phone anna", "09:10 1.2.1 mail dan dan@example.org", "09:10 1.2.1 mail - house@example.org",
      "09:10 1.2.1 mail - hall@example.org"],
     escalations__home=[HOME[0], {"after": "10m", "to": ["dan", "eva", "mail", "dan"]}])

PLANNED, BEN, CORA = ALL[0], ALL[1], ALL[2:]


def again(time, words):
    """A ring of the ladder at another time."""
    return f"{time} {words.split(' ', 1)[1]}"


def rings_of_cora(first, *others, ladder=1):
    return [f"{time} {ladder}.3.{ring} cora-phone cora" for ring, time in enumerate((first,) + others, 1)]


case("days are days on the wall clock, hours are hours", [item("03-28 09:00", rule=None)],
     ["03-28 09:00 planned anna-phone anna", "03-29 09:00 1.2.1 ben-phone ben", "03-29 10:00 1.3.1 cora-phone cora"],
     escalations__home=[HOME[0], {"after": "1d", "to": ["ben"]}, {"after": "25h", "to": ["cora"]}], end="03-30 12:00")

# What ends a ladder

for action in "ack", "done", "trash":
    case(f"{action} ends the ladder", [item(), press("09:05:20", action)], [PLANNED, "done"])
case("the message of a later step is answered likewise", [item(), press("09:11:20", "ack")], [PLANNED, BEN, "done"])
case("a second acknowledgement comes too late", [item(), press("09:05:20", "ack"), press("09:06:20", "ack")],
     [PLANNED, "done", "already"])
case("the same press counts once", [item(), press("09:05:20", "ack", token="t"), press("09:06:20", "ack", token="t")],
     [PLANNED, "done", "repeated"])
case("what destroys asks for signing in", [item(), press("09:05:20", "trash", signed_in=False)],
     [PLANNED, "refused"] + ALL[1:])
case("a check by command ends the ladder", [item(), ("09:05:20", "check", {"item": 1})], [PLANNED])
case("re-dating ends the ladder", [item(), ("09:05:20", "edit", {"item": 1, "due": "2026-01-07T09:00"})], [PLANNED])
case("a changed text ends nothing", [item(), ("09:05:20", "edit", {"item": 1})], ALL)
case("the next occurrence ends the ladder", [item(rule="FREQ=MINUTELY;INTERVAL=20;COUNT=2")],
     [PLANNED, BEN, again("09:20", PLANNED), again("09:30", BEN)] + rings_of_cora("09:50", "10:00", "10:10"))
case("the next occurrence comes before a step of the same minute", [item(rule="FREQ=MINUTELY;INTERVAL=10;COUNT=2")],
     [PLANNED, again("09:10", PLANNED), again("09:20", BEN)] + rings_of_cora("09:40", "09:50", "10:00"))
case("an answered occurrence leaves the next one alone",
     [item(rule="FREQ=MINUTELY;INTERVAL=20;COUNT=2"), press("09:05:20", "done")],
     [PLANNED, "done", again("09:20", PLANNED), again("09:30", BEN)] + rings_of_cora("09:50", "10:00", "10:10"))
case("a snooze ends the ladder and begins a new one", [item(), press("09:11:20", "later")],
     [PLANNED, BEN, "done", "09:21 snooze anna-phone anna", "09:31 2.2.1 ben-phone ben"]
     + rings_of_cora("09:51", "10:01", "10:11", ladder=2))
case("so does a snooze by command", [item(), ("09:05:20", "snooze", {"item": 1, "length": "PT1H"})],
     [PLANNED, "10:05 snooze anna-phone anna", "10:15 2.2.1 ben-phone ben"]
     + rings_of_cora("10:35", "10:45", "10:55", ladder=2))
case("an acknowledgement of one alert leaves the ladder of another",
     [item(alerts=["PT5M", "PT0S"]), press("09:02:20", "ack")],
     ["08:55 planned anna-phone anna", PLANNED, "done", again("09:05", BEN)], escalations__home=HOME[:2])

# Outages and clocks

case("a restart changes nothing", [item()] + outage("09:05:20", "09:07:30"), ALL)
case("after an outage the first step comes at once, the later ones at their distance",
     [item()] + outage("09:05:20", "10:15:30"),
     [PLANNED, again("10:15:30", BEN)] + rings_of_cora("10:35", "10:45", "10:55"))
case("a late ring moves the next step",
     [item()] + outage("09:02:20", "09:12:30"),
     [PLANNED, "09:12:30 1.1.2 anna-phone anna", "09:16 1.1.3 anna-phone anna", "09:18 1.2.1 ben-phone ben"],
     escalations__home=[{"to": ["anna"], "every": "4m", "times": 3}, HOME[1]])
case("a late reminder begins its ladder when it rings", [item()] + outage("08:30:00", "09:05:10"),
     [again("09:05:10", PLANNED), again("09:15", BEN)] + rings_of_cora("09:35", "09:45", "09:55"))
case("a missed reminder has no ladder", [item()] + outage("08:30:00", "09:15:10", "skip"), [])
case("a step makes no reminder missed",
     [item(rule="FREQ=DAILY;COUNT=2")] + outage("01-06 08:50:20", "01-06 11:00:10", "once"),
     [PLANNED, again("01-06 11:00:10", PLANNED)],
     escalations__home=[HOME[0], {"after": "24h6m", "to": ["cora"]}], end="01-06 12:00")
case("a clock that is set back makes steps wait for their time", [item(), ("09:05:20", "step", {"to": seconds("08:35")})],
     ALL)
case("a clock that is set forward makes a step late", [item(), ("09:05:20", "step", {"to": seconds("12:00:07")})],
     [PLANNED, again("12:00:07", BEN)] + rings_of_cora("12:20", "12:30", "12:40"))

# Who is not there

AWAY = {"away": [{"from": "2026-01-05", "until": "2026-01-05"}]}
case("a step whose people are away is skipped", [item()], [PLANNED] + rings_of_cora("09:10", "09:20", "09:30"),
     people__ben={"sinks": ["ben-phone"], **AWAY})
case("so is the first", [item()], [again("09:00", BEN)] + rings_of_cora("09:20", "09:30", "09:40"),
     people__anna={"sinks": ["anna-phone"], **AWAY})
case("one who is there is enough", [item()], [PLANNED, BEN],
     escalations__home=[HOME[0], {"after": "10m", "to": ["ben", "cora"]}], people__cora={"sinks": ["cora-phone"], **AWAY})
case("an absence ends with its minute", [item()], ALL,
     people__anna={"sinks": ["anna-phone"], "away": [{"from": "2026-01-05 08:00", "until": "2026-01-05 09:00"}]})
case("and begins with it", [item()], [again("09:00", BEN)] + rings_of_cora("09:20", "09:30", "09:40"),
     people__anna={"sinks": ["anna-phone"], "away": [{"from": "2026-01-05 09:00", "until": "2026-01-05 09:01"}]})
case("a step whose sinks are off is skipped", [item()], [PLANNED] + rings_of_cora("09:10", "09:20", "09:30"),
     sinks__ben_phone={"enabled": False})
case("quiet hours hold messages, not steps", [item()], [BEN, again("09:15", PLANNED)] + CORA,
     people__anna={"sinks": ["anna-phone"], "quiet_hours": {"from": "08:30", "to": "09:15"}})
case("an answer calls off what they hold", [item(), press("09:12:20", "ack")], [BEN, "done"],
     people__anna={"sinks": ["anna-phone"], "quiet_hours": {"from": "08:30", "to": "09:15"}})
case("nothing comes before the quiet hours of both sink and person are over", [item()],
     [BEN, CORA[0], again("09:35", PLANNED)] + CORA[1:],
     people__anna={"sinks": ["anna-phone"], "quiet_hours": {"from": "08:30", "to": "09:15"}},
     sinks__anna_phone={"quiet_hours": {"from": "09:10", "to": "09:35"}})

# What does not arrive

case("a step that reaches nobody hands over", [item()],
     [PLANNED, again("09:00", BEN)] + rings_of_cora("09:20", "09:30", "09:40"),
     faults={"anna-phone": ("08:00", "10:00", "never")})
case("one delivery that arrives is enough", [item()],
     ["09:00 planned anna-phone anna", "09:00 planned kitchen -", BEN] + CORA,
     escalations__home=[{"to": ["anna", "kitchen"]}] + HOME[1:], faults={"anna-phone": ("08:00", "10:00", "never")})
RETRIED = [again(time, PLANNED) for time in ("09:00", "09:00:05", "09:00:35", "09:02:35", "09:03:07")]
case("so does one that is given up", [item()],
     RETRIED + [again("09:03:07", BEN)] + rings_of_cora("09:23", "09:33", "09:43"),
     sinks__anna_phone={"retry": {"max_age": "3m7s"}}, faults={"anna-phone": ("08:00", "10:00", "later")})
case("an answer ends what is tried again", [item(), press("09:00:20", "ack")], RETRIED[:2] + ["done"],
     faults={"anna-phone": ("08:00", "10:00", "later")})
case("a message of several reminders goes out whole", [item(), item(), press("09:00:20", "ack")],
     [f"{time} {number}planned mail dan dan@example.org" for time in ("09:00", "09:00:05") for number in ("", "item 2 ")]
     + ["done"]
     + [f"09:00:35 {number}planned mail dan dan@example.org" for number in ("", "item 2 ")]
     + ["09:10 item 2 1.2.1 ben-phone ben"],
     escalations__home=[{"to": ["dan"]}, HOME[1]], sinks__mail={"to": ["house@example.org"], "group_by": "all"},
     faults={"mail": ("08:00", "09:00:30", "later")})
case("an address that is gone is not written to", [item(), set_config("09:00:20", escalations__home=[{"to": ["dan"]}, HOME[1]],
     people__dan={"sinks": ["mail"], "address": "daniel@example.org"}, sinks__mail={"to": ["house@example.org"]})],
     ["09:00 planned mail dan dan@example.org", "09:00:05 planned mail dan dan@example.org", "09:00:35 1.2.1 ben-phone ben"],
     escalations__home=[{"to": ["dan"]}, HOME[1]], sinks__mail={"to": ["house@example.org"]},
     faults={"mail": ("08:00", "10:00", "later")})

# A config that changes

case("steps that are gone are not made", [item(), set_config("09:05:20", escalations__home=HOME[:2])], [PLANNED, BEN])
case("a scheduled step that is gone ends", [item(), set_config("09:15:20", escalations__home=HOME[:2])], [PLANNED, BEN])
case("the next step is then found by time",
     [item(), set_config("09:15:20", escalations__home=[HOME[0], {"after": "2h", "to": ["eva"]}])],
     [PLANNED, BEN, "11:00 2.2.1 mail - house@example.org", "11:00 2.2.1 mail - hall@example.org"])
case("a ladder that is gone ends", [item(), set_config("09:05:20", categories__medicine={})], [PLANNED])
case("another list may have another ladder", [item(category=None, list="Family"), ("09:05:20", "edit", {"item": 1, "list": "Home"})],
     [PLANNED])
case("steps to come keep their times, those after them follow the new config",
     [item(), set_config("09:05:20", escalations__home=[HOME[0], {"after": "5m", "to": ["cora"]}, {"after": "45m", "to": ["ben"]}])],
     [PLANNED, "09:10 1.2.1 cora-phone cora", "09:50 1.3.1 ben-phone ben"])
case("a sink that is gone hands over", [item(), set_config("09:00:20", sinks__anna_phone={"enabled": False})],
     RETRIED[:2] + [again("09:00:20", BEN)] + rings_of_cora("09:20", "09:30", "09:40"),
     faults={"anna-phone": ("08:00", "10:00", "later")})

# After an acknowledgement

AGAIN = {"categories__medicine": {"escalation": "home", "again_after": "1h"}, "escalations__home": HOME[:2]}
ONCE = {**AGAIN, "categories__medicine": {"escalation": "home", "again_after": "1h", "again": "once"}}
case("an acknowledged reminder rings again", [item(), press("09:05:20", "ack"), press("10:06:20", "ack"), press("11:06:40", "done")],
     [PLANNED, "done", "10:05 snooze anna-phone anna", "done", "11:06 snooze anna-phone anna", "done"], **AGAIN)
case("or once", [item(), press("09:05:20", "ack"), press("10:16:20", "ack")],
     [PLANNED, "done", "10:05 snooze anna-phone anna", "10:15 2.2.1 ben-phone ben", "done"], **ONCE)
case("a check ends that", [item(), press("09:05:20", "ack"), press("09:06:20", "done")], [PLANNED, "done", "done"], **AGAIN)
case("taking it back ends that too", [item(), press("09:05:20", "ack"), take_back("09:07:10")],
     [PLANNED, "done", "taken back", BEN], **AGAIN)
case("a stronger answer does not stand in its way",
     [item(), press("09:05:20", "ack"), press("09:06:20", "later"), take_back("09:07:10", pick=1), take_back("09:08:10")],
     [PLANNED, "done", "done", "taken back", "taken back", BEN], **AGAIN)

# Taking back

case("steps come back at their times", [item(), press("09:05:20", "ack"), take_back("09:07:10")],
     [PLANNED, "done", "taken back", BEN] + CORA)
case("the first one comes at once where its time has passed", [item(), press("09:05:20", "ack"), take_back("09:15:10")],
     [PLANNED, "done", "taken back", again("09:16", BEN)] + rings_of_cora("09:36", "09:46", "09:56"))
case("the others keep their distance from it", [item(), press("09:06:20", "ack"), take_back("09:15:10")],
     [PLANNED, "09:05 1.1.2 anna-phone anna", "done", "taken back", "09:16 1.1.3 anna-phone anna", again("09:18", BEN)],
     escalations__home=[{"to": ["anna"], "every": "5m", "times": 3}, {"after": "12m", "to": ["ben"]}])
case("nothing comes back while another answer holds", [item(), press("09:05:20", "ack"), press("09:06:20", "done"), take_back("09:07:10", pick=1)],
     [PLANNED, "done", "done", "taken back"])
case("in any order", [item(), press("09:05:20", "ack"), press("09:06:20", "done"), take_back("09:07:10", pick=1), take_back("09:08:10")],
     [PLANNED, "done", "done", "taken back", "taken back", BEN] + CORA)
case("nothing comes back once it has rung again",
     [item(rule="FREQ=MINUTELY;INTERVAL=20;COUNT=2"), press("09:05:20", "ack"), take_back("09:22:10")],
     [PLANNED, "done", again("09:20", PLANNED), "taken back", again("09:30", BEN)] + rings_of_cora("09:50", "10:00", "10:10"))
case("what was called off is sent after all", [item(), press("09:12:20", "ack"), take_back("09:13:10")],
     [BEN, "done", "taken back", again("09:15", PLANNED)] + CORA,
     people__anna={"sinks": ["anna-phone"], "quiet_hours": {"from": "08:30", "to": "09:15"}})
case("after a day nothing is taken back", [item(), press("09:05:20", "ack"), take_back("01-06 09:05:30")],
     [PLANNED, "done", "refused"], end="01-06 10:00")

json.dump(CASES, sys.stdout)
