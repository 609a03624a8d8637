"""Short scenarios with what rings in them worked out by hand, to show that escalation_model.py says the same.

    escalation_cases.py > cases.json

Fails where the model disagrees. Prints each scenario with its name and the lines that the model gives for it.
"""

import json
import sys

from escalation_case import CASES, HOME, at, case, clock, command, cora, item, outage, press, set_config, take_back

# Whom the steps of HOME ring for, if nobody answers.
PLANNED, BEN, CORA = "09:00 planned anna-phone anna", "09:10 1.2.1 ben-phone ben", cora("09:30", "09:40", "09:50")
ALL = [PLANNED, BEN] + CORA

# The escalation itself

case("nobody answers", [item()], ALL)
case("a list has an escalation", [item(category=None, list="Family")], ALL)
case("without an escalation the routes decide", [item(category=None)], ["09:00 planned kitchen"])
case("the last step ends the escalation", [item()], ALL[:2], steps=HOME[:2])
case("rings of a step end when the next begins", [item()],
     [PLANNED, "09:04 1.1.2 anna-phone anna", "09:08 1.1.3 anna-phone anna", BEN],
     steps=[{"to": ["anna"], "every": "4m"}, HOME[1]])
case("a ring that would come with the next step is left out", [item()],
     [PLANNED, "09:05 1.1.2 anna-phone anna", BEN], steps=[{"to": ["anna"], "every": "5m"}, HOME[1]])
case("each alert has an escalation of its own", [item(alerts=["PT5M", "PT0S"])],
     [at("08:55", PLANNED), PLANNED, at("09:05", BEN), BEN], steps=HOME[:2])
case("a recipient is asked once, at an address of their own where there is one", [item()],
     [PLANNED, "09:10 1.2.1 mail dan dan@example.org", "09:10 1.2.1 mail house@example.org",
      "09:10 1.2.1 mail hall@example.org"],
     steps=[HOME[0], {"after": "10m", "to": ["dan", "eva", "mail"]}])
case("a day of an escalation is 24 hours", [item("03-28 09:00")],
     [at("03-28 09:00", PLANNED), at("03-29 10:00", BEN), *cora("03-29 11:00")],
     steps=[HOME[0], {"after": "1d", "to": ["ben"]}, {"after": "25h", "to": ["cora"]}], end="03-30 12:00")

PAGER = {"steps": [{"to": ["fay", "pager"]}, {"after": "10m", "to": ["pager", "fay"]}],
         "sinks__pager": {"to": ["pager@example.org"]},
         "people__fay": {"sinks": ["pager"], "address": "fay@example.org"}}
case("of two names for one person at one sink the first decides", [item()],
     ["09:00 planned pager fay fay@example.org", "09:10 1.2.1 pager fay pager@example.org"], **PAGER)

# What ends an escalation

for action in "ack", "done", "trash":
    case(f"{action} ends the escalation", [item(), press("09:05:20", action)], [PLANNED, "done"])
case("the message of a later step is answered likewise", [item(), press("09:11:20", "ack")], [PLANNED, BEN, "done"])
case("a second acknowledgement comes too late", [item(), press("09:05:20", "ack"), press("09:06:20", "ack")],
     [PLANNED, "done", "already"])
case("the same press counts once",
     [item(), press("09:05:20", "ack", token="t"), press("09:06:20", "ack", token="t")], [PLANNED, "done", "repeated"])
case("and no more once it was taken back",
     [item(), press("09:05:20", "ack", token="t"), take_back("09:06:20"), press("09:07:20", "ack", token="t")],
     [PLANNED, "done", "taken back", "spent", BEN] + CORA)
case("what destroys asks for signing in", [item(), press("09:05:20", "trash", signed_in=False)],
     [PLANNED, "refused", BEN] + CORA)
case("a check by command ends the escalation", [item(), command("09:05:20", "check")], [PLANNED])
case("re-dating ends the escalation", [item(), command("09:05:20", "edit", due="2026-01-07T09:00")], [PLANNED])
case("a changed text ends nothing", [item(), command("09:05:20", "edit", text="changed")], ALL)
case("the next occurrence ends the escalation", [item(rule="FREQ=MINUTELY;INTERVAL=20;COUNT=2")],
     [PLANNED, BEN, at("09:20", PLANNED), at("09:30", BEN)] + cora("09:50", "10:00", "10:10"))
case("the next occurrence comes before a step of the same minute", [item(rule="FREQ=MINUTELY;INTERVAL=10;COUNT=2")],
     [PLANNED, at("09:10", PLANNED), at("09:20", BEN)] + cora("09:40", "09:50", "10:00"))
case("an answered occurrence leaves the next one alone",
     [item(rule="FREQ=MINUTELY;INTERVAL=20;COUNT=2"), press("09:05:20", "done")],
     [PLANNED, "done", at("09:20", PLANNED), at("09:30", BEN)] + cora("09:50", "10:00", "10:10"))
case("a snooze ends the escalation and begins a new one", [item(), press("09:11:20", "later")],
     [PLANNED, BEN, "done", "09:21 snooze anna-phone anna", "09:31 2.2.1 ben-phone ben"]
     + cora("09:51", "10:01", "10:11", run=2))
case("so does a snooze by command", [item(), command("09:05:20", "snooze", length="PT1H")],
     [PLANNED, "10:05 snooze anna-phone anna", "10:15 2.2.1 ben-phone ben"] + cora("10:35", "10:45", "10:55", run=2))
case("an answered snooze that rang before its time answers nothing for the reminder itself",
     [item(), command("08:30:20", "snooze", length="PT10M"), press("08:45:20", "ack"), press("09:12:20", "ack")],
     ["08:40 snooze anna-phone anna", "done", PLANNED, "09:10 2.2.1 ben-phone ben", "done"])
case("an acknowledgement of one alert leaves the escalation of another",
     [item(alerts=["PT5M", "PT0S"]), press("09:02:20", "ack")],
     [at("08:55", PLANNED), PLANNED, "done", at("09:05", BEN)], steps=HOME[:2])

# Outages and clocks

case("a restart changes nothing", [item()] + outage("09:05:20", "09:07:30"), ALL)
case("after an outage the first step comes at once, the later ones at their distance",
     [item()] + outage("09:05:20", "10:15:30"), [PLANNED, at("10:15:30", BEN)] + cora("10:35", "10:45", "10:55"))
case("a late ring moves the next step", [item()] + outage("09:02:20", "09:12:30"),
     [PLANNED, "09:12:30 1.1.2 anna-phone anna", "09:16 1.1.3 anna-phone anna", at("09:18", BEN)],
     steps=[{"to": ["anna"], "every": "4m", "times": 3}, HOME[1]])
case("a late reminder begins its escalation when it rings", [item()] + outage("08:30:00", "09:05:10"),
     [at("09:05:10", PLANNED), at("09:15", BEN)] + cora("09:35", "09:45", "09:55"))
case("a missed reminder has no escalation", [item()] + outage("08:30:00", "09:15:10", "skip"), [])
case("a step makes no reminder missed",
     [item(rule="FREQ=DAILY;COUNT=2")] + outage("01-06 08:50:20", "01-06 11:00:10", "once"),
     [PLANNED, at("01-06 11:00:10", PLANNED)],
     steps=[HOME[0], {"after": "24h6m", "to": ["cora"]}], end="01-06 12:00")
case("a clock that is set back makes steps wait for their time", [item(), clock("09:05:20", "08:35")], ALL)
case("a clock that is set forward makes a step late", [item(), clock("09:05:20", "12:00:07")],
     [PLANNED, at("12:00:07", BEN)] + cora("12:20", "12:30", "12:40"))

AHEAD = [("07:30", "on", {"policy": "skip"}), item(category=None, rule="FREQ=DAILY;COUNT=4"),
         clock("09:05:20", "01-08 10:00"), clock("01-08 10:01:20", "09:07")]
case("what was missed while the clock was ahead stays missed, and what was left out behind it does not come by itself",
     AHEAD, ["09:00 planned kitchen"], end="01-09 12:00")
case("what was left out comes once the item is planned anew",
     AHEAD + [press("09:08:20", "done"), take_back("09:09:10")],
     ["09:00 planned kitchen", "done", "taken back", "01-07 09:00 planned kitchen", "01-08 09:00 planned kitchen"],
     end="01-09 12:00")

SKIPPED = [("07:30", "on", {"policy": "skip"}), item(rule="FREQ=DAILY;COUNT=4"), command("09:05:20", "check"),
           clock("09:06:20", "01-08 09:00:07"), clock("01-08 09:01:20", "09:07"),
           command("09:08:20", "uncheck"), command("09:09:20", "check")]
case("what rang on a clock that was ahead is no later ringing",
     SKIPPED + [press("01-07 09:05:20", "ack"), take_back("01-07 09:06:20")],
     [PLANNED, at("01-08 09:00:07", PLANNED), at("01-07 09:00", PLANNED), "done", "taken back",
      at("01-07 09:10", BEN)] + cora("01-07 09:30", "01-07 09:40", "01-07 09:50"), end="01-09 12:00")
LONDON, ZURICH = [(time, "zone", {"zone": zone}) for time, zone in (
    ("07:30", "Europe/London"), ("09:40:20", "Europe/Zurich"))]
case("the last ringing is the one that came last, whatever its time",
     [LONDON, item(), command("08:30:20", "snooze", length="PT1H"), press("09:35:20", "ack"), ZURICH,
      press("09:45:20", "ack")],
     ["09:30 snooze anna-phone anna", "done", at("09:41", PLANNED), "done"])
case("also where the clock was ahead before",
     [item(), press("09:05:20", "ack"), clock("09:06:20", "08:00"), command("08:01:20", "snooze", length="PT10M")],
     [PLANNED, "done", "08:11 snooze anna-phone anna", "08:21 2.2.1 ben-phone ben"]
     + cora("08:41", "08:51", "09:01", run=2))

# People who are not there

AWAY = {"away": [{"from": "2026-01-05", "until": "2026-01-05"}]}
NO_BEN, NO_ANNA = [PLANNED] + cora("09:10", "09:20", "09:30"), [at("09:00", BEN)] + cora("09:20", "09:30", "09:40")
case("a step whose people are away is skipped", [item()], NO_BEN, people__ben={"sinks": ["ben-phone"], **AWAY})
case("so is the first", [item()], NO_ANNA, people__anna={"sinks": ["anna-phone"], **AWAY})
case("one who is there is enough", [item()], ALL[:2], steps=[HOME[0], {"after": "10m", "to": ["ben", "cora"]}],
     people__cora={"sinks": ["cora-phone"], **AWAY})
for begin, until, expected in ("08:00", "09:00", ALL), ("09:00", "09:01", NO_ANNA):
    case(f"an absence has its first minute and not its last: {begin}", [item()], expected, people__anna={
        "sinks": ["anna-phone"], "away": [{"from": f"2026-01-05 {begin}", "until": f"2026-01-05 {until}"}]})
case("a step whose sinks are off is skipped", [item()], NO_BEN, sinks__ben_phone={"enabled": False})
QUIET = {"sinks": ["anna-phone"], "quiet_hours": {"from": "08:30", "to": "09:15"}}
case("quiet hours hold messages, not steps", [item()], [BEN, at("09:15", PLANNED)] + CORA, people__anna=QUIET)
case("an answer calls off what they hold", [item(), press("09:12:20", "ack")], [BEN, "done"], people__anna=QUIET)
case("a ring is left out while another message is held", [item()],
     [PLANNED, BEN, at("09:45", CORA[0]), CORA[2]],
     people__cora={"sinks": ["cora-phone"], "quiet_hours": {"from": "09:20", "to": "09:45"}})
case("so is a later step, for those who have one", [item()], [BEN, at("09:15", PLANNED)],
     steps=[HOME[0], {"after": "10m", "to": ["anna", "ben"]}], people__anna=QUIET)
case("nothing comes before the quiet hours of both sink and person are over", [item()],
     [BEN, CORA[0], at("09:35", PLANNED)] + CORA[1:],
     people__anna=QUIET, sinks__anna_phone={"quiet_hours": {"from": "09:10", "to": "09:35"}})

# Deliveries that do not arrive

NEVER, LATER = ("anna-phone", "08:00", "10:00", "never"), ("anna-phone", "08:00", "10:00", "later")
case("a step that reaches nobody hands over", [item()], [PLANNED] + NO_ANNA, faults=[NEVER])
case("one delivery that arrives is enough", [item()], [PLANNED, "09:00 planned kitchen", BEN] + CORA,
     steps=[{"to": ["anna", "kitchen"]}] + HOME[1:], faults=[NEVER])
TRIED = [at(time, PLANNED) for time in ("09:00", "09:00:05", "09:00:35", "09:02:35", "09:03:07")]
case("one that is given up hands over too", [item()],
     TRIED + [at("09:03:07", BEN)] + cora("09:23", "09:33", "09:43"), faults=[LATER],
     sinks__anna_phone={"retry": {"max_age": "3m7s"}})
case("an answer ends what is tried again", [item(), press("09:00:20", "ack")], TRIED[:2] + ["done"], faults=[LATER])
BOTH = ["planned mail dan dan@example.org", "item 2 planned mail dan dan@example.org"]
case("a message of several reminders goes out whole", [item(), item(), press("09:00:20", "ack")],
     [f"{time} {words}" for time in ("09:00", "09:00:05") for words in BOTH] + ["done"]
     + [f"09:00:35 {words}" for words in BOTH] + ["09:10 item 2 1.2.1 ben-phone ben"],
     steps=[{"to": ["dan"]}, HOME[1]], sinks__mail={"to": ["house@example.org"], "group_by": "all"},
     faults=[("mail", "08:00", "09:00:30", "later")])
MAIL = {"steps": [{"to": ["dan"]}, HOME[1]], "sinks__mail": {"to": ["house@example.org"]}}
MOVED = {**MAIL, "people__dan": {"sinks": ["mail"], "address": "daniel@example.org"}}
case("an address that is gone is not written to", [item(), set_config("09:00:20", **MOVED)],
     ["09:00 planned mail dan dan@example.org", "09:00:05 planned mail dan dan@example.org", at("09:00:35", BEN)],
     faults=[("mail", "08:00", "10:00", "later")], **MAIL)

# A config that changes

case("steps that are gone are not made", [item(), set_config("09:05:20", HOME[:2])], ALL[:2])
case("a scheduled step that is gone ends", [item(), set_config("09:15:20", HOME[:2])], ALL[:2])
case("the next step is then found by time",
     [item(), set_config("09:15:20", [HOME[0], {"after": "2h", "to": ["eva"]}])],
     [PLANNED, BEN, "11:00 2.2.1 mail house@example.org", "11:00 2.2.1 mail hall@example.org"])
case("rings that a step has no more end",
     [item(), set_config("09:35:20", HOME[:2] + [{**HOME[2], "times": 1}])], ALL[:3])
case("the step after them stays", [item(), set_config("09:05:20")],
     [PLANNED, "09:04 1.1.2 anna-phone anna"] + ALL[1:], steps=[{"to": ["anna"], "every": "4m"}] + HOME[1:])
case("an escalation that is gone ends", [item(), set_config("09:05:20", categories__medicine={})], [PLANNED])
case("another list may have no escalation",
     [item(category=None, list="Family"), command("09:05:20", "edit", list="Home")], [PLANNED])
case("steps to come keep their times, those after them follow the new config",
     [item(), set_config("09:05:20", [HOME[0], {"after": "5m", "to": ["cora"]}, {"after": "45m", "to": ["ben"]}])],
     [PLANNED, "09:10 1.2.1 cora-phone cora", "09:50 1.3.1 ben-phone ben"])
case("a sink that is gone hands over", [item(), set_config("09:00:20", sinks__anna_phone={"enabled": False})],
     TRIED[:2] + [at("09:00:20", BEN)] + cora("09:20", "09:30", "09:40"), faults=[LATER])

# After an acknowledgement

AGAIN = {"steps": HOME[:2], "categories__medicine": {"escalation": "home", "again_after": "1h"}}
ONCE = {"steps": HOME[:2], "categories__medicine": {"escalation": "home", "again_after": "1h", "again": "once"}}
case("an acknowledged reminder rings again",
     [item(), press("09:05:20", "ack"), press("10:06:20", "ack"), press("11:06:40", "done")],
     [PLANNED, "done", "10:05 snooze anna-phone anna", "done", "11:06 snooze anna-phone anna", "done"], **AGAIN)
case("or once", [item(), press("09:05:20", "ack"), press("10:16:20", "ack")],
     [PLANNED, "done", "10:05 snooze anna-phone anna", "10:15 2.2.1 ben-phone ben", "done"], **ONCE)
case("a check ends that", [item(), press("09:05:20", "ack"), press("09:06:20", "done")], [PLANNED, "done", "done"],
     **AGAIN)
case("taking it back ends that too", [item(), press("09:05:20", "ack"), take_back("09:07:10")],
     [PLANNED, "done", "taken back", BEN], **AGAIN)
case("not once it has rung", [item(), press("09:05:20", "ack"), take_back("10:07:10")],
     [PLANNED, "done", "10:05 snooze anna-phone anna", "refused", "10:15 2.2.1 ben-phone ben"], **AGAIN)
case("a stronger answer does not stand in its way",
     [item(), press("09:05:20", "ack"), press("09:06:20", "later"), take_back("09:07:10", pick=1),
      take_back("09:08:10")],
     [PLANNED, "done", "done", "taken back", "taken back", BEN], **AGAIN)

# Taking back

case("steps come back at their times", [item(), press("09:05:20", "ack"), take_back("09:07:10")],
     [PLANNED, "done", "taken back", BEN] + CORA)
case("the first one comes at once where its time has passed", [item(), press("09:05:20", "ack"), take_back("09:15:10")],
     [PLANNED, "done", "taken back", at("09:16", BEN)] + cora("09:36", "09:46", "09:56"))
case("the others keep their distance from it", [item(), press("09:06:20", "ack"), take_back("09:15:10")],
     [PLANNED, "09:05 1.1.2 anna-phone anna", "done", "taken back", "09:16 1.1.3 anna-phone anna", at("09:18", BEN)],
     steps=[{"to": ["anna"], "every": "5m", "times": 3}, {"after": "12m", "to": ["ben"]}])
case("those of one alert that come late put off none of another",
     [item(alerts=["PT5M", "PT0S"]), press("09:02:20", "done"), take_back("09:08:10")],
     [at("08:55", PLANNED), PLANNED, "done", "taken back", at("09:09", BEN), BEN], steps=HOME[:2])
for action in "later", "done", "trash":
    case(f"{action} is taken back likewise", [item(), press("09:05:20", action), take_back("09:07:10")],
         [PLANNED, "done", "taken back", BEN] + CORA)
TWO = [item(), press("09:05:20", "ack"), press("09:06:20", "done"), take_back("09:07:10", pick=1)]
case("nothing comes back while another answer holds", TWO, [PLANNED, "done", "done", "taken back"])
case("everything does once none holds", TWO + [take_back("09:08:10")],
     [PLANNED, "done", "done", "taken back", "taken back", BEN] + CORA)
case("nothing comes back once it has rung again",
     [item(rule="FREQ=MINUTELY;INTERVAL=20;COUNT=2"), press("09:05:20", "ack"), take_back("09:22:10")],
     [PLANNED, "done", at("09:20", PLANNED), "taken back", at("09:30", BEN)] + cora("09:50", "10:00", "10:10"))
case("nothing comes back beside a snooze",
     [item(), press("09:05:20", "ack"), command("09:06:20", "snooze", length="PT10M"), take_back("09:07:10")],
     [PLANNED, "done", "taken back", "09:16 snooze anna-phone anna", "09:26 2.2.1 ben-phone ben"], steps=HOME[:2])
case("what was called off is sent after all, and held again", [item(), press("09:12:20", "ack"), take_back("09:13:10")],
     [BEN, "done", "taken back", at("09:15", PLANNED)] + CORA, people__anna=QUIET)
case("after a day nothing is taken back", [item(), press("09:05:20", "ack"), take_back("01-06 09:05:30")],
     [PLANNED, "done", "refused"], end="01-06 10:00")

json.dump(CASES, sys.stdout)
